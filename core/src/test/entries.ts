/** Entries and tasks for tests. A test names the fields it is about; the others have defaults. */
import type { Interval } from '#time/instant.ts'
import type { Task } from '#record/task.ts'
import { NEW_ENTRY } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { workedSeconds } from '#timer/timer.ts'

type Instant = number | string

interface EntryFields {
  readonly id?: string
  readonly taskId?: string
  readonly start: Instant
  readonly end: Instant
  readonly pauses?: readonly (readonly [Instant, Instant])[]
  readonly unplacedSeconds?: number
  /** Unset: derived from the times and pauses, as in entries that Stint makes. */
  readonly durationSeconds?: number
  readonly deletedAt?: number | null
}

let entriesMade = 0

/** Returns an entry of the task 'write' unless told otherwise. Instants may be ISO text. */
export function testEntry(fields: EntryFields): TimeEntry {
  const startedAt = instant(fields.start)
  const endedAt = instant(fields.end)
  const intervals = (fields.pauses ?? []).map(([start, end]): Interval => {
    return { start: instant(start), end: instant(end) }
  })
  const pauses = { intervals, unplacedSeconds: fields.unplacedSeconds ?? 0 }
  const id = fields.id ?? `entry-${++entriesMade}`
  return {
    ...NEW_ENTRY,
    id,
    taskId: fields.taskId ?? 'write',
    startedAt,
    endedAt,
    durationSeconds: fields.durationSeconds ?? workedSeconds(startedAt, endedAt, pauses),
    pauses,
    sessionId: id,
    deletedAt: fields.deletedAt ?? null,
    createdAt: endedAt,
    updatedAt: endedAt,
  }
}

/**
 * Returns a session of stretches that are worked and paused by turns, from `start` on, in
 * milliseconds. A last pause is dropped. Of the remaining time, the given share (0 … 1) was paused
 * at an unknown time.
 */
export function testEntryOfStretches(
  start: number,
  stretches: readonly number[],
  unplacedShare: number = 0,
  taskId: string = 'write',
): TimeEntry {
  const pauses: [number, number][] = []
  let end = start
  for (const [index, stretch] of stretches.entries()) {
    if (index % 2 === 1 && index < stretches.length - 1) pauses.push([end, end + stretch])
    if (index % 2 === 0 || index < stretches.length - 1) end += stretch
  }
  const fields = { taskId, start, end, pauses: pauses.filter(([from, to]) => to > from) }
  const unpaused = testEntry(fields).durationSeconds
  return testEntry({ ...fields, unplacedSeconds: Math.floor(unpaused * unplacedShare) })
}

/** Returns an active task. Its id is its name in lower case; `createdAt` orders tasks. */
export function testTask(name: string, createdAt: Instant = 0, fields: Partial<Task> = {}): Task {
  return {
    id: name.toLowerCase(),
    name,
    isActive: true,
    category: 'Development',
    goalHours: 8,
    color: 'bg-blue-500',
    createdAt: instant(createdAt),
    updatedAt: instant(createdAt),
    ...fields,
  }
}

function instant(value: Instant): number {
  return typeof value === 'number' ? value : Date.parse(value)
}
