import type { Page } from '@playwright/test'

import { expect, RUNNING, startTimer, test } from './fixtures.ts'

/** What Stint shows outside of its page: the tab, the icon, the home screen. */

declare global {
  interface Window {
    badges?: string[]
    asked?: number
  }
}

test('title, icon and badge follow the timer @long', async ({ page, user }) => {
  await page.addInitScript(() => {
    window.badges = []
    Object.assign(navigator, {
      setAppBadge: async () => void window.badges?.push('set'),
      clearAppBadge: async () => void window.badges?.push('clear'),
    })
  })
  await user.openWithTasks()
  const icon = page.locator('link[rel="icon"][type="image/svg+xml"]')
  const badge = () => page.evaluate(() => window.badges?.at(-1))
  await expect(page).toHaveTitle('Dashboard · Stint')
  await expect(icon).toHaveAttribute('href', /favicon\.svg$/)
  await expect.poll(badge).toBe('clear')

  await startTimer(page, 'Write')
  await expect(page).toHaveTitle(/^▶ (?!00:00)0\d:\d\d · Write$/)
  await expect(icon).toHaveAttribute('href', /favicon-running\.svg$/)
  await expect.poll(badge).toBe('set')

  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page).toHaveTitle(/^❚❚ 00:\d\d · Write$/)
  await expect(icon).toHaveAttribute('href', /favicon-paused\.svg$/)
  await expect.poll(badge).toBe('clear')

  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click()
  await expect(page).toHaveTitle(/^❚❚ 00:\d\d · Write$/)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page).toHaveTitle('Reports & Analytics · Stint')
  await expect(icon).toHaveAttribute('href', /favicon\.svg$/)
})

test('the install hint is shown once, to a user with a saved session and no timer @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks()
  await offerToInstall(page)
  const hint = page.getByText('Install Stint as an app')
  await startTimer(page, 'Write')
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  await expect(hint).toHaveCount(0)
  const saved = page.waitForResponse(
    (each) => each.url().includes('/time_entries/') && each.request().method() === 'POST',
  )
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(hint).toBeVisible()
  await saved
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(hint).toHaveCount(0)
  expect(await page.evaluate(() => window.asked)).toBe(1)

  await page.reload()
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  await page.waitForLoadState('networkidle')
  await offerToInstall(page)
  await expect(page.getByRole('status', { name: 'About the app' })).toBeEmpty()
})

test('a session can be tracked with the keyboard alone', async ({ page, user }) => {
  await user.open('/tasks')
  await tabTo(page, /^Create your first task$/)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Task Name')).toBeFocused()
  await page.keyboard.type('Write')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listitem').filter({ hasText: 'Write' })).toBeVisible()
  await tabTo(page, /^Dashboard$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await tabTo(page, /^Start Write$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  await tabTo(page, /^Pause$/)
  await page.keyboard.press('Space')
  await tabTo(page, /^Resume$/)
  await page.keyboard.press('Space')
  await tabTo(page, /^Stop$/)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Select a task below to start timing')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Write' })).toContainText('Total')
  await tabTo(page, /^Reports$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Reports & Analytics' })).toBeVisible()
  await tabTo(page, /^Sign Out$/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
})

/**
 * Presses Tab until the element with this name has the focus. Every element on the way must show
 * its focus.
 */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const wanted = page.getByRole('button', { name }).or(page.getByRole('link', { name }))
  await expect(wanted.first()).toBeEnabled()
  for (let presses = 0; presses < 60; presses += 1) {
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      const name = element?.getAttribute('aria-label') ?? element?.textContent ?? ''
      return element && element !== document.body ? name.trim() : null
    })
    if (focused !== null && name.test(focused)) {
      await expect(page.locator(':focus-visible').first()).toBeVisible()
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`Nothing called ${name.source} has the focus`)
}

/** Dispatches the event of an installable page, which headless Chromium never does. */
async function offerToInstall(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.asked = 0
    const offer = new Event('beforeinstallprompt', { cancelable: true })
    Object.assign(offer, {
      prompt: async () => {
        window.asked = (window.asked ?? 0) + 1
      },
    })
    window.dispatchEvent(offer)
  })
}
