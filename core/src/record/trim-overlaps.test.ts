import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { acceptance } from './accepted-findings.ts'
import { checkHealth } from './data-health.ts'
import type { Finding } from './data-health.ts'
import { invertChanges } from './entry-change.ts'
import type { EntryChange } from './entry-change.ts'
import { ENTRY } from './time-entry.ts'
import type { TimeEntry } from './time-entry.ts'
import { trimOverlaps } from './trim-overlaps.ts'
import type { OverlapTrim } from './trim-overlaps.ts'
import { testEntry, testEntryOfStretches, testTask } from '#test/entries.ts'

const MINUTE = 60_000
const TASKS = [testTask('Write'), testTask('Read')]
const NOW = Date.parse('2026-03-20T12:00:00Z')

function at(time: string): number {
  return Date.parse(`2026-03-09T${time}Z`)
}

/** entry('a', '09:00', '10:00', 'read') */
function entry(id: string, from: string, to: string, taskId = 'write'): TimeEntry {
  return testEntry({ id, taskId, start: at(from), end: at(to) })
}

function healthOf(entries: readonly TimeEntry[]): readonly Finding[] {
  return checkHealth(entries, TASKS, NOW)
}

function trimOf(
  entries: readonly TimeEntry[],
  isAccepted: (finding: Finding) => boolean = () => false,
): OverlapTrim {
  let made = 0
  const findings = healthOf(entries)
  return trimOverlaps(
    findings.filter((finding) => !isAccepted(finding)),
    findings.filter((finding) => isAccepted(finding)),
    () => `new-${++made}`,
    NOW,
  )
}

/** Returns the record after the changes, deleted entries included. */
function saved(entries: readonly TimeEntry[], changes: readonly EntryChange[]): TimeEntry[] {
  const byId = new Map(entries.map((one) => [one.id, one]))
  for (const { after } of changes) byId.set(after.id, after)
  return [...byId.values()]
}

function living(entries: readonly TimeEntry[]): TimeEntry[] {
  return entries.filter(({ deletedAt }) => deletedAt === null)
}

function secondsOf(entries: readonly TimeEntry[]): number {
  return living(entries).reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
}

/** 'a 09:00–10:00' of each entry that is left, by start. */
function left(entries: readonly TimeEntry[]): string[] {
  return living(saved(entries, trimOf(entries).changes))
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(({ id, startedAt, endedAt }) => {
      const [start, end] = [startedAt, endedAt].map((instant) =>
        new Date(instant).toISOString().slice(11, 16),
      )
      return `${id} ${start}–${end}`
    })
}

test.each([
  ['nothing', '', ''],
  ['one entry', 'a 09:00–10:00', 'a 09:00–10:00'],
  ['ends that touch', 'a 09:00–10:00, b 10:00–11:00', 'a 09:00–10:00, b 10:00–11:00'],
  ['the earlier of two', 'a 09:00–10:30, b 10:00–11:00', 'a 09:00–10:00, b 10:00–11:00'],
  ['two that begin together', 'a 09:00–09:30, b 09:00–10:00', 'a 09:00–09:30, b 09:30–10:00'],
  [
    'an entry around two others',
    'a 09:00–12:00, b 10:00–10:30, c 11:00–11:30',
    'a 09:00–10:00, b 10:00–10:30, new-1 10:30–11:00, c 11:00–11:30, new-2 11:30–12:00',
  ],
  [
    'a chain of three',
    'a 09:00–11:00, b 10:00–12:00, c 10:30–13:00',
    'a 09:00–10:00, b 10:00–10:30, c 10:30–13:00',
  ],
  [
    'an entry of which nothing is left',
    'a 09:00–11:00, b 09:00–10:00, c 10:00–11:00',
    'b 09:00–10:00, c 10:00–11:00',
  ],
  ['two tasks with the same times', 'a 09:00–10:00, b 09:00–10:00 read', 'b 09:00–10:00'],
  [
    'duplicates of an entry that overlaps',
    'a 09:00–11:00, a2 09:00–11:00, b 10:00–12:00',
    'a 09:00–10:00, b 10:00–12:00',
  ],
])('Trimming all overlaps of %s leaves these', (_, there, expected) => {
  const entries = there.split(', ').flatMap((each) => {
    const [id = '', from, to = '', taskId] = each.split(/[ –]/)
    return from === undefined ? [] : [entry(id, from, to, taskId)]
  })
  expect(left(entries).join(', ')).toBe(expected)
})

test('The preview says what is left of each entry, how much less it counts, and the sum', () => {
  const entries = [entry('a', '09:00', '12:00'), entry('b', '10:00', '11:00', 'read')]
  const { trimmed, seconds } = trimOf(entries)
  expect(trimmed).toMatchObject([
    {
      entry: { id: 'a' },
      parts: [
        { startedAt: at('09:00'), endedAt: at('10:00') },
        { startedAt: at('11:00'), endedAt: at('12:00') },
      ],
      seconds: 3600,
    },
  ])
  expect(seconds).toBe(3600)
})

test('An entry that counts fewer seconds than its times hold gains none', () => {
  const short = testEntry({ start: at('09:00'), end: at('10:30'), durationSeconds: 60 })
  const entries = [short, entry('b', '10:00', '11:00')]
  expect(secondsOf(saved(entries, trimOf(entries).changes))).toBe(3660)
})

test('Accepted overlaps stay, and stay accepted when another overlap trims one of the two', () => {
  const entries = [
    entry('a', '09:00', '12:00'),
    entry('b', '09:30', '11:30', 'read'),
    entry('c', '10:00', '10:30'),
  ]
  const accepted = new Set(['overlap:a:b:7200'])
  const trim = trimOf(entries, (finding) => accepted.has(acceptance(finding)))
  const after = living(saved(entries, trim.changes))
  // Of the three hours only those that 'c' worked are given up.
  expect(secondsOf(after)).toBe(9000 + 5400 + 1800)
  const overlaps = healthOf(after).filter(({ kind }) => kind === 'overlap')
  expect(overlaps.map(acceptance).toSorted()).toEqual(trim.accepted.toSorted())
  expect(overlaps.map(({ seconds }) => seconds)).toEqual([3600, 1800])
})

test('Parts of two entries that worked in each other’s pauses are no duplicates', () => {
  const entries = [
    pausedEntry([240, 241, 562, 563], 'write'),
    pausedEntry([0, 1, 561, 563], 'read'),
    pausedEntry([60, 242, 563, 564], 'read'),
  ]
  const after = living(saved(entries, trimOf(entries).changes))
  expect(healthOf(after).filter(({ kind }) => kind === 'duplicate')).toEqual([])
})

/** Returns an entry by its start, the start and end of its pause, and its end, in seconds after nine. */
function pausedEntry(
  [start, pausedAt, resumedAt, end]: readonly [number, number, number, number],
  taskId: string,
): TimeEntry {
  const nine = at('09:00')
  return testEntry({
    taskId,
    start: nine + start * 1000,
    end: nine + end * 1000,
    pauses: [[nine + pausedAt * 1000, nine + resumedAt * 1000]],
  })
}

const anyEntry = fc
  .record({
    start: fc.integer({ min: 0, max: 6 * 60 }),
    stretches: fc.array(fc.integer({ min: 1, max: 60 * 60 }), { minLength: 1, maxLength: 5 }),
    unplacedShare: fc.constantFrom(0, 0, 0.3),
    taskId: fc.constantFrom('write', 'read'),
    milliseconds: fc.constantFrom(0, 0, 500, 999),
    missing: fc.constantFrom(0, 0, 1, 100),
  })
  .map(({ start, stretches, unplacedShare, taskId, milliseconds, missing }): TimeEntry => {
    const times = stretches.map((seconds) => seconds * 1000)
    const one = testEntryOfStretches(
      at('00:00') + start * MINUTE + milliseconds,
      times,
      unplacedShare,
      taskId,
    )
    return { ...one, durationSeconds: Math.max(0, one.durationSeconds - missing) }
  })

test('On any record no overlap is left but the accepted, no second is added, and Undo restores all', () => {
  fc.assert(
    fc.property(
      fc.array(anyEntry, { maxLength: 12 }),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      (entries, choices) => {
        const overlaps = healthOf(entries).filter(({ kind }) => kind === 'overlap')
        const kept = new Set(overlaps.filter((_, index) => choices[index]).map(acceptance))
        const isKept = (finding: Finding) => kept.has(acceptance(finding))
        const trim = trimOf(entries, isKept)
        const after = saved(entries, trim.changes)

        const allowed = new Set([...kept, ...trim.accepted])
        // Two accepted entries may become alike when others trim both.
        const kinds = kept.size > 0 ? ['overlap'] : ['overlap', 'duplicate']
        const rest = healthOf(after).filter(({ kind }) => kinds.includes(kind))
        expect(rest.map(acceptance).filter((key) => !allowed.has(key))).toEqual([])

        expect(secondsOf(entries) - secondsOf(after)).toBe(trim.seconds)
        for (const { entry: before, parts, seconds } of trim.trimmed) {
          expect(seconds).toBeGreaterThanOrEqual(0)
          expect(before.durationSeconds - secondsOf(parts)).toBe(seconds)
        }
        const changedIds = new Set(trim.trimmed.map(({ entry: { id } }) => id))
        const others = entries.filter(({ id }) => !changedIds.has(id))
        expect(others.map(({ id }) => after.find((one) => one.id === id))).toEqual(others)

        const undone = living(saved(after, invertChanges(trim.changes, NOW)))
        expect(undone.map(({ id }) => id).toSorted()).toEqual(
          entries.map(({ id }) => id).toSorted(),
        )
        for (const one of entries) {
          const restored = undone.find(({ id }) => id === one.id)
          expect(restored && ENTRY.differing(one, restored)).toEqual([])
        }
      },
    ),
    { numRuns: 1000 },
  )
})
