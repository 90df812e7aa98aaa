/**
 * The outbox: what the backend must hear, in order, each piece repeatable. One tab drains at a time.
 * Nothing leaves it before the backend has acknowledged it.
 */
import { BackendError, isTemporary } from '#backend/errors.ts'

import { codesOf, noteEvent } from './events.ts'
import type { LocalDb, OutboxItem, OutboxWork } from './local-db.ts'
import type { OutboxContext, Round } from './outbox-context.ts'
import { sendPrefs } from './prefs.ts'
import { sendDeletedEntry, sendEntries } from './send-entries.ts'
import { sendTask, sendTaskChanges } from './send-tasks.ts'
import { sendChange, sendDelete, sendRestated, sendStart, sendStop } from './send-timer.ts'
import { PAUSE_FAILED, RESUME_FAILED, startFailedText } from './session-errors.ts'
import { failChange, failStart, showSaveFailed } from './timer-store.ts'

export type DrainResult =
  | { readonly status: 'empty' }
  /** Something waits for the backend to come back. */
  | { readonly status: 'blocked'; readonly error: BackendError }
  /** The sign-in has ended: parked until the same user is back. */
  | { readonly status: 'signed-out' }

/**
 * Sends what waits, oldest first, until the outbox is empty or the backend cannot be reached.
 * Must run under the lock `sync:<userId>`. Never throws for what a backend answers.
 */
export async function drain(outbox: OutboxContext): Promise<DrainResult> {
  const context: Round = { ...outbox, neverSent: new Set(), meanwhile: null }
  for (;;) {
    const item = await nextItem(context.db)
    if (!item) return { status: 'empty' }
    const error = await attempt(context, item)
    if (!error) continue
    if (error.kind === 'signed-out') {
      await failImpatient(context, item, error)
      return { status: 'signed-out' }
    }
    // A timer that was pressed while entries were sent has writes of its own left.
    if (isPaced(item, error) && !isEntries(await nextItem(context.db))) continue
    if (isTemporary(error)) {
      const settled = await failImpatient(context, item, error)
      if (settled) continue
      await context.db.outbox.update(item.sequence, { attempts: item.attempts + 1 })
      if (item.work.kind === 'stop' && item.attempts === 0) await showSaveFailed(context.db)
      return { status: 'blocked', error }
    }
    await refuse(context, item, error)
  }
}

/** Gives refused items another chance: the user pressed Retry. */
export async function retryRefused(db: LocalDb): Promise<void> {
  await db.outbox.toCollection().modify({ refused: null })
}

/** The oldest; but a timer never waits behind the entries of an import. */
async function nextItem(db: LocalDb): Promise<OutboxItem | undefined> {
  return (await urgentItem(db)) ?? waitingItems(db).first()
}

/** The oldest that is no batch of entries. */
async function urgentItem(db: LocalDb): Promise<OutboxItem | undefined> {
  return waitingItems(db)
    .and((item) => !isEntries(item))
    .first()
}

function waitingItems(db: LocalDb) {
  return db.outbox.orderBy('sequence').filter((item) => item.refused === null)
}

function isEntries(item: OutboxItem | undefined): boolean {
  return item?.work.kind === 'save-entries'
}

function isPaced(item: OutboxItem, error: BackendError): boolean {
  return isEntries(item) && error.kind === 'rate-limited'
}

/**
 * Does the work of an item. Returns what went wrong, or null when it is done and removed, or left for
 * the moment because of something more urgent.
 */
async function attempt(context: Round, item: OutboxItem): Promise<BackendError | null> {
  try {
    const isDone = await perform(context, item)
    if (isDone !== false) await context.db.outbox.delete(item.sequence)
    return null
  } catch (error) {
    if (!(error instanceof BackendError)) throw error
    return error
  }
}

/** Returns false when a part of it is left. */
async function perform(context: Round, item: OutboxItem): Promise<boolean | void> {
  const { work, sequence } = item
  switch (work.kind) {
    case 'start':
      return sendStart(context, work)
    case 'update':
      return sendChange(context, work.timer)
    case 'stop':
      return sendStop(context, work.stopped)
    case 'restate':
      return sendRestated(context, work.sessionId)
    case 'discard':
      return sendDelete(context, work.sessionId)
    case 'delete-entry':
      return sendDeletedEntry(context, work.entryId, work.deletedAt)
    case 'save-entries':
      return sendEntries(context, item, work.entries, async () => {
        return (await urgentItem(context.db)) !== undefined
      })
    case 'create-task':
      return sendTask(context, sequence, work.taskId, work.name)
    case 'update-task':
      return sendTaskChanges(context, item, work)
    case 'set-task-active':
      return sendTaskChanges(context, item, {
        taskId: work.taskId,
        changes: { isActive: work.isActive },
      })
    case 'save-prefs':
      return sendPrefs(context, work.changes)
  }
}

/**
 * A start, pause or resume does not wait for better times: it fails with the spec's text and the
 * outbox goes on. So do those behind an item that is blocked. True when `item` itself is settled.
 */
async function failImpatient(
  context: OutboxContext,
  item: OutboxItem,
  error: BackendError,
): Promise<boolean> {
  const waiting = await context.db.outbox.where('sequence').aboveOrEqual(item.sequence).toArray()
  let settled = false
  for (const { sequence, work } of waiting) {
    if (!isImpatient(work)) continue
    if (work.kind === 'start') {
      await failStart(context.db, work.timer, startFailedText(error), context.now())
    } else {
      const text = work.action === 'pause' ? PAUSE_FAILED : RESUME_FAILED
      await failChange(context.db, work.timer, text, context.now())
    }
    await context.db.outbox.delete(sequence)
    if (sequence === item.sequence) settled = true
  }
  return settled
}

function isImpatient(work: OutboxWork): work is Extract<OutboxWork, { kind: 'start' | 'update' }> {
  return work.kind === 'update' || (work.kind === 'start' && !work.keepTrying)
}

/** The backend will never take this: it is kept, counted and shown, never silently dropped. */
async function refuse(
  context: OutboxContext,
  item: OutboxItem,
  error: BackendError,
): Promise<void> {
  if (await failImpatient(context, item, error)) return
  noteEvent(`refused: ${item.work.kind}, ${codesOf(error)}`)
  const isOverQuota = error.kind === 'over-quota'
  await context.db.outbox.update(item.sequence, { refused: error.message, isOverQuota })
  if (item.work.kind === 'stop') await showSaveFailed(context.db)
}
