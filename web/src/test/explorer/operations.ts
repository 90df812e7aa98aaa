/**
 * The product's own code: the calls of each operation of the explorer, and of the sending and
 * fetching after it.
 */
import { editEntry, splitEntry } from '@stint/core/record/entry-edit.ts'
import { splitId } from '@stint/core/record/split-id.ts'
import type { StoppedTimer } from '@stint/core/timer/timer.ts'

import { BackendError } from '#backend/errors.ts'
import { applyChanges, isChangedSince } from '@stint/core/device/changes.ts'
import type { RecordChanges } from '@stint/core/device/changes.ts'
import type { Draft } from '@stint/core/device/draft.ts'
import { discardSession } from '@stint/core/device/questions.ts'
import { deleteTask } from '@stint/core/device/tasks.ts'
import * as timer from '@stint/core/device/timer.ts'
import type { SyncContext } from '#sync/context.ts'
import { pullCollection } from '#sync/pull.ts'
import { sendAll, sendAndReconcile } from '#sync/send.ts'

import type { Press, Program } from './scenario.ts'

/** What Undo reverses. */
type Undoable =
  | { readonly kind: 'stop'; readonly stopped: StoppedTimer }
  | { readonly kind: 'changes'; readonly inverse: RecordChanges }

/** The program in which a look fetches only the timer, as an event about a session does first. */
export const STINT: Program = {
  press,
  flush: async (context) => reachable(sendAll(context)),
  refresh: async (context) => reachable(sendAndReconcile(context)),
  reopen: async (context) => {
    await reachable(sendAndReconcile(context))
    await reachable(pullAll(context))
    // The fetched data may leave something to send.
    await reachable(sendAndReconcile(context))
  },
}

/** The program in which a look also fetches tasks and entries. */
export const STINT_WITH_ENTRIES: Program = {
  ...STINT,
  refresh: async (context) => {
    await reachable(sendAndReconcile(context))
    await reachable(pullAll(context))
  },
}

async function pullAll(context: SyncContext): Promise<void> {
  await pullCollection(context, 'tasks')
  await pullCollection(context, 'time_entries')
}

/** Waits for work and ignores a failure that comes from an unreachable server. */
export async function reachable(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof BackendError)) throw error
  })
}

/** Performs a press. Returns what Undo then reverses, as JSON. */
export async function press(
  { record }: SyncContext,
  pressed: Press,
  undo: string | null,
): Promise<string | null> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was answered here before
  const last = undo === null ? null : (JSON.parse(undo) as Undoable)
  const undoable = await record.takeIn((draft) => pressIn(draft, pressed, record.device, last))
  return undoable && JSON.stringify(undoable)
}

function pressIn(
  draft: Draft,
  pressed: Press,
  device: string,
  last: Undoable | null,
): Undoable | null {
  switch (pressed.action) {
    case 'start': {
      const { sessionId, taskId } = pressed
      timer.start(draft, { sessionId, taskId, device })
      return null
    }
    case 'banner':
      pressBanner(draft, pressed.sessionId, device)
      return null
    case 'pause':
      timer.pause(draft)
      return null
    case 'resume':
      timer.resume(draft)
      return null
    case 'stop': {
      const stopped = timer.stop(draft)
      return stopped && { kind: 'stop', stopped }
    }
    case 'move':
      return move(draft, pressed.startedAt)
    case 'discard': {
      const [session] = draft.value('unfinished')?.sessions ?? []
      if (session) discardSession(draft, session)
      return null
    }
    case 'delete task': {
      const stopped = deleteTask(draft, pressed.taskId)
      return stopped && { kind: 'stop', stopped }
    }
    case 'edit':
    case 'split':
      return changeEntry(draft, pressed)
    case 'undo':
      takeBack(draft, last, pressed.sessionId, device)
      return null
  }
}

function pressBanner(draft: Draft, sessionId: string, device: string): void {
  const action = draft.value('banner')?.action
  if (action?.kind === 'track-offline') {
    timer.trackOffline(draft, action.sessionId)
  } else if (action?.kind === 'resume') {
    const { stopped, gap } = action
    timer.resumeStopped(draft, { sessionId, stopped, gap, device })
  }
}

function move(draft: Draft, startedAt: number): Undoable | null {
  const sessionId = draft.value('timer')?.timer.sessionId
  if (sessionId === undefined) return null
  return changed(draft, { timer: { sessionId, change: { startedAt } } })
}

function changeEntry(
  draft: Draft,
  pressed: Extract<Press, { readonly action: 'edit' | 'split' }>,
): Undoable | null {
  const entry = draft.entries.get(pressed.entryId)
  if (!entry || entry.deletedAt !== null) return null
  if (pressed.action === 'edit') {
    const { startedAt, note } = pressed
    return changed(draft, { entries: [editEntry(entry, { startedAt, note }, draft.now)] })
  }
  const at = entry.startedAt + (entry.endedAt - entry.startedAt) * pressed.share
  const second = splitId(entry, draft.edit('entry', entry.id)?.base ?? entry)
  return changed(draft, { entries: splitEntry(entry, at, second, draft.now) })
}

function changed(draft: Draft, changes: RecordChanges): Undoable {
  return { kind: 'changes', inverse: applyChanges(draft, changes) }
}

function takeBack(draft: Draft, last: Undoable | null, sessionId: string, device: string): void {
  if (last?.kind === 'stop') {
    const { stopped } = last
    timer.resumeStopped(draft, { sessionId, stopped, gap: 'undo', device })
  } else if (last && !isChangedSince(draft, last.inverse)) applyChanges(draft, last.inverse)
}
