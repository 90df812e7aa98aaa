import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { CHUNK_GROUPS, modulesAt } from '../web/chunk-groups.ts'

const ROOT = join(import.meta.dirname, '..')

test('Each path of a chunk group is a file or a folder of the repository', () => {
  const paths = Object.values(CHUNK_GROUPS)
    .flat()
    .filter((path) => /^(core|web)\//.test(path))
  const missing = paths.filter((path) => {
    const endings = path.endsWith('/') ? [''] : ['.ts', '.tsx']
    return !endings.some((ending) => existsSync(join(ROOT, path + ending)))
  })
  expect(paths.length).toBeGreaterThan(40)
  expect(missing).toEqual([])
})

test.each([
  ['/app/web/src/ui/icon.tsx', true],
  ['/app/web/src/ui/icon-button.tsx', false],
  ['/app/web/src/record/deep/draft.ts', true],
  ['/app/web/src/recorder/draft.ts', false],
  ['/app/core/src/text.ts', false],
])('A file or a folder decides whether %s is in a group', (id, isIn) => {
  expect(modulesAt(['web/src/ui/icon', 'web/src/record/'])(id)).toBe(isIn)
})
