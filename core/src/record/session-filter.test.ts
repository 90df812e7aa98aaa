import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { dayRuleOf } from '#time/day-rule.ts'

import { filterWithCategory, parseFilter } from './session-filter.ts'
import type { FilterContext, FilterCondition } from './session-filter.ts'

const NEW_YORK: FilterContext = {
  now: Date.parse('2026-11-23T15:00:00Z'),
  dayRule: dayRuleOf('America/New_York'),
}

const partsOf = (text: string, context = NEW_YORK) => parseFilter(text, context).parts
const meanings = (text: string, context = NEW_YORK) =>
  partsOf(text, context).map(({ meaning }) => meaning)
const conditions = (text: string, context = NEW_YORK) =>
  partsOf(text, context).map(({ condition }) => condition)
const words = (text: string): FilterCondition => ({ kind: 'words', text })

describe('words', () => {
  test.each<[string, string, FilterCondition[]]>([
    ['nothing', '', []],
    ['spaces', ' \t\n ', []],
    ['quotes and a minus that nothing follows', ' "" - “ -"" ', []],
    ['words in any case, with accents', 'Ann CAFÉ', [words('ann'), words('cafe')]],
    ['quoted words together', '"weekly  review" x', [words('weekly review'), words('x')]],
    ['typographic quotes', '“weekly review” „a b“', [words('weekly review'), words('a b')]],
    ['quotes that do not close', 'x "weekly review', [words('x'), words('weekly review')]],
    ['a quote within a word', '5"disk a"b c"', ['5"disk', 'a"b', 'c"'].map(words)],
    ['words of the language in quotes', '"today" ">2h" "#a"', ['today', '>2h', '#a'].map(words)],
    ['a comparison without a length', '> >= <x', ['>', '>=', '<x'].map(words)],
    ['a length below zero', '>-2h', [words('>-2h')]],
    ['a length of months', '>1000h', [words('>1000h')]],
    ['no month', '2026-13', [words('2026-13')]],
    ['no day', '2026-02-29 2026-2-3', [words('2026-02-29'), words('2026-2-3')]],
    ['no time', 'before 25:00', [words('before'), words('25:00')]],
    ['the end of the day as a time', 'after 24:00', [words('after'), words('24:00')]],
    ['a field without a value', 'task: category:""', [words('task:'), words('category:')]],
    ['another field', 'http://a.b/c note:"a b"', [words('http://a.b/c'), words('note:a b')]],
    ['no tag', '# #1 #a,b a#b', ['#', '#1', '#a,b', 'a#b'].map(words)],
    ['short months, which are also words', 'mar dec jan', ['mar', 'dec', 'jan'].map(words)],
    ['short weekdays, which are also words', 'sun mon sat', ['sun', 'mon', 'sat'].map(words)],
    ['numbers that may be no dates', '3.11 1/2 2024-2025', ['3.11', '1/2', '2024-2025'].map(words)],
    ['dates of another language', 'hier heute lundi', ['hier', 'heute', 'lundi'].map(words)],
    ['what begins like a month', '14 marketing', [words('14'), words('marketing')]],
    ['the beginning of a phrase', 'last this last 7', ['last', 'this', 'last', '7'].map(words)],
  ])('%s', (_what, text, expected) => {
    expect(conditions(text)).toEqual(expected)
  })
})

test('Tags, tasks and categories are fields of their own', () => {
  expect(conditions('#Acme-Sons TASK:Hiring task:"Weekly Review" category:Admin')).toEqual([
    { kind: 'tag', tag: 'Acme-Sons' },
    { kind: 'task', text: 'hiring' },
    { kind: 'task', text: 'weekly review' },
    { kind: 'category', text: 'admin' },
  ])
  expect(meanings('#Acme-Sons task:"Weekly Review" category:Admin')).toEqual([
    '#Acme-Sons',
    'Task: Weekly Review',
    'Category: Admin',
  ])
})

test('What is billable and what is invoiced are words, unless they are quoted', () => {
  expect(conditions('Billable -invoiced "billable" billables')).toEqual([
    { kind: 'billable', unbilled: [] },
    { kind: 'invoiced' },
    words('billable'),
    words('billables'),
  ])
  expect(meanings('billable -invoiced')).toEqual(['billable', 'not invoiced'])
  const unbilled = new Set(['travel', 'admin'])
  expect(conditions('billable', { ...NEW_YORK, unbilled })).toEqual([
    { kind: 'billable', unbilled: ['admin', 'travel'] },
  ])
})

test('A category after its sign is exactly that one', () => {
  expect(conditions('@Acmé @"Big  Corp" -@x @„y z“ @"open end')).toEqual(
    ['acme', 'big corp', 'x', 'y z', 'open end'].map((key) => ({ kind: 'exactCategory', key })),
  )
  expect(meanings('@acme -@"Big Corp"')).toEqual(['Category is acme', 'not Category is Big Corp'])
  // Not a sign: alone, within a word, in quotes; begun: nothing yet.
  expect(conditions('@ a@b "@c"')).toEqual(['@', 'a@b', '@c'].map(words))
  expect(conditions('@"" -@"')).toEqual([])
})

test.each([
  ['@acme', '@Beta'],
  ['x -@"ACME" last month', 'x -@Beta last month'],
  ['category:acme  kategorie:acme', 'category:Beta  kategorie:acme'],
  ['-category:acmé', '-category:Beta'],
  [
    '@acmex category:ac "@acme" #acme acme task:acme',
    '@acmex category:ac "@acme" #acme acme task:acme',
  ],
])('With another name of Acme, the filter %j is %j', (text, expected) => {
  expect(filterWithCategory(text, 'Acme', 'Beta')).toBe(expected)
})

test('A minus excludes any part', () => {
  const parts = partsOf('-call -#acme -"a b" -task:x -last month ->2h a-b')
  expect(parts.map(({ excludes }) => excludes)).toEqual([true, true, true, true, true, true, false])
  expect(parts.map(({ meaning }) => meaning)).toEqual([
    'not call',
    'not #acme',
    'not a b',
    'not Task: x',
    'not October 2026',
    'not longer than 2 hours',
    'a-b',
  ])
})

test('A minus, quotes or a field end a part', () => {
  expect(meanings('14 -march')).toEqual(['14', 'not March 2026'])
  expect(meanings('last "month"')).toEqual(['last', 'month'])
  expect(meanings('14 task:march')).toEqual(['14', 'Task: march'])
  // The dashes of an ISO date begin no range.
  expect(meanings('2026-03 april 2026')).toEqual(['March 2026', 'April 2026'])
  expect(meanings('2026-03-08 april 2026')).toEqual(['8 Mar 2026', 'April 2026'])
  expect(meanings('2026-03-08 - april 2026')).toEqual(['8 Mar – 30 Apr 2026'])
})

test('The typed text of each part is kept', () => {
  const typed = partsOf(' >=1h  30m -"a b"  14 March, task:"x y').map((part) => part.typed)
  expect(typed).toEqual(['>=1h 30m', '-"a b"', '14 March,', 'task:"x y'])
})

describe('dates', () => {
  test.each([
    ['Yesterday', '2026-11-22', '2026-11-23', '22 Nov 2026'],
    ['monday', '2026-11-23', '2026-11-24', '23 Nov 2026'],
    ['last week', '2026-11-15', '2026-11-22', '15–21 Nov 2026'],
    ['this quarter', '2026-10-01', '2027-01-01', '1 Oct – 31 Dec 2026'],
    ['last 7 days', '2026-11-17', '2026-11-24', '17–23 Nov 2026'],
    ['march', '2026-03-01', '2026-04-01', 'March 2026'],
    ['may', '2026-05-01', '2026-06-01', 'May 2026'],
    ['december 2026', '2026-12-01', '2027-01-01', 'December 2026'],
    ['14 Mar.', '2026-03-14', '2026-03-15', '14 Mar 2026'],
    ['14th of march 2024', '2024-03-14', '2024-03-15', '14 Mar 2024'],
    ['24 nov', '2025-11-24', '2025-11-25', '24 Nov 2025'],
    ['2026-03-14', '2026-03-14', '2026-03-15', '14 Mar 2026'],
    ['2025', '2025-01-01', '2026-01-01', '2025'],
    ['2026-W47', '2026-11-16', '2026-11-23', '16–22 Nov 2026'],
    ['3..17 nov', '2026-11-03', '2026-11-18', '3–17 Nov 2026'],
    ['3 nov - 17 nov', '2026-11-03', '2026-11-18', '3–17 Nov 2026'],
    ['since 3 nov', '2026-11-03', '2026-11-24', '3–23 Nov 2026'],
    ['after 9 nov', '2026-11-10', '2026-11-24', '10–23 Nov 2026'],
    ['before 2026', '0001-01-01', '2026-01-01', 'until 31 Dec 2025'],
  ])('%s', (text, from, to, meaning) => {
    expect(conditions(text)).toEqual([{ kind: 'dates', dates: { from, to } }])
    expect(meanings(text)).toEqual([meaning])
  })

  test('They belong to the zone, the hour at which days begin and the first day of the week', () => {
    const now = Date.parse('2027-01-01T01:00:00+01:00')
    const berlin = { now, dayRule: dayRuleOf('Europe/Berlin') }
    const from4 = { now, dayRule: dayRuleOf('Europe/Berlin', 4), weekStart: 1 }
    expect(meanings('today', berlin)).toEqual(['1 Jan 2027'])
    expect(meanings('today', from4)).toEqual(['31 Dec 2026'])
    expect(meanings('this month', from4)).toEqual(['December 2026'])
    expect(meanings('last year', from4)).toEqual(['2025'])
    expect(meanings('this week', berlin)).toEqual(['27 Dec 2026 – 2 Jan 2027'])
    expect(meanings('this week', from4)).toEqual(['28 Dec 2026 – 3 Jan 2027'])
  })

  test('Any range goes with a task, a tag and a length', () => {
    expect(meanings('#acme this quarter')).toEqual(['#acme', '1 Oct – 31 Dec 2026'])
    expect(meanings('task:site 3..17 nov >2h')).toEqual([
      'Task: site',
      '3–17 Nov 2026',
      'longer than 2 hours',
    ])
    expect(meanings('-"mon" -last quarter')).toEqual(['not mon', 'not 1 Jul – 30 Sep 2026'])
  })

  test('Dates in the wrong order are a problem', () => {
    expect(parseFilter('#acme 17-3 nov', NEW_YORK)).toMatchObject({
      parts: [],
      problem: 'The range ends before it begins.',
    })
  })

  test('The month is first where people write it first', () => {
    const [dates] = conditions('11/3/2026', { ...NEW_YORK, isDayFirst: false })
    expect(dates).toMatchObject({ dates: { from: '2026-11-03' } })
    expect(conditions('11/3/2026')).toMatchObject([{ dates: { from: '2026-03-11' } }])
  })

  test('A day that does not exist leaves the month', () => {
    expect(meanings('31 april')).toEqual(['31', 'April 2026'])
  })
})

describe('lengths', () => {
  test.each([
    ['>2h', 7201, Infinity, 'longer than 2 hours'],
    ['> 2 hours', 7201, Infinity, 'longer than 2 hours'],
    ['<15m', 0, 900, 'shorter than 15 minutes'],
    ['<= 15 min', 0, 901, '15 minutes or shorter'],
    ['>=1h 30m', 5400, Infinity, '1 hour 30 minutes or longer'],
    ['≥ 1 hour and 30 minutes', 5400, Infinity, '1 hour 30 minutes or longer'],
    ['>1:30', 5401, Infinity, 'longer than 1 hour 30 minutes'],
    ['>1.5', 5401, Infinity, 'longer than 1 hour 30 minutes'],
    ['<90', 0, 5400, 'shorter than 1 hour 30 minutes'],
    ['<90s', 0, 90, 'shorter than 1m 30s'],
    ['>0', 1, Infinity, 'longer than 0 seconds'],
  ])('%s', (text, from, to, meaning) => {
    expect(conditions(text)).toEqual([{ kind: 'length', from, to }])
    expect(meanings(text)).toEqual([meaning])
  })

  test('A number of its own after a length belongs to what follows', () => {
    expect(meanings('>2h 14 march')).toEqual(['longer than 2 hours', '14 Mar 2026'])
    expect(meanings('>2h <3h 15')).toEqual(['longer than 2 hours', 'shorter than 3 hours', '15'])
  })
})

describe('times of day', () => {
  test.each([
    ['before 9:00', 0, 32_400, 'started before 09:00'],
    ['Before 9', 0, 32_400, 'started before 09:00'],
    ['before noon', 0, 43_200, 'started before 12:00'],
    ['after 18:00', 64_800, 86_400, 'started at 18:00 or later'],
    ['after 6 pm', 64_800, 86_400, 'started at 18:00 or later'],
    ['after 6pm', 64_800, 86_400, 'started at 18:00 or later'],
    ['after midnight', 0, 86_400, 'started at 00:00 or later'],
  ])('%s', (text, from, to, meaning) => {
    expect(conditions(text)).toEqual([{ kind: 'clock', from, to }])
    expect(meanings(text)).toEqual([meaning])
  })

  test('They are shown on the chosen clock', () => {
    expect(meanings('after 18:00', { ...NEW_YORK, hourCycle: 12 })).toEqual([
      'started at 6:00 PM or later',
    ])
  })
})

test('Any text is a filter', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(
      '"',
      '-',
      '>',
      '<=',
      '#',
      'task:',
      'last',
      'days',
      '9999',
      'before',
      '2h',
      '14',
    ),
    fc.constantFrom(
      'feb',
      '2026-',
      '0001-01',
      '9998-12-31',
      'de',
      '١٤',
      '\u0000',
      '\uD800',
      'İ',
      'ς',
    ),
  )
  const text = fc
    .array(fc.tuple(piece, fc.constantFrom('', ' ')), { maxLength: 8 })
    .map((pieces) => pieces.flat().join(''))
  fc.assert(
    fc.property(text, fc.constantFrom(0, 4), (typed, startHour) => {
      const dayRule = dayRuleOf('Europe/Berlin', startHour)
      const { parts } = parseFilter(typed, { ...NEW_YORK, dayRule })
      for (const part of parts) expect(part.meaning.trim()).not.toBe('')
      expect(parts.map((part) => part.typed).join('').length).toBeLessThanOrEqual(typed.length)
    }),
  )
})
