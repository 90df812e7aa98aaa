/**
 * Opens a user's record, which the screens show at once, and then their sync, which is loaded in the
 * background.
 */
import { NO_SETTINGS } from '@stint/core/device/edits.ts'
import { prefsFromSettings } from '@stint/core/settings.ts'

import { databaseName } from '#record/database.ts'
import { openRecord } from '#record/record.ts'
import type { LocalRecord } from '#record/record.ts'
import { createStatus } from '#sync/status.ts'
import type { Sync, SyncDependencies } from '#sync/sync.ts'
import { untilLoaded } from '#loading/until-loaded.ts'

/** The setting that lets presses succeed without a backend. */
const TRACK_OFFLINE = prefsFromSettings({ trackOffline: true })

export interface OpenDependencies extends SyncDependencies {
  /** The name of this device on the user's other devices. */
  readonly device: string
}

/**
 * Opens the record without an account. Nothing of it is sent, so each press succeeds as one that is tracked offline.
 * Rejects when the browser provides no storage.
 */
export async function openGuest(
  id: string,
  dependencies: OpenDependencies,
): Promise<{ readonly record: LocalRecord; readonly sync: Sync }> {
  const record = await openRecord(databaseName(id), dependencies)
  await record.takeIn((draft) => {
    for (const key of ['pull:tasks', 'pull:time_entries'] as const)
      draft.putValue({ key, complete: true, since: '' })
    const { prefs, saves } = draft.value('settings') ?? NO_SETTINGS
    draft.putValue({ key: 'settings', prefs: { ...prefs, ...TRACK_OFFLINE }, saves })
  })
  const { guestSync } = await untilLoaded(() => import('./guest-sync.ts'))
  return { record, sync: guestSync(record, dependencies.clock) }
}

/** Opens a user's record and starts its sync. Rejects when the browser provides no storage. */
export async function openUser(
  userId: string,
  dependencies: OpenDependencies,
): Promise<{ readonly record: LocalRecord; readonly sync: Sync }> {
  const record = await openRecord(databaseName(userId), dependencies)
  return { record, sync: syncOf(record, userId, dependencies) }
}

/**
 * Returns the sync of a record and loads its code in the background. Closing it closes the record too.
 */
function syncOf(record: LocalRecord, userId: string, dependencies: OpenDependencies): Sync {
  const status = createStatus()
  let loading: Promise<Sync> | null = null
  const closing = new AbortController()
  const { signal } = closing
  const onFailure = () => status.set({ ...status.get(), online: false })
  void untilLoaded(load, { signal, onFailure })
  return {
    status,
    flush: () => once((sync) => sync.flush()),
    refresh: () => once((sync) => sync.refresh()),
    retry: () => once((sync) => sync.retry()),
    async close() {
      closing.abort()
      await loading?.then((sync) => sync.close()).catch(() => undefined)
      record.close()
    },
  }

  /** Without the code of sync nothing can be sent: the work is dropped, and sync does it when it starts. */
  async function once(work: (sync: Sync) => Promise<void>): Promise<void> {
    const sync = await load().catch(() => null)
    if (sync) await work(sync)
  }

  /** Loads and starts the sync once. A failed load, as when offline, is retried at the next call. */
  function load(): Promise<Sync> {
    loading ??= import('#sync/sync.ts').then(
      ({ startSync }) => {
        if (signal.aborted) throw new Error('The record is closed')
        return startSync(record, userId, dependencies, status)
      },
      (error: unknown) => {
        loading = null
        throw error
      },
    )
    return loading
  }
}
