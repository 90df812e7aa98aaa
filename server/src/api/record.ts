/** Reads a person's tasks, sessions and timer, in core's terms. */
import type { CollectionId, DocumentOf } from '@stint/core/collections.ts'
import { taskFromDocument } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import {
  entryFromDocument,
  entryFromStopped,
  entryFromTimer,
} from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { parsed } from '#documents/document.ts'
import type { DocumentText } from '#documents/document.ts'
import { isOwned } from '#documents/ownership.ts'
import { MAX_CLOCK_LEAD, refuseTooMany } from '#documents/rules.ts'
import { apiError } from '#errors.ts'
import { wireInstant } from '#instant.ts'
import type { DatabaseReader } from '#storage/database.ts'
import { slot, statement } from '#storage/statement.ts'
import { dayRuleFor } from './person.ts'
import type { Person } from './person.ts'

/** How many documents one query reads: at most 64 MB. */
const PAGE = 500

/** How many of the last entries tell which tasks were used last. */
const RECENT = 2000

/** How long a record may be, in characters of JSON without logs: some 100,000 sessions. */
const MAX_CHARACTERS = 64 * 1024 * 1024

/** Later than every instant of a document. */
const END_OF_TIME = '9'

/** A person's record at one moment. */
export interface PersonRecord {
  readonly tasks: readonly Task[]
  /** Sorted by start; those that are deleted are left out. */
  readonly entries: readonly TimeEntry[]
  readonly timer: ActiveTimer | null
}

interface Row extends DocumentText {
  readonly at: string
}

/** Reads the record of one person. What is read is parsed at once, so that its text is not kept. */
export class RecordReader {
  readonly #db: DatabaseReader
  readonly #owner: string
  /** How many characters may still be read. */
  #left: number

  /** @param maxCharacters of JSON, of all that this reader reads. */
  constructor(db: DatabaseReader, owner: string, maxCharacters: number = MAX_CHARACTERS) {
    this.#db = db
    this.#owner = owner
    this.#left = maxCharacters
  }

  /**
   * Reads the record.
   * @param since leaves out entries that ended before this instant (epoch milliseconds); null: reads all.
   * @throws ApiError stint_quota_exceeded when it has more than a program can use.
   */
  async read(since: number | null): Promise<PersonRecord> {
    const tasks = await this.tasks()
    const sessions = await this.sessions()
    const entries = since === null ? await this.entries() : await this.#endedSince(since)
    return recordOf(tasks, sessions, entries)
  }

  /** Reads all entries, deleted ones too, in any order. Throws as `read` does. */
  entries(): Promise<TimeEntry[]> {
    return this.#newest('time_entries', Infinity, entryFromDocument)
  }

  /** Reads all tasks, deleted ones too. Throws as `read` does. */
  tasks(): Promise<Task[]> {
    return this.#newest('tasks', Infinity, taskFromDocument)
  }

  /** Reads all timers, active or stopped. Throws as `read` does. */
  sessions(): Promise<TimerSession[]> {
    return this.#newest('timer_sessions', Infinity, sessionFromDocument)
  }

  /** Reads the last entries that were created, by which tasks are ordered. */
  async recentEntries(): Promise<TimeEntry[]> {
    const entries = await this.#newest('time_entries', RECENT, entryFromDocument)
    return entries.filter(isThere).toSorted(byStart)
  }

  /** Reads the entries that have one of the ids, and are not deleted, in any order. */
  async entriesWithIds(ids: readonly string[]): Promise<TimeEntry[]> {
    const entries = await this.#withIds('time_entries', ids, entryFromDocument)
    return entries.filter(isThere)
  }

  /** Returns how many characters the stored entries with one of the ids have, their logs included. */
  async charactersOf(ids: readonly string[]): Promise<number> {
    const { dialect } = this.#db
    const [row] = await this.#run<{ characters: number | string | null }>(
      sql`select sum(length(body)) as characters from time_entries
        where ${isOwned} and ${dialect.isOneOf(sql`id`, 'string', slot(1))}`,
      [dialect.listValue(ids)],
    )
    return Number(row?.characters ?? 0)
  }

  /** Reads the tasks that have one of the ids, deleted ones too, in any order. */
  tasksWithIds(ids: readonly string[]): Promise<Task[]> {
    return this.#withIds('tasks', ids, taskFromDocument)
  }

  /** Reads the newest entries that started since an instant, at most `max`. */
  async startedSince(since: number, max: number): Promise<TimeEntry[]> {
    const ids = await this.#run<{ id: string }>(
      // No entry starts later than its last change, but for the lead of its device's clock. So an index finds them.
      sql`select id from time_entries
        where ${isOwned} and updated_at >= ${slot(1)} and start_time >= ${slot(2)} and deleted_at is null
        order by start_time desc limit ${slot(3)}`,
      [wireInstant(since - MAX_CLOCK_LEAD), wireInstant(since), max],
    )
    return this.entriesWithIds(ids.map(({ id }) => id))
  }

  /**
   * Reads the entries that may have ended since an instant. None ends later than its last change, but for the lead of
   * its device's clock. So an index finds them.
   */
  async #endedSince(since: number): Promise<TimeEntry[]> {
    const entries = new Map<string, TimeEntry>()
    const page = sql<Row>`select sequence, updated_at as at, body from time_entries
      where ${isOwned} and updated_at >= ${slot(1)} and (updated_at > ${slot(1)} or sequence > ${slot(2)})
      order by updated_at, sequence limit ${slot(3)}`
    let last = { at: wireInstant(since - MAX_CLOCK_LEAD), sequence: 0 }
    for (;;) {
      const rows = await this.#run<Row>(page, [last.at, last.sequence, PAGE])
      // One that is changed meanwhile is read again.
      for (const entry of this.#parsed<'time_entries', TimeEntry>(rows, entryFromDocument)) {
        entries.set(entry.id, entry)
      }
      const end = rows.at(-1)
      if (end === undefined || rows.length < PAGE) return [...entries.values()]
      last = end
    }
  }

  /** Reads the documents that were created last, at most `max`, the newest first. */
  async #newest<C extends CollectionId, Item>(
    collection: C,
    max: number,
    itemOf: (document: DocumentOf<C>) => Item,
  ): Promise<Item[]> {
    const items: Item[] = []
    const page = sql<Row>`select sequence, created_at as at, body from ${sql.table(collection)}
      where ${isOwned} and created_at <= ${slot(1)} and (created_at < ${slot(1)} or sequence > ${slot(2)})
      order by created_at desc, sequence limit ${slot(3)}`
    let last = { at: END_OF_TIME, sequence: 0 }
    for (;;) {
      const limit = Math.min(PAGE, max - items.length)
      const rows = await this.#run<Row>(page, [last.at, last.sequence, limit])
      items.push(...this.#parsed<C, Item>(rows, itemOf))
      if (collection !== 'time_entries') refuseTooMany(items.length)
      const end = rows.at(-1)
      if (end === undefined || rows.length < PAGE || items.length >= max) return items
      last = end
    }
  }

  async #withIds<C extends CollectionId, Item>(
    collection: C,
    ids: readonly string[],
    itemOf: (document: DocumentOf<C>) => Item,
  ): Promise<Item[]> {
    const items: Item[] = []
    const { dialect } = this.#db
    const query = sql<Row>`select sequence, body from ${sql.table(collection)}
      where ${isOwned} and ${dialect.isOneOf(sql`id`, 'string', slot(1))}`
    for (let first = 0; first < ids.length; first += PAGE) {
      const rows = await this.#run<Row>(query, [dialect.listValue(ids.slice(first, first + PAGE))])
      items.push(...this.#parsed<C, Item>(rows, itemOf))
    }
    return items
  }

  /** @throws ApiError stint_quota_exceeded. */
  #parsed<C extends CollectionId, Item>(
    rows: readonly DocumentText[],
    itemOf: (document: DocumentOf<C>) => Item,
  ): Item[] {
    return rows.map((row) => {
      const { document, length } = withoutLog(parsed<C>(row), row.body.length)
      this.#left -= length
      if (this.#left < 0) throw apiError('stint_quota_exceeded.history')
      return itemOf(document)
    })
  }

  #run<Result>(query: RawBuilder<Result>, values: readonly unknown[]): Promise<Result[]> {
    const bind = statement({ compile: () => query.compile(this.#db.build) })
    return this.#db.read(bind([this.#owner, ...values]))
  }
}

/** Returns a document without its log, of which no figure is computed, and the length of its JSON without it. */
function withoutLog<C extends CollectionId>(
  document: DocumentOf<C>,
  length: number,
): { readonly document: DocumentOf<C>; readonly length: number } {
  if (!('log' in document) || document.log === null) return { document, length }
  const log = JSON.stringify(document.log)
  return { document: { ...document, log: null }, length: length - log.length }
}

/** Returns what reports are computed from, the running timer included. */
export function reportInput({ tasks, entries, timer }: PersonRecord, person: Person): ReportInput {
  const { settings, now } = person
  const live = timer && entryFromTimer(timer, now)
  const { weekStart, hourCycle } = settings
  return { entries, live, tasks, dayRule: dayRuleFor(person), weekStart, hourCycle, now }
}

/** A session that runs or is paused. */
export interface ActiveSession {
  readonly id: string
  readonly updatedAt: number
  readonly timer: ActiveTimer
}

/** Returns the session of the timer; null: there is none. The database allows one. */
export function activeSession(sessions: readonly TimerSession[]): ActiveSession | null {
  for (const { id, updatedAt, state } of sessions) {
    if (state.kind === 'active') return { id, updatedAt, timer: state.timer }
  }
  return null
}

function recordOf(
  tasks: readonly Task[],
  sessions: readonly TimerSession[],
  saved: readonly TimeEntry[],
): PersonRecord {
  const ids = new Set(saved.map(({ id }) => id))
  // A device has stopped these and has not saved them yet.
  const stopped = sessions.flatMap(({ id, state }) =>
    state.kind === 'stopped' && !ids.has(id) ? entryFromStopped(state.stopped) : [],
  )
  const active = activeSession(sessions)
  return {
    tasks,
    entries: [...saved.filter(isThere), ...stopped].toSorted(byStart),
    // It may have been saved between the two reads.
    timer: active === null || ids.has(active.id) ? null : active.timer,
  }
}

function isThere({ deletedAt }: TimeEntry): boolean {
  return deletedAt === null
}

function byStart(a: TimeEntry, b: TimeEntry): number {
  return a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)
}
