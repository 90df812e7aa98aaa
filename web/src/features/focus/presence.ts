/**
 * Records whether the person is at this device. The browser's idle detector tells, where it is allowed. Otherwise it is
 * what this app sees: its input, and, while another program has the focus, that they may work there. A device that is
 * asleep or closed notes nothing.
 */
import type { Silences } from '@stint/core/focus/still-working.ts'
import type { Interval } from '@stint/core/time/instant.ts'

import { MIN_IDLE, startIdleDetector } from '#hooks/idle-detector.ts'
import type { IdleDetector } from '#hooks/idle-detector.ts'
import { ACTIVITY_KEY, FOCUSED_KEY, PRESENCE_KEY } from '#session/personal-keys.ts'

import { afterInput, noteSeen, readActivity, silencesOf, writeActivity } from './activity.ts'

/** How often presence is noted, in milliseconds. Browsers let a hidden page do so once a minute. */
const TICK = 30_000
/** A tab had the focus if it noted so within this time. */
const FOCUSED = 90_000

/** Returns when nothing was seen of the person on this device. */
export function knownSilences(now: number): Silences {
  return {
    unseen: silencesOf(readActivity(ACTIVITY_KEY), now),
    // A phone that is in a pocket tells nothing of its person.
    away: matchMedia('(pointer: fine)').matches ? silencesOf(readActivity(PRESENCE_KEY), now) : [],
  }
}

/** Returns since when this device is in use, and until when that is known; null if nothing is. */
export function periodOfUse(): Interval | null {
  const isPointed = matchMedia('(pointer: fine)').matches
  const seen = readActivity(isPointed ? PRESENCE_KEY : ACTIVITY_KEY)
  return seen && { start: seen.since, end: seen.last }
}

/**
 * Begins to note presence, and calls `onTick` whenever it may have changed; returns a function that ends it.
 *
 * @param now returns server time in epoch milliseconds
 */
export function watchPresence(now: () => number, onTick: () => void): () => void {
  const ended = new AbortController()
  let detector: IdleDetector | null = null
  void startIdleDetector(ended.signal, onChange).then((known) => {
    detector = known
  })
  const interval = setInterval(tick, TICK)
  document.addEventListener('visibilitychange', tick, { signal: ended.signal })
  addEventListener('focus', tick, { signal: ended.signal })
  tick()
  return () => {
    clearInterval(interval)
    ended.abort()
  }

  function tick(): void {
    const instant = now()
    if (detector) noteDetected(detector, instant)
    else noteFocus(instant)
    onTick()
  }

  function onChange(changed: IdleDetector): void {
    const instant = now()
    // It says so after the time in which there was no input.
    if (changed.userState === 'idle' && changed.screenState === 'unlocked')
      notSeenSince(instant - MIN_IDLE)
    else noteDetected(changed, instant)
    onTick()
  }
}

function noteDetected({ userState, screenState }: IdleDetector, instant: number): void {
  if (userState === 'active' && screenState === 'unlocked') noteSeen(instant)
}

function notSeenSince(instant: number): void {
  for (const key of [ACTIVITY_KEY, PRESENCE_KEY]) {
    const known = readActivity(key)
    if (known)
      writeActivity(key, { ...known, last: Math.max(known.since, Math.min(known.last, instant)) })
  }
}

/** Notes that a tab has the focus, or that the person may work in another program. */
function noteFocus(instant: number): void {
  try {
    if (document.hasFocus()) return localStorage.setItem(FOCUSED_KEY, String(instant))
    const focusedAt = Number(localStorage.getItem(FOCUSED_KEY))
    if (Math.abs(instant - focusedAt) < FOCUSED) return
  } catch {
    // Without storage nothing is known, and nobody is asked.
  }
  writeActivity(PRESENCE_KEY, afterInput(readActivity(PRESENCE_KEY), instant))
}
