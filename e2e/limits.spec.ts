/** What a user sees when the server refuses for its quota or its rate limits. */
import type { Page, Route } from '@playwright/test'

import { createDocument, createUser, listDocuments, signInThroughApi } from './backend.ts'
import { expect, FAILED_REQUEST, startTimer, test } from './fixtures.ts'
import { expectClear } from './looks.ts'
import { startServer } from './server.ts'

const ENTRIES = '**/v1/**/collections/time_entries/documents'

function refuse(route: Route, status: number, type: string, headers = {}): Promise<void> {
  const json = { message: 'Refused', code: status, type, version: '1' }
  return route.fulfill({ status, json, headers })
}

test('a session beyond the quota is stored locally, and saved when there is room @long', async ({
  page,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  // Room for a task and a timer.
  const small = await startServer({ QUOTA_DOCUMENTS: '2' })
  try {
    const user = await createUser(page.request, small.url)
    await signInThroughApi(page.request, small.url, user)
    const task = { name: 'Write', userId: user.id }
    await createDocument(page.request, small.url, 'tasks', task)
    await page.goto(`${small.url}/dashboard`)
    await startTimer(page, 'Write')
    await expect(page.getByRole('timer').first()).not.toHaveText('00:00')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    const banner = page.getByRole('alert').filter({ hasText: 'Your storage on this server' })
    await expect(banner).toContainText('1 change is kept on this device only.')
    await expectClear(page, 'over-quota')
    expect(await listDocuments(page.request, small.url, 'time_entries')).toEqual([])
    await page.reload()
    await expect(banner).toBeVisible()

    await small.restartWith({ QUOTA_DOCUMENTS: '3' })
    await banner.getByRole('button', { name: 'Retry' }).click()
    await expect(banner).toHaveCount(0)
    const saved = () => listDocuments(page.request, small.url, 'time_entries')
    await expect.poll(async () => (await saved()).length).toBe(1)
    await expect(page.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)
  } finally {
    await small.remove()
  }
})

test('a large import to a server with rate limits shows how long it takes @long', async ({
  page,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await user.openWithTasks()
  let created = 0
  await page.route(ENTRIES, (route) => {
    const method = route.request().method()
    if (method === 'PUT') return refuse(route, 404, 'general_route_not_found')
    if (method !== 'POST') return route.continue()
    created += 1
    if (created <= 5) return route.continue()
    return refuse(route, 429, 'general_rate_limit_exceeded', {
      'Retry-After': '60',
      'X-RateLimit-Limit': '120',
    })
  })
  await page.goto('/data')
  await chooseFile(page, 300)
  await page.getByRole('button', { name: 'Import 300 sessions' }).click()
  await expect(page.getByText('about 4 minutes left. Keep Stint open.')).toBeVisible()
  await expectClear(page, 'import-paced')
  await page.setViewportSize({ width: 390, height: 844 })
  const chip = page.getByRole('status', { name: 'Connection' }).locator('visible=true')
  await expect(chip).toContainText('Syncing 295…')
  await expect(chip).toContainText('about 4 minutes left')
})

/** Imports a table with so many sessions of a minute each, an hour apart. */
async function chooseFile(page: Page, sessions: number): Promise<void> {
  const start = Date.now() - (sessions + 24) * 3_600_000
  const rows = Array.from({ length: sessions }, (_, index) => {
    const at = new Date(start + index * 3_600_000)
    const end = new Date(at.getTime() + 60_000)
    return `Write,${at.toISOString()},${end.toISOString()}`
  })
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'sessions.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Task,Start,End', ...rows].join('\n')),
  })
}
