/**
 * What programs and assistants can call. Each call reads the record (`history/`), and computes with core's functions what
 * the app shows. A call that writes is prepared first; its work then runs in one transaction.
 */
import type { ProposedChange } from '@stint/core/record/proposal.ts'
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { entryAttributes } from '@stint/core/record/time-entry.ts'
import type { Static, StaticDecode } from 'typebox'
import type { Histories } from '#history/histories.ts'
import { overlapsOf } from '#history/reads.ts'
import { newId } from '#id.ts'
import type { CHANGES } from '#mcp/propose.ts'
import { sessionAnswer, timerAnswer } from './answers.ts'
import type { ADDED, FOUND, NOW, PRESSED, STARTED, STOPPED, TASKS, TOTAL } from './answers.ts'
import type { FIND, NEW_SESSION, PRESS, START, SUM_UP } from './params.ts'
import { momentOf } from './person.ts'
import type { Person } from './person.ts'
import { start, stop, takeTask, turn } from './timer.ts'
import type { Work } from './writes.ts'

export class Calls {
  readonly #histories: Histories
  readonly #publicUrl: string

  /** @param publicUrl the address of the app. */
  constructor(histories: Histories, publicUrl: string) {
    this.#histories = histories
    this.#publicUrl = publicUrl
  }

  now(person: Person): Promise<Static<typeof NOW>> {
    return this.#histories.read('now', person.owner, person)
  }

  async start(person: Person, sent: Static<typeof START>): Promise<Work<Static<typeof STARTED>>> {
    const { owner, now } = person
    const {
      wanted,
      near,
      tasks: known,
    } = await this.#histories.read('start', owner, { person, sent })
    return async (own) => {
      const { timer, task, stopped } = await start(own, person, wanted)
      const work = { id: timer.sessionId, startedAt: timer.startedAt, endedAt: now }
      return {
        timer: timerAnswer(timer, task, now),
        stopped: stopped && sessionAnswer(stopped.entry, stopped.task),
        overlaps: overlapsOf(work, near, known),
      }
    }
  }

  async stop(person: Person, { at }: Static<typeof PRESS>): Promise<Work<Static<typeof STOPPED>>> {
    const moment = at ? momentOf(person, 'at', at) : null
    return async (own) => {
      const stopped = await stop(own, person, moment)
      return { session: stopped && sessionAnswer(stopped.entry, stopped.task) }
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
      const { timer, task } = await turn(own, person, press, moment)
      return { timer: timerAnswer(timer, task, person.now) }
    }
  }

  /** Adds a session that is over. */
  async add(person: Person, sent: Static<typeof NEW_SESSION>): Promise<Work<Static<typeof ADDED>>> {
    const { owner, now } = person
    const { wanted, overlaps } = await this.#histories.read('add', owner, { person, sent })
    const { task: wantedTask, ...content } = wanted
    return async (own) => {
      const task = await takeTask(own, person, wantedTask)
      const { after: entry } = newEntry({ id: newId(now), taskId: task.id, ...content }, now)
      await own.create('time_entries', entry.id, entryAttributes(entry, owner))
      return { session: sessionAnswer(entry, task), overlaps: [...overlaps] }
    }
  }

  find(person: Person, query: StaticDecode<typeof FIND>): Promise<Static<typeof FOUND>> {
    return this.#histories.read('find', person.owner, { person, query })
  }

  total(person: Person, query: Static<typeof SUM_UP>): Promise<Static<typeof TOTAL>> {
    const publicUrl = this.#publicUrl
    return this.#histories.read('total', person.owner, { person, query, publicUrl })
  }

  /** Returns the active tasks that fit a text, those worked on last first. */
  tasks(owner: string, text: string): Promise<Static<typeof TASKS>['tasks']> {
    return this.#histories.read('tasks', owner, text)
  }

  /** Returns the changes that an assistant proposes, with their tasks found and their times read. */
  changes(person: Person, changes: Static<typeof CHANGES>): Promise<ProposedChange[]> {
    return this.#histories.read('changes', person.owner, { person, changes })
  }
}
