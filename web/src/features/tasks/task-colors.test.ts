import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { storedColor, TASK_COLORS, taskColors } from '@stint/core/record/task.ts'
import { testTask } from '@stint/core/test/entries.ts'
import { expect, test } from 'vitest'
import { tint } from '#ui/tint.ts'

const STYLES = readFileSync(join(import.meta.dirname, '../../styles.css'), 'utf8')

test('Every task colour has a tint in styles.css, and every tint is a task colour', () => {
  const tints = [...STYLES.matchAll(/^ *--color-tint-([a-z]+):/gm)].map(([, name]) => name)
  expect(tints).toHaveLength(TASK_COLORS.length)
  expect(new Set(tints)).toEqual(new Set<string>(TASK_COLORS))
  expect(tint('teal')).toBe('var(--color-tint-teal)')
})

test.each(TASK_COLORS)('The chosen colour %s is read back as it was stored', (color) => {
  const task = testTask('Write', 2, { color: storedColor(color) })
  // Alone and as the second, a task has different colours by itself.
  expect(taskColors([task]).get(task.id)).toBe(color)
  expect(taskColors([testTask('Older', 1), task]).get(task.id)).toBe(color)
})
