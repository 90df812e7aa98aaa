import { describe, expect, test } from 'vitest'

import { dayRuleOf } from '#time/day-rule.ts'
import { startTimer } from '#timer/timer.ts'

import { MOST_A_DAY, whileClosed } from './while-closed.ts'
import type { WhileClosedInput } from './while-closed.ts'
import type { Asked } from './still-working.ts'

/** Returns the instant of a clock of this day, or with '+1' of the next one. */
function at(text: string): number {
  const [clock = '', days = '0'] = text.split('+')
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return Date.UTC(2026, 10, 18 + Number(days), hours, minutes)
}

const OFF: WhileClosedInput['settings'] = {
  awayMinutes: 0,
  usualEnd: false,
  longRunningHours: 0,
  eveningHour: null,
  goalReached: false,
}

interface Case extends Partial<WhileClosedInput['settings']> {
  readonly now: string
  readonly pressed?: string
  readonly asked?: Asked
  readonly ends?: readonly string[]
  readonly said?: readonly (readonly [event: string, at: string])[]
  readonly goalHours?: number
}

/** What a device says of a timer that was started at nine. */
function look({ now, pressed = '9:00', asked, ends = [], said = [], goalHours = 0, ...set }: Case) {
  return whileClosed({
    timer: startTimer('session', 'write', at('9:00')),
    pressedAt: at(pressed),
    settings: { ...OFF, ...set },
    dayRule: dayRuleOf('UTC'),
    asked: asked ?? null,
    usualEnds: ends.map(at),
    todaySeconds: (at(now) - at('9:00')) / 1000,
    goalHours,
    said: said.map(([event, when]) => ({ event, at: at(when) })),
    now: at(now),
  })
}

function question(from: string, asked: string, until: string | null = null): Asked {
  return {
    sessionId: 'session',
    from: at(from),
    at: at(asked),
    until: until === null ? null : at(until),
  }
}

describe('the account is asked', () => {
  test.each<[what: string, given: Case, from: string | undefined]>([
    ['not before eight hours without a press', { now: '16:59' }, undefined],
    ['after eight hours, which then count', { now: '17:00' }, '17:00'],
    ['later if nobody looked', { now: '19:30' }, '17:00'],
    ['not after a short away setting', { awayMinutes: 10, now: '16:00' }, undefined],
    ['eight hours after the last press', { pressed: '11:00', now: '18:59' }, undefined],
    ['about the last press', { pressed: '11:00', now: '19:00' }, '11:00'],
    ['about the usual end', { pressed: '11:00', ends: ['17:10'], now: '19:00' }, '17:10'],
    [
      'not by the usual end unless that was chosen',
      { pressed: '11:00', ends: ['17:10'], now: '18:10' },
      undefined,
    ],
    [
      'an hour after the usual end',
      { usualEnd: true, pressed: '11:00', ends: ['17:10'], now: '18:10' },
      '17:10',
    ],
    ['not again while it is open', { asked: question('17:00', '17:00'), now: '23:00' }, undefined],
    [
      'not again after an answer',
      { asked: question('17:00', '17:00', '17:20'), now: '1:19+1' },
      undefined,
    ],
    [
      'eight hours after an answer',
      { asked: question('17:00', '17:00', '17:20'), now: '1:20+1' },
      '17:20',
    ],
    [
      'of this session whatever was asked of another',
      { asked: { ...question('8:00', '8:30'), sessionId: 'other' }, now: '17:00' },
      '17:00',
    ],
  ])('%s', (_, given, from) => {
    const expected = from === undefined ? null : { from: at(from), at: at(given.now), until: null }
    const { toAsk } = look(given)
    expect(toAsk).toEqual(expected && { sessionId: 'session', ...expected })
  })
})

describe('a device shows', () => {
  const asked = question('17:00', '17:00')
  const evening = { eveningHour: 18 } as const
  const goal = { goalReached: true, goalHours: 8 }

  test.each<[what: string, given: Case, shown: string | null]>([
    ['an open question after ten minutes', { asked, now: '17:10' }, 'question'],
    ['nothing before, as an open device may answer', { asked, now: '17:09' }, null],
    [
      'nothing of an answered one',
      { asked: question('17:00', '17:00', '17:05'), now: '17:10' },
      null,
    ],
    [
      'nothing of one before the last resume',
      { asked: question('8:00', '8:30'), now: '9:30' },
      null,
    ],
    ['a long time', { longRunningHours: 2, now: '11:00' }, 'long 2'],
    ['the evening', { ...evening, now: '18:00' }, 'evening 18'],
    ['a goal', { ...goal, now: '17:01' }, 'goal 8'],
    ['no reminder before it is due', { longRunningHours: 2, now: '10:59' }, null],
    ['no reminder that was missed', { longRunningHours: 2, now: '11:30' }, null],
    [
      'no reminder twice',
      { longRunningHours: 2, now: '11:10', said: [['session long 2', '11:00']] },
      null,
    ],
    [
      'no reminder beside an open question',
      { ...evening, asked: question('17:00', '17:55'), now: '18:00' },
      null,
    ],
    ['a question in the place of reminders', { ...evening, asked, now: '18:00' }, 'question'],
    ['one of two reminders', { ...evening, longRunningHours: 4, now: '18:00' }, 'evening 18'],
  ])('%s', (_, given, shown) => {
    const { question: shownQuestion, reminder } = look(given)
    const reminded = reminder && `${reminder.kind} ${reminder.hours}`
    expect(shownQuestion ? 'question' : reminded).toBe(shown)
  })

  test('no more than a few things a day, but what is open stays', () => {
    const others = ['a', 'b', 'c', 'd'].map((event) => [event, '10:00'] as const)
    expect(others).toHaveLength(MOST_A_DAY)
    const full = { ...evening, said: others }
    expect(look({ ...full, now: '18:00' }).reminder).toBeNull()
    expect(look({ ...full, asked, now: '17:10' }).question).toBeNull()
    const name = `session away ${at('17:00')}`
    const said = [...others.slice(1), [name, '17:10'] as const]
    expect(look({ said, asked, now: '18:00' }).question).toEqual(asked)
    const dayLater = { ...evening, said: others.map(([event]) => [event, '17:59+-1'] as const) }
    expect(look({ ...dayLater, now: '18:00' }).reminder).not.toBeNull()
  })

  test('and notes what it said', () => {
    expect(look({ asked, now: '17:10' }).said).toEqual([
      { event: `session away ${at('17:00')}`, at: at('17:10') },
    ])
    const { said } = look({ ...evening, now: '18:00' })
    expect(said.map((each) => each.event)).toEqual([`session evening ${at('18:00')}`])
    expect(look({ said: [['old', '17:00+-1']], now: '17:00' }).said).toEqual([])
  })
})

test.each<[what: string, given: Case, next: string | null]>([
  ['eight hours after the last press', { pressed: '11:00', now: '12:00' }, '19:00'],
  [
    'an hour after the usual end',
    { usualEnd: true, ends: ['17:10+-1', '15:00'], now: '12:00' },
    '16:00',
  ],
  ['ten minutes after a question', { asked: question('17:00', '17:00'), now: '17:03' }, '17:10'],
  ['at the next reminder', { longRunningHours: 2, now: '10:00' }, '11:00'],
  ['not again while a question is open', { asked: question('17:00', '17:00'), now: '17:10' }, null],
  [
    'eight hours after an answer',
    { asked: question('17:00', '17:00', '17:20'), now: '17:20' },
    '1:20+1',
  ],
])('It is looked again %s', (_, given, next) => {
  expect(look(given).next).toBe(next === null ? null : at(next))
})
