import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { editEntry, shiftEntry } from '#record/entry-edit.ts'
import { testEntry } from '#test/entries.ts'
import { withFound } from './adopt.ts'
import { foldSession } from './asked.ts'
import { projectionOf } from './projection.ts'
import { at, count, cut, Devices, shownOf, span, START, STOP, undo } from './test/devices.ts'

const DAY = 24 * 60

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

const paused = (start: number, end: number) => {
  return { intervals: [span(start, end)], unplacedSeconds: 0 }
}
/** Fields that delete a part. */
const GONE = { deletedAt: at(1) }

test('Time that was merged into a session is asked about where a device trims that without having heard of it.', () => {
  const devices = saved()
  devices.edit('a', 200, { endedAt: at(120), pauses: paused(60, 90) })
  devices.edit('b', 201, { endedAt: at(30) })
  expect(devices.shown).toBe('0-30, asks 90-120')
})

test.each([
  [75, 90, '0-90'],
  [90, 75, '0-75, asks 75-90'],
  [50, 40, '0-40'],
  [40, 50, '0-50'],
])(
  'Of two ends the last one counts: %d, then %d minutes. A longer one claims its time.',
  (one, other, expected) => {
    const devices = saved()
    devices.edit('a', 200, { endedAt: at(one) })
    devices.edit('b', 201, { endedAt: at(other) })
    expect(devices.shown).toBe(expected)
  },
)

test.each([
  ['before', -5, '-5-0'],
  ['before', -DAY, `${-DAY}-${60 - DAY}`],
  ['after', 5, '60-65'],
  ['after', DAY, `${DAY}-${60 + DAY}`],
])(
  'A session that is moved to %s by %d minutes stays deleted where a device deletes it without having heard of that.',
  (_, by, asked) => {
    const devices = saved()
    const step = devices.edit('a', 200, moved(by))
    devices.edit('b', 201, GONE)
    expect(devices.shown).toBe(`asks ${asked}`)
    devices.meet()
    devices.press('a', 202, undo(...step))
    expect(devices.shown).toBe('')
  },
)

test('A session that is moved, and trimmed by a device that has not heard of that, is asked about.', () => {
  const devices = saved()
  devices.edit('a', 200, moved(120))
  devices.edit('b', 201, { endedAt: at(30) })
  expect(devices.shown).toBe(', asks 120-180')
})

test('A question stays when its session is moved to another day.', () => {
  const devices = new Devices('a', 'b')
  devices.press('a', 0, START)
  devices.meet()
  devices.press('b', 60, STOP)
  devices.press('a', 70, STOP)
  devices.meet()
  devices.edit('a', 200, moved(DAY))
  expect(devices.shown).toBe(`${DAY}-${DAY + 60}, asks 60-70`)
})

test('Work that is added to a session that another device deletes without having heard of it is asked about, and what an answer keeps can be edited.', () => {
  const devices = saved()
  devices.edit('a', 200, { endedAt: at(90) })
  devices.edit('b', 201, GONE)
  expect(devices.shown).toBe('asks 60-90')
  devices.meet()
  const kept = devices.press('b', 202, count(60, 90))
  expect(devices.shown).toBe('60-90')
  const wanted = { note: 'kept', taskId: 'plan', endedAt: at(100), pauses: paused(70, 75) }
  devices.edit('b', 203, wanted, kept)
  expect(devices.shown).toBe('60-70 75-100')
  expect(devices.folded().parts.at(-1)).toMatchObject({ values: { note: 'kept', task: 'plan' } })
  devices.edit('b', 204, GONE, kept)
  expect(devices.shown).toBe('')
  devices.edit('b', 205, { deletedAt: null }, kept)
  expect(devices.shown).toBe('60-70 75-100')
})

test('A deleted entry stays deleted when another client changes its times.', () => {
  const devices = saved()
  devices.edit('a', 200, GONE)
  const [entry] = projectionOf('e', devices.folded()).entries
  const deleted = { ...testEntry({ start: at(0), end: at(60) }), ...entry, id: 'e' }
  const longer = editEntry(shiftEntry(deleted, DAY, at(300)).after, { note: 'x' }, at(301)).after
  const folded = foldSession(withFound(devices.all(), 'e', { ...longer, deletedAt: at(200) }))
  expect(folded && shownOf(folded)).toBe('')
})

test('After each edit a part is as its owner wants it, and the other parts are as they were.', () => {
  const minute = fc.integer({ min: 1, max: 59 })
  const edit = fc.record({
    place: fc.nat(),
    start: fc.oneof(fc.integer({ min: -200, max: 200 }), fc.integer({ min: -DAY, max: DAY })),
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
        if (pause !== null) devices.press('a', 61, count(pause, pause + 10, false))
        for (const to of cuts) devices.press('a', 62, cut(to))
        for (const [turn, { place, start, length, isDeleted }] of edits.entries()) {
          const before = projectionOf('s', devices.folded()).entries
          const index = place % before.length
          const { boundary = '' } = devices.folded().parts[index] ?? {}
          const pauses = paused(start + 3, start + 5)
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
