import { dayRuleOf } from '#time/day-rule.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EntryChange } from './entry-change.ts'
import { deleteEntry, invertChanges } from './entry-change.ts'
import {
  duplicateEntry,
  editEntry,
  entryProblem,
  mergeEntries,
  moveEntry,
  newEntry,
  NOTE_MAX_LENGTH,
  partOfEntry,
  splitEntry,
} from './entry-edit.ts'
import { pausedMilliseconds } from '#timer/pauses.ts'
import { intervalsBetween } from '#time/instant.ts'
import { periodContaining } from '#time/period.ts'
import { periodBars } from '#reports/period-bars.ts'
import { quickStats } from '#reports/quick-stats.ts'
import { taskBreakdown } from '#reports/task-breakdown.ts'
import { testEntryDocument } from '#test/documents.ts'
import { testEntry, testEntryOfStretches, testTask } from '#test/entries.ts'
import type { TimeEntry } from './time-entry.ts'
import { entryAttributes, entryFromDocument, NEW_ENTRY } from './time-entry.ts'

const HOUR = 3_600_000
const DAY = '2026-03-09T'
const NOW = Date.parse('2026-03-20T12:00:00Z')

function at(time: string): number {
  return Date.parse(`${DAY}${time}Z`)
}

/** 09:00 to 12:00 with a pause from 10:00 to 10:30. */
function morning(fields: Partial<TimeEntry> = {}): TimeEntry {
  const [start, end] = [`${DAY}09:00Z`, `${DAY}12:00Z`]
  const pauses = [[`${DAY}10:00Z`, `${DAY}10:30Z`]] as const
  return { ...testEntry({ id: 'morning', start, end, pauses }), ...fields }
}

function after(changes: readonly EntryChange[], index: number = 0): TimeEntry {
  const change = changes[index]
  if (!change) throw new Error(`There is no change ${index}.`)
  return change.after
}

test('An entry that is added by hand belongs to no session', () => {
  const times = { startedAt: at('09:00'), endedAt: at('10:30') }
  expect(newEntry({ id: 'new', taskId: 'write', ...times, note: 'Draft' }, NOW)).toEqual({
    before: null,
    after: {
      ...NEW_ENTRY,
      id: 'new',
      taskId: 'write',
      ...times,
      durationSeconds: 5400,
      entryType: 'manual',
      note: 'Draft',
      createdAt: NOW,
      updatedAt: NOW,
    },
  })
})

test('Adding an entry cuts pauses to the span and joins pauses that overlap', () => {
  const intervals = [
    { start: at('09:50'), end: at('11:00') },
    { start: at('08:30'), end: at('09:10') },
    { start: at('09:00'), end: at('09:20') },
  ]
  const times = { startedAt: at('09:00'), endedAt: at('10:00') }
  const pauses = { intervals, unplacedSeconds: 100_000 }
  expect(newEntry({ id: 'new', taskId: 'write', ...times, pauses }, NOW).after).toMatchObject({
    durationSeconds: 0,
    pauses: {
      intervals: [
        { start: at('09:00'), end: at('09:20') },
        { start: at('09:50'), end: at('10:00') },
      ],
      unplacedSeconds: 1800,
    },
  })
})

test('Duplicating an entry copies it under a new id', () => {
  const copy = duplicateEntry(morning({ note: 'Draft', sessionId: 'timed' }), 'copy', NOW)
  expect(copy).toEqual({
    before: null,
    after: {
      ...morning({ note: 'Draft' }),
      id: 'copy',
      sessionId: null,
      entryType: 'manual',
      createdAt: NOW,
      updatedAt: NOW,
    },
  })
})

test.each([
  ['a later start', { startedAt: at('09:30') }, 2 * 3600],
  ['a start within the pause', { startedAt: at('10:10') }, 1.5 * 3600],
  ['a start after the pause', { startedAt: at('11:00') }, 3600],
  ['an earlier end', { endedAt: at('10:15') }, 3600],
  ['a later end', { endedAt: at('13:00') }, 3.5 * 3600],
  ['no pause', { pauses: [] }, 3 * 3600],
  ['another pause', { pauses: [{ start: at('11:00'), end: at('13:00') }] }, 2 * 3600],
  ['a millisecond more', { endedAt: at('12:00') + 999 }, 2.5 * 3600],
  ['another task', { taskId: 'read' }, 2.5 * 3600],
  ['a note', { note: 'Draft' }, 2.5 * 3600],
  ['nothing', {}, 2.5 * 3600],
])('Editing with %s counts the remaining work', (_, edit, seconds) => {
  const change = editEntry(morning(), edit, NOW)
  expect(change.before).toEqual(morning())
  expect(change.after).toMatchObject({ entryType: 'timer', durationSeconds: seconds })
  expect(change.after.updatedAt).toBe(NOW)
})

test('Editing removes a note', () => {
  expect(editEntry(morning({ note: 'Draft' }), { note: null }, NOW).after.note).toBeNull()
  expect(editEntry(morning({ note: 'Draft' }), {}, NOW).after.note).toBe('Draft')
})

test('Editing keeps seconds paused at an unknown time while they fit', () => {
  const old = morning({ pauses: { intervals: [], unplacedSeconds: 3600 }, durationSeconds: 7200 })
  expect(editEntry(old, { endedAt: at('11:00') }, NOW).after.durationSeconds).toBe(3600)
  // A third of the span has a third of the pauses.
  expect(editEntry(old, { endedAt: at('10:00') }, NOW).after).toMatchObject({
    durationSeconds: 2400,
    pauses: { unplacedSeconds: 1200 },
  })
  expect(editEntry(old, { pauses: [] }, NOW).after.durationSeconds).toBe(7200)
  const pause = { start: at('10:00'), end: at('10:30') }
  expect(editEntry(old, { pauses: [pause] }, NOW).after).toMatchObject({
    durationSeconds: 9000,
    pauses: { intervals: [pause], unplacedSeconds: 0 },
  })
})

test('Editing changes the seconds of a wrongly saved entry only when its times are edited', () => {
  const wrong = morning({ durationSeconds: 99_999 })
  expect(moveEntry(wrong, 'read', NOW).after).toMatchObject({
    taskId: 'read',
    durationSeconds: 99_999,
  })
  expect(editEntry(wrong, { endedAt: at('11:00') }, NOW).after.durationSeconds).toBe(5400)
})

test('An entry with backwards times counts zero and never less', () => {
  const { after } = editEntry(morning(), { endedAt: at('08:00') }, NOW)
  expect(after).toMatchObject({ durationSeconds: 0, pauses: { intervals: [] } })
})

describe('problems', () => {
  const pause = (from: string, to: string) => ({ start: at(from), end: at(to) })
  const times = (from: string, to: string, ...intervals: { start: number; end: number }[]) => ({
    startedAt: at(from),
    endedAt: at(to),
    pauses: { intervals, unplacedSeconds: 0 },
  })

  test.each([
    ['fine', times('09:00', '10:00', pause('09:10', '09:20'), pause('09:20', '09:30')), 'fine'],
    ['no length', times('09:00', '09:00'), 'end: The end must be after the start.'],
    ['backwards', times('10:00', '09:00'), 'end: The end must be after the start.'],
    ['no time at all', { ...times('09:00', '10:00'), endedAt: NaN }, 'end: The end must be'],
    ['no start', { ...times('09:00', '10:00'), startedAt: NaN }, 'start: The start is not a time'],
    ['the year 26', { ...times('09:00', '10:00'), startedAt: -6e13 }, 'start: The start is not'],
    ['ending later', { ...times('09:00', '10:00'), endedAt: NOW + 1 }, 'end: The end is in the f'],
    ['ending now', { ...times('09:00', '10:00'), endedAt: NOW }, 'fine'],
    [
      'yet to come',
      { ...times('09:00', '10:00'), startedAt: NOW + 1, endedAt: NOW + 2 },
      'start: The start is in the future.',
    ],
    [
      'over a month',
      { ...times('09:00', '10:00'), startedAt: NOW - 31 * 24 * HOUR - 1, endedAt: NOW },
      'end: A session can last at most 31 days.',
    ],
    ['a pause before', times('09:00', '10:00', pause('08:59', '09:10')), 'pauses: A pause lies'],
    ['a pause after', times('09:00', '10:00', pause('09:50', '10:01')), 'pauses: A pause lies out'],
    [
      'a backwards pause',
      times('09:00', '10:00', pause('09:50', '09:40')),
      'pauses: A pause must end after it starts.',
    ],
    [
      'pauses that overlap',
      times('09:00', '10:00', pause('09:30', '09:40'), pause('09:10', '09:31')),
      'pauses: Two pauses overlap.',
    ],
    ['only pauses', times('09:00', '10:00', pause('09:00', '10:00')), 'pauses: The pauses leave'],
    [
      'half a second',
      { ...times('09:00', '10:00'), endedAt: at('09:00') + 500 },
      'end: A session must last at least a second.',
    ],
  ])('The problem of an entry is named: %s', (_, entry, said) => {
    const problem = entryProblem(entry, NOW)
    const text = problem ? `${problem.field}: ${problem.message}` : 'fine'
    expect(text.slice(0, said.length)).toBe(said)
  })
})

test('Splitting divides the pauses exactly', () => {
  const changes = splitEntry(morning({ note: 'Draft' }), at('11:00'), 'second', NOW)
  expect(changes).toEqual([
    {
      before: morning({ note: 'Draft' }),
      after: morning({
        note: 'Draft',
        endedAt: at('11:00'),
        durationSeconds: 5400,
        updatedAt: NOW,
      }),
    },
    {
      before: null,
      after: morning({
        id: 'second',
        sessionId: null,
        note: 'Draft',
        startedAt: at('11:00'),
        durationSeconds: 3600,
        pauses: { intervals: [], unplacedSeconds: 0 },
        createdAt: NOW,
        updatedAt: NOW,
      }),
      cutFrom: 'morning',
    },
  ])
})

test('Splitting within a pause leaves a part of the pause on either side', () => {
  const changes = splitEntry(morning(), at('10:10'), 'second', NOW)
  expect(after(changes)).toMatchObject({
    endedAt: at('10:10'),
    durationSeconds: 3600,
    pauses: { intervals: [{ start: at('10:00'), end: at('10:10') }] },
  })
  expect(after(changes, 1)).toMatchObject({
    startedAt: at('10:10'),
    durationSeconds: 5400,
    pauses: { intervals: [{ start: at('10:10'), end: at('10:30') }] },
  })
})

test('Splitting moves the cut by less than a second so that no second is lost to rounding', () => {
  const entry = testEntry({ start: at('09:00') + 600, end: at('09:00') + 3600 })
  const changes = splitEntry(entry, at('09:00') + 2000, 'second', NOW)
  expect(after(changes)).toMatchObject({ endedAt: at('09:00') + 2600, durationSeconds: 2 })
  expect(after(changes, 1)).toMatchObject({ startedAt: at('09:00') + 2600, durationSeconds: 1 })
})

test('Splitting moves the cut back where the second part would otherwise have no second of work', () => {
  const entry = testEntry({ start: at('09:00'), end: at('09:00') + 2000 })
  const changes = splitEntry(entry, at('09:00') + 1500, 'second', NOW)
  expect(after(changes)).toMatchObject({ endedAt: at('09:00') + 1000, durationSeconds: 1 })
  expect(after(changes, 1)).toMatchObject({ durationSeconds: 1 })
})

test('Splitting divides seconds paused at an unknown time in proportion', () => {
  const pauses = { intervals: [], unplacedSeconds: 3600 }
  const entry = morning({ pauses, durationSeconds: 7200 })
  const changes = splitEntry(entry, at('10:00'), 'second', NOW)
  expect(after(changes)).toMatchObject({
    durationSeconds: 2400,
    pauses: { unplacedSeconds: 1200 },
  })
  expect(after(changes, 1)).toMatchObject({ durationSeconds: 4800 })
})

test.each([at('09:00'), at('12:00'), at('08:00'), NaN])(
  'Splitting at the start or the end of an entry is refused',
  (instant) => {
    expect(() => splitEntry(morning(), instant, 'second', NOW)).toThrow(RangeError)
  },
)

test('Splitting a single second is refused, because it has no middle', () => {
  const second = testEntry({ start: at('09:00'), end: at('09:00') + 1000 })
  expect(() => splitEntry(second, at('09:00') + 500, 'second', NOW)).toThrow(RangeError)
})

describe('merging', () => {
  const first = testEntry({ id: 'a', start: `${DAY}09:00Z`, end: `${DAY}10:00Z` })
  const second = testEntry({ id: 'b', start: `${DAY}10:20Z`, end: `${DAY}11:00Z`, taskId: 'read' })
  const third = testEntry({ id: 'c', start: `${DAY}11:00Z`, end: `${DAY}12:00Z` })

  test('Merging keeps the earliest entry, turns the gap into a pause, and deletes the others', () => {
    const changes = mergeEntries([third, first, second], NOW)
    expect(changes).toEqual([
      {
        before: first,
        after: {
          ...first,
          endedAt: at('12:00'),
          durationSeconds: 9600,
          updatedAt: NOW,
          pauses: { intervals: [{ start: at('10:00'), end: at('10:20') }], unplacedSeconds: 0 },
        },
      },
      { before: second, after: { ...second, deletedAt: NOW, updatedAt: NOW } },
      { before: third, after: { ...third, deletedAt: NOW, updatedAt: NOW } },
    ])
  })

  test('Merging joins different notes in their order', () => {
    const notes = ['Draft', null, 'Draft', 'Review']
    const entries = notes.map((note, index) => {
      const start = at('09:00') + index * HOUR
      return { ...testEntry({ start, end: start + HOUR }), note }
    })
    expect(after(mergeEntries(entries, NOW)).note).toBe('Draft\nReview')
    const long = entries.map((entry, index) => ({ ...entry, note: String(index).repeat(1999) }))
    expect(after(mergeEntries(long, NOW)).note).toHaveLength(NOTE_MAX_LENGTH)
  })

  test('Merging counts time that is in both entries once', () => {
    const other = testEntry({
      start: `${DAY}09:30Z`,
      end: `${DAY}11:30Z`,
      pauses: [
        [`${DAY}09:40Z`, `${DAY}09:50Z`],
        [`${DAY}10:30Z`, `${DAY}11:00Z`],
      ],
    })
    expect(after(mergeEntries([first, other], NOW))).toMatchObject({
      durationSeconds: 2 * 3600,
      pauses: { intervals: [{ start: at('10:30'), end: at('11:00') }] },
    })
    const within = testEntry({ start: `${DAY}09:10Z`, end: `${DAY}09:20Z` })
    expect(after(mergeEntries([first, within], NOW))).toMatchObject({
      endedAt: first.endedAt,
      durationSeconds: 3600,
    })
  })

  test('Merging treats pauses of unknown time as the work of the other entry', () => {
    const half = { unplacedSeconds: 1800 }
    const one = testEntry({ start: `${DAY}09:00Z`, end: `${DAY}10:00Z`, ...half })
    const two = testEntry({ start: `${DAY}09:30Z`, end: `${DAY}10:30Z`, ...half })
    expect(after(mergeEntries([one, two], NOW)).durationSeconds).toBe(3600)
  })

  test('Merging a single entry or deleted entries changes nothing', () => {
    expect(mergeEntries([], NOW)).toEqual([])
    expect(mergeEntries([first], NOW)).toEqual([])
    expect(mergeEntries([first, deleteEntry(second, NOW).after], NOW)).toEqual([])
  })
})

// Properties

const ZONE = 'America/New_York'
const TASKS = [testTask('Write'), testTask('Read', 1)]

const anyEntry = fc
  .tuple(
    fc.integer({ min: Date.parse('2026-03-01T00:00Z'), max: Date.parse('2026-03-12T00:00Z') }),
    fc.array(fc.integer({ min: 0, max: 5 * HOUR }), { minLength: 1, maxLength: 5 }),
    fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
    fc.constantFrom('write', 'read'),
  )
  .map((parts) => normalised(testEntryOfStretches(...parts)))

/** The entry after a round trip over the wire, which joins pauses that overlap. */
function normalised(entry: TimeEntry): TimeEntry {
  return entryFromDocument(testEntryDocument(entry.id, entryAttributes(entry, 'me'), entry.endedAt))
}

type Edit = (entries: readonly TimeEntry[], newId: string, now: number) => readonly EntryChange[]

/** A random edit of a random entry. Without entries it changes nothing. */
const anyEdit: fc.Arbitrary<Edit> = fc
  .record({
    kind: fc.constantFrom('new', 'edit', 'move', 'split', 'merge', 'copy', 'delete', 'part'),
    pick: fc.nat(),
    share: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
    other: fc.double({ min: -0.5, max: 1.5, noNaN: true }),
  })
  .map(({ kind, pick, share, other }): Edit => (entries, newId, now) => {
    const entry = entries[pick % Math.max(1, entries.length)]
    if (!entry) return []
    const span = entry.endedAt - entry.startedAt
    const inside = entry.startedAt + Math.floor(span * share)
    const outside = entry.startedAt + Math.floor(span * other)
    switch (kind) {
      case 'new':
        return [newEntry({ id: newId, taskId: 'read', startedAt: inside, endedAt: outside }, now)]
      case 'edit':
        return [
          editEntry(
            entry,
            other < 0
              ? { startedAt: outside, note: 'Earlier' }
              : { endedAt: Math.max(outside, inside), pauses: [{ start: inside, end: outside }] },
            now,
          ),
        ]
      case 'move':
        return [moveEntry(entry, 'read', now)]
      case 'split':
        return inside > entry.startedAt && entry.durationSeconds > 1
          ? splitEntry(entry, inside, newId, now)
          : []
      case 'merge':
        return mergeEntries([entry, ...entries.slice(0, 2).filter((one) => one !== entry)], now)
      case 'copy':
        return [duplicateEntry(entry, newId, now)]
      case 'delete':
        return [deleteEntry(entry, now)]
      case 'part':
        return [{ before: entry, after: partOfEntry(entry, entry.startedAt, inside) }]
    }
  })

function applied(entries: readonly TimeEntry[], changes: readonly EntryChange[]): TimeEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  for (const change of changes) byId.set(change.after.id, change.after)
  return [...byId.values()]
}

function attributes(entries: readonly TimeEntry[]) {
  return entries.map((entry) => ({ id: entry.id, ...entryAttributes(entry, 'me') }))
}

function figures(entries: readonly TimeEntry[]) {
  const input = { entries, live: null, tasks: TASKS, dayRule: dayRuleOf(ZONE), now: NOW }
  const month = periodContaining('monthly', '2026-03-09')
  return [quickStats(input), taskBreakdown(input, month), periodBars(input, month)]
}

/** Daily sums over the two weeks of the entries. */
function days(entries: readonly TimeEntry[]) {
  const input = { entries, live: null, tasks: TASKS, dayRule: dayRuleOf(ZONE), now: NOW }
  return (['2026-03-01', '2026-03-08', '2026-03-15'] as const).flatMap((date) =>
    periodBars(input, periodContaining('weekly', date)).bars.map((bar) => bar.seconds),
  )
}

/** The entry with pauses that touch as one, as a merge leaves them. */
function joined(entry: TimeEntry): TimeEntry {
  const span = { start: entry.startedAt, end: entry.endedAt }
  const worked = intervalsBetween(entry.pauses.intervals, span)
  return { ...entry, pauses: { ...entry.pauses, intervals: intervalsBetween(worked, span) } }
}

test('Splitting any entry and merging the parts restores the entry', () => {
  fc.assert(
    fc.property(anyEntry, fc.double({ min: 0, max: 1, noNaN: true }), (entry, share) => {
      const cut = entry.startedAt + Math.floor((entry.endedAt - entry.startedAt) * share)
      fc.pre(cut > entry.startedAt && cut < entry.endedAt && entry.durationSeconds > 1)
      const parts = splitEntry(entry, cut, 'second', NOW).map((change) => change.after)
      const [first, second] = parts
      expect((first?.durationSeconds ?? 0) + (second?.durationSeconds ?? 0)).toBe(
        entry.durationSeconds,
      )
      expect(parts.map(normalised).map((part) => part.durationSeconds)).toEqual(
        parts.map((part) => part.durationSeconds),
      )
      expect(after(mergeEntries(parts.toReversed(), entry.updatedAt))).toEqual(joined(entry))
    }),
  )
})

test('Splitting any entry moves no second from one day to another', () => {
  fc.assert(
    fc.property(anyEntry, fc.double({ min: 0, max: 1, noNaN: true }), (entry, share) => {
      const cut = entry.startedAt + Math.floor((entry.endedAt - entry.startedAt) * share)
      fc.pre(cut > entry.startedAt && cut < entry.endedAt && entry.durationSeconds > 1)
      fc.pre(entry.pauses.unplacedSeconds === 0)
      const parts = splitEntry(entry, cut, 'second', NOW).map((change) => change.after)
      expect(days(parts)).toEqual(days([entry]))
    }),
  )
})

test('The cut of a split lies within a second of any chosen instant of work', () => {
  fc.assert(
    fc.property(anyEntry, fc.double({ min: 0, max: 1, noNaN: true }), (entry, share) => {
      const cut = entry.startedAt + Math.floor((entry.endedAt - entry.startedAt) * share)
      const isPaused = entry.pauses.intervals.some(
        ({ start, end }) => cut > start - 1000 && cut < end + 1000,
      )
      fc.pre(cut > entry.startedAt && cut < entry.endedAt && !isPaused)
      fc.pre(entry.durationSeconds > 1)
      const { endedAt } = after(splitEntry(entry, cut, 'second', NOW))
      expect(Math.abs(endedAt - cut)).toBeLessThan(1000)
    }),
  )
})

describe('for any history', () => {
  const anyHistory = fc.array(anyEntry, { minLength: 1, maxLength: 5 })
  const anyEdits = fc.array(anyEdit, { minLength: 1, maxLength: 6 })

  test('An undone edit restores everything that is sent on the wire and can be redone, for any history', () => {
    fc.assert(
      fc.property(anyHistory, anyEdit, (entries, edit) => {
        const changes = edit(entries, 'new', NOW)
        const edited = applied(entries, changes)
        const undo = invertChanges(changes, NOW + 1)
        const undone = applied(edited, undo)
        expect(attributes(undone.filter((entry) => entry.id !== 'new'))).toEqual(
          attributes(entries),
        )
        expect(undone.find((entry) => entry.id === 'new')?.deletedAt ?? NOW + 1).toBe(NOW + 1)
        expect(figures(undone)).toEqual(figures(entries))
        const redone = applied(undone, invertChanges(undo, NOW + 2))
        expect(attributes(redone)).toEqual(attributes(edited))
      }),
    )
  })

  test('Durations follow from the span and the pauses after any edits, locally and on the wire', () => {
    fc.assert(
      fc.property(anyHistory, anyEdits, (entries, edits) => {
        let edited: readonly TimeEntry[] = entries
        for (const [index, edit] of edits.entries()) {
          edited = applied(edited, edit(edited, `new-${index}`, NOW))
        }
        for (const { startedAt, endedAt, pauses, durationSeconds } of edited) {
          const worked = Math.floor((endedAt - startedAt - pausedMilliseconds(pauses)) / 1000)
          expect(durationSeconds).toBe(Math.max(0, worked))
          expect(pauses.unplacedSeconds).toBeGreaterThanOrEqual(0)
        }
        const fresh = structuredClone(edited)
        expect(figures(edited)).toEqual(figures(fresh))
        const forward = edited.filter((entry) => entry.endedAt >= entry.startedAt)
        expect(figures(forward.map(normalised))).toEqual(figures(forward))
      }),
    )
  })
})
