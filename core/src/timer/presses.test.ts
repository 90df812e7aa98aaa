import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldLate, foldLateNote, pressesBetween } from './late-presses.ts'
import { fold, isPressedAfter } from './presses.ts'
import type { Folded, Press } from './presses.ts'
import { elapsedSeconds, startTimer, stopTimer } from './timer.ts'
import type { ActiveTimer } from './timer.ts'

const START = Date.UTC(2026, 0, 1, 9)
const at = (second: number) => START + second * 1000
const TIMER = startTimer('session', 'write', START)
const pause = (second: number): Press => ({ kind: 'pause', at: at(second) })
const resume = (second: number): Press => ({ kind: 'resume', at: at(second) })
const stop = (second: number): Press => ({ kind: 'stop', at: at(second) })
const putIn = (start: number, end: number): Press => ({
  kind: 'put-in',
  at: at(end),
  worked: { start: at(start), end: at(end) },
})
const moveTo = (second: number): Press => {
  const from = { startedAt: START, taskId: 'write' }
  return { kind: 'move', at: at(50), from, to: { ...from, startedAt: at(second) }, pauses: [] }
}

function folded(presses: readonly Press[], timer: ActiveTimer = TIMER): Folded {
  return fold(timer, presses, -Infinity)
}

/** The seconds that the timer counts 100 s after its start. */
function secondsOf(result: Folded): number {
  return result.kind === 'stopped'
    ? result.stopped.durationSeconds
    : elapsedSeconds(result.timer, at(100))
}

/** The timer as another device left it. */
function after(...presses: readonly Press[]): ActiveTimer {
  const result = folded(presses)
  if (result.kind === 'stopped') throw new Error('It has stopped')
  return result.timer
}

describe('fold', () => {
  test.each<{ name: string; there: ActiveTimer; here: readonly Press[]; seconds: number }>([
    { name: 'nothing pressed', there: TIMER, here: [], seconds: 100 },
    { name: 'a pause', there: TIMER, here: [pause(30)], seconds: 30 },
    { name: 'a pause and a resume', there: TIMER, here: [pause(30), resume(50)], seconds: 80 },
    { name: 'a stop', there: TIMER, here: [stop(60)], seconds: 60 },
    {
      name: 'a stop by a device that has not heard of the resume',
      there: after(pause(10), resume(20)),
      here: [stop(27)],
      seconds: 17,
    },
    {
      name: 'a stop by a device that has not heard of the pause',
      there: after(pause(10)),
      here: [stop(60)],
      seconds: 10,
    },
    {
      name: 'a pause that another device made earlier',
      there: after(pause(10)),
      here: [pause(30)],
      seconds: 10,
    },
    {
      name: 'a pause from before the start, which another device has moved past its resume',
      there: after(pause(10), resume(20), moveTo(40)),
      here: [pause(10)],
      seconds: 60,
    },
    {
      name: 'a start that is moved into a pause from here',
      there: TIMER,
      here: [pause(10), resume(45), moveTo(40)],
      seconds: 55,
    },
    {
      name: 'a start that is moved beyond an open pause from here',
      there: TIMER,
      here: [pause(10), moveTo(40), resume(60)],
      seconds: 40,
    },
    {
      name: 'a resume before a pause that was pressed in that of another device',
      there: after(pause(10), pause(30)),
      here: [resume(20)],
      seconds: 20,
    },
    {
      name: 'a resume before the one of another device',
      there: after(pause(10), resume(50)),
      here: [resume(30)],
      seconds: 80,
    },
    {
      name: 'a resume after a pause of another device',
      there: after(pause(10)),
      here: [pause(20), resume(40)],
      seconds: 70,
    },
    {
      name: 'a stop before what another device pressed',
      there: after(pause(50), resume(60)),
      here: [stop(40)],
      seconds: 40,
    },
    { name: 'the first of two stops', there: TIMER, here: [stop(40), stop(60)], seconds: 40 },
    {
      name: 'time away that is taken out',
      there: TIMER,
      here: [{ kind: 'take-out', at: at(60), away: { start: at(20), end: at(60) } }],
      seconds: 60,
    },
    {
      name: 'work that is put into an open pause',
      there: after(pause(10)),
      here: [putIn(20, 50)],
      seconds: 40,
    },
    {
      name: 'work that is put into a pause that has ended',
      there: after(pause(10), resume(60)),
      here: [putIn(20, 50)],
      seconds: 80,
    },
    {
      name: 'work that begins in a pause and goes on after it',
      there: after(pause(10), resume(40)),
      here: [putIn(20, 50)],
      seconds: 90,
    },
    {
      name: 'work that goes on in a later pause',
      there: after(pause(10), resume(30), pause(40), resume(60)),
      here: [putIn(20, 50)],
      seconds: 70,
    },
    {
      name: 'work that is put in where the timer ran',
      there: after(pause(10), resume(20), pause(30)),
      here: [putIn(25, 50)],
      seconds: 20,
    },
  ])('Fold counts $seconds seconds after $name', ({ there, here, seconds }) => {
    expect(secondsOf(folded(here, there))).toBe(seconds)
  })

  test('Fold moves the start when nobody else has moved it', () => {
    const from = { startedAt: START, taskId: 'write' }
    const to = { startedAt: at(-1800), taskId: 'write' }
    const moved = folded([{ kind: 'move', at: at(10), from, to, pauses: [] }])
    expect(moved).toMatchObject({ timer: { startedAt: at(-1800), taskId: 'write' } })
  })

  test('Fold keeps the later of two moves of the start, and also a change of the task', () => {
    const from = { startedAt: START, taskId: 'write' }
    const there = { ...TIMER, startedAt: at(-60) }
    const press: Press = {
      kind: 'move',
      at: at(10),
      from,
      to: { startedAt: at(-1800), taskId: 'plan' },
      pauses: [],
    }
    expect(fold(there, [press], at(20))).toMatchObject({
      timer: { startedAt: at(-60), taskId: 'plan' },
    })
    expect(fold(there, [press], at(5))).toMatchObject({
      timer: { startedAt: at(-1800), taskId: 'plan' },
    })
  })

  test('Fold stops a timer that was moved elsewhere from its new start', () => {
    expect(secondsOf(folded([stop(60)], { ...TIMER, startedAt: at(-1800) }))).toBe(1860)
  })
})

describe('foldLate', () => {
  const move = (to: number): Press => ({
    kind: 'move',
    at: at(40),
    from: { startedAt: START, taskId: 'write' },
    to: { startedAt: at(to), taskId: 'write' },
    pauses: [],
  })
  test.each<{ name: string; there: ActiveTimer; late: readonly Press[]; seconds: number }>([
    { name: 'nothing', there: TIMER, late: [], seconds: 60 },
    { name: 'a pause before the end', there: TIMER, late: [pause(20)], seconds: 20 },
    { name: 'a pause and a resume', there: TIMER, late: [pause(20), resume(30)], seconds: 50 },
    { name: 'a resume before the end', there: after(pause(10)), late: [resume(40)], seconds: 30 },
    { name: 'a resume after the end', there: after(pause(10)), late: [resume(80)], seconds: 10 },
    { name: 'a pause after the end', there: TIMER, late: [pause(70), resume(90)], seconds: 60 },
    {
      name: 'a pause before a resume of another device',
      there: after(pause(30), resume(40)),
      late: [pause(20)],
      seconds: 40,
    },
    { name: 'a stop before the end', there: TIMER, late: [stop(20)], seconds: 60 },
    {
      name: 'a resume and a stop before the end',
      there: after(pause(10)),
      late: [resume(20), stop(30)],
      seconds: 20,
    },
    {
      name: 'a pause and a stop before the end',
      there: TIMER,
      late: [pause(10), stop(30)],
      seconds: 40,
    },
    { name: 'an earlier start', there: TIMER, late: [move(-100)], seconds: 160 },
    { name: 'a later start', there: TIMER, late: [move(20)], seconds: 40 },
    { name: 'a start after the end', there: TIMER, late: [move(90)], seconds: 0 },
    {
      name: 'time away that is taken out afterwards',
      there: TIMER,
      late: [{ kind: 'take-out', at: at(90), away: { start: at(50), end: at(90) } }],
      seconds: 50,
    },
  ])('A late fold leaves $seconds of 60 seconds after $name', ({ there, late, seconds }) => {
    const stopped = stopTimer(there, at(60))
    const folded = foldLate(stopped, late, at(61))
    expect(folded).toMatchObject({ durationSeconds: seconds, endedAt: at(60) })
    expect(foldLate(folded, late, at(62))).toEqual(folded)
  })

  test('A late fold changes nothing when the end already included the presses', () => {
    const presses = [pause(20), resume(30), pause(50)]
    const stopped = stopTimer(after(...presses), at(60))
    expect(foldLate(stopped, presses, at(61))).toEqual(stopped)
  })
})

describe('pressesBetween', () => {
  test.each<{ name: string; there: ActiveTimer; late: readonly Press[] }>([
    { name: 'a pause', there: TIMER, late: [pause(20)] },
    { name: 'a resume', there: after(pause(10)), late: [resume(40)] },
    { name: 'an earlier begin of a pause', there: after(pause(30)), late: [pause(20)] },
    { name: 'a pause before another one', there: after(pause(30), resume(40)), late: [pause(20)] },
  ])('The presses between two states turn the first into the second: $name', ({ there, late }) => {
    const before = stopTimer(there, at(60))
    const folded = foldLate(before, late, at(61))
    const between = pressesBetween(before, folded, at(61))
    expect(foldLate(before, between, at(62))).toEqual(folded)
  })

  test('The presses between two states count the same seconds, whatever was pressed', () => {
    const turns = fc.array(
      fc.record({
        kind: fc.constantFrom<('pause' | 'resume')[]>('pause', 'resume'),
        second: fc.nat(70),
      }),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(turns, turns, (there, here) => {
        const before = stopTimer(after(...pressesOf(there)), at(60))
        // No press of one device is in the moment of one of the other.
        const late = here.map(({ kind, second }) => ({ kind, second: second + 0.5 }))
        const folded = foldLate(before, pressesOf(late), at(61))
        const between = pressesBetween(before, folded, at(61))
        expect(foldLate(before, between, at(62)).durationSeconds).toBe(folded.durationSeconds)
      }),
    )
  })
})

function pressesOf(list: readonly { kind: 'pause' | 'resume'; second: number }[]): Press[] {
  return list.map(({ kind, second }) => ({ kind, at: at(second) }))
}

const told = (note: string): ActiveTimer => startTimer('session', 'write', START, note)
function noted(from: string, to: string, second = 10): Press {
  return { kind: 'note', at: at(second), from, to }
}

describe('notes', () => {
  test.each<{ name: string; there: string; here: readonly Press[]; note: string | undefined }>([
    { name: 'nothing', there: '', here: [], note: undefined },
    { name: 'a first note', there: '', here: [noted('', 'a')], note: 'a' },
    { name: 'a longer note', there: 'a', here: [noted('a', 'ab')], note: 'ab' },
    { name: 'a cleared note', there: 'a', here: [noted('a', '')], note: undefined },
    { name: 'a note again', there: 'a', here: [noted('', 'a')], note: 'a' },
    { name: 'a later note', there: 'z', here: [noted('a', 'ab', 60)], note: 'ab' },
    { name: 'an earlier note', there: 'z', here: [noted('a', 'ab', 40)], note: 'z' },
    { name: 'nothing in the end', there: 'z', here: [noted('a', 'a', 60)], note: 'z' },
    {
      name: 'a later note after an earlier one',
      there: 'z',
      here: [noted('', 'a', 40), noted('a', 'ab', 60)],
      note: 'ab',
    },
    { name: 'a note and a pause', there: '', here: [noted('', 'a'), pause(30)], note: 'a' },
    { name: 'a note and a stop', there: '', here: [noted('', 'a'), stop(30)], note: 'a' },
    { name: 'a pause', there: 'z', here: [pause(30), resume(40)], note: 'z' },
    { name: 'a stop', there: 'z', here: [stop(30)], note: 'z' },
  ])('$name: the note is $note', ({ there, here, note }) => {
    const result = fold(told(there), here, at(50))
    expect((result.kind === 'active' ? result.timer : result.stopped).note).toBe(note)
  })

  test.each<{ name: string; there: string | null; here: readonly Press[]; note: string | null }>([
    { name: 'nothing', there: 'z', here: [pause(3)], note: 'z' },
    { name: 'a first note', there: null, here: [noted('', 'a')], note: 'a' },
    { name: 'a change of the note', there: 'a', here: [noted('a', 'ab')], note: 'ab' },
    { name: 'a cleared note', there: 'a', here: [noted('a', '')], note: null },
    { name: 'beside another note', there: 'z', here: [noted('', 'a')], note: 'z\na' },
    { name: 'changed elsewhere as well', there: 'z', here: [noted('a', 'ab')], note: 'z\nab' },
    { name: 'cleared here, changed elsewhere', there: 'z', here: [noted('a', '')], note: 'z' },
    {
      name: 'beside another note, in two presses',
      there: 'z',
      here: [noted('', 'a'), noted('a', 'ab')],
      note: 'z\nab',
    },
    { name: 'typed on after it was added', there: 'z\na', here: [noted('a', 'ab')], note: 'z\nab' },
    {
      name: 'arrived in part',
      there: 'a',
      here: [noted('', 'a'), noted('a', 'ab')],
      note: 'ab',
    },
    {
      name: 'arrived as a whole',
      there: 'ab',
      here: [noted('', 'a'), noted('a', 'ab')],
      note: 'ab',
    },
    {
      name: 'as long as a note can be',
      there: 'z'.repeat(1998),
      here: [noted('', 'abc')],
      note: `${'z'.repeat(1998)}\na`,
    },
  ])('A late note, $name: the entry keeps it', ({ there, here, note }) => {
    expect(foldLateNote(there, here)).toBe(note)
  })
})

describe('any presses', () => {
  const turns = fc.array(
    fc.record({
      kind: fc.constantFrom<('pause' | 'resume')[]>('pause', 'resume'),
      second: fc.nat(99),
    }),
  )
  test('Presses that are folded in twice change nothing', () => {
    fc.assert(
      fc.property(turns, (list) => {
        const once = after(...pressesOf(list))
        expect(after(...pressesOf(list), ...pressesOf(list))).toEqual(once)
        expect(folded(pressesOf(list), once)).toEqual({ kind: 'active', timer: once })
      }),
    )
  })

  test('Presses count exactly the seconds before which the last press was not a pause', () => {
    fc.assert(
      fc.property(turns, (list) => {
        let worked = 0
        for (let second = 0; second < 100; second += 1) {
          const last = list
            .map((press, index) => ({ ...press, index }))
            .filter((press) => press.second <= second)
            .toSorted((a, b) => a.second - b.second || a.index - b.index)
            .at(-1)
          if (last?.kind !== 'pause') worked += 1
        }
        expect(secondsOf(folded(pressesOf(list)))).toBe(worked)
      }),
    )
  })
})

test('isPressedAfter tells whether a pause or a resume came after an instant', () => {
  expect(isPressedAfter(TIMER, START)).toBe(false)
  expect(isPressedAfter(after(pause(10)), at(5))).toBe(true)
  expect(isPressedAfter(after(pause(10), resume(20)), at(15))).toBe(true)
  expect(isPressedAfter(after(pause(10), resume(20)), at(20))).toBe(false)
})
