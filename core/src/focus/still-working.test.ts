import { describe, expect, test } from 'vitest'

import { dayRuleOf } from '#time/day-rule.ts'
import type { RunningTimer } from '#timer/timer.ts'

import {
  askedFromPrefs,
  isAskedAbout,
  isRefuted,
  openQuestion,
  prefsFromAsked,
  stillWorking,
  usualEnds,
} from './still-working.ts'
import type { Asked, StillWorkingInput } from './still-working.ts'

/** Returns the instant of a clock of this day, or with '+1' of the next one. */
function at(text: string): number {
  const [clock = '', days = '0'] = text.split('+')
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return Date.UTC(2026, 10, 18 + Number(days), hours, minutes)
}

/** Returns intervals of texts such as '12:00-12:20'. */
function silences(texts: readonly string[]) {
  return texts.map((text) => {
    const [start = '', end = ''] = text.split('-')
    return { start: at(start), end: at(end) }
  })
}

const timer: RunningTimer = {
  status: 'running',
  sessionId: 'session',
  taskId: 'write',
  startedAt: at('9:00'),
  pauses: { intervals: [], unplacedSeconds: 0 },
}

interface Case {
  readonly minutes?: StillWorkingInput['settings']['awayMinutes']
  readonly usualEnd?: boolean
  readonly ends?: readonly string[]
  readonly away?: readonly string[]
  readonly unseen?: readonly string[]
  readonly asked?: Asked
  readonly resumed?: string
  readonly now: string
}

function fromOf({ minutes = 15, usualEnd = false, away = [], unseen = [], ...given }: Case) {
  const { ends = [], asked = null, resumed, now } = given
  const pause = resumed === undefined ? [] : [{ start: at(resumed) - 1000, end: at(resumed) }]
  return stillWorking({
    timer: { ...timer, pauses: { intervals: pause, unplacedSeconds: 0 } },
    settings: { awayMinutes: minutes, usualEnd },
    silences: { away: silences(away), unseen: silences(unseen) },
    usualEnds: () => ends.map(at),
    asked,
    now: at(now),
  })?.from
}

function question(from: string, asked: string, until: string | null = null): Asked {
  return {
    sessionId: 'session',
    from: at(from),
    at: at(asked),
    until: until === null ? null : at(until),
  }
}

test.each<[what: string, given: Case, from: string | undefined]>([
  ['away for less than the threshold', { away: ['12:00-12:14'], now: '12:14' }, undefined],
  ['away for the threshold', { away: ['12:00-12:15'], now: '12:15' }, '12:00'],
  ['back after the threshold', { away: ['12:00-12:40', '12:41-12:42'], now: '12:42' }, '12:00'],
  [
    'at work in another program',
    { unseen: ['9:00-16:59'], away: ['16:58-16:59'], now: '16:59' },
    undefined,
  ],
  ['without a threshold', { minutes: 0, away: ['12:00-19:59'], now: '19:59' }, undefined],
  [
    'eight hours away without a threshold',
    { minutes: 0, away: ['12:00-20:00'], now: '20:00' },
    '12:00',
  ],
  [
    'asleep over the night',
    { minutes: 0, unseen: ['9:30-8:30+1'], away: ['17:45-8:30+1'], now: '8:30+1' },
    '17:45',
  ],
  ['unseen for eight hours', { minutes: 0, unseen: ['9:30-17:30'], now: '17:30' }, '9:30'],
  [
    'unseen over the usual end',
    { minutes: 0, unseen: ['9:30-17:40'], ends: ['17:10'], now: '17:40' },
    '17:10',
  ],
  ['unseen since the start', { minutes: 0, unseen: ['9:00-17:30'], now: '17:30' }, '17:00'],
  [
    'unseen since just before the start',
    { minutes: 0, unseen: ['8:59-16:59'], now: '16:59' },
    undefined,
  ],
  [
    'unseen since the start over the usual end',
    { minutes: 0, unseen: ['9:00-17:30'], ends: ['17:10'], now: '17:30' },
    '17:10',
  ],
  [
    'an hour after the usual end',
    { usualEnd: true, unseen: ['14:00-18:10'], ends: ['17:10'], now: '18:10' },
    '17:10',
  ],
  [
    'a minute before',
    { usualEnd: true, unseen: ['14:00-18:09'], ends: ['17:10'], now: '18:09' },
    undefined,
  ],
  [
    'after the usual end by a setting that is off',
    { unseen: ['14:00-18:10'], ends: ['17:10'], now: '18:10' },
    undefined,
  ],
  [
    'seen after the usual end',
    { usualEnd: true, unseen: ['17:20-18:30'], ends: ['17:10'], now: '18:30' },
    undefined,
  ],
  [
    'asleep since before the usual end',
    {
      usualEnd: true,
      minutes: 0,
      unseen: ['14:00-18:10'],
      away: ['16:50-18:10'],
      ends: ['17:10'],
      now: '18:10',
    },
    '16:50',
  ],
  [
    'asleep over lunch alone',
    {
      usualEnd: true,
      minutes: 120,
      unseen: ['9:30-18:10'],
      away: ['12:00-13:00'],
      ends: ['17:10'],
      now: '18:10',
    },
    '17:10',
  ],
  ['a device that saw nobody since the start', { away: ['8:50-12:00'], now: '12:00' }, undefined],
  ['the press of Start as the last input', { away: ['8:59-9:15'], now: '9:15' }, '9:00'],
  [
    'resumed elsewhere in between',
    { away: ['12:00-12:40'], resumed: '12:30', now: '12:40' },
    undefined,
  ],
  [
    'long after a resume elsewhere',
    { away: ['12:00-12:50'], resumed: '12:30', now: '12:50' },
    '12:30',
  ],
  [
    'asked already',
    { away: ['12:00-12:30'], asked: question('12:00', '12:15'), now: '12:30' },
    undefined,
  ],
  [
    'answered, and still away',
    { away: ['12:00-13:30'], asked: question('12:00', '12:15', '12:20'), now: '13:30' },
    undefined,
  ],
  [
    'answered, and away for eight hours since',
    { away: ['12:00-20:20'], asked: question('12:00', '12:15', '12:20'), now: '20:20' },
    '12:20',
  ],
  [
    'away again after an answer',
    {
      away: ['12:00-12:20', '12:21-12:40'],
      asked: question('12:00', '12:15', '12:20'),
      now: '12:40',
    },
    '12:21',
  ],
  [
    'a question of another session',
    {
      away: ['12:00-12:15'],
      asked: { ...question('11:00', '12:00'), sessionId: 'other' },
      now: '12:15',
    },
    '12:00',
  ],
])('%s', (_, given, from) => {
  expect(fromOf(given)).toBe(from === undefined ? undefined : at(from))
})

describe('a question', () => {
  test.each<[what: string, asked: Asked | null, resumed: string, isOpen: boolean]>([
    ['is open until it is answered', question('12:00', '12:15'), '10:00', true],
    ['ends with an answer', question('12:00', '12:15', '12:20'), '10:00', false],
    ['ends with a pause since', question('12:00', '12:15'), '12:16', false],
    ['is of its session', { ...question('12:00', '12:15'), sessionId: 'other' }, '10:00', false],
    ['is none', null, '10:00', false],
  ])('%s', (_, asked, resumed, isOpen) => {
    const pauses = { intervals: [{ start: at('9:59'), end: at(resumed) }], unplacedSeconds: 0 }
    expect(openQuestion(asked, { ...timer, pauses }) !== null).toBe(isOpen)
  })

  test.each<[what: string, since: string, last: string, isRefuted: boolean]>([
    ['is refuted where the person was active all along', '11:00', '12:14', true],
    ['is not by somebody who left there as well', '11:00', '12:02', false],
    ['is not by somebody who came later', '12:10', '12:20', false],
    ['is not by somebody who has just come back', '12:15', '12:15', false],
  ])('%s', (_, since, last, expected) => {
    const activity = { since: at(since), last: at(last) }
    expect(isRefuted(question('12:00', '12:15'), activity)).toBe(expected)
  })

  test.each<[time: string, asked: Asked, expected: boolean]>([
    ['12:01-13:00', question('12:00', '13:00'), true],
    ['11:58-13:00', question('12:00', '13:00', '13:05'), true],
    ['11:30-12:10', question('12:00', '13:00'), false],
    ['14:00-15:00', question('12:00', '13:00'), true],
    ['14:00-15:00', question('12:00', '13:00', '13:05'), false],
  ])('covers a gap at %s, or does not', (time, asked, expected) => {
    const [gap = { start: 0, end: 0 }] = silences([time])
    expect(isAskedAbout(asked, 'session', gap)).toBe(expected)
    expect(isAskedAbout(asked, 'other', gap)).toBe(false)
  })

  test.each([question('12:00', '12:15'), question('12:00', '12:15', '12:20')])(
    'is read as it was written: %j',
    (asked) => {
      expect(askedFromPrefs(prefsFromAsked(asked))).toEqual(asked)
    },
  )

  test.each([{}, { stillWorking: 7 }, { stillWorking: 'a b c' }, { stillWorking: 'a 1' }])(
    'that is unreadable is none: %j',
    (prefs) => {
      expect(askedFromPrefs(prefs)).toBeNull()
    },
  )
})

function session(day: string, start: string, end: string) {
  return {
    startedAt: Date.parse(`${day}T${start}:00+01:00`),
    endedAt: Date.parse(`${day}T${end}:00+01:00`),
  }
}

describe('the usual end of a day', () => {
  const rule = dayRuleOf('Europe/Berlin')
  const week = [
    session('2026-11-09', '09:00', '17:00'),
    session('2026-11-10', '09:00', '17:30'),
    session('2026-11-11', '09:00', '12:00'),
    session('2026-11-11', '13:00', '18:00'),
    session('2026-11-12', '09:00', '16:00'),
    session('2026-11-13', '09:00', '21:00'),
  ]
  const now = Date.parse('2026-11-16T12:00:00+01:00')

  test('is the median of the last ends, yesterday and today', () => {
    expect(usualEnds(week, rule, now).map((each) => new Date(each).toISOString())).toEqual([
      '2026-11-15T16:30:00.000Z',
      '2026-11-16T16:30:00.000Z',
    ])
  })

  test('is unknown with fewer than five days, which today is none of', () => {
    const today = session('2026-11-16', '09:00', '11:00')
    expect(usualEnds([...week.slice(1, 5), today], rule, now)).toEqual([])
  })

  test('leaves out what is older than four weeks', () => {
    expect(usualEnds(week, rule, now + 40 * 86_400_000)).toEqual([])
  })

  test('may be after midnight, where days begin later', () => {
    const late = ['09', '10', '11', '12', '13'].map((day) => ({
      startedAt: Date.parse(`2026-11-${day}T22:00:00+01:00`),
      endedAt: Date.parse(`2026-11-${day}T22:00:00+01:00`) + 3 * 3_600_000,
    }))
    const ends = usualEnds(late, dayRuleOf('Europe/Berlin', 4), now)
    expect(ends.map((each) => new Date(each).toISOString())).toEqual([
      '2026-11-16T00:00:00.000Z',
      '2026-11-17T00:00:00.000Z',
    ])
  })
})
