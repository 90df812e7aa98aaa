import { newEntry } from '@stint/core/record/entry-edit.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { createWorld } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editsIn, HOUR } from '#test/edits.ts'

let world: World
let laptop: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  laptop = await world.device('laptop')
})

afterEach(async () => {
  await world.close()
})

const { now, change, entries } = editsIn(() => ({ world, taskId }))

test('A refused entry of a batch stays here, and the other entries are saved', async () => {
  const far = now() + 2 * HOUR
  const future = newEntry({ id: 'future', taskId, startedAt: now(), endedAt: far }, now())
  await change(laptop, ...entries(10), future, ...entries(12).slice(10))

  expect(await world.stored('time_entries')).toHaveLength(12)
  const left = laptop.record.view.edits.all()
  expect(left.map(({ refused }) => refused?.message)).toEqual([expect.stringMatching(/future/)])
  expect(laptop.record.view.entries.get('future')).toBeDefined()
})
