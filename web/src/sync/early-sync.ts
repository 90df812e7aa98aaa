/**
 * A sync that shows what a snapshot holds until the real one is open. Whatever is pressed meanwhile
 * waits for the real one and then happens.
 */
import type { Snapshot } from './snapshot.ts'
import { frozenStores, giveStores } from './stores.ts'
import type { Sync, SyncDependencies } from './sync.ts'

/** `opening` is the real one; closing this one closes it as well. */
export function earlySync(
  snapshot: Snapshot,
  opening: Promise<Sync>,
  { clock, device }: SyncDependencies,
): Sync {
  const status = {
    online: navigator.onLine,
    signedOut: false,
    entriesPerMinute: null,
    tasksError: null,
    entriesError: null,
  }
  const sync: Sync = {
    database: async () => (await opening).database(),
    clock,
    device,
    status: () => status,
    onStatus: () => () => undefined,
    flush: async () => (await opening).flush(),
    refresh: async () => (await opening).refresh(),
    retry: async () => (await opening).retry(),
    refreshAfterStop: () => void opening.then((real) => real.refreshAfterStop(), nothing),
    close: () => opening.then((real) => real.close(), nothing),
  }
  giveStores(sync, frozenStores(snapshot))
  return sync
}

/** What could not be opened is said by the session. */
function nothing(): void {
  // Nothing to do.
}
