import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { listDocuments, signInThroughApi } from './backend.ts'
import { expect, FAILED_REQUEST, test } from './fixtures.ts'

/** The data that version 2 of the browser's database wrote. */
const FIXTURE = join(import.meta.dirname, '../web/src/record/fixtures/version-2.json')

test('a browser with the database of the previous version keeps its data and sends what was unsent', async ({
  page,
  server,
  user,
  expectConsole,
}) => {
  // The server of this test does not have the changed documents.
  expectConsole(FAILED_REQUEST)
  await signInThroughApi(page.request, server.url, user)
  // No app runs on this page.
  await page.goto('/terms')
  const text = readFileSync(FIXTURE, 'utf8')
  const name = `stint-${user.id}`
  await page.evaluate(writeVersion2, { name, text })
  await page.goto('/tasks')

  await expect(page.getByRole('link', { name: 'Added offline' })).toBeVisible()
  const tasks = () => listDocuments(page.request, server.url, 'tasks')
  await expect
    .poll(async () => (await tasks()).map((task) => task['name']))
    .toEqual(expect.arrayContaining(['Added offline', 'Form is open', 'Imported']))
  const entries = () => listDocuments(page.request, server.url, 'time_entries')
  await expect
    .poll(async () => (await entries()).map((entry) => entry['note']))
    .toContain('by hand, corrected')
  const databases = await page.evaluate(() => indexedDB.databases())
  expect(databases.find((database) => database.name === name)?.version).toBe(31)
})

/** Runs in the page. */
async function writeVersion2({ name, text }: { name: string; text: string }): Promise<void> {
  const { version, stores } = JSON.parse(text)
  const request = indexedDB.open(name, version)
  request.addEventListener('upgradeneeded', () => {
    const keyPaths = { tasks: 'id', entries: 'id', state: 'key', outbox: 'sequence' }
    const all = { ...keyPaths, packs: 'position', quarantine: 'id' }
    for (const [store, keyPath] of Object.entries(all)) {
      const made = request.result.createObjectStore(store, { keyPath })
      for (const record of stores[store]) made.put(record)
    }
  })
  await new Promise((resolve) => {
    request.addEventListener('success', resolve)
  })
  request.result.close()
}
