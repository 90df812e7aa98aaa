import { expect, test } from 'vitest'

import { testEntry } from '#test/entries.ts'

import { Draft, emptyMemory } from './draft.ts'
import { MAX_SUPERSEDED, supersede, supersededParts } from './superseded.ts'

const FIRST = testEntry({ id: 'a', start: '2026-01-15T10:00:00Z', end: '2026-01-15T11:00:00Z' })
const NOTED = { ...FIRST, note: 'Draft' }
const TRIMMED = testEntry({ id: 'a', start: '2026-01-15T10:00:00Z', end: '2026-01-15T10:30:00Z' })

function partsOf(remote: typeof FIRST, here: typeof FIRST, ...replaced: (typeof FIRST)[]) {
  const draft = new Draft(emptyMemory())
  for (const each of replaced) supersede(draft, 'entry', each.id, each)
  // The backend was restored, and another device has sent the entry again.
  const again = { ...remote, createdAt: remote.createdAt + 1 }
  return supersededParts(draft, 'entry', 'a', { here, remote: again, base: null })
}

test.each<[string, Parameters<typeof partsOf>, readonly string[]]>([
  ['none if nothing was replaced', [FIRST, NOTED], []],
  ['the note if it is as it was before', [FIRST, NOTED, FIRST], ['note']],
  ['the times if they are as they were before', [FIRST, TRIMMED, FIRST], ['times']],
  ['both if both are', [FIRST, { ...TRIMMED, note: 'Draft' }, FIRST, NOTED], ['times', 'note']],
  ['none if the state is new', [{ ...FIRST, note: 'Final' }, NOTED, FIRST], []],
  ['none that is the same here', [NOTED, NOTED, FIRST, NOTED], []],
  ['none by a state of another entry', [FIRST, NOTED, { ...FIRST, id: 'b' }], []],
])('The outdated parts of an entry are %s', (_what, args, parts) => {
  expect(new Set(partsOf(...args))).toEqual(new Set(parts))
})

test('Only the latest replaced states are kept', () => {
  const others = Array.from({ length: MAX_SUPERSEDED }, (_, index) => ({
    ...FIRST,
    id: `other-${index}`,
  }))

  expect(partsOf(FIRST, NOTED, FIRST, ...others.slice(1))).toEqual(['note'])
  expect(partsOf(FIRST, NOTED, FIRST, ...others)).toEqual([])
})
