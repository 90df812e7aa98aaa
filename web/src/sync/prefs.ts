/**
 * The account's preferences, here and with the backend: changed here at once, sent from the outbox
 * name by name, and taken over from other devices where nothing of ours waits
 * (docs/decisions/0055-settings-are-preferences.md).
 */
import type { Prefs } from '@stint/core/settings.ts'

import type { Backend } from '#backend/backend.ts'

import { addToOutbox, readState } from './local-records.ts'
import type { LocalDb, SettingsRecord } from './local-db.ts'
import type { Sync } from './sync.ts'

interface PrefsContext {
  readonly db: LocalDb
  readonly backend: Backend
}

/**
 * Changes preferences here, then tells the backend whenever it can be reached. What follows from those
 * that are there is asked for as they are written: a list that two presses add to keeps both.
 */
export async function changePrefs(
  sync: Sync,
  change: Prefs | ((known: Prefs) => Prefs),
): Promise<void> {
  const now = sync.clock.now()
  const db = await sync.database()
  await db.transaction('rw', db.state, db.outbox, async () => {
    const { prefs, saves } = (await readState(db, 'settings')) ?? NO_SETTINGS
    const changes = typeof change === 'function' ? change(prefs) : change
    await db.state.put({ key: 'settings', prefs: { ...prefs, ...changes }, saves })
    await addToOutbox(db, { kind: 'save-prefs', changes }, now)
  })
  void sync.flush()
}

/** Brings the preferences up to date. Rejects with BackendError. */
export async function pullPrefs({ db, backend }: PrefsContext): Promise<void> {
  for (;;) {
    const { saves } = (await readState(db, 'settings')) ?? NO_SETTINGS
    const prefs = await backend.prefs()
    const isCurrent = await db.transaction('rw', db.state, db.outbox, async () => {
      const record = (await readState(db, 'settings')) ?? NO_SETTINGS
      if (record.saves !== saves) return false
      await storePrefs(db, prefs, saves)
      return true
    })
    // What was saved from here meanwhile is not in that answer.
    if (isCurrent) return
  }
}

/**
 * Puts the changes over what the backend has, which takes preferences only as a whole. Done again,
 * it changes nothing. Rejects with BackendError.
 */
export async function sendPrefs({ db, backend }: PrefsContext, changes: Prefs): Promise<void> {
  const known = await backend.prefs()
  const isNew = Object.entries(changes).some(([name, value]) => !isSame(known[name], value))
  const prefs = { ...known, ...changes }
  if (isNew) await backend.savePrefs(prefs)
  await db.transaction('rw', db.state, db.outbox, async () => {
    const { saves } = (await readState(db, 'settings')) ?? NO_SETTINGS
    await storePrefs(db, prefs, saves + 1)
  })
}

/** What comes back of a list is another list with the same in it. */
function isSame(known: unknown, value: unknown): boolean {
  return JSON.stringify(known) === JSON.stringify(value)
}

const NO_SETTINGS = { prefs: {}, saves: 0 } satisfies Partial<SettingsRecord>

/**
 * Takes over what the backend has; what was changed here and is not sent yet stays over it. Must run
 * inside a read-write transaction over `state` and `outbox`.
 */
async function storePrefs(db: LocalDb, prefs: Prefs, saves: number): Promise<void> {
  const items = await db.outbox.orderBy('sequence').toArray()
  const waiting = items.map(({ work }) => (work.kind === 'save-prefs' ? work.changes : {}))
  const known = await readState(db, 'settings')
  const next: SettingsRecord = {
    key: 'settings',
    prefs: Object.assign({}, prefs, ...waiting),
    saves,
  }
  if (JSON.stringify(known) !== JSON.stringify(next)) await db.state.put(next)
}
