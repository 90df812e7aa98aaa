/**
 * Reconciles the sessions here with those of the backend, which are rarely more than one: after each round
 * of sending, and when a write has met another state than the one it knew.
 */
import type { Draft } from '@stint/core/device/draft.ts'
import { deletesForGood } from '@stint/core/device/missing-attributes.ts'
import { takeIn, takeInSession } from '@stint/core/device/take-in.ts'
import { isUnsent } from '@stint/core/device/unsaved.ts'
import { isUnanswered, noteGone, noteMissing } from '@stint/core/device/unsent-sessions.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import { instantToWire } from '@stint/core/time/instant.ts'

import { BackendError } from '#backend/errors.ts'
import { find } from '#backend/find-document.ts'

import type { FetchContext } from './context.ts'
import { fetchChanges, NEWEST_FIRST, pullPages, requireSamePerson, storeDocuments } from './pull.ts'
import { sayEnded } from './say-ended.ts'

/**
 * Takes in all sessions that the backend has, and settles those that it has no more. Must run under the sync
 * lock. Rejects with BackendError.
 */
export async function reconcile(context: FetchContext): Promise<void> {
  const { record } = context
  // One whose creation had no answer may have ended elsewhere.
  const mayBeThere = record.view.sessions
    .all()
    .filter((session) => session.base !== null || isUnanswered(session))
  const listed = await listSessions(context)
  for (const { state } of listed) {
    if (state.kind !== 'stopped') await knowTask(context, state.timer.taskId)
  }
  const missing = mayBeThere.filter(({ id }) => !listed.some((session) => session.id === id))
  if (missing.length > 0) await requireSamePerson(context)
  await confirmClock(context)
  // A press on a session never lies before the session, even if the clock was set back.
  for (const { updatedAt } of listed) record.clock.setAtLeast?.(updatedAt + 1)
  await record.takeIn((draft) =>
    sayEnded(draft, () => {
      for (const session of listed) takeInSession(draft, session)
    }),
  )
  for (const { id } of missing) await settleMissing(context, id)
}

async function listSessions(context: FetchContext): Promise<TimerSession[]> {
  const sessions: TimerSession[] = []
  await pullPages(context, 'timer_sessions', NEWEST_FIRST, async (documents) => {
    sessions.push(...documents.map(sessionFromDocument))
  })
  return sessions
}

/** The screen shows a timer only if its task is there. */
async function knowTask({ record, backend }: FetchContext, taskId: string): Promise<void> {
  if (record.view.tasks.get(taskId)) return
  const document = await find(backend, 'tasks', taskId)
  if (document) await storeDocuments(record, 'tasks', [document])
}

/** Handles a session that is missing: it has ended on another device, or the backend has lost it. */
async function settleMissing(context: FetchContext, id: string): Promise<void> {
  const { record } = context
  const entry = await readEntry(context, id)
  if (!entry) await askForDeletions(context)
  // The session may have been cut, and its other parts are entries of their own.
  else await fetchChanges(context, 'time_entries', entry.createdAt)
  await record.takeIn((draft) =>
    sayEnded(draft, () => {
      if (entry) takeIn(draft, 'entry', id, entry)
      if (!entry && isDiscarded(draft, id)) noteGone(draft, id)
      else noteMissing(draft, id)
    }),
  )
}

/** Returns whether a session without an entry was discarded, where that leaves nothing. A later press creates it again. */
function isDiscarded(draft: Draft, id: string): boolean {
  const session = draft.sessions.get(id)
  return session !== undefined && deletesForGood(draft) && !isUnsent(draft, session)
}

/**
 * Asks whether the backend can mark an entry as deleted. A project without that attribute refuses the
 * question, and the record knows it then.
 */
async function askForDeletions({ record, backend, userId }: FetchContext): Promise<void> {
  if (backend.ownServer || deletesForGood(record.view)) return
  const equal = { userId, deletedAt: instantToWire(0) }
  await backend.list('time_entries', { equal, limit: 1 }).catch((error: unknown) => {
    if (!deletesForGood(record.view)) throw error
  })
}

/** Returns the entry of an ended session, or null when there is none. */
export async function readEntry({ backend }: FetchContext, id: string): Promise<TimeEntry | null> {
  const document = await find(backend, 'time_entries', id)
  return document && entryFromDocument(document)
}

/**
 * Waits until the server has confirmed the clock, and corrects the instants that were written before. Nothing
 * is sent or taken in before: a clock that was set ahead looks like sleep. Rejects with BackendError while the
 * server does not answer. One that tells no time, as a real Appwrite, receives instants as they are.
 */
export async function confirmClock({ record, backend }: FetchContext): Promise<void> {
  const isConfirmed = () => record.clock.reading?.().isSure !== false && !record.value('clock')
  if (isConfirmed()) return
  const info = await backend.serverInfo()
  await record.refresh()
  // The answer took too long to tell the time.
  if (typeof info?.serverTime === 'number' && !isConfirmed())
    throw new BackendError('unreachable', 'The clock is not confirmed')
}
