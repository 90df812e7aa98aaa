/**
 * Opening what belongs to one user: the record, which the screens show at once, and then sync, which is
 * loaded behind it.
 */
import { databaseName } from '#record/database.ts'
import { openRecord } from '#record/record.ts'
import type { LocalRecord } from '#record/record.ts'
import { createStatus } from '#sync/status.ts'
import type { Sync, SyncDependencies } from '#sync/sync.ts'

export interface OpenDependencies extends SyncDependencies {
  /** How this device is called on the others' panels. */
  readonly device: string
}

/** Opens a user's record, and begins to sync it. Rejects when the browser gives no storage. */
export async function openUser(
  userId: string,
  dependencies: OpenDependencies,
): Promise<{ readonly record: LocalRecord; readonly sync: Sync }> {
  const record = await openRecord(databaseName(userId), dependencies)
  return { record, sync: syncOf(record, userId, dependencies) }
}

/** The sync of a record, which is loaded meanwhile. Closing it closes the record as well. */
function syncOf(record: LocalRecord, userId: string, dependencies: OpenDependencies): Sync {
  const status = createStatus()
  let loading: Promise<Sync> | null = null
  let isClosed = false
  void load().catch(() => status.set({ ...status.get(), online: false }))
  return {
    status,
    flush: async () => (await load()).flush(),
    refresh: async () => (await load()).refresh(),
    retry: async () => (await load()).retry(),
    async close() {
      isClosed = true
      await loading?.then((sync) => sync.close()).catch(() => undefined)
      record.close()
    },
  }

  /** What could not be loaded, because there is no network, is asked for again. */
  function load(): Promise<Sync> {
    loading ??= import('#sync/sync.ts').then(
      ({ startSync }) => {
        if (isClosed) throw new Error('The record is closed')
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
