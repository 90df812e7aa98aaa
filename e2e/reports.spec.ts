import type { Page } from '@playwright/test'

import { answersNoted, expect, FAILED_REQUEST, tabTo, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { setNow } from './history.ts'
import { expectClear, setTheme, sidewaysOverflow, untilStill } from './looks.ts'

test('figures, squares and bars of a week come from the same sessions', async ({
  page,
  history,
}) => {
  await setNow(page)
  const write = await history.task('Write report')
  const plan = await history.task('Plan the week')
  const mail = await history.task('Answer mail')
  await history.entry(write, '2026-11-18 09:00', '2026-11-18 11:00')
  await history.entry(plan, '2026-11-17 09:00', '2026-11-17 10:00')
  await history.entry(write, '2026-11-16 09:00', '2026-11-16 10:00')
  await history.entry(mail, '2026-11-16 14:00', '2026-11-16 14:05')
  await history.entry(plan, '2026-11-02 09:00', '2026-11-02 10:30')
  await history.entry(plan, '2026-02-02 09:00', '2026-02-02 09:30')
  await page.goto('/reports')

  await expect(page.getByRole('heading', { name: 'Reports & Analytics' })).toBeVisible()
  for (const [label, value] of [
    ['Today', '2h 0m'],
    ['This Week', '4h 5m'],
    ['This Month', '5h 35m'],
    ['This Year', '6h 5m'],
    ['Daily Streak', '3 days'],
    ['Sessions', '6'],
    ['Avg Session', '1h 0m'],
  ] as const) {
    await expect(chip(page, label)).toHaveText(`${label}${value}`)
  }

  const squares = page.locator('[data-square]')
  await expect(squares).toHaveCount(100)
  await expect(page.locator('[data-square="0"]')).toHaveCount(73)
  await expect(page.locator('[data-square="1"]')).toHaveCount(25)
  await expect(page.locator('[data-square="2"]')).toHaveCount(2)
  const legend = section(page, 'Task Breakdown').getByRole('listitem')
  await expect(legend.nth(0)).toContainText('Write report3h 0m73%')
  await expect(legend.nth(1)).toContainText('Plan the week1h 0m25%')
  await expect(legend.nth(2)).toContainText('Answer mail5m2%')
  const image = page.getByRole('img', { name: /^Task Breakdown: Write report 73%, 3 hours/ })
  await expect(image).toBeVisible()
  await page.locator('[data-square="0"]').nth(42).hover()
  const tip = page.locator('[data-tip-bubble]')
  await expect(tip).toHaveText('Write report3h 0m · 73%')
  await page.mouse.move(0, 0)
  await expect(tip).toHaveCount(0)

  const bars = section(page, 'Daily Breakdown').getByRole('listitem').getByRole('button')
  await expect(bars).toHaveCount(7)
  await expect(bars.nth(1)).toHaveAccessibleName('Mon 16 Nov 1.1h: 1 hour 5 minutes')
  await expect(bars.nth(1)).toContainText('1.1h')
  await expect(bars.nth(2)).toHaveAccessibleName('Tue 17 Nov: 1 hour')
  await expect(bars.nth(2)).not.toContainText('1.0h')
  await expect(bars.nth(3)).toContainText('2.0h')
  expect(await barPercents(page, 'Daily Breakdown')).toEqual([0, 54, 50, 100, 0, 0, 0])
})

test('one sentence says how a period differs from the one before, whose bars are behind its own @long', async ({
  page,
  history,
}) => {
  await setNow(page)
  const write = await history.task('Write <b>report</b>')
  const plan = await history.task('Plan the week')
  await history.entry(write, '2026-11-16 09:00', '2026-11-16 12:00')
  await history.entry(plan, '2026-11-17 09:00', '2026-11-17 09:30')
  // By 15:00 of this day two hours, and three later.
  await history.entry(plan, '2026-11-11 13:00', '2026-11-11 18:00')
  await history.entry(plan, '2026-11-09 09:00', '2026-11-09 09:40')
  await page.goto('/reports')
  await expect(sentence(page)).toHaveText(
    '3h 30m in 2 sessions, 50m more than by this time last week, mostly Write <b>report</b>',
  )
  const daily = section(page, 'Daily Breakdown')
  await expect(daily).toContainText('8–14 Nov 2026')
  const ghosts = daily.locator('[data-ghost]')
  await expect(ghosts).toHaveCount(2)
  const monday = page.getByRole('button', { name: /^Mon 16 Nov/ })
  await expect(monday).toHaveAccessibleDescription(/; 9 Nov 2026: 40 minutes$/)
  await untilStill(page)
  const [ghost, bar] = [
    await monday.locator('[data-ghost]').boundingBox(),
    await monday.locator('[data-bar]').boundingBox(),
  ]
  expect((ghost?.width ?? 0) / (bar?.width ?? 0)).toBeCloseTo(40 / 180, 2)
  await tabTo(page, monday)
  await expect(page.locator('[data-tip-bubble]')).toHaveText('16 Nov 20263h 0m9 Nov 2026: 40m')
  await expectClear(page, 'reports-before')

  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(sentence(page)).toHaveText('5h 40m in 2 sessions, all of it on Plan the week')
  await page.goto('/reports?view=monthly&from=2026-11-01')
  await expect(sentence(page)).toHaveText('9h 10m in 4 sessions, mostly Plan the week')
})

test('a bar under an hour says its time on hover, and a long label stays beside its bar @long', async ({
  page,
  history,
}) => {
  await page.setViewportSize({ width: 320, height: 844 })
  await setNow(page)
  const write = await history.task('Write report')
  for (let day = 1; day <= 9; day++) {
    await history.entry(write, `2026-10-0${day} 00:00`, `2026-10-0${day} 21:00`)
  }
  await history.entry(write, '2026-11-16 09:00', '2026-11-16 09:40')
  await page.goto('/reports?view=yearly')
  const bars = section(page, 'Monthly Breakdown')
  const label = await bars.getByText('189.0h', { exact: true }).boundingBox()
  const panel = await bars.boundingBox()
  const bar = await bars.locator('[data-bar]').nth(9).boundingBox()
  if (!label || !panel || !bar) throw new Error('It is not on the page.')
  expect(label.x).toBeGreaterThanOrEqual(bar.x + bar.width)
  expect(label.x + label.width).toBeLessThanOrEqual(panel.x + panel.width - 16)

  const november = bars.getByRole('button', { name: /^Nov/ })
  await expect(november).toHaveText('Nov')
  await november.hover()
  await expect(page.locator('[data-tip-bubble]')).toContainText('40m')
})

test('the parts on a screen add up to the total beside them @long', async ({ page, history }) => {
  await setNow(page)
  const write = await history.task('Write report')
  const plan = await history.task('Plan the week')
  await history.entry(write, '2026-11-16 09:00:00', '2026-11-16 10:00:50')
  await history.entry(write, '2026-11-17 09:00:00', '2026-11-17 10:00:50')
  await history.entry(plan, '2026-11-18 09:00:00', '2026-11-18 09:30:30')
  await page.goto('/reports')
  await expect(sentence(page)).toContainText('2h 32m in 3 sessions')
  await expect(legendRows(page)).toHaveText(['Write report2h 2m80%', 'Plan the week30m20%'])

  // Each is rounded down, but for what has lost most.
  await history.entry(plan, '2026-11-18 12:00:00', '2026-11-18 12:00:50')
  await page.reload()
  await expect(legendRows(page)).toHaveText(['Write report2h 2m80%', 'Plan the week31m20%'])
  const day = section(page, 'Day Timeline')
  await expect(day).toContainText('Today31m')
  await expect(day.getByRole('button', { name: /^Edit Plan/ })).toHaveText([
    'Edit Plan the week, 09:00 – 09:30, 30m',
    'Edit Plan the week, 12:00 – 12:00, 1m',
  ])
  await legendRows(page).first().getByRole('button').click()
  await expect(page.getByRole('dialog').getByText('Sum')).toHaveText('Sum2h 1m 40s')
})

test('without sessions the squares are empty and the page shows a message @long', async ({
  page,
  user,
}) => {
  await user.open('/reports')
  await expect(page.getByText('No task data available')).toBeVisible()
  const square = page.locator('[data-square]').first()
  await expect(square).toHaveCSS('background-color', 'rgb(229, 231, 235)')
  await expect(chip(page, 'Today')).toHaveText('Today0m')
  await expect(chip(page, 'Daily Streak')).toHaveText('Daily Streak0 days')
  await expect(chip(page, 'Avg Session')).toHaveText('Avg Session0m')
  await expect(page.getByText('Loading reports...')).toHaveCount(0)
  await page.getByRole('link', { name: 'Start your first session' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the squares are in rows of 25, and of 50 from 768 px on @long', async ({ page, user }) => {
  await user.open('/reports')
  await expect(page.locator('[data-square]')).toHaveCount(100)
  for (const [width, squares] of [
    [390, 25],
    [767, 25],
    [768, 50],
    [1920, 50],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    const tops = await page
      .locator('[data-square]')
      .evaluateAll((all) => all.map((square) => square.getBoundingClientRect().top))
    expect(tops.filter((top) => top === tops[0])).toHaveLength(squares)
    expect(await sidewaysOverflow(page)).toBe(0)
  }
})

test('the address contains view and period, so Back works and a link opens the same report @long', async ({
  page,
  user,
}) => {
  await setNow(page)
  await user.open('/reports')
  const label = page.getByRole('region', { name: 'Time Controls' }).getByRole('status')
  await expect(label).toHaveText('15–21 Nov 2026')
  await expect(page.getByRole('button', { name: 'Current week' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(label).toHaveText('8–14 Nov 2026')
  await expect(page).toHaveURL(/\?view=weekly&from=2026-11-08$/)
  await page.getByRole('button', { name: 'Monthly' }).click()
  await expect(label).toHaveText('November 2026')
  await page.getByRole('button', { name: 'Yearly' }).click()
  await expect(label).toHaveText('2026')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(label).toHaveText('2027')
  await expect(page.getByRole('heading', { name: 'Monthly Breakdown' })).toBeVisible()

  await page.goBack()
  await expect(label).toHaveText('2026')
  await page.goBack()
  await expect(label).toHaveText('November 2026')
  await expect(page.getByRole('heading', { name: 'Weekly Breakdown' })).toBeVisible()
  await page.goBack()
  await expect(label).toHaveText('8–14 Nov 2026')
  await page.reload()
  await expect(label).toHaveText('8–14 Nov 2026')
  await page.getByRole('button', { name: 'Current week' }).click()
  await expect(label).toHaveText('15–21 Nov 2026')
})

test('a month has five bars, and shows leftover days and days of neighbouring months @long', async ({
  page,
  history,
}) => {
  await setNow(page)
  const write = await history.task('Write report')
  await history.entry(write, '2026-08-31T09:00:00-04:00', '2026-08-31T12:20:00-04:00')
  await history.entry(write, '2026-03-03 09:00', '2026-03-03 11:00')
  await page.goto('/reports?view=monthly&from=2026-08-01')

  const weeks = section(page, 'Weekly Breakdown')
  await expect(weeks.getByRole('listitem')).toHaveCount(5)
  await expect(sentence(page)).toHaveText('3h 20m in 1 session, all of it on Write report')
  await expect(weeks).toContainText("30–31 Aug: 3h 20m, shown with next month's first week")
  await weeks.getByRole('link', { name: "next month's first week" }).click()
  await expect(page).toHaveURL(/\?view=monthly&from=2026-09-01$/)
  const first = weeks.getByRole('listitem').first().getByRole('button')
  await expect(first).toHaveAccessibleName(
    'Week 1 30 Aug – 5 Sep 3.3h: 3 hours 20 minutes, 3 hours 20 minutes of it in August (30–31 Aug)',
  )

  await page.goto('/reports?view=monthly&from=2026-02-01')
  const fifth = weeks.getByRole('listitem').nth(4).getByRole('button')
  await expect(fifth).toHaveAccessibleName(
    'Week 5 1–7 Mar 2.0h: 2 hours, 2 hours of it in March (1–7 Mar)',
  )
  await fifth.hover()
  await expect(page.getByText('2h 0m of it in March (1–7 Mar)')).toBeVisible()
})

test('a press on the last week of a past month shows its first day with work, also if that is today @long', async ({
  page,
  history,
}) => {
  await setNow(page, '2026-03-01T15:00:00-05:00')
  const write = await history.task('Write report')
  await history.entry(write, '2026-02-20T09:00:00-05:00', '2026-02-20T11:00:00-05:00')
  await history.entry(write, '2026-03-01T09:00:00-05:00', '2026-03-01T10:00:00-05:00')
  const day = section(page, 'Day Timeline')
  for (const path of ['/reports', `/tasks/${write}`]) {
    await page.goto(`${path}?view=monthly&from=2026-02-01`)
    // Without a press, the last day of February with work.
    await expect(day.getByRole('status')).toHaveText(/20 Feb/)
    await page.getByRole('button', { name: /^Week 5/ }).click()
    await expect(day.getByRole('status')).toHaveText('Today')
    await expect(page).toHaveURL(/day=2026-03-01$/)
    await page.getByRole('button', { name: /^Week 3/ }).click()
    await expect(day.getByRole('status')).toHaveText(/20 Feb/)
    await expect(page).toHaveURL(/from=2026-02-01$/)
  }
})

test('every figure opens its sessions, which can be copied as CSV @long', async ({
  page,
  history,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await setNow(page)
  const write = await history.task('Write, "report"')
  const plan = await history.task('Plan')
  await history.entry(write, '2026-11-18 09:00', '2026-11-18 10:30')
  await history.entry(plan, '2026-11-17 09:00', '2026-11-17 09:45')
  await page.goto('/reports')

  for (const [label, sum] of [
    ['Today', '1h 30m'],
    ['This Week', '2h 15m'],
    ['This Month', '2h 15m'],
    ['This Year', '2h 15m'],
    ['Daily Streak', '2h 15m'],
    ['Sessions', '2h 15m'],
    ['Avg Session', '2h 15m'],
  ] as const) {
    await chip(page, label).click()
    const dialog = page.getByRole('dialog', { name: label })
    await expect(dialog.getByText('Sum')).toHaveText(`Sum${sum}`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'More: Daily Breakdown' }).click()
  await page.getByRole('button', { name: 'Show as table: Daily Breakdown' }).click()
  const table = page.getByRole('table', { name: /^Daily Breakdown/ })
  for (const [opener, name, sum] of [
    [page.locator('[data-square="1"]').first(), 'Plan', '45m'],
    [page.getByRole('button', { name: /^Write, "report"/ }), 'Write, "report"', '1h 30m'],
    [table.getByRole('row', { name: /^Tue/ }).getByRole('button'), '17 Nov 2026', '45m'],
    [table.getByRole('row', { name: /^– Plan/ }).getByRole('button'), 'Plan', '45m'],
  ] as const) {
    await opener.click()
    await expect(page.getByRole('dialog', { name }).getByText('Sum')).toHaveText(`Sum${sum}`)
    await page.getByRole('button', { name: 'Close' }).click()
  }

  await chip(page, 'This Week').click()
  await page.getByRole('button', { name: 'Copy as CSV' }).click()
  await expect(page.getByText('Copied 2 sessions')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    [
      'Date,Task,Start,End,Counted seconds,Counted,Session seconds',
      '2026-11-18,"Write, ""report""",2026-11-18 09:00:00,2026-11-18 10:30:00,5400,1:30:00,5400',
      '2026-11-17,Plan,2026-11-17 09:00:00,2026-11-17 09:45:00,2700,0:45:00,2700',
      '',
    ].join('\r\n'),
  )
})

test('copying works without the clipboard API, as on a page without TLS, in the chosen form @long', async ({
  page,
  history,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await setNow(page)
  await history.entry(await history.task('Plan'), '2026-11-17 09:00', '2026-11-17 09:45')
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))
    const form = { separator: 'semicolon', decimal: 'comma', duration: 'hours' }
    localStorage.setItem('stint-csv-form', JSON.stringify(form))
  })
  await page.goto('/reports')
  await chip(page, 'This Week').click()
  await page.getByRole('button', { name: 'Copy as CSV' }).click()
  await expect(page.getByText('Copied 1 session')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy as CSV' })).toBeFocused()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    '2026-11-17;Plan;2026-11-17 09:00:00;2026-11-17 09:45:00;2700;0,7500;2700',
  )
})

test('no totals are shown while the history is loading @long', async ({ page, history }) => {
  await setNow(page)
  const write = await history.task('Write report')
  for (let minute = 0; minute < 110; minute++) {
    const start = new Date(Date.parse('2026-11-17T14:00:00Z') + minute * 120_000)
    const end = new Date(start.getTime() + 60_000)
    await history.entry(write, start.toISOString(), end.toISOString())
  }
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/time_entries/documents**', async (route) => {
    if (route.request().url().includes('cursorAfter')) await held
    await route.continue()
  })
  await page.goto('/reports')
  await expect(
    page.getByText('100 sessions loaded. Totals appear once all are loaded.'),
  ).toBeVisible()
  await expect(page.getByText('Loading reports...')).toBeVisible()
  await expect(page.getByText('This Week')).toBeVisible()
  await expect(page.getByRole('button', { name: 'This Week' })).toHaveCount(0)
  await expect(page.getByText('1h 40m')).toHaveCount(0)
  letGo()
  await expect(chip(page, 'This Week')).toHaveText('This Week1h 50m')
  await expect(chip(page, 'Sessions')).toHaveText('Sessions110')
  await expect(page.getByText('Loading reports...')).toHaveCount(0)
})

test('a failed load shows a notice above the available figures @long', async ({
  page,
  history,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await setNow(page)
  await history.entry(await history.task('Write'), '2026-11-18 09:00', '2026-11-18 10:00')
  await page.goto('/reports')
  await expect(chip(page, 'Today')).toHaveText('Today1h 0m')
  await page.route('**/time_entries/documents**', (route) =>
    route.fulfill({
      status: 500,
      json: { message: 'Server Error', code: 500, type: 'general_unknown', version: '1.0.0' },
    }),
  )
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Server Error')
  await expect(chip(page, 'Today')).toHaveText('Today1h 0m')
  const asked = page.waitForRequest('**/time_entries/documents**')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await asked
  await page.unroute('**/time_entries/documents**')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('when nothing could be loaded, the page shows an error and can be retried @long', async ({
  page,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await user.signInThroughApi()
  await page.route('**/time_entries/documents**', (route) =>
    route.fulfill({
      status: 500,
      json: { message: '', code: 500, type: 'general_unknown', version: '1.0.0' },
    }),
  )
  await page.goto('/reports')
  await expect(page.getByText('Failed to load time entries')).toBeVisible()
  await expect(page.getByText('Loading reports...')).toHaveCount(0)
  const asked = page.waitForRequest('**/time_entries/documents**')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await asked
  await page.unroute('**/time_entries/documents**')
  await expect(page.getByText('No task data available')).toBeVisible()
})

test('by keyboard alone a report can be read, stepped, explained and shown as tables @long', async ({
  page,
  history,
}) => {
  await setNow(page)
  const write = await history.task('Write report')
  const plan = await history.task('Plan the week')
  await history.entry(write, '2026-11-18 09:00', '2026-11-18 11:00')
  await history.entry(plan, '2026-11-17 09:00', '2026-11-17 10:00')
  await page.goto('/reports')
  await expect(chip(page, 'Today')).toBeVisible()
  // Nobody has chosen a category.
  await expect(page.getByRole('button', { name: 'Tag', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Category' })).toHaveCount(0)

  await tabTo(page, chip(page, 'Today'))
  await expect(page.getByRole('tooltip')).toHaveText('2h 0m')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Today' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chip(page, 'Today')).toBeFocused()

  await tabTo(page, page.getByRole('button', { name: 'Previous' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('8–14 Nov 2026')).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Next' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('15–21 Nov 2026')).toBeVisible()

  const more = page.getByRole('button', { name: 'More: Task Breakdown' })
  await tabTo(page, more)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Show as table: Task Breakdown' }))
  await page.keyboard.press('Enter')
  const table = page.getByRole('table', { name: 'Task Breakdown, 15–21 Nov 2026' })
  await expect(table.getByRole('row')).toHaveText([
    'TaskTimeShare',
    'Write report2h 0m67%',
    'Plan the week1h 0m33%',
    'All tasks3h 0m100%',
  ])
  await expect(more).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Show as chart: Task Breakdown' }))
  await page.keyboard.press('Enter')

  await tabTo(page, page.getByRole('img', { name: /^Task Breakdown/ }))
  const planRow = legendRows(page).filter({ hasText: 'Plan the week' })
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[data-square="0"]').first()).toHaveCSS('opacity', '0.25')
  await expect(page.locator('[data-square="1"]').first()).toHaveCSS('opacity', '1')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Plan the week' })).toBeVisible()
  await page.keyboard.press('Escape')
  await tabTo(page, planRow.getByRole('button'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Plan the week' })).toBeVisible()
  await page.keyboard.press('Escape')

  await tabTo(page, page.getByRole('button', { name: /^Tue 17 Nov/ }))
  const tip = page.locator('[data-tip-bubble]')
  await expect(tip).toContainText('1h 0m')
  await page.keyboard.press('Escape')
  await expect(tip).toHaveCount(0)
})

test('the parts of a bar have the colours of the tasks and a tooltip each, by pointer and by keys @long', async ({
  page,
  history,
}) => {
  await setNow(page)
  const write = await history.task('Write report')
  const plan = await history.task('Plan the week')
  await history.entry(write, '2026-11-17 09:00', '2026-11-17 12:00')
  await history.entry(plan, '2026-11-17 13:00', '2026-11-17 14:00')
  await history.entry(plan, '2026-11-16 13:00', '2026-11-16 14:00')
  await page.goto('/reports')
  const tuesday = page.getByRole('button', { name: /^Tue 17 Nov/ })
  await expect(tuesday).toHaveAccessibleDescription(
    'Write report 75%, 3 hours; Plan the week 25%, 1 hour',
  )
  const parts = tuesday.locator('[data-part]')
  await expect(parts).toHaveCount(2)
  const legend = await page
    .locator('[data-square="0"]')
    .first()
    .evaluate((square) => getComputedStyle(square).backgroundColor)
  await expect(parts.first()).toHaveCSS('background-color', legend)

  const tip = page.locator('[data-tip-bubble]')
  await parts.nth(1).hover()
  await expect(tip).toHaveText('Plan the week1h 0m · 25%17 Nov 2026')
  const day = section(page, 'Day Timeline')
  await parts.nth(1).click()
  await expect(day).toBeFocused()
  await expect(page).toHaveURL(/day=2026-11-17$/)
  await page.goto('/reports')
  await page.mouse.move(0, 0)
  await expect(tip).toHaveCount(0)

  await tabTo(page, tuesday)
  await expect(tip).toHaveText('17 Nov 20264h 0m')
  await page.keyboard.press('ArrowRight')
  await expect(tip).toHaveText('Write report3h 0m · 75%17 Nov 2026')
  await page.keyboard.press('ArrowRight')
  await expect(tip).toHaveText('Plan the week1h 0m · 25%17 Nov 2026')
  await page.keyboard.press('ArrowLeft')
  await expect(tip).toHaveText('Write report3h 0m · 75%17 Nov 2026')
  // The keys of the chart do not change the period.
  await expect(page.getByText('15–21 Nov 2026')).toBeVisible()

  await page.keyboard.press('Enter')
  await expect(day).toBeFocused()
  await expect(day).toBeInViewport()
  await expect(day.getByRole('status')).toHaveText('Yesterday')
  await expect(page).toHaveURL(/day=2026-11-17$/)
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('a touch of a part shows its tooltip, and the next one goes to the day @long', async ({
    page,
    history,
  }) => {
    await setNow(page)
    await history.entry(await history.task('Write report'), '2026-11-17 09:00', '2026-11-17 12:00')
    await page.goto('/reports?view=monthly')
    const part = page.getByRole('button', { name: /^Week 3/ }).locator('[data-part]')
    const tip = page.locator('[data-tip-bubble]')
    const day = section(page, 'Day Timeline')
    await part.tap()
    await expect(tip).toHaveText('Write report3h 0m · 100%15–21 Nov 2026')
    // The first day with work.
    await expect(day.getByRole('status')).toHaveText('Yesterday')
    await expect(day).not.toBeFocused()
    await part.tap()
    await expect(day).toBeFocused()
    await expect(tip).toHaveCount(0)

    await page.getByRole('button', { name: /^Week 2/ }).tap()
    await expect(day.getByRole('status')).toHaveText('Sun 8 Nov')
  })
})

test('the arrow keys and T change the period, except where keys have another meaning @long', async ({
  page,
  user,
}) => {
  await setNow(page)
  await user.open('/reports?day=2026-11-10')
  const label = page.getByRole('region', { name: 'Time Controls' }).getByRole('status')
  const day = section(page, 'Day Timeline').getByRole('status')
  await expect(page.getByText('No task data available')).toBeVisible()
  await expect(day).toHaveText('Tue 10 Nov')
  await page.keyboard.press('t')
  await expect(day).toHaveText('Today')
  await page.keyboard.press('ArrowLeft')
  await expect(label).toHaveText('8–14 Nov 2026')
  await page.keyboard.press('ArrowLeft')
  await expect(label).toHaveText('1–7 Nov 2026')
  await page.keyboard.press('ArrowRight')
  await expect(label).toHaveText('8–14 Nov 2026')
  await page.keyboard.press('t')
  await expect(label).toHaveText('15–21 Nov 2026')

  await page.getByRole('button', { name: 'Go to date' }).click()
  const date = page.getByRole('dialog', { name: 'Go to date' }).getByLabel('Date')
  await expect(date).toBeFocused()
  for (const key of ['ArrowRight', 'ArrowLeft', 't']) await page.keyboard.press(key)
  await expectClear(page, 'go-to-date', [320, 390, 1280])
  await date.fill('2024-02-29')
  await page.keyboard.press('Enter')
  await expect(label).toHaveText('25 Feb – 2 Mar 2024')
  await expect(day).toHaveText('Thu 29 Feb 2024')
  await expect(page.getByRole('button', { name: 'Go to date' })).toBeFocused()

  await page.goto('/settings')
  const shortcuts = page.getByLabel('Single-key shortcuts')
  await shortcuts.click()
  await expect(shortcuts).not.toBeChecked()
  await answersNoted(page)
  await page.goto('/reports')
  await expect(label).toHaveText('15–21 Nov 2026')
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(label).toHaveText('22–28 Nov 2026')
})

test('a date is typed as people write it, or chosen in a calendar by keyboard or pointer @long', async ({
  page,
  user,
}) => {
  await setNow(page)
  await user.open('/reports?day=2026-11-10')
  const day = section(page, 'Day Timeline').getByRole('status')
  const goTo = page.getByRole('button', { name: 'Go to date' })
  const asking = page.getByRole('dialog', { name: 'Go to date' })
  const date = asking.getByLabel('Date')
  const calendar = page.getByRole('dialog', { name: 'Calendar' })
  for (const [typed, shown, label] of [
    ['3.9.2025', '3 Sep 2025', 'Wed 3 Sep 2025'],
    ['Nov 3', '3 Nov 2026', 'Tue 3 Nov'],
    ['last monday', '16 Nov 2026', 'Mon 16 Nov'],
    ['yesterday', '17 Nov 2026', 'Yesterday'],
  ] as const) {
    await goTo.click()
    await date.fill(typed)
    await expect(date).toHaveValue(typed)
    await expect(asking.getByRole('status')).toHaveText(new RegExp(`^\\w{3} ${shown}$`))
    await date.press('Tab')
    await expect(date).toHaveValue(shown)
    await asking.getByRole('button', { name: 'Show' }).click()
    await expect(day).toHaveText(label)
  }

  await goTo.click()
  await date.fill('10 Nov 2026')
  await date.press('ArrowDown')
  await expect(calendar.getByRole('button', { name: 'Tuesday, 10 November 2026' })).toBeFocused()
  await expect(calendar.locator('th').first()).toHaveText('Su')
  await expectClear(page, 'calendar', [320, 390, 1280])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowLeft')
  await expect(calendar.getByRole('button', { name: 'Monday, 16 November 2026' })).toBeFocused()
  await page.keyboard.press('PageUp')
  await page.keyboard.press('Enter')
  await expect(calendar).toHaveCount(0)
  await expect(date).toHaveValue('16 Oct 2026')
  const button = asking.getByRole('button', { name: 'Open calendar' })
  await expect(button).toBeFocused()

  await button.click()
  await expect(calendar).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(calendar).toHaveCount(0)
  await expect(asking).toBeVisible()
  await button.click()
  await calendar.getByRole('button', { name: 'Previous month' }).click()
  await calendar.getByRole('button', { name: 'Friday, 11 September 2026' }).click()
  await expect(date).toHaveValue('11 Sep 2026')
  await asking.getByRole('button', { name: 'Show' }).click()
  await expect(day).toHaveText('Fri 11 Sep')
})

test('a report is about any range, chosen or typed, and its address names both days @long', async ({
  page,
  history,
}) => {
  await setNow(page)
  const write = await history.task('Write report')
  const plan = await history.task('Plan the week')
  await history.entry(write, '2026-11-18 09:00', '2026-11-18 11:00')
  await history.entry(write, '2026-11-03 09:00', '2026-11-03 10:00')
  await history.entry(plan, '2026-10-20 09:00', '2026-10-20 13:00')
  await history.entry(plan, '2026-07-06 09:00', '2026-07-06 12:00')
  await history.entry(plan, '2024-03-04 09:00', '2024-03-04 10:00')
  await page.goto('/reports?from=2026-11-03&to=2026-11-17')
  const label = page.getByRole('region', { name: 'Time Controls' }).getByRole('status')
  await expect(label).toHaveText('3–17 Nov 2026')
  await expect(sentence(page)).toHaveText(
    '1h 0m in 1 session, 3h 0m less than the 15 days before, all of it on Write report',
  )
  await expect(section(page, 'Daily Breakdown').getByRole('listitem')).toHaveCount(15)
  await expectClear(page, 'reports-range', [320, 390, 768, 1280])

  const range = page.getByRole('button', { name: 'Range', exact: true })
  const picker = page.getByRole('dialog', { name: 'Choose a range' })
  const typed = picker.getByLabel('From – to')
  await range.click()
  await expect(typed).toBeFocused()
  await typed.fill('soon')
  await typed.press('Enter')
  await expect(picker.getByRole('alert')).toContainText('Not understood.')
  await typed.fill('jul - sep')
  await expect(picker.getByRole('status')).toHaveText('1 Jul – 30 Sep 2026')
  await expectClear(page, 'range-picker', [320, 390, 1280])
  await typed.press('Enter')
  await expect(page).toHaveURL('/reports?from=2026-07-01&to=2026-09-30')
  const weeks = section(page, 'Weekly Breakdown').getByRole('listitem').getByRole('button')
  await expect(weeks).toHaveCount(14)
  await expect(weeks.nth(1)).toHaveAccessibleName('Week 2 5–11 Jul 3.0h: 3 hours')
  await expectClear(page, 'reports-range-weeks', [320, 390, 1280])
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page).toHaveURL('/reports?from=2026-10-01&to=2026-12-31')
  await page.goBack()
  await expect(label).toHaveText('1 Jul – 30 Sep 2026')
  await page.getByRole('button', { name: 'Current range' }).click()
  await expect(label).toHaveText('1 Oct – 31 Dec 2026')

  await range.click()
  await picker.getByRole('button', { name: /^All time/ }).click()
  await expect(page).toHaveURL('/reports?from=2024-03-04&to=2026-11-18')
  const months = section(page, 'Monthly Breakdown').getByRole('listitem').getByRole('button')
  await expect(months).toHaveCount(33)
  await expect(months.first()).toHaveAccessibleName('Mar 2024: 4–31 Mar 2024, 1 hour')
  await expect(sentence(page)).toHaveText('11h 0m in 5 sessions, mostly Plan the week')
  await page.getByRole('link', { name: 'Export & import' }).click()
  await expect(page.getByRole('status', { name: 'To export' })).toHaveText('5 sessions, 11h 0m')
  await page.getByRole('link', { name: 'Printable report' }).click()
  await expect(page.getByText('4 Mar 2024 – 18 Nov 2026')).toBeVisible()

  await page.goto('/reports?from=2026-11-18&to=2026-11-18')
  await range.click()
  await picker.getByRole('button', { name: /^This month/ }).click()
  await expect(page).toHaveURL('/reports?view=monthly&from=2026-11-01')
  await expect(page.getByRole('button', { name: 'Monthly' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
})

test('the breakdown can be by category or by tag, and a session counts in each of its tags @long', async ({
  page,
  history,
  user,
}) => {
  await setNow(page)
  const write = await history.task('Write report')
  const { $id: plan } = await user.create('tasks', { name: 'Plan the week', category: 'Design' })
  await history.entry(write, '2026-11-17 09:00', '2026-11-17 12:00', [], 'Draft #acme #call')
  await history.entry(plan, '2026-11-17 13:00', '2026-11-17 14:00', [], '#Acme')
  await history.entry(plan, '2026-11-16 13:00', '2026-11-16 14:00')
  await page.goto('/reports')
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  await expect(page).toHaveURL(/by=tag$/)
  await expect(legendRows(page)).toHaveText(['#Acme4h 0m50%', '#call3h 0m38%', 'No tag1h 0m12%'])
  const breakdown = section(page, 'Task Breakdown')
  await expect(breakdown).toContainText(
    'A session with several tags counts in each of them. Together the tags have 8h 0m, and the shares are of that.',
  )
  await expectClear(page, 'reports-tags', [320, 390, 1280])
  await legendRows(page).nth(1).getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: '#call' })
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await expect(dialog.getByText('Sum')).toHaveText('Sum3h 0m')
  await expectClear(page, 'reports-tag-explained', [320])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(page.getByText('No task data available')).toBeVisible()
  await page.goBack()
  await page.reload()
  await expect(legendRows(page).first()).toContainText('#Acme')
  await page.getByRole('button', { name: 'Category' }).click()
  await expect(legendRows(page)).toHaveText(['Development3h 0m60%', 'Design2h 0m40%'])
  await breakdown.getByRole('button', { name: 'Task', exact: true }).click()
  await expect(page).not.toHaveURL(/by=/)
  await expect(legendRows(page)).toHaveText(['Write report3h 0m60%', 'Plan the week2h 0m40%'])
})

test('time that two sessions count is named beside the total, and leads to the data checks @long', async ({
  page,
  history,
}) => {
  await setNow(page)
  const task = await history.task('Write')
  await history.entry(task, '2026-11-17 00:00', '2026-11-17 20:00')
  await history.entry(task, '2026-11-17 04:00', '2026-11-17 23:00')
  await page.goto('/reports?from=2026-11-18&to=2026-11-18')
  await expect(page.getByText('0 sessions').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'counted twice' })).toHaveCount(0)
  await page.goto('/reports')
  await page.getByRole('link', { name: '16h 0m counted twice' }).click()
  await expect(page.getByLabel('Problems')).toContainText('3 problems')
})

test('printing contains the report without the rest of the app @long', async ({ page, user }) => {
  await user.open('/reports')
  await expect(page.getByText('No task data available')).toBeVisible()
  await setTheme(page, 'dark')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Next' })).toBeHidden()
  await expect(page.locator('[data-square]').first()).toHaveCSS(
    'background-color',
    'rgb(229, 231, 235)',
  )
})

test('the reports page fits every width in both themes, with twelve tasks and with none @long', async ({
  page,
  user,
}) => {
  const widths = [320, 390, 1280]
  await setNow(page)
  await user.open('/reports')
  await expect(page.getByText('No task data available')).toBeVisible()
  await expectClear(page, 'reports-empty', widths)

  await seedTwelveTasks(user)
  await page.goto('/reports?view=monthly')
  await expect(legendRows(page)).toHaveCount(11)
  await expectClear(page, 'reports', widths)
  await page.getByRole('button', { name: 'More: Task Breakdown' }).click()
  await page.getByRole('button', { name: 'Show as table: Task Breakdown' }).click()
  await page.getByRole('button', { name: 'More: Weekly Breakdown' }).click()
  await page.getByRole('button', { name: 'Show as table: Weekly Breakdown' }).click()
  await expectClear(page, 'reports-tables', widths)
  await chip(page, 'This Month').click()
  await expect(page.getByRole('dialog', { name: 'This Month' })).toBeVisible()
  await expectClear(page, 'reports-explained', widths)
})

function chip(page: Page, label: string) {
  return page
    .getByRole('list', { name: 'Quick Stats' })
    .getByRole('button', { name: new RegExp(`^${label}`) })
}

function section(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true })
}

/** Returns the sentence about the period. */
function sentence(page: Page) {
  return page.getByRole('region', { name: 'Time Controls' }).getByRole('paragraph')
}

function legendRows(page: Page) {
  return section(page, 'Task Breakdown').getByRole('listitem')
}

/** Returns the widths of the bars in percent of the widest, as shown. */
async function barPercents(page: Page, title: string): Promise<number[]> {
  await setTheme(page, 'light')
  const widths = await section(page, title)
    .locator('[data-bar]')
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width))
  const most = Math.max(...widths)
  return widths.map((width) => Math.round((100 * width) / most))
}

/** Creates twelve tasks of a month with decreasing time. */
async function seedTwelveTasks(user: Person): Promise<void> {
  const { history } = user
  const names = [
    'Website redesign',
    'تقرير المبيعات الشهري للعملاء',
    'Quarterly planning with the whole extended leadership team and observers from the board',
    ...Array.from({ length: 9 }, (_, index) => `Task ${index}`),
  ]
  for (const [index, name] of names.entries()) {
    const taskId = await history.task(name)
    await history.entry(
      taskId,
      '2026-11-03 08:00',
      `2026-11-03 ${String(20 - index).padStart(2, '0')}:30`,
    )
  }
}
