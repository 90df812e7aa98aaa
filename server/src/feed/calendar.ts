/** The calendar of a person's sessions. */
import { hash } from 'node:crypto'
import type { SessionFilter } from '@stint/core/record/session-filter.ts'
import { entryList } from '@stint/core/reports/entry-list.ts'
import { findSessions } from '@stint/core/reports/found-sessions.ts'
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

/** What a calendar is asked for. */
export interface CalendarAsked {
  readonly now: number
  readonly filter: SessionFilter | null
}

/**
 * Returns the calendar of the sessions that started in the eight weeks before `now` (epoch milliseconds) or later, of
 * the newest 2,000 those that the filter finds; null: all.
 * @throws what `RecordReader` throws.
 */
export async function calendarOf(
  record: RecordReader,
  { now, filter }: CalendarAsked,
): Promise<Calendar> {
  const since = now - FEED_SPAN
  const all = await record.startedSince(since, MAX_EVENTS)
  const tasks = await record.tasksWithIds([...new Set(all.map(({ taskId }) => taskId))])
  const entries = filter === null ? all : entryList(findSessions(filter, all, tasks)).entries
  const range = { start: since, end: Infinity }
  const file = new TextEncoder().encode(exportIcs({ entries, tasks, range }, CALENDAR_PROPERTIES))
  return { file, hash: hash('sha256', file, 'base64url') }
}
