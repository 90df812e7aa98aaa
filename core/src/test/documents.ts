/** Documents for tests, as the backend returns them. */
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

/** Returns a stored task. Fields that are left out have their defaults. */
export function testTaskDocument(
  id: string,
  sent: NewAttributes<'tasks'>,
  at: number = 0,
): TaskDocument {
  return testDocument('tasks', id, sent, at)
}

/** Returns a stored timer session. Fields that are left out have their defaults, or are null. */
export function testSessionDocument(
  id: string,
  sent: NewAttributes<'timer_sessions'>,
  at: number = 0,
): TimerSessionDocument {
  return testDocument('timer_sessions', id, sent, at)
}

/** Returns a stored time entry. Fields that are left out have their defaults, or are null. */
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
