import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { deleteEntry } from '@stint/core/record/entry-change.ts'
import {
  duplicateEntry,
  editEntry,
  mergeEntries,
  moveEntry,
  newEntry,
  splitEntry,
} from '@stint/core/record/entry-edit.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { quickStats } from '@stint/core/reports/quick-stats.ts'
import { entryAttributes } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { runsOf } from '@stint/testing/size.ts'
import type { TestApp } from '@stint/testing/test-app.ts'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { allEntries, createWorld, offline, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { HOUR } from '#test/edits.ts'
import { serverOfFile } from '#test/server-of-file.ts'
import { applyChanges } from '@stint/core/device/changes.ts'
import type { RecordChanges } from '@stint/core/device/changes.ts'

/** The number of runs. Set CHANGE_RUNS=1000 for a long run. */
const RUNS = runsOf('CHANGE_RUNS', 8, 25)

let server: TestApp

beforeAll(async () => {
  server = await serverOfFile()
  // Nothing happens automatically, because every request to the server is a step.
  vi.stubGlobal('addEventListener', () => undefined)
})

afterAll(() => void vi.unstubAllGlobals())

type Operation = 'add' | 'edit' | 'note' | 'move' | 'split' | 'merge' | 'duplicate' | 'delete'

interface Step {
  readonly operation: Operation
  /** Selects an entry, and a place within it or a length, from 0 to 1. */
  readonly pick: number
  readonly share: number
  readonly online: boolean
  readonly undo: boolean
}

const STEPS = fc.array(
  fc.record<Step>({
    operation: fc.constantFrom(
      'add',
      'add',
      'edit',
      'note',
      'move',
      'split',
      'merge',
      'duplicate',
      'delete',
    ),
    pick: fc.double({ min: 0, max: 0.999, noNaN: true }),
    share: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
    online: fc.boolean(),
    undo: fc.boolean(),
  }),
  { minLength: 1, maxLength: 14 },
)

test('A fresh device has the same record and figures after any changes and undos', async () => {
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      const world = await createWorld()
      try {
        await world.createTask('Write')
        const device = await world.device('laptop')
        for (const [index, step] of steps.entries()) {
          device.intercept(step.online ? undefined : offline())
          await take(world, device, step, index)
        }
        device.intercept(undefined)
        await device.sync.refresh()

        expect(unsentCount(device.record)).toBe(0)
        const fresh = await world.device('phone')
        expect(await record(fresh)).toEqual(await record(device))
        expect(await figures(fresh)).toEqual(await figures(device))
      } finally {
        await world.close()
      }
    }),
    { numRuns: RUNS },
  )
})

/**
 * Applies one change. With `step.undo`, also undoes it after a send to the server. The undo must
 * restore the record.
 */
async function take(world: World, device: Device, step: Step, index: number): Promise<void> {
  world.server.clock.advance(60_000)
  const now = world.server.clock.now()
  const entries = allEntries(device.record)
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
  const before = await record(device)
  const changes = changesOf(step, entries, `${device.record.device}-${index}`, now)
  const inverse = await device.press((draft) => applyChanges(draft, { entries: changes }, now))
  await device.sync.flush()
  if (step.undo) await undo(device, inverse, before, now)
}

async function undo(
  device: Device,
  inverse: RecordChanges,
  before: unknown,
  now: number,
): Promise<void> {
  await device.press((draft) => applyChanges(draft, inverse, now + 1))
  await device.sync.flush()
  expect(await record(device)).toEqual(before)
}

function changesOf(
  { operation, pick, share }: Step,
  entries: readonly TimeEntry[],
  newId: string,
  now: number,
): readonly EntryChange[] {
  const place = Math.floor(pick * entries.length)
  const entry = entries[place]
  if (operation === 'add' || !entry) {
    const startedAt = Math.round(now - HOUR - pick * 48 * HOUR)
    const endedAt = Math.round(startedAt + share * HOUR)
    return [newEntry({ id: newId, taskId: 'write', startedAt, endedAt }, now)]
  }
  const span = entry.endedAt - entry.startedAt
  const at = Math.round(entry.startedAt + share * span)
  switch (operation) {
    case 'edit': {
      const pause = { start: at, end: Math.min(entry.endedAt, at + 60_000) }
      return [editEntry(entry, { startedAt: entry.startedAt - 1234, pauses: [pause] }, now)]
    }
    case 'note':
      return [editEntry(entry, { note: `note ${share}` }, now)]
    case 'move':
      return [moveEntry(entry, 'plan', now)]
    case 'split':
      return entry.durationSeconds > 2 && at > entry.startedAt && at < entry.endedAt
        ? splitEntry(entry, at, newId, now)
        : []
    case 'merge': {
      const next = entries[place + 1]
      return next ? mergeEntries([entry, next], now) : []
    }
    case 'duplicate':
      return [duplicateEntry(entry, newId, now)]
    case 'delete':
      return [deleteEntry(entry, now)]
  }
}

/** Returns every entry that counts, in its document form. An undo is an event, and stays in the log. */
async function record(device: Device): Promise<unknown> {
  const entries = allEntries(device.record)
  return entries
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((entry) => ({ id: entry.id, ...entryAttributes(entry, ''), log: null }))
}

async function figures(device: Device): Promise<unknown> {
  const entries = allEntries(device.record)
  const tasks = device.record.tasks()
  const now = server.clock.now()
  return quickStats({ entries, live: null, tasks, dayRule: dayRuleOf('America/New_York'), now })
}
