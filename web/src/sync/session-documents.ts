/**
 * Requests for one session and its entry. Each can be repeated any number of times.
 */
import { entryFromDocument } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import { deletesForGood } from '@stint/core/device/schema.ts'
import { instantToWire } from '@stint/core/time/instant.ts'

import type { Backend } from '#backend/backend.ts'
import { isNotFound } from '#backend/errors.ts'
import { find } from '#backend/find-document.ts'

import type { SyncContext } from './context.ts'
import { FIRST_PAGE, pullPages } from './pull.ts'

/** Returns all sessions of the user, newest first. There is rarely more than one. */
export async function listSessions(
  context: Pick<SyncContext, 'userId' | 'backend'>,
): Promise<TimerSession[]> {
  const sessions: TimerSession[] = []
  const options = { order: 'newest-created', firstLimit: FIRST_PAGE } as const
  await pullPages(context, 'timer_sessions', options, async (documents) => {
    sessions.push(...documents.map(sessionFromDocument))
  })
  return sessions
}

/** Returns the entry of an ended session, or null when there is none. */
export async function readEntry(backend: Backend, id: string): Promise<TimeEntry | null> {
  const document = await find(backend, 'time_entries', id)
  return document && entryFromDocument(document)
}

/** Deletes a session, if it exists and, with `unchangedSince`, was not changed after that instant. */
export async function deleteSession(
  backend: Backend,
  sessionId: string,
  unchangedSince?: number,
): Promise<void> {
  try {
    await backend.delete('timer_sessions', sessionId, unchangedSince)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/**
 * Asks whether the backend can mark an entry as deleted, unless a document has shown it. Only a project
 * without that attribute refuses the question, and the answer is in the record then.
 */
export async function askForDeletions({
  record,
  backend,
  userId,
}: Pick<SyncContext, 'record' | 'backend' | 'userId'>): Promise<void> {
  if (backend.ownServer || deletesForGood(record.view)) return
  const equal = { userId, deletedAt: instantToWire(0) }
  await backend.list('time_entries', { equal, limit: 1 }).catch((error: unknown) => {
    if (!deletesForGood(record.view)) throw error
  })
}
