/** Asks ActivityWatch on this computer for what its export has. The page does so, which has no reader of files. */
import { isFields } from '#guards.ts'
import type { Interval } from '#time/instant.ts'
import { instantToWire } from '#time/instant.ts'

/** Where ActivityWatch answers on the computer that it watches. */
export const ACTIVITY_WATCH_ORIGIN = 'http://localhost:5600'

/** The types of buckets that are read: windows, whether somebody is there, and tabs of browsers. */
export const BUCKET_TYPES: readonly unknown[] = ['currentwindow', 'afkstatus', 'web.tab.current']

/**
 * Returns what ActivityWatch has of a time, as the text of an export.
 * @param get returns the JSON at a path of ActivityWatch. What it rejects with is passed on.
 */
export async function activityWatchExport(
  get: (path: string) => Promise<unknown>,
  { start, end }: Interval,
): Promise<string> {
  const listed = await get('/api/0/buckets/')
  const all = isFields(listed) ? Object.entries(listed) : []
  const query = `start=${instantToWire(start)}&end=${instantToWire(end)}&limit=-1`
  const buckets: Record<string, unknown> = {}
  for (const [id, bucket] of all) {
    if (!isFields(bucket) || !BUCKET_TYPES.includes(bucket['type'])) continue
    const events = await get(`/api/0/buckets/${encodeURIComponent(id)}/events?${query}`)
    buckets[id] = { ...bucket, events }
  }
  return JSON.stringify({ buckets })
}
