import type { Page } from '@playwright/test'

import { createDocument, listDocuments } from './backend.ts'
import {
  expect,
  FAILED_REQUEST,
  offlineReady,
  openWithTasks,
  signIn,
  startTimer,
  test,
} from './fixtures.ts'
import type { RunningServer } from './server.ts'

/** Two devices with different knowledge of one timer: every worked second is saved exactly once. */

const HOUR = 3_600_000

test.beforeEach(({ expectConsole }) => expectConsole(FAILED_REQUEST))

test('a start whose reply was lost is tracked offline and creates no second timer', async ({
  page,
  server,
  user,
  openDevice,
}) => {
  await openWithTasks(page, server, user)
  const phone = await openDevice('/dashboard')
  await loseAnswerOfStart(page)
  await page.getByRole('button', { name: 'Start Write' }).click()
  await expect(page.getByText('Timer stopped: No internet connection detected')).toBeVisible()
  await expect(button(phone, 'Stop')).toBeVisible()
  await button(page, 'Track offline').click()
  await workedAtLeast(page, 3)
  await stop(page)
  await page.context().setOffline(false)

  await expectSeconds(page, server, 3, 12)
  await expectIdle(page)
  await expectIdle(phone)
  await expect.poll(() => listDocuments(page.request, server.url, 'timer_sessions')).toEqual([])
})

test('a stop counts the work on another device since a resume that this device had not received', async ({
  page,
  server,
  user,
  openDevice,
}) => {
  await openWithTasks(page, server, user)
  await startTimer(page, 'Write')
  await workedAtLeast(page, 2)
  await button(page, 'Pause').click()
  const phone = await openDevice('/dashboard')
  await expect(button(phone, 'Resume')).toBeVisible()
  await page.context().setOffline(true)
  await button(phone, 'Resume').click()
  await workedAtLeast(phone, 7)
  await stop(page)
  await page.context().setOffline(false)

  await expectSeconds(page, server, 7, 14)
  await expectIdle(phone)
})

test('work after a stop on another device is offered for saving and kept in its session', async ({
  page,
  server,
  user,
  openDevice,
}) => {
  await openWithTasks(page, server, user)
  await startTimer(page, 'Write')
  const phone = await openDevice('/dashboard')
  await expect(button(phone, 'Stop')).toBeVisible()
  await page.context().setOffline(true)
  await workedAtLeast(phone, 2)
  await stop(phone)
  await workedAtLeast(page, 8)
  await stop(page)
  await page.context().setOffline(false)

  await expect(
    page.getByRole('heading', { name: /^You went on until .* Keep \d+ s\?$/ }),
  ).toBeVisible()
  await expectSeconds(page, server, 2, 6)
  await page.getByRole('button', { name: /^Keep \d+ s$/ }).click()
  await expectSeconds(page, server, 8, 14)
  await expect(page.getByRole('heading', { name: /^You continued/ })).toHaveCount(0)
})

test('work is offered for saving when another device has deleted its task meanwhile', async ({
  page,
  server,
  user,
  openDevice,
}) => {
  await openWithTasks(page, server, user)
  await startTimer(page, 'Write')
  const phone = await openDevice('/tasks')
  await expect(phone.getByText('Write').first()).toBeVisible()
  await page.context().setOffline(true)
  await workedAtLeast(page, 2)
  await phone.getByRole('button', { name: /^Delete task/ }).click()
  await expect(phone.getByText('No tasks yet')).toBeVisible()
  await workedAtLeast(page, 8)
  await stop(page)
  await page.context().setOffline(false)

  await page.getByRole('button', { name: /^Keep \d+ s$/ }).click()
  await expectSeconds(page, server, 8, 16)
})

test('a start that was moved on one device counts when the other stops offline', async ({
  page,
  server,
  user,
  openDevice,
}) => {
  await openWithTasks(page, server, user)
  await startTimer(page, 'Write')
  const phone = await openDevice('/dashboard')
  await expect(button(phone, 'Stop')).toBeVisible()
  await page.context().setOffline(true)
  await phone.getByRole('button', { name: 'Edit start' }).click()
  const editor = phone.getByRole('dialog', { name: 'Edit timer' })
  await editor.getByLabel('Start').fill('30 minutes ago')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(phone.getByRole('timer')).toHaveText(/^30:/)
  await stop(page)
  await page.context().setOffline(false)

  await expectSeconds(page, server, 1800, 1815)
})

test('a pause counts when the other device stops without having received it', async ({
  page,
  server,
  user,
  openDevice,
}) => {
  await openWithTasks(page, server, user)
  await startTimer(page, 'Write')
  const phone = await openDevice('/dashboard')
  await workedAtLeast(phone, 2)
  await page.context().setOffline(true)
  await button(phone, 'Pause').click()
  await expect(button(phone, 'Resume')).toBeVisible()
  await workedAtLeast(page, 10)
  await stop(page)
  await page.context().setOffline(false)

  await expectSeconds(page, server, 2, 7)
})

test('an offline pause counts after the other device has stopped, with a message and Undo', async ({
  page,
  server,
  user,
  openDevice,
}) => {
  await openWithTasks(page, server, user, ['Write'], { trackOffline: true })
  await startTimer(page, 'Write')
  const phone = await openDevice('/dashboard')
  await workedAtLeast(phone, 2)
  await page.context().setOffline(true)
  await button(page, 'Pause').click()
  await expect(button(page, 'Resume')).toBeVisible()
  await workedAtLeast(phone, 12)
  await stop(phone)
  await expectSeconds(phone, server, 12, 18)
  await page.context().setOffline(false)

  const said = page.getByRole('heading', {
    name: /^Your changes on this device count: \d+ s instead of \d+ s\.$/,
  })
  await expect(said).toBeVisible()
  await expectSeconds(page, server, 2, 9)
  await button(page, 'Undo').click()
  await expect(said).toHaveCount(0)
  await expectSeconds(page, server, 12, 18)
  await expect(phone.getByRole('heading', { name: /^Your changes on this device/ })).toHaveCount(0)
})

test('every press during a failed start is tracked offline', async ({ page, server, user }) => {
  await openWithTasks(page, server, user)
  const failed = Promise.withResolvers<void>()
  await page.route('**/timer_sessions/documents', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await failed.promise
    await route.abort('internetdisconnected')
  })
  await page.getByRole('button', { name: 'Start Write' }).click()
  await expect(page.getByText('Creating...')).toBeVisible()
  await page.getByRole('button', { name: 'Edit start' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit timer' })
  await editor.getByLabel('Start').fill('20 minutes ago')
  await editor.getByRole('button', { name: 'Save' }).click()
  await button(page, 'Pause').click()
  await expect(button(page, 'Resume')).toBeVisible()
  await page.context().setOffline(true)
  failed.resolve()
  await button(page, 'Track offline').click()

  await expect(button(page, 'Resume')).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/^20:/)
  await page.unroute('**/timer_sessions/documents')
  await stop(page)
  await page.context().setOffline(false)
  await expectSeconds(page, server, 1200, 1215)
})

test('a start that failed is offered beside the task that was started after it', async ({
  page,
  server,
  user,
}) => {
  await openWithTasks(page, server, user, ['Alpha', 'Beta'])
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Start Alpha' }).click()
  await expect(page.getByText('Timer stopped: No internet connection detected')).toBeVisible()
  const since = Date.now()
  await expect.poll(() => Date.now() - since, { intervals: [500] }).toBeGreaterThan(3000)
  await page.context().setOffline(false)
  await startTimer(page, 'Beta')

  await expect(
    page.getByRole('heading', { name: /^This session wasn’t timed\. Keep \d+ s\?$/ }),
  ).toBeVisible()
  await page.getByRole('button', { name: /^Keep \d+ s$/ }).click()
  await expectSeconds(page, server, 3, 9)
  await expect(button(page, 'Stop')).toBeVisible()
})

test('with Track offline on, offline pauses and resumes count', async ({ page, server, user }) => {
  await openWithTasks(page, server, user, ['Write'], { trackOffline: true })
  await startTimer(page, 'Write')
  await workedAtLeast(page, 2)
  await page.context().setOffline(true)
  await button(page, 'Pause').click()
  await button(page, 'Resume').click()
  await workedAtLeast(page, 12)
  await expect(page.getByText('Failed to')).toHaveCount(0)
  await stop(page)
  await page.context().setOffline(false)

  await expectSeconds(page, server, 11, 16)
})

test.describe('with a wrong clock', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a timer that is stopped offline after a restart with a slow clock keeps its seconds', async ({
    page,
    server,
    user,
    context,
  }) => {
    await signIn(page, user)
    await createDocument(page.request, server.url, 'tasks', { name: 'Write', userId: user.id })
    await page.goto('/dashboard')
    await offlineReady(page)
    await startTimer(page, 'Write')
    await workedAtLeast(page, 4)
    await page.close()
    await context.setOffline(true)
    const later = await context.newPage()
    await later.clock.install({ time: Date.now() - 2 * HOUR })
    await later.goto('/dashboard')
    await expect(button(later, 'Stop')).toBeVisible()
    await workedAtLeast(later, 6)
    await stop(later)
    await context.setOffline(false)

    await expectSeconds(later, server, 6, 25)
    await expect.poll(() => listDocuments(later.request, server.url, 'timer_sessions')).toEqual([])
  })
})

test('what was tracked offline with a fast clock is saved at its right time', async ({
  page,
  server,
  user,
}) => {
  await page.clock.install({ time: Date.now() })
  await openWithTasks(page, server, user, ['Write'], { trackOffline: true })
  await page.context().setOffline(true)
  await page.clock.setSystemTime(Date.now() + 3 * HOUR)
  await page.getByRole('button', { name: 'Start Write' }).click()
  await workedAtLeast(page, 3)
  const before = Date.now()
  await stop(page)
  await page.context().setOffline(false)

  await expectSeconds(page, server, 3, 10)
  const [entry] = await listDocuments(page.request, server.url, 'time_entries')
  const endedAt = Date.parse(String(entry?.['endTime']))
  expect(Math.abs(endedAt - before)).toBeLessThan(10_000)
  await expect(page.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)
})

test('two timers that ran at once offline are both saved', async ({
  page,
  server,
  user,
  openDevice,
}) => {
  await openWithTasks(page, server, user, ['Alpha', 'Beta'], { trackOffline: true })
  const phone = await openDevice('/dashboard')
  await expect(phone.getByRole('button', { name: 'Start Beta' })).toBeEnabled()
  for (const device of [page, phone]) await device.context().setOffline(true)
  await page.getByRole('button', { name: 'Start Alpha' }).click()
  await workedAtLeast(page, 2)
  await phone.getByRole('button', { name: 'Start Beta' }).click()
  await workedAtLeast(phone, 4)
  await stop(page)
  await stop(phone)
  await phone.context().setOffline(false)
  await expect.poll(async () => (await entriesOf(phone, server)).length).toBe(1)
  await page.context().setOffline(false)

  await expect.poll(async () => (await entriesOf(page, server)).length).toBe(2)
  const seconds = (await entriesOf(page, server)).map((entry) => Number(entry['durationSeconds']))
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(4)
})

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

/** Waits until the timer shows so many seconds. */
async function workedAtLeast(page: Page, seconds: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const [minutes = '0', rest = '0'] = (
          (await page.getByRole('timer').textContent()) ?? ''
        ).split(':')
        return Number(minutes) * 60 + Number(rest)
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThanOrEqual(seconds)
}

async function entriesOf(page: Page, server: RunningServer) {
  const entries = await listDocuments(page.request, server.url, 'time_entries')
  return entries.filter((entry) => entry['deletedAt'] === null)
}

/** Expects one entry with so many seconds. */
async function expectSeconds(
  page: Page,
  server: RunningServer,
  least: number,
  most: number,
): Promise<void> {
  await expect
    .poll(
      async () => {
        const entries = await entriesOf(page, server)
        const [seconds = -1] = entries.map((entry) => Number(entry['durationSeconds']))
        return entries.length === 1 && seconds >= least && seconds <= most
          ? 'as worked'
          : entries.map((entry) => entry['durationSeconds'])
      },
      { timeout: 20_000 },
    )
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
