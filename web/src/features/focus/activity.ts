/**
 * When somebody last did something on this device: touched the page, pressed a key, looked at it. Kept
 * cheap, shared by the tabs, and never sent anywhere.
 */

import { ACTIVITY_KEY } from '#session/personal-keys.ts'

export interface Activity {
  /** When the present stretch of activity began, epoch milliseconds. */
  readonly since: number
  readonly last: number
  /** When the stretch before it ended; null when there was none. */
  readonly before: number | null
}

/** After so long without a sign somebody was away. */
const AWAY_MILLISECONDS = 5 * 60_000
/** How long somebody who came back has not done anything yet but look. */
const BACK_MILLISECONDS = 5 * 60_000
/** More often than this nothing is written down. */
const RESOLUTION_MILLISECONDS = 10_000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const

/** Watches for signs of life; returns a function that stops it. `now` is epoch milliseconds of server time. */
export function watchActivity(now: () => number): () => void {
  let noted = -Infinity
  const note = () => {
    const instant = now()
    if (instant - noted < RESOLUTION_MILLISECONDS && instant >= noted) return
    noted = instant
    write(after(read(), instant))
  }
  const look = () => {
    if (document.visibilityState === 'visible') note()
  }
  if (document.hasFocus()) look()
  for (const sign of SIGNS) addEventListener(sign, note, { passive: true, capture: true })
  document.addEventListener('visibilitychange', look)
  return () => {
    for (const sign of SIGNS) removeEventListener(sign, note, { capture: true })
    document.removeEventListener('visibilitychange', look)
  }
}

/**
 * The last time that somebody was at work here, as far as this device can tell; null when it cannot.
 * Who has just come back was not: then it is when they left.
 */
export function lastActive(now: number): number | null {
  const activity = read()
  return activity && lastActiveOf(activity, now)
}

/** The same, of what is known. */
export function lastActiveOf({ since, last, before }: Activity, now: number): number {
  return before !== null && now - since < BACK_MILLISECONDS ? before : last
}

/** What is known after another sign of life. */
export function after(known: Activity | null, instant: number): Activity {
  if (!known) return { since: instant, last: instant, before: null }
  // A clock set back begins anew.
  const isAway = instant - known.last >= AWAY_MILLISECONDS || instant < known.last
  return isAway
    ? { since: instant, last: instant, before: Math.min(known.last, instant) }
    : { ...known, last: instant }
}

function read(): Activity | null {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(ACTIVITY_KEY) ?? 'null')
    return isActivity(known) ? known : null
  } catch {
    return null
  }
}

function write(activity: Activity): void {
  try {
    localStorage.setItem(ACTIVITY_KEY, JSON.stringify(activity))
  } catch {
    // Without it the timer can be stopped now, or by editing its end.
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
