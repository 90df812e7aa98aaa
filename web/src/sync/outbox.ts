/**
 * The outbox: what the backend must hear, in order, each piece repeatable (design 5.1–5.5,
 * reliability T3–T12). One tab drains at a time. Nothing leaves it before the backend has
 * acknowledged it.
 */
import { entryAttributes, entryFromDocument, entryFromStopped } from '@stint/core/time-entry.ts'
import type { TimeEntry } from '@stint/core/time-entry.ts'
import { instantToWire } from '@stint/core/instant.ts'
import { taskFromDocument } from '@stint/core/task.ts'
import type { Task, TaskChanges } from '@stint/core/task.ts'
import {
  activeAttributes,
  isRestorable,
  newSessionAttributes,
  restatedAttributes,
  sessionFromDocument,
  stopAttributes,
} from '@stint/core/timer-session.ts'
import type { TimerSession } from '@stint/core/timer-session.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer.ts'
import { stopTimer } from '@stint/core/timer.ts'

import type { Backend } from '#backend/backend.ts'
import {
  asBackendError,
  BackendError,
  isConflict,
  isNotFound,
  isTemporary,
} from '#backend/errors.ts'

import { codesOf, noteEvent } from './events.ts'
import { existing, find } from './find-document.ts'
import { putEntries, readState, unsavedEntryIds, unsavedTaskChanges } from './local-records.ts'
import type { LocalDb, OutboxItem, OutboxWork } from './local-db.ts'
import { sendPrefs } from './prefs.ts'
import { sendEntries } from './send-entries.ts'
import { PAUSE_FAILED, RESUME_FAILED, SAVE_FAILED, startFailedText } from './session-errors.ts'
import {
  confirmStart,
  dismissBanner,
  failChange,
  failStart,
  giveWay,
  showSaveFailed,
} from './timer-store.ts'

/** A pause or resume is tried again after these waits, about 3 s in all (design 5.5). */
const CHANGE_RETRY_WAITS = [800, 1800]
/** How often a start ends another device's session before it gives up (T16). */
const MAX_TAKEOVERS = 2

export interface OutboxContext {
  readonly db: LocalDb
  readonly backend: Backend
  readonly device: string
  readonly now: () => number
  readonly wait: (milliseconds: number) => Promise<void>
}

/** While the outbox is drained. */
interface Round extends OutboxContext {
  /** Sessions that were over before the backend heard of them: it need not hear of their end. */
  readonly neverSent: Set<string>
}

export type DrainResult =
  | { readonly status: 'empty' }
  /** Something waits for the backend to come back. */
  | { readonly status: 'blocked'; readonly error: BackendError }
  /** The sign-in has ended: parked until the same user is back (T25). */
  | { readonly status: 'signed-out' }

/**
 * Sends what waits, oldest first, until the outbox is empty or the backend cannot be reached.
 * Must run under the lock `sync:<userId>`. Never throws for what a backend answers.
 */
export async function drain(outbox: OutboxContext): Promise<DrainResult> {
  const context: Round = { ...outbox, neverSent: new Set() }
  for (;;) {
    const item = await nextItem(context.db)
    if (!item) return { status: 'empty' }
    const error = await attempt(context, item)
    if (!error) continue
    if (error.kind === 'signed-out') {
      await failImpatient(context, item, error)
      return { status: 'signed-out' }
    }
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
  const waiting = () => db.outbox.orderBy('sequence').filter((item) => item.refused === null)
  return (
    (await waiting()
      .and(({ work }) => work.kind !== 'save-entries')
      .first()) ?? waiting().first()
  )
}

/** Does the work of an item; answers what went wrong, or null when it is done and removed. */
async function attempt(context: Round, item: OutboxItem): Promise<BackendError | null> {
  try {
    await perform(context, item)
    await context.db.outbox.delete(item.sequence)
    return null
  } catch (error) {
    if (!(error instanceof BackendError)) throw error
    return error
  }
}

async function perform(context: Round, { work, sequence }: OutboxItem): Promise<void> {
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
      return sendEntries(context, sequence, work.entries)
    case 'create-task':
      return sendTask(context, sequence, work.taskId, work.name)
    case 'update-task':
      return sendTaskChanges(context, sequence, work.taskId, work.changes)
    case 'set-task-active':
      return sendTaskChanges(context, sequence, work.taskId, { isActive: work.isActive })
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
  await context.db.outbox.update(item.sequence, { refused: error.message })
  if (item.work.kind === 'stop') await showSaveFailed(context.db)
}

/**
 * Creates the session under its own id. If it is there already, an earlier try worked. If another
 * one is active, the one that was pressed last goes on, and the other is ended at that moment.
 */
async function sendStart(
  context: Round,
  { timer: started, pressedAt }: Extract<OutboxWork, { kind: 'start' }>,
): Promise<void> {
  const { db, backend, device } = context
  const record = await readState(db, 'timer')
  const timer = record?.timer.sessionId === started.sessionId ? record.timer : null
  if (!timer) {
    // Stopped before it was sent, unless the answer to an earlier try was lost.
    if (!(await mayBeThere(context, started.sessionId))) context.neverSent.add(started.sessionId)
    return
  }
  for (let takeovers = 0; ; takeovers += 1) {
    try {
      const attributes = newSessionAttributes(timer, db.userId, device)
      await backend.create('timer_sessions', timer.sessionId, attributes)
      break
    } catch (error) {
      if (!isConflict(error)) throw error
      const own = await find(backend, 'timer_sessions', timer.sessionId)
      const isPutAside = own !== null && sessionFromDocument(own).state.kind === 'unclear'
      if (own && !isPutAside) break
      if (takeovers >= MAX_TAKEOVERS) throw error
      const newer = await endOlderSessions(context, timer.sessionId, pressedAt)
      if (newer) return giveWay(db, timer.sessionId, newer, context.now())
      if (isPutAside) {
        await backend.update('timer_sessions', timer.sessionId, activeAttributes(timer))
        break
      }
    }
  }
  await confirmStart(db, timer.sessionId)
}

/**
 * Ends and saves the user's other active sessions when this one was pressed, unless one of them was
 * started later still: that one is answered, and left alone. One too old to be restored makes way,
 * but stays unfinished: its owner says until when it counts (T21).
 */
async function endOlderSessions(
  context: Round,
  sessionId: string,
  pressedAt: number,
): Promise<TimerSession | null> {
  const { documents } = await context.backend.list('timer_sessions', {
    equal: { userId: context.db.userId },
    limit: 100,
  })
  for (const session of documents.map(sessionFromDocument)) {
    if (session.id === sessionId || session.state.kind !== 'active') continue
    const { timer } = session.state
    const isNewer =
      timer.startedAt > pressedAt || (timer.startedAt === pressedAt && session.id > sessionId)
    if (isNewer) return session
    if (isRestorable(session, context.now())) await sendStop(context, stopTimer(timer, pressedAt))
    else await sendPutAside(context, session.id)
  }
  return null
}

async function sendPutAside({ backend }: OutboxContext, sessionId: string): Promise<void> {
  try {
    await backend.update('timer_sessions', sessionId, { isRunning: false, isPaused: false })
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
}

/** False when the backend does not list the session: a browser reports every 404 as an error. */
async function mayBeThere({ backend }: OutboxContext, sessionId: string): Promise<boolean> {
  return backend.list('timer_sessions', { equal: { $id: sessionId }, limit: 1 }).then(
    ({ documents }) => documents.length > 0,
    () => true,
  )
}

/** Tells the backend of a pause or resume, with two more tries (design 5.5). */
async function sendChange(context: Round, timer: ActiveTimer): Promise<void> {
  if (context.neverSent.has(timer.sessionId)) return
  for (const wait of [...CHANGE_RETRY_WAITS, null]) {
    try {
      await context.backend.update('timer_sessions', timer.sessionId, activeAttributes(timer))
      return
    } catch (thrown) {
      const error = asBackendError(thrown)
      // Stopped on another device: the first stop wins, reconcile tells the user (T18).
      if (error.kind === 'conflict' || error.kind === 'not-found') return
      if (wait === null || !isTemporary(error)) throw error
      await context.wait(wait)
    }
  }
}

/** Tells the backend how the timer now stands, if it still runs. A stop behind it says it as well. */
async function sendRestated({ db, backend }: OutboxContext, sessionId: string): Promise<void> {
  const record = await readState(db, 'timer')
  if (record?.timer.sessionId !== sessionId) return
  try {
    await backend.update('timer_sessions', sessionId, restatedAttributes(record.timer))
  } catch (error) {
    // Stopped on another device: the first stop wins, reconcile tells the user.
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
}

/** The spec's three calls, in this order: update, create the entry, delete (design 5.3). */
async function sendStop(context: Round, stopped: StoppedTimer): Promise<void> {
  const { db, backend, neverSent } = context
  const isKnown = !neverSent.has(stopped.sessionId)
  const first = isKnown ? await sendEnd(backend, stopped) : stopped
  if (first.durationSeconds > 0) {
    const entry = await sendEntry(context, first)
    await db.transaction('rw', db.entries, db.state, db.outbox, async () => {
      // Changed here while the save was on its way: that change follows in the outbox.
      if (!(await unsavedEntryIds(db)).has(entry.id)) await putEntries(db, [entry])
    })
  }
  if (isKnown) await sendDelete(context, stopped.sessionId)
  await dismissBanner(db, SAVE_FAILED)
}

/** Ends the session; answers the stop that counts, which is the first one anybody made (S12). */
async function sendEnd(backend: Backend, stopped: StoppedTimer): Promise<StoppedTimer> {
  try {
    await backend.update('timer_sessions', stopped.sessionId, stopAttributes(stopped))
    return stopped
  } catch (thrown) {
    const error = asBackendError(thrown)
    if (error.kind === 'not-found') return stopped
    if (error.kind !== 'conflict') throw error
  }
  const document = await find(backend, 'timer_sessions', stopped.sessionId)
  const state = document ? sessionFromDocument(document).state : null
  return state?.kind === 'stopped' ? state.stopped : stopped
}

/** Creates the entry under the session's id, or finds the one that is there already. */
async function sendEntry(context: OutboxContext, stopped: StoppedTimer): Promise<TimeEntry> {
  const { db, backend } = context
  const entry = entryFromStopped(stopped)
  const document = await backend
    .create('time_entries', entry.id, entryAttributes(entry, db.userId))
    .catch((error: unknown) => existing(backend, 'time_entries', entry.id, error))
  return entryFromDocument(document)
}

async function sendDelete({ backend }: OutboxContext, sessionId: string): Promise<void> {
  try {
    await backend.delete('timer_sessions', sessionId)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

async function sendDeletedEntry(
  { db, backend }: OutboxContext,
  entryId: string,
  deletedAt: number,
): Promise<void> {
  try {
    const document = await backend.update('time_entries', entryId, {
      deletedAt: instantToWire(deletedAt),
    })
    await db.transaction('rw', db.entries, db.state, () =>
      putEntries(db, [entryFromDocument(document)]),
    )
  } catch (error) {
    // Never saved, so there is nothing to take back.
    if (!isNotFound(error)) throw error
  }
}

async function sendTask(
  { db, backend }: OutboxContext,
  sequence: number,
  taskId: string,
  name: string,
): Promise<void> {
  const document = await backend
    .create('tasks', taskId, { name, userId: db.userId })
    .catch((error: unknown) => existing(backend, 'tasks', taskId, error))
  await putTask(db, taskFromDocument(document), sequence)
}

async function sendTaskChanges(
  { db, backend }: OutboxContext,
  sequence: number,
  taskId: string,
  changes: TaskChanges,
): Promise<void> {
  try {
    await putTask(db, taskFromDocument(await backend.update('tasks', taskId, changes)), sequence)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** The task as the backend has it, and what changed here since, which follows in the outbox. */
async function putTask(db: LocalDb, task: Task, sequence: number): Promise<void> {
  await db.transaction('rw', db.tasks, db.outbox, async () => {
    const unsaved = await unsavedTaskChanges(db, sequence)
    await db.tasks.put({ ...task, ...unsaved.get(task.id) })
  })
}
