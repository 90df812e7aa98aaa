/** The state that a client keeps when it is killed: saved as text, and opened again from it. */
import { taskFromDocument } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import { testTaskDocument } from '@stint/core/test/documents.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import { noteQuestions } from '@stint/core/device/note-asked.ts'

import { databaseName } from '#record/database.ts'
import { openRecord } from '#record/record.ts'
import type { LocalRecord } from '#record/record.ts'
import type { Edit, LocalSession, Question, Value } from '@stint/core/device/stored.ts'

import { allEntries } from '../devices.ts'
import { deleteDatabase } from '../memory-database.ts'
import { silenceChannels } from '../silent-channel.ts'

export const USER = 'ada'
/** The tasks of every client and of the server. */
export const TASKS = ['write', 'plan', 'read', 'sort'].map((id) =>
  testTaskDocument(id, { name: id, userId: USER }),
)

/** The storage of a client, without revisions, which do not affect its behaviour. */
export interface Storage {
  /** The name of the open page in logs. In the product it is random. */
  readonly writer: string
  readonly tasks: readonly Task[]
  readonly values: readonly Value[]
  readonly sessions: readonly LocalSession[]
  readonly edits: readonly Edit[]
  readonly entries: readonly TimeEntry[]
}

/**
 * Returns a client that knows the tasks and everything that was saved before `since`, in epoch
 * milliseconds.
 */
export function emptyStorage(client: number, since: number): Storage {
  const pulled = { complete: true, since: new Date(since).toISOString() }
  return {
    writer: writerOf(client, 0),
    tasks: TASKS.map(taskFromDocument),
    values: [
      { key: 'pull:tasks', ...pulled },
      { key: 'pull:time_entries', ...pulled },
    ],
    sessions: [],
    edits: [],
    entries: [],
  }
}

function writerOf(client: number, page: number): string {
  return `client-${client}-${page}`
}

/** Returns the storage as the next page of the client opens it, as JSON. */
export function onNextPage(json: string): string {
  const storage = storageOf({ storage: json })
  const [, client = '', page = ''] = storage.writer.split('-')
  const writer = writerOf(Number(client), Number(page) + 1)
  return JSON.stringify({ ...storage, writer } satisfies Storage)
}

const parsed = new Map<string, Storage>()
const MAX_PARSED = 20_000

/** Returns the storage that this JSON describes. */
export function storageOf({ storage }: { readonly storage: string }): Storage {
  const known = parsed.get(storage)
  if (known) return known
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by `storageIn`
  const read = JSON.parse(storage) as Storage
  if (parsed.size >= MAX_PARSED) parsed.clear()
  parsed.set(storage, read)
  return read
}

/** Returns the storage of a record as JSON. Equal storages give the same text. */
export function storageIn(record: LocalRecord): string {
  const { view } = record
  const storage: Storage = {
    writer: view.writer,
    tasks: view.tasks.all().toSorted(byId),
    values: KEYS.flatMap((key) => view.value(key) ?? []),
    sessions: view.sessions.all(),
    edits: view.edits.all(),
    entries: allEntries(record),
  }
  return JSON.stringify(storage)
}

const KEYS = [
  'timer',
  'banner',
  'clock',
  'asked',
  'unfinished',
  'pull:tasks',
  'pull:time_entries',
  'seen',
  'gaps',
  'overlaps',
  'settings',
] as const

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1
}

let databases = 0
silenceChannels()

/** Opens a client on a saved storage. */
export async function openStorage(
  index: number,
  json: string,
  now: () => number,
): Promise<LocalRecord> {
  const { writer, tasks, values, sessions, edits, entries } = storageOf({ storage: json })
  const device = `client ${index}`
  databases += 1
  const options = { clock: { now }, device, writer }
  const record = await openRecord(databaseName(`explorer ${databases}`), options)
  record.ask = noteQuestions
  await record.takeIn((draft) => {
    for (const task of tasks) draft.tasks.put(task)
    for (const value of values) draft.putValue(value)
    for (const entry of entries) draft.entries.put(entry)
    for (const edit of edits) draft.edits.put(edit)
    for (const session of sessions) draft.sessions.put(session)
  })
  return record
}

/** Closes the storage. Code that still runs on it finds it closed, as after a kill. */
export function closeStorage(record: LocalRecord): void {
  record.close()
  deleteDatabase(record.name)
}

/**
 * Returns the ids of the sessions and edits that the backend has not acknowledged. The document of a
 * session that has ended is still to be deleted.
 */
export function unsentIn(storage: Storage): readonly string[] {
  const active = [timerOf(storage)?.sessionId, ...cardsOf(storage)]
  const sessions = storage.sessions.filter(
    ({ id, log, base }) => base?.log !== log || !active.includes(id),
  )
  return [...sessions, ...storage.edits].map(({ id }) => id)
}

/** Returns the timer that a client shows. */
export function timerOf(storage: Storage): ActiveTimer | null {
  const value = storage.values.find((each) => each.key === 'timer')
  return value?.key === 'timer' ? value.timer : null
}

/** Returns the sessions that a client offers on recovery cards. */
export function unfinishedIn(storage: Storage): readonly TimerSession[] {
  const value = storage.values.find((each) => each.key === 'unfinished')
  return value?.key === 'unfinished' ? value.sessions : []
}

/** Returns the ids of the sessions that a client offers on recovery cards. */
export function cardsOf(storage: Storage): readonly string[] {
  return unfinishedIn(storage).map(({ id }) => id)
}

/** Returns what a client asks about sessions. */
export function askedBy(storage: Storage): readonly Question[] {
  const value = storage.values.find((each) => each.key === 'asked')
  return value?.key === 'asked' ? value.questions : []
}
