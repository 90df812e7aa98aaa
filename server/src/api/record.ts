/** Reads a person's tasks, sessions and timer, in core's terms. */
import { setTimeout as sleep } from 'node:timers/promises'
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
import { MAX_CLOCK_LEAD } from '#documents/rules.ts'
import { refuseTooMany } from '#documents/service.ts'
import type { Documents } from '#documents/service.ts'
import type { DocumentQuery } from '#documents/queries/query.ts'
import { ApiError, apiError } from '#errors.ts'
import type { Throttle } from '#http/throttle.ts'
import { wireInstant } from '#instant.ts'
import { oneAtATime } from '#one-at-a-time.ts'
import type { Person } from './person.ts'

/** How many documents one query reads: about 1 MB. */
const PAGE = 2000

/** How long a history may be, in characters of JSON: some 100,000 sessions. */
const MAX_HISTORY = 64 * 1024 * 1024

/** A person's record at one moment. */
export interface PersonRecord {
  readonly tasks: readonly Task[]
  /** Sorted by start; those that are deleted are left out. */
  readonly entries: readonly TimeEntry[]
  readonly timer: ActiveTimer | null
}

interface Page<Document> {
  readonly documents: readonly Document[]
  /** How long they are as JSON. */
  readonly characters: number
  /** Whether there may be more. */
  readonly isFull: boolean
}

export class RecordReader {
  readonly #documents: Pick<Documents, 'list'>
  readonly #maxHistory: number
  readonly #limitConcurrency: Throttle['limitConcurrency']
  /** A history of many pages takes seconds and much memory. Several at once would delay everyone. */
  readonly #oneOfPerson = oneAtATime()
  readonly #oneOfAll = oneAtATime()
  /** When the next history may be read, on the clock of `performance`: other requests get half of the time. */
  #restsUntil = 0

  /** @param maxHistory in characters of JSON. */
  constructor(
    documents: Pick<Documents, 'list'>,
    { limitConcurrency }: Pick<Throttle, 'limitConcurrency'>,
    maxHistory: number = MAX_HISTORY,
  ) {
    this.#documents = documents
    this.#maxHistory = maxHistory
    this.#limitConcurrency = limitConcurrency
  }

  /**
   * Reads the record.
   * @param since leaves out entries that ended before this instant (epoch milliseconds); null: reads all.
   * @throws ApiError stint_quota_exceeded when it has more than a program can use; general_rate_limit_exceeded.
   */
  async read(owner: string, since: number | null): Promise<PersonRecord> {
    const tasks = await this.tasks(owner)
    const sessions = await this.#all(owner, 'timer_sessions', sessionFromDocument)
    const entries =
      since === null
        ? await this.#all(owner, 'time_entries', entryFromDocument)
        : await this.#endedSince(owner, since)
    return recordOf(tasks, sessions, entries)
  }

  /** Reads all tasks, deleted ones too. */
  tasks(owner: string): Promise<Task[]> {
    return this.#all(owner, 'tasks', taskFromDocument)
  }

  /** Reads the last entries that were created, by which tasks are ordered. */
  async recentEntries(owner: string): Promise<TimeEntry[]> {
    const { documents } = await this.#newest(owner, 'time_entries', null)
    return documents.map(entryFromDocument).filter(isThere).toSorted(byStart)
  }

  /**
   * Reads the entries that may have ended since an instant. None ends later than its last change, but for the lead of
   * its device's clock. So an index finds them.
   */
  async #endedSince(owner: string, since: number): Promise<TimeEntry[]> {
    const changed = wireInstant(since - MAX_CLOCK_LEAD)
    const page = await this.#page(owner, 'time_entries', {
      shape: {
        filters: [{ kind: 'compare', attribute: '$updatedAt', comparison: '>=', value: 0 }],
        orders: [{ attribute: '$updatedAt', descending: false }],
        cursor: null,
      },
      values: [changed],
      cursorId: null,
    })
    return page.isFull
      ? this.#all(owner, 'time_entries', entryFromDocument)
      : page.documents.map(entryFromDocument)
  }

  /** Reads all documents. What has more than a page waits for its turn. */
  async #all<C extends CollectionId, Item>(
    owner: string,
    collection: C,
    itemOf: (document: DocumentOf<C>) => Item,
  ): Promise<Item[]> {
    const { documents, isFull } = await this.#newest(owner, collection, null)
    if (!isFull) return documents.map(itemOf)
    return this.#inTurn(owner, () => this.#allPages(owner, collection, itemOf))
  }

  /** Runs a long read: one of each person and one in all, and a rest as long as the read after it. */
  #inTurn<Result>(owner: string, read: () => Promise<Result>): Promise<Result> {
    const restedRead = async (): Promise<Result> => {
      const rest = Math.max(0, this.#restsUntil - performance.now())
      await sleep(rest, undefined, { ref: false })
      const begun = performance.now()
      try {
        return await read()
      } finally {
        this.#restsUntil = 2 * performance.now() - begun
      }
    }
    return this.#limitConcurrency(`history ${owner}`, () =>
      this.#oneOfPerson(owner, () => this.#oneOfAll('', restedRead)),
    )
  }

  /** Reads all documents, with a turn of the event loop between pages. */
  async #allPages<C extends CollectionId, Item>(
    owner: string,
    collection: C,
    itemOf: (document: DocumentOf<C>) => Item,
  ): Promise<Item[]> {
    const items: Item[] = []
    let characters = 0
    let page: Page<DocumentOf<C>>
    let last: string | null = null
    do {
      try {
        page = await this.#newest(owner, collection, last)
      } catch (error) {
        // The last document was deleted since.
        if (error instanceof ApiError && error.type === 'general_cursor_not_found') {
          return this.#allPages(owner, collection, itemOf)
        }
        throw error
      }
      for (const document of page.documents) items.push(itemOf(document))
      last = page.documents.at(-1)?.$id ?? null
      characters += page.characters
      if (collection !== 'time_entries') refuseTooMany(items.length)
      if (characters > this.#maxHistory) throw apiError('stint_quota_exceeded.history')
      if (page.isFull) await new Promise((resolve) => setImmediate(resolve))
    } while (page.isFull)
    return items
  }

  /** Reads a page, the newest first; the next one, when it comes `after` a document. */
  #newest<C extends CollectionId>(
    owner: string,
    collection: C,
    after: string | null,
  ): Promise<Page<DocumentOf<C>>> {
    const orders = [{ attribute: '$createdAt', descending: true }]
    const shape = { filters: [], orders, cursor: after === null ? null : ('after' as const) }
    return this.#page(owner, collection, { shape, values: [], cursorId: after })
  }

  async #page<C extends CollectionId>(
    owner: string,
    collection: C,
    query: Pick<DocumentQuery, 'shape' | 'values' | 'cursorId'>,
  ): Promise<Page<DocumentOf<C>>> {
    const whole = { ...query, limit: PAGE, offset: 0, select: null }
    const page = await this.#documents.list(owner, collection, whole, false).catch(refuseLongPage)
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checks of every write say so
      const documents = JSON.parse(`[${page.documents}]`) as DocumentOf<C>[]
      return { documents, characters: page.documents.length, isFull: documents.length === PAGE }
    } finally {
      page.release()
    }
  }
}

/** A page that is too large for a list has documents of eight kilobytes each. */
function refuseLongPage(error: unknown): never {
  const isTooLong = error instanceof ApiError && error.type === 'general_query_invalid'
  throw isTooLong ? apiError('stint_quota_exceeded.history') : error
}

/** Returns what reports are computed from, the running timer included. */
export function reportInput(
  { tasks, entries, timer }: PersonRecord,
  { settings, now, dayRule }: Person,
): ReportInput {
  const live = timer && entryFromTimer(timer, now)
  const { weekStart, hourCycle } = settings
  return { entries, live, tasks, dayRule: dayRule(), weekStart, hourCycle, now }
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
