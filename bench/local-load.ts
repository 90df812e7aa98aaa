/**
 * Benchmarks of the reports page for a known user: the time until the figures are on screen, and
 * the memory of the tab, with a history of ten years in the local database and with a hundred
 * entries. The difference is the cost of reading them. Runs in a real Chromium, without the
 * backend, so that nothing is pulled.
 */
import { chromium } from '@playwright/test'
import type { Browser, BrowserContext, Page } from '@playwright/test'

import { createDocument, createUser, signInThroughApi } from '../e2e/backend.ts'
import { startServer } from '../e2e/server.ts'
import type { RunningServer } from '../e2e/server.ts'
import { CHROMIUM_ARGUMENTS } from '../scripts/chromium-arguments.ts'

export interface LocalLoadResult {
  readonly entries: number
  /** The median time from the navigation's start to the figures, in milliseconds. */
  readonly milliseconds: number
  /** The size of JavaScript's heap after a collection, in the last round. */
  readonly megabytes: number
}

const ROUNDS = 5
const COUNTS = [100, 10_000, 100_000]

/** Runs the benchmark with the browser at `executablePath`. Prints one line per size. */
export async function benchLocalLoad(executablePath: string): Promise<LocalLoadResult[]> {
  const server = await startServer()
  const browser = await chromium.launch({
    executablePath,
    args: [...CHROMIUM_ARGUMENTS],
  })
  try {
    const results: LocalLoadResult[] = []
    for (const entries of COUNTS) {
      const measured = await measure(browser, server, entries)
      const { milliseconds, megabytes } = measured
      console.log(
        `reports with ${entries} entries: ${milliseconds.toFixed(0)} ms, ${megabytes.toFixed(0)} MB`,
      )
      results.push({ entries, ...measured })
    }
    return results
  } finally {
    await browser.close()
    await server.remove()
  }
}

async function measure(
  browser: Browser,
  server: RunningServer,
  count: number,
): Promise<Omit<LocalLoadResult, 'entries'>> {
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    await prepareHistory(context, page, server, count)
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.goto('/reports', { waitUntil: 'commit' })
      times.push(await figuresShown(page, count))
    }
    return {
      milliseconds: times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? NaN,
      megabytes: await heapOf(page),
    }
  } finally {
    await context.close()
  }
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1_000_000
}

/** Creates a user whose history is already in the browser. */
export async function prepareHistory(
  context: BrowserContext,
  page: Page,
  server: RunningServer,
  count: number,
): Promise<void> {
  const user = await createUser(context.request, server.url)
  await signInThroughApi(context.request, server.url, user)
  const task = await createDocument(context.request, server.url, 'tasks', {
    name: 'Write',
    userId: user.id,
  })
  await page.goto('/reports')
  await page.getByText('No task data available').first().waitFor()
  // The backend has none of these entries. A request would make the app treat them as deleted.
  await page.route('**/v1/**', (route) => route.abort())
  await page.goto('/terms')
  await page.evaluate(fillLocalDatabase, { userId: user.id, taskId: task.$id, count })
  // The first visit may prepare stored data for later ones.
  await page.goto('/reports')
  await figuresShown(page, count)
}

/**
 * Returns the time from the navigation's start to the chip that counts all sessions, in
 * milliseconds.
 */
async function figuresShown(page: Page, count: number): Promise<number> {
  const shown = await page.waitForFunction(
    (expected) => {
      const isCounted = [...document.querySelectorAll('main *')].some(
        (node) => node.textContent?.replaceAll(/[^\w]/g, '') === `Sessions${expected}`,
      )
      return isCounted ? performance.now() : null
    },
    count,
    { polling: 'raf' },
  )
  return Number(await shown.jsonValue())
}

/**
 * Runs in the page. Stores so many entries, an hour each, until now, in pages as the record does.
 */
async function fillLocalDatabase(input: {
  userId: string
  taskId: string
  count: number
}): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(`stint-${input.userId}`)
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(new Error('The database did not open')))
  })
  const transaction = database.transaction('record-pages', 'readwrite')
  const pages = transaction.objectStore('record-pages')
  const spacing = (10 * 365 * 86_400_000) / input.count
  const rows = Array.from({ length: input.count }, (_, index) => {
    const startedAt = Math.floor(Date.now() - 600_000 - (input.count - index) * spacing)
    const length = Math.min(spacing, 2_400_000)
    const id = `6b01${index.toString(16).padStart(16, '0')}`
    const endedAt = startedAt + length
    const seconds = Math.floor(length / 1000)
    const worked = [input.taskId, startedAt, endedAt, seconds, null]
    const note = index % 3 === 0 ? null : `call with ${index % 97} about #tag${index % 50}`
    return [id, startedAt, startedAt, ...worked, note, 'timer', '', null]
  })
  for (let page = 0; page * 500 < rows.length; page += 1) {
    const ofPage = rows.slice(page * 500, (page + 1) * 500)
    pages.put({ page, rows: JSON.stringify(ofPage) }, page)
  }
  await new Promise((resolve) => {
    transaction.addEventListener('complete', resolve)
  })
  database.close()
}
