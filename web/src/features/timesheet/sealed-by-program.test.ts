/** Devices of somebody whose program seals a timesheet: they take in its marks, and keep what they changed meanwhile. */
import { applyChanges } from '@stint/core/device/changes.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { splitEntry } from '@stint/core/record/entry-edit.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { marksOf } from '@stint/core/timesheet/seals.ts'
import { openedSeal } from '@stint/core/timesheet/opened-seal.ts'
import { sealedSheets } from '@stint/core/timesheet/sealed-sheets.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { programOf } from '@stint/testing/test-app.ts'
import type { Program } from '@stint/testing/test-app.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { createWorld, goOnline, offline } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { sheetHash } from './sheet-hash.ts'

let world: World
let laptop: Device
let phone: Device
let program: Program

/** A timer of ten minutes that is split in two parts, which share a log, on both devices. */
beforeEach(async () => {
  world = await createWorld()
  const task = await world.createTask('Write')
  await world.user.call('PATCH', '/account/prefs', { prefs: { timeZone: 'UTC' } })
  const { body } = await world.user.call('POST', '/stint/keys', { name: 'Shell', access: 'write' })
  program = programOf(world.server.newBrowser(), body.secret)
  laptop = await world.device()
  await laptop.start(task)
  world.server.clock.advance(600_000)
  await laptop.stop()
  await goOnline(laptop)
  const [whole] = entriesOn(laptop)
  if (!whole) throw new Error('The timer was saved')
  const middle = whole.startedAt + 240_000
  await change(laptop, (now) => splitEntry(whole, middle, 'part', now))
  await goOnline(laptop)
  phone = await world.device()
})
afterEach(() => world.close())

test('Both parts of a split session are on the sheet on every device, without a difference, until the seal is removed', async () => {
  const { sheet, sessions } = (await program('POST', '/timesheets', { period: 'today' })).body
  expect(sessions).toBe(2)
  for (const device of [laptop, phone]) {
    await goOnline(device)
    expect(entriesOn(device).map(sheetsOf)).toEqual([[sheet.id], [sheet.id]])
    expect(await shownOn(device)).toEqual({ id: sheet.id, hash: sheet.sha256, differences: [] })
  }
  // Nothing that a device then sends takes the marks off.
  expect((await program('GET', `/timesheets/${sheet.id}`)).body.isSame).toBe(true)

  await program('DELETE', `/timesheets/${sheet.id}`, {})
  for (const device of [laptop, phone]) {
    await goOnline(device)
    expect(entriesOn(device).map(sheetsOf)).toEqual([[], []])
    expect(await shownOn(device)).toBeNull()
  }
  expect((await program('GET', '/sessions?filter=invoiced')).body.total.count).toBe(0)
})

test('What a device changed without a network meanwhile is kept beside the marks, and is a difference', async () => {
  phone.intercept(offline())
  const [first] = entriesOn(phone)
  if (!first) throw new Error('The phone has the session')
  await change(phone, (now) => [
    { before: first, after: { ...first, note: 'With Ann', updatedAt: now } },
  ])
  await phone.press((draft) => changePrefs(draft, { theme: 'dark' }))
  const { sheet } = (await program('POST', '/timesheets', { period: 'today' })).body

  await goOnline(phone)
  await goOnline(laptop)
  for (const device of [phone, laptop]) {
    expect(entriesOn(device).map(({ note }) => note)).toEqual(['With Ann', null])
    expect(entriesOn(device).map(sheetsOf)).toEqual([[sheet.id], [sheet.id]])
    expect(await shownOn(device)).toMatchObject({ id: sheet.id, differences: [['note']] })
    expect(device.record.value('settings')?.prefs['theme']).toBe('dark')
  }
  expect((await program('GET', `/timesheets/${sheet.id}`)).body.differences).toMatchObject([
    { id: first.id, what: ['note'] },
  ])
})

/** Returns the entries by their starts. */
function entriesOn({ record }: Device): readonly TimeEntry[] {
  return record.entries()
}

/** Returns the sheets that have a mark on an entry. */
function sheetsOf(entry: TimeEntry): readonly string[] {
  return marksOf(entry).map(({ sheetId }) => sheetId)
}

/** Returns the sealed sheet as the device shows it; null: there is none. */
async function shownOn({ record }: Device) {
  const [sealed] = sealedSheets(record.value('settings')?.prefs ?? {})
  if (!sealed) return null
  const pricing = { rates: [], unbilled: new Set<string>() }
  const { sheet, differences } = openedSeal(sealed, {
    entries: record.entries(),
    all: record.view.entries.all(),
    tasks: record.tasks(),
    context: { dayRule: dayRuleOf('UTC') },
    pricing,
  })
  return {
    id: sealed.id,
    hash: await sheetHash(sheet),
    differences: differences.map(({ what }) => what),
  }
}

async function change(
  device: Device,
  changesAt: (now: number) => readonly EntryChange[],
): Promise<void> {
  await device.press((draft) => applyChanges(draft, { entries: changesAt(draft.now) }))
}
