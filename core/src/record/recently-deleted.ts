/** The sessions that were deleted and can be restored. */
import type { TimeEntry } from './time-entry.ts'

/** How long a deleted session is listed. Its mark is kept for longer. */
export const LISTED_DAYS = 30
const DAY_MILLISECONDS = 86_400_000
/** More are never read: an import that was undone deletes thousands. */
const MAX_LISTED = 100

/**
 * Returns the sessions that were deleted within the last 30 days, at most 100, those deleted last first. Not those without
 * work, nor those whose time another session of the task has by now, as after a merge. `entries` are all,
 * deleted ones too, in any order.
 */
export function recentlyDeleted(entries: readonly TimeEntry[], now: number): TimeEntry[] {
  const since = now - LISTED_DAYS * DAY_MILLISECONDS
  const deleted = entries
    .filter(
      ({ deletedAt, durationSeconds }) =>
        deletedAt !== null && deletedAt >= since && durationSeconds > 0,
    )
    .sort((a, b) => (b.deletedAt ?? 0) - (a.deletedAt ?? 0) || b.startedAt - a.startedAt)
    .slice(0, MAX_LISTED)
  const tasks = new Set(deleted.map(({ taskId }) => taskId))
  const living = entries.filter(({ deletedAt, taskId }) => deletedAt === null && tasks.has(taskId))
  return deleted.filter((entry) => !living.some((other) => isSameWork(entry, other)))
}

function isSameWork(one: TimeEntry, other: TimeEntry): boolean {
  return (
    one.taskId === other.taskId && one.startedAt < other.endedAt && other.startedAt < one.endedAt
  )
}
