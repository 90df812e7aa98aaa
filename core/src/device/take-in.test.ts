/** Tests how news of an entry meets the undo of its stop, and work that a restored server had lost. */
import { expect, test } from 'vitest'

import { testEntry } from '#test/entries.ts'
import { NO_PAUSES } from '#timer/pauses.ts'
import { startTimer } from '#timer/timer.ts'

import { Draft, emptyMemory } from './draft.ts'
import { takeIn } from './take-in.ts'

const MINUTE = 60_000

test('A stop that had nothing to save stays undone when late work gives its session time', () => {
  const entry = testEntry({ id: 's', start: '2026-01-15T10:00:00Z', end: '2026-01-15T10:30:00Z' })
  const { startedAt, endedAt, taskId } = entry
  const at = (minutes: number) => startedAt + minutes * MINUTE
  const pausesOf = (...intervals: (readonly [number, number])[]) => ({
    ...NO_PAUSES,
    intervals: intervals.map(([start, end]) => ({ start: at(start), end: at(end) })),
  })
  const base = {
    ...entry,
    sessionId: 's',
    pauses: pausesOf([0, 30]),
    durationSeconds: 0,
    deletedAt: endedAt,
    createdAt: endedAt + 100,
    updatedAt: endedAt + 100,
  }
  const draft = new Draft(emptyMemory())
  const undoneAt = at(31)
  draft.entries.put({ ...base, sessionId: 'again', deletedAt: undoneAt })
  draft.edits.put({
    kind: 'entry',
    id: 's',
    base,
    sent: [],
    changedAt: { deletion: undoneAt },
    refused: null,
    isHidden: false,
  })
  const timer = { ...startTimer('again', taskId, startedAt), pauses: pausesOf([0, 30]) }
  draft.putValue({ key: 'timer', timer, phase: 'confirmed', device: null, base: null })
  // Another device had resumed and stopped the timer, and the server hears of it now.
  const pauses = pausesOf([0, 20], [24, 30])
  const late = { ...base, pauses, durationSeconds: 240, deletedAt: null, updatedAt: at(32) }
  takeIn(draft, 'entry', 's', late)

  expect(draft.entries.get('s')).toMatchObject({ sessionId: 'again', deletedAt: undoneAt })
  expect(draft.edit('entry', 's')).toMatchObject({ base: { updatedAt: at(32) } })
  expect(draft.value('timer')?.timer).toMatchObject({ status: 'running' })
})

test('Lost work that is kept here is offered when another device counts its own work in the session', () => {
  const entry = testEntry({ id: 's', start: '2026-01-15T10:00:00Z', end: '2026-01-15T10:30:00Z' })
  const at = (minutes: number) => entry.startedAt + minutes * MINUTE
  const pausedUntil = (minutes: number) => ({
    ...NO_PAUSES,
    intervals: [{ start: at(0), end: at(minutes) }],
  })
  const timed = { ...entry, sessionId: 's', pauses: pausedUntil(8), durationSeconds: 1320 }
  const draft = new Draft(emptyMemory())
  draft.entries.put({ ...timed, createdAt: at(30), updatedAt: at(30) })
  // A device that knew the pause alone has ended the session again, with nothing to save.
  const nothing = {
    ...timed,
    endedAt: at(32),
    pauses: pausedUntil(32),
    durationSeconds: 0,
    deletedAt: at(60),
    createdAt: at(60),
    updatedAt: at(60),
  }
  takeIn(draft, 'entry', 's', nothing)
  expect(draft.entries.get('s')).toMatchObject({ durationSeconds: 1320, deletedAt: null })
  // A third device had resumed the timer much later.
  const later = { endedAt: at(50), pauses: pausedUntil(48), durationSeconds: 120, deletedAt: null }
  takeIn(draft, 'entry', 's', { ...nothing, ...later, updatedAt: at(61) })

  expect(draft.entries.get('s')).toMatchObject({ durationSeconds: 120 })
  expect(draft.value('offers')?.offers).toMatchObject([
    { why: 'not-counted', worked: { durationSeconds: 1440 } },
    { why: 'not-stopped', worked: { durationSeconds: 0 } },
  ])
})
