/**
 * Requests for one session and its entry. Each can be repeated any number of times.
 */
import { entryAttributes, entryFromDocument } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import { deletesForGood } from '@stint/core/device/schema.ts'
import { instantToWire } from '@stint/core/time/instant.ts'

import type { Backend, DocumentPage } from '#backend/backend.ts'
import { isNotFound } from '#backend/errors.ts'
import { createOrFind } from '#backend/find-document.ts'

import type { SyncContext } from './context.ts'

/** An entry on the backend, and whether this device has just created it. */
export interface Saved {
  readonly entry: TimeEntry
  readonly isCreated: boolean
}

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
 * Returns the current session, or null when it does not exist. The request is a list, because a
 * browser reports every 404 as an error.
 */
export async function readSession(backend: Backend, id: string): Promise<TimerSession | null> {
  const { documents } = await backend.list('timer_sessions', { equal: { $id: id }, limit: 1 })
  return documents.map(sessionFromDocument).at(0) ?? null
}

/**
 * Returns the entry of an ended session, or null when there is none. The request is a list for the
 * same reason as in `readSession`.
 */
export async function readEntry(backend: Backend, id: string): Promise<TimeEntry | null> {
  const { documents } = await backend.list('time_entries', { equal: { $id: id }, limit: 1 })
  return documents.map(entryFromDocument).at(0) ?? null
}

/** Creates the entry under the session's id, or finds the existing one. */
export async function sendEntry(
  { userId, backend }: Pick<SyncContext, 'userId' | 'backend'>,
  entry: TimeEntry,
): Promise<Saved> {
  const attributes = entryAttributes(entry, userId)
  const saved = await createOrFind(backend, 'time_entries', entry.id, attributes)
  return { entry: entryFromDocument(saved.document), isCreated: saved.isCreated }
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
 * Sends a deleted entry for a session with nothing to save. It tells other devices that still show
 * the session that it is over.
 */
export function sendTombstone(context: SyncContext, entry: TimeEntry): Promise<Saved> {
  const { record } = context
  const known = record.view.entries.get(entry.id)
  const deletedAt = known?.deletedAt ?? entry.deletedAt ?? record.clock.now()
  return sendEntry(context, { ...entry, deletedAt })
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
