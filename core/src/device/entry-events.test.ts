/** Tests edits of saved sessions: each becomes events, arrives on another device, and can be undone. */
import { describe, expect, test } from 'vitest'

import { bulkChanges } from '#record/bulk-edit.ts'
import { deleteEntry } from '#record/entry-change.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { editEntry, mergeEntries, splitEntry } from '#record/entry-edit.ts'
import { replaceEntry, partsOutside } from '#record/overlaps.ts'
import { planProposal } from '#record/proposal.ts'
import { newTask } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { at, exchange, MINUTE, TestBackend, TestDevice } from '#test/devices.ts'
import { minutesOf } from '#test/shown.ts'

import { isChangedSince } from './changes.ts'

const NOW = at(120)

/** Two devices that know a session from 0 to 60 with a pause from 20 to 30, and a second one from 70 to 80. */
function devicesWithSessions() {
  const backend = new TestBackend()
  const [laptop, phone] = [new TestDevice('laptop', backend), new TestDevice('phone', backend)]
  const id = laptop.start(at(0))
  laptop.pause(at(20))
  laptop.resume(at(30))
  laptop.stop(at(60))
  const otherId = laptop.start(at(70), 'read')
  laptop.stop(at(80))
  exchange(at(90), laptop, phone)
  return { laptop, phone, id, otherId }
}

/** Returns what the entries count, in order: task, minutes of start and end and of pauses, note. */
function shown({ view }: TestDevice) {
  return view.entries
    .all()
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(({ taskId, startedAt, endedAt, pauses, durationSeconds, note }) => {
      const paused = pauses.intervals.map(({ start, end }) => [minutesOf(start), minutesOf(end)])
      return [taskId, minutesOf(startedAt), minutesOf(endedAt), paused, durationSeconds / 60, note]
    })
}

const FIRST = ['write', 0, 60, [[20, 30]], 50, null] as const
const SECOND = ['read', 70, 80, [], 10, null] as const

interface Edit {
  readonly name: string
  readonly changes: (first: TimeEntry, second: TimeEntry) => readonly EntryChange[]
  readonly after: readonly (readonly unknown[])[]
}

let idsMade = 0
const newId = () => `new-${++idsMade}`
const pauses = (...intervals: readonly (readonly [number, number])[]) =>
  intervals.map(([start, end]) => ({ start: at(start), end: at(end) }))

const EDITS: readonly Edit[] = [
  {
    name: 'an earlier end',
    changes: (first) => [editEntry(first, { endedAt: at(45) }, NOW)],
    after: [['write', 0, 45, [[20, 30]], 35, null], SECOND],
  },
  {
    name: 'a later end',
    changes: (first) => [editEntry(first, { endedAt: at(65) }, NOW)],
    after: [['write', 0, 65, [[20, 30]], 55, null], SECOND],
  },
  {
    name: 'an earlier start and another task',
    changes: (first) => [editEntry(first, { startedAt: at(-10), taskId: 'call' }, NOW)],
    after: [['call', -10, 60, [[20, 30]], 60, null], SECOND],
  },
  {
    name: 'a start in the pause',
    changes: (first) => [editEntry(first, { startedAt: at(25) }, NOW)],
    after: [['write', 25, 60, [[25, 30]], 30, null], SECOND],
  },
  {
    name: 'other pauses',
    changes: (first) => [editEntry(first, { pauses: pauses([10, 15], [25, 40]) }, NOW)],
    after: [
      [
        'write',
        0,
        60,
        [
          [10, 15],
          [25, 40],
        ],
        40,
        null,
      ],
      SECOND,
    ],
  },
  {
    name: 'no pause',
    changes: (first) => [editEntry(first, { pauses: [] }, NOW)],
    after: [['write', 0, 60, [], 60, null], SECOND],
  },
  {
    name: 'a note',
    changes: (first) => [editEntry(first, { note: 'draft #acme' }, NOW)],
    after: [['write', 0, 60, [[20, 30]], 50, 'draft #acme'], SECOND],
  },
  {
    name: 'all of it in one edit',
    changes: (first) => [
      editEntry(
        first,
        { startedAt: at(5), endedAt: at(50), pauses: pauses([6, 8]), note: 'x', taskId: 'call' },
        NOW,
      ),
    ],
    after: [['call', 5, 50, [[6, 8]], 43, 'x'], SECOND],
  },
  {
    name: 'a shift of several',
    changes: (first, second) =>
      bulkChanges([first, second], { kind: 'shift', milliseconds: 30 * MINUTE }, NOW).changes,
    after: [
      ['write', 30, 90, [[50, 60]], 50, null],
      ['read', 100, 110, [], 10, null],
    ],
  },
  {
    name: 'a move to another day',
    changes: (first) =>
      bulkChanges([first], { kind: 'shift', milliseconds: -1440 * MINUTE }, NOW).changes,
    after: [['write', -1440, -1380, [[-1420, -1410]], 50, null], SECOND],
  },
  {
    name: 'a split',
    changes: (first) => splitEntry(first, at(40), newId(), NOW),
    after: [['write', 0, 40, [[20, 30]], 30, null], ['write', 40, 60, [], 20, null], SECOND],
  },
  {
    name: 'a split within the pause',
    changes: (first) => splitEntry(first, at(25), newId(), NOW),
    after: [
      ['write', 0, 25, [[20, 25]], 20, null],
      ['write', 25, 60, [[25, 30]], 30, null],
      SECOND,
    ],
  },
  {
    name: 'a split in three by trimming',
    changes: (first) =>
      replaceEntry(first, partsOutside(first, pauses([5, 10], [40, 50])), newId, NOW),
    after: [
      ['write', 0, 5, [], 5, null],
      ['write', 10, 40, [[20, 30]], 20, null],
      ['write', 50, 60, [], 10, null],
      SECOND,
    ],
  },
  {
    name: 'a merge',
    changes: (first, second) => mergeEntries([first, second], NOW),
    after: [
      [
        'write',
        0,
        80,
        [
          [20, 30],
          [60, 70],
        ],
        60,
        null,
      ],
    ],
  },
  {
    name: 'a deletion',
    changes: (first) => [deleteEntry(first, NOW)],
    after: [SECOND],
  },
  {
    name: 'an accepted proposal',
    changes: (first) => {
      const { id, updatedAt: seenAt } = first
      const nothing = { newTask: null, startedAt: null, note: null }
      const proposed = {
        ...nothing,
        kind: 'edit',
        id,
        seenAt,
        taskId: 'call',
        endedAt: at(45),
      } as const
      const tasks = [newTask('write', 'write', NOW), newTask('call', 'call', NOW)]
      const [planned] = planProposal([proposed], [first], tasks, newId, NOW)
      return planned?.change ? [planned.change] : []
    },
    after: [['call', 0, 45, [[20, 30]], 35, null], SECOND],
  },
]

describe.each(EDITS)('An edit: $name', ({ changes, after }) => {
  const edited = () => {
    const { laptop, phone, id, otherId } = devicesWithSessions()
    const undo = laptop.change(NOW, { entries: changes(laptop.entry(id), laptop.entry(otherId)) })
    return { laptop, phone, undo }
  }

  test('It is shown here and on another device', () => {
    const { laptop, phone } = edited()
    expect(shown(laptop)).toEqual(after)
    exchange(NOW + MINUTE, laptop, phone)
    expect(shown(laptop)).toEqual(after)
    expect(shown(phone)).toEqual(after)
    expect(laptop.view.edits.all()).toEqual([])
    expect(laptop.questions).toEqual([])
  })

  test('It is undone and made again, at once or after it was sent', () => {
    const { laptop, phone, undo } = edited()
    expect(isChangedSince(laptop.view, undo)).toBe(false)
    const again = laptop.change(NOW + 1, undo)
    expect(shown(laptop)).toEqual([FIRST, SECOND])
    exchange(NOW + MINUTE, laptop, phone)
    expect(shown(phone)).toEqual([FIRST, SECOND])
    expect(isChangedSince(laptop.view, again)).toBe(false)
    const undone = laptop.change(NOW + 2 * MINUTE, again)
    expect(shown(laptop)).toEqual(after)
    exchange(NOW + 3 * MINUTE, laptop, phone)
    expect(isChangedSince(laptop.view, undone)).toBe(false)
    laptop.change(NOW + 4 * MINUTE, undone)
    exchange(NOW + 5 * MINUTE, phone, laptop)
    expect(shown(phone)).toEqual([FIRST, SECOND])
    expect(laptop.questions).toEqual([])
  })
})
