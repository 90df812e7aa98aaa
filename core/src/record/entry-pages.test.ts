import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { EntryPages } from './entry-pages.ts'
import type { EntryPage } from './entry-pages.ts'
import { NEW_ENTRY } from './time-entry.ts'
import type { TimeEntry } from './time-entry.ts'

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

/** Returns the text of a page with these entries. */
function packed(entries: readonly TimeEntry[]): string {
  const { pages } = new EntryPages().change(new Map(entries.map((each) => [each.id, each])))
  return pages.get(0)?.rows ?? '[]'
}

/** Returns what is read of a page with this text. */
function read(rows: string) {
  const pages = new EntryPages()
  const unreadable = pages.takeIn(0, { page: 0, rows })
  return { entries: pages.values(), unreadable }
}

test('A page with unreadable rows returns its other entries and reports those rows', () => {
  const broken = packed([entry(1), entry(2)]).replace('600', '"long"')
  expect(read(broken)).toEqual({
    entries: [entry(2)],
    unreadable: [expect.arrayContaining(['entry-1', 'long'])],
  })
  for (const rows of ['[[', '{}']) expect(read(rows)).toEqual({ entries: [], unreadable: [rows] })
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
      const readAgain = new EntryPages()
      for (const [page, stored] of disk) readAgain.takeIn(page, stored)
      for (const each of [pages, readAgain]) {
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
  const sizes = [...written.pages.values()].map((page) => read(page?.rows ?? '').entries.length)
  expect(sizes).toEqual([500, 500, 500, 500, 500, 100])

  const added = pages.change(new Map([['added', entry(0, { id: 'added' })]]))
  expect([...added.pages.keys()]).toEqual([5])
  const edited = pages.change(new Map([['entry-3', entry(3, { note: 'x' })]]))
  expect([...edited.pages.keys()]).toEqual([0])
})
