/** Tests edits of saved sessions: each becomes events, arrives on another device, and can be undone. */
import { expect, test } from 'vitest'

import { bulkChanges } from '#record/bulk-edit.ts'
import { deleteEntry } from '#record/entry-change.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { editEntry, mergeEntries, splitEntry } from '#record/entry-edit.ts'
import { replaceEntry, partsOutside } from '#record/overlaps.ts'
import { planProposal } from '#record/proposal.ts'
import { newTask } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { at, exchange, MINUTE, twoDevices } from '#test/devices.ts'
import { agreed, shown } from '#test/shown.ts'

import { isChangedSince } from './changes.ts'

const NOW = at(120)

/** Two devices that know a session from 0 to 60 with a pause from 20 to 30, and a second one from 70 to 80. */
function devicesWithSessions() {
  const { laptop, phone } = twoDevices()
  const id = laptop.start(at(0))
  laptop.pause(at(20))
  laptop.resume(at(30))
  laptop.stop(at(60))
  const otherId = laptop.start(at(70), 'read')
  laptop.stop(at(80))
  exchange(at(90), laptop, phone)
  return { laptop, phone, id, otherId }
}
const FIRST = 'write 0-60 (20-30)'
const SECOND = ', read 70-80'

let idsMade = 0
const newId = () => `new-${++idsMade}`
const pauses = (...intervals: readonly (readonly [number, number])[]) =>
  intervals.map(([start, end]) => ({ start: at(start), end: at(end) }))

type Change = (first: TimeEntry, second: TimeEntry) => readonly EntryChange[]
const edit =
  (change: Parameters<typeof editEntry>[1]): Change =>
  (first) => [editEntry(first, change, NOW)]
const shifted = (entries: readonly TimeEntry[], minutes: number) =>
  bulkChanges(entries, { kind: 'shift', milliseconds: minutes * MINUTE }, NOW).changes
const split =
  (minute: number): Change =>
  (first) =>
    splitEntry(first, at(minute), newId(), NOW)
const trimInThree: Change = (first) =>
  replaceEntry(first, partsOutside(first, pauses([5, 10], [40, 50])), newId, NOW)
const accept: Change = (first) => {
  const { id, updatedAt: seenAt } = first
  const wanted = { newTask: null, startedAt: null, note: null, taskId: 'call', endedAt: at(45) }
  const proposed = { ...wanted, kind: 'edit', id, seenAt } as const
  const tasks = [newTask('write', 'write', NOW), newTask('call', 'call', NOW)]
  const [planned] = planProposal([proposed], [first], tasks, newId, NOW)
  return planned?.change ? [planned.change] : []
}
const all = { startedAt: at(5), endedAt: at(50), pauses: pauses([6, 8]), note: 'x', taskId: 'call' }

test.each<[string, Change, string]>([
  ['an earlier end', edit({ endedAt: at(45) }), `write 0-45 (20-30)${SECOND}`],
  ['a later end', edit({ endedAt: at(65) }), `write 0-65 (20-30)${SECOND}`],
  [
    'an earlier start and another task',
    edit({ startedAt: at(-10), taskId: 'call' }),
    `call -10-60 (20-30)${SECOND}`,
  ],
  ['a start in the pause', edit({ startedAt: at(25) }), `write 25-60 (25-30)${SECOND}`],
  [
    'other pauses',
    edit({ pauses: pauses([10, 15], [25, 40]) }),
    `write 0-60 (10-15 25-40)${SECOND}`,
  ],
  ['no pause', edit({ pauses: [] }), `write 0-60${SECOND}`],
  ['a note', edit({ note: 'draft #acme' }), `write 0-60 (20-30) 'draft #acme'${SECOND}`],
  ['all of it in one edit', edit(all), `call 5-50 (6-8) 'x'${SECOND}`],
  ['a shift of several', (...both) => shifted(both, 30), 'write 30-90 (50-60), read 100-110'],
  [
    'a move to another day',
    (first) => shifted([first], -1440),
    `write -1440--1380 (-1420--1410)${SECOND}`,
  ],
  ['a split', split(40), `write 0-40 (20-30), write 40-60${SECOND}`],
  ['a split within the pause', split(25), `write 0-25 (20-25), write 25-60 (25-30)${SECOND}`],
  [
    'a split in three by trimming',
    trimInThree,
    `write 0-5, write 10-40 (20-30), write 50-60${SECOND}`,
  ],
  ['a merge', (...entries) => mergeEntries(entries, NOW), 'write 0-80 (20-30 60-70)'],
  ['a deletion', (first) => [deleteEntry(first, NOW)], 'read 70-80'],
  ['an accepted proposal', accept, `call 0-45 (20-30)${SECOND}`],
])(
  'An edit is shown on two devices, undone and made again, at once or after it was sent: %s',
  (...row) => {
    const [, changes, after] = row
    const { laptop, phone, id, otherId } = devicesWithSessions()
    const undo = laptop.change(NOW, { entries: changes(laptop.entry(id), laptop.entry(otherId)) })
    expect(shown(laptop)).toBe(after)
    expect(isChangedSince(laptop.view, undo)).toBe(false)
    const again = laptop.change(NOW + 1, undo)
    expect(shown(laptop)).toBe(FIRST + SECOND)
    exchange(NOW + MINUTE, laptop, phone)
    expect(agreed(laptop, phone)).toBe(FIRST + SECOND)
    expect(isChangedSince(laptop.view, again)).toBe(false)
    const undone = laptop.change(NOW + 2 * MINUTE, again)
    expect(shown(laptop)).toBe(after)
    exchange(NOW + 3 * MINUTE, laptop, phone)
    expect([agreed(laptop, phone), laptop.view.edits.all()]).toEqual([after, []])
    expect(isChangedSince(laptop.view, undone)).toBe(false)
    laptop.change(NOW + 4 * MINUTE, undone)
    exchange(NOW + 5 * MINUTE, phone, laptop)
    expect(agreed(laptop, phone)).toBe(FIRST + SECOND)
  },
)
