/** The state that a client keeps when it is killed: saved as text, and opened again from it. */
import { taskFromDocument } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { testTaskDocument } from '@stint/core/test/documents.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import { databaseName } from '#record/database.ts'
import { openRecord } from '#record/record.ts'
import type { LocalRecord } from '#record/record.ts'
import type { Edit, QueuedOperation, Value } from '@stint/core/device/stored.ts'

import { allEntries } from '../devices.ts'
import { deleteDatabase } from './memory-database.ts'

export const USER = 'ada'
/** The tasks of every client and of the server. */
export const TASKS = ['write', 'plan', 'read', 'sort'].map((id) =>
  testTaskDocument(id, { name: id, userId: USER }),
)

/**
 * The storage of a client, without places in the queue and revisions, which do not affect its
 * behaviour.
 */
export interface Storage {
  readonly tasks: readonly Task[]
  readonly values: readonly Value[]
  readonly operations: readonly Omit<QueuedOperation, 'sequence'>[]
  readonly edits: readonly Edit[]
  readonly entries: readonly TimeEntry[]
}

/**
 * Returns a client that knows the tasks and everything that was saved before `since`, in epoch
 * milliseconds.
 */
export function emptyStorage(since: number): Storage {
  const pulled = { complete: true, since: new Date(since).toISOString() }
  return {
    tasks: TASKS.map(taskFromDocument),
    values: [
      { key: 'pull:tasks', ...pulled },
      { key: 'pull:time_entries', ...pulled },
    ],
    operations: [],
    edits: [],
    entries: [],
  }
}

/** Returns the storage that this JSON describes. */
export function storageOf({ storage }: { readonly storage: string }): Storage {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by `storageIn`
  return JSON.parse(storage) as Storage
}

/** Returns the storage of a record as JSON. Equal storages give the same text. */
export function storageIn(record: LocalRecord): string {
  const { view } = record
  const storage: Storage = {
    tasks: view.tasks.all().toSorted(byId),
    values: KEYS.flatMap((key) => view.value(key) ?? []),
    operations: view.operations.all().map(({ operation, attempts, refused }) => ({
      operation,
      attempts: Math.min(attempts, MAX_ATTEMPTS),
      refused,
    })),
    edits: view.edits.all(),
    entries: allEntries(record),
  }
  return JSON.stringify(storage)
}

/**
 * The code only distinguishes no attempt, one, and more. States that differ in nothing else are
 * therefore equal.
 */
const MAX_ATTEMPTS = 2

const KEYS = [
  'timer',
  'banner',
  'clock',
  'offers',
  'unfinished',
  'pull:tasks',
  'pull:time_entries',
  'seen',
  'resumed',
  'moved',
  'superseded',
  'gaps',
  'overlaps',
  'settings',
] as const

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1
}

let databases = 0

/** Opens a client on a saved storage. */
export async function openStorage(
  index: number,
  json: string,
  now: () => number,
): Promise<LocalRecord> {
  const { tasks, values, operations, edits, entries } = storageOf({ storage: json })
  const device = `client ${index}`
  databases += 1
  const record = await openRecord(databaseName(`explorer ${databases}`), { clock: { now }, device })
  await record.takeIn((draft) => {
    for (const task of tasks) draft.tasks.put(task)
    for (const value of values) draft.putValue(value)
    for (const entry of entries) draft.entries.put(entry)
    for (const edit of edits) draft.edits.put(edit)
    for (const [at, queued] of operations.entries()) {
      draft.operations.put({ sequence: at + 1 - operations.length, ...queued })
    }
  })
  return record
}

/** Closes the storage. Code that still runs on it finds it closed, as after a kill. */
export function closeStorage(record: LocalRecord): void {
  record.close()
  deleteDatabase(record.name)
}

/** Returns what the backend has not acknowledged, in the order in which it is sent. */
export function unsentIn({ operations, edits }: Storage): readonly object[] {
  return [...operations, ...edits]
}

/** Returns the timer that a client shows. */
export function timerOf(storage: Storage): ActiveTimer | null {
  const value = storage.values.find((each) => each.key === 'timer')
  return value?.key === 'timer' ? value.timer : null
}

/** Returns the ids of the sessions that a client offers on recovery cards. */
export function cardsOf(storage: Storage): readonly string[] {
  const value = storage.values.find((each) => each.key === 'unfinished')
  return value?.key === 'unfinished' ? value.sessions.map(({ id }) => id) : []
}
