import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Finding, FindingKind } from './data-health.ts'
import { checkHealth } from './data-health.ts'
import { testEntry, testEntryOfStretches, testTask } from '#test/entries.ts'
import type { TimeEntry } from './time-entry.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-03-20T12:00:00Z')
const TASKS = [testTask('Write'), testTask('Read', 0, { isActive: false })]

function at(time: string): number {
  return Date.parse(`2026-03-09T${time}Z`)
}

function entry(id: string, from: string, to: string, fields: Partial<TimeEntry> = {}): TimeEntry {
  return { ...testEntry({ id, start: at(from), end: at(to) }), ...fields }
}

function found(kind: FindingKind, ...entries: TimeEntry[]): Finding[] {
  return checkHealth(entries, TASKS, NOW).filter((finding) => finding.kind === kind)
}

/** The record after the fix with that label. */
function mended(entries: readonly TimeEntry[], finding: Finding | undefined, label: string) {
  let made = 0
  const fix = finding?.fixes.find((one) => one.label === label)
  const changes = fix?.changes(() => `new-${++made}`, NOW) ?? []
  const byId = new Map(entries.map((one) => [one.id, one]))
  for (const { after } of changes) byId.set(after.id, after)
  return [...byId.values()].filter((one) => one.deletedAt === null)
}

test('A healthy record has no findings', () => {
  const entries = [
    entry('a', '09:00', '10:00'),
    entry('b', '10:00', '11:00', { taskId: 'read' }),
    entry('c', '00:00', '12:00', { deletedAt: NOW }),
  ]
  expect(checkHealth(entries, TASKS, NOW)).toEqual([])
})

test('Duplicates are found, and the first one is kept', () => {
  const entries = [
    entry('a', '09:00', '10:00', { createdAt: 3 }),
    entry('b', '09:00', '10:00', { createdAt: 1 }),
    entry('c', '09:00', '10:00', { createdAt: 2 }),
    entry('d', '09:00', '10:00', { taskId: 'read', deletedAt: NOW }),
  ]
  const [finding, ...others] = checkHealth(entries, TASKS, NOW)
  expect(others).toEqual([])
  expect(finding).toMatchObject({
    kind: 'duplicate',
    entries: [{ id: 'b' }, { id: 'c' }, { id: 'a' }],
    taskNames: ['Write', 'Write', 'Write'],
    seconds: 7200,
    fixes: [{ label: 'Delete 2 duplicates' }],
  })
  expect(mended(entries, finding, 'Delete 2 duplicates').map((one) => one.id)).toEqual(['b'])
})

test('Overlaps are found and can be trimmed on either side', () => {
  const entries = [entry('a', '09:00', '10:30'), entry('b', '10:00', '11:00', { taskId: 'read' })]
  const [finding] = found('overlap', ...entries)
  expect(finding).toMatchObject({
    key: 'overlap a b',
    taskNames: ['Write', 'Read (deleted)'],
    seconds: 1800,
  })
  expect(finding?.fixes.map((fix) => fix.label)).toEqual(['Trim the earlier', 'Trim the later'])
  expect(mended(entries, finding, 'Trim the earlier')[0]?.durationSeconds).toBe(3600)
  expect(mended(entries, finding, 'Trim the later')[1]?.durationSeconds).toBe(1800)
})

test('Overlaps of one task are found and can be merged', () => {
  const entries = [entry('a', '09:00', '12:00'), entry('b', '10:00', '11:00')]
  const [finding] = found('overlap', ...entries)
  expect(mended(entries, finding, 'Merge them')).toMatchObject([{ durationSeconds: 10_800 }])
  expect(mended(entries, finding, 'Trim the earlier')).toMatchObject([
    { id: 'a', durationSeconds: 3600 },
    { id: 'b' },
    { id: 'new-1', durationSeconds: 3600 },
  ])
})

test('Entries that do not end after they start are found', () => {
  const [finding] = found('backwards', entry('a', '09:00', '09:00', { durationSeconds: 3600 }))
  expect(finding).toMatchObject({ seconds: 3600 })
  const after = mended(finding?.entries ?? [], finding, 'End it after 1h 0m')
  expect(after).toMatchObject([{ durationSeconds: 3600 }])
  expect(checkHealth(after, TASKS, NOW)).toEqual([])
  const [empty] = found('backwards', entry('b', '09:00', '09:00'))
  expect(empty?.fixes.map((fix) => fix.label)).toEqual(['Delete it'])
  expect(mended(empty?.entries ?? [], empty, 'Delete it')).toEqual([])
})

test('Entries that count more seconds than their times hold are found', () => {
  const [finding] = found('seconds', entry('a', '09:00', '10:00', { durationSeconds: 5400 }))
  expect(finding).toMatchObject({ seconds: 1800 })
  const after = mended(finding?.entries ?? [], finding, 'Count 1h 0m')
  expect(after).toMatchObject([{ durationSeconds: 3600 }])
})

test('Entries that end further in the future than clocks differ are found', () => {
  const started = testEntry({ start: NOW - HOUR, end: NOW + HOUR })
  const [finding] = found('future', started)
  expect(finding).toMatchObject({ seconds: 3600 })
  expect(mended([started], finding, 'End it now')).toMatchObject([{ endedAt: NOW }])
  const [later] = found('future', testEntry({ start: NOW + HOUR, end: NOW + 2 * HOUR }))
  expect(later?.fixes.map((fix) => fix.label)).toEqual(['Delete it'])
  expect(found('future', testEntry({ start: NOW - HOUR, end: NOW + 59_000 }))).toEqual([])
})

test('Work of over twelve hours is found and can be ended after twelve hours of work', () => {
  expect(found('long', entry('a', '00:00', '12:00'))).toEqual([])
  const [finding] = found('long', entry('a', '00:00', '12:00:01'))
  expect(finding).toMatchObject({ seconds: 43_201 })
  const after = mended(finding?.entries ?? [], finding, 'End it after 12h 0m')
  expect(after).toMatchObject([{ durationSeconds: 43_200 }])
  expect(checkHealth(after, TASKS, NOW)).toEqual([])
})

test('Pauses do not count as long work, and neither do pauses of unknown time', () => {
  const [start, end] = [at('06:00'), at('22:00')]
  const pauses: [number, number][] = [[at('10:00'), at('11:00')]]
  const night = testEntry({ start, end, pauses })
  const rested = testEntry({ start, end, pauses, unplacedSeconds: 1800 })
  for (const [long, shorter] of [
    [night, at('19:00')],
    [rested, at('19:30')],
  ] as const) {
    const [finding] = found('long', long)
    expect(mended([long], finding, 'End it after 12h 0m')).toMatchObject([
      { endedAt: shorter, durationSeconds: 43_200 },
    ])
  }
})

test('Entries of a missing task are found, as one finding for each task', () => {
  const entries = [
    entry('a', '09:00', '10:00', { taskId: 'gone' }),
    entry('b', '11:00', '12:00', { taskId: 'gone' }),
    entry('c', '13:00', '14:00', { taskId: 'lost' }),
  ]
  expect(found('unknown-task', ...entries)).toMatchObject([
    { entries: [{ id: 'c' }], taskNames: ['Unknown task'] },
    { entries: [{ id: 'b' }, { id: 'a' }], seconds: 7200, fixes: [] },
  ])
})

describe('for any record', () => {
  const anyEntry = fc
    .tuple(
      fc.integer({ min: NOW - 40 * HOUR, max: NOW + 2 * HOUR }),
      fc.array(fc.integer({ min: 0, max: 5 * HOUR }), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(0, 0.5),
      fc.constantFrom('write', 'read', 'gone'),
    )
    .map((parts) => testEntryOfStretches(...parts))

  test('Every fix removes its finding, for any record', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 6 }), fc.boolean(), (made, doubled) => {
        const copies = made.map((one) => ({ ...one, id: `copy of ${one.id}` }))
        const entries = doubled ? [...made, ...copies] : made
        for (const finding of checkHealth(entries, TASKS, NOW)) {
          for (const fix of finding.fixes) {
            const after = checkHealth(mended(entries, finding, fix.label), TASKS, NOW)
            expect(after.map((one) => one.key)).not.toContain(finding.key)
          }
        }
      }),
    )
  })
})
