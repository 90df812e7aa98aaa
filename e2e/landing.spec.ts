import type { Page } from '@playwright/test'

import { LANGUAGES } from '@stint/core/text.ts'

import { PASSWORD } from './backend.ts'
import { expect, FAILED_REQUEST, signIn, test } from './fixtures.ts'
import { collisions, expectAccessible, FONT_WIDTHS, setFont, sidewaysOverflow } from './looks.ts'

const PUBLIC_PATHS = ['/', '/terms', '/privacy'] as const

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('without JavaScript the front page can be read and its links work', async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveTitle('Stint: press Start, see where your time went')
    for (const heading of [
      'How it works',
      'Not another timesheet',
      'Session recovery',
      'Time breakdown',
      'Activity pattern',
      'A page for every task',
      'Install it, or don’t',
      'Contact',
    ]) {
      await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    }
    const main = page.getByRole('main')
    await expect(main).toContainText('Up to 4 hours after the start')
    await expect(main).toContainText('Traditional trackers')
    await expect(main).toContainText('Add to Home Screen')
    await expect(page.getByText('Sample data').first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: /support@/ })).toHaveAttribute('href', /^mailto:/)
    await page.getByRole('link', { name: 'Terms' }).click()
    await expect(page).toHaveURL(/\/terms$/)
  })

  test('the terms cover every required point @long', async ({ page }) => {
    await page.goto('/terms')
    await expect(page.getByText('Last updated October 2025')).toBeVisible()
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      '1. Acceptance',
      '2. What the service is',
      '3. Your account',
      '4. Your data',
      '5. Acceptable use',
      '6. Availability',
      '7. Keeping and deleting data',
      '8. Liability',
      '9. Changes to these terms',
      '10. Termination',
      '11. Governing law',
      '12. Contact',
    ])
  })

  test('the privacy policy covers every required point @long', async ({ page }) => {
    await page.goto('/privacy')
    const main = page.getByRole('main')
    for (const point of [
      'Last updated October 2025',
      'Account data',
      'Task data',
      'Time-tracking data',
      'Technical data',
      'backend-as-a-service provider',
      'under 13',
      'within 72 hours',
      'isActive set to false',
      'Your account is then deleted',
    ]) {
      await expect(main).toContainText(point)
    }
  })
})

test('each button of the front page leads to its target', async ({ page }) => {
  for (const [name, path] of [
    ['Get Started', '/signup'],
    ['Start Tracking for Free', '/signup'],
    ['Get Started for Free', '/signup'],
    ['Terms', '/terms'],
    ['Privacy', '/privacy'],
  ] as const) {
    await page.goto('/')
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(path)
  }
})

test('the sample timer works and stores nothing @long', async ({ page }) => {
  const opened = new Date('2026-11-20T10:00:00Z')
  const at = (seconds: number) => page.clock.setFixedTime(opened.getTime() + seconds * 1000)
  await at(0)
  await page.goto('/')
  const timer = page.getByRole('timer')
  await expect(timer).toHaveText('24:37')
  // The page's script runs the timer and shows the link to the app last.
  await expect(page.locator('[data-corner]')).toHaveCSS('visibility', 'visible')
  await at(3)
  await expect(timer).toHaveText('24:40')

  await page.getByRole('button', { name: 'Pause' }).click()
  await at(8)
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(timer).toHaveText('24:40')
  await at(10)
  await expect(timer).toHaveText('24:42')

  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Saved 24m 42s of Website redesign.')).toBeVisible()
  await expect(page.getByText('Select a task below to start timing')).toBeVisible()
  await page.getByRole('button', { name: 'Start Client proposal' }).click()
  await at(71)
  await expect(timer).toHaveText('01:01')
  await expect(page.getByRole('button', { name: 'Running Client proposal' })).toBeDisabled()

  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
})

test('the front page requests no account for a new visitor @long', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(asked.filter((path) => path.includes('account'))).toEqual([])
  // No script of the app, and no script at all before the page is shown.
  expect(asked.filter((path) => path.endsWith('.js'))).toHaveLength(1)
})

test('the front page redirects a signed-in user to the dashboard @long', async ({ page, user }) => {
  await signIn(page, user)
  await page.goto('/')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the front page finds and redirects a signed-in user whose local data was deleted @long', async ({
  page,
  user,
}) => {
  await user.signInThroughApi()
  await page.goto('/')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the front page opened from the app is the same and leads back @long', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Stint' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Press Start. See where your time went.',
  )
  await expect(page.getByRole('timer')).toHaveText(/^2[4-9]:\d\d$/)
  await page.getByRole('link', { name: 'Get Started', exact: true }).click()
  await expect(page).toHaveURL(/\/signup$/)
})

test('no page sends requests to other servers @long', async ({ page, server, user }) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:' && origin !== server.url) {
      elsewhere.push(request.url())
    }
  })
  for (const path of ['/', '/terms', '/privacy', '/login', '/signup', '/recovery', '/verify']) {
    await visit(page, path)
  }
  await user.signInThroughApi()
  const task = await user.create('tasks', {
    name: 'Write',
  })
  for (const path of ['/dashboard', '/tasks', `/tasks/${task.$id}`, '/reports']) {
    await visit(page, path)
  }
  expect(elsewhere).toEqual([])
})

for (const path of PUBLIC_PATHS) {
  test(`${path} is accessible and no wider than the window, at every width in both themes @long`, async ({
    page,
  }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const colorScheme of ['light', 'dark'] as const) {
      // The page follows the system's settings.
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme })
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await expectAccessible(page)
        expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
      }
    }
  })
}

for (const language of LANGUAGES) {
  test(`the pages for visitors fit a phone in wide and narrow fonts, and the front page leads to the sign-in, in ${language} @long`, async ({
    page,
  }) => {
    for (const path of [...PUBLIC_PATHS, '/login', '/signup', '/recovery']) {
      await page.goto(`${path}?language=${language}`)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      for (const font of FONT_WIDTHS) {
        await setFont(page, font)
        for (const width of [320, 390]) {
          await test.step(`${path} at ${width} px in a ${font} font`, async () => {
            await page.setViewportSize({ width, height: 800 })
            expect.soft(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
            expect.soft(await collisions(page)).toEqual([])
            if (path === '/') await expect(page.locator('header a[href="/login"]')).toBeInViewport()
            const folder = process.env['LOOK']
            if (!folder) return
            const name = `visitors-${language}${path.replace('/', '-')}-${font}-${width}`
            await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
          })
        }
      }
    }
  })
}

test('a signed-in reader of the terms has no navigation of the app @long', async ({
  page,
  user,
}) => {
  await user.open()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.goto('/terms')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms of service')
  await expect(page.getByRole('link', { name: 'Dashboard' })).toHaveCount(0)
})

test('all public pages have one theme, the system’s or the last user’s, and a new account stays in it @long', async ({
  page,
  expectConsole,
}) => {
  // A sign-out whose answer is cut off by the next page is sent again, and refused.
  expectConsole(FAILED_REQUEST)
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const paths = ['/', '/terms', '/privacy', '/login', '/signup']
  const expectOneTheme = async (scheme: string) => {
    const seen = new Set<string>()
    for (const path of paths) {
      await page.goto(path)
      await expect(page.locator('html')).toHaveCSS('color-scheme', scheme)
      seen.add(await background())
    }
    expect(seen.size).toBe(1)
    return seen
  }
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await expectOneTheme('light dark')
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await expectOneTheme('light dark')
  expect(dark).not.toEqual(light)

  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('Email Address').fill(`theme-${Date.now()}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('button', { name: 'System' })).toHaveAttribute('aria-pressed', 'true')
  expect(new Set([await background()])).toEqual(dark)

  // The choice of a user stays in this browser, whatever the system's theme is.
  await page.getByRole('button', { name: 'Light', exact: true }).click()
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light')
  await expect(page.getByLabel('Saving')).toHaveText('Saved')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  expect(await expectOneTheme('light')).toEqual(light)
})

test('who has pressed Sign Out reads the front page, before the server has learned of it @long', async ({
  page,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await user.open()
  await page.route('**/v1/account/sessions', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  )
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Get Started', exact: true })).toBeVisible()
})

test('the theme of the last user is there before any script of the app @long', async ({
  page,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  expectConsole(/Failed to fetch dynamically imported module/)
  await page.addInitScript(() => localStorage.setItem('stint-theme', 'dark'))
  await page.route('**/assets/*.js', (route) => route.abort())
  for (const path of ['/', '/terms', '/privacy', '/login', '/signup', '/dashboard']) {
    await page.goto(path)
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
    const colors = page.locator('meta[name="theme-color"]')
    for (const color of await colors.all())
      await expect(color).toHaveAttribute('content', '#0f1116')
  }
})

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
}
