/** What the largest record that a quota allows costs in one call, in processor time. */
import { expect, test } from 'vitest'
import { bestChoices } from './fuzzy-search.ts'
import { MAX_FILTER_PARTS, parseFilter } from './record/session-filter.ts'
import { nameChoices, startChoices } from './record/start-line.ts'
import { MAX_TAGS } from './record/tags.ts'
import type { TimeEntry } from './record/time-entry.ts'
import { findSessions } from './reports/found-sessions.ts'
import { groupBreakdown, groupTotals } from './reports/group-breakdown.ts'
import type { ReportInput } from './reports/report-input.ts'
import { testEntry, testTask } from './test/entries.ts'
import { FULL_FILTERS } from './test/filter-parts.ts'
import { processorTime } from './test/processor-time.ts'
import { dayRuleOf } from './time/day-rule.ts'

const MAX_MILLISECONDS = 250
const TASKS = 9900
const HOUR = 3_600_000
const NOW = Date.parse('2026-11-28T12:00:00Z')
const UTC = dayRuleOf('UTC')
const CONTEXT = { now: NOW, dayRule: UTC }
const YEARS = { from: '2010-01-01', to: '2027-01-01' } as const

function tasksNamed(nameOf: (index: number) => string) {
  return Array.from({ length: TASKS }, (_, index) => ({ id: `t${index}`, name: nameOf(index) }))
}

/** Sessions of an hour, one after the other, the last one until now. */
function sessions(count: number, fieldsOf: (index: number) => Partial<TimeEntry>): TimeEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const end = NOW - (count - index - 1) * HOUR
    return { ...testEntry({ start: end - HOUR, end }), id: `e${index}`, ...fieldsOf(index) }
  })
}

function reportOf(entries: readonly TimeEntry[]): ReportInput {
  return { entries, live: null, tasks: [testTask('Write')], dayRule: UTC, now: NOW }
}

function tag(index: number): string {
  return `${index.toString(36).padStart(5, '0')}x`
}

const LETTERS = 'abcdefghij'.split('')

test.each([
  ['words of one letter', `${'a '.repeat(126)}1`, `${'a'.repeat(110)}b`],
  ['a letter that stands only before the others', `b ${'a '.repeat(126)}`, `${'a'.repeat(110)}b`],
  ['many words in another order', `${'a '.repeat(126)}b`, 'b '.repeat(127)],
  [
    'different words in another order',
    `${'z '.repeat(95)}${LETTERS.join(' ')}`,
    LETTERS.toReversed().join(' '),
  ],
  ['letters too far apart, again and again', 'ab z z '.repeat(36), 'ab'.repeat(4)],
])('A text is found among 9,900 names of %s in a short time', (_, name, text) => {
  const tasks = tasksNamed((index) => name.slice(0, 250) + String(index))
  const labelled = tasks.map((task) => ({ label: task.name }))
  expect(processorTime(MAX_MILLISECONDS, () => bestChoices(labelled, text))).toBeLessThan(
    MAX_MILLISECONDS,
  )
  expect(
    processorTime(MAX_MILLISECONDS, () =>
      startChoices(`${text} #x 10m ago`, [...tasks], { timeZone: 'UTC', now: NOW }),
    ),
  ).toBeLessThan(MAX_MILLISECONDS)
})

test('A hundred names are looked up among 9,900 tasks in a short time together', () => {
  const words = 'Write Plan Call Review Invoice Meeting Acme Report Design Weekly Draft'.split(' ')
  const wordAt = (index: number) => words[index % words.length] ?? ''
  const tasks = tasksNamed((index) => `${wordAt(index)} ${wordAt(index * 7 + 3)} ${index}`)
  const names = Array.from({ length: 100 }, (_, index) => `${wordAt(index)} new ${index}`)
  const lookUp = () => {
    const list = [...tasks]
    for (const name of names) nameChoices(name, list)
  }
  expect(processorTime(MAX_MILLISECONDS, lookUp)).toBeLessThan(MAX_MILLISECONDS)
})

test('Of many tags in each note only the first count, and a total names ten thousand', () => {
  const noted = sessions(2000, (index) => ({
    note: Array.from({ length: 280 }, (_, at) => `#${tag(index * 280 + at)}`).join(' '),
  }))
  const input = reportOf(noted)
  const groups = groupTotals(input, YEARS, 'tag')
  expect(groups).toHaveLength(10_001)
  expect(groups[0]).toMatchObject({ key: '#', name: 'Other tags' })
  expect(groups.slice(1).every(({ seconds }) => seconds === 3600)).toBe(true)
  expect(groups.some(({ key }) => key === tag(MAX_TAGS - 1))).toBe(true)
  expect(groups.some(({ key }) => key === tag(MAX_TAGS))).toBe(false)
  expect(processorTime(MAX_MILLISECONDS, () => groupTotals(input, YEARS, 'tag'))).toBeLessThan(
    MAX_MILLISECONDS,
  )
})

test('Totals by category take a short time with 60,000 unknown tasks', () => {
  const lost = sessions(60_000, (index) => ({ taskId: `lost-${index}` }))
  const input = reportOf(lost)
  const period = { view: 'yearly', from: '2026-01-01' } as const
  expect(groupTotals(input, YEARS, 'category')).toHaveLength(1)
  expect(processorTime(MAX_MILLISECONDS, () => groupTotals(input, YEARS, 'category'))).toBeLessThan(
    MAX_MILLISECONDS,
  )
  expect(
    processorTime(MAX_MILLISECONDS, () => groupBreakdown(input, period, 'category')),
  ).toBeLessThan(MAX_MILLISECONDS)
})

test('A filter of too many parts finds nothing and says so', () => {
  const text = Array.from({ length: 160 }, (_, index) => `-q${index}`).join(' ')
  const filter = parseFilter(text, CONTEXT)
  expect(filter).toMatchObject({ parts: [], problem: 'Use at most 20 parts.' })
  expect(
    findSessions(
      filter,
      sessions(10, () => ({})),
      [],
    ).indexes,
  ).toHaveLength(0)
})

test.each(FULL_FILTERS)(
  'A filter of as many parts of %s as there may be takes a short time',
  (kind, text) => {
    const entries = sessions(TASKS, (index) => ({ taskId: `t${index}`, note: 'Call about #größe' }))
    const tasks = tasksNamed((index) => `Größe ${index}`).map((task) => ({
      ...testTask(task.name),
      ...task,
    }))
    const filter = parseFilter(text, CONTEXT)
    const kinds = filter.parts.map(({ condition }) => condition.kind)
    expect(kinds).toEqual(Array(MAX_FILTER_PARTS).fill(kind))
    expect(findSessions(filter, entries, tasks).indexes).toHaveLength(TASKS)
    const find = () => findSessions(filter, entries, tasks)
    expect(processorTime(MAX_MILLISECONDS, find)).toBeLessThan(MAX_MILLISECONDS)
  },
)

test('A filter of as many parts as there may be folds each name once', () => {
  const entries = sessions(TASKS, (index) => ({ taskId: `t${index}`, note: 'Call about Größe' }))
  let read = 0
  const tasks = Array.from({ length: TASKS }, (_, index) => {
    const task = testTask(`Größe ${index}`)
    return Object.defineProperty({ ...task, id: `t${index}` }, 'name', {
      get: () => {
        read++
        return `Größe ${index}`
      },
    })
  })
  const text = Array.from({ length: MAX_FILTER_PARTS }, (_, index) => `-task:q${index}`).join(' ')
  const filter = parseFilter(text, CONTEXT)
  expect(filter).toMatchObject({ problem: null })
  expect(filter.parts).toHaveLength(MAX_FILTER_PARTS)
  expect(findSessions(filter, entries, tasks).indexes).toHaveLength(TASKS)
  expect(read).toBeLessThanOrEqual(2 * TASKS)
})
