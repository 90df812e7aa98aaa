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
import { MAX_CLOCK_LEAD } from '#documents/rules.ts'
import type { Documents } from '#documents/service.ts'
import type { DocumentQuery } from '#documents/queries/query.ts'
import { ApiError } from '#errors.ts'
import { wireInstant } from '#instant.ts'
import { oneAtATime } from '#one-at-a-time.ts'
import type { Person } from './person.ts'

/** How many documents one query reads: about 1 MB. */
const PAGE = 2000

/** A person's record at one moment. */
export interface PersonRecord {
  readonly tasks: readonly Task[]
  /** Sorted by start; those that are deleted are left out. */
  readonly entries: readonly TimeEntry[]
  readonly timer: ActiveTimer | null
}

export class RecordReader {
  readonly #documents: Documents
  /** A whole history takes long, and several of one person at once would delay everyone. */
  readonly #oneHistoryAtATime = oneAtATime()

  constructor(documents: Documents) {
    this.#documents = documents
  }

  /**
   * Reads the record.
   * @param since leaves out entries that ended before this instant (epoch milliseconds); null: reads all.
   */
  async read(owner: string, since: number | null): Promise<PersonRecord> {
    const tasks = await this.tasks(owner)
    const sessions = await this.#all(owner, 'timer_sessions')
    const entries =
      since === null ? await this.#history(owner) : await this.#endedSince(owner, since)
    return recordOf(tasks, sessions.map(sessionFromDocument), entries)
  }

  /** Reads all tasks, deleted ones too. */
  async tasks(owner: string): Promise<Task[]> {
    return (await this.#all(owner, 'tasks')).map(taskFromDocument)
  }

  /** Reads the last entries that were created, by which tasks are ordered. */
  async recentEntries(owner: string): Promise<TimeEntry[]> {
    const documents = await this.#newest(owner, 'time_entries', null)
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
    return page.length < PAGE ? page.map(entryFromDocument) : this.#history(owner)
  }

  #history(owner: string): Promise<TimeEntry[]> {
    return this.#oneHistoryAtATime(owner, async () =>
      (await this.#all(owner, 'time_entries')).map(entryFromDocument),
    )
  }

  /** Reads all documents, with a turn of the event loop between pages. */
  async #all<C extends CollectionId>(owner: string, collection: C): Promise<DocumentOf<C>[]> {
    const all: DocumentOf<C>[] = []
    let page: DocumentOf<C>[]
    do {
      const last = all.at(-1)?.$id ?? null
      try {
        page = await this.#newest(owner, collection, last)
      } catch (error) {
        // The last document was deleted since.
        if (error instanceof ApiError && error.type === 'general_cursor_not_found') {
          return this.#all(owner, collection)
        }
        throw error
      }
      all.push(...page)
      if (page.length === PAGE) await new Promise((resolve) => setImmediate(resolve))
    } while (page.length === PAGE)
    return all
  }

  /** Reads a page, the newest first; the next one, when it comes `after` a document. */
  #newest<C extends CollectionId>(
    owner: string,
    collection: C,
    after: string | null,
  ): Promise<DocumentOf<C>[]> {
    const orders = [{ attribute: '$createdAt', descending: true }]
    const shape = { filters: [], orders, cursor: after === null ? null : ('after' as const) }
    return this.#page(owner, collection, { shape, values: [], cursorId: after })
  }

  async #page<C extends CollectionId>(
    owner: string,
    collection: C,
    query: Pick<DocumentQuery, 'shape' | 'values' | 'cursorId'>,
  ): Promise<DocumentOf<C>[]> {
    const whole = { ...query, limit: PAGE, offset: 0, select: null }
    const page = await this.#documents.list(owner, collection, whole, false)
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checks of every write say so
      return JSON.parse(`[${page.documents}]`) as DocumentOf<C>[]
    } finally {
      page.release()
    }
  }
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
