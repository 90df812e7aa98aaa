/**
 * Version 2 itself wrote `fixtures/version-2.json`. The file has unsent work of every kind, refused
 * work and unreadable records.
 */
import { createTestApp } from '@stint/testing/test-app.ts'
import { deleteDB, openDB } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'

import { allEntries, createWorld } from '#test/devices.ts'
import type { World } from '#test/devices.ts'

import fixture from './fixtures/version-2.json' with { type: 'json' }
import { openRecord } from './record.ts'
import type { LocalRecord } from './record.ts'
import type { Edit } from '@stint/core/device/stored.ts'

const NAME = 'stint-of-version-2'
/** The time of the last press in the fixture. */
const NOW = 1_768_489_661_000
const OPTIONS = { clock: { now: () => NOW }, device: 'laptop' }

/** The stores of version 2 and their keys. */
const STORES = {
  tasks: { keyPath: 'id' },
  entries: { keyPath: 'id' },
  state: { keyPath: 'key' },
  outbox: { keyPath: 'sequence', autoIncrement: true },
  packs: { keyPath: 'position' },
  quarantine: { keyPath: 'id', autoIncrement: true },
} as const
type OldStore = keyof typeof STORES
const OLD_STORES: readonly OldStore[] = [
  'tasks',
  'entries',
  'state',
  'outbox',
  'packs',
  'quarantine',
]

let record: LocalRecord | null = null
let world: World | null = null

afterEach(async () => {
  vi.restoreAllMocks()
  record?.close()
  record = null
  await world?.close()
  world = null
  await deleteDB(NAME)
})

async function writeVersion2(): Promise<void> {
  const database = await openDB(NAME, fixture.version, {
    upgrade(opened) {
      for (const name of OLD_STORES) opened.createObjectStore(name, STORES[name])
    },
  })
  const transaction = database.transaction(OLD_STORES, 'readwrite')
  for (const name of OLD_STORES) {
    for (const stored of fixture.stores[name]) await transaction.objectStore(name).put(stored)
  }
  await transaction.done
  database.close()
}

async function readVersion2(): Promise<unknown> {
  const database = await openDB(NAME)
  const stores = await Promise.all(OLD_STORES.map((name) => database.getAll(name)))
  database.close()
  return stores
}

test('The migration from version 2 moves all data into the record, and nothing twice', async () => {
  await writeVersion2()
  record = await openRecord(NAME, OPTIONS)

  expect(
    record
      .tasks()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(['imported-task', 'offline-task', 'plan', 'read', 'write'])
  const readable = fixture.stores.entries.filter(({ id }) => id !== 'broken')
  const known = readable.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const withRevision = allEntries(record).map((entry) => ({
    ...entry,
    revision: expect.any(Number),
  }))
  expect(known).toEqual(withRevision)
  for (const key of ['timer', 'unfinished', 'gaps', 'seen', 'nudges'] as const) {
    const kept = fixture.stores.state.find((state) => state.key === key)
    expect(record.value(key)).toEqual(key === 'timer' ? { ...kept, base: null } : kept)
  }
  expect(record.value('banner')).toMatchObject({
    text: 'Timer stopped: No internet connection detected',
    action: { kind: 'track-offline', timer: { taskId: 'read', startedAt: 1_768_478_400_000 } },
  })
  expect(record.value('settings')?.prefs).toEqual({ theme: 'light', weekStart: 1, hourCycle: 12 })
  // The unreadable task is pulled again together with all others.
  expect(record.value('pull:tasks')?.complete).toBe(true)
  expect(record.value('pull:time_entries')).toBeUndefined()
  // One record was already put aside. An entry and a piece of work are added now.
  expect(await record.unreadableCount()).toBe(3)
})

test('The migration from version 2 queues unsent work or turns it into an edit with its base', async () => {
  await writeVersion2()
  record = await openRecord(NAME, OPTIONS)

  expect(
    record.view.operations
      .all()
      .map(({ operation, attempts, refused }) => [
        operation.kind === 'press' ? operation.press.kind : operation.kind,
        attempts,
        refused?.message ?? null,
      ]),
  ).toEqual([
    ['move', 2, null],
    ['stop', 2, null],
    ['start', 0, null],
    ['move', 0, null],
    ['stop', 0, null],
    ['discard', 0, null],
    ['discard', 0, null],
    ['move', 0, 'Invalid'],
    ['stop', 0, 'Invalid'],
    ['start', 0, null],
    ['pause', 0, null],
    ['resume', 0, null],
    ['move', 0, null],
  ])
  const told = record.view.edits.all().map(tell)
  expect(new Map(told)).toEqual(
    new Map([
      ['entry first', { base: { deletedAt: null }, changed: ['deletion'] }],
      ['entry edited', { base: { note: null }, changed: ['note'] }],
      ['entry edited-twice', { base: { note: null }, changed: ['note', 'times'] }],
      ['entry deleted', { base: { deletedAt: null }, changed: ['deletion'] }],
      ['entry added', { base: null, changed: ALL_PARTS }],
      ['entry retyped', { base: null, changed: ['note'] }],
      ['entry future', { base: null, changed: ALL_PARTS, refused: false }],
      ['entry too-much', { base: null, changed: ALL_PARTS, refused: true }],
      ['entry split', { base: { taskId: 'write' }, changed: ['task'], wasSent: true }],
      ['task offline-task', { base: null, changed: TASK_FIELDS }],
      ['task waiting-task', { base: null, changed: TASK_FIELDS, isHidden: true, wasSent: true }],
      ['task imported-task', { base: null, changed: TASK_FIELDS }],
      [
        'task plan',
        {
          base: { name: 'Plan', goalHours: 8, category: 'Development' },
          changed: ['category', 'goalHours', 'name'],
        },
      ],
      ['task read', { base: null, changed: ['isActive'] }],
      ['settings settings', { base: { weekStart: 1 }, changed: ['hourCycle', 'theme'] }],
    ]),
  )
})

const ALL_PARTS = ['deletion', 'note', 'task', 'times', 'type']
const TASK_FIELDS = ['category', 'color', 'goalHours', 'isActive', 'name']

/**
 * Returns the parts of an edit that are not default. Of the base, it returns the parts that differ
 * from the local state.
 */
function tell(edit: Edit): [string, object] {
  const here = record?.view
  const thing =
    edit.kind === 'task'
      ? here?.tasks.get(edit.id)
      : edit.kind === 'entry'
        ? here?.entries.get(edit.id)
        : here?.value('settings')?.prefs
  const now = new Map(Object.entries(thing ?? {}))
  const base =
    edit.base &&
    Object.fromEntries(
      Object.entries(edit.base).filter(
        ([name, value]) =>
          !TIMES.includes(name) && (edit.kind === 'settings' || now.get(name) !== value),
      ),
    )
  return [
    `${edit.kind} ${edit.id}`,
    {
      base,
      changed: Object.keys(edit.changedAt).toSorted(),
      ...(edit.refused ? { refused: edit.refused.isOverQuota } : {}),
      ...(edit.isHidden ? { isHidden: true } : {}),
      ...(edit.sent.length > 0 ? { wasSent: true } : {}),
    },
  ]
}

/** These fields are one part and change together. */
const TIMES = ['updatedAt', 'startedAt', 'endedAt', 'durationSeconds', 'pauses', 'revision']

test('Unsent work of version 2 reaches the server with its original meaning', async () => {
  const server = await createTestApp()
  world = await createWorld(server)
  const { user } = world
  const create = (collection: string, documentId: string, data: object) =>
    user.call('POST', `/databases/stint/collections/${collection}/documents`, {
      documentId,
      data: { userId: user.id, ...data },
    })
  for (const [id, name] of [
    ['write', 'Write'],
    ['plan', 'Plan'],
    ['read', 'Read'],
  ]) {
    expect((await create('tasks', id ?? '', { name })).status).toBe(201)
  }
  for (const id of ['saved', 'edited', 'edited-twice', 'deleted', 'retyped', 'split']) {
    const entry = fixture.stores.entries.find((each) => each.id === id)
    if (!entry) throw new Error(`The fixture has no ${id}`)
    const endedAt = id === 'edited-twice' ? entry.endedAt + 60_000 : entry.endedAt
    const data = {
      taskId: 'write',
      entryType: 'manual',
      startTime: new Date(entry.startedAt).toISOString(),
      endTime: new Date(endedAt).toISOString(),
      durationSeconds: (endedAt - entry.startedAt) / 1000,
    }
    expect((await create('time_entries', id, data)).status).toBe(201)
  }
  const startTime = new Date(NOW - 4 * 3_600_000).toISOString()
  await create('timer_sessions', 'first', { taskId: 'write', startTime })
  // At this time nothing in the fixture lies in the future.
  server.clock.advance(NOW + 3_600_000 - server.clock.now())
  await writeVersion2()
  const device = await world.device('laptop', undefined, NAME)

  const entries = new Map((await world.stored('time_entries')).map((each) => [each.$id, each]))
  expect(entries.get('first')).toMatchObject({ taskId: 'plan', deletedAt: expect.any(String) })
  expect(entries.get('second')).toMatchObject({ taskId: 'plan', deletedAt: null })
  expect(entries.get('edited')).toMatchObject({ note: 'edited here', durationSeconds: 1800 })
  expect(entries.get('edited-twice')).toMatchObject({ note: 'twice', durationSeconds: 1740 })
  expect(entries.get('deleted')?.['deletedAt']).not.toBeNull()
  expect(entries.get('added')).toMatchObject({ note: 'by hand, corrected', durationSeconds: 3540 })
  expect(entries.get('retyped')).toMatchObject({ note: 'without a base' })
  expect(entries.get('split')).toMatchObject({ taskId: 'plan' })
  expect(entries.has('future')).toBe(false)
  expect(await world.stored('tasks')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ $id: 'plan', name: 'Plan less', goalHours: 3, category: 'Admin' }),
      expect.objectContaining({ $id: 'read', isActive: false }),
      expect.objectContaining({ $id: 'offline-task', name: 'Added offline' }),
      expect.objectContaining({ $id: 'waiting-task', name: 'Form is open' }),
      expect.objectContaining({ $id: 'imported-task', isActive: false, category: 'Research' }),
    ]),
  )
  expect((await user.call('GET', '/account/prefs')).body).toEqual({ theme: 'light', hourCycle: 12 })
  expect(await world.stored('timer_sessions')).toMatchObject([{ $id: 'fifth', isRunning: true }])
  // Refused work stays and is counted.
  expect(device.record.unsaved()).toBe(3)
  expect(device.record.overQuota()).toBe(1)
  await server.close()
})

test('An interrupted upgrade changes nothing and can be repeated', async () => {
  await writeVersion2()
  const before = await readVersion2()
  // oxlint-disable-next-line typescript/unbound-method -- it is applied to each store
  const put = IDBObjectStore.prototype.put
  let puts = 0
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...input
  ) {
    puts += 1
    if (puts === 20) throw new DOMException('The disk is full', 'QuotaExceededError')
    return put.apply(this, input)
  })
  await expect(openRecord(NAME, OPTIONS)).rejects.toThrow(/abort/i)
  expect(puts).toBeGreaterThanOrEqual(20)
  vi.restoreAllMocks()
  expect(await readVersion2()).toEqual(before)

  record = await openRecord(NAME, OPTIONS)
  expect(allEntries(record)).toHaveLength(fixture.stores.entries.length - 1)
  expect(record.view.operations.all()).toHaveLength(13)
})

function at(second: number): number {
  return NOW + second * 1000
}

test('The migration from version 30 turns the queue into presses and loses nothing', async () => {
  const running = { sessionId: 'now', taskId: 'write', startedAt: at(0), status: 'running' }
  const pauses = { intervals: [{ start: at(10), end: at(20) }], unplacedSeconds: 0 }
  const stopped = { ...running, sessionId: 'before', endedAt: at(-5), durationSeconds: 5 }
  const database = await openDB(NAME, 30, {
    upgrade(opened) {
      for (const name of ['tasks', 'values', 'edits', 'operations', 'pages', 'unreadable'])
        opened.createObjectStore(`record-${name}`, { autoIncrement: name === 'unreadable' })
    },
  })
  const values = [
    { key: 'timer', timer: { ...running, pauses }, phase: 'confirmed', device: null },
    {
      key: 'banner',
      text: 'Failed to pause timer',
      action: { kind: 'resume', stopped: { ...stopped, pauses } },
    },
    { key: 'progress', revision: 7, sequence: 9 },
  ]
  for (const value of values) await database.put('record-values', value, value.key)
  const operations = [
    { kind: 'stop', stopped: { ...stopped, startedAt: at(-20), pauses } },
    {
      kind: 'pause',
      timer: {
        ...running,
        status: 'paused',
        pausedAt: at(10),
        pauses: { ...pauses, intervals: [] },
      },
    },
    { kind: 'resume', timer: { ...running, pauses } },
    { kind: 'restate', sessionId: 'now' },
    { kind: 'discard', sessionId: 'failed' },
    { kind: 'teleport' },
  ]
  for (const [index, operation] of operations.entries()) {
    const sequence = index + 4
    const queued = { sequence, operation, attempts: 1, refused: null }
    await database.put('record-operations', queued, sequence)
  }
  database.close()
  record = await openRecord(NAME, OPTIONS)

  const queued = record.view.operations.all()
  expect(queued.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6])
  expect(queued.map(({ operation }) => operation)).toMatchObject([
    { kind: 'press', sessionId: 'before', press: { kind: 'move', to: { startedAt: at(-20) } } },
    { kind: 'stop', stopped: { endedAt: at(-5) }, base: null },
    { kind: 'press', sessionId: 'now', press: { kind: 'pause', at: at(10) } },
    { kind: 'press', sessionId: 'now', press: { kind: 'resume', at: at(20) } },
    { kind: 'press', sessionId: 'now', press: { kind: 'move', pauses: pauses.intervals } },
    { kind: 'discard', sessionId: 'failed' },
  ])
  expect(record.value('timer')).toMatchObject({ timer: { sessionId: 'now' }, base: null })
  expect(record.value('banner')).toMatchObject({ action: { kind: 'resume', gap: 'pause' } })
  expect(await record.unreadableCount()).toBe(1)
})
