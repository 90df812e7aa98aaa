/** Tests edits of many sessions at once, and their undo, beside what another device does meanwhile. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { bulkChanges } from '#record/bulk-edit.ts'
import type { BulkEdit } from '#record/bulk-edit.ts'
import { deleteEntry } from '#record/entry-change.ts'
import { editEntry, newEntry } from '#record/entry-edit.ts'
import { ENTRY, entryAttributes } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { at, exchange, MINUTE, twoDevices } from '#test/devices.ts'
import type { TestDevice } from '#test/devices.ts'
import { agreed, stateOf } from '#test/shown.ts'

import { undoUnchanged } from './changes.ts'

const HOUR = 60 * MINUTE
/** CHANGE_RUNS=10000 runs a long test. */
const RUNS = Number(process.env['CHANGE_RUNS'] ?? 40)
/** Few entries in one write, so that an edit takes several. */
const SLICE = 2

/** What the other device changes between the edit and the undo. */
type Meanwhile = 'nothing' | 'note' | 'task' | 'times' | 'delete' | 'add'

const EDITS: fc.Arbitrary<BulkEdit> = fc.oneof(
  fc.constantFrom<BulkEdit>(
    { kind: 'move', taskId: 'call' },
    { kind: 'tag', tag: 'acme' },
    { kind: 'untag', tag: 'acme' },
    { kind: 'delete' },
  ),
  fc
    .integer({ min: -48 * HOUR, max: HOUR })
    .map((milliseconds): BulkEdit => ({ kind: 'shift', milliseconds })),
)

/** The part of an entry that an edit changes. */
const PARTS = { move: 'task', tag: 'note', untag: 'note', shift: 'times', delete: 'deletion' }

const RUN = fc.record({
  notes: fc.array(fc.constantFrom(null, 'call', '#acme', 'a #acme b'), {
    minLength: 1,
    maxLength: 7,
  }),
  /** Which entries are selected, by their places. */
  selected: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  edit: EDITS,
  meanwhile: fc.constantFrom<Meanwhile>('nothing', 'note', 'task', 'times', 'delete', 'add'),
  /** The entry that the other device changes. */
  place: fc.nat({ max: 6 }),
  /** Whether the edit is sent before the undo. */
  isSent: fc.boolean(),
  /** Whether the other device has the edit when it makes its change. */
  isSeen: fc.boolean(),
})

test('Undo of an edit of many sessions leaves only what another device did meanwhile', () => {
  fc.assert(
    fc.property(RUN, ({ notes, selected, edit, meanwhile, place, isSent, isSeen }) => {
      const { laptop, phone } = twoDevices()
      const added = notes.map((note, index) => {
        const startedAt = at(-120 * (index + 1))
        const times = { startedAt, endedAt: startedAt + HOUR / 2 }
        return newEntry({ id: `entry-${index}`, taskId: 'write', note, ...times }, at(0))
      })
      laptop.change(at(0), { entries: added })
      exchange(at(0), laptop, phone)
      const before = contents(laptop)

      // The edit, in several writes.
      const entries = added.map(({ after }) => after).filter((_, index) => selected[index])
      const { changes } = bulkChanges(entries, edit, at(1))
      const inverses = []
      for (let from = 0; from < changes.length; from += SLICE)
        inverses.push(laptop.change(at(1), { entries: changes.slice(from, from + SLICE) }))
      if (isSent) laptop.send(at(1))

      // Another device changes one of the entries, or adds one.
      if (isSeen) phone.pull(at(2))
      const other = phone.view.entries.get(`entry-${place % notes.length}`)
      const theirs = other && other.deletedAt === null ? changeOf(meanwhile, other, at(2)) : []
      phone.change(at(2), { entries: theirs })
      phone.send(at(2))

      exchange(at(3), laptop)
      let kept = 0
      for (const inverse of inverses.toReversed())
        kept += laptop.write(at(3), (draft, now) => undoUnchanged(draft, inverse, now))
      exchange(at(4), laptop, phone)

      agreed(laptop, phone)
      expect(stateOf(laptop).unsent).toEqual([])
      // What the other device did not touch is as it was before the edit.
      const touched = new Set(theirs.map(({ after }) => after.id))
      expect(untouched(contents(laptop), touched)).toEqual(untouched(before, touched))
      // Of what it touched, its change is there, and all else is as it was before the edit.
      const isHeard = isSent && isSeen
      const clashes = meanwhile === 'delete' || meanwhile === PARTS[edit.kind]
      expect(clashes ? 0 : kept).toBe(0)
      for (const { after } of theirs) {
        const own = added.find((each) => each.after.id === after.id)?.after ?? after
        const [actual, expected] = claimOf(laptop, meanwhile, { own, after, isHeard }, clashes)
        expect(actual).toEqual(expected)
      }
    }),
    { numRuns: RUNS },
  )
})

function changeOf(meanwhile: Meanwhile, entry: TimeEntry, now: number) {
  switch (meanwhile) {
    case 'nothing':
      return []
    case 'note':
      return [editEntry(entry, { note: 'by phone' }, now)]
    case 'task':
      return [editEntry(entry, { taskId: 'read' }, now)]
    case 'times':
      return [editEntry(entry, { startedAt: entry.startedAt - 60_000 }, now)]
    case 'delete':
      return [deleteEntry(entry, now)]
    case 'add': {
      const times = { startedAt: now - HOUR, endedAt: now - HOUR / 2 }
      return [newEntry({ id: `${entry.id}-phone`, taskId: entry.taskId, ...times }, now)]
    }
  }
}

/** Returns what the entry is and what it must be after the undo, where the other device changed it. */
function claimOf(
  device: TestDevice,
  meanwhile: Meanwhile,
  { own, after, isHeard }: { own: TimeEntry; after: TimeEntry; isHeard: boolean },
  clashes: boolean,
): readonly [actual: unknown, expected: unknown] {
  const here = device.view.entries.get(after.id)
  if (!here) return ['missing', after]
  switch (meanwhile) {
    case 'nothing':
    case 'add':
      return [attributesOf(here), attributesOf(after)]
    case 'delete':
      return [here.deletedAt !== null, true]
    case 'note':
    case 'task':
    case 'times':
      return clashes
        ? // Of two times that had not heard of each other, each side is that of its last writer.
          meanwhile === 'times' && !isHeard
          ? [here.startedAt, after.startedAt]
          : [ENTRY.differing(here, after).includes(meanwhile), false]
        : [attributesOf(here), attributesOf(ENTRY.take(own, after, [meanwhile]))]
  }
}

/** An undo is an event, and stays in the log. */
function attributesOf(entry: TimeEntry): object {
  return { ...entryAttributes(entry, ''), log: null }
}

type Contents = ReadonlyMap<string, object>

/** Returns every entry that counts, in its document form. */
function contents(device: TestDevice): Contents {
  return new Map(
    device.view.entries
      .all()
      .filter(({ deletedAt }) => deletedAt === null)
      .map((entry) => [entry.id, attributesOf(entry)]),
  )
}

function untouched(entries: Contents, touched: ReadonlySet<string>): Contents {
  return new Map([...entries].filter(([id]) => !touched.has(id)))
}
