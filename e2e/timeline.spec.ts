/** The hourly view of a day: viewing, editing and filling in, by mouse, touch and keyboard. */
import type { Locator, Page } from '@playwright/test'

import { blocks, day, openDay } from './day.ts'
import { expect, startTimer, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { daysAgo, setNow, shownDate } from './history.ts'
import { collisions, expectClear } from './looks.ts'
import { pickTask, timeOf, unfold } from './task-page.ts'

test('the day of a past period is its last one with sessions, until another is chosen @long', async ({
  page,
  history,
}) => {
  await setNow(page)
  const write = await history.task('Write report')
  await history.entry(write, '2024-03-05 09:00', '2024-03-05 10:00')
  await history.entry(write, '2024-03-07 09:00', '2024-03-07 10:00')
  await history.entry(await history.task('Plan week'), '2024-03-08 09:00', '2024-03-08 10:00')
  await page.goto('/reports?view=yearly&from=2024-01-01')
  await expect(label(page)).toHaveText('Fri 8 Mar 2024')
  await expect(blocks(page)).toHaveText(['Edit Plan week, 09:00 – 10:00, 1h 0m'])
  await day(page).getByRole('button', { name: 'Day before' }).click()
  await expect(label(page)).toHaveText('Thu 7 Mar 2024')

  // Another period has another day, and a year without sessions its last one.
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(label(page)).toHaveText('Sun 31 Dec 2023')
  await day(page).getByRole('button', { name: 'Current day' }).click()
  await expect(label(page)).toHaveText('Today')

  await page.goto(`/tasks/${write}?view=weekly&from=2024-03-03`)
  await expect(label(page)).toHaveText('Thu 7 Mar 2024')
})

for (const width of [390, 768, 1280]) {
  test(`at ${width} px a session is drawn when it was, as long as it was, and no label covers another @long`, async ({
    page,
    user,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    await setNow(page)
    await openBusyDay(page, user)
    await expect(blocks(page)).toHaveCount(7)
    await day(page).getByRole('button', { name: 'Show whole day' }).click()
    const bed = await boxOf(bedOf(page))
    const drawn = []
    for (const block of await blocks(page).all()) {
      const { y, height } = await boxOf(block)
      drawn.push([Math.round((y - bed.y) / 0.8), Math.round(height / 0.8)])
    }
    // The start and the length of each in minutes.
    expect(drawn).toEqual([
      [450, 100],
      [550, 4],
      [560, 5],
      [630, 90],
      [660, 45],
      [690, 50],
      [790, 50],
    ])
    expect(await collisions(page)).toEqual([])
  })
}

test('the current time passes behind the label of a session that has just ended @long', async ({
  page,
  history,
}) => {
  await setNow(page)
  const write = await history.task('Write report')
  await history.entry(write, '2026-11-18 14:55', '2026-11-18 14:59')
  await page.goto('/reports')
  const box = await boxOf(blocks(page))
  const line = await boxOf(day(page).locator('[data-now]'))
  expect(box.y + box.height).toBeLessThanOrEqual(line.y + line.height)
  const name = day(page).getByText('Write report')
  const { x, y, width, height } = await boxOf(name)
  const text = await name.evaluate(
    (element, at) => element.contains(document.elementFromPoint(at.x, at.y)),
    { x: x + width / 2, y: y + height / 2 },
  )
  expect(text).toBe(true)
})

test('a day shows the hours around its sessions, and all of them on request @long', async ({
  page,
  history,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await setNow(page)
  const write = await history.task('Write report')
  await history.entry(write, '2026-11-17 00:00', '2026-11-17 00:30')
  await history.entry(write, '2026-11-17 21:00', '2026-11-17 21:30')
  await page.goto('/reports?day=2026-11-17')
  await expect(blocks(page)).toHaveCount(2)
  const folded = await boxOf(bedOf(page))
  expect(folded.height).toBeLessThan(844)
  const hour = (text: string) => day(page).getByText(text, { exact: true })
  await expect(hour('12:00')).toHaveCount(0)
  await day(page).getByRole('button', { name: 'Show whole day' }).click()
  await expect(hour('12:00')).toBeVisible()
  await day(page).getByRole('button', { name: 'Show worked hours' }).click()
  await expect(hour('12:00')).toHaveCount(0)
})

test('a day shows what was worked on when, and the days around it', async ({ page, history }) => {
  await setNow(page)
  const write = await history.task('Write report')
  const plan = await history.task('Plan week')
  await history.entry(write, '2026-11-18 09:00', '2026-11-18 10:30')
  await history.entry(plan, '2026-11-18 10:00', '2026-11-18 11:00')
  await history.entry(write, '2026-11-17 23:10', '2026-11-18 00:40', [
    ['2026-11-17 23:30', '2026-11-17 23:40'],
  ])
  await page.goto('/reports')
  await expect(label(page)).toHaveText('Today')
  await expect(blocks(page)).toHaveText([
    'Edit Write report, 23:10 – 00:40 +1, 40m',
    'Edit Write report, 09:00 – 10:30, 1h 30m',
    'Edit Plan week, 10:00 – 11:00, 1h 0m',
  ])
  await expect(day(page).getByRole('button', { name: '3h 10m' })).toBeVisible()
  await expect(day(page).locator('[data-now]')).toBeVisible()
  // Overlapping sessions are side by side.
  const [first, second] = [await boxOf(blocks(page).nth(1)), await boxOf(blocks(page).nth(2))]
  expect(second.x).toBeGreaterThanOrEqual(first.x + first.width)
  expect(second.y).toBeLessThan(first.y + first.height)

  await day(page).getByRole('button', { name: 'Day before' }).click()
  await expect(label(page)).toHaveText('Yesterday')
  await expect(page).toHaveURL(/\?day=2026-11-17$/)
  await expect(blocks(page)).toHaveText(['Edit Write report, 23:10 – 00:40 +1, 40m'])
  await expect(day(page).locator('[data-mark="pause"]')).toHaveCount(1)
  await expect(day(page).locator('[data-now]')).toHaveCount(0)
  await day(page).getByRole('button', { name: 'Day before' }).click()
  await expect(label(page)).toHaveText('Mon 16 Nov')

  // The period is a separate parameter of the address and does not change the day.
  await page.getByRole('button', { name: 'Monthly' }).click()
  await expect(page).toHaveURL(/view=monthly.*day=2026-11-16$/)
  await page.reload()
  await expect(label(page)).toHaveText('Mon 16 Nov')
  await day(page).getByRole('button', { name: 'Current day' }).click()
  await expect(label(page)).toHaveText('Today')
})

test('a day can be shown as a table, and its total can be explained @long', async ({
  page,
  history,
}) => {
  await openDay(page, history)
  await day(page).getByRole('button', { name: 'More: Day Timeline' }).click()
  await day(page).getByRole('button', { name: 'Show as table' }).click()
  await expect(day(page).getByRole('row')).toHaveText([
    'TaskStartEndWorked',
    'Write report09:0010:301h 30m',
    'Plan week13:0014:001h 0m',
    'Yesterday2h 30m',
  ])
  await day(page).getByRole('button', { name: '2h 30m' }).click()
  await expect(page.getByRole('dialog', { name: 'Yesterday' })).toContainText('Plan week')
})

test('the day of one task draws the sessions of other tasks in the background @long', async ({
  page,
  history,
}) => {
  const taskId = await openDay(page, history)
  await page.goto(`/tasks/${taskId}?day=${daysAgo(1)}`)
  await expect(blocks(page)).toHaveCount(2)
  await expect(day(page).getByRole('button', { name: '1h 30m', exact: true })).toBeVisible()
  await day(page).getByRole('button', { name: 'More: Day Timeline' }).click()
  await day(page).getByRole('button', { name: 'Show as table' }).click()
  await expect(day(page).getByRole('row')).toHaveCount(3)
})

test('a running timer is drawn, grows, and opens in its own editor @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write report'])
  await startTimer(page, 'Write report')
  await page.getByRole('link', { name: 'Reports' }).click()
  await expect(blocks(page)).toHaveText([/^Edit Write report, \d\d:\d\d – now, 0m$/])
  await blocks(page).click()
  await expect(page.getByRole('dialog', { name: 'Edit timer' })).toBeVisible()
})

test('by mouse: a session is opened, and empty time is pressed and dragged over @long', async ({
  page,
  history,
}) => {
  await openDay(page, history)
  await day(page).getByRole('button', { name: 'Show whole day' }).click()
  await blocks(page).first().click()
  const editor = page.getByRole('dialog', { name: 'Edit session' })
  await expect(timeOf(editor)).toHaveValue(/ 09:00 – /)
  await page.keyboard.press('Escape')
  await expect(editor).toHaveCount(0)
  await expect(blocks(page).first()).toBeFocused()

  await clickAt(page, '15:02')
  const adding = page.getByRole('dialog', { name: 'Add time' })
  await expect(timeOf(adding)).toHaveValue(/ 15:00 – 15:30$/)
  await page.keyboard.press('Escape')
  await expect(adding).toHaveCount(0)

  // Escape cancels a drag.
  await drag(page, '16:31', '15:14', async () => {
    await expect(day(page).getByText('15:15 – 16:30 · 1h 15m')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(day(page).getByText('15:15 – 16:30')).toHaveCount(0)
  })
  await expect(adding).toHaveCount(0)

  await drag(page, '15:14', '16:31')
  await expect(timeOf(adding)).toHaveValue(/ 15:15 – 16:30$/)
  await pickTask(adding, 'Write report')
  await adding.getByRole('button', { name: 'Save' }).click()
  await expect(blocks(page).nth(2)).toHaveText('Edit Write report, 15:15 – 16:30, 1h 15m')
})

test('by mouse: a session is moved and resized, and Undo puts it back @long', async ({
  page,
  history,
  user,
}) => {
  await openDay(page, history)
  await day(page).getByRole('button', { name: 'Show whole day' }).click()
  await drag(page, '09:45', '11:16')
  await expect(blocks(page).first()).toHaveText('Edit Write report, 10:30 – 12:00, 1h 30m')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(async () => (await user.stored('time_entries')).length).toBe(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(blocks(page).first()).toHaveText('Edit Write report, 09:00 – 10:30, 1h 30m')

  const block = await boxOf(blocks(page).first())
  await dragFrom(page, { x: block.x + 40, y: block.y + block.height - 2 }, 48)
  await expect(blocks(page).first()).toHaveText('Edit Write report, 09:00 – 11:30, 2h 30m')
  await dragFrom(page, { x: block.x + 40, y: block.y + 2 }, 24)
  await expect(blocks(page).first()).toHaveText('Edit Write report, 09:30 – 11:30, 2h 0m')
  await expect
    .poll(() => user.stored('time_entries'))
    .toContainEqual(expect.objectContaining({ durationSeconds: 7200 }))
})

test('by keyboard: sessions, gaps and the rest of the day are reached in their order @long', async ({
  page,
  history,
}) => {
  await openDay(page, history)
  await blocks(page).first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Edit session' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(blocks(page).first()).toBeFocused()
  await page.keyboard.press('Tab')
  const gap = day(page).getByRole('button', {
    name: 'Fill 10:30 – 13:00, 2h 30m untracked',
    exact: true,
  })
  await expect(gap).toBeFocused()
  await page.keyboard.press('Enter')
  const adding = page.getByRole('dialog', { name: 'Add time' })
  await expect(timeOf(adding)).toHaveValue(/ 10:30 – 13:00$/)
  await page.keyboard.press('Escape')
  for (const name of ['Mark as break 10:30 – 13:00', 'Ignore 10:30 – 13:00']) {
    await page.keyboard.press('Tab')
    await expect(day(page).getByRole('button', { name })).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(blocks(page).nth(1)).toBeFocused()

  await day(page).getByRole('button', { name: 'Add to this day' }).focus()
  await page.keyboard.press('Space')
  await unfold(adding)
  await expect(adding.getByLabel('Date')).toHaveValue(shownDate(daysAgo(1)))
  await expect(adding.getByLabel('Start')).toHaveValue('14:00')
  await expect(adding.getByLabel('End')).toHaveValue('14:30')
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('by touch a tap opens or fills in, a long press drags and a swipe scrolls @long', async ({
    page,
    history,
  }) => {
    await openDay(page, history)
    await day(page).getByRole('button', { name: 'Show whole day' }).tap()
    const block = await boxOf(blocks(page).first())
    await page.touchscreen.tap(block.x + 20, block.y + 20)
    await expect(page.getByRole('dialog', { name: 'Edit session' })).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    const { x, y } = await placeOf(page, '15:02')
    await page.touchscreen.tap(x, y)
    const adding = page.getByRole('dialog', { name: 'Add time' })
    await expect(timeOf(adding)).toHaveValue(/ 15:00 – /)
    await adding.getByRole('button', { name: 'Cancel' }).click()
    await expect(adding).toHaveCount(0)

    const finger = await fingerOf(page)
    const scrolled = () => page.evaluate(() => scrollY)
    const from = await placeOf(page, '15:14')
    const to = await placeOf(page, '16:31')
    await finger('touchStart', from)
    await expect(day(page).getByText(/^15:15 – /)).toBeAttached()
    const before = await scrolled()
    for (const share of [0.3, 0.6, 1]) {
      await finger('touchMove', { x: from.x, y: from.y + (to.y - from.y) * share })
    }
    await expect(day(page).getByText('15:15 – 16:30 · 1h 15m')).toBeVisible()
    expect(await scrolled()).toBe(before)
    await finger('touchEnd')
    await expect(timeOf(adding)).toHaveValue(/ 15:15 – 16:30$/)
    await adding.getByRole('button', { name: 'Cancel' }).click()
    await expect(adding).toHaveCount(0)

    // A long touch on a session moves it.
    const held = await boxOf(blocks(page).first())
    await finger('touchStart', { x: held.x + 20, y: held.y + 40 })
    await expect(day(page).locator('[data-dragged]')).toHaveText('09:00 – 10:30 · 1h 30m')
    await finger('touchMove', { x: held.x + 20, y: held.y + 64 })
    await finger('touchEnd')
    await expect(blocks(page).first()).toHaveText('Edit Write report, 09:30 – 11:00, 1h 30m')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    // A touch that moves at once scrolls.
    const start = await placeOf(page, '15:14')
    const top = await scrolled()
    await finger('touchStart', start)
    for (const step of [20, 60, 120]) {
      await finger('touchMove', { x: start.x, y: start.y + step })
    }
    await finger('touchEnd')
    await expect.poll(scrolled).toBeLessThan(top)
    await expect(adding).toHaveCount(0)
  })
})

test('a busy day fits every width in both themes @long', async ({ page, user }) => {
  await setNow(page)
  const taskId = await openBusyDay(page, user)
  await expect(blocks(page)).toHaveCount(7)
  await expectClear(page, 'day')
  await page.goto(`/tasks/${taskId}`)
  await expect(blocks(page)).toHaveCount(7)
  await expectClear(page, 'task-day')
})

/** Opens a day with short, long, paused and overlapping sessions, and one over midnight. */
async function openBusyDay(page: Page, user: Person): Promise<string> {
  await user.signInThroughApi()
  const { history } = user
  const write = await history.task('Write the quarterly report for the whole of the department')
  const plan = await history.task('Plan week')
  const call = await history.task('שיחה עם בני')
  await history.entry(write, '2026-11-18 07:30', '2026-11-18 09:10', [
    ['2026-11-18 08:10', '2026-11-18 08:35'],
  ])
  await history.entry(call, '2026-11-18 09:10', '2026-11-18 09:14')
  await history.entry(plan, '2026-11-18 09:20', '2026-11-18 09:25')
  await history.entry(write, '2026-11-18 10:30', '2026-11-18 12:00')
  await history.entry(plan, '2026-11-18 11:00', '2026-11-18 11:45')
  await history.entry(call, '2026-11-18 11:30', '2026-11-18 12:20')
  await history.entry(plan, '2026-11-18 13:10', '2026-11-18 14:00')
  await page.goto('/reports')
  return write
}

function label(page: Page): Locator {
  return day(page).getByRole('status')
}

async function boxOf(locator: Locator) {
  await locator.scrollIntoViewIfNeeded()
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not on the page.')
  return box
}

interface Place {
  readonly x: number
  readonly y: number
}

/** Returns what the sessions of the day are drawn on. */
function bedOf(page: Page): Locator {
  return day(page)
    .getByRole('list', { name: /^Day Timeline/ })
    .locator('..')
}

/** Returns the position of a time on the rail, with the time scrolled into view. */
async function placeOf(page: Page, time: string): Promise<Place> {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  // A dialog that has just closed gives the page its scroll position back.
  await expect(page.locator('html')).not.toHaveAttribute('data-base-ui-scroll-locked')
  // The hour lines are 48 px apart, and the first is at 00:00.
  const from = (hours + minutes / 60) * 48
  await bedOf(page).evaluate((element, y) => {
    scrollTo(0, scrollY + element.getBoundingClientRect().top + y - innerHeight / 2)
  }, 13 * 48)
  const box = await bedOf(page).boundingBox()
  if (!box) throw new Error('The day is not on the page.')
  return { x: box.x + 20, y: box.y + from }
}

async function clickAt(page: Page, time: string): Promise<void> {
  const { x, y } = await placeOf(page, time)
  await page.mouse.click(x, y)
}

/** Drags from one time to another; `meanwhile` runs before the button is released. */
async function drag(
  page: Page,
  from: string,
  to: string,
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const end = await placeOf(page, to)
  const start = await placeOf(page, from)
  await dragFrom(page, start, end.y - start.y, meanwhile)
}

/** Drags down by so many pixels; negative: up. */
async function dragFrom(
  page: Page,
  { x, y }: Place,
  by: number,
  meanwhile?: () => Promise<void>,
): Promise<void> {
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + by, { steps: 4 })
  await meanwhile?.()
  await page.mouse.up()
}

/** Returns a simulated finger; Playwright supports only taps. */
async function fingerOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  return async (type: 'touchStart' | 'touchMove' | 'touchEnd', place?: Place) => {
    await session.send('Input.dispatchTouchEvent', { type, touchPoints: place ? [place] : [] })
  }
}
