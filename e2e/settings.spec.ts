import { expect, FAILED_REQUEST, openSignedIn, test } from './fixtures.ts'

test('a theme is there at once on every device, and again before anything else after a reload', async ({
  page,
  server,
  user,
  browser,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await openSignedIn(phone, server, user, `${server.url}/dashboard`)
  await expect(phone.getByText('No tasks yet')).toBeVisible()
  await openSignedIn(page, server, user, '/settings')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')

  await page.getByRole('button', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
  await expect(page.locator('meta[name="theme-color"]')).toHaveAttribute('content', '#0f1116')
  await expect(phone.locator('html')).toHaveAttribute('data-theme', 'dark')
  await phone.close()

  // Without the app: only the page itself is left to set it.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
})
