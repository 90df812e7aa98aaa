import type { Page } from '@playwright/test'

import type { TestUser } from './backend.ts'
import { expect, RUNNING_FOR_TWO, startTimer, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'

/** Wrong clocks, devices that slept, and changes of the task. */

const DAY = 86_400_000
const MINUTE = 60_000

for (const [what, ahead] of [
  ['a day ahead', DAY],
  ['a day behind', -DAY],
] as const) {
  test(`a device whose clock is ${what} saves the times of the server @long`, async ({
    page,
    user,
  }) => {
    await page.clock.install({ time: Date.now() + ahead })
    await user.openWithTasks()
    const before = Date.now()
    await startTimer(page, 'Write')
    const after = Date.now()
    const timer = page.getByRole('timer')
    await expect(timer).toHaveText(RUNNING_FOR_TWO)

    // The clock is corrected, or set wrong again, while the timer runs.
    await page.clock.setSystemTime(Date.now() - ahead / 2)
    await expect(timer).toHaveText(/^(?!00:0[0123])0\d:\d\d$/)
    await page.reload()
    await expect(timer).toHaveText(/^(?!00:0[0123])0\d:\d\d$/)
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect.poll(() => entriesOf(user)).toHaveLength(1)
    const [entry] = await entriesOf(user)
    const duration = Number(entry?.['durationSeconds'])
    const startedAt = Date.parse(String(entry?.['startTime']))
    expect(startedAt).toBeGreaterThan(before - 5000)
    expect(startedAt).toBeLessThan(after + 5000)
    expect(duration).toBeGreaterThanOrEqual(4)
    expect(duration).toBeLessThanOrEqual((Date.now() - before) / 1000 + 2)
  })
}

test('the app asks about time in which the device slept, which can be removed @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks()
  await startTimer(page, 'Write')
  await user.ageTimer(120)
  await expect(page.getByRole('timer')).toHaveText(/^02:0\d:/)
  await pretendAsleepSince(page, user, Date.now() - 100 * MINUTE)
  await page.reload()

  await expect(page.getByRole('heading', { name: /^Were you away for 1h 4\dm\?$/ })).toBeVisible()
  // Without a decision the time counts, also after a reload.
  await expect(page.getByRole('timer')).toHaveText(/^02:0\d:/)
  await page.reload()
  await page.getByRole('button', { name: /^Remove 1h 4\dm$/ }).click()
  await expect(page.getByRole('timer')).toHaveText(/^(19|2\d):\d\d$/)
  await expect(page.getByText('Were you away')).toHaveCount(0)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.poll(() => entriesOf(user)).toHaveLength(1)
  const [entry] = await entriesOf(user)
  expect(Math.abs(Number(entry?.['durationSeconds']) - 20 * 60)).toBeLessThan(600)
})

test('switching to another task takes one step and saves the first one @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write', 'Plan'])
  await startTimer(page, 'Write')
  await user.letSessionAge(30)
  await expect(page.getByRole('timer')).toHaveText(/^3\d:/)
  await expect(page.getByRole('button', { name: 'Start Plan' })).toBeDisabled()
  await page.getByRole('button', { name: 'Switch task' }).click()
  await page.getByRole('dialog').getByRole('option', { name: 'Switch to Plan' }).click()
  await expect(page.getByRole('button', { name: 'Running Plan' })).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/^0\d:/)
  await expect(page.getByRole('listitem').filter({ hasText: 'Write' })).toContainText('30m')
  await expect.poll(() => entriesOf(user)).toHaveLength(1)
  await expect.poll(() => user.stored('timer_sessions')).toHaveLength(1)
})

function entriesOf(user: Person) {
  return user.stored('time_entries')
}

/** Changes the record to that of a device that fell asleep then and has not woken up yet. */
async function pretendAsleepSince(page: Page, user: TestUser, at: number): Promise<void> {
  // On this page no app runs that would record that it is awake.
  await page.goto('/terms')
  await page.evaluate(
    async ({ name, seenAt }) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(new Error('The database did not open')))
      })
      const store = database.transaction('record-values', 'readwrite').objectStore('record-values')
      const asked = store.get('seen')
      await new Promise((resolve) => {
        asked.addEventListener('success', resolve)
      })
      store.put({ ...asked.result, at: seenAt }, 'seen')
      await new Promise((resolve) => {
        store.transaction.addEventListener('complete', resolve)
      })
      database.close()
    },
    { name: `stint-${user.id}`, seenAt: at },
  )
  await page.goto('/dashboard')
}
