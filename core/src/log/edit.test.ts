import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { editEntry, shiftEntry } from '#record/entry-edit.ts'
import { testEntry } from '#test/entries.ts'
import { withFound } from './adopt.ts'
import type { FoldedSession } from './asked.ts'
import { foldSession } from './asked.ts'
import { projectionOf } from './projection.ts'
import { at, Devices, minutesOf, span, START, STOP } from './test/devices.ts'

const DAY = 24 * 60

/** Returns when each part that counts was worked, and what is asked, in minutes. */
function outcome({ parts, asked }: FoldedSession) {
  const living = parts.filter(({ deletion }) => deletion === null)
  return [living.map(({ worked }) => minutesOf(worked)), minutesOf(asked)]
}

/** Two devices that know a session that was worked for an hour from nine on. */
function saved(): Devices {
  const devices = new Devices('a', 'b')
  devices.press('a', 0, START)
  devices.press('a', 60, STOP)
  devices.meet()
  return devices
}

/** Returns the times of the hour, moved. */
function moved(minutes: number, from = 0, to = 60) {
  return { startedAt: at(from + minutes), endedAt: at(to + minutes) }
}

/** Fields that delete a part. */
const GONE = { deletedAt: at(1) }

test('Time that was merged into a session is asked about where a device trims that without having heard of it.', () => {
  const devices = saved()
  devices.edit('a', 200, {
    endedAt: at(120),
    pauses: { intervals: [span(60, 90)], unplacedSeconds: 0 },
  })
  devices.edit('b', 201, { endedAt: at(30) })
  expect(outcome(devices.folded())).toEqual([[[[0, 30]]], [[90, 120]]])
})

test.each([
  [75, 90, [[[[0, 90]]], []]],
  [90, 75, [[[[0, 75]]], [[75, 90]]]],
  [50, 40, [[[[0, 40]]], []]],
  [40, 50, [[[[0, 50]]], []]],
])(
  'Of two ends the last one counts: %d, then %d minutes. A longer one claims its time.',
  (one, other, expected) => {
    const devices = saved()
    devices.edit('a', 200, { endedAt: at(one) })
    devices.edit('b', 201, { endedAt: at(other) })
    expect(outcome(devices.folded())).toEqual(expected)
  },
)

test('A start that is typed earlier counts, and a pause in it.', () => {
  const devices = saved()
  const pauses = { intervals: [span(-20, -10)], unplacedSeconds: 0 }
  devices.edit('a', 200, { startedAt: at(-30), pauses })
  expect(outcome(devices.folded())).toEqual([[[[-30, -20], [-10, 60]]], []]) // prettier-ignore
})

test.each([
  ['before', -5, [[-5, 0]]],
  ['before', -DAY, [[-DAY, 60 - DAY]]],
  ['after', 5, [[60, 65]]],
  ['after', DAY, [[DAY, 60 + DAY]]],
])(
  'A session that is moved to %s by %d minutes stays deleted where a device deletes it without having heard of that.',
  (_, by, asked) => {
    const devices = saved()
    const step = devices.edit('a', 200, moved(by))
    devices.edit('b', 201, GONE)
    expect(outcome(devices.folded())).toEqual([[], asked])
    devices.meet()
    devices.press('a', 202, { kind: 'undo', of: step })
    expect(outcome(devices.folded())).toEqual([[], []])
  },
)

test('A session that is moved, and trimmed by a device that has not heard of that, is asked about.', () => {
  const devices = saved()
  devices.edit('a', 200, moved(120))
  devices.edit('b', 201, { endedAt: at(30) })
  expect(outcome(devices.folded())).toEqual([[[]], [[120, 180]]])
})

test.each([
  ['first', 'start', [0, 20], 30],
  ['first', 'start', [0, 20], DAY],
  ['first', 'start', [0, 20], -DAY],
  ['middle', 'a.3', [20, 40], DAY],
  ['middle', 'a.3', [20, 40], -DAY],
  ['last', 'a.4', [40, 60], DAY],
  ['last', 'a.4', [40, 60], -DAY],
] as const)(
  'Of a session that was cut, the %s part is moved alone.',
  (_, boundary, [from, to], by) => {
    const devices = saved()
    devices.press('a', 61, { kind: 'cut', to: at(20) })
    devices.press('a', 62, { kind: 'cut', to: at(40) })
    devices.meet()
    devices.edit('a', 200, moved(by, from, to), boundary)
    const whole = [[0, 20], [20, 40], [40, 60]] // prettier-ignore
    const there = whole.map(([start = 0, end = 0]) => [
      start === from ? [start + by, end + by] : [start, end],
    ])
    expect(outcome(devices.folded())).toEqual([there, []])
  },
)

test('All parts of a session that was cut are moved to another day.', () => {
  const devices = saved()
  const cut = devices.press('a', 61, { kind: 'cut', to: at(20) })
  devices.edit('a', 200, moved(DAY, 0, 20))
  devices.edit('a', 201, moved(DAY, 20, 60), cut)
  expect(outcome(devices.folded())).toEqual([[[[DAY, DAY + 20]], [[DAY + 20, DAY + 60]]], []])
})

test('A question stays when its session is moved to another day.', () => {
  const devices = new Devices('a', 'b')
  devices.press('a', 0, START)
  devices.meet()
  devices.press('b', 60, STOP)
  devices.press('a', 70, STOP)
  devices.meet()
  devices.edit('a', 200, moved(DAY))
  expect(outcome(devices.folded())).toEqual([[[[DAY, DAY + 60]]], [[60, 70]]])
})

test('Work that is added to a session that another device deletes without having heard of it is asked about.', () => {
  const devices = saved()
  devices.edit('a', 200, { endedAt: at(90) })
  devices.edit('b', 201, GONE)
  expect(outcome(devices.folded())).toEqual([[], [[60, 90]]])
  devices.meet()
  devices.press('b', 202, { kind: 'count', boundary: null, spans: [span(60, 90)], isWork: true })
  expect(outcome(devices.folded())).toEqual([[[[60, 90]]], []])
})

test('A part of which only the answer to a question is left can be edited, deleted and restored.', () => {
  const devices = saved()
  devices.edit('a', 200, { endedAt: at(90) })
  devices.edit('b', 201, GONE)
  devices.meet()
  const kept = devices.press('b', 202, {
    kind: 'count',
    boundary: null,
    spans: [span(60, 90)],
    isWork: true,
  })
  const pauses = { intervals: [span(70, 75)], unplacedSeconds: 0 }
  devices.edit('b', 203, { note: 'kept', taskId: 'plan', endedAt: at(100), pauses }, kept)
  expect(outcome(devices.folded())).toEqual([[[[60, 70], [75, 100]]], []]) // prettier-ignore
  expect(devices.folded().parts.at(-1)).toMatchObject({ note: 'kept', task: 'plan' })
  devices.edit('b', 204, GONE, kept)
  expect(outcome(devices.folded())).toEqual([[], []])
  devices.edit('b', 205, { deletedAt: null }, kept)
  expect(outcome(devices.folded())).toEqual([[[[60, 70], [75, 100]]], []]) // prettier-ignore
})

test('A deleted entry stays deleted when another client changes its times.', () => {
  const devices = saved()
  devices.edit('a', 200, GONE)
  const [entry] = projectionOf('e', devices.folded()).entries
  const deleted = { ...testEntry({ start: at(0), end: at(60) }), ...entry, id: 'e' }
  const longer = editEntry(shiftEntry(deleted, DAY, at(300)).after, { note: 'x' }, at(301)).after
  const folded = foldSession(withFound(devices.all(), 'e', { ...longer, deletedAt: at(200) }))
  expect(folded && outcome(folded)).toEqual([[], []])
})

test('After each edit a part is as its owner wants it, and the other parts are as they were.', () => {
  const minute = fc.integer({ min: 1, max: 59 })
  const edit = fc.record({
    place: fc.nat(),
    start: fc.integer({ min: -200, max: 200 }),
    length: fc.integer({ min: 1, max: 100 }),
    isDeleted: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(minute, { maxLength: 3 }),
      fc.option(minute),
      fc.array(edit, { minLength: 1, maxLength: 6 }),
      (cuts, pause, edits) => {
        const devices = saved()
        const spans = [span(pause ?? 0, (pause ?? 0) + 10)]
        if (pause !== null)
          devices.press('a', 61, { kind: 'count', boundary: null, spans, isWork: false })
        for (const cut of cuts) devices.press('a', 62, { kind: 'cut', to: at(cut) })
        for (const [turn, { place, start, length, isDeleted }] of edits.entries()) {
          const before = projectionOf('s', devices.folded()).entries
          const index = place % before.length
          const { boundary = '' } = devices.folded().parts[index] ?? {}
          const pauses = { intervals: [span(start + 3, start + 5)], unplacedSeconds: 0 }
          const deletedAt = isDeleted ? at(100 + turn) : null
          const times = { ...moved(start, 0, length), note: `edit ${turn}`, deletedAt }
          devices.edit('a', 100 + turn, { ...times, pauses }, boundary)
          const { [index]: own, ...others } = projectionOf('s', devices.folded()).entries
          const durationSeconds = 60 * (length - Math.min(2, Math.max(0, length - 3)))
          expect(own?.deletedAt !== null).toBe(isDeleted)
          expect(own).toMatchObject({ ...times, durationSeconds, deletedAt: own?.deletedAt })
          const { [index]: _, ...othersBefore } = before
          expect(others).toEqual(othersBefore)
        }
      },
    ),
    { numRuns: 100 },
  )
})
