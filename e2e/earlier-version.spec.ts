import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, FAILED_REQUEST, test } from './fixtures.ts'

/** The data that the version before wrote into the browser's database. */
const FIXTURE = join(import.meta.dirname, '../web/src/record/fixtures/version-31.json')

test('a browser with the database of the previous version keeps its data and sends what was unsent', async ({
  page,
  user,
  expectConsole,
}) => {
  // The server of this test does not have the changed documents.
  expectConsole(FAILED_REQUEST)
  await user.signInThroughApi()
  // No app runs on this page.
  await page.goto('/terms')
  const { work } = JSON.parse(readFileSync(FIXTURE, 'utf8'))
  const text = JSON.stringify(work).replaceAll(work.owner, user.id)
  const name = `stint-${user.id}`
  await page.evaluate(writeVersion31, { name, text })
  await page.goto('/dashboard')

  const timer = page.getByRole('region', { name: 'Timer', exact: true })
  await expect(timer.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(timer).toContainText('Write')
  const tasks = () => user.stored('tasks')
  await expect.poll(async () => (await tasks()).map((task) => task['name'])).toContain('Imported')
  const entries = () => user.stored('time_entries')
  await expect
    .poll(async () => (await entries()).map((entry) => entry['note']))
    .toEqual(expect.arrayContaining(['half of it', 'first, with a note', 'second', 'edited here']))
  const sessions = () => user.stored('timer_sessions')
  await expect
    .poll(async () => (await sessions()).map((session) => session['note']))
    .toEqual(['still going'])
  const databases = await page.evaluate(() => indexedDB.databases())
  expect(databases.find((database) => database.name === name)?.version).toBe(32)
})

/** Runs in the page. */
async function writeVersion31({ name, text }: { name: string; text: string }): Promise<void> {
  const { version, stores } = JSON.parse(text)
  const request = indexedDB.open(name, version)
  request.addEventListener('upgradeneeded', () => {
    for (const store of ['tasks', 'values', 'edits', 'operations', 'pages', 'unreadable']) {
      const options = { autoIncrement: store === 'unreadable' }
      const made = request.result.createObjectStore(`record-${store}`, options)
      for (const [key, record] of stores[store]) made.put(record, key)
    }
  })
  await new Promise((resolve) => {
    request.addEventListener('success', resolve)
  })
  request.result.close()
}
