import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import { createDocument, listDocuments, setPrefs } from './backend.ts'
import type { TestUser } from './backend.ts'
import { expect, openSignedIn, startTimer, test } from './fixtures.ts'
import type { RunningServer } from './server.ts'

/** The timer in a small window of its own, above all others. */

for (const [theme, other] of [
  ['light', 'dark'],
  ['dark', 'light'],
] as const) {
  test(`the floating timer shows and works the timer, and goes with it, ${theme}`, async ({
    page,
    context,
    server,
    user,
  }) => {
    await open(page, server, user, theme)
    await startTimer(page, 'Write')
    const opened = context.waitForEvent('page')
    await page.getByRole('button', { name: 'Float the timer' }).click()
    const floating = await opened
    await floating.setViewportSize({ width: 300, height: 148 })
    await expect(floating.getByText('Write')).toBeVisible()
    await expect(floating.locator('html')).toHaveAttribute('data-theme', theme)
    const { violations } = await new AxeBuilder({ page: floating }).setLegacyMode().analyze()
    expect(violations).toEqual([])

    // The page behind is out of sight: the time goes on, and the buttons work.
    const elsewhere = await context.newPage()
    await elsewhere.bringToFront()
    const clock = floating.getByRole('timer')
    const before = await clock.textContent()
    await expect(clock).not.toHaveText(before ?? '')
    await floating.getByRole('button', { name: 'Pause' }).click()
    await expect(floating.getByRole('button', { name: 'Resume' })).toBeVisible()
    await expect
      .poll(async () => (await listDocuments(page.request, server.url, 'timer_sessions'))[0])
      .toMatchObject({ isPaused: true })
    await floating.getByRole('button', { name: 'Resume' }).click()
    await expect(floating.getByRole('button', { name: 'Pause' })).toBeVisible()

    // It looks as the page does, and changes with it.
    await page.evaluate((value) => (document.documentElement.dataset['theme'] = value), other)
    await expect(floating.locator('html')).toHaveAttribute('data-theme', other)

    const closed = floating.waitForEvent('close')
    await floating.getByRole('button', { name: 'Stop' }).click()
    await closed
    await expect.poll(() => listDocuments(page.request, server.url, 'timer_sessions')).toEqual([])
  })
}

test('the floating timer goes when its window is closed, and comes again from the palette', async ({
  page,
  context,
  server,
  user,
}) => {
  await open(page, server, user, 'light')
  await startTimer(page, 'Write')
  const first = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Float the timer' }).click()
  await (await first).close()
  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click()
  await expect(page.getByRole('button', { name: 'Float the timer' })).toBeVisible()
  const second = context.waitForEvent('page')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('float')
  await page.keyboard.press('Enter')
  await expect((await second).getByRole('timer')).toHaveText(/^00:/)
})

test('where the browser has no such window nothing offers it', async ({ page, server, user }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Window.prototype, 'documentPictureInPicture')
    Reflect.deleteProperty(window, 'documentPictureInPicture')
  })
  await open(page, server, user, 'light')
  await startTimer(page, 'Write')
  await expect(page.getByRole('button', { name: 'Float the timer' })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('float')
  await expect(page.getByText('Nothing is called like that.')).toBeVisible()
})

/** Signed in on the dashboard in a theme, with a task 'Write'. */
async function open(
  page: Page,
  server: RunningServer,
  user: TestUser,
  theme: string,
): Promise<void> {
  await openSignedIn(page, server, user)
  await setPrefs(page.request, server.url, { theme })
  await createDocument(page.request, server.url, 'tasks', { name: 'Write', userId: user.id })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
}
