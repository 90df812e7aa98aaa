import { startTimer } from '@stint/core/timer/timer.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createWorld } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

import { liveEntries } from './local-store.ts'

let world: World
let device: Device

beforeEach(async () => {
  world = await createWorld()
  device = await world.device()
})

afterEach(async () => {
  await world.close()
})

/** Writes past the types, as another version or a broken disk would. */
async function scribble(table: 'state' | 'outbox' | 'entries', record: unknown): Promise<void> {
  await device.db.table(table).put(record)
}

describe('a local database with unreadable records', () => {
  it('puts an unreadable timer and unreadable work aside and goes on', async () => {
    const timer = startTimer('s1', 't1', world.server.clock.now())
    await scribble('state', { key: 'timer', timer: { ...timer, startedAt: 'yesterday' } })
    await scribble('outbox', { work: { kind: 'teleport' }, addedAt: 0, attempts: 0, refused: null })
    await scribble('outbox', { work: 'stop', addedAt: 0, attempts: 0, refused: null })
    device = await device.reopen()

    expect(await device.db.state.get('timer')).toBeUndefined()
    expect(await device.db.outbox.count()).toBe(0)
    expect((await device.db.quarantine.toArray()).map((each) => each.from)).toEqual([
      'state',
      'outbox',
      'outbox',
    ])
  })

  it('pulls everything again when an entry cannot be read', async () => {
    const taskId = await world.createTask('Write')
    await device.start(taskId)
    world.server.clock.advance(60_000)
    await device.stop()
    const [entry] = await device.db.entries.toArray()
    await scribble('entries', { ...entry, durationSeconds: Number.NaN })
    device = await device.reopen()
    const entries = liveEntries(device.db)
    const stopReading = entries.subscribe(() => undefined)
    await expect.poll(() => device.db.quarantine.count()).toBe(1)
    await device.sync.refresh()
    stopReading()

    expect((await device.db.entries.toArray()).map((each) => each.durationSeconds)).toEqual([60])
  })
})
