import type { Page } from '@playwright/test'

import { answerToSignOut, expect, FAILED_REQUEST, startTimer, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { setNow } from './history.ts'
import { expectClear } from './looks.ts'

test('a theme applies at once on every device, and after a reload before the first paint', async ({
  page,
  user,
  openDevice,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const phone = await openDevice('/dashboard', { viewport: { width: 390, height: 844 } })
  await expect(phone.getByText('No tasks yet')).toBeVisible()
  await user.open('/settings')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')

  await page.getByRole('button', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
  await expect(page.locator('meta[name="theme-color"]')).toHaveAttribute('content', '#0f1116')
  await expect(phone.locator('html')).toHaveAttribute('data-theme', 'dark')

  // Blocks the app's scripts: only the page itself can set the theme.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
})

test('signing out keeps the theme, and removes the sign of a timer for the next user @long', async ({
  page,
  user,
}) => {
  await user.open('/settings')
  await user.history.task('Write')
  await choose(page, async () => page.getByRole('button', { name: 'Dark' }).click())
  await page.goto('/dashboard')
  await startTimer(page, 'Write')
  const icon = page.locator('link[rel="icon"][type="image/svg+xml"]')
  await expect(icon).toHaveAttribute('href', /favicon-running\.svg$/)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  const told = answerToSignOut(page)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Keep it running and sign out' })
    .click()
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await told
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(icon).toHaveAttribute('href', /favicon\.svg$/)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('the theme of the system is followed, and changes with it @long', async ({ page, user }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const themeColor = page.locator('meta[name="theme-color"]')
  await user.open('/settings')
  await expect(page.getByLabel('Pomodoro mode')).toBeVisible()
  await expect(themeColor).toHaveAttribute('content', '#fbfaf8')
  await choose(page, async () => page.getByRole('button', { name: 'System' }).click())
  await expect(themeColor).toHaveAttribute('content', '#0f1116')
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(themeColor).toHaveAttribute('content', '#fbfaf8')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  await expect(themeColor).toHaveAttribute('content', '#0f1116')
})

test('the list of sections links to each and marks the current one @long', async ({
  page,
  user,
}) => {
  await user.open('/settings')
  const list = page.getByRole('navigation', { name: 'Settings' })
  await expect(list.getByRole('link', { name: 'Appearance' })).toHaveAttribute(
    'aria-current',
    'location',
  )
  await list.getByRole('link', { name: 'Account' }).click()
  await expect(page.getByRole('heading', { name: 'Account' })).toBeInViewport()
  await expect(list.getByRole('link', { name: 'Account' })).toHaveAttribute(
    'aria-current',
    'location',
  )
  await page.mouse.move(900, 400)
  await page.mouse.wheel(0, -400)
  await expect(list.getByRole('link', { name: 'Reminders' })).toHaveAttribute(
    'aria-current',
    'location',
  )
})

test('settings can be opened from the sidebar, and on a phone from the dashboard @long', async ({
  page,
  user,
}) => {
  await user.open()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveCount(4)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/settings$/)
})

test('a phone lists the sections and shows one at a time, and going back leads to its row @long', async ({
  page,
  user,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await user.open('/settings')
  const list = page.getByRole('navigation', { name: 'Settings' })
  await expect(list.getByRole('link')).toHaveText([
    'Appearance',
    'Days and weeks',
    'Focus',
    'Reminders',
    'Offline and keyboard',
    'Account',
    'Devices',
    'Keys',
    'Your data',
    'Diagnostics',
  ])
  await expect(list.locator('[aria-current]')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(0)
  await expectClear(page, 'settings-list')

  const account = list.getByRole('link', { name: 'Account' })
  await account.click()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Account')
  await expect(page.getByRole('heading', { level: 2 })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Change email' })).toBeVisible()
  await expect(list).toHaveCount(0)
  await expectClear(page, 'settings-section', [390, 768])
  await page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Settings' }).click()
  await expect(account).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Account')
  await page.goBack()
  await list.getByRole('link', { name: 'Your data' }).click()
  await expect(page).toHaveURL(/\/data$/)
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
  await expect(list).toBeVisible()
})

test.describe('with an entry of 13:05 to 14:10', () => {
  let path = ''

  test.beforeEach(async ({ page, user }) => {
    await setNow(page)
    path = await openWithEntry(page, user, '2026-11-18 13:05', '2026-11-18 14:10')
  })

  test('the 12-hour clock applies to every list of times @long', async ({ page }) => {
    await choose(page, async () => page.getByRole('button', { name: '12 hours' }).click())
    await page.goto(path)
    const session = page.getByRole('listitem').filter({ hasText: 'Active Work' })
    await expect(session).toContainText('1:05 PM – 2:10 PM')
    await expect(page.getByRole('columnheader', { name: '3 PM' })).toBeVisible()
  })

  test('durations are written in the chosen form everywhere @long', async ({ page }) => {
    await choose(page, async () => page.getByRole('button', { name: '1.08h' }).click())
    await page.goto('/tasks')
    await expect(page.getByText('1.08h total tracked')).toBeVisible()
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'Write' })).toContainText('1.08h')
    await expect(page.getByRole('main')).not.toContainText('1h 5m')
    await page.getByRole('link', { name: 'Reports' }).click()
    await expect(page.getByText('Task Breakdown')).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText('1h 5m')
    await expect(page.getByRole('main')).toContainText('1.08h')
    await page.goto(path)
    await expect(page.getByRole('listitem').filter({ hasText: 'Active Work' })).toContainText(
      '1.08h',
    )
  })

  test('another time zone moves times and days there @long', async ({ page }) => {
    await choose(page, async () =>
      page.getByLabel('Time zone').selectOption({ label: 'Pacific/Auckland' }),
    )
    await page.goto(path)
    const session = page.getByRole('listitem').filter({ hasText: 'Active Work' })
    await expect(session).toContainText('Today')
    await expect(session).toContainText('07:05 – 08:10')
    await expect(page.getByText('15–21 Nov 2026')).toBeVisible()
    const thursday = page.getByRole('listitem').filter({ hasText: '19 Nov' })
    await expect(thursday.getByRole('button')).toHaveAccessibleName(/1 hour 5 minutes/)
  })

  test('weeks begin on the chosen day @long', async ({ page }) => {
    await choose(page, async () =>
      page.getByLabel('Week starts on').selectOption({ label: 'Monday' }),
    )
    await page.goto(path)
    await expect(page.getByText('Week 47 · 16–22 Nov 2026')).toBeVisible()
    const bars = page.getByRole('region', { name: 'Daily Breakdown' }).getByRole('listitem')
    await expect(bars.first()).toContainText('Mon')
    await page.getByRole('button', { name: 'Previous' }).click()
    await expect(page.getByText('Week 46 · 9–15 Nov 2026')).toBeVisible()
    await page.getByRole('button', { name: 'Go to date' }).click()
    await page.getByRole('button', { name: 'Open calendar' }).click()
    const calendar = page.getByRole('dialog', { name: 'Calendar' })
    await expect(calendar.getByRole('rowheader', { name: 'Week 46' })).toHaveText('46')
  })
})

test('a day that begins at 04:00 includes the hours after midnight @long', async ({
  page,
  user,
}) => {
  await setNow(page)
  const path = await openWithEntry(page, user, '2026-11-18 01:00', '2026-11-18 02:00')
  const bars = page.getByRole('region', { name: 'Daily Breakdown' }).getByRole('listitem')
  await page.goto(path)
  await expect(bars.nth(3).getByRole('button')).toHaveAccessibleName(/Wed.*1 hour/)
  await choose(page, async () => page.getByLabel('Day starts at').selectOption({ label: '04:00' }))
  await page.goto(path)
  await expect(bars.nth(2).getByRole('button')).toHaveAccessibleName(/Tue.*1 hour/)
  await expect(page.getByRole('listitem').filter({ hasText: 'Active Work' })).toContainText(
    'Yesterday01:00 – 02:00',
  )
})

test('the time can be removed from the window’s title @long', async ({ page, user }) => {
  await user.signInThroughApi()
  await user.history.task('Write')
  await page.goto('/settings')
  await choose(page, async () => page.getByLabel('Show timer in tab title').uncheck())
  await page.goto('/dashboard')
  await startTimer(page, 'Write')
  await expect(page).toHaveTitle('Dashboard · Stint')
  await expect(page.locator('link[rel="icon"][type="image/svg+xml"]')).toHaveAttribute(
    'href',
    /favicon\.svg$/,
  )
})

test('the app requests permission for notifications only when a reminder is turned on @long', async ({
  page,
  user,
}) => {
  await page.addInitScript(() => {
    window.asked = 0
    Object.defineProperty(Notification, 'permission', { get: () => 'default' })
    Notification.requestPermission = async () => {
      window.asked = (window.asked ?? 0) + 1
      return 'default'
    }
  })
  const asked = () => page.evaluate(() => window.asked)
  await user.open('/settings')
  await choose(page, async () => page.getByRole('button', { name: 'Dark' }).click())
  await choose(page, async () => page.getByLabel('Notifications').uncheck())
  await choose(page, async () =>
    page.getByLabel('Remind me after…').selectOption({ label: '2 hours' }),
  )
  expect(await asked()).toBe(0)
  await choose(page, async () => page.getByLabel('Notifications').check())
  await expect.poll(asked).toBe(1)
  await choose(page, async () => page.getByLabel('Notify me when I reach a goal or target').check())
  await expect.poll(asked).toBe(2)
  await choose(page, async () =>
    page.getByLabel('Notify me when I reach a goal or target').uncheck(),
  )
  expect(await asked()).toBe(2)
})

test('every other setting is saved and reaches a second open device', async ({
  page,
  user,
  openDevice,
}) => {
  const other = await openDevice('/settings')
  await expect(other.getByLabel('Pomodoro mode')).not.toBeChecked()
  await user.open('/settings')
  await page.getByLabel('Pomodoro mode').check()
  await page.getByLabel('Work', { exact: true }).fill('50')
  await page.getByLabel('Break', { exact: true }).fill('10')
  await page.getByLabel('Long break', { exact: true }).fill('30')
  await page.getByLabel('Long break after').fill('3')
  await page.getByLabel('Start breaks automatically').check()
  await page.getByLabel('Sound').uncheck()
  await page.getByLabel('Remind me if a timer runs past…').selectOption({ label: '20:00' })
  await expect(page.getByLabel('Saving')).toHaveText('Saved')

  await expect(other.getByLabel('Pomodoro mode')).toBeChecked()
  await expect(other.getByLabel('Work', { exact: true })).toHaveValue('50')
  await expect(other.getByLabel('Break', { exact: true })).toHaveValue('10')
  await expect(other.getByLabel('Long break', { exact: true })).toHaveValue('30')
  await expect(other.getByLabel('Long break after')).toHaveValue('3')
  await expect(other.getByLabel('Start breaks automatically')).toBeChecked()
  await expect(other.getByLabel('Sound')).not.toBeChecked()
  await expect(
    other.getByLabel('Remind me if a timer runs past…').locator('option:checked'),
  ).toHaveText('20:00')
})

test('a number out of bounds is refused @long', async ({ page, user }) => {
  await user.open('/settings')
  const work = page.getByLabel('Work', { exact: true })
  // Its details show while it is on.
  await expect(page.getByLabel('Pomodoro mode')).toBeVisible()
  await expect(work).toHaveCount(0)
  await page.getByLabel('Pomodoro mode').check()
  await work.fill('45')
  await work.fill('0')
  await expect(work).toHaveAttribute('aria-invalid', 'true')
  await work.blur()
  await expect(work).toHaveValue('45')
})

test('settings can be changed offline and are saved when the network is back @long', async ({
  page,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await user.open('/settings')
  await choose(page, async () => page.getByLabel('Pomodoro mode').check())
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByLabel('Saving')).toHaveText('Saved on this device')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('status', { name: 'Messages' })).toContainText('Still offline.')
  await page.context().setOffline(false)
  await expect(page.getByLabel('Saving')).toHaveText('Saved')
})

test('the settings fit every width in both themes @long', async ({ page, user }) => {
  await user.open('/settings')
  await expect(page.getByText('Online, everything is synced')).toBeVisible()
  await expectClear(page, 'settings', [320, 390, 1280])
})

/** Changes a setting on /settings and waits until the server has it. */
async function choose(page: Page, change: () => Promise<unknown>): Promise<void> {
  if (!new URL(page.url()).pathname.endsWith('/settings')) await page.goto('/settings')
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/account/prefs') && response.request().method() === 'PATCH',
  )
  await change()
  await saved
  await expect(page.getByLabel('Saving')).toHaveText('Saved')
}

/** Signs in with one task that has one entry; returns the address of the task's page. */
async function openWithEntry(
  page: Page,
  user: Person,
  start: string,
  end: string,
): Promise<string> {
  await user.signInThroughApi()
  const { history } = user
  const taskId = await history.task('Write')
  await history.entry(taskId, start, end)
  await page.goto('/settings')
  return `/tasks/${taskId}`
}
