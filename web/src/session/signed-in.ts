/** Access to the record and the sync of the signed-in user. */
import { useCallback, useSyncExternalStore } from 'react'

import type { LocalRecord } from '#record/record.ts'
import type { ValueKey, ValueOf } from '@stint/core/device/stored.ts'
import type { SyncStatus } from '#sync/status.ts'
import type { Sync } from '#sync/sync.ts'

import { useSessionState } from './current-session.ts'

/** Returns the signed-in user's record. Throws when no user is signed in. */
export function useRecord(): LocalRecord {
  return useSignedIn().record
}

/** Returns the signed-in user's sync. Throws when no user is signed in. */
export function useSync(): Sync {
  return useSignedIn().sync
}

function useSignedIn() {
  const state = useSessionState()
  if (state.status !== 'signed-in') throw new Error('Nobody is signed in')
  return state
}

/** Returns the sync's status and re-renders when it changes. */
export function useSyncStatus(): SyncStatus {
  const { status } = useSync()
  return useSyncExternalStore(status.subscribe, status.get)
}

/**
 * Returns `read(record)` and re-renders when it changes. `read` must return the same reference for
 * unchanged data.
 */
export function useFromRecord<T>(read: (record: LocalRecord) => T): T {
  const record = useRecord()
  const get = useCallback(() => read(record), [record, read])
  return useSyncExternalStore(record.changes.subscribe, get)
}

/** Returns all tasks, deleted ones included. */
export function useLocalTasks() {
  return useFromRecord(readTasks)
}

/** Returns the entries that are not deleted, ordered by start. */
export function useLocalEntries() {
  return useFromRecord(readEntries)
}

/** Returns the number of changes that the backend has not acknowledged. */
export function useUnsavedCount(): number {
  return useFromRecord(readUnsaved)
}

/** Returns the number of unsaved changes that wait because the storage quota is used up. */
export function useOverQuota(): number {
  return useFromRecord(readOverQuota)
}

/** Returns the problem of this browser's storage, or null. */
export function useStorageProblem() {
  return useFromRecord(readStorageProblem)
}

/** Returns whether there is a storage problem or the storage quota is used up. */
export function useHasWarning(): boolean {
  return useFromRecord(readHasWarning)
}

/** Returns a single value of the record, such as the timer or the settings; undefined without one. */
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
