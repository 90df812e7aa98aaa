import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { VERSION } from '@stint/core/version.ts'
import { expect, test } from 'vitest'

import { outdatedParts, PARTS } from './benchmark-age.ts'
import type { Measured } from './benchmark-age.ts'
import { ROOT } from './run.ts'

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n## 1.2.0\n\n### Timer\n\n## 1.1.0\n\n## 1.0.0\n'

/** Returns results in which every part measured this version. */
const all = (version: string): Measured =>
  Object.fromEntries(PARTS.map((part) => [part, { version }]))

test('the published figures are of this version, or of the release before it', () => {
  const results: Measured = JSON.parse(readFileSync(join(ROOT, 'bench/results.json'), 'utf8'))
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  expect(outdatedParts(results, VERSION, changelog)).toEqual([])
})

test('figures are outdated when they are older than the code by more than a release', () => {
  // The release 1.3.0 is being made, or 1.2.0 was the last.
  expect(outdatedParts(all('1.3.0'), '1.3.0', CHANGELOG)).toEqual([])
  expect(outdatedParts(all('1.2.0'), '1.3.0', CHANGELOG)).toEqual([])
  expect(outdatedParts(all('1.2.0'), '1.2.0', CHANGELOG)).toEqual([])
  expect(outdatedParts(all('1.1.0'), '1.2.0', CHANGELOG)).toEqual([])
  expect(outdatedParts(all('1.1.0'), '1.3.0', CHANGELOG)).toHaveLength(PARTS.length)
  expect(outdatedParts(all('1.0.0'), '1.2.0', CHANGELOG)).toHaveLength(PARTS.length)
})

test('one part that is outdated, has no version or an unknown one, or is missing, is named', () => {
  expect(
    outdatedParts({ ...all('1.2.0'), load: { version: '1.0.0' } }, '1.2.0', CHANGELOG),
  ).toEqual(['load measured 1.0.0, and this is 1.2.0: run npm run bench -- load'])
  expect(outdatedParts({ ...all('1.2.0'), people: {} }, '1.2.0', CHANGELOG)).toEqual([
    'people has no version: run npm run bench -- people',
  ])
  const { figures: _, ...others } = all('1.2.0')
  expect(outdatedParts(others, '1.2.0', CHANGELOG)).toEqual([
    'figures has no version: run npm run bench -- figures',
  ])
  expect(outdatedParts(all('2.0.0'), '1.2.0', CHANGELOG)).toHaveLength(PARTS.length)
})
