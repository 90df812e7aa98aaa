/**
 * Requests for one session and its entry. Each can be repeated any number of times.
 */
import { entryFromDocument } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import { deletesForGood } from '@stint/core/device/schema.ts'
import { instantToWire } from '@stint/core/time/instant.ts'

import type { Backend, DocumentPage } from '#backend/backend.ts'
import { isNotFound } from '#backend/errors.ts'

import type { SyncContext } from './context.ts'

const PAGE = 100

/** Returns all sessions of the user, newest first. There is rarely more than one. */
export async function listSessions({
  userId,
  backend,
}: Pick<SyncContext, 'userId' | 'backend'>): Promise<TimerSession[]> {
  const sessions: TimerSession[] = []
  let cursorAfter: string | null = null
  do {
    const { documents, cursor }: DocumentPage<'timer_sessions'> = await backend.list(
      'timer_sessions',
      {
        equal: { userId },
        order: 'newest-created',
        limit: PAGE,
        ...(cursorAfter === null ? {} : { cursorAfter }),
      },
    )
    sessions.push(...documents.map(sessionFromDocument))
    cursorAfter = cursor
  } while (cursorAfter !== null)
  return sessions
}

/**
 * Returns the entry of an ended session, or null when there is none. The request is a list, because a
 * browser reports every 404 as an error.
 */
export async function readEntry(backend: Backend, id: string): Promise<TimeEntry | null> {
  const { documents } = await backend.list('time_entries', { equal: { $id: id }, limit: 1 })
  return documents.map(entryFromDocument).at(0) ?? null
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
