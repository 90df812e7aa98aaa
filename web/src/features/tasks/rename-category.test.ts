import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  categoriesOf,
  categoryColors,
  categoryKey,
  colorOfCategory,
} from '@stint/core/record/category.ts'
import { unbilledCategories } from '@stint/core/record/billable.ts'
import { savedFilters } from '@stint/core/record/saved-filters.ts'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import { storedColor, TASK_COLORS } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import { filteredInput } from '@stint/core/reports/found-sessions.ts'
import { PREFS } from '@stint/core/settings.ts'
import type { Prefs } from '@stint/core/settings.ts'
import { draftWith } from '@stint/core/test/devices.ts'
import { testEntry, testTask } from '@stint/core/test/entries.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { scopeKey, targetsOf } from '@stint/core/targets/targets.ts'
import { rateOn, ratesOf } from '@stint/core/timesheet/rates.ts'

import { applyChanges } from '@stint/core/device/changes.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { mergesInto, recolorCategory, renameCategory } from './rename-category.ts'
import type { Categorised, CategoryChanges } from './rename-category.ts'

const NOW = Date.UTC(2026, 10, 23)
const CONTEXT = { now: NOW, dayRule: dayRuleOf('UTC') }
const RED = storedColor('red')

/** Carries the changes out. */
function after({ tasks, prefs }: Categorised, changes: CategoryChanges): Categorised {
  const byTask = new Map(changes.tasks.map(({ taskId, changes }) => [taskId, changes]))
  const { changes: names } = changes.prefs
  return {
    tasks: tasks.map((task) => ({ ...task, ...byTask.get(task.id) })),
    prefs: PREFS.take(prefs, names, Object.keys(names)),
  }
}

const TASKS = [
  testTask('Fix', 1, { category: 'Acme', color: RED }),
  testTask('Old', 2, { category: 'acme', isActive: false }),
  testTask('Plan', 3, { category: 'Beta', color: RED }),
  testTask('Write', 4),
]

const ACME: Prefs = {
  theme: 'dark',
  'category:acme': 'red',
  'rate:category:Acme:2026-01-01': '95.00 EUR',
  'rate:category:ACME:2026-06-01': '99.00 EUR',
  'rate:task:plan:2026-01-01': '50.00 EUR',
  'notBillable:acme': true,
  'filter:Acme this month': '@acme this month -#x',
  'filter:Other': '-category:"ACME" "@acme" category:ac task:acme',
  balanceFilter: '-@Acme',
  'target:least:week:category:ACME': 36_000,
  'target:most:day:task:plan': 7200,
  'sheet:k1': '2026-11-30 2026-11-01 2026-11-30 1/up/session 0 1 f @acme',
}

test('A category is renamed in its tasks, deleted ones too, and in all that names it', () => {
  const before = { tasks: TASKS, prefs: ACME }
  expect(mergesInto(TASKS, 'Acme', 'Big Corp')).toBe(false)
  const { tasks, prefs } = after(before, renameCategory(before, 'ACME', '  Big Corp '))
  expect(tasks.map(({ category, color }) => [category, color])).toEqual([
    ['Big Corp', RED],
    ['Big Corp', 'bg-blue-500'],
    ['Beta', RED],
    ['Development', 'bg-blue-500'],
  ])
  expect(prefs).toEqual({
    theme: 'dark',
    'category:big corp': 'red',
    'rate:category:Big Corp:2026-01-01': '95.00 EUR',
    'rate:category:Big Corp:2026-06-01': '99.00 EUR',
    'rate:task:plan:2026-01-01': '50.00 EUR',
    'notBillable:Big Corp': true,
    'filter:Acme this month': '@"Big Corp" this month -#x',
    'filter:Other': '-category:"Big Corp" "@acme" category:ac task:acme',
    balanceFilter: '-@"Big Corp"',
    'target:least:week:category:Big Corp': 36_000,
    'target:most:day:task:plan': 7200,
    // A sealed sheet stays what it was.
    'sheet:k1': ACME['sheet:k1'],
  })
})

test('Another spelling is a renaming too, and keeps the colour', () => {
  const before = { tasks: TASKS, prefs: ACME }
  const changes = renameCategory(before, 'Acme', 'ACMÉ')
  const { tasks, prefs } = after(before, changes)
  expect(categoriesOf(tasks).map(({ name }) => name)).toEqual(['ACMÉ', 'Beta', 'Development'])
  expect(prefs).toMatchObject({ 'category:acme': 'red', 'notBillable:ACMÉ': true })
  expect(ratesOf(prefs).map(({ target }) => target.name)).toEqual(['ACMÉ', 'plan', 'ACMÉ'])
})

describe('A merge', () => {
  test('takes the spelling and the colour of the one that is kept', () => {
    const prefs = { 'category:acme': 'red', 'category:beta': 'teal' }
    const before = { tasks: TASKS, prefs }
    expect(mergesInto(TASKS, 'acme', 'BETA')).toBe(true)
    const merged = after(before, renameCategory(before, 'acme', 'BETA'))
    // Of the tasks of Acme, the one with its colour has that of Beta.
    expect(merged.tasks.map(({ category, color }) => [category, color])).toEqual([
      ['Beta', 'bg-teal-500'],
      ['Beta', 'bg-blue-500'],
      ['Beta', RED],
      ['Development', 'bg-blue-500'],
    ])
    expect(merged.prefs).toEqual({ 'category:beta': 'teal' })
  })

  test.each([
    [
      'keeps the rates that are there',
      { 'rate:category:beta:2020-01-01': '80.00 EUR' },
      '80.00 EUR',
      1,
    ],
    ['takes the others if there are none', {}, '99.00 EUR', 2],
  ])('%s', (_, own, expected, count) => {
    const before = { tasks: TASKS, prefs: { ...ACME, ...own } }
    const { prefs } = after(before, renameCategory(before, 'Acme', 'Beta'))
    const rates = ratesOf(prefs).filter(({ target }) => target.kind === 'category')
    expect(rates).toHaveLength(count)
    const money = rateOn(rates, { taskId: 'fix', category: 'Beta' }, '2026-11-01')
    expect(money).toEqual({ minor: Number.parseInt(expected, 10) * 100, currency: 'EUR' })
    expect(unbilledCategories(prefs).size).toBe(0)
  })
})

test('A merge keeps the targets that are there, and takes the others', () => {
  const own = { 'target:least:week:category:Beta': 3600, 'target:most:week:category:acme': 60 }
  const prefs = { ...ACME, ...own }
  const before = { tasks: TASKS, prefs }
  const merged = after(before, renameCategory(before, 'Acme', 'Beta'))
  const targets = Object.entries(merged.prefs).filter(([name]) => name.startsWith('target:'))
  expect(Object.fromEntries(targets)).toEqual({
    'target:least:week:category:Beta': 3600,
    'target:most:week:category:Beta': 60,
    'target:most:day:task:plan': 7200,
  })
})

test('A filter that would be too long to be kept stays as it is', () => {
  const long = `@acme ${'-#x '.repeat(120)}`.trim()
  const before = { tasks: TASKS, prefs: { 'filter:long': long } }
  const { prefs } = after(before, renameCategory(before, 'acme', 'x'.repeat(64)))
  expect(savedFilters(prefs)).toEqual([{ name: 'long', text: long }])
})

test('A new colour is that of the tasks that had the one before', () => {
  const before = { tasks: TASKS, prefs: ACME }
  const { tasks, prefs } = after(before, recolorCategory(before, 'ACME', 'sky'))
  expect(tasks.map(({ color }) => color)).toEqual([
    storedColor('sky'),
    'bg-blue-500',
    RED,
    'bg-blue-500',
  ])
  expect(colorOfCategory('Acme', categoryColors(prefs))).toBe('sky')
})

// Properties

const NAMES = ['Acme', 'ACME', 'Acmé', 'Beta', 'Big Corp', 'Design', 'Development', '', 'x "y"']
const name = fc.constantFrom(...NAMES)
const typed = fc.constantFrom(...NAMES.filter((each) => each !== ''), 'Gamma', 'gamma "2"')

const categorised = fc.record({
  tasks: fc
    .array(
      fc.record({ category: name, isActive: fc.boolean(), color: fc.constantFrom(...TASK_COLORS) }),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((all) =>
      all.map(({ color, ...fields }, index) =>
        testTask(`T${index}`, index, { ...fields, color: storedColor(color) }),
      ),
    ),
  prefs: fc
    .array(
      fc.oneof(
        fc.tuple(
          typed.map((each) => `category:${categoryKey(each)}`),
          fc.constantFrom(...TASK_COLORS),
        ),
        fc.tuple(
          typed.map((each) => `rate:category:${each}:2026-01-01`),
          fc.constantFrom('1 EUR', '2 EUR'),
        ),
        fc.tuple(
          typed.map((each) => `notBillable:${each}`),
          fc.constant(true),
        ),
        fc.tuple(
          typed.map((each) => `target:least:week:category:${each}`),
          fc.integer({ min: 1, max: 9 }),
        ),
        fc.tuple(
          fc.constantFrom('filter:a', 'filter:b', 'balanceFilter'),
          typed.map((each) => `-@"${each.replaceAll('"', '')}" x`),
        ),
        fc.tuple(fc.constant('weekStart'), fc.integer({ min: 0, max: 6 })),
      ),
    )
    .map((pairs): Prefs => Object.fromEntries(pairs)),
})

const count = (tasks: readonly Task[], name: string) =>
  tasks.filter(({ category }) => categoryKey(category) === categoryKey(name)).length

/** The tasks of the sessions that a filter finds, with one session for each task. */
function found(tasks: readonly Task[], text: string): string[] {
  const entries = tasks.map(({ id }, index) =>
    testEntry({
      id: `e${index}`,
      taskId: id,
      start: NOW + index * 1000,
      end: NOW + index * 1000 + 500,
    }),
  )
  const input = { entries, live: null, tasks, ...CONTEXT }
  return filteredInput(input, parseFilter(text, CONTEXT)).entries.map(({ taskId }) => taskId)
}

test('An undo of a renaming or a merge gives back every task and every preference', () => {
  fc.assert(
    fc.property(categorised, name, typed, (before, from, to) => {
      const draft = draftWith({ tasks: [...before.tasks] })
      changePrefs(draft, before.prefs)
      const undo = applyChanges(draft, renameCategory(before, from, to))
      applyChanges(draft, undo)
      expect(before.tasks.map(({ id }) => draft.tasks.get(id))).toEqual(before.tasks)
      expect(draft.value('settings')?.prefs).toEqual(before.prefs)
    }),
  )
})

test('A renaming changes no task that is not of the category, and no filter finds other sessions', () => {
  fc.assert(
    fc.property(categorised, name, typed, (before, from, to) => {
      fc.pre(from !== '' && !mergesInto(before.tasks, from, to))
      const { tasks, prefs } = after(before, renameCategory(before, from, to))
      const isMember = (task: Task) => categoryKey(task.category) === categoryKey(from)
      for (const [index, task] of before.tasks.entries()) {
        const { category, ...others } = task
        expect(tasks[index]).toEqual({ ...others, category: isMember(task) ? to : category })
      }
      const namesNew = (text: string) => text.includes(to.replaceAll('"', ''))
      const texts = savedFilters(before.prefs).filter(({ text }) => !namesNew(text))
      for (const { name, text } of texts) {
        const now = savedFilters(prefs).find((each) => each.name === name)?.text ?? ''
        expect(found(tasks, now)).toEqual(found(before.tasks, text))
      }
    }),
  )
})

test('After a merge, one category has the tasks of both, and nothing names the other', () => {
  fc.assert(
    fc.property(categorised, name, typed, (before, from, to) => {
      fc.pre(mergesInto(before.tasks, from, to))
      const { tasks, prefs } = after(before, renameCategory(before, from, to))
      expect(count(tasks, to)).toBe(count(before.tasks, to) + count(before.tasks, from))
      expect(count(tasks, from)).toBe(0)
      // Totals are by task: no entry is changed, and every task is there.
      expect(tasks.map(({ id }) => id)).toEqual(before.tasks.map(({ id }) => id))
      expect(categoryColors(prefs).has(categoryKey(from))).toBe(false)
      expect(unbilledCategories(prefs).has(categoryKey(from))).toBe(false)
      const rated = ratesOf(prefs).map(({ target }) => categoryKey(target.name))
      expect(rated).not.toContain(categoryKey(from))
      const scopes = targetsOf(prefs, []).map(({ scope }) => scopeKey(scope))
      expect(scopes).not.toContain(scopeKey({ kind: 'category', name: from }))
      expect(colorOfCategory(to, categoryColors(prefs))).toBe(
        colorOfCategory(to, categoryColors(before.prefs)),
      )
    }),
  )
})
