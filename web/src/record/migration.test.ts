/**
 * `fixtures/version-31.json` was written by the code of version 31 itself: for each case the stores of a
 * browser, what its screens showed, and the rows of the server, on which the browser's last requests were lost.
 */
import { isText } from '@stint/core/guards.ts'
import { noteQuestions } from '@stint/core/device/note-asked.ts'
import { openQuestions, secondsAsked } from '@stint/core/device/questions.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { deleteDB, openDB } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'

import { createWorld } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { restore } from '#test/backup.ts'
import { closeServerOfFile } from '#test/server-of-file.ts'

import fixture from './fixtures/version-31.json' with { type: 'json' }
import { openRecord } from './record.ts'
import type { LocalRecord } from './record.ts'

type Case = keyof typeof fixture
const CASES = [
  'work',
  'paused',
  'answer-lost',
  'failed-start',
  'failed-start-given-up',
  'failed-pause',
  'failed-resume',
  'offers',
  'refused',
] as const satisfies readonly Case[]
const STORES = ['tasks', 'values', 'edits', 'operations', 'pages', 'unreadable'] as const

let record: LocalRecord | null = null
let world: World | null = null
let name = ''

afterEach(async () => {
  vi.restoreAllMocks()
  record?.close()
  record = null
  await world?.close()
  world = null
  // The rows of the fixture have numbers of their own.
  await closeServerOfFile()
  await deleteDB(name)
})

/** Writes the stores of a browser with version 31 into a new database. */
async function writeVersion31(of: Case): Promise<void> {
  name = `stint-of-version-31 ${of} ${crypto.randomUUID()}`
  const { version, stores } = fixture[of]
  const database = await openDB(name, version, {
    upgrade(opened) {
      for (const store of STORES)
        opened.createObjectStore(`record-${store}`, { autoIncrement: store === 'unreadable' })
    },
  })
  for (const store of STORES) {
    const rows: readonly (readonly unknown[])[] = stores[store]
    for (const [key, value] of rows)
      await database.put(`record-${store}`, value, isText(key) ? key : Number(key))
  }
  database.close()
}

async function readVersion31(): Promise<unknown> {
  const database = await openDB(name)
  const stores = await Promise.all(STORES.map((store) => database.getAll(`record-${store}`)))
  database.close()
  return stores
}

/** Opens the record as it is after the migration, with nothing sent. */
async function migrated(of: Case): Promise<LocalRecord> {
  await writeVersion31(of)
  const { now } = fixture[of]
  record = await openRecord(name, { clock: { now: () => now }, device: 'laptop' })
  record.ask = noteQuestions
  return record
}

/** Opens the record on a device whose server is as it was, and lets it send and fetch everything. */
async function synced(of: Case): Promise<{ device: Device; world: World }> {
  await writeVersion31(of)
  const { owner, now, server } = fixture[of]
  world = await createWorld()
  world.server.clock.advance(now + 5000 - world.server.clock.now())
  const { user } = world
  await restore(
    world.server,
    user.id,
    JSON.parse(JSON.stringify(server).replaceAll(owner, user.id)),
  )
  await user.call('PATCH', '/account/prefs', { prefs: prefsThere(of) })
  const device = await world.device('laptop', undefined, name)
  await device.sync.refresh()
  await device.sync.flush()
  return { device, world }
}

/** The preferences that the server had. */
function prefsThere(of: Case): object {
  const { stores, shown } = fixture[of]
  return stores.edits.some(([key]) => key === 'settings:settings') ? {} : shown.prefs
}

/** What a person sees of an entry. */
function seen(
  entry: Omit<TimeEntry, 'entryType' | 'log' | 'sessionId' | 'billable' | 'invoiced'> & {
    entryType: string
  },
) {
  const { id, taskId, startedAt, endedAt, durationSeconds, pauses, note, entryType } = entry
  return { id, taskId, startedAt, endedAt, durationSeconds, pauses, note, entryType }
}

test.each(CASES)('After the migration every screen shows what it showed: %s', async (of) => {
  const { shown } = fixture[of]
  const opened = await migrated(of)
  expect(opened.entries().map(seen)).toEqual(shown.entries.map(seen))
  expect(opened.value('timer')?.timer ?? null).toEqual(shown.timer)
  expect(tasksOf(opened)).toEqual(taskNames(of))
  expect(opened.value('settings')?.prefs ?? {}).toEqual(shown.prefs)
  expect(opened.value('banner')?.text).toEqual(shown.banner?.text)
  const cards = opened.value('unfinished')?.sessions ?? []
  expect(cards.map(({ id, state }) => [id, state])).toEqual(
    shown.unfinished.map(({ id, state }) => [id, state]),
  )
  expect(askedBy(opened)).toEqual(ASKED[of] ?? [])
  expect(opened.unsaved() > 0).toBe(shown.unsaved > 0)
  expect(await opened.unreadableCount()).toBe(0)
})

/** The seconds that are asked about. Time of which a late press counts already is not. */
const ASKED: Partial<Record<Case, readonly number[]>> = {
  'failed-start-given-up': [45],
  offers: [600],
}

function askedBy(opened: LocalRecord): readonly number[] {
  return openQuestions(opened).map(secondsAsked)
}

function taskNames(of: Case): ReadonlyMap<unknown, unknown> {
  return new Map(fixture[of].shown.tasks.map(([id, called]) => [id, called]))
}

function tasksOf(opened: LocalRecord): ReadonlyMap<string, string> {
  return new Map(opened.tasks().map(({ id, name: called }) => [id, called]))
}

test.each(CASES)(
  'What version 31 had not sent reaches the server, and every device shows it: %s',
  async (of) => {
    const { shown } = fixture[of]
    const { device, world: there } = await synced(of)
    // What the server had refused waits for its owner.
    if (of === 'refused') await device.sync.retry()
    expect(device.record.unsaved()).toBe(0)
    for (const each of [device, await there.device('phone')]) {
      expect(each.record.entries().map(seen)).toEqual(shown.entries.map(seen))
      expect(each.record.value('timer')?.timer ?? null).toEqual(shown.timer)
      expect(tasksOf(each.record)).toEqual(taskNames(of))
      expect(each.record.value('settings')?.prefs).toEqual(shown.prefs)
    }
    const shownTimers = shown.timer ? [shown.timer.sessionId] : []
    const sessions = await there.stored('timer_sessions')
    expect(new Set(sessions.map(({ $id }) => $id))).toEqual(
      new Set([...shownTimers, ...shown.unfinished.map(({ id }) => id)]),
    )
    const deleted = (await there.stored('time_entries')).filter(
      (each) => each['deletedAt'] !== null,
    )
    expect(deleted.map(({ $id }) => $id)).toEqual(expect.arrayContaining([...(DELETED[of] ?? [])]))
  },
)

/** What was deleted, or undone, or failed: it stays as a deleted entry. */
const DELETED: Partial<Record<Case, readonly string[]>> = {
  work: ['deleted', 'second', 'discarded-at-once'],
  'failed-start': ['laptop-1768478400000-1'],
}

test('A queued operation of version 31 that cannot be read is put aside', async () => {
  await writeVersion31('paused')
  const database = await openDB(name)
  await database.put('record-operations', { sequence: 99, operation: { kind: 'teleport' } }, 99)
  await database.put('record-values', { key: 'offers', offers: [{ why: 'unknown' }] }, 'offers')
  database.close()
  const { now, shown } = fixture.paused
  record = await openRecord(name, { clock: { now: () => now }, device: 'laptop' })
  expect(record.value('timer')?.timer).toEqual(shown.timer)
  expect(await record.unreadableCount()).toBe(2)
})

test('An interrupted upgrade changes nothing and can be repeated', async () => {
  await writeVersion31('work')
  const before = await readVersion31()
  // oxlint-disable-next-line typescript/unbound-method -- it is applied to each store
  const put = IDBObjectStore.prototype.put
  let puts = 0
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...input
  ) {
    puts += 1
    if (puts === 5) throw new DOMException('The disk is full', 'QuotaExceededError')
    return put.apply(this, input)
  })
  const { now, shown } = fixture.work
  const options = { clock: { now: () => now }, device: 'laptop' }
  await expect(openRecord(name, options)).rejects.toThrow(/abort/i)
  expect(puts).toBeGreaterThanOrEqual(5)
  vi.restoreAllMocks()
  expect(await readVersion31()).toEqual(before)

  record = await openRecord(name, options)
  expect(record.entries().map(seen)).toEqual(shown.entries.map(seen))
})
