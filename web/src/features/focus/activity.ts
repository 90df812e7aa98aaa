/**
 * Records when a person last used this device: touched the page, pressed a key, or looked at it. The
 * record is shared by the tabs. Of it, only the instant of an open question is sent (still-working-watch.tsx).
 */

import type { Interval } from '@stint/core/time/instant.ts'

import { ACTIVITY_KEY, PRESENCE_KEY } from '#session/personal-keys.ts'

export interface Activity {
  /** When the current period of activity began, in epoch milliseconds. */
  readonly since: number
  readonly last: number
  /** When the previous period ended, in epoch milliseconds; null without one. */
  readonly before: number | null
}

/** Without input for this long, a person counts as away. */
const AWAY_MILLISECONDS = 5 * 60_000
/** For this long after coming back, a person counts as not yet working. */
const BACK_MILLISECONDS = 5 * 60_000
/** Activity is stored at most this often. */
const RESOLUTION_MILLISECONDS = 10_000
const INPUT_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const

/**
 * Starts to record activity; returns a function that stops it. `now` returns server time in epoch
 * milliseconds.
 */
export function watchActivity(now: () => number): () => void {
  let noted = -Infinity
  const note = () => {
    const instant = now()
    if (instant - noted < RESOLUTION_MILLISECONDS && instant >= noted) return
    noted = instant
    noteSeen(instant)
  }
  const look = () => {
    if (document.visibilityState === 'visible') note()
  }
  if (document.hasFocus()) look()
  for (const sign of INPUT_EVENTS) addEventListener(sign, note, { passive: true, capture: true })
  document.addEventListener('visibilitychange', look)
  return () => {
    for (const sign of INPUT_EVENTS) removeEventListener(sign, note, { capture: true })
    document.removeEventListener('visibilitychange', look)
  }
}

/**
 * Returns when the person was last active on this device; null when unknown. For a person who has just
 * come back, it is when they left.
 */
export function lastActive(now: number): number | null {
  const activity = readActivity(ACTIVITY_KEY)
  return activity && lastActiveOf(activity, now)
}

/** Returns the same for a known activity. */
export function lastActiveOf({ since, last, before }: Activity, now: number): number {
  return before !== null && now - since < BACK_MILLISECONDS ? before : last
}

/** Returns the activity after input at `instant`. */
export function afterInput(known: Activity | null, instant: number): Activity {
  if (!known) return { since: instant, last: instant, before: null }
  // A clock that was set back starts a new period.
  const isAway = instant - known.last >= AWAY_MILLISECONDS || instant < known.last
  return isAway
    ? { since: instant, last: instant, before: Math.min(known.last, instant) }
    : { ...known, last: instant }
}

/** Returns the last two periods without activity, the second one up to now. */
export function silencesOf(activity: Activity | null, now: number): Interval[] {
  if (!activity) return []
  const { since, last, before } = activity
  const current = { start: last, end: Math.max(last, now) }
  return before === null ? [current] : [{ start: before, end: since }, current]
}

/** Notes that the person was seen at `instant`. */
export function noteSeen(instant: number): void {
  for (const key of [ACTIVITY_KEY, PRESENCE_KEY])
    writeActivity(key, afterInput(readActivity(key), instant))
}

/** Reads the activity that is stored under a key; null if there is none. */
export function readActivity(key: string): Activity | null {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isActivity(known) ? known : null
  } catch {
    return null
  }
}

/** Stores the activity under a key. */
export function writeActivity(key: string, activity: Activity): void {
  try {
    localStorage.setItem(key, JSON.stringify(activity))
  } catch {
    // Without it, nothing is known of the person, and nobody is asked about their absence.
  }
}

function isActivity(value: unknown): value is Activity {
  return (
    typeof value === 'object' &&
    value !== null &&
    'since' in value &&
    typeof value.since === 'number' &&
    'last' in value &&
    typeof value.last === 'number' &&
    'before' in value &&
    (value.before === null || typeof value.before === 'number')
  )
}
