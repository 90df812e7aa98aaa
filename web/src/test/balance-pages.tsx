/** The page of the hours account over a clerk's books of random years, as it is on screen. */
import type { Draft } from '@stint/core/device/draft.ts'
import {
  clerksDays,
  inputOf,
  isPeriodStart,
  momentOf,
  prefsOf,
  someYears,
} from '@stint/core/test/balance-clerk.ts'
import type { ClerksDay, Year } from '@stint/core/test/balance-clerk.ts'
import { fireEvent, render } from '@testing-library/react'
import { expect } from 'vitest'

import { SettingsProvider } from '#features/settings/settings-provider.tsx'
import { createStore } from '#record/create-store.ts'
import { openRecord } from '#record/record.ts'
import type { LocalRecord } from '#record/record.ts'
import { Component as BalancePage } from '../routes/balance.tsx'
import { SessionContext } from '#session/current-session.ts'
import type { SessionState } from '#session/session-state.ts'
import type { Session } from '#session/session.ts'
import { createStatus } from '#sync/status.ts'
import { Router } from '#ui/navigation.tsx'

/** `SEED=7` repeats a run. */
const SEED = Number(process.env['SEED'] ?? Date.now())

const DAY = 86_400_000

/**
 * Expects that the page shows the balance of so many years as the clerk has it: now to the second, and at the end of
 * each week, pay period, month and year to the minute. Returns how many rows there were.
 */
export async function rowsShownAsInTheBooks(count: number): Promise<number> {
  let now = 0
  const record = await openRecord(`balance ${SEED}`, { clock: { now: () => now }, device: 'test' })
  const session = sessionOf(record)
  let rows = 0
  for (const [index, year] of someYears(count, SEED).entries()) {
    now = momentOf(year)
    await record.write((draft) => putYear(draft, year))
    const page = render(
      <Router>
        <SessionContext value={session}>
          <SettingsProvider>
            <BalancePage />
          </SettingsProvider>
        </SessionContext>
      </Router>,
    )
    const [shown, books] = [shownOn(page.container), booksOf(year)]
    expect([`seed ${SEED}, year ${index}`, shown]).toEqual([`seed ${SEED}, year ${index}`, books])
    page.unmount()
    rows += Object.values(books?.tables ?? {}).flat().length
  }
  record.close()
  return rows
}

/** Puts a year in the place of what the record has. Its timer is a saved session, which counts the same. */
function putYear(draft: Draft, year: Year): void {
  const { entries, live, tasks } = inputOf(year)
  for (const { id } of draft.entries.all()) draft.entries.remove(id)
  for (const [index, entry] of [...entries, ...(live ? [live] : [])].entries()) {
    if (entry.startedAt < entry.endedAt) draft.entries.put({ ...entry, id: `e${index}` })
  }
  for (const task of tasks) draft.tasks.put(task)
  for (const key of ['pull:tasks', 'pull:time_entries'] as const) {
    draft.putValue({ key, complete: true, since: '' })
  }
  const prefs = { timeZone: year.zone, dayStartHour: year.startHour, ...prefsOf(year) }
  draft.putValue({ key: 'settings', prefs, saves: 0 })
}

/** What is on the page, or in the books. */
interface Shown {
  /** The balance now, to the second: '+1h 5m 12s'. */
  readonly now: string
  /** The balances by the name of their table, the latest first, to the minute. */
  readonly tables: Readonly<Record<string, readonly string[]>>
}

/** Returns what the page shows; null: that the account has not begun. */
function shownOn(page: HTMLElement): Shown | null {
  const buttons = () => [...page.querySelectorAll('button')]
  const table = page.querySelector('table')
  if (!table) {
    expect(page.textContent).toContain('The balance counts from ')
    return null
  }
  const tables = buttons().filter(
    (button) => button.closest('fieldset')?.getAttribute('aria-label') === TABLES,
  )
  return {
    now: buttons().find(({ title }) => title !== '')?.title ?? '',
    tables: Object.fromEntries(
      tables.map((button) => {
        fireEvent.click(button)
        const all = buttons().find(({ textContent }) => /^Show all \d+$/.test(textContent))
        if (all) fireEvent.click(all)
        const balances = [...table.tBodies].flatMap(({ rows }) =>
          [...rows].map(({ cells }) => cells[1]?.textContent ?? ''),
        )
        return [button.textContent, balances]
      }),
    ),
  }
}

const TABLES = 'Weeks, months and years'

/** Returns what the clerk has in the books; null: nothing yet. */
function booksOf(year: Year): Shown | null {
  const days = clerksDays(year)
  const last = days.at(-1)
  if (!last) return null
  // Weeks begin on Sunday, which 4 January 1970 was.
  const ends = (isStart: (next: ClerksDay) => boolean) =>
    days
      .filter((_, index) => {
        const next = days[index + 1]
        return !next || isStart(next)
      })
      .map(({ balance }) => withSign(balance, minutesText))
      .toReversed()
  return {
    now: withSign(last.balance, secondsText),
    tables: {
      Weeks: ends((next) => (dayOf(next) - 3) % 7 === 0),
      ...(year.periods.length > 0
        ? { 'Pay periods': ends((next) => isPeriodStart(year, dayOf(next))) }
        : {}),
      Months: ends(({ date }) => date.endsWith('-01')),
      Years: ends(({ date }) => date.endsWith('-01-01')),
    },
  }
}

function dayOf({ date }: ClerksDay): number {
  return Date.parse(date) / DAY
}

/** Writes a duration with its sign, unless it reads as none. */
function withSign(seconds: number, write: (seconds: number) => string): string {
  const text = write(Math.abs(seconds))
  return text === write(0) ? text : `${seconds < 0 ? '−' : '+'}${text}`
}

function minutesText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}h ${minutes}m` : `${minutes}m`
}

/** Writes '1h 0m 12s' or '40s'; whole minutes have no seconds. */
function secondsText(seconds: number): string {
  const rest = seconds % 60
  if (seconds > 0 && rest === 0) return minutesText(seconds)
  return seconds < 60 ? `${rest}s` : `${minutesText(seconds)} ${rest}s`
}

/** Returns a session of somebody who is signed in, without a server. */
function sessionOf(record: LocalRecord): Session {
  const sync = { status: createStatus(), flush: done, refresh: done, retry: done, close: done }
  const user = { id: 'ann', name: 'Ann', email: 'ann@example.com' }
  return {
    state: createStore<SessionState>({ status: 'signed-in', user, record, sync }),
    start: done,
    tryOut: never,
    leaveGuest: never,
    hasGuest: async () => false,
    guestOffer: never,
    signIn: never,
    signInWithPasskey: never,
    signUpWithPasskey: never,
    signInByProxy: never,
    beginProviderSignIn: never,
    signUp: never,
    signOut: never,
    account: never,
    changeUser: never,
    forgetUser: never,
    requestRecovery: never,
    resetPassword: never,
    verifyEmail: never,
    serverInfo: async () => null,
    ownServer: true,
    resetStorage: never,
    close: () => undefined,
  }
}

async function done(): Promise<void> {
  // Nothing is sent.
}

async function never(): Promise<never> {
  throw new Error('There is no server')
}
