/**
 * What programs and assistants can change. Each call is prepared first, by reading the record (`history/`); its work then
 * runs in one transaction.
 */
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { entryAttributes } from '@stint/core/record/time-entry.ts'
import type { Static } from 'typebox'
import type { Histories } from '#history/histories.ts'
import { overlapsOf } from '#history/reads.ts'
import { newId } from '#id.ts'
import { sessionAnswer, timerAnswer } from './answers.ts'
import type { ADDED, PRESSED, STARTED, STOPPED } from './answers.ts'
import type { NEW_SESSION, PRESS, START } from './params.ts'
import { momentOf } from './person.ts'
import type { Person } from './person.ts'
import { start, stop, takeTask, turn } from './timer.ts'
import type { Work } from './writes.ts'

/** Starts the timer. */
export async function toStart(
  histories: Histories,
  person: Person,
  sent: Static<typeof START>,
): Promise<Work<Static<typeof STARTED>>> {
  const { owner, now } = person
  const { wanted, near, tasks: known } = await histories.read('start', owner, { person, sent })
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

/** Stops the timer. */
export function toStop(person: Person, { at }: Static<typeof PRESS>): Work<Static<typeof STOPPED>> {
  const moment = at ? momentOf(person, 'at', at) : null
  return async (own) => {
    const stopped = await stop(own, person, moment)
    return { session: stopped && sessionAnswer(stopped.entry, stopped.task) }
  }
}

/** Pauses or resumes the timer. */
export function toTurn(
  person: Person,
  press: 'pause' | 'resume' | 'toggle',
  { at }: Static<typeof PRESS>,
): Work<Static<typeof PRESSED>> {
  const moment = at ? momentOf(person, 'at', at) : null
  return async (own) => {
    const { timer, task } = await turn(own, person, press, moment)
    return { timer: timerAnswer(timer, task, person.now) }
  }
}

/** Adds a session that is over. */
export async function toAdd(
  histories: Histories,
  person: Person,
  sent: Static<typeof NEW_SESSION>,
): Promise<Work<Static<typeof ADDED>>> {
  const { owner, now } = person
  const { wanted, overlaps } = await histories.read('add', owner, { person, sent })
  const { task: wantedTask, ...content } = wanted
  return async (own) => {
    const task = await takeTask(own, person, wantedTask)
    const { after: entry } = newEntry({ id: newId(now), taskId: task.id, ...content }, now)
    await own.create('time_entries', entry.id, entryAttributes(entry, owner))
    return { session: sessionAnswer(entry, task), overlaps: [...overlaps] }
  }
}
