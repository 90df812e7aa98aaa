import { expect, test } from 'vitest'

import { testEntry } from '#test/entries.ts'
import { splitId } from './split-id.ts'

const NOW = Date.parse('2026-03-20T12:00:00Z')
const HOUR = 3_600_000

test('Two devices that split the same version of an entry give the second part the same id', () => {
  const version = {
    ...testEntry({ id: 'morning', start: NOW - 3 * HOUR, end: NOW }),
    updatedAt: NOW,
  }
  const noted = { ...version, note: 'of one of them', updatedAt: NOW + 1 }
  const id = splitId(version, version)
  expect(splitId(noted, version)).toBe(id)
  expect(id).toMatch(/^[a-z0-9]{1,36}$/)

  const others = [
    splitId(version, noted),
    splitId({ ...version, id: 'another' }, version),
    splitId({ ...version, endedAt: version.endedAt - HOUR }, version),
  ]
  expect(new Set([id, ...others]).size).toBe(4)
})
