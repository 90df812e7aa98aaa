import { newTask } from '@stint/core/record/task.ts'
import { testEntry } from '@stint/core/test/entries.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { openRecord } from '#record/record.ts'
import type { LocalRecord } from '#record/record.ts'
import { DeviceDb } from '#session/device-db.ts'
import { memoryFolder } from '#test/memory-folder.ts'
import type { MemoryFolder } from '#test/memory-folder.ts'
import { lastCopy } from './copy-state.ts'
import { keepCopy } from './keep-copies.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const USER = { id: 'ada', name: 'Ada', email: 'ada@example.org' }

let root: MemoryFolder
let record: LocalRecord
let device: DeviceDb
let now: number
const estimate = vi.fn<() => Promise<StorageEstimate>>()

beforeEach(async () => {
  now = NOW
  root = memoryFolder()
  estimate.mockResolvedValue({ quota: 1e9, usage: 0 })
  vi.stubGlobal('navigator', { storage: { getDirectory: async () => root.handle, estimate } })
  device = new DeviceDb()
  await device.put({ key: 'identity', user: USER, remember: true })
  record = await openRecord(`stint-${Math.random()}`, { clock: { now: () => now }, device: 'test' })
  await record.write((draft) => {
    draft.tasks.put(newTask('write', 'Write', NOW))
    draft.entries.put(testEntry({ id: 'e1', start: NOW - 3_600_000, end: NOW }))
  })
})

afterEach(() => {
  record.close()
  device.close()
  vi.unstubAllGlobals()
  localStorage.clear()
})

/** Marks the history as loaded, or not. */
function setComplete(complete: boolean): Promise<void> {
  return record.takeIn((draft) => {
    draft.putValue({ key: 'pull:tasks', complete, since: '' })
    draft.putValue({ key: 'pull:time_entries', complete, since: '' })
  })
}

const keep = (signal = new AbortController().signal) => keepCopy(record, 'ada', signal)
const copies = () => [...(root.folders.get('copies')?.folders.get('ada')?.files.keys() ?? [])]

test('A copy is kept once the history is complete, on the day of the user', async () => {
  await setComplete(false)
  await keep()
  expect(copies()).toEqual([])
  expect(lastCopy('ada').at).toBeNaN()

  await setComplete(true)
  await keep()
  expect(copies()).toEqual(['stint-2026-01-15.json'])
  expect(lastCopy('ada')).toMatchObject({ at: expect.any(Number), problem: '' })
  expect(lastCopy('bea').at).toBeNaN()
})

test('A record without tasks and sessions is not copied', async () => {
  await setComplete(true)
  await record.write((draft) => {
    draft.tasks.remove('write')
    draft.entries.remove('e1')
  })
  await keep()
  expect(copies()).toEqual([])
})

test('A copy that finds too little space is not begun, and the reason is noted', async () => {
  await setComplete(true)
  estimate.mockResolvedValue({ quota: 1e9, usage: 1e9 - 1000 })
  await keep()
  expect(copies()).toEqual([])
  expect(lastCopy('ada').problem).toBe('full')
})

test('A browser that refuses files is noted, and nothing is thrown', async () => {
  await setComplete(true)
  vi.stubGlobal('navigator', {
    storage: {
      getDirectory: () => Promise.reject(new DOMException('private', 'SecurityError')),
      estimate,
    },
  })
  await keep()
  expect(lastCopy('ada').problem).toBe('failed')
})

test('After a sign-out, no copy is completed and nothing is noted', async () => {
  await setComplete(true)
  await device.delete('identity')
  await keep()
  expect(copies()).toEqual([])
  expect(lastCopy('ada').at).toBeNaN()
})

test('A tab that is closed while it writes leaves no copy', async () => {
  await setComplete(true)
  await keep(AbortSignal.abort())
  expect(copies()).toEqual([])
})
