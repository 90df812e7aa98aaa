import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { deleteEntry } from '#record/entry-change.ts'
import {
  duplicateEntry,
  editEntry,
  mergeEntries,
  moveEntry,
  splitEntry,
} from '#record/entry-edit.ts'
import { parseFilter } from '#record/session-filter.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { findSessions } from '#reports/found-sessions.ts'
import { testEntry, testTask } from '#test/entries.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import { ratesOf } from './rates.ts'
import { unbilledCategories } from '#record/billable.ts'
import {
  asBeforeSeal,
  hasRoomForMarks,
  sealChanges,
  sealDifferences,
  sealedSessions,
  unsealChanges,
} from './seal-sheet.ts'
import { prefsWithoutSheet, prefsWithSheet, sealedSheets, sheetText } from './sealed-sheets.ts'
import type { SealedSheet } from './sealed-sheets.ts'
import { marksOf, withMark, withoutMark } from './seals.ts'
import { timesheet } from './timesheet.ts'

const BERLIN = dayRuleOf('Europe/Berlin')
const TASKS = [testTask('Write', 0, { category: 'Acme' }), testTask('Review')]
const HASH = 'ab'.repeat(32)
const SHEET: SealedSheet = {
  id: 'sheet1',
  sealedOn: '2026-12-01',
  dates: { from: '2026-11-01', to: '2026-12-01' },
  filter: '',
  rounding: { step: 15, direction: 'up', per: 'line' },
  onlyBillable: false,
  seconds: 9000,
  hash: HASH,
}
const PREFS = { 'rate:category:Acme:2026-01-01': '95 EUR' }
const LATER = Date.parse('2026-12-02T08:00Z')

const worked = (
  id: string,
  start: string,
  end: string,
  taskId = 'write',
  note: string | null = null,
) => {
  return { ...testEntry({ id, start, end, taskId }), note }
}
const ENTRIES = [
  worked('october', '2026-10-31T22:00Z', '2026-11-01T01:00Z'),
  worked('draft', '2026-11-03T08:00Z', '2026-11-03T08:50Z', 'write', 'Draft'),
  worked('review', '2026-11-03T09:00Z', '2026-11-03T09:20Z', 'review'),
  worked('night', '2026-11-04T22:30Z', '2026-11-04T23:40Z'),
  worked('december', '2026-12-01T08:00Z', '2026-12-01T09:00Z'),
]

function sheetOf(entries: readonly TimeEntry[], sheet = SHEET, prefs = PREFS, tasks = TASKS) {
  const found = findSessions(
    parseFilter(sheet.filter, { now: LATER, dayRule: BERLIN }),
    entries,
    tasks,
  )
  const pricing = { rates: ratesOf(prefs), unbilled: unbilledCategories(prefs) }
  return timesheet(found, sheet.dates, tasks, { ...sheet, pricing })
}

/** Returns the sessions after changes, with those that are new. */
function after(
  entries: readonly TimeEntry[],
  changes: readonly { after: TimeEntry }[],
): TimeEntry[] {
  const changed = new Map(changes.map((change) => [change.after.id, change.after]))
  const known = new Set(entries.map(({ id }) => id))
  return [
    ...entries.map((entry) => changed.get(entry.id) ?? entry),
    ...[...changed.values()].filter(({ id }) => !known.has(id)),
  ]
}

function sealedOf(entries: readonly TimeEntry[], sheet = SHEET): TimeEntry[] {
  return after(entries, sealChanges(sheetOf(entries, sheet), sheet, LATER))
}

function differencesOf(entries: readonly TimeEntry[], sheet = SHEET) {
  const current = sheetOf(entries, sheet)
  const unbilled = unbilledCategories(PREFS)
  return sealDifferences(sheet, { entries, tasks: TASKS, dayRule: BERLIN, unbilled, current })
}

const SEALED = sealedOf(ENTRIES)
function entry(id: string): TimeEntry {
  const found = SEALED.find((each) => each.id === id)
  if (!found) throw new Error(`No session ${id}`)
  return found
}

test.each(['', ' '])('An empty note, “%s”, is none, as sealing may store it', (note) => {
  const [draft] = sealedOf([
    worked('draft', '2026-11-03T08:00Z', '2026-11-03T08:50Z', 'write', note),
  ])
  expect(draft && differencesOf([{ ...draft, note: null }])).toEqual([])
})

test('A sheet of what was not invoiced yet has its sessions after it was sealed, and none of a later sheet', () => {
  const first: SealedSheet = { ...SHEET, id: 'sheet1', filter: '-invoiced task:write' }
  const second: SealedSheet = { ...SHEET, id: 'sheet2', filter: '-invoiced' }
  const october: SealedSheet = { ...SHEET, id: 'sheet0', sealedOn: '2026-11-02', filter: '-task:*' }
  const dates = { from: '2026-10-31', to: '2026-11-01' } as const
  const before = sealedOf(ENTRIES, { ...october, dates })
  const sealed = sealedOf(sealedOf(before, first), second)
  const seen = (sheet: SealedSheet) => {
    const filter = parseFilter(sheet.filter, { now: LATER, dayRule: BERLIN })
    const { worked, indexes } = findSessions(filter, asBeforeSeal(sealed, sheet, filter), TASKS)
    return Array.from(indexes, (index) => worked.entries[index]?.id)
  }
  expect(marksOf(sealed[0] ?? { invoiced: null }).map(({ sheetId }) => sheetId)).toEqual(['sheet0'])
  expect(seen(first)).toEqual(['draft', 'night', 'december'])
  expect(seen(second)).toEqual(['review', 'december'])
  const all = parseFilter('task:write', { now: LATER, dayRule: BERLIN })
  expect(asBeforeSeal(sealed, first, all)).toBe(sealed)
})

test('Sealing marks the sessions of the sheet with what is on it, and no others', () => {
  expect(SEALED.map(({ id, invoiced }) => [id, marksOf({ invoiced })[0]?.days])).toEqual([
    ['october', [{ day: 20_758, seconds: 7200 }]],
    ['draft', [{ day: 20_760, seconds: 3000 }]],
    ['review', [{ day: 20_760, seconds: 1200 }]],
    [
      'night',
      [
        { day: 20_761, seconds: 1800 },
        { day: 20_762, seconds: 2400 },
      ],
    ],
    ['december', undefined],
  ])
  expect(marksOf(entry('draft'))[0]).toMatchObject({ sheetId: 'sheet1', sealedOn: '2026-12-01' })
})

test('Sessions stay on a sealed sheet when the category of its filter has another name', () => {
  const sheet = { ...SHEET, filter: '@development' }
  const sealed = sealedOf(ENTRIES, sheet)
  const renamed = TASKS.map((task) => {
    return { ...task, category: task.category === 'Acme' ? 'Acme' : 'Beta' }
  })
  const found = findSessions(
    parseFilter(sheet.filter, { now: LATER, dayRule: BERLIN }),
    sealed,
    renamed,
  )
  expect(found.indexes).toHaveLength(0)
  const kept = timesheet(sealedSessions(found, sheet, sealed), sheet.dates, renamed, {
    ...sheet,
    pricing: { rates: ratesOf(PREFS), unbilled: unbilledCategories(PREFS) },
  })
  const before = sheetOf(sealed, sheet, PREFS)
  expect(before.lines.length).toBeGreaterThan(0)
  expect(sheetText(kept)).toBe(sheetText(before))
})

describe('Of a sealed sheet differs exactly what was changed:', () => {
  test.each<[string, () => readonly { after: TimeEntry }[], string[]]>([
    ['nothing', () => [], []],
    [
      'a length',
      () => [editEntry(entry('draft'), { endedAt: Date.parse('2026-11-03T09:20Z') }, LATER)],
      ['draft time 3000 4800'],
    ],
    [
      'a time that keeps its length and its day',
      () => [
        editEntry(
          entry('draft'),
          { startedAt: Date.parse('2026-11-03T07:00Z'), endedAt: Date.parse('2026-11-03T07:50Z') },
          LATER,
        ),
      ],
      [],
    ],
    [
      'the day',
      () => [
        editEntry(
          entry('draft'),
          { startedAt: Date.parse('2026-11-05T08:00Z'), endedAt: Date.parse('2026-11-05T08:50Z') },
          LATER,
        ),
      ],
      ['draft time 3000 3000'],
    ],
    ['the task', () => [moveEntry(entry('review'), 'write', LATER)], ['review task 1200 1200']],
    [
      'the note and whether it is billable',
      () => [editEntry(entry('draft'), { note: 'Final', billable: false }, LATER)],
      ['draft billable,note 3000 3000'],
    ],
    ['a deletion', () => [deleteEntry(entry('draft'), LATER)], ['draft deleted 3000 0']],
    [
      'a new session',
      () => [{ after: worked('late', '2026-11-05T08:00Z', '2026-11-05T09:00Z') }],
      ['late added 0 3600'],
    ],
    [
      'a new one of other days',
      () => [{ after: worked('x', '2026-12-03T08:00Z', '2026-12-03T09:00Z') }],
      [],
    ],
    [
      'a duplicate, which is on no sheet',
      () => [duplicateEntry(entry('review'), 'copy', LATER)],
      ['copy added 0 1200'],
    ],
    [
      'a split, whose second part is on no sheet',
      () => splitEntry(entry('draft'), Date.parse('2026-11-03T08:20Z'), 'rest', LATER),
      ['draft time 3000 1200', 'rest added 0 1800'],
    ],
    [
      'a merge',
      () => mergeEntries([entry('draft'), { ...entry('review'), taskId: 'write' }], LATER),
      ['draft time 3000 4200', 'review deleted 1200 0'],
    ],
  ])('%s', (_, changes, differences) => {
    const found = differencesOf(after(SEALED, changes()))
    expect(
      found.map(({ entry: { id }, what, sealedSeconds, seconds }) => {
        return `${id} ${what.join()} ${sealedSeconds} ${seconds}`
      }),
    ).toEqual(differences)
  })

  const anyEntries = array(
    record({
      start: integer({
        min: Date.parse('2026-10-30T00:00Z'),
        max: Date.parse('2026-12-02T00:00Z'),
      }),
      length: integer({ min: 1000, max: 30 * 3_600_000 }),
      taskId: constantFrom('write', 'review'),
    }),
    { minLength: 1, maxLength: 12 },
  ).map((all) =>
    all.map(({ start, length, taskId }, index) => {
      return testEntry({ id: `e${index}`, start, end: start + length, taskId })
    }),
  )

  test('whatever was worked, and whichever session is moved by minutes', () => {
    assert(
      property(anyEntries, integer({ min: 0, max: 11 }), boolean(), (entries, at, isDeleted) => {
        const sealed = sealedOf(entries)
        expect(differencesOf(sealed)).toEqual([])
        const chosen = sealed[at % sealed.length]
        if (!chosen) return
        const change = isDeleted
          ? deleteEntry(chosen, LATER)
          : editEntry(chosen, { note: 'changed' }, LATER)
        const isOnSheet = chosen.invoiced !== null
        const found = differencesOf(after(sealed, [change])).map(({ entry: { id } }) => id)
        expect(found).toEqual(isOnSheet ? [chosen.id] : [])
      }),
    )
  })
})

describe('The text that is hashed', () => {
  const text = (entries: readonly TimeEntry[], prefs = PREFS, tasks = TASKS) =>
    sheetText(sheetOf(entries, SHEET, prefs, tasks))
  const before = text(ENTRIES)

  test.each<[string, string]>([
    [
      'an exact time',
      text(
        after(ENTRIES, [
          editEntry(entry('draft'), { endedAt: Date.parse('2026-11-03T08:50:01Z') }, LATER),
        ]),
      ),
    ],
    ['a note', text(after(ENTRIES, [editEntry(entry('draft'), { note: 'Final' }, LATER)]))],
    ['a task', text(after(ENTRIES, [moveEntry(entry('review'), 'write', LATER)]))],
    [
      'what is billable',
      text(after(ENTRIES, [editEntry(entry('draft'), { billable: false }, LATER)])),
    ],
    ['a deletion', text(after(ENTRIES, [deleteEntry(entry('draft'), LATER)]))],
    ['a rate', text(ENTRIES, { 'rate:category:Acme:2026-01-01': '96 EUR' })],
    [
      'the name of a task',
      text(ENTRIES, PREFS, [
        testTask('Write', 0, { category: 'Acme' }),
        testTask('Revue', 0, { id: 'review' }),
      ]),
    ],
  ])('changes with %s', (_, changed) => {
    expect(changed).not.toBe(before)
  })

  test('does not change when nothing on the sheet does', () => {
    expect(text(SEALED)).toBe(before)
    expect(text(ENTRIES.toReversed())).toBe(before)
    const elsewhere = { after: worked('x', '2026-12-03T08:00Z', '2026-12-03T09:00Z') }
    expect(text(after(ENTRIES, [elsewhere]))).toBe(before)
  })
})

test('A session that is on too many sealed sheets has no room for one more', () => {
  expect(hasRoomForMarks(sheetOf(SEALED))).toBe(true)
  const full = { ...entry('draft'), invoiced: `${entry('draft').invoiced} `.repeat(100).trim() }
  expect(hasRoomForMarks(sheetOf(after(SEALED, [{ after: full }])))).toBe(false)
})

describe('What is kept of sealed sheets', () => {
  test('Marks are read as they were written, several on one session', () => {
    const [first] = marksOf(entry('night'))
    if (!first) throw new Error('No mark')
    const second = { ...first, sheetId: 'other2', isBillable: false, noteHash: '', days: [] }
    const invoiced = withMark(entry('night'), second)
    expect(marksOf({ invoiced })).toEqual([first, second])
    expect(withoutMark({ invoiced }, 'other2')).toBe(entry('night').invoiced)
    expect(withoutMark(entry('night'), 'sheet1')).toBeNull()
  })

  test.each([null, '', 'x', 'a/b/c', 'sheet1/20787/write/2//1:2', 'sheet1/20787/write/1/!/1:2'])(
    'What is no mark is ignored: %j',
    (invoiced) => {
      expect(marksOf({ invoiced })).toEqual([])
    },
  )

  test('Removing a seal takes its marks off', () => {
    const plain = after(SEALED, unsealChanges(SEALED, 'sheet1', LATER))
    expect(plain.map(({ invoiced }) => invoiced)).toEqual(ENTRIES.map(() => null))
  })

  const FILTERED = { ...SHEET, id: 'b', filter: '#acme  -"first draft"', onlyBillable: true }
  test('A sheet is read as it was kept, the latest first', () => {
    const prefs = { ...prefsWithSheet(SHEET), ...prefsWithSheet(FILTERED), theme: 'dark' }
    expect(sealedSheets(prefs)).toEqual([SHEET, FILTERED])
    expect(sealedSheets({ ...prefs, ...prefsWithoutSheet(SHEET) })).toEqual([FILTERED])
  })

  test.each([
    ['sheet:', `2026-12-01 2026-11-01 2026-11-30 15/up/line 0 9000 ${HASH} `],
    ['sheet:a', 7],
    ['sheet:a', ''],
    ['sheet:a', `2026-12-01 2026-11-01 2026-11-31 15/up/line 0 9000 ${HASH} `],
    ['sheet:a', `2026-12-01 2026-11-01 2026-11-30 7/up/line 0 9000 ${HASH} `],
    ['sheet:a', `2026-12-01 2026-11-01 2026-11-30 15/up/line 0 9000 ${HASH}0 `],
  ])('%s with %j is no sheet', (key, value) => {
    expect(sealedSheets({ [key]: value })).toEqual([])
  })
})
