/** 'Still working?': asked when nothing was seen for a while, answered once, about what has happened. */
import type { Locator, Page } from '@playwright/test'

import { API_CALL } from './backend.ts'
import { expect, startTimer, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { expectClear } from './looks.ts'

const MINUTE = 60_000
const IDLE_TEXT = 'Select a task below to start timing'

test('who left a timer is asked on every device, and one answer counts on all', async ({
  page,
  user,
  openDevice,
}) => {
  await startBefore(page, user, 50)
  const phone = await openDevice('/dashboard', { viewport: { width: 390, height: 844 } })
  await expect(phone.getByRole('timer')).toHaveText(/^5\d:/)
  const left = await leaveSince(page, 30)
  await expect(question(page)).toContainText(
    new RegExp(`No sign of work since (yesterday, )?${left}\\.`, 'u'),
  )
  await expect(page.getByText('Were you away')).toHaveCount(0)
  await expect(question(phone)).toContainText(
    new RegExp(`No sign of work since (yesterday, )?${left}\\.`, 'u'),
  )
  await question(phone).getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(question(phone)).toHaveCount(0)
  await expect(question(page)).toHaveCount(0)
  await expect(page.getByRole('timer')).toHaveText(/^5\d:/)

  // What was answered is not asked again after a reload.
  await page.reload()
  await expect(page.getByRole('timer')).toHaveText(/^5\d:/)
  await expect(page.getByRole('status', { name: 'Reminders' })).toBeAttached()
  await expect(question(page)).toHaveCount(0)
})

test('the timer stops when its person left and goes on from now @long', async ({ page, user }) => {
  await startBefore(page, user, 50)
  const left = await leaveSince(page, 20)
  await expect(question(page)).toBeVisible()
  await expectClear(page, 'still-working')
  await page.goto('/tasks')
  await expectClear(page, 'still-working-tasks')
  // A reload keeps the question.
  await page.goto('/dashboard')
  await question(page).getByRole('button', { name: 'Continue from now' }).click()
  await expect(question(page)).toHaveCount(0)
  await expect(page.getByRole('timer')).toHaveText(/^00:/)
  await expect(page.getByRole('button', { name: 'Running Write' })).toBeVisible()
  await expect.poll(() => workedMinutes(user)).toEqual([30])

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('timer')).toHaveText(/^5\d:/)
  await question(page)
    .getByRole('button', { name: `Stop at ${left}`, exact: true })
    .click()
  await expect(page.getByText(IDLE_TEXT)).toBeVisible()
  await expect.poll(() => workedMinutes(user)).toEqual([30])
})

test('a device whose person was there all the time answers by itself @long', async ({
  page,
  server,
  user,
  openDevice,
}) => {
  await startBefore(page, user, 50)
  const other = await openDevice('/dashboard')
  await expect(other.getByRole('timer')).toHaveText(/^5\d:/)
  await other.evaluate(() => {
    const activity = { since: Date.now() - 45 * 60_000, last: Date.now(), before: null }
    localStorage.setItem('stint-activity', JSON.stringify(activity))
  })
  await leaveSince(page, 20)
  const asked = async () => {
    const prefs: unknown = await (
      await page.request.get(`${server.url}/v1/account/prefs`, API_CALL)
    ).json()
    return Object.getOwnPropertyDescriptor(prefs, 'stillWorking')?.value
  }
  // Session, from, asked, and until when the answer counts.
  await expect.poll(asked).toMatch(/^\w+ \d+ \d+ \d+$/)
  await expect(question(page)).toHaveCount(0)
  await expect(other.getByText(/No sign of work since/u)).toHaveCount(0)
  await expect(page.getByRole('timer')).toHaveText(/^5\d:/)
})

test('the settings say what Stint sees, and ask the browser by a press @long', async ({
  page,
  user,
}) => {
  await page.addInitScript(() => {
    let state = 'prompt'
    const requestPermission = () => {
      state = 'granted'
      return Promise.resolve(state)
    }
    Object.assign(window, { IdleDetector: { requestPermission } })
    const query = navigator.permissions.query.bind(navigator.permissions)
    navigator.permissions.query = (asked) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- lib.dom does not know the name
      (asked.name as string) === 'idle-detection'
        ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is read of it
          Promise.resolve({ state } as PermissionStatus)
        : query(asked)
  })
  await user.open('/settings')
  await page
    .getByLabel('Ask if I’m still working when I’m away for…')
    .selectOption({ label: '30 minutes' })
  await expectClear(page, 'still-working-settings')
  await page.getByRole('button', { name: 'Ask the browser' }).click()
  await expect(page.getByText('Your browser tells when nobody uses this computer.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ask the browser' })).toHaveCount(0)
})

function question(page: Page): Locator {
  return page.getByRole('region', { name: 'Still working on Write?' })
}

/** Opens the dashboard with a timer that was started so many minutes ago. */
async function startBefore(page: Page, user: Person, minutes: number): Promise<void> {
  await user.openWithTasks(['Write'], { awayMinutes: 15 })
  await startTimer(page, 'Write')
  await user.ageTimer(minutes)
}

/**
 * Opens the page anew as on a device that nobody has used for so many minutes. Returns what a clock showed when it was
 * left.
 */
async function leaveSince(page: Page, minutes: number): Promise<string> {
  const last = Date.now() - minutes * MINUTE
  // On this page no app runs that would record that somebody is there.
  await page.goto('/terms')
  await page.evaluate((last) => {
    const activity = JSON.stringify({ since: last - 60_000, last, before: null })
    localStorage.setItem('stint-activity', activity)
    localStorage.setItem('stint-presence', activity)
  }, last)
  await page.goto('/dashboard')
  return new Date(last).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'America/New_York',
  })
}

/** Returns the length of each saved session in minutes, rounded. */
async function workedMinutes(user: Person): Promise<number[]> {
  const entries = await user.stored('time_entries')
  return entries
    .filter((each) => each['deletedAt'] === null)
    .map((each) => Math.round(Number(each['durationSeconds']) / 60))
}
