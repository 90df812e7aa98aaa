import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeLog } from './codec.ts'
import type { Log } from './event.ts'
import { foldSession } from './asked.ts'
import { compareBegun } from './fold.ts'
import { join, missingIn } from './join.ts'
import {
  anyLog,
  at,
  count,
  cut,
  DISCARD,
  Devices,
  moveTo,
  PAUSE,
  remove,
  RESUME,
  START,
  STOP,
  trimEnd,
  undo,
} from './test/devices.ts'

/** Two devices that both know a timer that was started at nine. */
function started(): Devices {
  const devices = new Devices('a', 'b', 'c')
  devices.press('a', 0, START)
  devices.meet()
  return devices
}

/** The same, and the timer was stopped at ten. */
function stopped(): Devices {
  const devices = started()
  devices.press('a', 60, STOP)
  devices.meet()
  return devices
}

test('An event that was undone does not count, and the undo can be undone.', () => {
  const devices = started()
  const stop = devices.press('a', 60, STOP)
  const undone = devices.press('a', 61, undo(stop))
  expect(devices.shown).toBe('0-Infinity')
  devices.press('a', 62, undo(undone))
  expect(devices.shown).toBe('0-60')
})

test('A press from before a moved start changes nothing, unless the mover had heard of it.', () => {
  const unheard = started()
  unheard.press('b', 10, PAUSE)
  unheard.press('a', 30, moveTo(20))
  expect(unheard.shown).toBe('20-Infinity')

  const heard = started()
  heard.press('a', 10, PAUSE)
  heard.press('a', 30, RESUME)
  heard.press('a', 40, moveTo(20))
  expect(heard.shown).toBe('30-Infinity')
})

test.each([
  ['stop', STOP],
  ['pause', PAUSE],
])('A %s that was passed over by a moved start stays so when that is moved again.', (_, press) => {
  for (const to of [5, 25]) {
    const devices = started()
    devices.press('b', 10, press)
    devices.press('a', 30, moveTo(20))
    devices.meet()
    devices.press('b', 40, moveTo(to))
    expect(devices.shown).toBe(`${to}-Infinity`)
  }
})

test.each([
  [null, '20-Infinity, asks 0-10', '20-60, asks 0-10'],
  [true, '0-10 20-Infinity', '0-10 20-60'],
  [false, '20-Infinity', '20-60'],
])(
  'A stop that was passed over by a moved start is asked about. With the answer %s, this counts: %s.',
  (answer, expected, saved) => {
    const devices = started()
    devices.press('b', 10, STOP)
    devices.press('a', 30, moveTo(20))
    devices.meet()
    if (answer !== null) devices.press('a', 40, count(0, 10, answer))
    expect(devices.shown).toBe(expected)
    devices.press('a', 60, STOP)
    expect(devices.shown).toBe(saved)
  },
)

test('A moved start asks about no stop that the mover had heard of.', () => {
  const devices = started()
  devices.press('b', 10, STOP)
  devices.meet()
  devices.press('a', 30, moveTo(20))
  expect(devices.shown).not.toContain('asks')
})

test('Of two notes the last one stays, and each part of a cut session has its own.', () => {
  const devices = stopped()
  const boundary = devices.press('a', 70, cut(30))
  devices.press('b', 71, { kind: 'set', field: 'note', value: 'of both', boundary: 'start' })
  devices.meet()
  expect(devices.folded().parts.map(({ values }) => values.note)).toEqual(['of both', 'of both'])
  devices.press('c', 72, { kind: 'set', field: 'note', value: 'of the second', boundary })
  expect(devices.folded().parts.map(({ values }) => values.note)).toEqual([
    'of both',
    'of the second',
  ])
})

test('What was said of a part stays when another device has moved the start past its cut.', () => {
  const devices = started()
  devices.press('a', 60, STOP)
  const boundary = devices.press('a', 61, cut(20))
  devices.press('a', 62, { kind: 'set', field: 'note', value: 'of the second', boundary })
  devices.press('b', 63, moveTo(30))
  devices.meet()
  devices.press('a', 64, cut(40))
  const notes = devices.folded().parts.map(({ values }) => values.note)
  expect([devices.shown, notes]).toEqual([
    '30-40, 40-60, asks 60-63',
    ['of the second', 'of the second'],
  ])
})

test('Two cuts at one instant make one boundary, and what was said of either part holds.', () => {
  const devices = stopped()
  devices.press('a', 70, cut(20))
  const other = devices.press('b', 70, cut(20))
  devices.press('b', 71, remove(other, 20, 60))
  expect(devices.shown).toBe('0-20')
})

test('A trimmed end stays trimmed beside a cut, and its undo brings all of it back.', () => {
  const devices = stopped()
  const bound = devices.press('a', 70, trimEnd('a.2', 60, 50))
  devices.press('b', 70, cut(20))
  expect(devices.shown).toBe('0-20, 20-50')
  devices.press('a', 71, undo(bound))
  expect(devices.shown).toBe('0-20, 20-60')
})

test('A changed boundary that is gone is void.', () => {
  const devices = stopped()
  devices.press('b', 70, trimEnd('a.2', 60, 50))
  devices.press('a', 70, undo('a.2'))
  devices.meet()
  devices.press('a', 80, STOP)
  expect(devices.shown).toBe('0-80')
})

test('A deletion is void where the part has grown since.', () => {
  const devices = stopped()
  const boundary = devices.press('a', 70, cut(30))
  devices.meet()
  devices.press('b', 71, remove('start', 0, 30))
  devices.press('a', 71, undo(boundary))
  expect(devices.shown).toBe('0-60')
})

test('A deletion by a device that had not heard of a cut deletes both sides of it.', () => {
  const devices = stopped()
  devices.press('a', 70, cut(30))
  devices.press('b', 71, remove('start', 0, 60))
  expect(devices.shown).toBe('')
})

test('A restoration takes back every deletion before it.', () => {
  const devices = stopped()
  devices.press('a', 70, remove('start', 0, 60))
  devices.press('b', 70, remove('start', 0, 60))
  devices.meet()
  devices.press('a', 71, { kind: 'restore', boundary: 'start' })
  expect(devices.shown).toBe('0-60')
})

test('Time away is taken out of a running timer, and work is put into a pause.', () => {
  const devices = started()
  devices.press('a', 60, count(20, 30, false))
  expect(devices.shown).toBe('0-20 30-Infinity')
  devices.press('a', 60, PAUSE)
  devices.press('a', 90, count(70, 80))
  expect(devices.folded().timer?.pausedAt).toBe(at(80))
})

test('An earlier start that was typed is asked about when the stop is undone, and an answer counts it.', () => {
  const devices = stopped()
  devices.edit('a', 70, { startedAt: at(-10) })
  devices.press('a', 71, undo('a.2'))
  expect(devices.shown).toBe('0-Infinity, asks -10-0')
  devices.press('a', 72, count(-10, 0))
  expect(devices.shown).toBe('-10-Infinity')
})

test.each([
  [null, '0-20, asks 20-50'],
  [true, '0-50'],
  [false, '0-20'],
])(
  'A press claims what its screen showed, and what does not count is asked about. With the answer %s: %s.',
  (answer, expected) => {
    const devices = started()
    devices.press('b', 20, PAUSE)
    devices.press('a', 50, PAUSE)
    devices.meet()
    if (answer !== null) devices.press('b', 55, count(20, 50, answer))
    expect(devices.shown).toBe(expected)
  },
)

test('Who had not heard of a claim decides only about what his own screen showed of it.', () => {
  const devices = started()
  devices.press('a', 30, DISCARD)
  devices.press('b', 50, PAUSE)
  expect(devices.shown).toBe('asks 30-50')
})

test('Who counts time as work leaves none of it out.', () => {
  const devices = started()
  devices.press('b', 20, STOP)
  devices.press('a', 50, PAUSE)
  devices.press('c', 55, count(0, 52))
  devices.press('b', 60, count(10, 55, false))
  expect(devices.shown).toBe('0-10, asks 20-52')
})

test('Time that an undone trim had left out below a later trim is asked about.', () => {
  const devices = stopped()
  const bound = devices.press('a', 70, trimEnd('a.2', 60, 50))
  devices.press('a', 71, trimEnd('a.2', 50, 30))
  devices.press('a', 72, undo(bound))
  expect(devices.shown).toBe('0-30, asks 50-60')
})

test('Work that is kept of a deleted part is a part of its own.', () => {
  const devices = started()
  devices.press('a', 30, DISCARD)
  devices.press('b', 50, STOP)
  devices.meet()
  devices.press('b', 60, count(30, 50))
  expect(devices.shown).toBe('30-50')
})

test('News that takes a timer from the screen leaves what the screen showed as a question.', () => {
  const devices = started()
  devices.press('b', 20, STOP)
  devices.press('a', 45, { kind: 'showed' })
  devices.meet()
  expect(devices.shown).toBe('0-20, asks 20-45')
})

test('A failed start asks about its time, and Track offline goes on with all of it.', () => {
  const devices = new Devices('a', 'b')
  devices.press('a', 0, START)
  const fail = devices.press('a', 1, { kind: 'fail' })
  expect(devices.shown).toBe('asks 0-1')
  devices.press('a', 2, undo(fail))
  expect(devices.shown).toBe('0-Infinity')
})

test('A failed start is void where another device has pressed on its timer.', () => {
  const devices = started()
  devices.press('a', 1, { kind: 'fail' })
  devices.press('b', 5, PAUSE)
  expect(devices.shown).toBe('0-5')
})

test('A failed start counts nothing of what was pressed on its timer before it failed.', () => {
  const devices = new Devices('a', 'b')
  devices.press('a', 0, START)
  devices.press('a', 5, PAUSE)
  devices.press('a', 8, RESUME)
  devices.meet()
  devices.press('b', 10, { kind: 'fail' })
  expect(devices.shown).toBe('asks 0-5, asks 8-10')
})

test('A failed start that is restored and edited elsewhere does not run again.', () => {
  const devices = started()
  devices.press('a', 1, { kind: 'fail' })
  devices.meet()
  devices.edit('b', 5, { deletedAt: null, note: 'a note' })
  expect(devices.shown).toBe('0-1')
})

test('Of several active timers the one that was begun last is shown, also after an undone stop.', () => {
  const older = started()
  const stop = older.press('a', 10, STOP)
  const newer = new Devices('a', 'b')
  newer.press('b', 20, START)
  const sorted = () => [older.folded(), newer.folded()].sort(compareBegun)[0]?.origin.at
  older.press('a', 15, undo(stop))
  expect(sorted()).toBe(at(20))
  const again = older.press('a', 21, STOP)
  older.press('a', 30, undo(again))
  expect(sorted()).toBe(at(0))
})

test('The same events give the same state, in whatever order and however often they arrive.', () => {
  fc.assert(
    fc.property(anyLog(), fc.infiniteStream(fc.nat()), (log, numbers) => {
      const arriving = [...log, ...log.slice(0, 5)]
      const places = new Map(arriving.map((_, index) => [index, numbers.next().value]))
      const order = [...places.keys()].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
      const arrived = order.reduce<Log>(
        (all, index) => join(all, arriving.slice(index, index + 1)),
        [],
      )
      expect(foldSession(arrived)).toEqual(foldSession(log))
    }),
  )
})

test('The union of logs does not depend on order, grouping or repetition.', () => {
  fc.assert(
    fc.property(anyLog(), anyLog(), anyLog(), (one, other, third) => {
      const text = encodeLog(join(join(one, other), third))
      expect(encodeLog(join(one, join(other, third)))).toBe(text)
      expect(encodeLog(join(third, join(other, one)))).toBe(text)
      expect(encodeLog(join(join(one, other), join(third, one)))).toBe(text)
      expect(missingIn(one, join(one, other))).toEqual([])
    }),
  )
})

test('Parts never share time, unless their owner has changed a boundary.', () => {
  fc.assert(
    fc.property(anyLog(), (log) => {
      const parts = (foldSession(log)?.parts ?? []).filter(({ deletion }) => deletion === null)
      const isBound = log.some(({ action }) => action.kind === 'bound')
      const spans = parts.flatMap((part) => part.worked).sort((a, b) => a.start - b.start)
      const shared = spans.some((each, index) => each.end > (spans[index + 1]?.start ?? Infinity))
      expect(shared && !isBound).toBe(false)
    }),
  )
})
