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
import { createTestApp } from '@stint/testing/test-app.ts'
import type { Intercept, TestApp } from '@stint/testing/test-app.ts'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { backUp, restore } from '#test/backup.ts'
import { allEntries, createWorld, offline, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { HOUR } from '#test/edits.ts'
import { applyChanges } from '@stint/core/device/changes.ts'
import type { RecordChanges } from '@stint/core/device/changes.ts'

/** The number of runs. Set CHANGE_RUNS=1000 for a long run. */
const RUNS = runsOf('CHANGE_RUNS', 8, 25)

let server: TestApp

beforeAll(async () => {
  server = await createTestApp()
  // Nothing happens automatically, because every request to the server is a step.
  vi.stubGlobal('addEventListener', () => undefined)
})

afterAll(async () => {
  vi.unstubAllGlobals()
  await server.close()
})

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
      const world = await createWorld(server)
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

interface SharedStep extends Step {
  readonly device: number
  /** An event besides the change: the server is backed up, or restored from its last backup. */
  readonly server: 'nothing' | 'back up' | 'restore'
  /** Whether the answers are lost although the server has received the requests. */
  readonly losesAnswers: boolean
  readonly minutes: number
}

const SHARED_STEPS = fc.array(
  fc.record<SharedStep>({
    operation: fc.constantFrom('add', 'add', 'edit', 'note', 'split', 'merge', 'delete'),
    pick: fc.double({ min: 0, max: 0.999, noNaN: true }),
    share: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
    online: fc.boolean(),
    undo: fc.constant(false),
    device: fc.nat({ max: 2 }),
    server: fc.constantFrom('nothing', 'nothing', 'nothing', 'back up', 'restore'),
    losesAnswers: fc.constantFrom(false, false, true),
    minutes: fc.nat({ max: 3 }),
  }),
  { minLength: 3, maxLength: 20 },
)

const QUIET: SharedStep = {
  operation: 'add',
  pick: 0,
  share: 0.05,
  online: true,
  undo: false,
  device: 0,
  server: 'nothing',
  losesAnswers: false,
  minutes: 0,
}

/** A restored server has lost the second half of a split, and a merge deletes that half. */
const MERGED_AFTER_LOSS: SharedStep[] = [
  QUIET,
  { ...QUIET, online: false, server: 'back up' },
  { ...QUIET, operation: 'split', device: 2 },
  { ...QUIET, online: false },
  { ...QUIET, operation: 'merge', device: 2, server: 'restore' },
  { ...QUIET, online: false },
]

test('Three devices have the same record, whatever a restored server has lost in between', async () => {
  await fc.assert(
    fc.asyncProperty(SHARED_STEPS, async (steps) => {
      const world = await createWorld(server)
      try {
        await world.createTask('Write')
        const devices = [
          await world.device('laptop'),
          await world.device('phone'),
          await world.device('desk'),
        ]
        let backup = await backUp(server, world.user.id)
        const confirmed = new Set<string>()
        for (const [index, step] of steps.entries()) {
          const device = devices[step.device]
          if (!device) continue
          server.clock.advance(1 + step.minutes * 60_000)
          if (step.server === 'back up') backup = await backUp(server, world.user.id)
          if (step.server === 'restore') await restore(server, world.user.id, backup)
          device.intercept(interceptOf(step))
          if (step.online) await device.sync.refresh()
          const now = server.clock.now()
          const entries = device.record.entries()
          const newId = `${device.record.device}-${index}-${world.user.id}`
          const changes = changesOf(step, entries, newId, now)
          await device.press((draft) => applyChanges(draft, { entries: changes }, now))
          await device.sync.flush()
          for (const id of device.record.entryIds()) {
            const edit = device.record.view.edit('entry', id)
            if (!edit || edit.base !== null) confirmed.add(id)
          }
        }
        for (const device of devices) device.intercept(undefined)
        for (let round = 0; round < 3; round += 1) {
          for (const device of devices) {
            server.clock.advance(1)
            await device.sync.refresh()
            await device.sync.flush()
          }
        }

        const fresh = await world.device('fresh')
        for (const device of devices) {
          expect(unsentCount(device.record)).toBe(0)
          expect(await record(device)).toEqual(await record(fresh))
        }
        // No document is missing that the backend once had, because deleted ones are kept with the
        // time of deletion.
        const removed = [...confirmed].filter((id) => !fresh.record.entryIds().includes(id))
        expect(removed).toEqual([])
      } finally {
        await world.close()
      }
    }),
    { numRuns: RUNS, examples: [[MERGED_AFTER_LOSS]] },
  )
})

function interceptOf({ online, losesAnswers }: SharedStep): Intercept | undefined {
  if (!online) return offline()
  if (!losesAnswers) return undefined
  return async (request, send) => {
    const answer = await send()
    if (request.method === 'GET') return answer
    throw new TypeError('Failed to fetch')
  }
}

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
