import { afterEach, describe, expect, it } from 'vitest'

import { earlySync } from './early-sync.ts'
import { LocalDb } from './local-db.ts'
import { putEntries, readState } from './local-records.ts'
import { readSnapshot } from './snapshot.ts'
import { storesOf } from './stores.ts'
import type { Sync, SyncDependencies } from './sync.ts'
import { start, stop } from './timer-store.ts'

const NOW = Date.UTC(2026, 10, 20, 9)
const USER = 'early'

let db: LocalDb | null = null

afterEach(async () => {
  await db?.delete()
  db = null
})

describe('before the database is loaded', () => {
  it('there is nothing to show of somebody new, and no database is made by looking', async () => {
    expect(await readSnapshot('nobody')).toBeNull()
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('stint-nobody')
  })

  it('shows the tasks, the entries by start and the running timer of a known user', async () => {
    db = await knownUser()
    const snapshot = await readSnapshot(USER)
    expect(snapshot?.tasks.map(({ name }) => name)).toEqual(['Write report'])
    expect(snapshot?.entries.entries.map(({ id }) => id)).toEqual(['monday', 'tuesday'])
    expect(snapshot?.state.get('timer')).toMatchObject({ timer: { sessionId: 'now' } })
    expect(snapshot?.unsaved).toBe(1)
  })

  it('waits for the database when a record cannot be read', async () => {
    db = await knownUser()
    // What another version might have left behind.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    await db.tasks.put({ id: 'broken' } as never)
    expect(await readSnapshot(USER)).toBeNull()
  })

  it('does what was pressed meanwhile as soon as it can', async () => {
    db = await knownUser()
    const snapshot = await readSnapshot(USER)
    if (!snapshot) throw new Error('There is no snapshot')
    const opening = Promise.withResolvers<Sync>()
    const early = earlySync(snapshot, opening.promise, DEPENDENCIES)
    expect(storesOf(early).timer.get()).toMatchObject({ timer: { sessionId: 'now' } })

    const pressed = early.database().then(async (opened) => {
      expect(await stop(opened, NOW + 60_000)).toMatchObject({
        sessionId: 'now',
        durationSeconds: 60,
      })
    })
    expect(await readState(db, 'timer')).toMatchObject({ timer: { sessionId: 'now' } })

    const opened = db
    opening.resolve({ ...early, database: async () => opened })
    await pressed
    expect(await readState(db, 'timer')).toBeUndefined()
    expect(await db.entries.get('now')).toMatchObject({ durationSeconds: 60 })
  })
})

// Only the clock and the name of the device are asked for before the real sync is there.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const DEPENDENCIES = {
  clock: { now: () => NOW, learn: () => undefined, onLeap: () => () => undefined },
  device: 'test',
} as unknown as SyncDependencies

/** A user with a task, two entries that were stored in the wrong order, and a running timer. */
async function knownUser(): Promise<LocalDb> {
  const made = new LocalDb(USER)
  await made.tasks.put({
    id: 'write',
    name: 'Write report',
    isActive: true,
    category: 'Development',
    goalHours: 8,
    color: 'bg-blue-500',
    createdAt: NOW,
    updatedAt: NOW,
  })
  await made.transaction('rw', made.entries, made.state, () =>
    putEntries(made, [entry('tuesday', NOW - 3_600_000), entry('monday', NOW - 90_000_000)]),
  )
  await start(made, { sessionId: 'now', taskId: 'write', device: 'test', now: NOW })
  return made
}

function entry(id: string, startedAt: number) {
  return {
    id,
    taskId: 'write',
    startedAt,
    endedAt: startedAt + 60_000,
    durationSeconds: 60,
    pauses: { intervals: [], unplacedSeconds: 0 },
    entryType: 'timer',
    sessionId: id,
    note: null,
    deletedAt: null,
    createdAt: startedAt,
    updatedAt: startedAt,
  }
}
