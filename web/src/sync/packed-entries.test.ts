import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { LocalDb } from './local-db.ts'
import { putEntries, readState, removeEntries } from './local-records.ts'
import { liveEntries } from './local-store.ts'
import { keepPacked, unpack } from './packed-entries.ts'
import { readSnapshot } from './snapshot.ts'

const START = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000
const COUNT = 2500

let db: LocalDb

beforeEach(async () => {
  db = new LocalDb('packed')
  await db.open()
})

afterEach(async () => {
  await db.delete()
})

describe('the packed copy of the entries', () => {
  it('is made of a long history only', async () => {
    await keepPacked(db, [entry(0)], { last: 1, generation: 0 })
    expect(await readState(db, 'packs')).toBeUndefined()
    await makeHistory()
    expect(await readState(db, 'packs')).toMatchObject({ revision: COUNT, generation: 0 })
  })

  it('says what the table says, whatever the entries are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEntry(), { minLength: 1, maxLength: 20 }), async (some) => {
        const filler = Array.from({ length: 2000 }, (_, index) => entry(index))
        await keepPacked(db, [...filler, ...some], { last: 1, generation: Math.random() })
        expect(unpack(await db.packs.toArray()).slice(2000)).toEqual(some)
      }),
      { numRuns: 20 },
    )
  })

  it('is read together with what was added, changed and deleted since', async () => {
    await makeHistory()
    await db.transaction('rw', db.entries, db.state, () =>
      putEntries(db, [
        { ...entry(0), note: 'changed' },
        { ...entry(1), deletedAt: START },
        entry(COUNT),
      ]),
    )
    // The table would show this one: what comes is from the copy.
    await db.entries.delete(entry(2).id)
    const read = await whatIsRead()
    expect(read).toHaveLength(COUNT)
    expect(read[0]).toMatchObject({ id: entry(0).id, note: 'changed' })
    expect(read[1]?.id).toBe(entry(2).id)
    expect(read.at(-1)?.id).toBe(entry(COUNT).id)
    const early = (await readSnapshot('packed'))?.entries.entries ?? []
    expect(early.map(withoutRevision)).toEqual(read.map(withoutRevision))
  })

  it('is not believed after entries were removed for good', async () => {
    await makeHistory()
    await removeEntries(db, [entry(5).id])
    const read = await whatIsRead()
    expect(read).toHaveLength(COUNT - 1)
    expect((await readSnapshot('packed'))?.entries.entries).toHaveLength(COUNT - 1)
  })

  it('is thrown away when it cannot be read, and the table is read instead', async () => {
    await makeHistory()
    await db.packs.update(0, { rows: '[[' })
    expect(await readSnapshot('packed')).toBeNull()
    expect(await whatIsRead()).toHaveLength(COUNT)
  })
})

async function makeHistory(): Promise<void> {
  const entries = Array.from({ length: COUNT }, (_, index) => entry(index))
  await db.transaction('rw', db.entries, db.state, () => putEntries(db, entries))
  await keepPacked(db, entries, { last: COUNT, generation: 0 })
}

/** What a screen gets that has just been opened. */
async function whatIsRead(): Promise<readonly TimeEntry[]> {
  const entries = liveEntries(db)
  return new Promise((resolve) => {
    const stop = entries.subscribe(() => {
      const value = entries.get()
      if (!value) return
      resolve(value)
      queueMicrotask(() => stop())
    })
  })
}

function withoutRevision(value: TimeEntry): TimeEntry {
  const { revision: _, ...rest } = { revision: 0, ...value }
  return rest
}

function entry(index: number): TimeEntry {
  const startedAt = START + index * HOUR
  return {
    id: `entry-${index}`,
    taskId: 'write',
    startedAt,
    endedAt: startedAt + 600_000,
    durationSeconds: 600,
    pauses: { intervals: [], unplacedSeconds: 0 },
    entryType: 'timer',
    sessionId: `entry-${index}`,
    note: null,
    deletedAt: null,
    createdAt: startedAt,
    updatedAt: startedAt,
  }
}

function anyEntry(): fc.Arbitrary<TimeEntry> {
  const instant = fc.integer({ min: 0, max: 4_000_000_000_000 })
  return fc.record({
    id: fc.string({ minLength: 1 }),
    taskId: fc.string({ minLength: 1 }),
    startedAt: instant,
    endedAt: instant,
    durationSeconds: fc.nat(),
    pauses: fc.record({
      intervals: fc.array(fc.record({ start: instant, end: instant }), { maxLength: 4 }),
      unplacedSeconds: fc.nat(),
    }),
    entryType: fc.string(),
    sessionId: fc.option(fc.string({ minLength: 1 })),
    note: fc.option(fc.string()),
    deletedAt: fc.constant(null),
    createdAt: instant,
    updatedAt: instant,
  })
}
