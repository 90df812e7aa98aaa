/** Code that is loaded on demand, in a browser whose service worker is not there yet. */
import type { Page } from '@playwright/test'

import { expect, FAILED_REQUEST, RUNNING, test } from './fixtures.ts'

const PROMPTS = '**/assets/prompts-*.js'

/** Without a network, the start of Alpha fails, and Beta is tracked offline and stopped. */
async function failStart(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Start Alpha' }).click()
  await expect(page.getByText('Timer stopped: No internet connection detected')).toBeVisible()
  // A session of less than a second is no question.
  const since = Date.now()
  await expect.poll(() => Date.now() - since, { intervals: [500] }).toBeGreaterThan(2000)
  await page.getByRole('button', { name: 'Start Beta' }).click()
  await page.getByRole('button', { name: 'Track offline' }).click()
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByText('Select a task below to start timing')).toBeVisible()
}

const question = (page: Page) => page.getByRole('heading', { name: /^Did you work for \d+ s\?$/ })

test('the code of questions is loaded while there is a network, for when there is none @long', async ({
  page,
  user,
  expectConsole,
}) => {
  // Other code may still be loading.
  expectConsole(FAILED_REQUEST)
  const loaded = page.waitForResponse(PROMPTS)
  await user.openWithTasks(['Alpha', 'Beta'])
  await (await loaded).finished()
  await failStart(page)

  await expect(question(page)).toBeVisible()
})

test('sync whose code could not be loaded starts by itself when the network returns @long', async ({
  page,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const failure = /assets\/sync-/
  await user.openWithTasks(['Alpha'])
  await page.route(failure, (route) => route.abort())
  const refused = page.waitForEvent('requestfailed', (request) => failure.test(request.url()))
  await page.reload()
  await refused
  await user.create('tasks', { name: 'Beta' })
  await expect(page.getByRole('button', { name: 'Start Alpha' })).toBeEnabled()
  await page.unroute(failure)
  await page.context().setOffline(true)
  await page.context().setOffline(false)

  await expect(page.getByRole('button', { name: 'Start Beta' })).toBeEnabled()
})
