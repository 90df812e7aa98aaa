/** What the screens read of the local database, as live values: one set for each open sync. */
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import type { StateRecord } from './local-db.ts'
import type { Snapshot } from './snapshot.ts'
import type { Sync } from './sync.ts'

/** A value that changes: what React's useSyncExternalStore takes. */
export interface LiveValue<T> {
  readonly get: () => T
  readonly subscribe: (listener: () => void) => () => void
}

/** Undefined until read; null when there is no such record. */
export type LiveState<K extends StateRecord['key']> = LiveValue<
  (StateRecord & { readonly key: K }) | null | undefined
>

export interface Stores {
  readonly tasks: LiveValue<readonly Task[] | undefined>
  readonly entries: LiveValue<readonly TimeEntry[] | undefined>
  readonly unsaved: LiveValue<number>
  /** Of these, how many the backend refused because the storage there is used up. */
  readonly overQuota: LiveValue<number>
  readonly settings: LiveState<'settings'>
  readonly timer: LiveState<'timer'>
  readonly banner: LiveState<'banner'>
  readonly unfinished: LiveState<'unfinished'>
  readonly gaps: LiveState<'gaps'>
  readonly nudges: LiveState<'nudges'>
  readonly pulledTasks: LiveState<'pull:tasks'>
  readonly pulledEntries: LiveState<'pull:time_entries'>
}

const storesBySync = new WeakMap<Sync, Stores>()

/** Says what is read through a sync. Must come before the sync is handed to a screen. */
export function giveStores(sync: Sync, stores: Stores): void {
  storesBySync.set(sync, stores)
}

export function storesOf(sync: Sync): Stores {
  const stores = storesBySync.get(sync)
  if (!stores) throw new Error('The sync was opened without its stores')
  return stores
}

/** The stores of a snapshot: they never change. */
export function frozenStores({ tasks, entries, unsaved, state }: Snapshot): Stores {
  return {
    tasks: frozen(tasks),
    entries: frozen(entries.entries),
    unsaved: frozen(unsaved),
    // Nothing is pressed for so short a time.
    overQuota: frozen(0),
    settings: frozen(stateOf(state, 'settings')),
    timer: frozen(stateOf(state, 'timer')),
    banner: frozen(stateOf(state, 'banner')),
    unfinished: frozen(stateOf(state, 'unfinished')),
    gaps: frozen(stateOf(state, 'gaps')),
    nudges: frozen(stateOf(state, 'nudges')),
    pulledTasks: frozen(stateOf(state, 'pull:tasks')),
    pulledEntries: frozen(stateOf(state, 'pull:time_entries')),
  }
}

function frozen<T>(value: T): LiveValue<T> {
  return { get: () => value, subscribe: () => () => undefined }
}

function stateOf<K extends StateRecord['key']>(
  state: Snapshot['state'],
  key: K,
): (StateRecord & { readonly key: K }) | null {
  // A record is stored under its own key, so the key tells its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (state.get(key) ?? null) as (StateRecord & { readonly key: K }) | null
}
