import type { Page } from '@playwright/test'

import { createDocument, createUser, signInThroughApi } from './backend.ts'
import { expect, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { setNow } from './history.ts'
import { expectClear } from './looks.ts'

test('the page shows how long, how often and when a task was worked on', async ({ page, user }) => {
  const taskId = await openTaskWithHistory(page, user)

  await expect(page.getByRole('heading', { name: 'Task Analytics & Insights' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Write report' })).toBeVisible()
  await expect(page.getByText(/^Created (today|yesterday|\d+ days ago)$/)).toBeVisible()
  await expect(page.getByText('Last worked on today')).toBeVisible()
  for (const [label, value] of [
    ['Total Time', '7h 15m'],
    ['Sessions', '6'],
    ['Avg Session', '1h 12m'],
    ['Today', '1h 30m'],
  ] as const) {
    await expect(card(page, label)).toHaveText(`${label}${value}`)
  }

  await expect(section(page, 'Recent Sessions').getByRole('listitem')).toHaveText([
    /^Today09:00 – 11:00Active Work · 30m paused1h 30m$/,
    /^Yesterday13:00 – 14:00Active Work1h 0m$/,
    /^16 Nov23:10 – 00:40 \+1Active Work1h 30m$/,
    /^16 Nov09:00 – 10:00Active Work1h 0m$/,
    /^1 Nov09:00 – 10:15Active Work1h 15m$/,
  ])

  const bars = section(page, 'Daily Breakdown').getByRole('listitem')
  await expect(bars).toHaveCount(7)
  await expect(bars.nth(3).getByRole('button')).toHaveAccessibleName(
    'Wed 18 Nov 1.5h: 1 hour 30 minutes',
  )
  await page.getByRole('button', { name: 'Monthly' }).click()
  await expect(section(page, 'Weekly Breakdown').getByRole('listitem')).toHaveCount(5)
  await expect(page.getByRole('heading', { name: 'Daily Activity Pattern' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Yearly' }).click()
  await expect(section(page, 'Monthly Breakdown').getByRole('listitem')).toHaveCount(12)
  await expect(page).toHaveURL(`/tasks/${taskId}?view=yearly&from=2026-01-01`)

  await page.getByRole('button', { name: 'Back to Tasks' }).click()
  await expect(page).toHaveURL(/\/tasks$/)
})

test('a range of days has its bars and its pattern @long', async ({ page, user }) => {
  const taskId = await openTaskWithHistory(page, user)
  await page.goto(`/tasks/${taskId}?from=2026-11-16&to=2026-11-18`)
  const bars = section(page, 'Daily Breakdown').getByRole('listitem').getByRole('button')
  await expect(bars).toHaveCount(3)
  await expect(bars.first()).toHaveAccessibleName('Mon 16 Nov 1.8h: 1 hour 50 minutes')
  const pattern = section(page, 'Daily Activity Pattern')
  await expect(pattern.getByRole('rowheader')).toHaveCount(3)
  await expectClear(page, 'task-range', [320, 390, 1280])
  await page.getByRole('button', { name: 'Range', exact: true }).click()
  await page.getByRole('button', { name: /^Last quarter/ }).click()
  await expect(page).toHaveURL(`/tasks/${taskId}?from=2026-07-01&to=2026-09-30`)
  await expect(section(page, 'Weekly Breakdown').getByRole('listitem')).toHaveCount(14)
  await expect(pattern).toHaveCount(0)
})

test('while they load, the figures show only the task’s own time @long', async ({
  page,
  history,
}) => {
  await setNow(page)
  const taskId = await history.task('Write report')
  await history.entry(taskId, '2026-11-18 09:00', '2026-11-18 10:00')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/time_entries/documents**', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`/tasks/${taskId}`)
  await expect(page.getByRole('heading', { name: 'Write report' })).toBeVisible()
  await expect(page.getByText('Loading reports...')).toBeVisible()
  await expect(page.getByText('Total Time')).toBeVisible()
  await expect(page.getByText(/^\d+h \d+m$|^\d+m$/)).toHaveCount(0)
  await expect(page.getByText('No sessions yet')).toHaveCount(0)
  letGo()
  await expect(card(page, 'Total Time')).toHaveText('Total Time1h 0m')
  await expect(page.getByText('Loading reports...')).toHaveCount(0)
})

test('a missing task and another user’s task show "not found" with a way back @long', async ({
  page,
  server,
  user,
  request,
}) => {
  const other = await createUser(request, server.url, 'Eve')
  await signInThroughApi(request, server.url, other)
  const foreign = await createDocument(request, server.url, 'tasks', {
    name: 'Secret plans',
    userId: other.id,
  })
  await user.open()
  for (const taskId of ['no-such-task', foreign.$id]) {
    await page.goto(`/tasks/${taskId}`)
    await expect(page.getByRole('heading', { name: 'Task not found' })).toBeVisible()
    await expect(page.getByText('Loading reports...')).toHaveCount(0)
    await expect(page.getByText('Secret plans')).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Back to Tasks' }).click()
  await expect(page).toHaveURL(/\/tasks$/)
})

test('the activity pattern shows work and pauses at their clock times, also as a table @long', async ({
  page,
  user,
}) => {
  await openTaskWithHistory(page, user)
  const grid = page.getByRole('grid', { name: 'Daily Activity Pattern, 15–21 Nov 2026' })
  const rows = grid.getByRole('row')
  await expect(rows).toHaveCount(8)
  await expect(rows.nth(1).getByRole('gridcell')).toHaveCount(24)

  const wednesday = rows.nth(4)
  expect(await marksOf(wednesday)).toEqual([
    { kind: 'work', left: '37.5%', width: '4.17%' },
    { kind: 'pause', left: '41.67%', width: '2.08%' },
    { kind: 'work', left: '43.75%', width: '2.08%' },
  ])
  expect(await marksOf(rows.nth(2))).toEqual([
    { kind: 'work', left: '37.5%', width: '4.17%' },
    { kind: 'work', left: '96.53%', width: '3.47%' },
  ])
  expect(await marksOf(rows.nth(3))).toEqual([
    { kind: 'work', left: '0%', width: '2.78%' },
    { kind: 'work', left: '54.17%', width: '4.17%' },
  ])

  await wednesday.getByRole('gridcell').nth(9).hover()
  await expect(page.locator('[data-tip-bubble]')).toHaveText('09:00 – 11:00 1h 30m')
  await wednesday.getByRole('gridcell').nth(3).hover()
  await expect(page.locator('[data-tip-bubble]')).toHaveCount(0)
  await wednesday.getByRole('gridcell').nth(9).click()
  const dialog = page.getByRole('dialog', { name: 'Wednesday 18 November 2026' })
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'More: Daily Activity Pattern' }).click()
  await page.getByRole('button', { name: 'Show as table: Daily Activity Pattern' }).click()
  const table = page.getByRole('table', { name: 'Daily Activity Pattern, 15–21 Nov 2026' })
  await expect(table.getByRole('row')).toHaveText([
    'DayStartEndWorked',
    'Mon 16 Nov09:0010:001h 0m',
    'Mon 16 Nov23:1000:00 +150m',
    'Tue 17 Nov00:0000:4040m',
    'Tue 17 Nov13:0014:001h 0m',
    'Wed 18 Nov09:0011:001h 30m',
  ])
})

test('arrow keys move through the hours of the activity pattern, which are announced @long', async ({
  page,
  user,
}) => {
  await openTaskWithHistory(page, user)
  const monday = page.getByRole('gridcell', { name: 'Monday 16 November 2026, 09:00' })
  await monday.focus()
  await expect(monday).toHaveAccessibleName(
    'Monday 16 November 2026, 09:00: 09:00 to 10:00, 1 hour',
  )
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('gridcell', { name: /^Monday .*, 10:00: nothing$/ })).toBeFocused()
  await page.keyboard.press('End')
  await expect(
    page.getByRole('gridcell', {
      name: 'Monday 16 November 2026, 23:00: 23:10 to 00:40 plus 1, 1 hour 30 minutes',
    }),
  ).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await expect(page.getByRole('gridcell', { name: /^Wednesday .*, 00:00: nothing$/ })).toBeFocused()
  for (let hour = 0; hour < 10; hour++) await page.keyboard.press('ArrowRight')
  await expect(
    page.getByRole('gridcell', {
      name: 'Wednesday 18 November 2026, 10:00: 09:00 to 11:00, 1 hour 30 minutes',
    }),
  ).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Wednesday 18 November 2026' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('gridcell', { name: /^Wednesday .*, 10:00/ })).toBeFocused()
  await expect(page.locator('[role=gridcell][tabindex="0"]')).toHaveCount(1)
})

test('every card opens its sessions @long', async ({ page, user }) => {
  await openTaskWithHistory(page, user)
  for (const [label, headline, sum] of [
    ['Total Time', '7h 15m', '7h 15m'],
    ['Sessions', '6 sessions', '7h 15m'],
    ['Avg Session', '1h 12m 30s', '7h 15m'],
    ['Today', '1h 30m', '1h 30m'],
  ] as const) {
    await card(page, label).click()
    const dialog = page.getByRole('dialog', { name: label })
    await expect(dialog.getByText(headline, { exact: true }).first()).toBeVisible()
    await expect(dialog.getByText('Sum')).toHaveText(`Sum${sum}`)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('on a phone the Back label is short and the day can be scrolled by a swipe @long', async ({
    page,
    user,
  }) => {
    await openTaskWithHistory(page, user)
    await expect(page.getByText('Swipe to see all 24 hours')).toBeVisible()
    const scroller = page.getByRole('grid').locator('..')
    const { scrolled, hidden } = await scroller.evaluate((element) => ({
      scrolled: element.scrollLeft,
      hidden: element.scrollWidth - element.clientWidth,
    }))
    expect(hidden).toBeGreaterThan(200)
    expect(scrolled).toBeLessThan(hidden)
    await page.getByRole('button', { name: 'Back', exact: true }).tap()
    await expect(page).toHaveURL(/\/tasks$/)
  })
})

test('no swipe hint is shown if the whole day fits @long', async ({ page, user }) => {
  await openTaskWithHistory(page, user)
  await expect(page.getByRole('grid')).toBeVisible()
  await expect(page.getByText('Swipe to see all 24 hours')).toBeHidden()
  const hidden = await page
    .getByRole('grid')
    .locator('..')
    .evaluate((element) => element.scrollWidth - element.clientWidth)
  expect(hidden).toBe(0)
})

test('the page of a task fits every width in both themes @long', async ({ page, user }) => {
  await openTaskWithHistory(page, user)
  await expect(card(page, 'Total Time')).toBeVisible()
  await expectClear(page, 'task', [320, 390, 1280])
  await page.goto('/tasks/no-such-task')
  await expect(page.getByRole('heading', { name: 'Task not found' })).toBeVisible()
  await expectClear(page, 'no-task', [320, 390, 1280])
})

/**
 * Opens the page of 'Write report' with six sessions: with a pause, over midnight, this week, and
 * long ago.
 */
async function openTaskWithHistory(page: Page, user: Person): Promise<string> {
  await setNow(page)
  await user.signInThroughApi()
  const { history } = user
  const taskId = await history.task('Write report')
  const other = await history.task('Plan the week')
  await history.entry(taskId, '2026-11-18 09:00', '2026-11-18 11:00', [
    ['2026-11-18 10:00', '2026-11-18 10:30'],
  ])
  await history.entry(taskId, '2026-11-17 13:00', '2026-11-17 14:00')
  await history.entry(taskId, '2026-11-16 23:10', '2026-11-17 00:40')
  await history.entry(taskId, '2026-11-16 09:00', '2026-11-16 10:00')
  await history.entry(taskId, '2026-11-01 09:00', '2026-11-01 10:15')
  await history.entry(taskId, '2026-01-05 09:00', '2026-01-05 10:00')
  await history.entry(other, '2026-11-18 12:00', '2026-11-18 13:00')
  await page.goto(`/tasks/${taskId}`)
  return taskId
}

function card(page: Page, label: string) {
  return page
    .getByRole('list', { name: 'Task figures' })
    .getByRole('button', { name: new RegExp(`^${label}`) })
}

function section(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true })
}

async function marksOf(row: ReturnType<Page['locator']>) {
  return row.locator('[data-mark]').evaluateAll((marks) =>
    marks.map((mark) => ({
      kind: mark.getAttribute('data-mark'),
      left: mark instanceof HTMLElement ? mark.style.insetInlineStart : '',
      width: mark instanceof HTMLElement ? mark.style.width : '',
    })),
  )
}
