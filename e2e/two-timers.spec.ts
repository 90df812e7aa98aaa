/**
 * Two timers that ran at once on two devices: both sessions are kept, and trimming the overlap is
 * offered.
 */
import type { Locator, Page } from '@playwright/test'

import { expect, startTimer, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { daysAgo, minutesAgo } from './history.ts'
import type { History } from './history.ts'
import { expectClear } from './looks.ts'
import { secondsKept } from './task-page.ts'

test('an overlap of two sessions is offered for trimming where it is first seen, and the trim can be undone', async ({
  page,
  user,
  openDevice,
}) => {
  const { history, taskId } = await prepare(page, user)
  const phone = await openDevice('/dashboard')
  await expectLoaded(phone)
  await history.entry(taskId, `${daysAgo(1)} 09:30`, `${daysAgo(1)} 10:30`)

  for (const each of [page, phone]) {
    await expect(offer(each)).toContainText('09:00 – 10:00')
    await expect(offer(each)).toContainText('09:30 – 10:30')
    await expect(offer(each)).toContainText('30m counted twice')
  }
  await offer(page).getByRole('button', { name: 'Trim the later' }).click()
  for (const each of [page, phone]) await expect(offer(each)).toHaveCount(0)
  await expect.poll(() => secondsKept(user)).toEqual([1800, 3600])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => secondsKept(user)).toEqual([3600, 3600])
})

test('an overlap is offered when a timer is stopped here after another was saved elsewhere @long', async ({
  page,
  user,
}) => {
  const { history, taskId } = await prepare(page, user)
  await startTimer(page, 'Write')
  await user.letSessionAge(20)
  await expect(page.getByRole('timer')).toHaveText(/^2\d:/)
  await history.entry(taskId, minutesAgo(10), minutesAgo(4))
  await expect(page.getByText('1h 26m').first()).toBeVisible()
  await expect(offer(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()

  await expect(offer(page)).toContainText('6m counted twice')
  await offer(page).getByRole('button', { name: 'Trim the earlier' }).click()
  // What is after and before the other session: the timer has run on since that was written.
  const any: unknown = expect.any(Number)
  await expect.poll(() => secondsKept(user)).toEqual([any, 360, any, 3600])
})

test('an overlap that is kept is not offered again on any device @long', async ({
  page,
  user,
  openDevice,
}) => {
  const { history, taskId } = await prepare(page, user)
  const phone = await openDevice('/dashboard')
  await expectLoaded(phone)
  await history.entry(taskId, `${daysAgo(1)} 09:30`, `${daysAgo(1)} 10:30`)
  await expect(offer(phone)).toBeVisible()
  await offer(page).getByRole('button', { name: 'Keep both' }).click()

  for (const each of [page, phone]) {
    await expect(offer(each)).toHaveCount(0)
    await each.reload()
    await expect(each.getByRole('button', { name: 'Start Write' })).toBeEnabled()
    await expect(offer(each)).toHaveCount(0)
  }
  expect(await secondsKept(user)).toEqual([3600, 3600])
})

test('the offer to trim an overlap stays on the device until it is decided @long', async ({
  page,
  user,
}) => {
  const { history, taskId } = await prepare(page, user)
  await history.entry(taskId, `${daysAgo(1)} 09:30`, `${daysAgo(1)} 10:30`)
  await expect(offer(page)).toBeVisible()
  await page.reload()
  await expect(offer(page)).toBeVisible()
  await expectClear(page, 'overlap')
  await offer(page).getByRole('button', { name: 'Trim the earlier' }).click()
  await expect(offer(page)).toHaveCount(0)
  await expect.poll(() => secondsKept(user)).toEqual([1800, 3600])
})

test('several overlaps are one line, which opens, and all are kept at once @long', async ({
  page,
  user,
}) => {
  const { history, taskId } = await prepare(page, user)
  for (const [start, end] of [
    ['09:10', '09:20'],
    ['09:30', '09:40'],
    ['09:50', '10:10'],
  ]) {
    await history.entry(taskId, `${daysAgo(1)} ${start}`, `${daysAgo(1)} ${end}`)
  }
  const overlaps = page.getByRole('region', { name: '4 sessions overlap, 30m counted twice' })
  await expect(overlaps).toBeVisible()
  await expect(overlaps.getByRole('listitem')).toHaveCount(0)
  expect((await overlaps.boundingBox())?.height).toBeLessThan(80)
  await overlaps.getByRole('button', { name: 'Review' }).click()
  await expect(overlaps.getByRole('button', { name: 'Keep both' })).toHaveCount(3)
  await expectClear(page, 'overlaps')
  await overlaps.getByRole('button', { name: 'Keep all' }).click()
  await expect(overlaps).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  await expect(page.getByRole('region', { name: /sessions overlap/ })).toHaveCount(0)
  expect(await secondsKept(user)).toEqual([600, 600, 1200, 3600])
})

test('an overlap that was kept in the editor is not asked about when the timer stops @long', async ({
  page,
  user,
}) => {
  const { history, taskId } = await prepare(page, user)
  for (const [from, to] of [
    [50, 40],
    [30, 20],
  ] as const) {
    await history.entry(taskId, minutesAgo(from), minutesAgo(to))
  }
  await expect(page.getByText('1h 20m').first()).toBeVisible()
  await startTimer(page, 'Write')
  await page.getByRole('button', { name: 'Edit timer' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit timer' })
  await editor.getByLabel('Start').fill('1h ago')
  await editor.getByRole('button', { name: 'Save' }).click()
  // The answer that changes nothing has the focus; the other one says what it deletes.
  const deletes = editor.getByRole('button', { name: 'Delete 2 sessions' })
  await expect(deletes).toBeVisible()
  await expect(editor.getByRole('button', { name: 'Keep all' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('timer')).toHaveText(/^01:0\d:/)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.poll(async () => (await secondsKept(user)).length).toBe(4)
  await page.goto('/data')
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 4 sessions')
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  await expect(page.getByRole('region', { name: /overlap/ })).toHaveCount(0)
})

/** Opens the dashboard with a task that has a session from 09:00 to 10:00 yesterday. */
async function prepare(page: Page, user: Person): Promise<{ history: History; taskId: string }> {
  await user.signInThroughApi()
  const { history } = user
  const taskId = await history.task('Write')
  await history.entry(taskId, `${daysAgo(1)} 09:00`, `${daysAgo(1)} 10:00`)
  await page.goto('/dashboard')
  await expectLoaded(page)
  return { history, taskId }
}

/** Waits until the whole history is loaded; later changes are new. */
async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  await expect(page.getByText('1h 0m').first()).toBeVisible()
  await expect(page.getByTitle('Updating…')).toHaveCount(0)
}

function offer(page: Page): Locator {
  return page.getByRole('region', { name: 'Two sessions overlap' })
}
