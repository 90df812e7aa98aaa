import { expect, startTimer, test } from './fixtures.ts'
import { expectAccessible, setTheme } from './looks.ts'

/** The timer in a small window of its own, always on top. */

test('the floating timer shows and controls the timer, and closes when it stops @long', async ({
  page,
  context,
  user,
}) => {
  await user.openWithTasks(['Write'], { theme: 'light' })
  await startTimer(page, 'Write')
  const opened = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Open floating timer' }).click()
  const floating = await opened
  await floating.setViewportSize({ width: 300, height: 148 })
  await expect(floating.getByText('Write')).toBeVisible()
  await expect(floating.locator('html')).toHaveAttribute('data-theme', 'light')
  await expectAccessible(floating)
  // It follows the theme of the page.
  await setTheme(page, 'dark')
  await expect(floating.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expectAccessible(floating)

  // The page is hidden: the time continues, and the buttons work.
  const elsewhere = await context.newPage()
  await elsewhere.bringToFront()
  const clock = floating.getByRole('timer')
  const before = await clock.textContent()
  await expect(clock).not.toHaveText(before ?? '')
  await floating.getByRole('button', { name: 'Pause' }).click()
  await expect(floating.getByRole('button', { name: 'Resume' })).toBeVisible()
  await expect
    .poll(async () => (await user.stored('timer_sessions'))[0])
    .toMatchObject({ isPaused: true })
  await floating.getByRole('button', { name: 'Resume' }).click()
  await expect(floating.getByRole('button', { name: 'Pause' })).toBeVisible()

  // Its shortcuts work too, though the page does not receive the keys.
  await floating.keyboard.press('p')
  await expect(floating.getByRole('button', { name: 'Resume' })).toBeVisible()
  await floating.keyboard.press('p')
  await expect(floating.getByRole('button', { name: 'Pause' })).toBeVisible()

  const closed = floating.waitForEvent('close')
  // The window closes at the press, and receives no release of the key.
  await floating.keyboard.down('s')
  await closed
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
})

test('the floating timer closes with its window and can be reopened from the palette @long', async ({
  page,
  context,
  user,
}) => {
  await user.openWithTasks(['Write'], { theme: 'dark' })
  await startTimer(page, 'Write')
  const opened = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Open floating timer' }).click()
  const first = await opened
  await expect(first.locator('html')).toHaveAttribute('data-theme', 'dark')
  await first.close()
  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click()
  await expect(page.getByRole('button', { name: 'Open floating timer' })).toBeVisible()
  const second = context.waitForEvent('page')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('float')
  await page.keyboard.press('Enter')
  const again = await second
  await expect(again.getByRole('timer')).toHaveText(/^0\d:/)
  const closed = again.waitForEvent('close')
  await again.getByRole('button', { name: 'Stop' }).click()
  await closed
})

test('a browser without such windows does not offer the floating timer @long', async ({
  page,
  user,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Window.prototype, 'documentPictureInPicture')
    Reflect.deleteProperty(window, 'documentPictureInPicture')
  })
  await user.openWithTasks(['Write'], { theme: 'light' })
  await startTimer(page, 'Write')
  await expect(page.getByRole('button', { name: 'Open floating timer' })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('float')
  await expect(page.getByRole('option')).toHaveText(['Create and start “float”'])
})
