/** Tests two devices that time and edit at random and exchange documents in any order. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { deleteEntry } from '#record/entry-change.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { editEntry, mergeEntries, newEntry, splitEntry } from '#record/entry-edit.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { union } from '#log/spans.ts'
import { intervalsBetween, totalMilliseconds } from '#time/instant.ts'
import { exchange, MINUTE, NINE, TestBackend, TestDevice } from '#test/devices.ts'
import { stateOf } from '#test/shown.ts'

import { applyChanges, isChangedSince } from './changes.ts'
import type { RecordChanges } from './changes.ts'
import { answerQuestion, discardSession } from './questions.ts'
import { setNote } from './timer.ts'

/** DEVICE_RUNS=100000 runs a long test. */
const RUNS = Number(process.env['DEVICE_RUNS'] ?? 150)

const EDITS = [
  'note',
  'end',
  'start',
  'pauses',
  'task',
  'split',
  'merge',
  'delete',
  'restore',
  'add',
] as const
const STEP = fc.record({
  device: fc.nat({ max: 1 }),
  kind: fc.constantFrom(
    ...EDITS,
    ...([
      'begin',
      'pause',
      'resume',
      'stop',
      'undo',
      'take back',
      'answer',
      'move',
      'type',
      'discard',
    ] as const),
    ...(['pull', 'pull', 'send', 'send', 'lose', 'restore backup', 'back up'] as const),
  ),
  which: fc.nat({ max: 4 }),
  /** All of them together are less than four hours, after which an unknown timer is only offered. */
  minutes: fc.integer({ min: 1, max: 7 }),
})
/** Most schedules are long: faults need several presses and exchanges. */
const STEPS = fc.array(STEP, { maxLength: 30, size: 'max' })
type Step = ReturnType<(typeof STEP)['generate']>['value']

let idsMade = 0

function changesOf(
  { kind, which, minutes }: Step,
  entries: readonly TimeEntry[],
  now: number,
): readonly EntryChange[] {
  idsMade += 1
  const id = `new-${idsMade}`
  if (kind === 'add') {
    const times = { startedAt: now - minutes * MINUTE, endedAt: now }
    return [newEntry({ id, taskId: 'call', ...times }, now)]
  }
  const living = entries.filter(({ deletedAt }) => deletedAt === null)
  const entry = kind === 'restore' ? entries[which % entries.length] : living[which % living.length]
  if (!entry) return []
  const { startedAt, endedAt } = entry
  const middle = Math.round((startedAt + endedAt) / 2 / MINUTE) * MINUTE
  switch (kind) {
    case 'note':
      return [editEntry(entry, { note: `note ${minutes}` }, now)]
    case 'end':
      return [
        editEntry(
          entry,
          { endedAt: Math.max(startedAt + MINUTE, endedAt + (minutes - 4) * MINUTE) },
          now,
        ),
      ]
    case 'start':
      return [
        editEntry(
          entry,
          { startedAt: Math.min(endedAt - MINUTE, startedAt + (minutes - 4) * MINUTE) },
          now,
        ),
      ]
    case 'pauses':
      return [
        editEntry(
          entry,
          { pauses: middle > startedAt ? [{ start: startedAt, end: middle }] : [] },
          now,
        ),
      ]
    case 'task':
      return [editEntry(entry, { taskId: minutes % 2 === 0 ? 'read' : 'call' }, now)]
    case 'split':
      return startedAt < middle && middle < endedAt && entry.durationSeconds > 1
        ? splitEntry(entry, middle, id, now)
        : []
    case 'merge':
      return mergeEntries(
        [entry, ...living.filter((each) => each.taskId === entry.taskId).slice(0, 1)].filter(
          (each, place, all) => all.indexOf(each) === place,
        ),
        now,
      )
    case 'delete':
      return [deleteEntry(entry, now)]
    case 'restore':
      return [{ before: entry, after: { ...entry, deletedAt: null, updatedAt: now } }]
    default:
      return []
  }
}

function play(steps: readonly Step[], isRestored: boolean) {
  let now = NINE
  let backend = new TestBackend()
  let backup = backend.copy()
  const devices = [new TestDevice('a', backend), new TestDevice('b', backend)] as const
  const inverses: (RecordChanges | null)[] = [null, null]
  for (const step of steps) {
    const { device: place, kind, minutes } = step
    now += minutes * MINUTE
    const device = devices[place]
    if (!device) continue
    const { view, timer } = device
    const entries = view.entries.all().toSorted((a, b) => a.startedAt - b.startedAt)
    const edits = EDITS.some((each) => each === kind) ? changesOf(step, entries, now) : []
    const [question] = device.questions
    const back = inverses[place]
    if (edits.length > 0)
      inverses[place] = device.write(now, (draft) => applyChanges(draft, { entries: edits }, now))
    if (kind === 'take back' && back && !isChangedSince(view, back))
      inverses[place] = device.write(now, (draft) => applyChanges(draft, back, now))
    if (kind === 'answer' && question)
      device.write(now, (draft) => answerQuestion(draft, question, minutes % 2 === 0, now))
    if (kind === 'discard' && timer && minutes > 5) {
      const session = view.sessions.all().find(({ id }) => id === timer.sessionId)
      const state = { kind: 'active', timer } as const
      if (session)
        device.write(now, (draft) =>
          discardSession(
            draft,
            { id: session.id, createdAt: 0, updatedAt: 0, device: null, log: null, state },
            now,
          ),
        )
    }
    if (kind === 'move' && timer) {
      const change = { startedAt: timer.startedAt + (minutes - 4) * MINUTE }
      const { sessionId } = timer
      device.write(now, (draft) => applyChanges(draft, { timer: { sessionId, change } }, now))
    }
    if (kind === 'type' && timer)
      device.write(now, (draft) => setNote(draft, timer.sessionId, `typed ${minutes}`, now))
    if (kind === 'begin') device.start(now, minutes % 2 === 0 ? 'write' : 'read')
    if (kind === 'pause') device.pause(now)
    if (kind === 'resume') device.resume(now)
    if (kind === 'stop') device.stop(now)
    if (kind === 'undo') device.undoStop(now)
    if (kind === 'pull') device.pull(now)
    if (kind === 'send') device.send(now)
    if (kind === 'lose') device.send(now, 'answer')
    if (kind === 'back up') backup = backend.copy()
    if (kind === 'restore backup' && isRestored) {
      backend = backup.copy()
      for (const each of devices) each.backend = backend
    }
  }
  now += MINUTE
  exchange(now, ...devices)
  return { devices, now }
}

test.each([false, true])(
  'Two devices that time and edit at random and exchange documents end alike (restored backend: %s)',
  (isRestored) => {
    fc.assert(
      fc.property(STEPS, (steps) => {
        const { devices } = play(steps, isRestored)
        const [one, other] = devices.map(stateOf)
        expect(one).toEqual(other)
        expect(one?.entries).toEqual(one?.there)
        expect(one?.unsent).toEqual([])
        // No time of a session counts twice, unless its owner has typed so.
        const isTyped = steps.some(({ kind }) => kind === 'start' || kind === 'end')
        const living =
          one?.entries.filter(
            ({ deletedAt, entryType }) => !isTyped && deletedAt === null && entryType === 'timer',
          ) ?? []
        for (const sessionId of new Set(living.map((each) => each.sessionId))) {
          const parts = living.filter((each) => each.sessionId === sessionId).map(workOf)
          expect(totalMilliseconds(union(...parts))).toBe(totalMilliseconds(parts.flat()))
        }
      }),
      { numRuns: RUNS },
    )
  },
)

function workOf({ startedAt, endedAt, pauses }: TimeEntry) {
  return intervalsBetween(pauses.intervals, { start: startedAt, end: endedAt })
}

test.each([false, true])(
  'A device that answers every question is asked no more on either device (answer: %s)',
  (isWork) => {
    fc.assert(
      fc.property(STEPS, (steps) => {
        const { devices, now } = play(steps, true)
        const [one, other] = devices
        one.write(now + MINUTE, (draft) => {
          for (const question of one.questions)
            answerQuestion(draft, question, isWork, now + MINUTE)
        })
        exchange(now + 2 * MINUTE, one, other)
        expect([one.questions, other.questions]).toEqual([[], []])
        expect(stateOf(one)).toEqual(stateOf(other))
      }),
      { numRuns: RUNS },
    )
  },
)
