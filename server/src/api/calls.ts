/**
 * What programs and assistants can call. Each call reads the record, and computes with core's functions what the app
 * shows. A call that writes is prepared first; its work then runs in one transaction.
 */
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { overlapping } from '@stint/core/record/overlaps.ts'
import type { Task } from '@stint/core/record/task.ts'
import { entryAttributes } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { dashboard } from '@stint/core/reports/dashboard.ts'
import { intervalOfDates, startOfDay } from '@stint/core/time/calendar.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import type { Static, StaticDecode } from 'typebox'
import type { Documents } from '#documents/service.ts'
import type { Throttle } from '#http/throttle.ts'
import { newId } from '#id.ts'
import { sessionAnswer, taskFinder, timerAnswer } from './answers.ts'
import type { ADDED, FOUND, NOW, PRESSED, STARTED, STOPPED, TOTAL } from './answers.ts'
import { sessionWanted, startWanted, tasksByUse } from './names.ts'
import { DEFAULT_LIMIT } from './params.ts'
import type { FIND, NEW_SESSION, PRESS, START, SUM_UP } from './params.ts'
import { momentOf } from './person.ts'
import type { Person } from './person.ts'
import { RecordReader, reportInput } from './record.ts'
import { datesOf, earliestOf, filterOf, foundAnswer, totalAnswer } from './reports.ts'
import { start, stop, takeTask, turn } from './timer.ts'
import type { Work } from './writes.ts'

/** How many overlapping sessions an answer names, the last ones. Answers are kept for calls that are repeated. */
const MAX_OVERLAPS = 100

export class Calls {
  readonly #reader: RecordReader
  readonly #publicUrl: string

  /** @param publicUrl the address of the app. */
  constructor(documents: Documents, throttle: Throttle, publicUrl: string) {
    this.#reader = new RecordReader(documents, throttle)
    this.#publicUrl = publicUrl
  }

  async now(person: Person): Promise<Static<typeof NOW>> {
    const { owner, now } = person
    const rule = person.dayRule()
    const record = await this.#reader.read(owner, startOfDay(now, rule))
    const { timer, tasks } = record
    return {
      now: instantToWire(now),
      timeZone: rule.timeZone,
      timer: timer && timerAnswer(timer, taskFinder(tasks)(timer.taskId), now),
      todaySeconds: dashboard(reportInput(record, person)).todaySeconds,
    }
  }

  async start(person: Person, wanted: Static<typeof START>): Promise<Work<Static<typeof STARTED>>> {
    const { owner, now } = person
    const recent = await this.#reader.recentEntries(owner)
    const read = startWanted(wanted, person, await this.#tasksByLastUse(owner, recent))
    return async (own) => {
      const { timer, tasks, stopped } = await start(own, person, read)
      const taskOf = taskFinder(tasks)
      const { sessionId: id, taskId, startedAt } = timer
      const { after: work } = newEntry({ id, taskId, startedAt, endedAt: now }, now)
      return {
        timer: timerAnswer(timer, taskOf(taskId), now),
        stopped: stopped && sessionAnswer(stopped, taskOf(stopped.taskId)),
        overlaps: overlapsOf(work, recent, tasks),
      }
    }
  }

  async stop(person: Person, { at }: Static<typeof PRESS>): Promise<Work<Static<typeof STOPPED>>> {
    const moment = at ? momentOf(person, 'at', at) : null
    return async (own) => {
      const { entry, tasks } = await stop(own, person, moment)
      return { session: entry && sessionAnswer(entry, taskFinder(tasks)(entry.taskId)) }
    }
  }

  /** Pauses or resumes the timer. */
  async turn(
    person: Person,
    press: 'pause' | 'resume' | 'toggle',
    { at }: Static<typeof PRESS>,
  ): Promise<Work<Static<typeof PRESSED>>> {
    const moment = at ? momentOf(person, 'at', at) : null
    return async (own) => {
      const { timer, tasks } = await turn(own, person, press, moment)
      return { timer: timerAnswer(timer, taskFinder(tasks)(timer.taskId), person.now) }
    }
  }

  /** Adds a session that is over. */
  async add(person: Person, sent: Static<typeof NEW_SESSION>): Promise<Work<Static<typeof ADDED>>> {
    const { owner, now } = person
    const recent = await this.#reader.recentEntries(owner)
    const wanted = sessionWanted(sent, person, await this.#tasksByLastUse(owner, recent))
    const { startedAt, endedAt, note } = wanted
    const near = await this.#reader.read(owner, startedAt)
    return async (own) => {
      const { task, tasks: all } = await takeTask(own, person, wanted.task)
      const times = { startedAt, endedAt, note }
      const { after: entry } = newEntry({ id: newId(now), taskId: task.id, ...times }, now)
      await own.create('time_entries', entry.id, entryAttributes(entry, owner))
      return {
        session: sessionAnswer(entry, task),
        overlaps: overlapsOf(entry, near.entries, all),
      }
    }
  }

  async find(person: Person, query: StaticDecode<typeof FIND>): Promise<Static<typeof FOUND>> {
    const filter = filterOf(query.filter ?? '', person)
    const record = await this.#reader.read(person.owner, earliestOf(filter))
    const page = { limit: query.limit ?? DEFAULT_LIMIT, cursor: query.cursor ?? null }
    return foundAnswer(reportInput(record, person), filter, page)
  }

  async total(person: Person, query: Static<typeof SUM_UP>): Promise<Static<typeof TOTAL>> {
    const { period, from, to, filter: text = '', by } = query
    const named = { period: period ?? null, from: from ?? null, to: to ?? null }
    const dates = datesOf(named, person)
    const filter = { text, filter: filterOf(text, person) }
    const since = dates && intervalOfDates(dates, person.dayRule()).start
    const record = await this.#reader.read(person.owner, since)
    return totalAnswer(reportInput(record, person), dates, filter, by ?? null, this.#publicUrl)
  }

  /** Returns the active tasks, those worked on last first, and all sessions, by id. */
  async history(person: Person): Promise<{
    readonly tasks: readonly Task[]
    readonly entries: ReadonlyMap<string, TimeEntry>
  }> {
    const { tasks, entries } = await this.#reader.read(person.owner, null)
    return {
      tasks: tasksByUse(tasks, entries),
      entries: new Map(entries.map((entry) => [entry.id, entry])),
    }
  }

  /** Returns the active tasks, those worked on last first. */
  async tasks(owner: string): Promise<Task[]> {
    return this.#tasksByLastUse(owner, await this.#reader.recentEntries(owner))
  }

  async #tasksByLastUse(owner: string, recent: readonly TimeEntry[]): Promise<Task[]> {
    return tasksByUse(await this.#reader.tasks(owner), recent)
  }
}

function overlapsOf(work: TimeEntry, entries: readonly TimeEntry[], tasks: readonly Task[]) {
  const taskOf = taskFinder(tasks)
  const found = overlapping(work, entries).slice(-MAX_OVERLAPS)
  return found.map((entry) => sessionAnswer(entry, taskOf(entry.taskId)))
}
