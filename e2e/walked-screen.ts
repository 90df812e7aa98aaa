/** What a person reads on the screens of the seeded walk, and in which words times are typed. */
import type { Locator } from '@playwright/test'
import { MAX_WAIT } from '@stint/testing/waits.ts'

import { iso } from './history.ts'
import type { Part } from './saved-sessions.ts'
import type { Screen, WalkedDevice } from './walked-device.ts'
import { unfold } from './task-page.ts'

export async function shows(what: Locator): Promise<boolean> {
  return what.waitFor({ timeout: MAX_WAIT }).then(
    () => true,
    () => false,
  )
}

/** Null: it is not there any more. */
export async function textOf(what: Locator): Promise<string | null> {
  return (await what.allTextContents())[0] ?? null
}

export async function isGone(what: Locator): Promise<boolean> {
  return what.waitFor({ state: 'hidden', timeout: MAX_WAIT }).then(
    () => true,
    () => false,
  )
}

/** The number of cards that ask whether time counts. */
export function cardsOn({ buttons }: Screen): number {
  return buttons.filter((name) => /^Count \d/.test(name)).length
}

/** The Undo of a stop. There is none of a stop within the first second. */
export function undoStopButton({ page }: WalkedDevice): Locator {
  const messages = page.getByRole('status', { name: 'Messages' })
  const stopped = messages.locator('div').filter({ hasText: /^(Stopped after|Your first)/ })
  return stopped.getByRole('button', { name: 'Undo' }).last()
}

/** The Undo of one change, not that of several deletions: 'Session deleted (2)'. */
export function undoButton({ page }: WalkedDevice): Locator {
  const messages = page.getByRole('status', { name: 'Messages' }).locator('div')
  const one = messages.filter({ hasNotText: /\(\d+\)/ })
  return one.getByRole('button', { name: 'Undo' }).last()
}

export function rowsOn({ page }: WalkedDevice): Locator {
  return page.getByRole('region', { name: 'Recent Sessions' }).getByRole('listitem')
}

/** The total of each task in seconds, as Quick Start tells it to whoever points at it. */
export async function totalsOn({ page }: WalkedDevice): Promise<Map<string, number>> {
  const rows = page.getByRole('region', { name: 'Quick Start' }).getByRole('listitem')
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => {
      const name = row.querySelector('button')?.getAttribute('aria-label') ?? ''
      const total = [...row.querySelectorAll('[title]')].at(-1)?.getAttribute('title') ?? ''
      return [name.replace(/^\w+ /, ''), total] as const
    }),
  )
  return new Map(texts.map(([name, total]) => [name, secondsIn(total)]))
}

/** '1h 5m 12s' or '1h 5m' in seconds; not a number for any other text. */
function secondsIn(text: string): number {
  const match = /^(?=\d)(?:(\d+)h ?)?(?:(\d+)m ?)?(?:(\d+)s)?$/.exec(text)
  if (match === null) return Number.NaN
  const [, hours = '0', minutes = '0', seconds = '0'] = match
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/** The session that the editor shows. */
export async function readEditor(editor: Locator): Promise<Part> {
  await unfold(editor)
  const shown = await editor.getByLabel('Date').inputValue()
  const date = new Date(`${shown} UTC`).toISOString().slice(0, 10)
  const start = Date.parse(iso(`${date} ${await editor.getByLabel('Start').inputValue()}`))
  const end = instantOf(start, await editor.getByLabel('End').inputValue())
  return { start, end, note: await editor.getByLabel('Note').inputValue() }
}

const ZONE = 'America/New_York'

/** The instant at which a clock shows this on the day of `start`. */
export function instantOf(start: number, clock: string): number {
  return Date.parse(iso(`${dateOf(start)} ${clock}`))
}

export function dateOf(instant: number): string {
  const time = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(ZONE)
  return time.toPlainDate().toString()
}

export function isoOf(instant: number): string {
  return new Date(instant).toISOString()
}

export function clockOf(instant: number): string {
  const time = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(ZONE)
  return time.toPlainTime().toString({ smallestUnit: 'minute' })
}
