import { deleteEntry, invertChanges } from '@stint/core/record/entry-change.ts'
import { newEntry, editEntry } from '@stint/core/record/entry-edit.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import type { TaskChanges } from '@stint/core/record/task.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { allEntries, createWorld, offline, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { applyChanges } from '#record/changes.ts'
import * as store from '#record/timer.ts'

const HOUR = 3_600_000

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

const now = () => world.server.clock.now()

async function change(device: Device, ...changes: EntryChange[]) {
  await device.press((draft) => applyChanges(draft, { entries: changes }, now()))
  await device.sync.flush()
}

async function changeTask(device: Device, changes: TaskChanges) {
  await device.press((draft) => applyChanges(draft, { tasks: [{ taskId, changes }] }, now()))
  await device.sync.flush()
}

function manual(id: string, minutes = 60): EntryChange {
  const startedAt = now() - 5 * HOUR
  return newEntry({ id, taskId, startedAt, endedAt: startedAt + minutes * 60_000 }, now())
}

function entries(count: number): EntryChange[] {
  return Array.from({ length: count }, (_, index) => manual(`import-${index}`, 1 + (index % 200)))
}

async function local(device: Device, id: string) {
  const entry = device.record.view.entries.get(id)
  if (!entry) throw new Error(`There is no entry ${id}`)
  return entry
}

describe('changing entries', () => {
  it('adds one by hand, here at once and on the server after', async () => {
    await change(laptop, manual('by-hand'))

    expect(await world.stored('time_entries')).toMatchObject([
      { $id: 'by-hand', taskId, entryType: 'manual', durationSeconds: 3600, sessionId: null },
    ])
    expect(unsentCount(laptop.record)).toBe(0)
  })

  it('keeps it through a time without network and a closed tab', async () => {
    laptop.intercept(offline())
    await change(laptop, manual('by-hand'))
    expect((await local(laptop, 'by-hand')).durationSeconds).toBe(3600)
    expect(laptop.record.unsaved()).toBe(1)

    const again = await laptop.reopen()
    expect(await world.stored('time_entries')).toHaveLength(1)
    expect(unsentCount(again.record)).toBe(0)
  })

  it('makes no second one when only the answer was lost', async () => {
    laptop.intercept(async (request, send) => {
      if (request.method === 'POST') await send()
      throw new TypeError('Failed to fetch')
    })
    await change(laptop, manual('by-hand'))
    laptop.intercept(undefined)
    await laptop.sync.refresh()

    expect(await world.stored('time_entries')).toHaveLength(1)
    expect(unsentCount(laptop.record)).toBe(0)
  })

  it.each([
    ['one', 1],
    ['many in one call', 4],
  ])('leaves what another device changed when a create is repeated: %s', async (_name, count) => {
    laptop.intercept(async (request, send) => {
      if (request.method === 'POST' || request.method === 'PUT') await send()
      throw new TypeError('Failed to fetch')
    })
    await change(laptop, ...entries(count))

    const phone = await world.device('phone')
    const there = await local(phone, 'import-0')
    await change(phone, editEntry(there, { note: 'call with Bo' }, now()))
    const here = await local(laptop, 'import-0')
    await change(laptop, editEntry(here, { endedAt: here.endedAt + HOUR }, now()))
    laptop.intercept(undefined)
    await laptop.sync.refresh()

    const expected = { note: 'call with Bo', durationSeconds: 3660 }
    expect(await world.stored('time_entries')).toHaveLength(count)
    expect(await world.stored('time_entries')).toContainEqual(expect.objectContaining(expected))
    expect(await local(laptop, 'import-0')).toMatchObject(expected)
    expect(unsentCount(laptop.record)).toBe(0)
  })

  it('brings changes of two devices together when they are about different things', async () => {
    await change(laptop, manual('shared'))
    const phone = await world.device('phone')
    phone.intercept(offline())
    const here = await local(phone, 'shared')
    await change(phone, editEntry(here, { note: 'call with Bo' }, now()))

    const there = await local(laptop, 'shared')
    await change(laptop, editEntry(there, { endedAt: there.endedAt - HOUR / 2 }, now()))
    phone.intercept(undefined)
    await phone.sync.refresh()
    await laptop.sync.refresh()

    const expected = { durationSeconds: 1800, note: 'call with Bo' }
    expect(await world.stored('time_entries')).toMatchObject([expected])
    expect(await local(laptop, 'shared')).toMatchObject(expected)
    expect(await local(phone, 'shared')).toMatchObject(expected)
  })

  it.each([
    ['one', 1],
    ['many in one call', 4],
  ])('leaves a later edit when one is repeated: %s', async (_name, count) => {
    await change(laptop, ...entries(count))
    const phone = await world.device('phone')
    laptop.intercept(async (request, send) => {
      if (request.method === 'PATCH' || request.method === 'PUT') await send()
      throw new TypeError('Failed to fetch')
    })
    const notes = allEntries(laptop.record).map((entry) =>
      editEntry(entry, { note: 'first' }, now()),
    )
    await change(laptop, ...notes)
    world.server.clock.advance(1000)
    await phone.sync.refresh()
    const there = await local(phone, 'import-0')
    expect(there.note).toBe('first')
    await change(phone, editEntry(there, { note: 'second' }, now()))
    laptop.intercept(undefined)
    await laptop.sync.refresh()

    expect(await world.stored('time_entries')).toHaveLength(count)
    expect(await world.stored('time_entries')).toContainEqual(
      expect.objectContaining({ $id: 'import-0', note: 'second' }),
    )
    expect((await local(laptop, 'import-0')).note).toBe('second')
    expect(unsentCount(laptop.record)).toBe(0)
  })

  it('keeps of two edits of the same the one that was made later, whichever is sent first', async () => {
    await change(laptop, manual('early'), manual('late'))
    const phone = await world.device('phone')
    const edit = async (device: Device, id: string, note: string) =>
      change(device, editEntry(await local(device, id), { note }, now()))
    phone.intercept(offline())
    await edit(phone, 'early', 'on the phone, before')
    for (const id of ['early', 'late']) {
      const entry = await local(phone, id)
      await change(phone, editEntry(entry, { endedAt: entry.endedAt - HOUR / 2 }, now()))
    }
    world.server.clock.advance(60_000)
    await edit(laptop, 'early', 'on the laptop')
    await edit(laptop, 'late', 'on the laptop')
    world.server.clock.advance(60_000)
    await edit(phone, 'late', 'on the phone, after')
    phone.intercept(undefined)
    await phone.sync.refresh()
    await laptop.sync.refresh()

    // Of another part, what was changed without a network is kept all the same.
    const early = { id: 'early', note: 'on the laptop', durationSeconds: 1800 }
    const late = { id: 'late', note: 'on the phone, after', durationSeconds: 1800 }
    for (const device of [phone, laptop]) {
      expect(allEntries(device.record)).toMatchObject([early, late])
      expect(unsentCount(device.record)).toBe(0)
    }
  })

  it('does not let an older answer of the server undo what was changed since', async () => {
    await change(laptop, manual('edited'))
    laptop.intercept(offline())
    const entry = await local(laptop, 'edited')
    await change(laptop, editEntry(entry, { note: 'mine' }, now()))
    laptop.intercept(async (request, send) => {
      if (request.method === 'PATCH') throw new TypeError('Failed to fetch')
      return send()
    })
    await laptop.sync.refresh()

    expect((await local(laptop, 'edited')).note).toBe('mine')
  })

  it('edits a stop that is not saved yet, and saves it as it was edited', async () => {
    const sessionId = await laptop.start(taskId)
    world.server.clock.advance(HOUR)
    laptop.intercept(offline())
    await laptop.stop()
    const entry = await local(laptop, sessionId)
    await change(laptop, editEntry(entry, { endedAt: entry.endedAt - HOUR / 2 }, now()))
    laptop.intercept(undefined)
    await laptop.sync.refresh()

    expect((await local(laptop, sessionId)).durationSeconds).toBe(1800)
    expect(await world.stored('time_entries')).toMatchObject([{ durationSeconds: 1800 }])
    expect(await world.stored('timer_sessions')).toEqual([])
  })

  it('takes a change back, here and on the server', async () => {
    const added = manual('by-hand')
    await change(laptop, added)
    const edit = editEntry(await local(laptop, 'by-hand'), { note: 'x' }, now())
    await change(laptop, edit)
    await change(laptop, ...invertChanges([edit], now()))
    expect(await world.stored('time_entries')).toMatchObject([{ note: null, deletedAt: null }])

    const deletion = deleteEntry(await local(laptop, 'by-hand'), now())
    await change(laptop, deletion)
    expect((await world.stored('time_entries'))[0]?.['deletedAt']).not.toBeNull()
    await change(laptop, ...invertChanges([deletion], now()))
    expect((await world.stored('time_entries'))[0]?.['deletedAt']).toBeNull()

    await change(laptop, ...invertChanges([added], now()))
    expect((await world.stored('time_entries'))[0]?.['deletedAt']).not.toBeNull()
  })

  it.each([2, 5])('takes %i deletions back while the first is being sent', async (count) => {
    await change(laptop, ...entries(count))
    const all = allEntries(laptop.record).map((entry) => deleteEntry(entry, now()))
    const back = await laptop.press((draft, at) => applyChanges(draft, { entries: all }, at))
    let isUndone = false
    laptop.intercept(async (request, send) => {
      if (request.method === 'GET' || isUndone) return send()
      isUndone = true
      world.server.clock.advance(1000)
      await laptop.press((draft, at) => applyChanges(draft, back, at))
      return send()
    })
    await laptop.sync.flush()

    expect(isUndone).toBe(true)
    expect(laptop.record.entries()).toHaveLength(count)
    expect((await world.stored('time_entries')).map((entry) => entry['deletedAt'])).toEqual(
      Array.from({ length: count }, () => null),
    )
    expect(unsentCount(laptop.record)).toBe(0)
  })

  it('takes back its own change alone when another device has changed the entry since', async () => {
    await change(laptop, manual('shared'))
    const phone = await world.device('phone')
    const { startedAt, endedAt } = await local(laptop, 'shared')
    const shorter = editEntry(await local(laptop, 'shared'), { endedAt: endedAt - HOUR / 2 }, now())
    const back = await laptop.press((draft) => applyChanges(draft, { entries: [shorter] }, now()))
    await laptop.sync.flush()
    await phone.sync.refresh()
    await change(phone, editEntry(await local(phone, 'shared'), { note: 'call with Bo' }, now()))
    await change(phone, deleteEntry(await local(phone, 'shared'), now()))
    await laptop.press((draft) => applyChanges(draft, back, now()))
    await laptop.sync.refresh()

    expect(await local(laptop, 'shared')).toMatchObject({
      startedAt,
      endedAt,
      note: 'call with Bo',
    })
    expect(await world.stored('time_entries')).toMatchObject([
      { durationSeconds: 3600, note: 'call with Bo', deletedAt: expect.any(String) },
    ])
  })

  it('makes an entry anew that another client deleted for good', async () => {
    await change(laptop, manual('gone'))
    const entry = await local(laptop, 'gone')
    await world.user.call('DELETE', '/databases/stint/collections/time_entries/documents/gone')
    await change(laptop, editEntry(entry, { note: 'still mine' }, now()))

    expect(await world.stored('time_entries')).toMatchObject([{ $id: 'gone', note: 'still mine' }])
  })
})

describe('many entries at once', () => {
  it('brings a task that was deleted elsewhere along as deleted', async () => {
    const task = {
      id: 'of-old',
      name: 'Of old',
      isActive: false,
      category: 'Research',
      goalHours: 8,
      color: 'bg-blue-500',
      createdAt: now(),
      updatedAt: now(),
    }
    await laptop.press((draft) => applyChanges(draft, { newTasks: [task] }, now()))
    await laptop.sync.flush()
    expect(await world.stored('tasks')).toContainEqual(
      expect.objectContaining({ $id: 'of-old', isActive: false, category: 'Research' }),
    )
  })

  it('sends them in a few calls', async () => {
    let calls = 0
    laptop.intercept(async (_request, send) => {
      calls += 1
      return send()
    })
    await change(laptop, ...entries(1000))

    expect(calls).toBeLessThan(10)
    expect(unsentCount(laptop.record)).toBe(0)
    const page = await world.user.call('GET', '/databases/stint/collections/time_entries/documents')
    expect(page.body.total).toBe(1000)
  })

  it('lets a timer go first', async () => {
    laptop.intercept(offline())
    await change(laptop, ...entries(300))
    const order: string[] = []
    laptop.intercept(async (request, send) => {
      if (request.method !== 'GET') order.push(new URL(request.url).pathname.split('/')[5] ?? '')
      return send()
    })
    await laptop.press((draft) =>
      store.start(draft, { sessionId: 'first', taskId, device: 'laptop', now: now() }),
    )
    await laptop.sync.flush()

    expect(order[0]).toBe('timer_sessions')
    expect(unsentCount(laptop.record)).toBe(0)
  })

  it('puts aside the one that the server refuses, and saves the others', async () => {
    const far = now() + 2 * HOUR
    const future = newEntry({ id: 'future', taskId, startedAt: now(), endedAt: far }, now())
    await change(laptop, ...entries(10), future, ...entries(12).slice(10))

    expect(await world.stored('time_entries')).toHaveLength(12)
    const left = laptop.record.view.edits.all()
    expect(left.map(({ refused }) => refused?.message)).toEqual([expect.stringMatching(/future/)])
    expect(laptop.record.view.entries.get('future')).toBeDefined()
  })
})

describe('changing tasks', () => {
  it('keeps what is unsaved when the server’s older state arrives', async () => {
    laptop.intercept(async (request, send) => {
      if (request.method === 'PATCH') throw new TypeError('Failed to fetch')
      return send()
    })
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

  it('keeps of two names the one that was given later, and what else was changed', async () => {
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

  it('gives a task its last name when only the answers to all of them were lost', async () => {
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
})

describe('changing the running timer', () => {
  it('moves its start, and the other device sees it', async () => {
    const sessionId = await laptop.start(taskId)
    world.server.clock.advance(60_000)
    const startedAt = now() - HOUR
    await laptop.press((draft) => store.changeTimer(draft, sessionId, { startedAt }, now()))
    await laptop.sync.flush()

    const phone = await world.device('phone')
    expect(phone.record.value('timer')?.timer.startedAt).toBe(startedAt)
    await phone.stop()
    expect(await world.stored('time_entries')).toMatchObject([{ durationSeconds: 3600 }])
  })

  it('starts in the past, and the timer before it ends there', async () => {
    const other = await world.createTask('Plan')
    const first = await laptop.start(taskId)
    world.server.clock.advance(HOUR)
    const startedAt = now() - HOUR / 4
    const input = { sessionId: 'late', taskId: other, device: 'laptop', now: now(), startedAt }
    await laptop.press((draft) => store.start(draft, input))
    await laptop.sync.flush()

    expect((await local(laptop, first)).endedAt).toBe(startedAt)
    expect(laptop.record.value('timer')?.timer.startedAt).toBe(startedAt)
  })

  it('ends the timer before it where the new one starts, though it was paused since', async () => {
    const other = await world.createTask('Plan')
    const first = await laptop.start(taskId)
    world.server.clock.advance(HOUR)
    await laptop.pause()
    world.server.clock.advance(HOUR / 4)
    await laptop.resume()
    world.server.clock.advance(HOUR / 4)
    const startedAt = now() - HOUR
    const input = { sessionId: 'late', taskId: other, device: 'laptop', now: now(), startedAt }
    await laptop.press((draft) => store.start(draft, input))
    await laptop.sync.flush()

    expect(await local(laptop, first)).toMatchObject({
      endedAt: startedAt,
      durationSeconds: 1800,
    })
  })

  it('takes a moved start back with the pauses it had cut off, and keeps later ones', async () => {
    const sessionId = await laptop.start(taskId)
    world.server.clock.advance(HOUR)
    await laptop.pause()
    world.server.clock.advance(HOUR / 2)
    await laptop.resume()
    world.server.clock.advance(HOUR)
    const change = { startedAt: now() - HOUR / 4 }
    const back = await laptop.press((draft) =>
      applyChanges(draft, { timer: { sessionId, change } }, now()),
    )
    expect(laptop.record.value('timer')?.timer.pauses.intervals).toEqual([])
    await laptop.pause()
    world.server.clock.advance(HOUR)
    await laptop.resume()
    await laptop.press((draft) => applyChanges(draft, back, now()))
    await laptop.stop()

    expect(await world.stored('time_entries')).toMatchObject([{ durationSeconds: 2 * 3600 }])
  })

  it('keeps a moved start that was stopped unsent, whichever device finishes it', async () => {
    const other = await world.createTask('Plan')
    const sessionId = await laptop.start(taskId)
    world.server.clock.advance(HOUR)
    laptop.intercept(offline())
    const change = { startedAt: now() - 2 * HOUR, taskId: other }
    await laptop.press((draft) => store.changeTimer(draft, sessionId, change, now()))
    await laptop.stop()
    const killed = Promise.withResolvers<void>()
    laptop.intercept(async (request, send) => {
      const reply = await send()
      if (request.method !== 'PATCH') return reply
      laptop.kill()
      killed.resolve()
      return new Promise(() => undefined)
    })
    void laptop.sync.flush().catch(() => undefined)
    await killed.promise
    await world.device('phone')
    laptop = await laptop.reopen()

    const expected = { taskId: other, durationSeconds: 2 * 3600 }
    expect(await world.stored('time_entries')).toMatchObject([expected])
    expect(await local(laptop, sessionId)).toMatchObject(expected)
  })

  it('never begins after now, or after the pause it is in', async () => {
    const sessionId = await laptop.start(taskId)
    world.server.clock.advance(HOUR)
    await laptop.pause()
    const pausedAt = now()
    world.server.clock.advance(HOUR)
    await laptop.press((draft) =>
      store.changeTimer(draft, sessionId, { startedAt: now() + HOUR }, now()),
    )
    expect(laptop.record.value('timer')?.timer.startedAt).toBe(pausedAt)
  })
})
