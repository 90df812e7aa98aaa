/** Stint before sign-up: on a record of the browser, which an account takes in later. */
import type { Page } from '@playwright/test'

import { PASSWORD } from './backend.ts'
import { expect, FAILED_REQUEST, offlineReady, signIn, test } from './fixtures.ts'
import { expectClear } from './looks.ts'

const WIDTHS = [390, 768, 1280]

test('the app is used at once without an account, and an account keeps what is there', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Try it now' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('combobox', { name: 'What are you working on?' })).toBeFocused()
  await expect(page.getByText('Only on this device').first()).toBeVisible()
  await startTask(page, 'Plan the week')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()

  await page.getByRole('link', { name: 'Create an account to keep it' }).click()
  await page.getByLabel('Full Name').fill('Grace Hopper')
  await page.getByLabel('Email Address').fill(`grace-${Date.now()}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create Account' }).click()

  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Timer' })).toContainText('Plan the week')
  await expect(page.getByText('Only on this device')).toHaveCount(0)
  await stopTimer(page)
  await page.goto('/sessions')
  await expect(page.getByRole('listitem').filter({ hasText: 'Plan the week' })).toBeVisible()
})

test('everything works on the record of the browser: pages, settings, import, and no request of an account @long', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/v1/') && pathname !== '/v1/stint/info') asked.push(pathname)
  })
  await page.goto('/try')
  await startTask(page, 'Plan the week')
  await stopTimer(page)
  await expectClear(page, 'guest-dashboard', WIDTHS)
  for (const path of [
    '/tasks',
    '/reports',
    '/sessions',
    '/targets',
    '/balance',
    '/timesheet',
    '/year',
    '/rebuild',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await page.goto('/settings')
  for (const name of ['Account', 'Devices', 'Keys'])
    await expect(page.getByRole('heading', { name, exact: true })).toHaveCount(0)
  await expect(page.getByRole('switch', { name: 'Track offline' })).toHaveCount(0)
  await expectClear(page, 'guest-settings', WIDTHS)
  await page.goto('/data')
  const file =
    'Description,Start date,Start time,End date,End time\nCall,2026-01-12,09:00,2026-01-12,10:00\n'
  await page
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'day.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await page.getByRole('button', { name: 'Import 1 session' }).click()
  await page.goto('/sessions')
  await expect(page.getByRole('listitem').filter({ hasText: 'Call' })).toBeVisible()
  expect(asked).toEqual([])
})

test('an account with sessions asks once before it takes in those of the device @long', async ({
  page,
  user,
  history,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await history.entry(await history.task('Saved before'), '2026-01-12 09:00', '2026-01-12 09:30')
  await page.context().clearCookies()
  await page.goto('/try')
  await startTask(page, 'Plan the week')
  await stopTimer(page)
  await page.goto('/login')
  await signIn(page, user)
  const question = page.getByRole('dialog', {
    name: 'Add the 1 session of this device to your account?',
  })
  await expect(question).toBeVisible()
  await expectClear(page, 'guest-question', WIDTHS)
  await question.getByRole('button', { name: 'Add them' }).click()
  await expect(page.getByText('Added from this device: 1 session and 1 task')).toBeVisible()
  await page.goto('/sessions')
  for (const name of ['Plan the week', 'Saved before'])
    await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(question).toHaveCount(0)
})

test('leaving keeps what is there, and deletes it only when that is said twice @long', async ({
  page,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await page.goto('/try')
  await startTask(page, 'Plan the week')
  await page.getByRole('button', { name: 'Leave' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave Stint?' })
  await expect(dialog).toContainText('1 session and 1 task stay in this browser')
  await expect(dialog).toContainText('The timer goes on meanwhile.')
  await expectClear(page, 'guest-leave', WIDTHS)
  await dialog.getByRole('button', { name: 'Leave, and keep it here' }).click()
  await expect(page.getByRole('link', { name: 'Try it now' })).toBeVisible()

  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'Timer' })).toContainText('Plan the week')
  await page.getByRole('button', { name: 'Leave' }).click()
  await dialog.getByRole('button', { name: 'Delete everything…' }).click()
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page.getByRole('link', { name: 'Try it now' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login$/)
})

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the record of the browser is used with no network at all @long', async ({
    page,
    context,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    await page.goto('/try')
    await startTask(page, 'Plan the week')
    await offlineReady(page)
    await context.setOffline(true)
    await page.goto('/dashboard')
    await expect(page.getByRole('region', { name: 'Timer' })).toContainText('Plan the week')
    await stopTimer(page)
    await startTask(page, 'Read', '')
    await page.goto('/sessions')
    await expect(page.getByRole('listitem').filter({ hasText: 'Plan the week' })).toBeVisible()
    await expect(page.getByText('Only on this device').first()).toBeVisible()
    await expect(page.getByText('waiting to sync')).toHaveCount(0)
  })
})

async function startTask(page: Page, name: string, since = ' 10m ago'): Promise<void> {
  await page.getByRole('combobox', { name: 'What are you working on?' }).fill(name + since)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Timer' })).toContainText(name)
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
}

/** Stops the timer, and waits until the screen shows it: it is stored then. */
async function stopTimer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)
}
