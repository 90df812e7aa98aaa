/** Today's bar on the dashboard: what was worked on when, by mouse, touch and keyboard. */
import type { Locator, Page } from '@playwright/test'

import { expect, startTimer, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { NOW, setNow } from './history.ts'
import { expectClear } from './looks.ts'
import { pickTask, timeOf } from './task-page.ts'

test('the bar shows the sessions, the gaps and the current time, and a press opens the editor', async ({
  page,
  user,
}) => {
  await openToday(page, user)
  await expect(parts(page)).toHaveCount(3)
  await expect(parts(page).nth(0)).toHaveAccessibleName('Write report, 09:00 – 10:15')
  await expect(parts(page).nth(1)).toHaveAccessibleName('Fill 10:15 – 12:00')
  await expect(parts(page).nth(2)).toHaveAccessibleName('Plan week, 12:00 – 13:30')
  await expect(bar(page).locator('[data-now]')).toBeVisible()
  const [first, last] = [await boxOf(parts(page).first()), await boxOf(parts(page).last())]
  const dot = page
    .getByRole('listitem')
    .filter({ hasText: 'Write report' })
    .locator('a > span')
    .first()
  await expect(parts(page).nth(0).locator('[data-mark="work"]')).toHaveCSS(
    'background-color',
    await dot.evaluate((each) => getComputedStyle(each).backgroundColor),
  )
  // 09:00 – 10:15 and 12:00 – 13:30, on a bar from 08:00 to 17:00.
  const { x, width } = await boxOf(page.locator('[data-tip="0"]').locator('../..'))
  expect((first.x - x) / width).toBeCloseTo(1 / 9, 2)
  expect(first.width / width).toBeCloseTo(75 / 540, 2)
  expect(last.width / width).toBeCloseTo(90 / 540, 2)
  const now = await boxOf(bar(page).locator('[data-now]'))
  expect((now.x - x) / width).toBeCloseTo(7 / 9, 2)

  await parts(page).nth(0).hover()
  await expect(page.locator('[data-tip-bubble]')).toHaveText('Write report09:00 – 10:15 · 1h 15m')
  await parts(page).nth(0).click()
  const editor = page.getByRole('dialog', { name: 'Edit session' })
  await timeOf(editor).fill('until 10')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(parts(page).nth(0)).toHaveAccessibleName('Write report, 09:00 – 10:00')

  await bar(page).getByRole('link', { name: 'Day Timeline' }).click()
  await expect(page).toHaveURL(/\/reports#day-timeline$/)
  await expect(page.getByRole('region', { name: 'Day Timeline' })).toBeFocused()
})

test('a drag over free time fills that much of it, and never time of a session @long', async ({
  page,
  user,
}) => {
  await openToday(page, user)
  const gap = await boxOf(parts(page).nth(1))
  const y = gap.y + gap.height / 2
  await page.mouse.move(gap.x + gap.width / 2, y)
  await page.mouse.down()
  await page.mouse.move(gap.x + gap.width + 30, y, { steps: 4 })
  await page.mouse.up()
  const editor = page.getByRole('dialog', { name: 'Add time' })
  await expect(timeOf(editor)).toHaveValue(/^11:[01]\d – 12:00$/)
  await page.keyboard.press('Escape')
  await expect(editor).toHaveCount(0)

  // A press fills the whole gap.
  await parts(page).nth(1).click()
  await expect(timeOf(editor)).toHaveValue('10:15 – 12:00')
  await pickTask(editor, 'Plan week')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(parts(page).nth(1)).toHaveAccessibleName('Plan week, 10:15 – 12:00')
})

test('by keyboard the bar is one stop, and arrow keys move in it @long', async ({ page, user }) => {
  await openToday(page, user)
  await bar(page).getByRole('link', { name: 'Day Timeline' }).focus()
  await page.keyboard.press('Tab')
  await expect(parts(page).nth(0)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(parts(page).nth(1)).toBeFocused()
  await expect(page.locator('[data-tip-bubble]')).toHaveText('Untracked10:15 – 12:00 · 1h 45m')
  await page.keyboard.press('End')
  await expect(parts(page).nth(2)).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(timeOf(page.getByRole('dialog', { name: 'Add time' }))).toHaveValue('10:15 – 12:00')
  await page.keyboard.press('Escape')
  await expect(parts(page).nth(1)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(bar(page).getByRole('button').and(page.locator(':focus'))).toHaveCount(0)
})

test('the running timer grows in the bar @long', async ({ page, user }) => {
  await openToday(page, user, null)
  await startTimer(page, 'Write report')
  const live = bar(page).getByRole('button', { name: /^Write report, \d\d:\d\d – now$/ })
  await expect(live).toBeVisible()
  await live.click()
  await expect(page.getByRole('dialog', { name: 'Edit timer' })).toBeVisible()
})

test('a day that begins at 09:00 begins there in the bar, and the first sync shows no empty day @long', async ({
  page,
  user,
}) => {
  await setNow(page)
  await addToday(user)
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/time_entries/documents**', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(bar(page)).toBeVisible()
  await expect(bar(page).locator('[data-now]')).toHaveCount(0)
  const before = await boxOf(page.getByText('Quick Start'))
  letGo()
  await expect(parts(page)).toHaveCount(3)
  expect((await boxOf(page.getByText('Quick Start'))).y).toBe(before.y)
  await expect(bar(page).getByText('08', { exact: true })).toBeVisible()

  await page.goto('/settings')
  await page.getByLabel('Day starts at').selectOption({ label: '09:00' })
  await expect(page.getByLabel('Saving')).toHaveText('Saved')
  await page.goto('/dashboard')
  await expect(parts(page)).toHaveCount(3)
  await expect(bar(page).getByText('08', { exact: true })).toHaveCount(0)
  await expect(bar(page).getByText('09', { exact: true })).toBeVisible()
})

test('the dashboard with the bar fits every width in both themes @long', async ({ page, user }) => {
  await openToday(page, user)
  await expectClear(page, 'today', [320, 390, 1280])
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('a tap opens a session and fills a gap @long', async ({ page, user }) => {
    await openToday(page, user)
    await parts(page).nth(2).tap()
    await expect(page.getByRole('dialog', { name: 'Edit session' })).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).tap()
    await parts(page).nth(1).tap()
    await expect(page.getByRole('dialog', { name: 'Add time' })).toBeVisible()
  })
})

/** Opens the dashboard with two sessions and a gap between them, at a time or at the real one. */
async function openToday(page: Page, user: Person, now: string | null = NOW): Promise<void> {
  if (now !== null) await setNow(page, now)
  await addToday(user)
  await page.goto('/dashboard')
  await expect(parts(page)).toHaveCount(now === null ? 0 : 3)
}

/** Signs in and adds the two sessions. */
async function addToday(user: Person): Promise<void> {
  await user.signInThroughApi()
  const { history } = user
  const write = await history.task('Write report')
  const plan = await history.task('Plan week')
  await history.entry(write, '2026-11-18 09:00', '2026-11-18 10:15')
  await history.entry(plan, '2026-11-18 12:00', '2026-11-18 13:30')
}

function bar(page: Page): Locator {
  return page.getByRole('region', { name: 'Today', exact: true })
}

/** Returns the sessions and the gaps. */
function parts(page: Page): Locator {
  return bar(page).getByRole('button')
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not on the screen')
  return box
}
