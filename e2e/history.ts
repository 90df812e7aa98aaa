/** Creates histories on the server and sets a page's clock to their time. */
import type { Page } from '@playwright/test'

import { createDocument, updateDocument } from './backend.ts'
import type { TestUser } from './backend.ts'
import type { RunningServer } from './server.ts'

/** The zone of the test browser. */
const ZONE = 'America/New_York'

/** Wednesday 18 November 2026, 15:00 in New York. */
export const NOW = '2026-11-18T15:00:00-05:00'

/**
 * Sets the page's clock, which continues from there, and hides the server's clock from the page.
 */
export async function setNow(page: Page, now = NOW): Promise<void> {
  await page.clock.install({ time: now })
  await page.route('**/v1/stint/info', async (route) => {
    try {
      const response = await route.fetch()
      const { serverTime: _, ...info } = await response.json()
      await route.fulfill({ response, json: info })
    } catch {
      // The page was left or the test is over; a waiting page would report an error.
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
    note?: string,
  ): Promise<void>
  deleteTask(taskId: string): Promise<void>
}

/** Returns functions that fill the account of the user who is signed in on the page. */
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
    async entry(taskId, start, end, pauses = [], note) {
      const span = instant(end) - instant(start)
      const paused = pauses.reduce((sum, [from, to]) => sum + instant(to) - instant(from), 0)
      await create('time_entries', {
        taskId,
        note,
        startTime: iso(start),
        endTime: iso(end),
        date: iso(start),
        entryType: 'timer',
        durationSeconds: Math.floor((span - paused) / 1000),
        pauses:
          pauses.length === 0
            ? null
            : JSON.stringify(pauses.map(([from, to]) => [iso(from), iso(to)])),
        ...(note === undefined ? {} : { note }),
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

/** Returns an instant in either of the two forms as wire text. */
export function iso(text: string): string {
  return new Date(instant(text)).toISOString()
}

/** Returns a time zone in which it is between 12:00 and 13:00, so that no midnight is near. */
export function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours()
  // The signs of these zones are reversed: 'Etc/GMT-3' is three hours ahead.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** Returns a recent date in New York, as '2026-11-18'. */
export function daysAgo(days: number): string {
  return Temporal.Now.plainDateISO(ZONE).subtract({ days }).toString()
}

/** Returns a recent instant, for sessions that end before now at any time of day. */
export function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString()
}

/** Returns the text that a date field shows: '9 Nov 2026'. */
export function shownDate(date: string): string {
  return new Date(`${date}T12:00Z`).toUTCString().slice(5, 16).replace(/^0/, '')
}
