/** The records that cost the server most, within what the quota allows. */
import { encodeLog } from '@stint/core/log/codec.ts'
import { appended } from '@stint/core/log/edit.ts'
import type { Action, Log } from '@stint/core/log/event.ts'
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { newTask, taskAttributes } from '@stint/core/record/task.ts'
import { entryAttributes } from '@stint/core/record/time-entry.ts'
import { stopAttributes } from '@stint/core/record/timer-session.ts'
import type { CollectionId } from '@stint/core/collections.ts'
import { MAX_EVENTS } from '@stint/server/api/logged-session.ts'
import { documentBody } from '@stint/server/documents/document.ts'
import type { AttributeValues } from '@stint/server/documents/document.ts'
import { documentStores } from '@stint/server/documents/store.ts'
import { withDefaults } from '@stint/server/documents/structure.ts'
import { wireInstant } from '@stint/server/instant.ts'
import type { Database } from '@stint/server/storage/database.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

const PREFIXES = { tasks: 't', timer_sessions: 's', time_entries: 'e' } as const

/** How many documents are written in one transaction. */
const AT_ONCE = 100

/** Returns a document's attributes by its number. */
type Make = (index: number, owner: string, now: number) => Record<string, unknown>

interface Documents {
  readonly collection: CollectionId
  readonly count: number
  readonly make: Make
}

/** A name of 255 characters that fits a pattern in as many ways as possible. */
const manyWays: Make = (index, owner, now) => {
  const digits = index.toString(36).padStart(3, '0')
  return taskAttributes(newTask(`t${index}`, `${'a '.repeat(126)}${digits}`, now), owner)
}

const usualName: Make = (index, owner, now) =>
  taskAttributes(
    newTask(`t${index}`, `Write the report ${index} of customer ${index % 97}`, now),
    owner,
  )

/** A session of a minute, each on a day before the one before. */
function session(
  noteOf: (index: number) => string | null,
  taskOf: (index: number) => string,
): Make {
  return (index, owner, now) => {
    const startedAt = now - DAY - index * (DAY / 40)
    const times = { startedAt, endedAt: startedAt + 10 * MINUTE }
    return entryAttributes(
      newEntry({ id: 'e', taskId: taskOf(index), note: noteOf(index), ...times }, now).after,
      owner,
    )
  }
}

/** A note of 280 tags that no other note has. */
function manyTags(index: number): string {
  const own = index.toString(36).padStart(3, '0')
  return Array.from({ length: 280 }, (_, tag) => `#${own}${(tag + 36).toString(36)}`).join(' ')
}

/** Characters of four octets, and those that calendars escape. */
const ODD = '👩‍💻;,\\\n'.repeat(222)

/** How many pauses one document has room for. */
const MAX_PAUSES = 1100

/** A stopped session that was cut as often as a press reads, by somebody who had heard of no other cut. */
function logOfCuts(startedAt: number, endedAt: number): string {
  const begin: Action = { kind: 'start', task: 't0', note: null, deviceName: null }
  const started = appended([], { device: 'a', now: startedAt }, begin)
  const stopped = appended(started, { device: 'a', now: endedAt }, { kind: 'stop' })
  const cuts = Array.from({ length: MAX_EVENTS - stopped.length }, (_, index): Log => {
    const by = { device: `b${index}`, now: endedAt + index }
    const action: Action =
      index % 2 === 0
        ? { kind: 'cut', to: startedAt + (index + 1) * 1000 }
        : { kind: 'set', field: 'note', value: 'x', boundary: 'start' }
    return appended(stopped, by, action).slice(stopped.length)
  })
  return encodeLog([...stopped, ...cuts.flat()])
}

/** A timer that a device stopped and did not save, the first ones with many pauses, or with long logs. */
const leftover: Make = (index, owner, now) => {
  const startedAt = now - DAY - index * 20 * MINUTE
  const endedAt = startedAt + 10 * MINUTE
  const [isPaused, isCut] = [index < 200 && index % 20 < 10, index < 200 && index % 20 >= 10]
  const intervals = Array.from({ length: isPaused ? MAX_PAUSES : 0 }, (_, place) => {
    const start = startedAt + place * 500
    return { start, end: start + 100 }
  })
  const stopped = {
    sessionId: `s${index}`,
    taskId: 't0',
    startedAt,
    endedAt,
    durationSeconds: 500,
    pauses: { intervals, unplacedSeconds: 0 },
    note: 'x'.repeat(2000),
  }
  return {
    taskId: 't0',
    userId: owner,
    startTime: new Date(startedAt).toISOString(),
    note: stopped.note,
    ...stopAttributes(stopped, isCut ? logOfCuts(startedAt, endedAt) : ''),
    ...(isCut ? {} : { log: null }),
  }
}

const WORST_RECORDS = {
  'names that fit in many ways': [{ collection: 'tasks', count: 9_900, make: manyWays }],
  'many usual names': [{ collection: 'tasks', count: 9_900, make: usualName }],
  'many tags': [
    { collection: 'tasks', count: 100, make: usualName },
    {
      collection: 'time_entries',
      count: 20_000,
      make: session(manyTags, (index) => `t${index % 100}`),
    },
  ],
  'unknown tasks': [
    {
      collection: 'time_entries',
      count: 60_000,
      make: session(
        () => null,
        (index) => `unknown${index}`,
      ),
    },
  ],
  'odd notes': [
    {
      collection: 'time_entries',
      count: 2_000,
      make: session(
        () => ODD,
        () => 'unknown',
      ),
    },
  ],
  'unsaved timers': [
    { collection: 'tasks', count: 1, make: usualName },
    { collection: 'timer_sessions', count: 9_900, make: leftover },
  ],
} as const satisfies Record<string, readonly Documents[]>

export type WorstRecord = keyof typeof WORST_RECORDS

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const WORST_RECORD_NAMES = Object.keys(WORST_RECORDS) as WorstRecord[]

/**
 * Stores a record, each document with the statement of the server, without its checks.
 * @param max stores less: only so many documents, and so many bytes of JSON.
 */
export async function storeRecord(
  db: Database,
  owner: string,
  record: WorstRecord,
  now: number,
  max: { readonly documents: number; readonly bytes: number } = NO_BOUND,
): Promise<void> {
  const stores = documentStores(db)
  let [documents, bytes] = [0, 0]
  for (const { collection, count, make } of WORST_RECORDS[record]) {
    for (let first = 0; first < count; first += AT_ONCE) {
      const indexes = Array.from(
        { length: Math.min(AT_ONCE, count - first) },
        (_, at) => first + at,
      )
      const made = indexes.map((index) => ({
        id: `${PREFIXES[collection]}${index}`,
        createdAt: wireInstant(now),
        updatedAt: wireInstant(now),
        permissions: [],
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- core makes attributes of scalars
        attributes: withDefaults(collection, make(index, owner, now) as AttributeValues),
      }))
      documents += made.length
      for (const each of made) bytes += Buffer.byteLength(documentBody(collection, each))
      if (documents > max.documents || bytes > max.bytes) return
      await db.write((tx) =>
        Promise.all(made.map((each) => stores[collection].insert(tx, owner, each))),
      )
    }
  }
}

const NO_BOUND = { documents: Infinity, bytes: Infinity }
