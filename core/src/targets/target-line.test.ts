import { expect, test } from 'vitest'
import { testTask } from '#test/entries.ts'
import { readTarget, targetLine, targetProblem } from './target-line.ts'
import { targetText } from './target-text.ts'
import type { Target } from './targets.ts'
import { changesWithTarget, targetOf } from './targets.ts'

const TASKS = ['Write report', 'Daily standup', 'Meetings', 'a week off', 'Call #12', 'Büro'].map(
  (name, index) => ({ ...testTask(name, index), id: name }),
)
const NAMES = { categories: ['Development', 'Meetings', 'Deep work', '2h a day'], tasks: TASKS }

const LINES: readonly (readonly [line: string, written: string, key: string, seconds: number])[] = [
  ['at least 10h a week #acme', 'at least 10h a week #acme', 'least:week:tag:acme', 36_000],
  ['10h a week #Acme', 'at least 10h a week #Acme', 'least:week:tag:Acme', 36_000],
  ['#acme min. 10 hours per week', 'at least 10h a week #acme', 'least:week:tag:acme', 36_000],
  ['#acme: 10h weekly', 'at least 10h a week #acme', 'least:week:tag:acme', 36_000],
  ['max 2h a day Meetings', 'at most 2h a day Meetings', 'most:day:category:Meetings', 7200],
  ['Meetings max 2h a day', 'at most 2h a day Meetings', 'most:day:category:Meetings', 7200],
  [
    'no more than 2h/day for meetings',
    'at most 2h a day Meetings',
    'most:day:category:Meetings',
    7200,
  ],
  [
    'at most 2h a day category: meetings',
    'at most 2h a day Meetings',
    'most:day:category:Meetings',
    7200,
  ],
  [
    '10h a week @deep work',
    'at least 10h a week Deep work',
    'least:week:category:Deep work',
    36_000,
  ],
  [
    '10h weekly @"Deep work"',
    'at least 10h a week Deep work',
    'least:week:category:Deep work',
    36_000,
  ],
  ['max 2h a day task:Meetings', 'at most 2h a day task:Meetings', 'most:day:task:Meetings', 7200],
  [
    'at least 1h30 every week on deep  work',
    'at least 1h 30m a week Deep work',
    'least:week:category:Deep work',
    5400,
  ],
  ['max 2h a day @meetings', 'at most 2h a day Meetings', 'most:day:category:Meetings', 7200],
  ['max 2h a day @“Deep Work”', 'at most 2h a day Deep work', 'most:day:category:Deep work', 7200],
  ['1h a week @"2h a day"', 'at least 1h a week 2h a day', 'least:week:category:2h a day', 3600],
  ['6h a day', 'at least 6h a day', 'least:day:all', 21_600],
  ['up to 40:30 each week', 'at most 40h 30m a week', 'most:week:all', 145_800],
  ['at least 120h a month in total', 'at least 120h a month', 'least:month:all', 432_000],
  ['≤ 7.5h daily', 'at most 7h 30m a day', 'most:day:all', 27_000],
  [
    '15m a week Daily standup',
    'at least 15m a week Daily standup',
    'least:week:task:Daily standup',
    900,
  ],
  [
    'max 1h monthly a week off',
    'at most 1h a month a week off',
    'most:month:task:a week off',
    3600,
  ],
  ['at most 24h a day', 'at most 24h a day', 'most:day:all', 86_400],
  ['at most 2h a day büro', 'at most 2h a day Büro', 'most:day:task:Büro', 7200],
  ['1h a week Call #12', 'at least 1h a week Call #12', 'least:week:task:Call #12', 3600],
]

test.each(LINES)('“%s” is “%s”', (line, written, key, seconds) => {
  const target = targetOf(`target:${key}`, seconds)
  expect(target).not.toBeNull()
  expect(readTarget(line, NAMES)).toEqual({ kind: 'target', target })
  if (!target) return
  expect(targetLine(target, NAMES, TASKS)).toBe(written)
  expect(readTarget(written, NAMES)).toEqual({ kind: 'target', target })
  expect(changesWithTarget({}, target, null)).toEqual({
    prefs: { changes: { [`target:${key}`]: seconds } },
    tasks: [],
  })
})

test('At least so much a day of a task is the goal of the task', () => {
  const read = readTarget('at least 8h a day Write report', NAMES)
  if (read.kind !== 'target') throw new Error('It was not read')
  const goal = { taskId: 'Write report', changes: { goalHours: 8.000001 } }
  expect(changesWithTarget({}, read.target, null)).toEqual({
    tasks: [goal],
  })
  const removed = { ...goal, changes: { goalHours: 0 } }
  expect(changesWithTarget({}, null, read.target).tasks).toEqual([removed])
  const instead = { ...read.target, span: 'week' } as const
  expect(changesWithTarget({}, instead, read.target)).toEqual({
    prefs: { changes: { 'target:least:week:task:Write report': 28_800 } },
    tasks: [removed],
  })
})

test.each([
  ['at least 0h a day', 'A target of 0 hours is none.'],
  ['25h a day', 'A day has 24 hours.'],
  ['169h a week #acme', 'A week has 168 hours.'],
  ['745h a month', 'A month has at most 744 hours.'],
  ['10h #acme', 'Say a day, a week or a month, such as 10h a week.'],
  ['10h Meetings', 'Say a day, a week or a month, such as 10h a week.'],
  ['at least a week #acme', 'Say how many hours, such as 10h a week.'],
  ['10 a week', 'Not understood. Try at least 10h a week #acme, or at most 2h a day Meetings.'],
  ['10h a week Gardening', 'You have no task or category “Gardening”.'],
  [
    '10h a week #acme or so',
    'Not understood. Try at least 10h a week #acme, or at most 2h a day Meetings.',
  ],
  ['hello', 'Not understood. Try at least 10h a week #acme, or at most 2h a day Meetings.'],
  ['Meetings', 'Not understood. Try at least 10h a week #acme, or at most 2h a day Meetings.'],
  [`10h a week #${'a'.repeat(101)}`, 'Use at most 100 characters.'],
  ['x'.repeat(401), 'Use at most 400 characters.'],
])('“%s” is refused', (line, message) => {
  expect(readTarget(line, NAMES)).toEqual({ kind: 'problem', message })
})

test('Of two tasks with one name, the category tells which', () => {
  const tasks = [
    { ...testTask('Fix', 1, { category: 'Acme' }), id: 'one' },
    { ...testTask('Fix', 2, { category: 'Big Corp' }), id: 'two' },
  ]
  const names = { categories: ['Acme', 'Big Corp'], tasks }
  for (const [line, id] of [
    ['max 2h a day fix', 'one'],
    ['max 2h a day @acme fix', 'one'],
    ['max 2h a day @"Big Corp" Fix', 'two'],
  ] as const) {
    const read = readTarget(line, names)
    expect(read).toMatchObject({ kind: 'target', target: { scope: { kind: 'task', name: id } } })
    if (read.kind !== 'target') continue
    expect(readTarget(targetLine(read.target, names, tasks), names)).toEqual(read)
  }
})

test('An empty line says nothing', () => {
  expect(readTarget('  ', NAMES)).toEqual({ kind: 'empty' })
})

function target(line: string): Target {
  const read = readTarget(line, NAMES)
  if (read.kind !== 'target') throw new Error(`${line} is no target`)
  return read.target
}

test.each([
  [
    '10h a week #Acme',
    '8h a week #acme',
    'You already have “at least 8h a week #acme”. Edit that one.',
  ],
  [
    '10h a week meetings',
    'max 8h a week Meetings',
    'At least 10h and at most 8h cannot both be met.',
  ],
  ['max 8h a week #acme', '10h a week #acme', 'At least 10h and at most 8h cannot both be met.'],
  [
    'max 1h a day Write report',
    '2h a day Write report',
    'At least 2h and at most 1h cannot both be met.',
  ],
  ['max 10h a week #acme', '10h a week #acme', null],
  ['10h a week #acme', '10h a month #acme', null],
  ['10h a week #acme', '10h a week #other', null],
])('“%s” beside “%s”', (line, other, message) => {
  expect(targetProblem(target(line), [target(other)], TASKS)).toBe(message)
})

test('There are at most 50 targets, beside the goals of tasks', () => {
  const others = Array.from({ length: 50 }, (_, index) => target(`1h a week #tag${index}x`))
  const message = 'You can have 50 targets. Remove one first.'
  expect(targetProblem(target('1h a day'), others, TASKS)).toBe(message)
  expect(targetProblem(target('1h a day Write report'), others, TASKS)).toBeNull()
  expect(targetProblem(target('1h a day'), others.slice(1), TASKS)).toBeNull()
  expect(targetText(target('1h a day'), TASKS)).toBe('at least 1h a day')
})
