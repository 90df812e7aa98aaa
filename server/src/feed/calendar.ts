/** The calendar of a person's sessions. */
import { hash } from 'node:crypto'
import { exportIcs } from '@stint/core/transfer/entry-export.ts'
import type { RecordReader } from '#api/record.ts'

/** How far back a calendar goes, in milliseconds: eight weeks. */
const FEED_SPAN = 56 * 86_400_000

/** The most events of a calendar: 35 a day. */
const MAX_EVENTS = 2000

/** Its name, and how often to fetch it, in the two forms that calendars know. */
const CALENDAR_PROPERTIES = [
  'X-WR-CALNAME:Stint',
  'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
  'X-PUBLISHED-TTL:PT1H',
]

/** An iCalendar file in UTF-8, and a hash of it. */
export interface Calendar {
  readonly file: Uint8Array<ArrayBuffer>
  readonly hash: string
}

/**
 * Returns the calendar of the sessions that started in the eight weeks before `now` (epoch milliseconds) or later, the
 * newest 2,000.
 * @throws what `RecordReader` throws.
 */
export async function calendarOf(record: RecordReader, now: number): Promise<Calendar> {
  const since = now - FEED_SPAN
  const entries = await record.startedSince(since, MAX_EVENTS)
  const tasks = await record.tasksWithIds([...new Set(entries.map(({ taskId }) => taskId))])
  const range = { start: since, end: Infinity }
  const file = new TextEncoder().encode(exportIcs({ entries, tasks, range }, CALENDAR_PROPERTIES))
  return { file, hash: hash('sha256', file, 'base64url') }
}
