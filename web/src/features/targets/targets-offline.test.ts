/** Targets of two devices, one of which has no network: changed as the page changes them, and merged. */
import { applyChanges } from '@stint/core/device/changes.ts'
import { readTarget } from '@stint/core/targets/target-line.ts'
import { targetText } from '@stint/core/targets/target-text.ts'
import { changesWithTarget, targetsOf } from '@stint/core/targets/targets.ts'
import type { Target } from '@stint/core/targets/targets.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { createWorld, goOnline, offline } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

let world: World
let laptop: Device
let phone: Device

beforeEach(async () => {
  world = await createWorld()
  await world.createTask('Write')
  laptop = await world.device()
  phone = await world.device()
})
afterEach(() => world.close())

test('Targets that are added, changed and removed without a network merge with those of another device', async () => {
  for (const text of ['6h a day', 'at least 10h a week #acme', 'at most 2h a day #mail'])
    await save(laptop, text)
  await save(laptop, 'at least 2h a day Write')
  await goOnline(laptop)
  await phone.sync.refresh()
  expect(textsOn(phone)).toEqual([
    'at least 6h a day',
    'at least 10h a week #acme',
    'at most 2h a day #mail',
    'at least 2h a day Write',
  ])

  phone.intercept(offline())
  await save(phone, 'at least 20h a month #book')
  await save(phone, 'at least 7h a day', 'at least 6h a day')
  await remove(phone, 'at most 2h a day #mail')
  await phone.sync.flush()
  const onPhone = ['at least 7h a day', 'at least 10h a week #acme', 'at least 20h a month #book']
  expect(textsOn(phone)).toEqual([...onPhone, 'at least 2h a day Write'])
  expect(phone.record.unsaved()).toBe(1)

  // Meanwhile another one changes, a new one is there, and a daily goal changes in its task.
  await save(laptop, 'at least 12h a week #acme', 'at least 10h a week #acme')
  await save(laptop, 'at most 1h a day #mail', 'at most 2h a day #mail')
  await save(laptop, 'at most 30h a week')
  await save(laptop, 'at least 3h a day Write', 'at least 2h a day Write')
  await goOnline(laptop)
  expect(textsOn(laptop)).not.toContain('at least 20h a month #book')

  await goOnline(phone)
  await laptop.sync.refresh()
  const both = [
    'at least 7h a day',
    'at most 30h a week',
    'at least 12h a week #acme',
    'at least 20h a month #book',
    'at least 3h a day Write',
  ]
  expect(textsOn(phone)).toEqual(both)
  expect(textsOn(laptop)).toEqual(both)
  const stored = (await world.user.call('GET', '/account/prefs')).body
  expect(stored).toEqual(laptop.record.value('settings')?.prefs)
  expect([phone.record.unsaved(), laptop.record.unsaved()]).toEqual([0, 0])
})

test('A target that is added without a network is there after the browser was closed, and is sent', async () => {
  phone.intercept(offline())
  await save(phone, 'at least 10h a week #acme')
  const again = await phone.reopen(offline())
  expect(textsOn(again)).toEqual(['at least 10h a week #acme'])
  await goOnline(again)
  await laptop.sync.refresh()
  expect(textsOn(laptop)).toEqual(['at least 10h a week #acme'])
})

/** Saves the target of a line, in place of that of another one. */
async function save(device: Device, line: string, instead: string | null = null): Promise<void> {
  await change(device, targetIn(device, line), instead === null ? null : shownOn(device, instead))
}

async function remove(device: Device, line: string): Promise<void> {
  await change(device, null, shownOn(device, line))
}

async function change(device: Device, saved: Target | null, instead: Target | null): Promise<void> {
  await device.press((draft) =>
    applyChanges(draft, changesWithTarget(prefsOn(device), saved, instead)),
  )
}

function targetIn({ record }: Device, line: string): Target {
  const read = readTarget(line, { tasks: record.tasks(), categories: [] })
  if (read.kind !== 'target') throw new Error(`“${line}” is no target`)
  return read.target
}

/** Returns the target that the page shows so. */
function shownOn(device: Device, line: string): Target {
  const { record } = device
  const found = targetsOf(prefsOn(device), record.tasks()).find(
    (target) => targetText(target, record.tasks()) === line,
  )
  if (!found) throw new Error(`There is no target “${line}”`)
  return found
}

/** Returns the targets as the page lists them. */
function textsOn(device: Device): string[] {
  const tasks = device.record.tasks()
  return targetsOf(prefsOn(device), tasks).map((target) => targetText(target, tasks))
}

function prefsOn({ record }: Device) {
  return record.value('settings')?.prefs ?? {}
}
