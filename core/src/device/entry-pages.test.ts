import { NEW_ENTRY } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { EntryPages, packPage, unpackPage } from './entry-pages.ts'
import type { EntryPage } from './stored.ts'

const START = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000

function entry(index: number, changes: Partial<TimeEntry> = {}): TimeEntry {
  const startedAt = START + index * HOUR
  return {
    ...NEW_ENTRY,
    id: `entry-${index}`,
    taskId: 'write',
    startedAt,
    endedAt: startedAt + 600_000,
    durationSeconds: 600,
    sessionId: `entry-${index}`,
    createdAt: startedAt,
    updatedAt: startedAt,
    ...changes,
  }
}

function anyEntry(): fc.Arbitrary<TimeEntry> {
  const instant = fc.integer({ min: 0, max: 4_000_000_000_000 })
  const fields = fc.record({
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
    deletedAt: fc.option(instant),
    createdAt: instant,
    updatedAt: instant,
  })
  return fields.map((entry) => ({ ...NEW_ENTRY, ...entry }))
}

test('A stored page returns the entries that were packed into it', () => {
  fc.assert(
    fc.property(fc.array(anyEntry(), { maxLength: 20 }), (entries) => {
      const stored: unknown = JSON.parse(JSON.stringify(packPage(7, entries)))
      expect(stored).toEqual({ page: 7, rows: expect.any(String) })
      expect(unpackPage(packPage(7, entries))).toEqual({ entries, unreadable: [] })
    }),
  )
})

test('A page with unreadable rows returns its other entries and reports those rows', () => {
  const { rows } = packPage(0, [entry(1), entry(2)])
  const broken = rows.replace('600', '"long"')
  expect(unpackPage({ page: 0, rows: broken })).toEqual({
    entries: [entry(2)],
    unreadable: [expect.arrayContaining(['entry-1', 'long'])],
  })
  expect(unpackPage({ page: 0, rows: '[[' })).toEqual({ entries: [], unreadable: ['[['] })
})

/** Puts and removes entries, and reads the stored pages into another copy. */
test('Memory and disk hold the same entries after any changes, sorted by start and without deleted ones', () => {
  const changes = fc.array(
    fc.array(
      fc.record({
        index: fc.nat(60),
        what: fc.constantFrom('put', 'move', 'delete', 'remove'),
        shift: fc.integer({ min: -50, max: 50 }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(changes, fc.boolean(), (steps, isReadBetween) => {
      const pages = new EntryPages()
      const disk = new Map<number, EntryPage>()
      const expected = new Map<string, TimeEntry>()
      for (const step of steps) {
        const changed = new Map<string, TimeEntry | null>()
        for (const { index, what, shift } of step) {
          const { id, startedAt } = entry(index)
          if (what === 'put') changed.set(id, entry(index))
          if (what === 'move')
            changed.set(id, entry(index, { startedAt: startedAt + shift * HOUR }))
          if (what === 'delete') changed.set(id, entry(index, { deletedAt: START }))
          if (what === 'remove') changed.set(id, null)
        }
        const planned = pages.change(changed)
        for (const [page, stored] of planned.pages) {
          if (stored) disk.set(page, stored)
          else disk.delete(page)
        }
        planned.apply()
        for (const [id, each] of changed) {
          if (each) expected.set(id, each)
          else expected.delete(id)
        }
        if (isReadBetween) pages.sorted()
      }
      const kept = [...expected.values()].filter(({ deletedAt }) => deletedAt === null)
      const sorted = kept.toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
      const read = new EntryPages()
      for (const [page, stored] of disk) read.takeIn(page, stored)
      for (const each of [pages, read]) {
        expect(each.sorted()).toEqual(sorted)
        expect(
          each
            .values()
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual([...expected.keys()].toSorted())
        for (const [id, known] of expected) expect(each.get(id)).toEqual(known)
      }
    }),
  )
})

test('A long history has pages of bounded size, and a change of one entry writes one page', () => {
  const pages = new EntryPages()
  const history = Array.from({ length: 2600 }, (_, index) => entry(index))
  const written = pages.change(new Map(history.map((each) => [each.id, each])))
  written.apply()
  const sizes = [...written.pages.values()].map((page) => unpackPage(page ?? EMPTY).entries.length)
  expect(sizes).toEqual([500, 500, 500, 500, 500, 100])

  const added = pages.change(new Map([['added', entry(0, { id: 'added' })]]))
  expect([...added.pages.keys()]).toEqual([5])
  const edited = pages.change(new Map([['entry-3', entry(3, { note: 'x' })]]))
  expect([...edited.pages.keys()]).toEqual([0])
})

const EMPTY: EntryPage = { page: 0, rows: '[]' }
