import { newEntry } from '@stint/core/record/entry-edit.ts'
import { newTask } from '@stint/core/record/task.ts'
import { jsonHead, jsonPieces } from '@stint/core/transfer/stint-json.ts'
import { beforeEach, expect, test, vi } from 'vitest'

import { memoryFolder } from '#test/memory-folder.ts'
import type { MemoryFolder } from '#test/memory-folder.ts'
import { removeCopies } from './copy-folder.ts'
import { copiesIn, saveCopy } from './local-copies.ts'

const NOW = Date.UTC(2026, 10, 23, 12)
const HOUR = 3_600_000

let folder: MemoryFolder
beforeEach(() => {
  folder = memoryFolder()
})

/** Saves a copy of a record with so many sessions. */
function save(
  sessions: number,
  { day = '2026-11-23', account = 'ada', now = NOW, isSignedIn = true } = {},
): Promise<void> {
  const entries = Array.from({ length: sessions }, (_, index) => {
    const startedAt = NOW - (index + 2) * HOUR
    return newEntry({ id: `e${index}`, taskId: 't', startedAt, endedAt: startedAt + HOUR }, NOW)
      .after
  })
  const tasks = [newTask('t', 'Write', NOW)]
  const input = { account, tasks, entries, prefs: {}, isCopy: true }
  const content = JSON.stringify(jsonHead(input))
  return saveCopy(
    folder.handle,
    { account, day, sessions, content, pieces: jsonPieces(input, now) },
    { signal: new AbortController().signal, isSignedIn: async () => isSignedIn },
  )
}

const names = () => [...folder.files.keys()].toSorted()
const listed = async (account = 'ada') =>
  (await copiesIn(folder.handle, account)).map(({ name, sessions }) => `${name} ${sessions}`)

test('A copy is a complete file that is listed with its day, size and number of sessions', async () => {
  await save(3)
  const text = folder.files.get('stint-2026-11-23.json') ?? ''
  expect(JSON.parse(text)).toMatchObject({ account: 'ada', copy: true, entries: { length: 3 } })
  expect(await copiesIn(folder.handle, 'ada')).toMatchObject([
    { day: '2026-11-23', sessions: 3, madeAt: NOW, size: text.length },
  ])
})

test('A record that has not changed is not written again, on the same day or another', async () => {
  await save(3)
  folder.failure = 'QuotaExceededError'
  await save(3, { now: NOW + HOUR })
  await save(3, { day: '2026-11-24', now: NOW + 24 * HOUR })
  await expect(save(4)).rejects.toThrow('failed')
})

test('A later copy replaces that of the day', async () => {
  await save(3)
  await save(4, { now: NOW + HOUR })
  expect(await listed()).toEqual(['stint-2026-11-23.json 4'])
})

test('The fullest copy of a day stays beside an emptier one, until one is as full', async () => {
  await save(100)
  await save(1, { now: NOW + 1 })
  expect(await listed()).toEqual(['stint-2026-11-23-2.json 1', 'stint-2026-11-23.json 100'])
  await save(50, { now: NOW + 2 })
  expect(await listed()).toEqual(['stint-2026-11-23-2.json 50', 'stint-2026-11-23.json 100'])
  await save(101, { now: NOW + 3 })
  expect(await listed()).toHaveLength(1)
  expect((await copiesIn(folder.handle, 'ada'))[0]).toMatchObject({ sessions: 101 })
})

test('The copies of seven days stay, and files of others are not touched', async () => {
  folder.files.set('stint-2026-11-01.json', '{"format":"stint","version":1,\n"tasks":[]}')
  folder.files.set('stint-2026-11-23.json', 'mine')
  folder.files.set('notes.txt', 'mine')
  await save(9, { account: 'bea', day: '2026-11-02' })
  for (let day = 10; day < 30; day++) await save(day, { day: `2026-11-${day}`, now: NOW + day })
  expect(await listed()).toEqual(
    [29, 28, 27, 26, 25, 24]
      .map((day) => `stint-2026-11-${day}.json ${day}`)
      .concat('stint-2026-11-23-2.json 23'),
  )
  expect(names().filter((name) => !/-2[3-9]/.test(name))).toEqual([
    'notes.txt',
    'stint-2026-11-01.json',
    'stint-2026-11-02.json',
  ])
  expect(folder.files.get('stint-2026-11-23.json')).toBe('mine')
})

test('Two people who use one folder have their own copies, and see no others', async () => {
  await save(3)
  await save(5, { account: 'bea' })
  expect(await listed('ada')).toEqual(['stint-2026-11-23.json 3'])
  expect(await listed('bea')).toEqual(['stint-2026-11-23-2.json 5'])
  await save(6, { account: 'bea', now: NOW + 1 })
  expect(await listed('ada')).toEqual(['stint-2026-11-23.json 3'])
  expect(await listed('bea')).toEqual(['stint-2026-11-23-2.json 6'])
})

test.each(['QuotaExceededError', 'NotFoundError', 'NotAllowedError'])(
  'A copy that fails leaves the copies as they were: %s',
  async (failure) => {
    await save(3)
    const before = new Map(folder.files)
    folder.failure = failure
    await expect(save(4)).rejects.toThrow(DOMException)
    await expect(save(1, { day: '2026-11-24' })).rejects.toThrow(DOMException)
    expect(folder.files).toEqual(before)
  },
)

test('A copy is not completed after the user has signed out', async () => {
  await expect(save(3, { isSignedIn: false })).rejects.toThrow('signed out')
  expect(names()).toEqual([])
})

test('A file that is cut off or of another program is not listed', async () => {
  await save(3)
  const text = folder.files.get('stint-2026-11-23.json') ?? ''
  folder.files.set('stint-2026-11-20.json', text.slice(0, 50))
  folder.files.set('stint-2026-11-21.json', '[]')
  folder.files.set('stint-2026-11-22.json', '')
  expect(await listed()).toEqual(['stint-2026-11-23.json 3'])
})

test('Removing the copies of a user leaves those of others', async () => {
  const root = memoryFolder()
  vi.stubGlobal('navigator', { storage: { getDirectory: async () => root.handle } })
  await removeCopies('ada')
  const copies = await root.handle.getDirectoryHandle('copies', { create: true })
  for (const account of ['ada', 'bea']) await copies.getDirectoryHandle(account, { create: true })
  await removeCopies('ada')
  expect([...(root.folders.get('copies')?.folders.keys() ?? [])]).toEqual(['bea'])
  vi.unstubAllGlobals()
})
