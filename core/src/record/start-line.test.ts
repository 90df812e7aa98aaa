import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { localDateTime } from '#time/calendar.ts'
import { guessedChoice, nameAndCategory, nameChoices, startChoices } from './start-line.ts'
import type { StartChoice, StartLineContext } from './start-line.ts'

const timeZone = 'Europe/Berlin'
/** 10:52 in Berlin. */
const NOW = Date.parse('2026-03-09T09:52:00Z')

function tasksNamed(names: readonly string[]) {
  return names.map((name, index) => ({ id: `task-${index}`, name }))
}

function read(
  line: string,
  names: readonly string[] = [],
  context: Partial<StartLineContext> = {},
) {
  return startChoices(line, tasksNamed(names), { timeZone, now: NOW, ...context })
}

function clock(instant: number): string {
  const at = localDateTime(instant, timeZone).replace(/:00$/, '')
  return at.replace('2026-03-09 ', '').replace('2026-03-', '')
}

/** Returns 'start Write', 'create call Ann · #acme · since 10:42' or 'add to Hiring · 09:00 – 10:00'. */
function words({ taskId, name, category, note, startedAt, endedAt }: StartChoice): string {
  const known = taskId !== null
  const what = endedAt === null ? (known ? 'start' : 'create') : known ? 'add to' : 'create and add'
  const time =
    startedAt !== null &&
    (endedAt === null ? `since ${clock(startedAt)}` : `${clock(startedAt)} – ${clock(endedAt)}`)
  const place = category !== null && `in ${category}`
  return [`${what} ${name}`, place, note, time].filter(Boolean).join(' · ')
}

function choices(...input: Parameters<typeof read>): readonly string[] {
  const { choices, problem } = read(...input)
  return problem === null ? choices.map(words) : [problem]
}

const TOO_LONG = 'Use at most 255 characters (currently 256).'

describe('the first choice', () => {
  test.each([
    // Nothing, or nothing but a tag or a time
    ['', [], 'create Untitled'],
    ['   ', [], 'create Untitled'],
    ['', ['Untitled', 'Write'], 'start Untitled'],
    ['#acme', [], 'create Untitled · #acme'],
    ['10m ago', ['Write', 'Untitled'], 'start Untitled · since 10:42'],
    ['9-10', [], 'create and add Untitled · 09:00 – 10:00'],
    ['#a 10m ago #b', [], 'create Untitled · #a #b · since 10:42'],

    // What is read
    ['call Ann #acme 10m ago', [], 'create call Ann · #acme · since 10:42'],
    ['call Ann #acme 10m ago', ['Write', 'Call Ann'], 'start Call Ann · #acme · since 10:42'],
    ['10m ago call Ann #acme', [], 'create call Ann · #acme · since 10:42'],
    ['#acme call Ann 10m ago', [], 'create call Ann · #acme · since 10:42'],
    ['call 10m ago Ann', [], 'create call 10m ago Ann'],
    ['9-10 hiring', ['Hiring'], 'add to Hiring · 09:00 – 10:00'],
    ['hiring 9:15 to 10', ['Hiring'], 'add to Hiring · 09:15 – 10:00'],
    ['hiring yesterday 9-10', ['Hiring'], 'add to Hiring · 08 09:00 – 08 10:00'],
    ['mon 9-10 hiring', ['Hiring'], 'add to Hiring · 09:00 – 10:00'],
    ['last monday 9-10', ['Untitled'], 'add to Untitled · 02 09:00 – 02 10:00'],
    ['hiring Freitag 9-10', ['Hiring'], 'add to Hiring · 06 09:00 – 06 10:00'],
    ['5.3. 9-10 hiring', ['Hiring'], 'add to Hiring · 05 09:00 – 05 10:00'],
    ['mar 5 9-10 hiring', ['Hiring'], 'add to Hiring · 05 09:00 – 05 10:00'],
    ['hiring since mon 9', ['Hiring'], 'start Hiring · since 09:00'],
    ['call Sam 9-10', [], 'create and add call Sam · 09:00 – 10:00'],
    ['part 1/2 9-10', [], 'create and add part 1/2 · 09:00 – 10:00'],
    ['hiring 9 - now', ['Hiring'], 'add to Hiring · 09:00 – 10:52'],
    ['hiring since 9:30', ['Hiring'], 'start Hiring · since 09:30'],
    ['hiring since 0930', ['Hiring'], 'start Hiring · since 09:30'],
    ['call half an hour ago', [], 'create call · since 10:22'],
    ['call 2 1h 10m ago', [], 'create call 2 · since 09:42'],
    ['Anruf vor 10 Minuten', [], 'create Anruf · since 10:42'],
    ['Anruf seit 9', [], 'create Anruf · since 09:00'],
    ['appel il y a 1 h', [], 'create appel · since 09:52'],
    ['llamada hace media hora', [], 'create llamada · since 10:22'],
    ['call １０m ago', [], 'create call · since 10:42'],
    ['call\u00a0Ann  10m\tago', [], 'create call Ann · since 10:42'],
    ['call 0m ago', [], 'create call'],
    ['call #acme, #ACME', [], 'create call · #acme'],

    // What is neither a time nor a tag
    ['C# code', [], 'create C# code'],
    ['fix #12', [], 'create fix #12'],
    ['call(#acme)', [], 'create call(#acme)'],
    ['call now', [], 'create call now'],
    ['budget 2024-2025', [], 'create budget 2024-2025'],
    ['season 2025-26', [], 'create season 2025-26'],
    ['known since 2025', [], 'create known since 2025'],
    ['sprint -15', [], 'create sprint -15'],
    ['sprint - 15m', [], 'create sprint - 15m'],
    ['Termin vor 10', [], 'create Termin vor 10'],
    ['meeting 9:30', [], 'create meeting 9:30'],
    ['1:1 Ann', [], 'create 1:1 Ann'],
    ['1-1 with Ann', [], 'create 1-1 with Ann'],
    ['standup 15m', [], 'create standup 15m'],
    ['24/7', [], 'create 24/7'],
    ['4 for 2 offer', [], 'create 4 for 2 offer'],
    ['call 800h ago', [], 'create call 800h ago'],
    ['flight 25-26', [], 'create flight 25-26'],

    // A task of exactly that name
    ['Standup 9-10', ['Standup', 'Standup 9-10'], 'start Standup 9-10'],
    ['standup 9-10 10m ago', ['Standup', 'Standup 9-10'], 'start Standup 9-10 · since 10:42'],
    ['Standup 9-10 #acme', ['Standup', 'Standup 9-10'], 'start Standup 9-10 · #acme'],
    ['What I did 10m ago', ['What I did', 'What I did 10m ago'], 'start What I did 10m ago'],
    ['Fix #bug', ['Fix', 'Fix #bug'], 'start Fix #bug'],
    ['Fix #bug 10m ago', ['Fix', 'Fix #bug'], 'start Fix #bug · since 10:42'],
    ['#acme', ['#acme'], 'start #acme'],
    ['10m ago', ['10m ago'], 'start 10m ago'],
    ['write', ['WRITE', 'write'], 'start write'],
    ['--', ['Write', '--'], 'start --'],

    // Tasks that match, the first given one among equals
    ['wri', ['Write up', 'Write'], 'start Write up'],
    ['wr', ['Weekly review', 'Plan'], 'start Weekly review'],
    ['RESUME', ['Plan', 'Résumé'], 'start Résumé'],
    ['計画', ['Plan', '今日の計画'], 'start 今日の計画'],
    ['تقرير', [], 'create تقرير'],
    ['--', ['Write'], 'create --'],
    ['🎸', [], 'create 🎸'],
  ])('of %j with the tasks %j is: %s', (line, names, expected) => {
    expect(choices(line, names)[0]).toBe(expected)
  })
})

/** 'Fix@Acme' is the task Fix of the category Acme. */
function inCategories(names: readonly string[]) {
  return names.map((each, index) => {
    const [, name = '', category = 'Development'] = /^(.*?)(?:@@(.*))?$/.exec(each) ?? []
    return { id: `task-${index}`, name, category }
  })
}

describe('With a category,', () => {
  test.each([
    ['fix login @acme', [], ['create fix login · in acme', 'create fix login @acme']],
    ['@acme fix login', [], ['create fix login · in acme', 'create @acme fix login']],
    ['fix @acme login', [], ['create fix login · in acme', 'create fix @acme login']],
    [
      'fix @"Big Corp" login',
      [],
      ['create fix login · in Big Corp', 'create fix @"Big Corp" login'],
    ],
    ['fix @„Big Corp“', [], ['create fix · in Big Corp', 'create fix @„Big Corp“']],
    ['fix @"Big Co', [], ['create fix · in Big Co', 'create fix @"Big Co']],
    ['fix @acme, 10m ago', [], ['create fix · in acme · since 10:42', 'create fix @acme, 10m ago']],
    [
      '9-10 @acme fix',
      [],
      ['create and add fix · in acme · 09:00 – 10:00', 'create 9-10 @acme fix'],
    ],
    ['fix #bug @acme', [], ['create fix · in acme · #bug', 'create fix #bug @acme']],

    // Tasks of that category, as it is written there
    ['fix @ACME', ['Fix@@Acme', 'Fix'], ['start Fix · in Acme']],
    [
      'fix @acme',
      ['Fix', 'Fix it@@Acme'],
      ['start Fix it · in Acme', 'create fix · in Acme', 'create fix @acme'],
    ],
    ['fix @acme', ['Fix', 'Plan@@Acme'], ['create fix · in Acme', 'create fix @acme']],
    ['fix @Ácme 10m ago', ['Fix@@Acme'], ['start Fix · in Acme · since 10:42']],
    ['@big corp fix', ['Fix@@Big Corp'], ['start Fix · in Big Corp']],
    ['fix @big corp', ['Fix@@Big Corp', 'Fix@@big'], ['start Fix · in Big Corp']],
    ['fix @big deal', ['Plan@@Big Corp'], ['create fix deal · in big', 'create fix @big deal']],

    // No name
    ['@acme', [], ['create Untitled · in acme', 'create @acme']],
    [
      '@acme',
      ['Fix@@Acme', 'Plan@@Acme', 'Write'],
      ['start Fix · in Acme', 'start Plan · in Acme', 'create Untitled · in Acme', 'create @acme'],
    ],
    [
      '@acme 9-10',
      ['Untitled@@Acme'],
      ['add to Untitled · in Acme · 09:00 – 10:00', 'create @acme 9-10'],
    ],

    // A part of the name
    ['mail bob@example.com', [], ['create mail bob@example.com']],
    ['lunch @ noon', [], ['create lunch @ noon']],
    ['@', [], ['create @']],
    ['@@x', [], ['create @@x']],
    ['@!', [], ['create @!']],
    [`fix @${'x'.repeat(65)}`, [], [`create fix @${'x'.repeat(65)}`]],
    ['mail @bob', ['Mail @bob', 'Mail@@bob'], ['start Mail @bob']],
    ['mail @bob #x 10m ago', ['Mail @bob'], ['start Mail @bob · #x · since 10:42']],
    ['a @b @c', [], ['create a @c · in b', 'create a @b @c']],
  ])('%j with the tasks %j means %j', (line, names, expected) => {
    const { choices } = startChoices(line, inCategories(names), { timeZone, now: NOW })
    expect(choices.map(words)).toEqual(expected)
  })
})

test.each([
  ['fix @acme', 'fix', 'Acme'],
  ['@big corp fix it', 'fix it', 'Big Corp'],
  ['fix @new', 'fix', 'new'],
  ['@acme', '@acme', null],
  ['Mail @bob', 'Mail @bob', null],
  [' fix ', 'fix', null],
])('The name %j of a new task is %j in %j', (text, name, category) => {
  const tasks = inCategories(['A@@Acme', 'B@@Big Corp', 'Mail @bob'])
  expect(nameAndCategory(text, tasks)).toEqual({ name, category })
})

test('A guess is of the named category', () => {
  const tasks = inCategories(['Call', 'Call@@Acme'])
  const guess = guessedChoice('call @acme 9am', tasks, { timeZone, now: NOW })
  expect(guess && words(guess)).toBe('start Call · in Acme · since 09:00')
  expect(guess?.taskId).toBe('task-1')
})

test.each([
  ['wri', ['Write up', 'Write'], ['start Write up', 'start Write', 'create wri']],
  ['write', ['Write up', 'Write'], ['start Write', 'start Write up']],
  [
    'b',
    [1, 2, 3, 4, 5, 6].map((each) => `b ${each}`),
    [1, 2, 3, 4, 5].map((each) => `start b ${each}`).concat('create b'),
  ],
  ['का', ['की'], ['start की', 'create का']],
  ['3-4 pages', [], ['create and add pages · 03:00 – 04:00', 'create 3-4 pages']],
  ['9-10 hiring', ['Hiring'], ['add to Hiring · 09:00 – 10:00']],
  ['#acme', ['Untitled'], ['start Untitled · #acme', 'create #acme']],
  ['untitled', ['Untitled', 'Untitled two'], ['start Untitled', 'start Untitled two']],
  ['x'.repeat(255), [], [`create ${'x'.repeat(255)}`]],
  ['x'.repeat(256), [], [TOO_LONG]],
  [`${'x'.repeat(256)} 10m ago`, [], [TOO_LONG]],
])('All choices of %j with the tasks %j are %j', (line, names, expected) => {
  expect(choices(line, names)).toEqual(expected)
})

test.each([
  ['call since 18:00', '2026-03-09T09:52:00Z', ['The start is in the future.']],
  ['call 12-13', '2026-03-09T09:52:00Z', ['The start is in the future.']],
  ['call 10:30-11', '2026-03-09T09:52:00Z', ['The end is in the future.']],
  [
    'call 2026-02-01 9-10',
    '2026-03-09T09:52:00Z',
    ['create and add call · 2026-02-01 09:00 – 2026-02-01 10:00', 'create call 2026-02-01 9-10'],
  ],
  ['call 2026-12-01 9-10', '2026-03-09T09:52:00Z', ['The start is in the future.']],
  ['call since 1900-01-01 9:00', '2026-03-09T09:52:00Z', ['A session can last at most 31 days.']],
  // At 00:30
  ['call 1h ago', '2026-03-08T23:30:00Z', ['create call · since 08 23:30', 'create call 1h ago']],
  [
    'call since 23:50',
    '2026-03-08T23:30:00Z',
    ['create call · since 08 23:50', 'create call since 23:50'],
  ],
  [
    'call 23-0:15',
    '2026-03-08T23:30:00Z',
    ['create and add call · 08 23:00 – 00:15', 'create call 23-0:15'],
  ],
  [
    'call 21-22',
    '2026-03-08T23:30:00Z',
    ['create and add call · 08 21:00 – 08 22:00', 'create call 21-22'],
  ],
  ['call 9-10', '2026-03-08T23:30:00Z', ['The start is in the future.']],
])('The times of %j at %s are %j', (line, now, expected) => {
  expect(choices(line, [], { now: Date.parse(now) })).toEqual(expected)
})

test.each([
  ['call 9am', [], 'create call · since 09:00'],
  ['call 9 am', [], 'create call · since 09:00'],
  ['call Ann #acme at 9:30', ['Call Ann'], 'start Call Ann · #acme · since 09:30'],
  ['Anruf um 9:30', [], 'create Anruf · since 09:30'],
  ['appel 9h30', [], 'create appel · since 09:30'],
  ['12-13 x', ['X'], 'add to X · 08 12:00 – 08 13:00'],
  ['10:30-11 x', [], 'create x · since 10:30'],
  ['10:30-11', [], 'create Untitled · since 10:30'],
  // Nothing that may be meant, or nothing that has passed
  ['', [], null],
  ['call', [], null],
  ['call 9', [], null],
  ['release 9.30', [], null],
  ['9:30', [], null],
  ['meeting 15:00', [], null],
  ['call since 18:00', [], null],
  ['call 2026-12-01 9-10', [], null],
  // What is read, or is the name of a task
  ['call 10m ago', [], null],
  ['9-10 hiring', [], null],
  ['call 9am', ['Call 9am'], null],
] as const)('What %j with the tasks %j may mean as well is %j', (line, names, expected) => {
  const guess = guessedChoice(line, tasksNamed(names), { timeZone, now: NOW })
  expect(guess && words(guess)).toBe(expected)
})

test('A start must be after that of the active timer', () => {
  const activeSince = NOW - 600_000
  expect(choices('call 10m ago', [], { activeSince })).toEqual([
    'The running timer began after that.',
  ])
  expect(choices('call 9m ago', [], { activeSince })[0]).toBe('create call · since 10:43')
  expect(choices('call 9-10', [], { activeSince })[0]).toBe('create and add call · 09:00 – 10:00')
})

test.each([
  ['', [], ['Enter a task name.']],
  ['9-10 #acme', [], ['create 9-10 #acme']],
  ['plan', ['Plan', 'Planes'], ['start Plan', 'start Planes']],
  ['pla', ['Plan'], ['start Plan', 'create pla']],
])('A name alone, %j, with the tasks %j means %j', (name, names, expected) => {
  const { choices, problem } = nameChoices(name, tasksNamed(names))
  expect(problem === null ? choices.map(words) : [problem]).toEqual(expected)
})

const NAME = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .map((name) => name.trim())
  .filter((name) => name !== '')
const PART = fc.oneof(
  NAME,
  fc.constantFrom(
    '10m ago',
    '9-10',
    '#acme',
    'since 9',
    'vor 2 Stunden',
    '-',
    '#',
    'yesterday',
    '9:30',
    '',
  ),
)
const LINE = fc.array(PART, { maxLength: 5 }).map((parts) => parts.join(' '))

test('No line throws, and every line has a choice or a problem', () => {
  fc.assert(
    fc.property(LINE, fc.array(LINE), fc.integer({ min: 0, max: 4e12 }), (line, names, now) => {
      const { choices, problem } = read(line, names, { now })
      expect(choices.length === 0).toBe(problem !== null)
      for (const { startedAt, endedAt, name, taskId } of choices) {
        expect(startedAt ?? 0).toBeLessThanOrEqual(now)
        expect(endedAt ?? 0).toBeLessThanOrEqual(now)
        expect(endedAt === null || startedAt !== null).toBe(true)
        expect(taskId ?? name.trim()).not.toBe('')
      }
    }),
  )
})

test('The exact name of a task always starts that task now, without a note', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(LINE, { minLength: 1, selector: (name) => name.trim() }),
      fc.nat(),
      (all, at) => {
        const names = all.filter((name) => name.trim() !== '')
        const name = names[at % names.length]
        fc.pre(name !== undefined)
        const [first] = read(name, names).choices
        expect(first && words(first)).toBe(`start ${name}`)
      },
    ),
  )
})

test('Words that are neither a time nor a tag are the name, wherever the time and the tags are', () => {
  const word = fc
    .stringMatching(/^[b-ln-z]{3,8}$/)
    .filter((each) => !/^(?:since|seit|depuis|desde|vor)$/.test(each))
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('10m ago', '9-10', 'since 9:30', 'vor 10 Minuten', 'hace 1h'),
      fc.boolean(),
      fc.nat(),
      (name, time, isFirst, place) => {
        const tagged = name.toSpliced(place % (name.length + 1), 0, '#acme')
        const [first] = read(
          [isFirst ? time : '', ...tagged, isFirst ? '' : time].join(' '),
        ).choices
        expect(first).toMatchObject({ name: name.join(' '), note: '#acme' })
        expect(first?.startedAt).not.toBeNull()
      },
    ),
  )
})
