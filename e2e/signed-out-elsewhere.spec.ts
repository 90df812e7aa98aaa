/**
 * With an Appwrite-like server: the sign-in of an open app ends elsewhere.
 */
import type { Page } from '@playwright/test'

import { startAppwriteFront } from './appwrite-front.ts'
import type { AppwriteFront } from './appwrite-front.ts'
import {
  API_CALL,
  createDocument,
  createUser,
  listDocuments,
  PASSWORD,
  signInThroughApi,
} from './backend.ts'
import type { TestUser } from './backend.ts'
import { expect, FAILED_REQUEST, RUNNING_FOR_TWO, startTimer, test as base } from './fixtures.ts'

const test = base.extend<{ front: AppwriteFront }>({
  front: async ({ server, expectConsole }, use) => {
    // Guests are refused, and Appwrite does not have Stint's own routes.
    expectConsole(FAILED_REQUEST)
    const front = await startAppwriteFront(server.url)
    await use(front)
    await front.close()
  },
})

/** Returns the sign-in page's message about why the user is there. */
const notice = (page: Page) => page.getByRole('main').getByRole('status')
const stopButton = (page: Page) => page.getByRole('button', { name: 'Stop', exact: true })

/** Opens the dashboard through the front, with a task and an earlier session. */
async function openThroughFront(page: Page, front: AppwriteFront, user: TestUser): Promise<void> {
  await signInThroughApi(page.request, front.url, user)
  const { $id: taskId } = await createDocument(page.request, front.url, 'tasks', {
    name: 'Write',
    userId: user.id,
  })
  const startTime = new Date(Date.now() - 60 * 60_000).toISOString()
  const endTime = new Date(Date.now() - 30 * 60_000).toISOString()
  await createDocument(page.request, front.url, 'time_entries', {
    userId: user.id,
    taskId,
    startTime,
    endTime,
    durationSeconds: 1800,
    entryType: 'timer',
  })
  await page.goto(`${front.url}/dashboard`)
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  await expect.poll(() => front.isListening(user.id)).toBe(true)
}

/** Signs in as `user` with the form. */
async function signInAs(page: Page, user: TestUser): Promise<void> {
  await page.getByLabel('Email Address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

test('a stop after the sign-in ended elsewhere waits for the same user, and nothing is removed', async ({
  page,
  request,
  server,
  front,
  user,
}) => {
  await signInThroughApi(request, server.url, user)
  await openThroughFront(page, front, user)
  await startTimer(page, 'Write')
  await expect(page.getByRole('timer')).toHaveText(RUNNING_FOR_TWO)
  // Another device ends all sign-ins; the open app is not notified. What it asks of itself waits, or it
  // could learn of the end before the press.
  const pressed = Promise.withResolvers<void>()
  await page.route('**/v1/**', async (route) => {
    await pressed.promise
    await route.continue()
  })
  const ended = await request.delete(`${server.url}/v1/account/sessions`, API_CALL)
  expect(ended.ok()).toBe(true)
  await stopButton(page).click()
  pressed.resolve()

  await expect(page).toHaveURL(/\/login$/)
  await expect(notice(page)).toHaveText(
    'You were signed out. 1 change is kept on this device and syncs when you sign in.',
  )
  // Another user's sign-in in this browser sends none of it.
  const bea = await createUser(request, server.url, 'Bea')
  await signInAs(page, bea)
  await expect(page.getByText('No tasks yet')).toBeVisible()
  await page.getByRole('navigation').getByText('Sign Out').click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(notice(page)).toHaveCount(0)
  await signInThroughApi(request, server.url, user)
  expect(await listDocuments(request, server.url, 'time_entries')).toHaveLength(1)

  await signInAs(page, user)
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  const saved = () => listDocuments(request, server.url, 'time_entries')
  await expect.poll(async () => (await saved()).length).toBe(2)
  const [latest] = await saved()
  expect(Number(latest?.['durationSeconds'])).toBeGreaterThanOrEqual(2)
  await expect.poll(() => listDocuments(request, server.url, 'timer_sessions')).toEqual([])
  await expect(page.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)
})

test('an app that receives a guest’s lists removes nothing and reports that the sign-in has ended @long', async ({
  page,
  request,
  server,
  front,
  user,
}) => {
  await signInThroughApi(request, server.url, user)
  await openThroughFront(page, front, user)
  await startTimer(page, 'Write')
  await request.delete(`${server.url}/v1/account/sessions`, API_CALL)
  // The event of returning to the tab.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(notice(page)).toHaveText('You were signed out. Sign in again.')

  // The screen right after the sign-in shows local data: the server is unreachable.
  await page.route('**/v1/databases/**', (route) => route.abort())
  await signInAs(page, user)
  await expect(stopButton(page)).toBeVisible()
  await page.getByRole('link', { name: 'Reports' }).click()
  await expect(page.getByRole('main')).toContainText('30m')
  await page.unroute('**/v1/databases/**')
})
