/** How features reach the sync and the local data of the signed-in user. */
import { useSyncExternalStore } from 'react'

import { useSessionState } from './current-session.ts'
import { storesOf } from './stores.ts'
import type { LiveValue } from './stores.ts'
import type { Sync, SyncStatus } from './sync.ts'

/** The sync of the signed-in user. Throws where nobody is: guard the route. */
export function useSync(): Sync {
  const state = useSessionState()
  if (state.status !== 'signed-in') throw new Error('Nobody is signed in')
  return state.sync
}

/** The sync's status, live. */
export function useSyncStatusOf(sync: Sync): SyncStatus {
  return useSyncExternalStore(sync.onStatus, sync.status)
}

/** The user's tasks, deleted ones included; undefined until read. */
export function useLocalTasks() {
  return useLive(storesOf(useSync()).tasks)
}

/** The user's entries, by start; undefined until read. */
export function useLocalEntries() {
  return useLive(storesOf(useSync()).entries)
}

/** How many changes the backend has not acknowledged. */
export function useUnsavedCount(): number {
  return useLive(storesOf(useSync()).unsaved)
}

/** How many of them wait because the storage on the backend is used up. */
export function useOverQuota(): number {
  return useLive(storesOf(useSync()).overQuota)
}

/** The account's preferences; null before they were ever read, undefined until read here. */
export function useSettingsRecord() {
  return useLive(storesOf(useSync()).settings)
}

/** The active timer; null when idle, undefined until read. */
export function useTimerRecord() {
  return useLive(storesOf(useSync()).timer)
}

/** What the red banner says; null without one. */
export function useBannerRecord() {
  return useLive(storesOf(useSync()).banner)
}

/** Gaps in which the timer ran and this device did not; null without any. */
export function useGapsRecord() {
  return useLive(storesOf(useSync()).gaps)
}

/** What was said once, and which breaks were skipped; null before anything was. */
export function useNudgesRecord() {
  return useLive(storesOf(useSync()).nudges)
}

/** Sessions for the recovery cards; null without any. */
export function useUnfinishedRecord() {
  return useLive(storesOf(useSync()).unfinished)
}

/** How far the pull of tasks and of entries has come; null before the first. */
export function usePullRecords() {
  const { pulledTasks, pulledEntries } = storesOf(useSync())
  return { tasks: useLive(pulledTasks), entries: useLive(pulledEntries) }
}

function useLive<T>({ subscribe, get }: LiveValue<T>): T {
  return useSyncExternalStore(subscribe, get)
}
