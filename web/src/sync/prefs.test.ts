import { prefsWithFilter, savedFilters } from '@stint/core/record/saved-filters.ts'
import { settingsFromPrefs } from '@stint/core/settings.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Prefs } from '@stint/core/settings.ts'

import { createWorld, offline } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { changePrefs as change } from '@stint/core/device/edits.ts'

let world: World

beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

describe('settings', () => {
  test('Settings change at once without a network and are sent when it is back', async () => {
    const device = await world.device()
    device.intercept(offline())
    await changePrefs(device, { theme: 'dark' })
    await changePrefs(device, { weekStart: 1 })
    await device.sync.flush()
    expect(prefsOn(device)).toEqual({ theme: 'dark', weekStart: 1 })
    expect(device.record.unsaved()).toBe(1)
    expect(await saved()).toEqual({})

    device.intercept(undefined)
    await device.sync.flush()
    expect(await saved()).toEqual({ theme: 'dark', weekStart: 1 })
    expect(device.record.view.edits.all()).toEqual([])
  })

  test('Settings that two devices changed separately are both kept', async () => {
    const laptop = await world.device()
    const phone = await world.device()
    phone.intercept(offline())
    await changePrefs(phone, { weekStart: 1 })
    await phone.sync.flush()
    await changePrefs(laptop, { theme: 'dark', weekStart: 6 })
    await laptop.sync.flush()

    phone.intercept(undefined)
    await phone.sync.refresh()
    await laptop.sync.refresh()
    const both = { theme: 'dark', weekStart: 1 }
    expect(await saved()).toEqual(both)
    expect(prefsOn(phone)).toEqual(both)
    expect(prefsOn(laptop)).toEqual(both)
  })

  test('Filters that two devices saved without each other are both kept, and a removed one stays away', async () => {
    const laptop = await world.device()
    const phone = await world.device()
    const old = { name: 'Old', text: '#old' }
    const [acme, long] = [
      { name: 'Acme', text: '#acme' },
      { name: 'Long', text: '>2h' },
    ]
    await changePrefs(laptop, prefsWithFilter(old, null))
    await laptop.sync.flush()
    await phone.sync.refresh()
    phone.intercept(offline())
    await changePrefs(phone, prefsWithFilter(acme, null))
    await phone.sync.flush()
    await changePrefs(laptop, prefsWithFilter(long, old))
    await laptop.sync.flush()

    phone.intercept(undefined)
    await phone.sync.refresh()
    await laptop.sync.refresh()
    const both = prefsOn(phone) ?? {}
    expect(savedFilters(both)).toEqual([acme, long])
    expect(prefsOn(laptop)).toEqual(both)
    expect(await saved()).toEqual(both)
  })

  test('Settings leave the preferences of another client unchanged', async () => {
    const others = { 'acme.sidebar': { width: 300 }, theme: 'sepia', pomodoroMode: true }
    await world.user.call('PATCH', '/account/prefs', { prefs: others })
    const device = await world.device()
    expect(settingsFromPrefs(prefsOn(device))).toMatchObject({
      theme: 'light',
      pomodoroMode: true,
    })
    await changePrefs(device, { hourCycle: 12 })
    await device.sync.flush()
    expect(await saved()).toEqual({ ...others, hourCycle: 12 })
  })

  test('Settings are saved once even if the answer was lost', async () => {
    const device = await world.device()
    let isLost = false
    device.intercept(async (request, send) => {
      const response = await send()
      if (request.method === 'GET' || isLost) return response
      isLost = true
      throw new TypeError('Failed to fetch')
    })
    await changePrefs(device, { theme: 'system' })
    await device.sync.flush()
    await device.sync.retry()
    expect(isLost).toBe(true)
    expect(await saved()).toEqual({ theme: 'system' })
    expect(device.record.view.edits.all()).toEqual([])
  })

  test('Settings that changed during a pull do not jump back', async () => {
    const device = await world.device()
    const { promise: changed, resolve: onChanged } = Promise.withResolvers<void>()
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
    let held = false
    device.intercept(async (request, send) => {
      const response = await send()
      if (held || !request.url.endsWith('/account/prefs')) return response
      held = true
      onAsked()
      await changed
      return response
    })
    const refreshed = device.sync.refresh()
    await asked
    await changePrefs(device, { theme: 'dark' })
    await device.sync.flush()
    expect(await saved()).toEqual({ theme: 'dark' })
    onChanged()
    await refreshed
    expect(prefsOn(device)).toEqual({ theme: 'dark' })
  })
})

/** Changes preferences on a device. The test decides when they are sent. */
async function changePrefs(device: Device, changes: Prefs) {
  await device.press((draft) => change(draft, changes))
}

async function saved(): Promise<unknown> {
  return (await world.user.call('GET', '/account/prefs')).body
}

function prefsOn({ record }: Device): Prefs | undefined {
  return record.value('settings')?.prefs
}
