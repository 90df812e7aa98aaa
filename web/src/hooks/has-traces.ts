/** Whether this device keeps traces, so that who has none loads nothing of them, and whether events are shown. */
import { useSyncExternalStore } from 'react'

import { createStore } from '#record/create-store.ts'
import { TRACES_KEY } from '#session/personal-keys.ts'

type Noted = 'shown' | 'hidden' | null

const noted = createStore<Noted>(read())

/** Returns whether this device keeps traces. Unusable storage has none. */
export function hasTraces(): boolean {
  return noted.get() !== null
}

/** Notes whether this device keeps traces. */
export function noteTraces(has: boolean): void {
  if (has !== hasTraces()) note(has ? 'shown' : null)
}

/** Returns whether the timeline shows the events of calendars. A hook. */
export function useShowsCalendar(): boolean {
  return useSyncExternalStore(noted.subscribe, noted.get) === 'shown'
}

/** Shows or hides the events of calendars on this device. */
export function showCalendar(isShown: boolean): void {
  note(isShown ? 'shown' : 'hidden')
}

function read(): Noted {
  try {
    const kept = localStorage.getItem(TRACES_KEY)
    return kept === 'shown' || kept === 'hidden' ? kept : null
  } catch {
    return null
  }
}

function note(what: Noted): void {
  noted.set(what)
  try {
    if (what === null) localStorage.removeItem(TRACES_KEY)
    else localStorage.setItem(TRACES_KEY, what)
  } catch {
    // Then it holds until the page is closed.
  }
}
