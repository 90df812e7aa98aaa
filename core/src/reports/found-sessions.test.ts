import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { parseFilter } from '#record/session-filter.ts'
import type { FilterCondition, SessionFilter } from '#record/session-filter.ts'
import { hasTag, tagsOf } from '#record/tags.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { clockSeconds, localDate } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import type { DayRule } from '#time/day-rule.ts'

import { findSessions, prepareNotes } from './found-sessions.ts'

const NOW = Date.parse('2026-11-23T15:00:00Z')
const UTC = dayRuleOf('UTC')

const TASKS = [
  testTask('Write report'),
  testTask('Café visit', 1, { category: 'Meetings' }),
  testTask('Old', 2, { isActive: false }),
]

function session(start: string, end: string, note: string | null, taskId = 'write report') {
  return { ...testEntry({ taskId, start, end }), note }
}

function found(entries: readonly TimeEntry[], text: string, dayRule: DayRule = UTC) {
  return foundSessions(parseFilter(text, { now: NOW, dayRule }), entries, TASKS)
}

function foundSessions(...search: Parameters<typeof findSessions>): TimeEntry[] {
  const { worked, indexes } = findSessions(...search)
  return Array.from(indexes).flatMap((index) => worked.entries[index] ?? [])
}

/** Returns the places of the sessions that are found. */
function places(entries: readonly TimeEntry[], text: string, dayRule?: DayRule) {
  return found(entries, text, dayRule).map((entry) => entries.indexOf(entry))
}

describe('what is found', () => {
  const entries = [
    session('2026-03-14T08:00Z', '2026-03-14T10:00Z', 'Call with Ann #Acme'),
    session('2026-03-14T23:30Z', '2026-03-15T01:30:01Z', null, 'café visit'),
    session('2026-10-31T18:00Z', '2026-10-31T18:15Z', 'weekly\nreview, #acme-sons', 'old'),
    session('2026-11-23T09:00Z', '2026-11-23T09:14:59Z', 'cafe ΟΔΟΣ', 'removed'),
  ]

  test.each<[string, string, number[]]>([
    ['everything without a filter', '', [0, 1, 2, 3]],
    ['everything with spaces', '  ', [0, 1, 2, 3]],
    ['exactly a category', '@MEETINGS', [1]],
    ['no part of a category', '@meet', []],
    ['every other category', '-@meetings', [0, 2, 3]],
    ['words of the note', 'call ann', [0]],
    ['words of the task', 'report', [0]],
    ['words of both', 'report ann', [0]],
    ['no word of two sessions', 'ann review', []],
    ['without case and accents, in note and task', 'CAFE', [1, 3]],
    ['with other accents', 'çafé', [1, 3]],
    ['a Greek word as far as it is typed', 'οδοσ', [3]],
    ['quoted words over a line', '"weekly review"', [2]],
    ['quoted words in their order', '"review weekly"', []],
    ['a whole tag', '#acme', [0]],
    ['a tag with a dash', '#ACME-sons', [2]],
    ['no part of a tag', '#ac', []],
    ['a task', 'task:re', [0]],
    ['a task and not a note', 'task:cafe', [1]],
    ['a deleted task as it is shown', '"old (deleted)"', [2]],
    ['a missing task as it is shown', 'task:unknown', [3]],
    ['a category', 'category:meet', [1]],
    ['no category of a missing task', '-category:e', [3]],
    ['what is not excluded', '-ann -task:old', [1, 3]],
    ['the day of the start, for a session over midnight', '14 march', [0, 1]],
    ['not the day of the end', '2026-03-15', []],
    ['a month', '2026-10', [2]],
    ['a year', '2025', []],
    ['no two dates', 'march october', []],
    ['today', 'today', [3]],
    ['longer ones', '>2h', [1]],
    ['as long ones', '>=2h', [0, 1]],
    ['shorter ones', '<15m', [3]],
    ['as short ones', '<=15m', [2, 3]],
    ['earlier ones', 'before 9:00', [0]],
    ['later ones', 'after 18:00', [1, 2]],
  ])('%s', (_what, text, expected) => {
    expect(places(entries, text)).toEqual(expected)
  })

  test('A deleted session is not found', () => {
    const deleted = testEntry({ start: NOW, end: NOW + 1000, deletedAt: NOW })
    expect(found([deleted], '')).toEqual([])
    expect(found([deleted], 'today')).toEqual([])
  })

  test('A day begins at the chosen hour, while a clock does not', () => {
    const late = [session('2026-11-24T00:30Z', '2026-11-24T01:00Z', null)]
    expect(places(late, 'today', dayRuleOf('Europe/Berlin', 4))).toEqual([0])
    expect(places(late, 'today', dayRuleOf('Europe/Berlin'))).toEqual([])
    expect(places(late, 'before 2:00', dayRuleOf('Europe/Berlin', 4))).toEqual([0])
  })

  test('The clock is that of the zone, before and after its changes', () => {
    const around = [
      '2026-03-08T06:59Z',
      '2026-03-08T07:00Z',
      '2026-11-01T05:30Z',
      '2026-11-01T06:30Z',
    ]
    const entries = around.map((start) => testEntry({ start, end: Date.parse(start) + 60_000 }))
    const newYork = dayRuleOf('America/New_York')
    expect(places(entries, 'before 2:00', newYork)).toEqual([0, 2, 3])
    expect(places(entries, 'after 3:00', newYork)).toEqual([1])
  })

  test('A renamed task is found by its new name', () => {
    const filter = parseFilter('invoice', { now: NOW, dayRule: UTC })
    const renamed = TASKS.map((task) => ({ ...task, name: 'Invoice' }))
    expect(foundSessions(filter, entries, TASKS)).toEqual([])
    expect(foundSessions(filter, entries, renamed)).toHaveLength(3)
  })
})

test('Notes are prepared in slices, and found the same before and after', () => {
  const entries = Array.from({ length: 250 }, (_, index) =>
    session('2026-11-23T09:00Z', '2026-11-23T10:00Z', `note ${index} #odd${index % 2}`),
  )
  let slices = 0
  const oneSlice = () => slices++ % 2 === 0
  expect(prepareNotes(entries, UTC, () => false)).toBe(false)
  expect(prepareNotes(entries, UTC, oneSlice)).toBe(false)
  expect(found(entries, '#odd1')).toHaveLength(125)
  expect(prepareNotes(entries, UTC, () => false)).toBe(true)
})

test('The same object is returned while more letters find all the same sessions', () => {
  const entries = [
    session('2026-03-14T08:00Z', '2026-03-14T10:00Z', 'call Ann'),
    session('2026-03-15T08:00Z', '2026-03-15T10:00Z', 'call Bo'),
  ]
  const find = (text: string) =>
    findSessions(parseFilter(text, { now: NOW, dayRule: UTC }), entries, TASKS)
  const all = find('')
  expect(find('c')).toBe(all)
  expect(find('call')).toBe(all)
  const one = find('call b')
  expect(one.indexes).toHaveLength(1)
  expect(find('call bo')).toBe(one)
  expect(find('call')).not.toBe(one)
  expect(find('call').indexes).toHaveLength(2)
})

// Properties

const ZONES = [
  dayRuleOf('America/New_York'),
  dayRuleOf('Europe/Berlin', 4),
  dayRuleOf('Australia/Lord_Howe', 23),
  dayRuleOf('Pacific/Apia'),
]
const NOTE_WORDS = ['call', 'Ann', 'CAFÉ', 'Straße', '#acme', '#Über', '#a-b', '(#x),', 'ﬁ', 'ΟΔΟΣ']

const NOTE = fc.option(
  fc.oneof(
    fc.array(fc.constantFrom(...NOTE_WORDS), { maxLength: 5 }).map((list) => list.join(' ')),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  ),
)

const ENTRIES = fc.array(
  fc
    .record({
      // Around the clock changes of a year, with days before and after now.
      start: fc.integer({ min: NOW / 1000 - 420 * 86_400, max: NOW / 1000 + 86_400 }),
      seconds: fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.constantFrom(900, 7200)),
      taskId: fc.constantFrom('write report', 'café visit', 'old', 'removed'),
      note: NOTE,
      billable: fc.constantFrom(null, null, true, false),
      invoiced: fc.constantFrom(null, 'k3f9x2/20787/write/1/1b2c/20760:3600'),
      isDeleted: fc.integer({ max: 9, min: 0 }).map((number) => number === 0),
    })
    .map(({ start, seconds, taskId, isDeleted, ...fields }) => {
      const times = { start: start * 1000, end: (start + seconds) * 1000 }
      return { ...testEntry({ ...times, taskId, deletedAt: isDeleted ? NOW : null }), ...fields }
    }),
  { maxLength: 20 },
)

/** Parts that do not join with those beside them. */
const PART = fc
  .tuple(
    fc.constantFrom('', '', '', '-'),
    fc.oneof(
      fc.constantFrom(
        'c',
        'ca',
        'call',
        'ann',
        'cafe',
        'straße',
        'fi',
        'οδοσ',
        'report',
        '"ann c"',
      ),
      fc.constantFrom('#acme', '#über', '#a-b', '#x', '#ac', 'task:re', 'task:"e v"', 'category:e'),
      fc.constantFrom('@meetings', '@Développement', '@"meetings"', '@development'),
      fc.constantFrom('today', 'yesterday', 'last month', 'this week', 'last 30 days', 'last year'),
      // With their year, as 'april' and '8 march' are also 'april 8' and 'march'.
      fc.constantFrom('april 2026', '8 march 2026', '2026-03-08', '2026-03', '2025'),
      fc.constantFrom('>2h', '<15m', '>=15m', '<=2h', 'before 9:00', 'after 3 am', 'after noon'),
      fc.constantFrom('billable', 'invoiced'),
      // No '-' alone: between two dates it is a range.
      fc.constantFrom('>x', 'zzz'),
    ),
  )
  .map((pieces) => pieces.join(''))

const UNBILLED = new Set(['meetings'])
const PARTS = fc.array(PART, { maxLength: 4 })
const RULE = fc.constantFrom(...ZONES)

function plain(text: string): string {
  const marked = text.normalize('NFKD').toLowerCase().replaceAll('ς', 'σ')
  return marked.replaceAll(/\p{M}/gu, '').split(/\s+/u).join(' ')
}

/** The meaning of a condition, without columns, caches or tables of days. */
function meets(entry: TimeEntry, condition: FilterCondition, dayRule: DayRule): boolean {
  const task: Task | undefined = TASKS.find(({ id }) => id === entry.taskId)
  const shownName = task?.isActive === false ? `${task.name} (deleted)` : task?.name
  const name = plain(shownName ?? 'Unknown task')
  switch (condition.kind) {
    case 'words':
      return name.includes(condition.text) || plain(entry.note ?? '').includes(condition.text)
    case 'tag':
      return hasTag(entry.note, condition.tag)
    case 'task':
      return name.includes(condition.text)
    case 'category':
      return plain(task?.category ?? '').includes(condition.text)
    case 'exactCategory':
      return plain(task?.category ?? '') === condition.key
    case 'dates': {
      const date = localDate(entry.startedAt, dayRule)
      return date >= condition.dates.from && date < condition.dates.to
    }
    case 'length':
      return entry.durationSeconds >= condition.from && entry.durationSeconds < condition.to
    case 'billable':
      return entry.billable ?? !condition.unbilled.includes(plain(task?.category ?? ''))
    case 'invoiced':
      return entry.invoiced !== null
    case 'clock': {
      const seconds = clockSeconds(entry.startedAt, dayRule.timeZone)
      return seconds >= condition.from && seconds < condition.to
    }
  }
}

function naive(filter: SessionFilter, entries: readonly TimeEntry[]): TimeEntry[] {
  return entries.filter(
    (entry) =>
      entry.deletedAt === null &&
      filter.parts.every(
        ({ condition, excludes }) => meets(entry, condition, filter.dayRule) !== excludes,
      ),
  )
}

test('The result of every keystroke is that of a plain search', () => {
  fc.assert(
    fc.property(ENTRIES, PARTS, RULE, (entries, parts, dayRule) => {
      const text = parts.join(' ')
      const typed = Array.from({ length: text.length + 1 }, (_, length) => text.slice(0, length))
      // Typed, deleted again, and a minus put before it.
      for (const each of [...typed, ...typed.toReversed(), text, `-${text}`, text]) {
        const filter = parseFilter(each, { now: NOW, dayRule, unbilled: UNBILLED })
        expect(foundSessions(filter, entries, TASKS)).toEqual(naive(filter, entries))
      }
    }),
  )
})

test('A further part never adds a result, whatever was searched before', () => {
  fc.assert(
    fc.property(ENTRIES, PARTS, PART, RULE, (entries, parts, part, dayRule) => {
      const more = found(entries, [...parts, part].join(' '), dayRule)
      const fewer = new Set(found(entries, parts.join(' '), dayRule))
      expect(more.filter((entry) => !fewer.has(entry))).toEqual([])
    }),
  )
})

test('The order of the parts does not matter', () => {
  const orders = PARTS.chain((parts) =>
    fc.tuple(
      fc.constant(parts),
      fc.shuffledSubarray(parts, { minLength: parts.length, maxLength: parts.length }),
    ),
  )
  fc.assert(
    fc.property(ENTRIES, orders, RULE, (entries, [parts, others], dayRule) => {
      expect(found(entries, others.join(' '), dayRule)).toEqual(
        found(entries, parts.join(' '), dayRule),
      )
    }),
  )
})

test('A session is found by its task, each of its tags and its day', () => {
  fc.assert(
    fc.property(ENTRIES, RULE, (entries, dayRule) => {
      for (const entry of entries.filter(({ deletedAt }) => deletedAt === null)) {
        const task = TASKS.find(({ id }) => id === entry.taskId)
        const texts = [
          localDate(entry.startedAt, dayRule),
          ...tagsOf(entry.note).map((tag) => `#${tag}`),
          ...(task ? [task.name, `"${task.name}"`, `task:"${task.name}"`] : []),
        ]
        for (const text of [...texts, texts.join(' ')]) {
          expect([text, found(entries, text, dayRule).includes(entry)]).toEqual([text, true])
        }
      }
    }),
  )
})
