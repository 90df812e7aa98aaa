/** Tests the correction of instants that an unconfirmed clock has written. */
import { expect, test } from 'vitest'

import { startTimer } from '#timer/timer.ts'

import { correctInstants } from './correct-instants.ts'
import { Draft } from './draft.ts'
import { EntryPages } from './entry-pages.ts'

const STARTED = Date.UTC(2026, 0, 15, 12)
const AHEAD = 7_200_000

test('A press that follows a start at once does not move to before the start by a correction that is not exact', () => {
  const draft = new Draft({
    revision: 1,
    sequence: 0,
    tasks: new Map(),
    values: new Map(),
    edits: new Map(),
    operations: new Map(),
    entries: new EntryPages(),
  })
  draft.putValue({
    key: 'clock',
    from: STARTED + AHEAD,
    offset: 0,
    after: STARTED,
    leaps: [],
    claims: [],
  })
  const timer = startTimer('s', 't', STARTED)
  draft.addOperation({ kind: 'start', timer, pressedAt: STARTED, keepTrying: true })
  const press = { kind: 'pause', at: STARTED + AHEAD + 20 } as const
  draft.addOperation({ kind: 'press', sessionId: 's', press, keepTrying: true })
  correctInstants(draft, {
    now: STARTED + 1000,
    offset: -AHEAD - 60,
    isSure: true,
    since: STARTED + AHEAD,
    leaps: [],
  })

  const operations = draft.operations.all().map(({ operation }) => operation)
  expect(operations).toMatchObject([{ timer: { startedAt: STARTED } }, { press: { at: STARTED } }])
})
