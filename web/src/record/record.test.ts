import { newEntry } from '@stint/core/record/entry-edit.ts'
import type { Prefs } from '@stint/core/settings.ts'
import { forceCloseDatabase } from 'fake-indexeddb'
import { deleteDB, openDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import { editKey } from '@stint/core/device/draft.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { emptyRecord } from './empty-record.ts'
import { openRecord } from './record.ts'
import type { LocalRecord } from './record.ts'
import { takeAnswer } from '@stint/core/device/take-in.ts'
import { addTask, changeTask } from '@stint/core/device/tasks.ts'
import { pause, start, stop } from '@stint/core/device/timer.ts'
import { acknowledgeSession } from '@stint/core/device/unsent-sessions.ts'

const NAME = 'stint-record-test'
const NOW = Date.UTC(2026, 0, 15, 12)

let now: number
let record: LocalRecord
let open: LocalRecord[]

beforeEach(async () => {
  now = NOW
  open = []
  record = await openTab()
})

afterEach(async () => {
  vi.restoreAllMocks()
  for (const each of open) each.close()
  await deleteDB(NAME)
})

async function openTab(): Promise<LocalRecord> {
  const tab = await openRecord(NAME, { clock: { now: () => now }, device: 'test' })
  open.push(tab)
  return tab
}

function entryIdsIn({ view }: LocalRecord): string[] {
  return view.entries.all().map(({ id }) => id)
}

function startTimer(tab: LocalRecord, sessionId: string, taskId = 'write'): Promise<unknown> {
  return tab.write((draft) => start(draft, { sessionId, taskId, device: 'test' }))
}

/** Adds an item to a list in the settings. */
function add(tab: LocalRecord, name: string): Promise<void> {
  const added = ({ list }: Prefs) => ({ list: [list, name].filter(Boolean).join(' ') })
  return tab.write((draft) => changePrefs(draft, added))
}

function addEntry(tab: LocalRecord, id: string): Promise<unknown> {
  const times = { startedAt: NOW - 7_200_000, endedAt: NOW - 3_600_000 }
  return tab.write((draft) =>
    applyChanges(draft, { entries: [newEntry({ id, taskId: 'write', ...times }, draft.now)] }),
  )
}

test('A press counts from its moment, however long the disk takes', async () => {
  const started = startTimer(record, 'first')
  now += 60_000
  const paused = record.write(pause)
  now += 60_000
  await Promise.all([started, paused])

  expect(record.value('timer')?.timer).toMatchObject({ startedAt: NOW, pausedAt: NOW + 60_000 })
})

test('A write notifies each listener once, and it notifies sync only of a press that adds work', async () => {
  let changes = 0
  let work = 0
  record.changes.subscribe(() => (changes += 1))
  record.work.subscribe(() => (work += 1))
  await startTimer(record, 'first')
  expect([changes, work]).toEqual([1, 1])

  await record.takeIn((draft) => draft.values.remove('banner'))
  expect([changes, work]).toEqual([1, 1])
  await record.takeIn(stop)
  expect([changes, work]).toEqual([2, 1])
})

test('A list stays the same object while nothing in it changes, so that no screen redraws it', async () => {
  await addEntry(record, 'by-hand')
  await addWrite('write', false)
  const [tasks, entries] = [record.tasks(), record.entries()]
  await startTimer(record, 'first')
  await add(record, 'tea')
  expect(record.tasks()).toBe(tasks)
  expect(record.entries()).toBe(entries)

  const hidden = { id: 'plan', name: 'Plan', isHidden: true }
  await record.write((draft) => addTask(draft, hidden))
  expect(record.tasks()).toBe(tasks)
  await record.write((draft) => addTask(draft, { ...hidden, isHidden: false }))
  expect(record.tasks().map(({ name }) => name)).toEqual(['Write', 'Plan'])
  now += 60_000
  await record.write(stop)
  expect(record.entries().map(({ id }) => id)).toEqual(['by-hand', 'first'])
})

test('A task of the same name that waits is added twice only if the person sees the first', async () => {
  expect(await addWrite('hidden', true)).toBe('hidden')
  expect(await addWrite('again', false)).toBe('hidden')
  expect(record.tasks()).toHaveLength(1)
  expect(await addWrite('insisted', false)).toBe('insisted')
  expect(record.tasks().map(({ name }) => name)).toEqual(['Write', 'Write'])
})

function addWrite(id: string, isHidden: boolean): Promise<string> {
  return record.write((draft) => addTask(draft, { id, name: 'Write', isHidden }))
}

/** Ends a connection as the browser does. */
function forceClose(connection: unknown): void {
  // The types of fake-indexeddb require the class of its connections instead of an instance.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the connection is one of fake-indexeddb
  forceCloseDatabase(connection as Parameters<typeof forceCloseDatabase>[0])
}

/** Makes every write to the disk fail. Returns a function that ends this. */
function fillDisk(): () => void {
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The disk is full', 'QuotaExceededError')
  })
  return () => put.mockRestore()
}

test('A change that cannot be stored is in memory and known to sync, and the next write stores it', async () => {
  await startTimer(record, 'first')
  expect(record.storageProblem()).toBeNull()
  let work = 0
  record.work.subscribe(() => (work += 1))
  const empty = fillDisk()
  now += 1000
  await record.write(stop)
  await addEntry(record, 'by-hand')

  expect(record.storageProblem()).toBe('unwritten')
  expect(record.value('timer')).toBeUndefined()
  expect(record.entries().map(({ id }) => id)).toEqual(['by-hand', 'first'])
  expect(entryIdsIn(record)).toEqual(['first', 'by-hand'])
  expect(record.view.edits.all().map(({ id }) => id)).toEqual(['first', 'by-hand'])
  expect(record.unsaved()).toBe(2)
  expect(work).toBe(2)
  expect((await openTab()).entries()).toEqual([])

  empty()
  await record.takeIn(() => undefined)
  expect(record.storageProblem()).toBeNull()
  const again = await openTab()
  expect(again.entries()).toEqual(record.entries())
  expect(again.value('timer')).toBeUndefined()
  expect(new Set(again.view.edits.all())).toEqual(new Set(record.view.edits.all()))
})

test('A change that could not be stored is stored automatically a few seconds later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const empty = fillDisk()
    await addEntry(record, 'by-hand')
    await vi.advanceTimersByTimeAsync(3000)
    await record.refresh()
    expect(record.storageProblem()).toBe('unwritten')
    empty()
    await vi.advanceTimersByTimeAsync(3000)
    await record.refresh()
    expect(record.storageProblem()).toBeNull()
  } finally {
    vi.useRealTimers()
  }
  expect((await openTab()).entries()).toHaveLength(1)
})

test('A change that one tab could not store is kept beside what another tab stored meanwhile', async () => {
  const other = await openTab()
  const empty = fillDisk()
  await startTimer(record, 'first')
  now += 1000
  await record.write(stop)
  await addEntry(record, 'here')
  empty()
  await startTimer(other, 'second', 'plan')
  now += 1000
  await other.write(stop)
  await addEntry(other, 'there')
  await record.takeIn(() => undefined)

  const again = await openTab()
  expect(entryIdsIn(again).toSorted()).toEqual(['first', 'here', 'second', 'there'])
  expect(entryIdsIn(record).toSorted()).toEqual(entryIdsIn(again).toSorted())
  expect(again.unsaved()).toBe(4)
})

test('A record whose database the browser has deleted is written again from memory', async () => {
  record.close()
  await emptyRecord(NAME, true)
  record = await openTab()
  await startTimer(record, 'first')
  await addEntry(record, 'by-hand')
  const other = await openTab()
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
  await Promise.all([record.refresh(), other.refresh()])
  const connections = new Set(begun.mock.contexts)
  // Browsers close the connections without asking before they delete the data.
  for (const each of connections) forceClose(each)
  await deleteDB(NAME)
  const problems = () => [record.storageProblem(), other.storageProblem()]
  await vi.waitFor(() => expect(problems()).toContain('deleted'))
  const again = await openTab()
  expect(again.value('timer')).toEqual(record.value('timer'))
  expect(again.entries().map(({ id }) => id)).toEqual(['by-hand'])
  expect(again.view.sessions.all()).toEqual(record.view.sessions.all())
  expect(again.view.edits.all()).toHaveLength(1)
  now += 1000
  await record.write(stop)
  await vi.waitFor(() => expect(other.entries()).toEqual(record.entries()))
  expect(record.entries()).toHaveLength(2)
  record.dismissStorageProblem()
  expect(record.storageProblem()).toBeNull()
})

test('A change that throws changes nothing', async () => {
  const broken = record.write((draft) => {
    draft.putValue({ key: 'banner', text: 'half', action: null })
    throw new Error('broken')
  })
  await expect(broken).rejects.toThrow('broken')
  expect(record.value('banner')).toBeUndefined()
  expect((await openTab()).value('banner')).toBeUndefined()
})

test('Another tab shows a write without asking for it', async () => {
  const other = await openTab()
  let told = 0
  other.changes.subscribe(() => (told += 1))
  await startTimer(record, 'first')
  await addEntry(record, 'by-hand')

  await vi.waitFor(() => expect(other.entries()).toEqual(record.entries()))
  expect(other.value('timer')).toEqual(record.value('timer'))
  expect(other.view.edits.all()).toEqual(record.view.edits.all())
  expect(other.unsaved()).toBe(2)
  expect(told).toBe(2)
})

test('Presses in two tabs at once are both kept, one after the other', async () => {
  const other = await openTab()
  await Promise.all([
    add(record, 'tea'),
    add(other, 'lunch'),
    add(record, 'nap'),
    add(other, 'walk'),
  ])
  await Promise.all([record.refresh(), other.refresh()])

  const { list } = record.value('settings')?.prefs ?? {}
  expect(String(list).trim().split(' ').toSorted()).toEqual(['lunch', 'nap', 'tea', 'walk'])
  expect(other.value('settings')).toEqual(record.value('settings'))
})

test('Two tabs that start different tasks at once leave one timer and save the other', async () => {
  const other = await openTab()
  await Promise.all([startTimer(record, 'first'), startTimer(other, 'second', 'plan')])
  await Promise.all([record.refresh(), other.refresh()])

  expect(other.value('timer')).toEqual(record.value('timer'))
  expect(record.view.sessions.all()).toHaveLength(1)
  expect(other.view.sessions.all()).toEqual(record.view.sessions.all())
})

test('A tab that received no messages for long reads the writes that it missed', async () => {
  const other = await openTab()
  // A frozen tab receives no messages.
  vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation(() => undefined)
  for (const id of ['one', 'two', 'three']) await addEntry(record, id)
  expect(other.entries()).toEqual([])
  vi.restoreAllMocks()
  await addEntry(record, 'four')

  await vi.waitFor(() => expect(other.entries()).toHaveLength(4))
  expect(other.entries()).toEqual(record.entries())
})

test('Unreadable records are put aside, and the data that the backend has is pulled again', async () => {
  await startTimer(record, 'first')
  await addEntry(record, 'kept')
  await addEntry(record, 'broken')
  await record.takeIn((draft) => {
    for (const key of ['pull:tasks', 'pull:time_entries'] as const) {
      draft.putValue({ key, complete: true, since: '2026-01-01T00:00:00.000Z' })
    }
  })
  record.close()
  const database = await openDB(NAME)
  const { rows } = await database.get('record-pages', 0)
  const page = { page: 0, rows: String(rows).replace(/("broken",\d+,\d+),"write"/, '$1,17') }
  await database.put('record-pages', page, 0)
  await database.put('record-values', { key: 'timer', timer: 'yesterday' }, 'timer')
  await database.put('record-sessions', { id: 'teleport', log: 9 }, 'teleport')
  await database.put('record-edits', 'half', 'entry:half')
  database.close()

  const again = await openTab()
  expect(again.value('timer')).toBeUndefined()
  expect(again.entries().map(({ id }) => id)).toEqual(['kept'])
  expect(again.view.sessions.all().map(({ id }) => id)).toEqual(['first'])
  expect(again.value('pull:tasks')?.complete).toBe(true)
  expect(again.value('pull:time_entries')).toBeUndefined()
  expect(await again.unreadableCount()).toBe(4)
  // The records must be put aside only once.
  again.close()
  const last = await openTab()
  expect(await last.unreadableCount()).toBe(4)
  expect(last.entries().map(({ id }) => id)).toEqual(['kept'])
})

test('A record from before a field existed gets the default of that field and stays unsent', async () => {
  await addWrite('write', false)
  await record.takeIn((draft) => {
    const task = draft.tasks.get('write')
    if (task) takeAnswer(draft, 'task', 'write', task)
  })
  await record.write((draft) => changeTask(draft, 'write', { name: 'Plan' }))
  record.close()
  const database = await openDB(NAME)
  const { goalHours: _, ...task } = await database.get('record-tasks', 'write')
  await database.put('record-tasks', task, 'write')
  const edit = await database.get('record-edits', 'task:write')
  const { goalHours: __, ...base } = edit.base
  await database.put('record-edits', { ...edit, base }, 'task:write')
  database.close()

  const again = await openTab()
  expect(await again.unreadableCount()).toBe(0)
  expect(again.tasks()).toMatchObject([{ name: 'Plan', goalHours: 8 }])
  expect(again.view.edit('task', 'write')?.base).toMatchObject({ name: 'Write', goalHours: 8 })
  expect(again.unsaved()).toBe(1)
})

test('A record whose timer runs at the backend as here is emptied, and one whose timer is unsent is kept', async () => {
  await addWrite('write', false)
  await startTimer(record, 'first')
  await emptyRecord(NAME, false)
  expect((await openTab()).view.sessions.get('first')).toBeDefined()

  const log = record.view.sessions.get('first')?.log ?? ''
  const timer = record.view.value('timer')?.timer
  if (timer?.status !== 'running') throw new Error('No timer')
  const state = { kind: 'active', timer } as const
  const answer = { id: 'first', createdAt: now, updatedAt: now, device: 'test', log, state }
  await record.takeIn((draft) => {
    draft.edits.all().forEach((edit) => draft.edits.remove(editKey(edit)))
    acknowledgeSession(draft, answer, log)
  })
  await emptyRecord(NAME, false)
  expect((await openTab()).view.sessions.all()).toEqual([])
})

test('A record that another tab has emptied continues in memory, and writes nothing of it again', async () => {
  await addWrite('write', false)
  await addEntry(record, 'by-hand')
  await emptyRecord(NAME, false)
  expect(entryIdsIn(await openTab())).toEqual(['by-hand'])

  await emptyRecord(NAME, true)
  now += 1000
  await startTimer(record, 'first')
  expect(record.storageProblem()).toBe('unwritten')
  await record.refresh()
  expect(entryIdsIn(record)).toEqual(['by-hand'])

  // The same person signs in again.
  const again = await openTab()
  expect([again.tasks(), entryIdsIn(again), again.unsaved()]).toEqual([[], [], 0])
  await addEntry(again, 'later')
  await addEntry(record, 'too-late')
  again.close()
  record.close()
  expect(entryIdsIn(await openTab())).toEqual(['later'])
})

test('A record whose database another tab deletes continues in memory and does not create it again', async () => {
  await startTimer(record, 'first')
  await deleteDB(NAME)
  now += 1000
  await record.write(stop)
  expect(record.storageProblem()).toBe('unwritten')
  expect(record.entries()).toHaveLength(1)
  expect(record.unsaved()).toBe(1)
  await record.refresh()
  expect(record.entries()).toHaveLength(1)
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(NAME)

  // The session does the same when it learns of the sign-out.
  record.close()
  await expect(record.write(stop)).rejects.toThrow('closed')
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(NAME)
})
