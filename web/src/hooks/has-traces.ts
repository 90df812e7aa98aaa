/**
 * Whether this device keeps traces, so that who has none loads nothing of them, and how it shows events. A
 * device alone decides: its account has no traces.
 */
import { useSyncExternalStore } from 'react'

import { createStore } from '#record/create-store.ts'
import { EVENTS_SAID_KEY, TRACES_KEY } from '#session/personal-keys.ts'

const traces = noteOf(TRACES_KEY, ['shown', 'hidden'])
const events = noteOf(EVENTS_SAID_KEY, ['said'])

/** Returns whether this device keeps traces. Unusable storage has none. */
export function hasTraces(): boolean {
  return traces.get() !== null
}

/** Notes whether this device keeps traces. */
export function noteTraces(has: boolean): void {
  if (has !== hasTraces()) traces.set(has ? 'shown' : null)
}

/** Returns whether the timeline shows the events of calendars. A hook. */
export function useShowsCalendar(): boolean {
  return useSyncExternalStore(traces.subscribe, traces.get) === 'shown'
}

/** Shows or hides the events of calendars on this device. */
export function showCalendar(isShown: boolean): void {
  traces.set(isShown ? 'shown' : 'hidden')
}

/** Returns whether this device has traces and says that an event begins while a timer runs. A hook. */
export function useSaysEvents(): boolean {
  const has = useSyncExternalStore(traces.subscribe, traces.get) !== null
  return useSyncExternalStore(events.subscribe, events.get) !== null && has
}

/** Says on this device that events begin, or no more. */
export function sayEvents(isOn: boolean): void {
  events.set(isOn ? 'said' : null)
}

/** Returns one of a few values, or null, that this browser keeps under a key. */
function noteOf<T extends string>(key: string, values: readonly T[]) {
  const note = createStore<T | null>(read())
  return {
    ...note,
    set(value: T | null) {
      note.set(value)
      try {
        if (value === null) localStorage.removeItem(key)
        else localStorage.setItem(key, value)
      } catch {
        // Then it holds until the page is closed.
      }
    },
  }

  function read(): T | null {
    try {
      const kept = localStorage.getItem(key)
      return values.find((each) => each === kept) ?? null
    } catch {
      return null
    }
  }
}
