import { newEntry } from '#record/entry-edit.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { at, draftWith as draftOf, exchange, twoDevices } from '#test/devices.ts'
import { shown } from '#test/shown.ts'
import { expect, test } from 'vitest'

import type { Draft } from './draft.ts'
import { changedTimes, forgetOverlaps, isNews, noteOverlaps } from './overlap-pairs.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const MINUTE = 60_000

/** Returns an entry. `from` and `to` are minutes before now. */
function entry(id: string, from: number, to: number, fields: Partial<TimeEntry> = {}): TimeEntry {
  const times = { startedAt: NOW - from * MINUTE, endedAt: NOW - to * MINUTE }
  const timed = { sessionId: id, entryType: 'timer' } as const
  return { ...newEntry({ id, taskId: 't', ...times, ...timed }, NOW).after, ...timed, ...fields }
}

const PULLED = { key: 'pull:time_entries', complete: true, since: '' } as const
const draftWith = (...entries: readonly TimeEntry[]) => draftOf({ entries, values: [PULLED] })

function pairsOf(draft: Draft): readonly (readonly string[])[] {
  return draft.value('overlaps')?.pairs ?? []
}

test.each<[string, TimeEntry, boolean]>([
  ['that shares minutes', entry('b', 70, 50), true],
  ['of another task that shares minutes', entry('b', 70, 50, { taskId: 'u' }), true],
  ['that shares five seconds', entry('b', 60 + 5 / 60, 40), false],
  ['that begins where the other ends', entry('b', 60, 40), false],
  ['that was typed', entry('b', 70, 50, { entryType: 'manual' }), false],
  ['that was deleted', entry('b', 70, 50, { deletedAt: NOW }), false],
])('Overlaps are recorded only for timed entries: an entry %s (%#)', (_, news, isNoted) => {
  const old = entry('a', 90, 60)
  const draft = draftWith(old, news)
  noteOverlaps(draft, [news], [old, news])
  expect(pairsOf(draft)).toEqual(isNoted ? [['a', 'b']] : [])

  noteOverlaps(draft, [news], [old, news])
  expect(pairsOf(draft)).toHaveLength(isNoted ? 1 : 0)
  forgetOverlaps(draft, [['a', 'b']])
  expect(pairsOf(draft)).toEqual([])
})

test.each<[string, TimeEntry, TimeEntry, boolean]>([
  ['grows into another one', entry('b', 60, 40), entry('b', 70, 40), true],
  ['shares a second with another one', entry('b', 60, 40), entry('b', 60 + 1 / 60, 40), true],
  ['shares less', entry('b', 60, 40), entry('b', 60 + 0.9 / 60, 40), false],
  ['comes back', entry('b', 70, 40, { deletedAt: NOW }), entry('b', 70, 40), true],
  ['loses a pause beside the other one', entry('b', 60, 40), entry('b', 60, 30), false],
  ['overlapped before', entry('b', 65, 40), entry('b', 70, 40), false],
  ['shrinks', entry('b', 70, 40), entry('b', 65, 40), false],
  [
    'of another task goes on after its stop was undone',
    entry('b', 60, 40, { taskId: 'u', deletedAt: NOW }),
    entry('b', 70, 30, { taskId: 'u' }),
    true,
  ],
  [
    'of another task grows into it',
    entry('b', 60, 40, { taskId: 'u' }),
    entry('b', 70, 40, { taskId: 'u' }),
    false,
  ],
])('An entry that was changed elsewhere and %s (%#)', (_, known, news, isNoted) => {
  const other = entry('a', 90, 60)
  const draft = draftWith(other, news)
  const before = new Map([[known.id, known]])
  const changed = changedTimes(before, [news])
  expect(changed).toEqual([news])
  noteOverlaps(draft, changed, [other, news], before)
  expect(pairsOf(draft)).toEqual(isNoted ? [['a', 'b']] : [])
})

test('An entry with a new note has the same times', () => {
  const known = entry('a', 90, 60)
  expect(changedTimes(new Map([['a', known]]), [{ ...known, note: 'Draft' }])).toEqual([])
})

/** The laptop's timer runs since 0, and a session of the phone from 10 to 20 has arrived. */
function withSessionOfPhone() {
  const { laptop, phone } = twoDevices()
  laptop.write(at(0), (draft) => draft.putValue(PULLED))
  const own = laptop.start(at(0))
  const other = phone.start(at(10), 'read')
  phone.stop(at(20))
  phone.send(at(21))
  laptop.pull(at(22))
  return { laptop, phone, own, other }
}

test('A timer that was stopped here overlaps with a session that had arrived while it ran', () => {
  const { laptop, own, other } = withSessionOfPhone()
  laptop.stop(at(30))
  expect(isNews(laptop.view, other)).toBe(false)
  laptop.send(at(31))
  expect(pairsOf(laptop.view)).toEqual([[own, other].toSorted()])
  expect(isNews(laptop.view, own)).toBe(false)
})

test('A timer overlaps with a session that had arrived, also if its end moves before it is saved', () => {
  const { laptop, phone, own, other } = withSessionOfPhone()
  laptop.send(at(22))
  phone.pull(at(25))
  phone.stop(at(29))
  // It dies before it has saved the entry.
  phone.send(at(29), 'answer')
  laptop.stop(at(30))
  laptop.send(at(31))
  expect(shown(laptop)).toContain('write 0-29')
  expect(pairsOf(laptop.view)).toEqual([[own, other].toSorted()])
})

test('A timer that goes on after another device had stopped it overlaps with a session that had arrived', () => {
  const { laptop, phone } = twoDevices()
  laptop.write(at(0), (draft) => draft.putValue(PULLED))
  const own = laptop.start(at(0))
  exchange(at(1), laptop, phone)
  const other = phone.start(at(10), 'read')
  phone.stop(at(20))
  phone.send(at(21))
  laptop.stop(at(30))
  exchange(at(31), laptop, phone)
  expect(shown(laptop)).toContain('write 0-10')
  laptop.undoStop(at(32))
  exchange(at(33), laptop, phone)
  laptop.stop(at(40))
  laptop.send(at(41))
  expect(pairsOf(laptop.view)).toEqual([[own, other].toSorted()])
})

test('No entry counts as news before the whole history is here', () => {
  const draft = draftWith()
  expect(isNews(draft, 'unknown')).toBe(true)
  draft.putValue({ key: 'pull:time_entries', complete: false, since: '' })
  expect(isNews(draft, 'unknown')).toBe(false)
})
