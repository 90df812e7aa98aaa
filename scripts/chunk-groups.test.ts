import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { CHUNK_GROUPS, modulesAt } from '../web/chunk-groups.ts'

const ROOT = join(import.meta.dirname, '..')

test('Each path of a chunk group is a file or a folder of the repository', () => {
  const paths = Object.values(CHUNK_GROUPS)
    .flat()
    .map((path) => path.replace('!', ''))
    .filter((path) => /^(core|web)\//.test(path))
  const missing = paths.filter((path) => {
    const endings = path.endsWith('/') ? [''] : ['.ts', '.tsx']
    return !endings.some((ending) => existsSync(join(ROOT, path + ending)))
  })
  expect(paths.length).toBeGreaterThan(100)
  expect(missing).toEqual([])
})

test.each([
  ['/app/web/src/ui/icon.tsx', true],
  ['/app/web/src/ui/icon-button.tsx', false],
  ['/app/web/src/record/deep/draft.ts', true],
  ['/app/web/src/record/migration.ts', false],
  ['/app/web/src/record/migration-30.ts', true],
  ['/app/core/src/text.ts', false],
])('The last path that matches decides whether %s is in a group', (id, isIn) => {
  const paths = ['web/src/ui/icon', 'web/src/record/', '!web/src/record/migration']
  expect(modulesAt(paths)(id)).toBe(isIn)
})
