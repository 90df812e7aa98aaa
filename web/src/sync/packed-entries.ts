/**
 * A second, packed copy of the entries: a hundred thousand records take the browser over a second to
 * read one by one, and a few long texts a fraction of that. The copy is only ever read together with
 * the entries written since, and thrown away when in doubt: the table is the truth.
 */
import { NO_PAUSES } from '@stint/core/timer/pauses.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import type { EntryPack, LocalDb, PacksRecord } from './local-db.ts'
import { readState } from './local-records.ts'

/** Fewer entries are read as fast without. */
const FEWEST_ENTRIES = 2000
/** So many changes, or an eighth of all, are read one by one before the copy is made again. */
const MOST_CHANGES = 1000
/** Small enough to be packed between two frames. */
const ENTRIES_PER_PACK = 2000
/** Grows with every change of the form: a copy of another one is not read. */
const FORM = 1

/** An entry as a row: names repeated a hundred thousand times are most of what there is to read. */
type Row = readonly [
  id: string,
  taskId: string,
  startedAt: number,
  endedAt: number,
  durationSeconds: number,
  pauses: null | readonly [unplacedSeconds: number, ...intervals: readonly number[]],
  entryType: string,
  sessionId: string | null,
  note: string | null,
  createdAt: number,
  updatedAt: number,
]

/** The entries that were there at a revision: not deleted, by start. */
export interface EntriesRead {
  readonly entries: readonly TimeEntry[]
  readonly last: number
  readonly generation: number
}

/** Whether a copy tells what the table held at its revision. */
export function isCurrent(
  record: PacksRecord | null | undefined,
  revision: { readonly last: number; readonly generation: number },
): record is PacksRecord {
  return (
    record?.form === FORM &&
    record.generation === revision.generation &&
    record.revision <= revision.last
  )
}

/** The entries of a copy, by start. Throws when it cannot be read. */
export function unpack(packs: readonly EntryPack[]): TimeEntry[] {
  return packs
    .toSorted((a, b) => a.position - b.position)
    .flatMap(({ rows }) => {
      // What `pack` wrote, in the form that isCurrent has checked.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (JSON.parse(rows) as Row[]).map(entryOf)
    })
}

/** The entries with what was written since, by start and without deleted ones. `byId` is changed. */
export function withChanges(
  byId: Map<string, TimeEntry>,
  changes: readonly TimeEntry[],
): readonly TimeEntry[] {
  for (const entry of changes) {
    if (entry.deletedAt === null) byId.set(entry.id, entry)
    else byId.delete(entry.id)
  }
  return [...byId.values()].toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
}

/**
 * Makes the copy anew when it is worth it: `entries`, by start and not deleted, are what the table
 * held at `revision`. Takes the time between frames only.
 */
export async function keepPacked(
  db: LocalDb,
  entries: readonly TimeEntry[],
  revision: { readonly last: number; readonly generation: number },
): Promise<void> {
  if (entries.length < FEWEST_ENTRIES) return
  const record = await readState(db, 'packs')
  const bearable = Math.max(MOST_CHANGES, entries.length / 8)
  if (isCurrent(record, revision) && revision.last - record.revision < bearable) return
  const packs: EntryPack[] = []
  for (let start = 0; start < entries.length; start += ENTRIES_PER_PACK) {
    await idle()
    const rows = entries.slice(start, start + ENTRIES_PER_PACK).map(rowOf)
    packs.push({ position: packs.length, rows: JSON.stringify(rows) })
  }
  await db.transaction('rw', db.packs, db.state, async () => {
    await db.packs.clear()
    await db.packs.bulkPut(packs)
    const { last, generation } = revision
    await db.state.put({ key: 'packs', form: FORM, revision: last, generation })
  })
}

/** Throws the copy away: the table is read until there is another. */
export async function dropPacks(db: LocalDb): Promise<void> {
  await db.transaction('rw', db.packs, db.state, async () => {
    await db.state.delete('packs')
    await db.packs.clear()
  })
}

function rowOf(entry: TimeEntry): Row {
  const { intervals, unplacedSeconds } = entry.pauses
  const isUnbroken = intervals.length === 0 && unplacedSeconds === 0
  return [
    entry.id,
    entry.taskId,
    entry.startedAt,
    entry.endedAt,
    entry.durationSeconds,
    isUnbroken ? null : [unplacedSeconds, ...intervals.flatMap(({ start, end }) => [start, end])],
    entry.entryType,
    entry.sessionId === entry.id ? '' : entry.sessionId,
    entry.note,
    entry.createdAt,
    entry.updatedAt,
  ]
}

function entryOf(row: Row): TimeEntry {
  const [id, taskId, startedAt, endedAt, durationSeconds, pauses, entryType, sessionId] = row
  return {
    id,
    taskId,
    startedAt,
    endedAt,
    durationSeconds,
    pauses: pauses === null ? NO_PAUSES : pausesOf(pauses),
    entryType,
    sessionId: sessionId === '' ? id : sessionId,
    note: row[8],
    deletedAt: null,
    createdAt: row[9],
    updatedAt: row[10],
  }
}

function pausesOf([unplacedSeconds, ...bounds]: NonNullable<Row[5]>): TimeEntry['pauses'] {
  const intervals: Interval[] = []
  for (let index = 0; index + 1 < bounds.length; index += 2) {
    intervals.push({ start: bounds[index] ?? 0, end: bounds[index + 1] ?? 0 })
  }
  return { intervals, unplacedSeconds }
}

/** When the browser has nothing better to do; Safari does not say, so a moment later there. */
async function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve())
    else setTimeout(resolve, 50)
  })
}
