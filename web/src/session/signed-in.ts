/** How features reach the record and the sync of the signed-in user. */
import { useCallback, useSyncExternalStore } from 'react'

import type { LocalRecord } from '#record/record.ts'
import type { ValueKey, ValueOf } from '#record/stored.ts'
import type { SyncStatus } from '#sync/status.ts'
import type { Sync } from '#sync/sync.ts'

import { useSessionState } from './current-session.ts'

/** The record of the signed-in user. Throws where nobody is: guard the route. */
export function useRecord(): LocalRecord {
  return useSignedIn().record
}

/** The sync of the signed-in user. Throws where nobody is: guard the route. */
export function useSync(): Sync {
  return useSignedIn().sync
}

function useSignedIn() {
  const state = useSessionState()
  if (state.status !== 'signed-in') throw new Error('Nobody is signed in')
  return state
}

/** The sync's status, live. */
export function useSyncStatus(): SyncStatus {
  const { status } = useSync()
  return useSyncExternalStore(status.subscribe, status.get)
}

/** What `read` finds in the record, live. It must return the same while nothing of that has changed. */
export function useFromRecord<T>(read: (record: LocalRecord) => T): T {
  const record = useRecord()
  const get = useCallback(() => read(record), [record, read])
  return useSyncExternalStore(record.changes.subscribe, get)
}

/** All tasks, deleted ones included. */
export function useLocalTasks() {
  return useFromRecord(readTasks)
}

/** The entries that are not deleted, by start. */
export function useLocalEntries() {
  return useFromRecord(readEntries)
}

/** How many changes the backend has not acknowledged. */
export function useUnsavedCount(): number {
  return useFromRecord(readUnsaved)
}

/** How many of them wait because the storage on the backend is used up. */
export function useOverQuota(): number {
  return useFromRecord(readOverQuota)
}

/** What is wrong with this browser's storage, or null. */
export function useStorageProblem() {
  return useFromRecord(readStorageProblem)
}

/** Whether the storage, here or on the backend, takes no more or had been deleted. */
export function useHasWarning(): boolean {
  return useFromRecord(readHasWarning)
}

/** What there is one of, live; undefined without one: the timer, the banner, the settings … */
export function useValue<K extends ValueKey>(key: K): ValueOf<K> | undefined {
  return useFromRecord(useCallback((record: LocalRecord) => record.value(key), [key]))
}

const readTasks = (record: LocalRecord) => record.tasks()
const readEntries = (record: LocalRecord) => record.entries()
const readUnsaved = (record: LocalRecord) => record.unsaved()
const readOverQuota = (record: LocalRecord) => record.overQuota()
const readStorageProblem = (record: LocalRecord) => record.storageProblem()
const readHasWarning = (record: LocalRecord) =>
  record.storageProblem() !== null || record.overQuota() > 0
