/** Tests pauses and resumes that a restored server has lost. */
import { expect, test } from 'vitest'

import { testEntry } from '#test/entries.ts'
import { NO_PAUSES } from '#timer/pauses.ts'

import { Draft, emptyMemory } from './draft.ts'
import { foldForgotten } from './forgotten.ts'

const MINUTE = 60_000

test('Work after a lost resume counts although news of a session with nothing to save overtakes the answer', () => {
  const entry = testEntry({ id: 's', start: '2026-01-15T10:00:00Z', end: '2026-01-15T10:30:00Z' })
  const { startedAt, endedAt } = entry
  const answer = { ...entry, sessionId: 's', createdAt: endedAt, updatedAt: endedAt }
  // A device that knew the pause alone has changed the session since.
  const news = {
    ...answer,
    pauses: { ...NO_PAUSES, intervals: [{ start: startedAt, end: endedAt }] },
    durationSeconds: 0,
    deletedAt: endedAt + MINUTE,
    updatedAt: endedAt + MINUTE,
  }
  const draft = new Draft(emptyMemory())
  draft.entries.put(news)
  const resumedAt = startedAt + 20 * MINUTE
  foldForgotten(
    draft,
    [
      { kind: 'pause', at: startedAt },
      { kind: 'resume', at: resumedAt },
    ],
    answer,
  )

  expect(draft.entries.get('s')).toMatchObject({ durationSeconds: 600, deletedAt: null })
})
