/** Tests a split or a merge on one device while another one changes the same session. */
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { editEntry, mergeEntries, splitEntry } from '@stint/core/record/entry-edit.ts'
import { splitId } from '@stint/core/record/split-id.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import type { RecordChanges } from '@stint/core/device/changes.ts'
import { laptopAndPhone, offline, serverOf, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

import { pullEntries } from './pull.ts'

let world: World
let laptop: Device
let phone: Device
let taskId: string

beforeEach(async () => {
  ;({ world, taskId, laptop, phone } = await laptopAndPhone())
  await laptop.start(taskId)
  pass(3600)
  await laptop.stop()
  await phone.sync.refresh()
})

afterEach(async () => {
  await world.close()
})

const { pass } = serverOf(() => world)

function first(device: Device): TimeEntry {
  const [entry] = device.record.entries().toSorted((a, b) => a.startedAt - b.startedAt)
  if (!entry) throw new Error('There is no entry')
  return entry
}

function second(device: Device): TimeEntry {
  const [, entry] = device.record.entries().toSorted((a, b) => a.startedAt - b.startedAt)
  if (!entry) throw new Error('There is no second entry')
  return entry
}

async function change(device: Device, ...entries: readonly EntryChange[]): Promise<RecordChanges> {
  return device.press((draft, now) => applyChanges(draft, { entries }, now))
}

async function split(device: Device, minutes: number): Promise<RecordChanges> {
  const entry = first(device)
  const version = device.record.view.edit('entry', entry.id)?.base ?? entry
  const at = entry.startedAt + minutes * 60_000
  return change(device, ...splitEntry(entry, at, splitId(entry, version), Date.now()))
}

async function trim(device: Device, minutes: number): Promise<RecordChanges> {
  const entry = first(device)
  return change(device, editEntry(entry, { endedAt: entry.startedAt + minutes * 60_000 }, 0))
}

async function settle(): Promise<void> {
  for (const device of [laptop, phone, laptop]) {
    device.intercept(undefined)
    await device.sync.refresh()
  }
  expect(unsentCount(laptop.record) + unsentCount(phone.record)).toBe(0)
}

/**
 * Returns the minutes of the sessions that are not deleted, by start. Checks that all devices show
 * the same.
 */
async function minutes() {
  const entries = await world.stored('time_entries')
  const there = entries
    .filter((entry) => entry['deletedAt'] === null)
    .toSorted((a, b) => (String(a['startTime']) < String(b['startTime']) ? -1 : 1))
    .map((entry) => Number(entry['durationSeconds']) / 60)
  for (const device of [laptop, phone]) {
    const shown = device.record.entries().toSorted((a, b) => a.startedAt - b.startedAt)
    expect(shown.map(({ durationSeconds }) => durationSeconds / 60)).toEqual(there)
  }
  return there
}

/**
 * Runs `other` while the first request of the device is on its way to the server. No answer is
 * lost.
 */
function meanwhile(device: Device, other: () => Promise<unknown>): void {
  let isFirst = true
  device.intercept(async (request, send) => {
    if (isFirst && ['PUT', 'PATCH'].includes(request.method)) {
      isFirst = false
      await other()
    }
    return send()
  })
}

describe('A session that two devices change in the same moment', () => {
  test('A session that two devices split at once is split once', async () => {
    await split(laptop, 15)
    meanwhile(laptop, async () => {
      pass(1)
      await split(phone, 40)
      await phone.sync.flush()
    })
    await laptop.sync.flush()
    await settle()

    expect(await minutes()).toEqual([40, 20])
  })

  test('A session that two devices split at the same moment under other ids is split once', async () => {
    const entry = first(phone)
    const cut = entry.startedAt + 15 * 60_000
    await split(laptop, 15)
    await laptop.sync.flush()
    await change(phone, ...splitEntry(entry, cut, 'other', Date.now()))
    await phone.sync.flush()
    await settle()

    expect(await minutes()).toEqual([15, 45])
  })

  test('A session that two devices split, one of them twice, is split as that device did', async () => {
    await split(laptop, 15)
    await laptop.sync.flush()
    const half = second(laptop)
    const cut = half.startedAt + 20 * 60_000
    await change(laptop, ...splitEntry(half, cut, splitId(half, half), Date.now()))
    await laptop.sync.flush()
    pass(1)
    await split(phone, 50)
    await phone.sync.flush()
    await settle()

    expect(await minutes()).toEqual([15, 20, 25])
  })

  test.each([
    { name: 'before', isBefore: true, expected: [15, 45] },
    { name: 'after', isBefore: false, expected: [40, 20] },
  ])(
    'Two splits at once keep the note on the half that arrived first, if the other is made $name it',
    async (example) => {
      const splitThere = async () => {
        await split(laptop, 40)
        await laptop.sync.flush()
        await change(laptop, editEntry(second(laptop), { note: 'call with Bo' }, 0))
        await laptop.sync.flush()
      }
      if (example.isBefore) {
        await splitThere()
        pass(1)
      } else meanwhile(phone, splitThere)
      await split(phone, 15)
      pass(1)
      await phone.sync.flush()
      await settle()

      expect(await minutes()).toEqual(example.expected)
      expect(second(phone).note).toBe('call with Bo')
    },
  )

  test.each([
    { name: 'the split arrives first', isSplitFirst: true, expected: [15, 45] },
    { name: 'the trim arrives first and is later', isSplitFirst: false, expected: [30] },
  ])('A split on one device and a trim on another count no time twice: $name', async (example) => {
    const [early, late] = example.isSplitFirst ? [laptop, phone] : [phone, laptop]
    const change = (device: Device) => (device === laptop ? split(laptop, 15) : trim(phone, 30))
    await change(late)
    meanwhile(late, async () => {
      pass(1)
      await change(early)
      await early.sync.flush()
    })
    await late.sync.flush()
    await settle()

    expect(await minutes()).toEqual(example.expected)
  })

  test('A merge on one device and a trim on another lose no time', async () => {
    await split(laptop, 20)
    await laptop.sync.flush()
    await phone.sync.refresh()
    await change(laptop, ...mergeEntries([first(laptop), second(laptop)], 0))
    meanwhile(laptop, async () => {
      pass(1)
      await trim(phone, 10)
      await phone.sync.flush()
    })
    await laptop.sync.flush()
    await settle()

    expect(await minutes()).toEqual([10, 40])
  })
})

test('A session that was split offline and stopped earlier elsewhere is not counted twice', async () => {
  const { taskId } = first(laptop)
  await laptop.start(taskId)
  await phone.sync.refresh()
  laptop.intercept(offline())
  phone.intercept(offline())
  pass(600)
  await phone.stop()
  pass(600)
  await laptop.stop()
  const entry = laptop.record.entries().find(({ startedAt }) => startedAt > first(laptop).startedAt)
  if (!entry) throw new Error('It is not stopped')
  const cut = entry.startedAt + 300_000
  await change(laptop, ...splitEntry(entry, cut, splitId(entry, entry), Date.now()))
  pass(10)
  // The phone's stop reaches the server after the split was made.
  phone.intercept(undefined)
  await phone.sync.flush()
  await settle()

  const [, ...halves] = await minutes()
  expect(halves.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(20)
  const shown = laptop.record.entries().toSorted((a, b) => a.startedAt - b.startedAt)
  for (const [index, { startedAt }] of shown.slice(1).entries())
    expect(startedAt).toBeGreaterThanOrEqual(shown[index]?.endedAt ?? NaN)
})

test('An undone split leaves nothing when the end of its session arrives only afterwards', async () => {
  const { taskId } = first(laptop)
  await laptop.start(taskId)
  await phone.sync.refresh()
  pass(600)
  await laptop.stop()
  // The phone has the entry and still shows the timer.
  await pullEntries({ record: phone.record, backend: phone.backend, userId: world.user.id })
  const entry = phone.record.entries().find(({ startedAt }) => startedAt > first(phone).startedAt)
  if (!entry) throw new Error('The phone has not heard of it')
  const cut = entry.startedAt + 300_000
  const halves = splitEntry(entry, cut, splitId(entry, entry), Date.now())
  const back = await change(phone, ...halves)
  let isUndone = false
  phone.intercept(async (request, send) => {
    const isList = request.method === 'GET' && request.url.includes('timer_sessions')
    if (isList && !isUndone) {
      isUndone = true
      await phone.press((draft, now) => applyChanges(draft, back, now))
    }
    return send()
  })
  await phone.sync.refresh()
  await settle()

  expect(isUndone).toBe(true)
  expect(await minutes()).toEqual([60, 10])
})
