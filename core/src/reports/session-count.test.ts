import { expect, test } from 'vitest'
import { sessionCountCell, sessionCountText } from './session-count.ts'

test.each([
  [0, 0, false, '0 sessions', '0'],
  [1, 0, false, '1 session', '1'],
  [5000, 0, false, '5,000 sessions', '5,000'],
  [5, 1, false, '5 sessions and 1 that started earlier', '5 + 1 earlier'],
  [0, 1, false, '1 session that started earlier', '0 + 1 earlier'],
  [0, 2, false, '2 sessions that started earlier', '0 + 2 earlier'],
  [0, 0, true, '0 sessions + running', '0'],
  [3, 0, true, '3 sessions + running', '3'],
  [3, 2, true, '3 sessions + 2 that started earlier + running', '3 + 2 earlier'],
])(
  'A count of %i begun and %i earlier sessions, running: %s, is written as "%s" and "%s"',
  (begun, earlier, hasLive, text, cell) => {
    expect(sessionCountText({ begun, earlier, hasLive })).toBe(text)
    expect(sessionCountCell({ begun, earlier, hasLive })).toBe(cell)
  },
)
