/**
 * What programs and assistants can change. Each call is prepared first, by reading the record (`history/`); its work then
 * runs in one transaction.
 */
import { localDate } from '@stint/core/time/calendar.ts'
import {
  MAX_SEALED,
  prefsWithoutSheet,
  prefsWithSheet,
  sealedSheets,
} from '@stint/core/timesheet/sealed-sheets.ts'
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { entryAttributes } from '@stint/core/record/time-entry.ts'
import type { Static, StaticDecode } from 'typebox'
import { changePrefs } from '#accounts/service.ts'
import { ApiError, apiError } from '#errors.ts'
import type { Histories } from '#history/histories.ts'
import { overlapsOf } from '#history/reads.ts'
import { newId } from '#id.ts'
import type { OwnDocuments } from '#documents/service.ts'
import type { Services } from '#services.ts'
import { sessionAnswer, timerAnswer } from './answers.ts'
import type { ADDED, JUST_SEALED, PRESSED, STARTED, STOPPED, UNSEALED } from './answers.ts'
import type { NEW_SESSION, PRESS, SEAL, START } from './params.ts'
import { dayRuleFor, momentOf } from './person.ts'
import type { Person } from './person.ts'
import { start, stop, takeTask, turn } from './timer.ts'
import type { MarkedSession } from './seal.ts'
import { pageOfSeal, sealedSheet, sealedSheetAnswer } from './timesheet.ts'
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

/**
 * Seals the sheet of some days: marks its sessions, and keeps what it says.
 * @throws ApiError stint_sheet_refused, also when a session has changed since it was read.
 */
export async function toSeal(
  histories: Histories,
  services: Pick<Services, 'config' | 'hub' | 'now'>,
  person: Person,
  { again, ...query }: StaticDecode<typeof SEAL>,
): Promise<Work<Static<typeof JUST_SEALED>>> {
  const { owner, now } = person
  const seal = {
    isAgain: again === true,
    id: newId(now),
    today: localDate(now, dayRuleFor(person)),
  }
  const { sealed, marked } = await histories.read('seal', owner, { person, query, seal })
  return async (own) => {
    const publish = await changePrefs(services, own.tx, owner, (prefs) => {
      if (sealedSheets(prefs).length >= MAX_SEALED)
        throw apiError('stint_sheet_refused.full', { max: MAX_SEALED })
      return { ...prefs, ...prefsWithSheet(sealed) }
    })
    own.afterCommit(publish)
    await writeMarks(own, marked)
    return {
      sheet: sealedSheetAnswer(sealed),
      sessions: marked.length,
      explain: pageOfSeal(sealed, services.config.publicUrl),
    }
  }
}

/**
 * Removes the seal of a sheet, and its marks.
 * @throws ApiError stint_sheet_not_found; stint_sheet_refused when a session has changed since it was read.
 */
export async function toUnseal(
  histories: Histories,
  services: Pick<Services, 'hub' | 'now'>,
  { owner, prefs }: Person,
  id: string,
): Promise<Work<Static<typeof UNSEALED>>> {
  const sealed = sealedSheet(prefs, id)
  const marked = await histories.read('unseal', owner, id)
  return async (own) => {
    const publish = await changePrefs(services, own.tx, owner, (before) => {
      const changes = prefsWithoutSheet(sealed)
      return Object.fromEntries(Object.entries(before).filter(([name]) => !(name in changes)))
    })
    own.afterCommit(publish)
    await writeMarks(own, marked)
    return { sheet: sealedSheetAnswer(sealed), sessions: marked.length }
  }
}

async function writeMarks(own: OwnDocuments, marked: readonly MarkedSession[]): Promise<void> {
  for (const { id, updatedAt, invoiced } of marked) {
    await own.update('time_entries', id, { invoiced }, updatedAt).catch(asChanged)
  }
}

/** The marks are of the sessions as they were read, so another try with them would fail again. */
function asChanged(error: unknown): never {
  const isChanged = error instanceof ApiError && error.type === 'document_update_conflict'
  throw isChanged ? apiError('stint_sheet_refused.changed') : error
}
