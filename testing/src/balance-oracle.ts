/** Compares what programs are told of hours accounts with a clerk's books of random years. */
import { expect } from 'vitest'
import {
  clerksDays,
  inputOf,
  isPeriodStart,
  momentOf,
  prefsOf,
  someYears,
} from '@stint/core/test/balance-clerk.ts'
import type { Year } from '@stint/core/test/balance-clerk.ts'
import { entryAttributes } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { Program, TestApp, TestUser } from './test-app.ts'

const DOCUMENTS = '/stint/collections/time_entries/documents'
/** `SEED=7` repeats a run. */
const SEED = Number(process.env['SEED'] ?? Date.now())

/**
 * Expects that the API and the file have each day of so many years as the clerk has it, to the second. Returns how many
 * days there were.
 */
export async function daysToldAsInTheBooks(server: TestApp, count: number): Promise<number> {
  let days = 0
  // In the order of their moments, as the clock of a server does not go back.
  for (const [index, year] of someYears(count, SEED).entries()) {
    const which = `seed ${SEED}, year ${index}`
    const program = await signedInFor(server, year, `Ann ${index}`)
    const clerk = clerksDays(year)
    days += clerk.length
    expect([which, await toldDays(program)]).toEqual([which, clerk])
    expect([which, await daysOfFile(program)]).toEqual([which, clerk])
    const { periods } = (await program('GET', '/balance?by=period')).body
    const ends = clerk.filter((_, day) => {
      const next = clerk[day + 1]
      return !next || isPeriodStart(year, Date.parse(next.date) / 86_400_000)
    })
    expect(periods.map(({ after }: { after: number }) => after).toReversed()).toEqual(
      ends.map(({ balance }) => balance),
    )
  }
  return days
}

/** Signs somebody in with the account and the sessions of the year, at its moment. */
async function signedInFor(server: TestApp, year: Year, name: string): Promise<Program> {
  server.clock.set(momentOf(year))
  const ann = await server.signedInUser(name)
  const prefs = { timeZone: year.zone, dayStartHour: year.startHour, ...prefsOf(year) }
  expect(await ann.call('PATCH', '/account/prefs', { prefs })).toMatchObject({ status: 200 })
  const { entries, live } = inputOf(year)
  const sessions = [...entries, ...(live ? [live] : [])]
    .filter(({ startedAt, endedAt }) => startedAt < endedAt)
    .map((entry, index) => ({ ...entry, id: `e${index}` }))
  // Each was a minute long, and was then edited.
  const minute = { durationSeconds: 60, deletedAt: null, note: null }
  await put(
    ann,
    sessions.map((entry) => ({ ...entry, ...minute, endedAt: entry.startedAt + 60_000 })),
  )
  await put(ann, sessions)
  return server.program(ann)
}

async function put(ann: TestUser, entries: readonly TimeEntry[]): Promise<void> {
  if (entries.length === 0) return
  const documents = entries.map((entry) => ({
    documentId: entry.id,
    data: entryAttributes(entry, ann.id),
  }))
  const { status, body } = await ann.call('PUT', DOCUMENTS, { documents })
  expect([status, body.message]).toEqual([200, undefined])
}

async function toldDays(program: Program): Promise<unknown[]> {
  const { body } = await program('GET', '/balance?by=day')
  const days: Record<string, number>[] = body.periods.toReversed()
  return days.map(({ from, owed = 0, holidays = 0, daysOff = 0, worked, after }) => {
    return { date: from, owed: 0 - owed, free: holidays + daysOff, worked, balance: after }
  })
}

async function daysOfFile(program: Program): Promise<unknown[]> {
  const { body } = await program('GET', '/balance.csv?duration=seconds')
  const [, ...rows]: string[] = body.trimEnd().split('\r\n')
  return rows.map((row) => {
    const [date, ...cells] = row.split(',')
    const [, , worked, owed = 0, holidays = 0, daysOff = 0, , , , balance] = cells.map(Number)
    return { date, owed: 0 - owed, free: holidays + daysOff, worked, balance }
  })
}
