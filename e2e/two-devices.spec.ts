import type { Page } from '@playwright/test'

import { expect, FAILED_REQUEST, startTimer, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { expectClear } from './looks.ts'

/** Two devices with different knowledge of one timer: every worked second is saved exactly once. */

const COUNT = /^Count \d+ s$/

test.beforeEach(({ expectConsole }) => expectConsole(FAILED_REQUEST))

test('a start whose reply was lost is tracked offline and creates no second timer', async ({
  page,
  user,
  openDevice,
}) => {
  await user.openWithTasks()
  const phone = await openDevice('/dashboard')
  await loseAnswerOfStart(page)
  await page.getByRole('button', { name: 'Start Write' }).click()
  await expect(page.getByText('Timer stopped: No internet connection detected')).toBeVisible()
  await expect(button(phone, 'Stop')).toBeVisible()
  await button(page, 'Track offline').click()
  await workedAtLeast(page, 3)
  const worked = await shownWhile(page, () => stop(page))
  await page.context().setOffline(false)

  await expectSeconds(user, worked)
  await expectIdle(page)
  await expectIdle(phone)
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
})

test('work after a stop on another device is a question on both, and its answer counts on both @long', async ({
  page,
  user,
  openDevice,
}) => {
  await user.openWithTasks()
  await startTimer(page, 'Write')
  const phone = await openDevice('/dashboard')
  await expect(button(phone, 'Stop')).toBeVisible()
  await page.context().setOffline(true)
  await workedAtLeast(phone, 2)
  const stopped = await shownWhile(phone, () => stop(phone))
  await workedAtLeast(page, stopped.most + 3)
  const wentOn = await shownWhile(page, () => stop(page))
  await page.context().setOffline(false)

  for (const device of [page, phone]) await expect(question(device)).toBeVisible()
  await expectSeconds(user, stopped)
  await phone.getByRole('button', { name: COUNT }).click()
  await expectSeconds(user, wentOn)
  for (const device of [page, phone]) await expect(question(device)).toHaveCount(0)
})

test('every press during a failed start is tracked offline @long', async ({ page, user }) => {
  await user.openWithTasks()
  const failed = Promise.withResolvers<void>()
  await page.route('**/timer_sessions/documents', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await failed.promise
    await route.abort('internetdisconnected')
  })
  await page.getByRole('button', { name: 'Start Write' }).click()
  await expect(page.getByText('Creating...')).toBeVisible()
  await page.getByRole('button', { name: 'Edit timer' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit timer' })
  await editor.getByLabel('Start').fill('20 minutes ago')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('timer')).toHaveText(/^2\d:/)
  const paused = await shownWhile(page, () => pause(page))
  await page.context().setOffline(true)
  failed.resolve()
  await button(page, 'Track offline').click()

  await expect(button(page, 'Resume')).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/^2\d:/)
  await page.unroute('**/timer_sessions/documents')
  await stop(page)
  await page.context().setOffline(false)
  await expectSeconds(user, paused)
})

test('three questions leave the timer where it is @long', async ({ page, user }) => {
  await user.openWithTasks(['Alpha', 'Beta', 'Gamma', 'Delta'])
  await page.context().setOffline(true)
  for (const task of ['Alpha', 'Beta', 'Gamma']) {
    const begun = Date.now()
    await page.getByRole('button', { name: `Start ${task}` }).click()
    await expect(page.getByText('Timer stopped: No internet connection detected')).toBeVisible()
    await expect.poll(() => Date.now() - begun, { intervals: [500] }).toBeGreaterThan(2000)
  }
  await page.context().setOffline(false)
  await startTimer(page, 'Delta')

  await expect(question(page)).toHaveCount(3)
  await expectClear(page, 'three-questions')
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.evaluate(() => scrollTo(0, 0))
    await expect(button(page, 'Stop')).toBeInViewport({ ratio: 1 })
    await expect(question(page).first()).toBeInViewport({ ratio: 1 })
  }
})

function question(page: Page) {
  return page.getByRole('heading', { name: /^Did you work for \d+ s\?$/ })
}

function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true })
}

async function stop(page: Page): Promise<void> {
  await button(page, 'Stop').click()
  await expect(button(page, 'Stop')).toHaveCount(0)
}

async function expectIdle(page: Page): Promise<void> {
  await expect(page.getByText('Select a task below to start timing')).toBeVisible()
}

async function pause(page: Page): Promise<void> {
  await button(page, 'Pause').click()
  await expect(button(page, 'Resume')).toBeVisible()
}

/** Waits until the timer shows so many seconds. */
async function workedAtLeast(page: Page, seconds: number): Promise<void> {
  await expect.poll(() => shownOn(page)).toBeGreaterThanOrEqual(seconds)
}

/** Returns the seconds on the timer. */
async function shownOn(page: Page): Promise<number> {
  const text = (await page.getByRole('timer').textContent()) ?? ''
  const [minutes = '0', seconds = '0'] = text.split(':')
  return Number(minutes) * 60 + Number(seconds)
}

/** How many seconds an entry may have. */
interface Span {
  readonly least: number
  readonly most: number
}

/** Presses, and returns what the timer of `page` may have shown at that moment. */
async function shownWhile(page: Page, press: () => Promise<void>): Promise<Span> {
  const shown = await shownOn(page)
  const begun = Date.now()
  await press()
  return { least: shown - 1, most: shown + secondsSince(begun) }
}

/** Returns the seconds since then, and some for clocks that are not read at the same moment. */
function secondsSince(begun: number): number {
  return Math.ceil((Date.now() - begun) / 1000) + 2
}

async function entriesOf(user: Person) {
  const entries = await user.stored('time_entries')
  return entries.filter((entry) => entry['deletedAt'] === null)
}

/** Expects one entry with so many seconds. */
async function expectSeconds(user: Person, { least, most }: Span): Promise<void> {
  await expect
    .poll(async () => {
      const entries = await entriesOf(user)
      const [seconds = -1] = entries.map((entry) => Number(entry['durationSeconds']))
      return entries.length === 1 && seconds >= least && seconds <= most
        ? 'as worked'
        : entries.map((entry) => entry['durationSeconds'])
    })
    .toBe('as worked')
}

/** The session is created, and the browser loses the network before the reply. */
async function loseAnswerOfStart(page: Page): Promise<void> {
  await page.route('**/timer_sessions/documents', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    await page.context().setOffline(true)
    await route.abort('internetdisconnected')
    await page.unroute('**/timer_sessions/documents')
  })
}
