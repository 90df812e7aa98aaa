/** Documents for tests, as the backend would answer with what was sent. */
import type {
  NewAttributes,
  SystemFields,
  TaskDocument,
  TimeEntryDocument,
  TimerSessionDocument,
} from '#collections.ts'
import { COLLECTIONS, DATABASE_ID } from '#collections.ts'
import type { CollectionId } from '#collections.ts'

/** A stored task; what is left out has its default. */
export function testTaskDocument(
  id: string,
  sent: NewAttributes<'tasks'>,
  at: number = 0,
): TaskDocument {
  const { tasks } = COLLECTIONS
  return {
    ...systemFields(id, 'tasks', at),
    name: sent.name,
    userId: sent.userId,
    isActive: sent.isActive ?? tasks.isActive.default,
    category: sent.category ?? tasks.category.default,
    goalHours: sent.goalHours ?? tasks.goalHours.default,
    totalTime: sent.totalTime ?? tasks.totalTime.default,
    todayTime: sent.todayTime ?? tasks.todayTime.default,
    color: sent.color ?? tasks.color.default,
  }
}

/** A stored timer session; what is left out has its default, or is null. */
export function testSessionDocument(
  id: string,
  sent: NewAttributes<'timer_sessions'>,
  at: number = 0,
): TimerSessionDocument {
  const { timer_sessions: sessions } = COLLECTIONS
  return {
    ...systemFields(id, 'timer_sessions', at),
    taskId: sent.taskId,
    userId: sent.userId,
    startTime: sent.startTime ?? null,
    isRunning: sent.isRunning ?? sessions.isRunning.default,
    isPaused: sent.isPaused ?? sessions.isPaused.default,
    currentPauseStart: sent.currentPauseStart ?? null,
    pauseDurationSeconds: sent.pauseDurationSeconds ?? sessions.pauseDurationSeconds.default,
    endTime: sent.endTime ?? null,
    pauses: sent.pauses ?? null,
    device: sent.device ?? null,
  }
}

/** A stored time entry; what is left out has its default, or is null. */
export function testEntryDocument(
  id: string,
  sent: NewAttributes<'time_entries'>,
  at: number = 0,
): TimeEntryDocument {
  return {
    ...systemFields(id, 'time_entries', at),
    taskId: sent.taskId,
    userId: sent.userId,
    startTime: sent.startTime,
    endTime: sent.endTime,
    entryType: sent.entryType ?? COLLECTIONS.time_entries.entryType.default,
    durationSeconds: sent.durationSeconds,
    date: sent.date ?? null,
    sessionId: sent.sessionId ?? null,
    pauses: sent.pauses ?? null,
    note: sent.note ?? null,
    deletedAt: sent.deletedAt ?? null,
  }
}

function systemFields(id: string, collectionId: CollectionId, at: number): SystemFields {
  // The backend writes '+00:00' where browsers write 'Z'.
  const createdAt = new Date(at).toISOString().replace('Z', '+00:00')
  return {
    $id: id,
    $sequence: '1',
    $createdAt: createdAt,
    $updatedAt: createdAt,
    $permissions: [],
    $databaseId: DATABASE_ID,
    $collectionId: collectionId,
  }
}
