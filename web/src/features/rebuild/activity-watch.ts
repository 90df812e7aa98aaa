/** Reads ActivityWatch on this computer. */
import {
  activityWatchExport,
  ACTIVITY_WATCH_ORIGIN,
} from '@stint/core/traces/activity-watch-here.ts'
import { t } from '@stint/core/text.ts'

import type { ActivityWatchHere } from '#traces/traces-database.ts'

/** Reads so far back; a file of its export may have more. */
const SPAN_MILLISECONDS = 31 * 86_400_000
/** A month of a busy computer takes it some seconds. */
const TIMEOUT_MILLISECONDS = 30_000

/**
 * Returns the text and the origin of what ActivityWatch has of the last month. Rejects with an Error whose message is the
 * text to show.
 */
export async function readActivityWatchHere(
  now: number,
): Promise<{ readonly text: string; readonly origin: ActivityWatchHere }> {
  const since = now - SPAN_MILLISECONDS
  try {
    const text = await activityWatchExport(get, { start: since, end: now })
    return { text, origin: { since } }
  } catch (cause) {
    throw new Error(
      t(
        'ActivityWatch on this computer doesn’t answer. Start it, allow the browser to reach it, and add {origin} to “cors_origins” in its settings.',
        { origin: location.origin },
      ),
      { cause },
    )
  }
}

async function get(path: string): Promise<unknown> {
  const response = await fetch(`${ACTIVITY_WATCH_ORIGIN}${path}`, {
    credentials: 'omit',
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  })
  if (!response.ok) throw new Error(`ActivityWatch answered ${response.status}`)
  return response.json()
}
