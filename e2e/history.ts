/** A history on the server, and a page whose clock shows the time it is about. */
import type { Page } from '@playwright/test'

import { createDocument, updateDocument } from './backend.ts'
import type { TestUser } from './backend.ts'
import type { RunningServer } from './server.ts'

/** Where the tests' browser is. */
const ZONE = 'America/New_York'

/** Wednesday 18 November 2026, 15:00 in New York. */
export const NOW = '2026-11-18T15:00:00-05:00'

/** Sets the page's clock; it goes on from there. The server's own clock is kept from it. */
export async function setNow(page: Page, now = NOW): Promise<void> {
  await page.clock.install({ time: now })
  await page.route('**/v1/stint/info', async (route) => {
    try {
      const response = await route.fetch()
      const { serverTime: _, ...info } = await response.json()
      await route.fulfill({ response, json: info })
    } catch {
      // The page has moved on, or the test is over; a page that still waits would complain.
      await route.abort().catch(() => undefined)
    }
  })
}

export interface History {
  task(name: string): Promise<string>
  /** Instants as ISO text with an offset, or as '2026-11-18 09:30' of New York. */
  entry(
    taskId: string,
    start: string,
    end: string,
    pauses?: readonly (readonly [start: string, end: string])[],
  ): Promise<void>
  deleteTask(taskId: string): Promise<void>
}

/** Fills the account of the user who is signed in on the page. */
export function historyOf(
  page: Pick<Page, 'request'>,
  server: RunningServer,
  user: TestUser,
): History {
  const create = (collection: string, data: Readonly<Record<string, unknown>>) =>
    createDocument(page.request, server.url, collection, { userId: user.id, ...data })
  return {
    async task(name) {
      return (await create('tasks', { name })).$id
    },
    async entry(taskId, start, end, pauses = []) {
      const span = instant(end) - instant(start)
      const paused = pauses.reduce((sum, [from, to]) => sum + instant(to) - instant(from), 0)
      await create('time_entries', {
        taskId,
        startTime: iso(start),
        endTime: iso(end),
        date: iso(start),
        entryType: 'timer',
        durationSeconds: Math.floor((span - paused) / 1000),
        pauses:
          pauses.length === 0
            ? null
            : JSON.stringify(pauses.map(([from, to]) => [iso(from), iso(to)])),
      })
    },
    async deleteTask(taskId) {
      await updateDocument(page.request, server.url, 'tasks', taskId, { isActive: false })
    },
  }
}

function instant(text: string): number {
  if (!/^[\d-]+ [\d:]+$/.test(text)) return Date.parse(text)
  return Temporal.PlainDateTime.from(text).toZonedDateTime(ZONE).epochMilliseconds
}

/** An instant, in either of the ways above, as the wire has it. */
export function iso(text: string): string {
  return new Date(instant(text)).toISOString()
}

/** A date of the last days in New York, as '2026-11-18'. */
export function daysAgo(days: number): string {
  return Temporal.Now.plainDateISO(ZONE).subtract({ days }).toString()
}
