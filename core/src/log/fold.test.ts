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
  DISCARD,
  Devices,
  minutesOf,
  PAUSE,
  RESUME,
  span,
  START,
  STOP,
} from './test/devices.ts'

/** Returns when each part that counts was worked, in minutes. */
function worked(devices: Devices) {
  return devices
    .folded()
    .parts.filter(({ deletion }) => deletion === null)
    .map((part) => minutesOf(part.worked))
}

function asked(devices: Devices) {
  return minutesOf(devices.folded().asked)
}

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
  const undo = devices.press('a', 61, { kind: 'undo', of: [stop] })
  expect(devices.folded().timer?.pausedAt).toBeNull()
  devices.press('a', 62, { kind: 'undo', of: [undo] })
  expect(devices.folded().timer).toBeNull()
  expect(worked(devices)).toEqual([[[0, 60]]])
})

test('Pauses and resumes of two devices count in order of time.', () => {
  const devices = started()
  devices.press('b', 20, PAUSE)
  devices.press('b', 30, RESUME)
  devices.press('a', 60, STOP)
  expect(worked(devices)).toEqual([[[0, 20], [30, 60]]]) // prettier-ignore
})

test('The earliest stop in time ends the session, not the first to arrive.', () => {
  const devices = started()
  devices.press('a', 60, STOP)
  devices.press('b', 40, STOP)
  expect(worked(devices)).toEqual([[[0, 40]]])
  expect(asked(devices)).toEqual([[40, 60]])
})

test('A press from before a moved start changes nothing, unless the mover had heard of it.', () => {
  const unheard = started()
  unheard.press('b', 10, PAUSE)
  unheard.press('a', 30, { kind: 'move', to: at(20) })
  expect(unheard.folded().timer?.pausedAt).toBeNull()

  const heard = started()
  heard.press('a', 10, PAUSE)
  heard.press('a', 30, RESUME)
  heard.press('a', 40, { kind: 'move', to: at(20) })
  expect(minutesOf(heard.folded().timer?.worked ?? [])).toEqual([[30, Infinity]])
})

test('A stop that was passed over by a moved start is asked about, unless the mover had heard of it.', () => {
  const passedOver = (answer: boolean | null) => {
    const devices = started()
    devices.press('b', 10, STOP)
    devices.press('a', 30, { kind: 'move', to: at(20) })
    devices.meet()
    if (answer !== null)
      devices.press('a', 40, {
        kind: 'count',
        boundary: null,
        spans: [span(0, 10)],
        isWork: answer,
      })
    return devices
  }
  expect(asked(passedOver(null))).toEqual([[0, 10]])
  expect(minutesOf(passedOver(null).folded().timer?.worked ?? [])).toEqual([[20, Infinity]])
  expect(minutesOf(passedOver(true).folded().timer?.worked ?? [])).toEqual([[0, 10], [20, Infinity]]) // prettier-ignore
  expect(minutesOf(passedOver(false).folded().timer?.worked ?? [])).toEqual([[20, Infinity]])
  expect([true, false].flatMap((answer) => asked(passedOver(answer)))).toEqual([])

  const saved = passedOver(true)
  saved.press('a', 60, STOP)
  expect(worked(saved)).toEqual([[[0, 10], [20, 60]]]) // prettier-ignore

  const heard = started()
  heard.press('b', 10, STOP)
  heard.meet()
  heard.press('a', 30, { kind: 'move', to: at(20) })
  expect(asked(heard)).toEqual([])
})

test('Of two notes the last one stays, and each part of a cut session has its own.', () => {
  const devices = stopped()
  const cut = devices.press('a', 70, { kind: 'cut', to: at(30) })
  devices.press('b', 71, { kind: 'set', field: 'note', value: 'of both', boundary: 'start' })
  devices.meet()
  expect(devices.folded().parts.map(({ note }) => note)).toEqual(['of both', 'of both'])
  devices.press('c', 72, { kind: 'set', field: 'note', value: 'of the second', boundary: cut })
  expect(devices.folded().parts.map(({ note }) => note)).toEqual(['of both', 'of the second'])
})

test('Both cuts of two devices count.', () => {
  const devices = stopped()
  devices.press('a', 70, { kind: 'cut', to: at(20) })
  devices.press('b', 70, { kind: 'cut', to: at(40) })
  expect(worked(devices)).toEqual([[[0, 20]], [[20, 40]], [[40, 60]]])
})

test('Two cuts at one instant make one boundary, and what was said of either part holds.', () => {
  const devices = stopped()
  devices.press('a', 70, { kind: 'cut', to: at(20) })
  const cut = devices.press('b', 70, { kind: 'cut', to: at(20) })
  devices.press('b', 71, { kind: 'delete', boundary: cut, span: span(20, 60) })
  expect(worked(devices)).toEqual([[[0, 20]]])
})

test('A trimmed end stays trimmed beside a cut, and its undo brings all of it back.', () => {
  const devices = stopped()
  const bound = devices.press('a', 70, {
    kind: 'bound',
    boundary: 'a.2',
    side: 'before',
    to: at(50),
    span: span(50, 60),
  })
  devices.press('b', 70, { kind: 'cut', to: at(20) })
  expect(worked(devices)).toEqual([[[0, 20]], [[20, 50]]])
  devices.press('a', 71, { kind: 'undo', of: [bound] })
  expect(worked(devices)).toEqual([[[0, 20]], [[20, 60]]])
})

test('A changed boundary that is gone is void.', () => {
  const devices = stopped()
  const trimmed = { to: at(50), span: span(50, 60) }
  devices.press('b', 70, { kind: 'bound', boundary: 'a.2', side: 'before', ...trimmed })
  devices.press('a', 70, { kind: 'undo', of: ['a.2'] })
  devices.meet()
  devices.press('a', 80, STOP)
  expect(worked(devices)).toEqual([[[0, 80]]])
})

test('A deletion is void where the part has grown since.', () => {
  const devices = stopped()
  const cut = devices.press('a', 70, { kind: 'cut', to: at(30) })
  devices.meet()
  devices.press('b', 71, { kind: 'delete', boundary: 'start', span: span(0, 30) })
  devices.press('a', 71, { kind: 'undo', of: [cut] })
  expect(worked(devices)).toEqual([[[0, 60]]])
})

test('A deletion by a device that had not heard of a cut deletes both sides of it.', () => {
  const devices = stopped()
  devices.press('a', 70, { kind: 'cut', to: at(30) })
  devices.press('b', 71, { kind: 'delete', boundary: 'start', span: span(0, 60) })
  expect(worked(devices)).toEqual([])
})

test('A restoration takes back every deletion before it.', () => {
  const devices = stopped()
  devices.press('a', 70, { kind: 'delete', boundary: 'start', span: span(0, 60) })
  devices.press('b', 70, { kind: 'delete', boundary: 'start', span: span(0, 60) })
  devices.meet()
  devices.press('a', 71, { kind: 'restore', boundary: 'start' })
  expect(worked(devices)).toEqual([[[0, 60]]])
})

test('An end that is typed later than the stop counts, and so does a pause in it.', () => {
  const devices = stopped()
  const pauses = { intervals: [span(70, 80)], unplacedSeconds: 0 }
  devices.edit('a', 100, { endedAt: at(90), pauses })
  expect(worked(devices)).toEqual([[[0, 70], [80, 90]]]) // prettier-ignore
})

test('Time away is taken out of a running timer, and work is put into a pause.', () => {
  const devices = started()
  devices.press('a', 60, { kind: 'count', boundary: null, spans: [span(20, 30)], isWork: false })
  expect(minutesOf(devices.folded().timer?.worked ?? [])).toEqual([[0, 20], [30, Infinity]]) // prettier-ignore
  devices.press('a', 60, PAUSE)
  devices.press('a', 90, { kind: 'count', boundary: null, spans: [span(70, 80)], isWork: true })
  expect(devices.folded().timer?.pausedAt).toBe(at(80))
})

test('An earlier start that was typed is asked about when the stop is undone, and an answer counts it.', () => {
  const devices = stopped()
  devices.edit('a', 70, { startedAt: at(-10) })
  devices.press('a', 71, { kind: 'undo', of: ['a.2'] })
  expect(asked(devices)).toEqual([[-10, 0]])
  devices.press('a', 72, { kind: 'count', boundary: null, spans: [span(-10, 0)], isWork: true })
  expect(asked(devices)).toEqual([])
  expect(minutesOf(devices.folded().timer?.worked ?? [])).toEqual([[-10, Infinity]])
})

test('A press claims what its screen showed, and every device asks about what does not count.', () => {
  const devices = started()
  devices.press('b', 20, PAUSE)
  devices.press('a', 50, PAUSE)
  expect(minutesOf(devices.folded().timer?.worked ?? [])).toEqual([[0, 20]])
  expect(asked(devices)).toEqual([[20, 50]])
})

test.each([
  [true, [[0, 50]]],
  [false, [[0, 20]]],
])('An answer ends the question. With isWork %s, this counts: %j.', (isWork, expected) => {
  const devices = started()
  devices.press('b', 20, PAUSE)
  devices.press('a', 50, PAUSE)
  devices.meet()
  devices.press('b', 55, { kind: 'count', boundary: null, spans: [span(20, 50)], isWork })
  expect(asked(devices)).toEqual([])
  expect(minutesOf(devices.folded().timer?.worked ?? [])).toEqual(expected)
})

test('Who had not heard of a claim decides only about what his own screen showed of it.', () => {
  const devices = started()
  devices.press('a', 30, DISCARD)
  devices.press('b', 50, PAUSE)
  expect(asked(devices)).toEqual([[30, 50]])
})

test('Who counts time as work leaves none of it out.', () => {
  const devices = started()
  devices.press('b', 20, STOP)
  devices.press('a', 50, PAUSE)
  devices.press('c', 55, { kind: 'count', boundary: null, spans: [span(0, 52)], isWork: true })
  devices.press('b', 60, { kind: 'count', boundary: null, spans: [span(10, 55)], isWork: false })
  expect(asked(devices)).toEqual([[20, 52]])
})

test('Time that an undone trim had left out below a later trim is asked about.', () => {
  const devices = stopped()
  const trimmed = { boundary: 'a.2', side: 'before' } as const
  const first = { ...trimmed, to: at(50), span: span(50, 60) }
  const bound = devices.press('a', 70, { kind: 'bound', ...first })
  devices.press('a', 71, { kind: 'bound', ...trimmed, to: at(30), span: span(30, 50) })
  devices.press('a', 72, { kind: 'undo', of: [bound] })
  expect(asked(devices)).toEqual([[50, 60]])
})

test('Work that is kept of a deleted part is a part of its own.', () => {
  const devices = started()
  devices.press('a', 30, DISCARD)
  devices.press('b', 50, STOP)
  devices.meet()
  devices.press('b', 60, { kind: 'count', boundary: null, spans: [span(30, 50)], isWork: true })
  expect(worked(devices)).toEqual([[[30, 50]]])
})

test('News that takes a timer from the screen leaves what the screen showed as a question.', () => {
  const devices = started()
  devices.press('b', 20, STOP)
  devices.press('a', 45, { kind: 'showed' })
  devices.meet()
  expect(asked(devices)).toEqual([[20, 45]])
})

test('A failed start asks about its time, and Track offline goes on with all of it.', () => {
  const devices = new Devices('a', 'b')
  devices.press('a', 0, START)
  const fail = devices.press('a', 1, { kind: 'fail' })
  expect(devices.folded().timer).toBeNull()
  expect(asked(devices)).toEqual([[0, 1]])
  devices.press('a', 2, { kind: 'undo', of: [fail] })
  expect(minutesOf(devices.folded().timer?.worked ?? [])).toEqual([[0, Infinity]])
})

test('A failed start is void where another device has pressed on its timer.', () => {
  const devices = started()
  devices.press('a', 1, { kind: 'fail' })
  devices.press('b', 5, PAUSE)
  expect(minutesOf(devices.folded().timer?.worked ?? [])).toEqual([[0, 5]])
})

test('A failed start that is restored and edited elsewhere does not run again.', () => {
  const devices = started()
  devices.press('a', 1, { kind: 'fail' })
  devices.meet()
  devices.edit('b', 5, { deletedAt: null, note: 'a note' })
  expect(worked(devices)).toEqual([[[0, 1]]])
})

test('Of several active timers the one that was begun last is shown, also after an undone stop.', () => {
  const older = started()
  const stop = older.press('a', 10, STOP)
  const newer = new Devices('a', 'b')
  newer.press('b', 20, START)
  const sorted = () => [older.folded(), newer.folded()].sort(compareBegun)[0]?.origin.at
  older.press('a', 15, { kind: 'undo', of: [stop] })
  expect(sorted()).toBe(at(20))
  const again = older.press('a', 21, STOP)
  older.press('a', 30, { kind: 'undo', of: [again] })
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
