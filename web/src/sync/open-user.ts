/**
 * Opening what belongs to one user, first what is there already, then everything that keeps it true;
 * and removing it when they sign out.
 */
import { earlySync } from './early-sync.ts'
import { PERSONAL_KEYS } from './personal-keys.ts'
import { readSnapshot } from './snapshot.ts'
import type { Snapshot } from './snapshot.ts'
import { giveStores } from './stores.ts'
import type { Sync, SyncDependencies } from './sync.ts'

/**
 * Opens a user's sync. `showEarly` gets one to show meanwhile when there is something to show; the
 * database and the sync itself are loaded only after it. Rejects when the database cannot open.
 */
export async function openUser(
  userId: string,
  dependencies: SyncDependencies,
  showEarly: (sync: Sync) => void,
): Promise<Sync> {
  // A device of a test keeps its data elsewhere, and waits for the database.
  const snapshot = dependencies.storage ? null : await readSnapshot(userId)
  const opening = openReal(userId, dependencies, snapshot)
  if (snapshot) showEarly(earlySync(snapshot, opening, dependencies))
  return opening
}

async function openReal(
  userId: string,
  dependencies: SyncDependencies,
  snapshot: Snapshot | null,
): Promise<Sync> {
  const [{ openSync }, { liveStores }] = await Promise.all([
    import('./sync.ts'),
    import('./local-store.ts'),
  ])
  const sync = await openSync(userId, dependencies)
  giveStores(sync, liveStores(await sync.database(), snapshot))
  return sync
}

/**
 * Leaves nothing of a person in this browser but what is not saved yet, if anything (T25); with
 * `unsavedAsWell` not even that.
 */
export async function forgetPerson(userId: string, unsavedAsWell: boolean): Promise<void> {
  try {
    for (const key of Object.values(PERSONAL_KEYS)) localStorage.removeItem(key)
  } catch {
    // Where it cannot be used nothing was kept.
  }
  const { LocalDb } = await import('./local-db.ts')
  const db = new LocalDb(userId)
  if (unsavedAsWell || (await db.outbox.count()) === 0) await db.delete()
  else db.close()
}
