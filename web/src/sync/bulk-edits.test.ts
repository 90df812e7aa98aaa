import { bulkChanges } from '@stint/core/record/bulk-edit.ts'
import type { BulkEdit } from '@stint/core/record/bulk-edit.ts'
import { deleteEntry } from '@stint/core/record/entry-change.ts'
import { editEntry, newEntry } from '@stint/core/record/entry-edit.ts'
import { ENTRY, entryAttributes } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { runsOf } from '@stint/testing/size.ts'
import type { TestApp } from '@stint/testing/test-app.ts'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { applyChanges, undoUnchanged } from '@stint/core/device/changes.ts'
import { allEntries, createWorld, offline, unsentCount } from '#test/devices.ts'
import type { Device } from '#test/devices.ts'
import { HOUR } from '#test/edits.ts'
import { serverOfFile } from '#test/server-of-file.ts'

/** The number of runs. Set CHANGE_RUNS=1000 for a long run. */
const RUNS = runsOf('CHANGE_RUNS', 8, 25)
/** Few entries in one write, so that an edit takes several. */
const SLICE = 2

let server: TestApp

beforeAll(async () => {
  server = await serverOfFile()
  // Nothing happens automatically, because every request to the server is a step.
  vi.stubGlobal('addEventListener', () => undefined)
})

afterAll(() => void vi.unstubAllGlobals())

/** What the other device changes between the edit and the undo. */
type Meanwhile = 'nothing' | 'note' | 'task' | 'times' | 'delete' | 'add'

const EDITS: fc.Arbitrary<BulkEdit> = fc.oneof(
  fc.constantFrom<BulkEdit>(
    { kind: 'move', taskId: 'plan' },
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

test('Undo of an edit of many sessions leaves only what another device did meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(RUN, async ({ notes, selected, edit, meanwhile, place, isSent, isSeen }) => {
      const world = await createWorld()
      try {
        const taskId = await world.createTask('Write')
        const laptop = await world.device('laptop')
        const now = () => server.clock.now()
        const added = notes.map((note, index) => {
          const startedAt = now() - (2 + 2 * index) * HOUR
          const times = { startedAt, endedAt: startedAt + HOUR / 2 }
          return newEntry({ id: `${world.user.id}-${index}`, taskId, note, ...times }, now())
        })
        await laptop.press((draft, at) => applyChanges(draft, { entries: added }, at))
        await laptop.sync.flush()
        const phone = await world.device('phone')
        const before = contents(laptop)

        // The edit, in several writes.
        server.clock.advance(60_000)
        laptop.intercept(isSent ? undefined : offline())
        const entries = laptop.record.entries().filter((_, index) => selected[index])
        const { changes } = bulkChanges(entries, edit, now())
        const inverses = []
        for (let from = 0; from < changes.length; from += SLICE) {
          const slice = { entries: changes.slice(from, from + SLICE) }
          inverses.push(await laptop.press((draft, at) => applyChanges(draft, slice, at)))
        }
        await laptop.sync.flush()

        // Another device changes one of the entries, or adds one.
        server.clock.advance(60_000)
        if (isSeen) await phone.sync.refresh()
        const id = `${world.user.id}-${place % notes.length}`
        const other = phone.record.view.entries.get(id)
        const theirs = other && other.deletedAt === null ? changeOf(meanwhile, other, now()) : []
        await phone.press((draft, at) => applyChanges(draft, { entries: theirs }, at))
        await phone.sync.flush()

        server.clock.advance(60_000)
        laptop.intercept(undefined)
        await laptop.sync.refresh()
        let kept = 0
        for (const inverse of inverses.toReversed()) {
          kept += await laptop.press((draft, at) => undoUnchanged(draft, inverse, at))
        }
        await laptop.sync.flush()
        await phone.sync.refresh()
        await laptop.sync.refresh()

        expect(unsentCount(laptop.record)).toBe(0)
        const fresh = await world.device('fresh')
        expect(contents(laptop)).toEqual(contents(fresh))
        expect(contents(phone)).toEqual(contents(fresh))
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
      } finally {
        await world.close()
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
      return [editEntry(entry, { taskId: 'phone' }, now)]
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
  device: Device,
  meanwhile: Meanwhile,
  { own, after, isHeard }: { own: TimeEntry; after: TimeEntry; isHeard: boolean },
  clashes: boolean,
): readonly [actual: unknown, expected: unknown] {
  const here = device.record.view.entries.get(after.id)
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
function contents(device: Device): Contents {
  return new Map(
    allEntries(device.record)
      .filter(({ deletedAt }) => deletedAt === null)
      .map((entry) => [entry.id, attributesOf(entry)]),
  )
}

function untouched(entries: Contents, touched: ReadonlySet<string>): Contents {
  return new Map([...entries].filter(([id]) => !touched.has(id)))
}
