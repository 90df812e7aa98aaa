import { afterEach, beforeEach, expect, test } from 'vitest'

import { createWorld } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

import { claimEvent, skipBreak } from './nudges.ts'

let world: World
let device: Device

beforeEach(async () => {
  world = await createWorld()
  device = await world.device()
})

afterEach(() => world.close())

test('Each event is announced by one tab only, and not again after a reload', async () => {
  const other = await device.openTab()
  const answers = await Promise.all([
    device.press((draft) => claimEvent(draft, 'two hours')),
    other.press((draft) => claimEvent(draft, 'two hours')),
    device.press((draft) => claimEvent(draft, 'four hours')),
  ])
  expect(answers.filter(Boolean)).toHaveLength(2)
  expect(answers[2]).toBe(true)
  device = await device.reopen()
  expect(await device.press((draft) => claimEvent(draft, 'two hours'))).toBe(false)
})

test('Old events are dropped without dropping skipped breaks', async () => {
  await device.press(skipBreak)
  const skippedAt = device.record.clock.now()
  for (let count = 0; count < 205; count += 1)
    await device.press((draft) => claimEvent(draft, `event ${count}`))
  const record = device.record.value('nudges')
  expect(record?.said).toHaveLength(200)
  expect(record?.said.at(-1)).toBe('event 204')
  expect(record?.skips).toEqual([skippedAt])
})
