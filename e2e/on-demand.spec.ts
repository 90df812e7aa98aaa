/** Code that is loaded on demand, in a browser whose service worker is not there yet. */
import type { Page } from '@playwright/test'

import { expect, FAILED_REQUEST, openWithTasks, startTimer, test } from './fixtures.ts'

/** A start fails, and another task is started and stopped: the first one is offered. */
async function failStart(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Start Alpha' }).click()
  await expect(page.getByText('Timer stopped: No internet connection detected')).toBeVisible()
  const since = Date.now()
  await expect.poll(() => Date.now() - since, { intervals: [500] }).toBeGreaterThan(2000)
  await page.getByRole('button', { name: 'Start Beta' }).click()
  await expect(page.getByText('Timer stopped: No internet connection detected')).toBeVisible()
}

const question = (page: Page) =>
  page.getByRole('heading', { name: /^This session wasn’t timed\. Keep \d+ s\?$/ })

test('a question whose code could not be loaded appears when the network returns', async ({
  page,
  server,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  expectConsole(/dynamically imported module/)
  await page.route('**/assets/prompts-*.js', (route) => route.abort())
  const refused = page.waitForEvent('requestfailed', (request) => /prompts-/.test(request.url()))
  await openWithTasks(page, server, user, ['Alpha', 'Beta'])
  await refused
  await failStart(page)
  await page.unroute('**/assets/prompts-*.js')
  await page.context().setOffline(false)
  await startTimer(page, 'Beta')

  await expect(question(page)).toBeVisible()
})
