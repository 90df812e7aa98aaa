/** Tests the correction of instants that an unconfirmed clock has written. */
import { expect, test } from 'vitest'

import { entryFromStopped } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { pauseTimer, resumeTimer, startTimer, stopTimer } from '#timer/timer.ts'

import { correctInstants } from './correct-instants.ts'
import { Draft } from './draft.ts'
import { EntryPages } from './entry-pages.ts'

const STARTED = Date.UTC(2026, 0, 15, 12)
const AHEAD = 7_200_000

function emptyDraft(): Draft {
  return new Draft({
    revision: 1,
    sequence: 0,
    tasks: new Map(),
    values: new Map(),
    edits: new Map(),
    operations: new Map(),
    entries: new EntryPages(),
  })
}

test('A press that follows a start at once stays after the start, also by a correction that is not exact', () => {
  const draft = emptyDraft()
  draft.putValue({
    key: 'clock',
    from: STARTED + AHEAD,
    offset: 0,
    after: STARTED,
    leaps: [],
    claims: [],
    pages: [],
    raised: 0,
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
  const at = STARTED + 1
  expect(operations).toMatchObject([{ timer: { startedAt: STARTED } }, { press: { at } }])
})

test('A pause does not end before its begin when the clock was set ahead twice, once while the browser was closed', () => {
  const draft = emptyDraft()
  const leap = 420_000
  const set = STARTED + 178_000
  draft.putValue({
    key: 'clock',
    from: set,
    offset: 0,
    after: STARTED + 500,
    leaps: [{ at: set, by: leap }],
    claims: [],
    pages: [],
    raised: 0,
  })
  const pause = { start: STARTED + 20, end: set + leap + 20 }
  const timer = startTimer('s', 't', STARTED)
  const continued = { ...timer, pauses: { ...timer.pauses, intervals: [pause] } }
  const pressedAt = STARTED + 2 * leap
  draft.addOperation({ kind: 'start', timer: continued, pressedAt, keepTrying: true })
  correctInstants(draft, {
    now: STARTED + leap,
    offset: -2 * leap - 30,
    isSure: true,
    since: pressedAt,
    leaps: [],
  })

  // Without the leap both presses are possible, so the clock was set again after them.
  const end = set + 20
  const operations = draft.operations.all().map(({ operation }) => operation)
  expect(operations).toMatchObject([
    { timer: { pauses: { intervals: [{ start: pause.start, end }] } }, pressedAt: STARTED + leap },
  ])
})

test('The deletion of a discarded session moves with the stop that discarded it', () => {
  const draft = emptyDraft()
  const at = STARTED + AHEAD + 60_000
  draft.putValue({
    key: 'clock',
    from: STARTED + AHEAD,
    offset: 0,
    after: STARTED,
    leaps: [],
    claims: [],
    pages: [],
    raised: 0,
  })
  const stopped = stopTimer(startTimer('s', 't', STARTED + AHEAD), at)
  draft.addOperation({ kind: 'stop', stopped, base: null, isDiscarded: true })
  draft.entries.put({ ...entryFromStopped(stopped), deletedAt: at })
  const clock = { offset: -AHEAD, isSure: true, since: STARTED + AHEAD, leaps: [] }
  correctInstants(draft, { ...clock, now: STARTED + 90_000 })

  const expected = { startedAt: STARTED, endedAt: at - AHEAD, deletedAt: at - AHEAD }
  expect(draft.entries.get('s')).toMatchObject(expected)
})

test('A time of the server stays, although the clock was set ahead over it', () => {
  const draft = emptyDraft()
  const set = STARTED + 5000
  const leap = 420_000
  const leaps = [{ at: set, by: leap }]
  draft.putValue({
    key: 'clock',
    from: set,
    offset: 0,
    after: STARTED,
    leaps,
    claims: [],
    pages: [],
    raised: 0,
  })
  const timer = startTimer('s', 't', set + 20)
  const stamps = { id: 's', createdAt: set + 40, updatedAt: set + 40, device: 'phone' }
  const base: TimerSession = { ...stamps, state: { kind: 'active', timer } }
  draft.putValue({ key: 'timer', timer, phase: 'confirmed', device: 'phone', base })
  const press = { kind: 'pause', at: set + leap + 1000 } as const
  draft.addOperation({ kind: 'press', sessionId: 's', press, keepTrying: true })
  const clock = { offset: -leap, isSure: true, since: set, leaps: [] }
  correctInstants(draft, { ...clock, now: set + 2000 })

  expect(draft.value('timer')?.timer).toMatchObject({
    startedAt: set + 20,
    status: 'paused',
    pausedAt: set + 1000,
  })
})

test('A lost session of another device stays, although an unsent stop from here spans it', () => {
  const draft = emptyDraft()
  const noted = {
    from: STARTED,
    offset: 0,
    after: STARTED,
    leaps: [],
    claims: [],
    pages: [],
    raised: 0,
  }
  draft.putValue({ key: 'clock', ...noted })
  const stopped = stopTimer(startTimer('s', 't', STARTED - 10_000), STARTED + AHEAD + 30_000)
  draft.addOperation({ kind: 'stop', stopped, base: null, isDiscarded: false })
  draft.entries.put(entryFromStopped(stopped))
  const other = entryFromStopped(
    stopTimer(startTimer('other', 't', STARTED + 5000), STARTED + 20_000),
  )
  draft.entries.put(other)
  const unsent = { base: null, changedAt: {}, sent: [], refused: null, isHidden: false }
  draft.edits.put({ kind: 'entry', id: 'other', ...unsent })
  const clock = { offset: -AHEAD, isSure: true, since: STARTED, leaps: [] }
  correctInstants(draft, { ...clock, now: STARTED + 30_000 })

  expect(draft.entries.get('other')).toEqual(other)
  expect(draft.entries.get('s')).toMatchObject({ endedAt: STARTED + 30_000 })
})

test('An offered start keeps its work when the clock was set ahead three times, once while the browser was open', () => {
  const draft = emptyDraft()
  const hour = 3_600_000
  const pausedAt = STARTED + 3 * hour + 18_000
  const leaps = [{ at: pausedAt + 10_000, by: 2 * hour }]
  const noted = {
    from: STARTED + 1,
    offset: 0,
    after: STARTED,
    leaps,
    claims: [],
    pages: [],
    raised: 0,
  }
  draft.putValue({ key: 'clock', ...noted })
  const paused = pauseTimer(startTimer('s', 't', STARTED), pausedAt)
  const worked = stopTimer(paused, pausedAt + 2 * hour + 10_000)
  draft.putValue({ key: 'offers', offers: [{ why: 'not-started', worked }] })
  const clock = { offset: -8 * hour, isSure: true, since: STARTED + 8 * hour, leaps: [] }
  correctInstants(draft, { ...clock, now: STARTED + 150_000 })

  // Nobody can know when the timer was paused. The pause keeps its length.
  const [offer] = draft.value('offers')?.offers ?? []
  expect(offer?.worked).toMatchObject({ endedAt: STARTED + 150_000, durationSeconds: 140 })
})

test('A press from before the server raised the clock is corrected, although no other error is left', () => {
  const draft = emptyDraft()
  const behind = 3000
  const at = STARTED + 1000
  const leaps = [{ at: STARTED + 2000 + behind, by: behind, isLag: true }]
  draft.putValue({
    key: 'clock',
    from: STARTED,
    offset: 0,
    after: STARTED,
    leaps,
    claims: [],
    pages: [],
    raised: 0,
  })
  const timer = startTimer('s', 't', at)
  draft.addOperation({ kind: 'start', timer, pressedAt: at, keepTrying: true })
  const clock = { offset: 16, isSure: true, since: STARTED, leaps: [] }
  correctInstants(draft, { ...clock, now: STARTED + 6000 })

  const [queued] = draft.operations.all()
  expect(queued?.operation).toMatchObject({ pressedAt: at + behind + 16 })
})

test('The presses of one page keep their distances when one of them is of a clock that was set again since', () => {
  const draft = emptyDraft()
  const leap = 420_000
  // The page was opened 180 s after the start, with a clock that was set ahead. It was open for 240 s, and the
  // clock was set ahead as far once more after it was closed.
  const resumedAt = STARTED + 180_000 + leap
  const stoppedAt = resumedAt + 240_000
  const noted = { from: STARTED + 1, offset: 0, after: STARTED, leaps: [], claims: [] }
  draft.putValue({ key: 'clock', ...noted, pages: [STARTED + 1], raised: 0 })
  const timer = pauseTimer(startTimer('s', 't', STARTED - 10_000), STARTED)
  draft.addOperation({ kind: 'start', timer, pressedAt: STARTED - 10_000, keepTrying: true })
  const press = { kind: 'resume', at: resumedAt } as const
  draft.addOperation({ kind: 'press', sessionId: 's', press, keepTrying: true })
  const stopped = stopTimer(resumeTimer(timer, resumedAt), stoppedAt)
  draft.addOperation({ kind: 'stop', stopped, base: null, isDiscarded: false })
  const clock = { offset: -2 * leap, isSure: true, since: stoppedAt + 1, leaps: [] }
  correctInstants(draft, { ...clock, now: STARTED + 420_500 })

  const [, , stop] = draft.operations.all()
  expect(stop?.operation).toMatchObject({ stopped: { durationSeconds: 10 + 240 } })
})

test('A press is corrected by a raise of the clock that an earlier page has not written', () => {
  const draft = emptyDraft()
  const behind = 5000
  const at = STARTED + 200
  const noted = {
    from: STARTED + 1,
    offset: 0,
    after: STARTED,
    leaps: [{ at: STARTED + 1, by: 0 }],
  }
  draft.putValue({ key: 'clock', ...noted, claims: [], pages: [STARTED + 1], raised: 0 })
  const timer = startTimer('s', 't', at)
  draft.addOperation({ kind: 'start', timer, pressedAt: at, keepTrying: true })
  const clock = { offset: 300_000, isSure: true, since: at + 1, leaps: [], raised: behind }
  correctInstants(draft, { ...clock, now: STARTED + 306_000 })

  const [queued] = draft.operations.all()
  expect(queued?.operation).toMatchObject({ pressedAt: at + 300_000 + behind })
})
