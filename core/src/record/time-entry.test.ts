import { expect, test } from 'vitest'
import { COLLECTIONS } from '#collections.ts'
import { testEntryDocument } from '#test/documents.ts'
import { testEntry } from '#test/entries.ts'
import {
  entryAttributes,
  entryFromDocument,
  entryFromStopped,
  entryFromTimer,
  NEW_ENTRY,
} from './time-entry.ts'
import { pauseTimer, startTimer, stopTimer, workedSeconds } from '#timer/timer.ts'

const start = Date.UTC(2026, 0, 1, 23, 10)
const MINUTE = 60_000

/** A document as another client sends it: the required fields and no more. */
const sent = {
  taskId: 'write',
  userId: 'ada',
  startTime: '2026-01-01T23:10:00.000+00:00',
  endTime: '2026-01-02T00:40:00.000+00:00',
  durationSeconds: 5400,
}

test('An entry document reads as an entry', () => {
  const document = testEntryDocument('entry', sent, start + 90 * MINUTE)
  expect(entryFromDocument(document)).toEqual({
    ...NEW_ENTRY,
    id: 'entry',
    taskId: 'write',
    startedAt: start,
    endedAt: start + 90 * MINUTE,
    durationSeconds: 5400,
    pauses: { intervals: [], unplacedSeconds: 0 },
    entryType: 'timer',
    sessionId: null,
    note: null,
    log: null,
    deletedAt: null,
    createdAt: start + 90 * MINUTE,
    updatedAt: start + 90 * MINUTE,
  })
})

test('An entry document with less work than its span was paused at an unknown time', () => {
  const document = testEntryDocument('entry', { ...sent, durationSeconds: 3600 })
  expect(entryFromDocument(document).pauses).toEqual({ intervals: [], unplacedSeconds: 1800 })
})

test('An entry document keeps the recorded pauses, and the rest is unplaced', () => {
  const pauses = JSON.stringify([
    ['2026-01-01T23:00:00.000Z', '2026-01-01T23:20:00.000Z'],
    ['2026-01-02T00:30:00.000Z', '2026-01-02T00:35:00.000Z'],
  ])
  const document = testEntryDocument('entry', { ...sent, durationSeconds: 3600, pauses })
  expect(entryFromDocument(document).pauses).toEqual({
    intervals: [
      { start, end: start + 10 * MINUTE },
      { start: start + 80 * MINUTE, end: start + 85 * MINUTE },
    ],
    unplacedSeconds: 900,
  })
})

test('An entry document with odd milliseconds gets no pause from rounding', () => {
  const entry = testEntry({
    start,
    end: start + 5_400_700,
    pauses: [[start + 1000, start + 1_801_900]],
  })
  const document = testEntryDocument(entry.id, entryAttributes(entry, 'ada'))
  expect(entry.durationSeconds).toBe(3599)
  expect(entryFromDocument(document).pauses.unplacedSeconds).toBe(0)
})

test.each([
  [{ endTime: '2026-01-01T23:00:00.000Z' }, start, start],
  [{ endTime: 'never' }, start, start],
  [{ startTime: 'once', endTime: 'never' }, start + MINUTE, start + MINUTE],
])(
  'An entry document with impossible instants, %o, is an entry of no length',
  (fields, startedAt, endedAt) => {
    const document = testEntryDocument('entry', { ...sent, ...fields }, start + MINUTE)
    expect(entryFromDocument(document)).toMatchObject({ startedAt, endedAt, durationSeconds: 5400 })
  },
)

test('An entry document never has negative or fractional seconds', () => {
  const seconds = [-5, 1.9].map(
    (durationSeconds) =>
      entryFromDocument(testEntryDocument('entry', { ...sent, durationSeconds })).durationSeconds,
  )
  expect(seconds).toEqual([0, 1])
})

test('An entry to send has the date of its start and the id of its session', () => {
  const timer = pauseTimer(startTimer('session', 'write', start), start + 40 * MINUTE)
  const entry = entryFromStopped(stopTimer(timer, start + 90 * MINUTE))
  expect(entry.id).toBe('session')
  const attributes = entryAttributes({ ...entry, note: 'Draft', deletedAt: start }, 'ada')
  const all = Object.keys(COLLECTIONS.time_entries)
  expect(Object.keys(attributes).toSorted()).toEqual(all.toSorted())
  expect(attributes).toMatchObject({
    taskId: 'write',
    userId: 'ada',
    startTime: '2026-01-01T23:10:00.000Z',
    endTime: '2026-01-02T00:40:00.000Z',
    entryType: 'timer',
    durationSeconds: 2400,
    date: '2026-01-01T23:10:00.000Z',
    sessionId: 'session',
    pauses: '[["2026-01-01T23:50:00.000Z","2026-01-02T00:40:00.000Z"]]',
    note: 'Draft',
    deletedAt: '2026-01-01T23:10:00.000Z',
    log: null,
  })
})

test('An entry to send comes back unchanged', () => {
  const entry = {
    ...testEntry({ start, end: start + 90 * MINUTE, unplacedSeconds: 77 }),
    entryType: 'manual',
    note: 'Späti',
    deletedAt: start + 91 * MINUTE,
  }
  const document = testEntryDocument(entry.id, entryAttributes(entry, 'ada'), entry.createdAt)
  expect(entryFromDocument(document)).toEqual(entry)
  expect(workedSeconds(entry.startedAt, entry.endedAt, entry.pauses)).toBe(entry.durationSeconds)
})

test('The running timer as an entry equals the entry that it would leave if it stopped now', () => {
  const timer = startTimer('session', 'write', start)
  expect(entryFromTimer(timer, start + 90_500)).toEqual(
    entryFromStopped(stopTimer(timer, start + 90_500)),
  )
  expect(entryFromTimer(timer, start + 90_500)).toMatchObject({
    id: 'session',
    durationSeconds: 90,
    endedAt: start + 90_500,
  })
})
