import { activeTasks, newTask, taskColors } from '@stint/core/record/task.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { applyChanges } from '@stint/core/device/changes.ts'
import { createWorld, losing, offline, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { editsIn } from '#test/edits.ts'

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

const { now, changeTask } = editsIn(() => ({ world, taskId }))

test('An unsent change of a task stays when an older state arrives from the server', async () => {
  laptop.intercept(losing('PATCH'))
  const changes = { name: 'Write paper', goalHours: 2, category: 'Research' }
  await laptop.press((draft) => applyChanges(draft, { tasks: [{ taskId, changes }] }, now()))
  await laptop.sync.refresh()
  expect(laptop.record.view.tasks.get(taskId)).toMatchObject(changes)

  laptop.intercept(undefined)
  await laptop.sync.refresh()
  expect(await world.stored('tasks')).toMatchObject([changes])
  const phone = await world.device('phone')
  expect(phone.record.view.tasks.get(taskId)).toMatchObject(changes)
})

test('Of two names of a task, the later one is kept, and so are other changes', async () => {
  const phone = await world.device('phone')
  phone.intercept(offline())
  await changeTask(phone, { name: 'Write paper', goalHours: 2, category: 'Research' })
  await changeTask(phone, { name: 'Write essay' })
  world.server.clock.advance(60_000)
  await changeTask(laptop, { name: 'Write novel', category: 'Admin' })
  world.server.clock.advance(60_000)
  await changeTask(phone, { color: 'teal', category: 'Design' })
  phone.intercept(undefined)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  const expected = { name: 'Write novel', goalHours: 2, color: 'teal', category: 'Design' }
  expect(await world.stored('tasks')).toMatchObject([expected])
  for (const device of [phone, laptop]) {
    expect(device.record.view.tasks.get(taskId)).toMatchObject(expected)
    expect(unsentCount(device.record)).toBe(0)
  }
})

test('A task has its last name when the answers to all changes were lost', async () => {
  laptop.intercept(async (request, send) => {
    if (request.method === 'PATCH') await send()
    throw new TypeError('Failed to fetch')
  })
  for (const name of ['Write paper', 'Write essay']) {
    await changeTask(laptop, { name })
  }
  laptop.intercept(undefined)
  await laptop.sync.refresh()

  expect(await world.stored('tasks')).toMatchObject([{ name: 'Write essay' }])
  expect(laptop.record.view.tasks.get(taskId)).toMatchObject({ name: 'Write essay' })
})

test('Tasks that are sent one after the other keep their places and their colours meanwhile', async () => {
  const names = ['Plan week', 'Call Ann', 'Read', 'Rest']
  const ids = ['d', 'b', 'c', 'a']
  const newTasks = names.map((name, index) => newTask(ids[index] ?? '', name, now() + index))
  const seen = new Set<string>()
  const look = () => {
    const tasks = laptop.record.tasks()
    const colors = taskColors(tasks)
    seen.add(
      activeTasks(tasks)
        .map(({ id, name }) => `${name} ${colors.get(id)}`)
        .join(', '),
    )
  }
  laptop.intercept(offline())
  await laptop.press((draft) => applyChanges(draft, { newTasks }, now()))
  laptop.intercept((_, send) => {
    world.server.clock.advance(20)
    return send()
  })
  const unsubscribe = laptop.record.changes.subscribe(look)
  await laptop.sync.refresh()
  unsubscribe()
  look()
  expect(unsentCount(laptop.record)).toBe(0)
  expect(await world.stored('tasks')).toHaveLength(5)
  expect([...seen]).toEqual([
    'Rest green, Read magenta, Call Ann teal, Plan week orange, Write report blue',
  ])
})
