/** Documents for tests, as the backend would answer with what was sent. */
import type {
  CollectionId,
  DocumentOf,
  NewAttributes,
  TaskDocument,
  TimeEntryDocument,
  TimerSessionDocument,
} from '#collections.ts'
import { DATABASE_ID } from '#collections.ts'
import { readDocument } from '#document.ts'

/** A stored task; what is left out has its default. */
export function testTaskDocument(
  id: string,
  sent: NewAttributes<'tasks'>,
  at: number = 0,
): TaskDocument {
  return testDocument('tasks', id, sent, at)
}

/** A stored timer session; what is left out has its default, or is null. */
export function testSessionDocument(
  id: string,
  sent: NewAttributes<'timer_sessions'>,
  at: number = 0,
): TimerSessionDocument {
  return testDocument('timer_sessions', id, sent, at)
}

/** A stored time entry; what is left out has its default, or is null. */
export function testEntryDocument(
  id: string,
  sent: NewAttributes<'time_entries'>,
  at: number = 0,
): TimeEntryDocument {
  return testDocument('time_entries', id, sent, at)
}

function testDocument<C extends CollectionId>(
  collection: C,
  id: string,
  sent: NewAttributes<C>,
  at: number,
): DocumentOf<C> {
  // The backend writes '+00:00' where browsers write 'Z'.
  const createdAt = new Date(at).toISOString().replace('Z', '+00:00')
  const document = readDocument(collection, {
    $id: id,
    $sequence: '1',
    $createdAt: createdAt,
    $updatedAt: createdAt,
    $permissions: [],
    $databaseId: DATABASE_ID,
    $collectionId: collection,
    ...sent,
  })
  if (!document) throw new Error(`No document of ${collection}: ${JSON.stringify(sent)}`)
  return document
}
