/**
 * Whether this device keeps traces, so that who has none loads nothing of them, and how it shows events. A
 * device alone decides: its account has no traces.
 */
import type { TraceKind } from '@stint/core/traces/trace.ts'
import { useSyncExternalStore } from 'react'

import { createStore } from '#record/create-store.ts'
import { EVENTS_SAID_KEY, PRESENCE_NOTED_KEY, TRACES_KEY } from '#session/personal-keys.ts'

const traces = noteOf(TRACES_KEY, ['shown', 'hidden'])
const events = noteOf(EVENTS_SAID_KEY, ['said'])
const presence = noteOf(PRESENCE_NOTED_KEY, ['noted'])

/** Returns whether this device keeps traces. Unusable storage has none. */
export function hasTraces(): boolean {
  return traces.get() !== null
}

/** Notes of which kinds the sources of this device are. */
export function noteSources(kinds: readonly TraceKind[]): void {
  const has = kinds.length > 0
  if (has !== hasTraces()) traces.set(has ? 'shown' : null)
  presence.set(kinds.includes('presence') ? 'noted' : null)
}

/** Returns whether it is noted when this device is in use. A hook. */
export function useNotesPresence(): boolean {
  return useSyncExternalStore(presence.subscribe, presence.get) !== null
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
