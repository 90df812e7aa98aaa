import { expect, test } from 'vitest'
import { testTask } from '#test/entries.ts'
import { hasTargets } from './has-targets.ts'
import { targetText } from './target-text.ts'
import {
  changesWithTarget,
  prefsWithMovedTargets,
  scopeName,
  targetOf,
  targetsOf,
} from './targets.ts'

const TASKS = [
  testTask('Write', 1, { goalHours: 1.5 }),
  testTask('Call', 2),
  testTask('Old', 3, { goalHours: 2, isActive: false }),
]

test('The overview has all work first, then categories, tags and tasks, with the goals of active ones', () => {
  const prefs = {
    'target:least:week:task:call': 3600,
    'target:most:day:tag:zoo': 3600,
    'target:least:week:tag:acme': 7200,
    'target:least:month:all': 7200,
    'target:most:day:all': 7200,
    'target:least:day:all': 3600,
    'target:most:week:category:Meetings': 3600,
    'target:least:week:task:old': 3600,
    theme: 'dark',
  }
  expect(targetsOf(prefs, TASKS).map((target) => targetText(target, TASKS))).toEqual([
    'at least 1h a day',
    'at most 2h a day',
    'at least 2h a month',
    'at most 1h a week Meetings',
    'at least 2h a week #acme',
    'at most 1h a day #zoo',
    'at least 1h a week Call',
    'at least 1h a week Old (deleted)',
    'at least 1h 30m a day Write',
  ])
})

test.each([
  ['target:least:week:tag:acme', 0],
  ['target:least:week:tag:acme', -1],
  ['target:least:week:tag:acme', 1.5],
  ['target:least:week:tag:acme', '3600'],
  ['target:least:week:tag:acme', 7 * 86_400 + 1],
  ['target:least:day:all', 86_401],
  ['target:least:year:all', 3600],
  ['target:about:week:all', 3600],
  ['target:least:week:all:more', 3600],
  ['target:least:week:tag', 3600],
  ['target:least:week:tag:', 3600],
  ['target:least:week:project:acme', 3600],
  [`target:least:week:tag:${'a'.repeat(101)}`, 3600],
  // The goal of a task is kept in the task.
  ['target:least:day:task:write', 3600],
  ['filter:least:week:all', 3600],
])('What is no target is not counted, and kept: %s %s', (key, value) => {
  expect(targetOf(key, value)).toBeNull()
  expect(targetsOf({ [key]: value }, [])).toEqual([])
})

test('A name with colons is read whole', () => {
  const target = targetOf('target:least:week:category:Acme: web', 3600)
  expect(target?.scope).toEqual({ kind: 'category', name: 'Acme: web' })
})

test('Two spellings of one tag are one target, and both are removed', () => {
  const prefs = { 'target:least:week:tag:acme': 3600, 'target:least:week:tag:Acme': 7200 }
  const [target, ...others] = targetsOf(prefs, [])
  expect(others).toEqual([])
  expect(target?.seconds).toBe(7200)
  expect(changesWithTarget(prefs, null, target ?? null).prefs?.changes).toEqual({
    'target:least:week:tag:acme': undefined,
    'target:least:week:tag:Acme': undefined,
  })
})

test('An account has targets once there is one, or a goal of an active task', () => {
  expect(
    hasTargets({ theme: 'dark' }, [
      testTask('Call'),
      testTask('Old', 3, { isActive: false, goalHours: 2 }),
    ]),
  ).toBe(false)
  expect(hasTargets({ 'target:least:day:all': 3600 }, [])).toBe(true)
  expect(hasTargets({}, TASKS)).toBe(true)
})

test('Targets follow a category under another name, and one that is there stays', () => {
  const prefs = {
    'target:least:week:category:Acme': 3600,
    'target:most:day:category:acme': 7200,
    'target:least:week:category:Globex': 1800,
    'target:least:week:tag:Acme': 5400,
  }
  expect(prefsWithMovedTargets(prefs, 'category', 'Acme', 'Initech')).toEqual({
    'target:least:week:category:Acme': undefined,
    'target:most:day:category:acme': undefined,
    'target:least:week:category:Initech': 3600,
    'target:most:day:category:Initech': 7200,
  })
  expect(prefsWithMovedTargets(prefs, 'category', 'Acme', 'Globex')).toEqual({
    'target:least:week:category:Acme': undefined,
    'target:most:day:category:acme': undefined,
    'target:most:day:category:Globex': 7200,
  })
  expect(prefsWithMovedTargets(prefs, 'tag', 'acme', 'Globex')).toEqual({
    'target:least:week:tag:Acme': undefined,
    'target:least:week:tag:Globex': 5400,
  })
})

test('A name that is only written differently keeps its targets', () => {
  const prefs = { 'target:least:week:category:acme': 3600 }
  expect(prefsWithMovedTargets(prefs, 'category', 'acme', 'ACME')).toEqual({
    'target:least:week:category:acme': undefined,
    'target:least:week:category:ACME': 3600,
  })
  expect(prefsWithMovedTargets(prefs, 'category', 'acme', 'acme')).toEqual({
    'target:least:week:category:acme': 3600,
  })
})

test('A task that is gone keeps its name', () => {
  expect(scopeName({ kind: 'task', name: 'old' }, TASKS)).toBe('Old (deleted)')
  expect(scopeName({ kind: 'task', name: 'gone' }, TASKS)).toBe('Unknown task')
})
