import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PREFS } from '#settings.ts'
import { testTask } from '#test/entries.ts'
import { dayRuleOf } from '#time/day-rule.ts'

import {
  categoriesOf,
  categoryColors,
  categoryKey,
  categoryProblem,
  categorySign,
  colorOfCategory,
  fieldsInCategory,
  knownCategories,
  NO_CATEGORY_COLORS,
  prefsWithCategoryColor,
  searchTasksIn,
  spelledCategory,
  usesCategories,
} from './category.ts'
import { parseFilter } from './session-filter.ts'
import { CATEGORIES, TASK_COLORS } from './task.ts'

const CONTEXT = { now: Date.UTC(2026, 10, 23), dayRule: dayRuleOf('UTC') }

test.each([
  ['Acme', ' ACME '],
  ['Café', 'cafe\u0301'],
  ['Big  Corp', 'big\tcorp'],
  ['Acme "East"', 'Acme East'],
  ['5" pipes', '5 “pipes”'],
])('%j and %j are one category', (one, other) => {
  expect(categoryKey(one)).toBe(categoryKey(other))
})

test.each([
  ['', 'Enter a category.'],
  [' \t ', 'Enter a category.'],
  ['""', 'Enter a category.'],
  ['Ac\u0000me', 'A category can’t contain control characters.'],
  ['Ac\nme', 'A category can’t contain control characters.'],
  ['x'.repeat(65), 'Use at most 64 characters (currently 65).'],
  [` ${'x'.repeat(64)} `, null],
  ['Müller & Söhne, 株式会社', null],
])('Of the typed category %j it is said: %s', (text, expected) => {
  expect(categoryProblem(text)).toBe(expected)
})

const TASKS = [
  testTask('A', 1, { category: 'acme' }),
  testTask('B', 3, { category: 'Acme', isActive: false }),
  testTask('C', 2, { category: 'Design' }),
  testTask('D', 2, { category: '' }),
]

test('A category is written as by its newest task, whatever the order of the tasks', () => {
  for (const tasks of [TASKS, TASKS.toReversed()]) {
    expect(categoriesOf(tasks).map(({ name, tasks: { length } }) => [name, length])).toEqual([
      ['', 1],
      ['Acme', 2],
      ['Design', 1],
    ])
  }
  expect(categoriesOf(TASKS)).toBe(categoriesOf(TASKS))
})

test('A field offers what is in use, then the other defaults', () => {
  expect(knownCategories(TASKS)).toEqual([
    'Acme',
    'Design',
    'Development',
    'Meetings',
    'Research',
    'Admin',
  ])
  expect(spelledCategory('  ACME ', knownCategories(TASKS))).toBe('Acme')
  expect(spelledCategory('  Beta ', knownCategories(TASKS))).toBe('Beta')
})

test('Categories are in use once a task has another one than the default', () => {
  expect(usesCategories([testTask('A')])).toBe(false)
  expect(usesCategories([testTask('A', 0, { category: 'development' })])).toBe(false)
  expect(usesCategories(TASKS)).toBe(true)
})

describe('The colour of a category', () => {
  test('is that of a default, or follows from its name in any spelling', () => {
    for (const { name, color } of CATEGORIES) {
      expect(colorOfCategory(name.toUpperCase(), NO_CATEGORY_COLORS)).toBe(color)
    }
    expect(colorOfCategory('Acme', NO_CATEGORY_COLORS)).toBe(
      colorOfCategory('ÁCME', NO_CATEGORY_COLORS),
    )
    const names = ['Acme', 'Beta', 'Gamma', 'Delta', 'Big Corp', 'Uni']
    expect(
      new Set(names.map((name) => colorOfCategory(name, NO_CATEGORY_COLORS))).size,
    ).toBeGreaterThan(3)
  })

  test('can be chosen, and chosen back, and is that of a new task', () => {
    for (const color of TASK_COLORS) {
      const changes = prefsWithCategoryColor('Big  Corp', color)
      const prefs = PREFS.take({}, changes, Object.keys(changes))
      expect(colorOfCategory('big corp', categoryColors(prefs))).toBe(color)
    }
    const chosen = categoryColors({ 'category:acme': 'teal' })
    expect(fieldsInCategory('Acme', chosen)).toEqual({ category: 'Acme', color: 'bg-teal-500' })
    expect(prefsWithCategoryColor('Design', 'teal')).toEqual({ 'category:design': undefined })
  })

  test('is not what a preference has that is no colour', () => {
    const prefs = { 'category:acme': 'pink', 'category:beta': 7, theme: 'teal' }
    expect(categoryColors(prefs).size).toBe(0)
  })
})

test.each([
  ['Acme', '@Acme'],
  ['Big Corp', '@"Big Corp"'],
  ['Acme "East"', '@"Acme East"'],
  ['R&D,', '@"R&D,"'],
  ['@home', '@"@home"'],
])('%j is typed as %s', (name, sign) => {
  expect(categorySign(name)).toBe(sign)
})

test.each([
  ['', ['A', 'B', 'C', 'Mail @acme']],
  ['a', ['A', 'Mail @acme']],
  ['@acme', ['A', 'B', 'Mail @acme']],
  ['@ACM', ['A', 'B', 'Mail @acme']],
  ['@acme b', ['B']],
  ['@"big corp"', ['C']],
  ['@"big c', ['C']],
  ['@', ['Mail @acme']],
  ['@beta', []],
  ['big', []],
])('The search %j finds the tasks %j', (text, expected) => {
  const tasks = [
    testTask('A', 1, { category: 'Acme' }),
    testTask('B', 2, { category: 'ACMÉ' }),
    testTask('C', 3, { category: 'Big Corp' }),
    testTask('Mail @acme', 4),
  ]
  expect(searchTasksIn(tasks, text).map(({ name }) => name)).toEqual(expected)
})

test('What is written of any category is read as that category', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 64 }), (name) => {
      fc.pre(categoryProblem(name) === null)
      const { parts } = parseFilter(`-${categorySign(name)} x`, CONTEXT)
      expect(parts.map(({ condition, excludes }) => [condition, excludes])).toEqual([
        [{ kind: 'exactCategory', key: categoryKey(name) }, true],
        [{ kind: 'words', text: 'x' }, false],
      ])
    }),
  )
})
