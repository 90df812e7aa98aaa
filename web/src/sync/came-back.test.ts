/** Tests sessions that a server restores from a backup although a device knows how they ended. */
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { editEntry, splitEntry } from '@stint/core/record/entry-edit.ts'
import type { EntryEdit } from '@stint/core/record/entry-edit.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { changeTimer } from '@stint/core/device/change-timer.ts'
import { applyChanges } from '@stint/core/device/changes.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { stop } from '@stint/core/device/timer.ts'
import { backUp, restore } from '#test/backup.ts'
import { createWorld, goOnline, offersOn, offline, secondsOn, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'

let world: World
let laptop: Device
let phone: Device
let taskId: string

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write report')
  laptop = await world.device('laptop')
  phone = await world.device('phone')
})

afterEach(async () => {
  await world.close()
})

function pass(seconds: number): void {
  world.server.clock.advance(seconds * 1000)
}

/** The laptop works for ten seconds. A minute later the server loses the stop. */
async function stopAndForget(): Promise<void> {
  await laptop.start(taskId)
  await laptop.sync.flush()
  pass(10)
  const backup = await backUp(world.server, world.user.id)
  await laptop.stop()
  await laptop.sync.flush()
  pass(60)
  await restore(world.server, world.user.id, backup)
}

/** Returns the seconds of the entries on the server. */
async function saved() {
  const entries = await world.stored('time_entries')
  return entries.map((entry) => entry['durationSeconds'])
}

test('A session that a restored backup brings back does not run again where its end is known', async () => {
  await stopAndForget()
  await laptop.sync.refresh()

  expect(laptop.record.value('timer')).toBeUndefined()
  expect(await saved()).toEqual([10])
  expect(await world.stored('timer_sessions')).toEqual([])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A start after a restored backup does not end the old session a second time', async () => {
  await stopAndForget()
  const other = await laptop.start(await world.createTask('Answer mail'))
  await laptop.sync.flush()

  expect(await saved()).toEqual([10])
  expect(await world.stored('timer_sessions')).toMatchObject([{ $id: other }])
})

test('A device that does not know the end of a restored session learns it from one that does', async () => {
  await stopAndForget()
  await phone.sync.refresh()
  expect(phone.record.value('timer')).toBeDefined()
  pass(2)
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(phone.record.value('timer')).toBeUndefined()
  expect(await saved()).toEqual([10])
  expect(unsentCount(phone.record)).toBe(0)
})

test('A shown timer keeps the pauses that a restored backup lacks', async () => {
  await laptop.start(taskId)
  await laptop.sync.flush()
  pass(10)
  const backup = await backUp(world.server, world.user.id)
  await laptop.pause()
  await laptop.sync.flush()
  pass(60)
  await laptop.resume()
  await laptop.sync.flush()
  pass(20)
  await restore(world.server, world.user.id, backup)
  await laptop.sync.refresh()
  await laptop.stop()
  await laptop.sync.flush()

  expect(await saved()).toEqual([30])
})

test.each(['before', 'while'])(
  'A pause that only its device knows counts in a session that another device creates again %s that one looks',
  async (when) => {
    await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
    const backup = await backUp(world.server, world.user.id)
    await laptop.start(taskId)
    await phone.sync.refresh()
    pass(20)
    await laptop.pause()
    await restore(world.server, world.user.id, backup)
    if (when === 'before') await phone.sync.refresh()
    laptop.intercept(async (request, send) => {
      if (request.method === 'POST') await phone.sync.refresh()
      return send()
    })
    pass(1)
    await laptop.sync.refresh()
    pass(9)
    await laptop.stop()

    expect(await saved()).toEqual([20])
  },
)

test('A stop keeps a pause that only its device knows in a session that another device creates again', async () => {
  const backup = await backUp(world.server, world.user.id)
  await laptop.start(taskId)
  await phone.sync.refresh()
  pass(20)
  await laptop.pause()
  await restore(world.server, world.user.id, backup)
  pass(5)
  await phone.sync.refresh()
  pass(5)
  await laptop.stop()

  expect(await saved()).toEqual([20])
})

test('A note that a restored backup lacks stays when its session is split', async () => {
  await laptop.start(taskId)
  pass(20)
  await laptop.stop()
  const backup = await backUp(world.server, world.user.id)
  const edit = async (edits: (entry: TimeEntry, now: number) => readonly EntryChange[]) => {
    const [entry] = laptop.record.entries()
    if (!entry) throw new Error('Nothing is saved')
    await laptop.press((draft, now) => applyChanges(draft, { entries: edits(entry, now) }, now))
    await laptop.sync.flush()
  }
  pass(1)
  await edit((entry, now) => [editEntry(entry, { note: 'Draft' }, now)])
  await restore(world.server, world.user.id, backup)
  pass(1)
  await edit((entry, now) => splitEntry(entry, entry.startedAt + 10_000, 'half', now))

  const entries = await world.stored('time_entries')
  expect(entries.map(({ note, durationSeconds }) => [note, durationSeconds])).toEqual([
    ['Draft', 10],
    ['Draft', 10],
  ])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A stop that is sent again keeps the pauses that a restored backup lacks', async () => {
  await laptop.start(taskId)
  await laptop.sync.flush()
  pass(10)
  const backup = await backUp(world.server, world.user.id)
  await laptop.pause()
  await laptop.sync.flush()
  pass(60)
  laptop.intercept(offline())
  await laptop.stop()
  await laptop.sync.flush()
  await restore(world.server, world.user.id, backup)
  laptop.intercept(undefined)
  await laptop.sync.refresh()

  expect(await saved()).toEqual([10])
})

test('A stop is saved when the conflicting entry is gone by the time it is read', async () => {
  await laptop.start(taskId)
  await laptop.sync.flush()
  await phone.sync.refresh()
  const backup = await backUp(world.server, world.user.id)
  pass(10)
  laptop.intercept(offline())
  await laptop.stop()
  await laptop.sync.flush()
  await phone.stop()
  await phone.sync.flush()
  // The server is restored between the answer that the entry exists and the request for that entry.
  laptop.intercept(async (request, send) => {
    const reply = await send()
    if (request.method === 'POST' && reply.status === 409)
      await restore(world.server, world.user.id, backup)
    return reply
  })
  await laptop.sync.refresh()
  laptop.intercept(undefined)

  expect(await saved()).toEqual([10])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A stop is saved when the conflicting entry is gone as it is read, and another device saves it again', async () => {
  await laptop.start(taskId)
  await laptop.sync.flush()
  await phone.sync.refresh()
  const backup = await backUp(world.server, world.user.id)
  pass(10)
  laptop.intercept(offline())
  await laptop.stop()
  await phone.stop()
  let conflicts = 0
  laptop.intercept(async (request, send) => {
    const reply = await send()
    if (request.method === 'POST' && reply.status === 409) conflicts += 1
    if (conflicts === 1 && request.method === 'POST')
      await restore(world.server, world.user.id, backup)
    if (conflicts === 1 && reply.status === 404) await phone.sync.refresh()
    return reply
  })
  await laptop.sync.refresh()
  laptop.intercept(undefined)

  expect(conflicts).toBe(2)
  expect(await saved()).toEqual([10])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A session that was paused after a stop within its first second does not come back from a backup', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  pass(0.3)
  await phone.stop()
  pass(20)
  await laptop.pause()
  const backup = await backUp(world.server, world.user.id)
  phone.intercept(undefined)
  await phone.sync.refresh()
  await laptop.sync.refresh()
  pass(60)
  await restore(world.server, world.user.id, backup)
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(laptop.record.value('timer')).toBeUndefined()
  expect(phone.record.value('timer')).toBeUndefined()
  expect(await world.stored('timer_sessions')).toEqual([])
  expect(await saved()).toEqual([0])
})

test.each([
  'saves a later session again',
  'changes a later session that is lost',
  'changes a later session of which a change is lost',
])('A note that a restored backup lacks is sent again by a device that %s', async (what) => {
  await laptop.start(taskId)
  pass(20)
  await laptop.stop()
  await laptop.start(taskId)
  let backup = await backUp(world.server, world.user.id)
  const edit = async (index: number, change: EntryEdit) => {
    const entry = laptop.record.entries().toSorted((a, b) => a.startedAt - b.startedAt)[index]
    if (!entry) throw new Error('Nothing is saved')
    await laptop.press((draft, now) =>
      applyChanges(draft, { entries: [editEntry(entry, change, now)] }, now),
    )
    await laptop.sync.flush()
  }
  const isChangeLost = what.endsWith('change is lost')
  pass(1)
  if (!isChangeLost) await edit(0, { note: 'Draft' })
  pass(300)
  await laptop.stop()
  await laptop.sync.refresh()
  if (isChangeLost) {
    backup = await backUp(world.server, world.user.id)
    await edit(0, { note: 'Draft' })
    pass(300)
    await edit(1, { note: 'Later' })
    await laptop.sync.refresh()
  }
  await restore(world.server, world.user.id, backup)
  pass(5)
  const last = laptop.record.entries().toSorted((a, b) => a.startedAt - b.startedAt)[1]
  if (what.startsWith('changes')) await edit(1, { endedAt: (last?.endedAt ?? 0) - 10_000 })
  await laptop.sync.refresh()
  await laptop.sync.refresh()

  const note = isChangeLost ? 'Later' : null
  expect(await world.stored('time_entries')).toMatchObject([{ note: 'Draft' }, { note }])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A known entry of zero length deletes no work from another device', async () => {
  await laptop.start(taskId)
  await laptop.sync.flush()
  const backup = await backUp(world.server, world.user.id)
  await phone.sync.refresh()
  laptop.intercept(offline())
  await phone.stop()
  await phone.sync.flush()
  pass(10)
  await laptop.stop()
  await restore(world.server, world.user.id, backup)
  laptop.intercept(undefined)
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(await world.stored('time_entries')).toMatchObject([
    { durationSeconds: 10, deletedAt: null },
  ])
  expect(phone.record.entries().map((entry) => entry.durationSeconds)).toEqual([10])
})

test('Work after a resume that a restored backup lacks is offered when another device has ended its pause', async () => {
  await laptop.start(taskId)
  pass(10)
  await laptop.pause()
  const backup = await backUp(world.server, world.user.id)
  pass(5)
  await laptop.resume()
  await restore(world.server, world.user.id, backup)
  await phone.sync.refresh()
  pass(20)
  await phone.stop()
  await laptop.sync.refresh()

  expect(await saved()).toEqual([10])
  expect(offersOn(laptop)).toMatchObject([
    { why: 'not-counted', worked: { durationSeconds: 30 }, instead: { durationSeconds: 10 } },
  ])
})

test('A shown timer keeps a resume that a restored backup lacks, although another device has moved its start', async () => {
  await laptop.start(taskId)
  pass(10)
  await laptop.pause()
  const backup = await backUp(world.server, world.user.id)
  pass(5)
  await laptop.resume()
  await restore(world.server, world.user.id, backup)
  pass(2)
  await phone.sync.refresh()
  const sessionId = phone.record.value('timer')?.timer.sessionId ?? ''
  await phone.press((draft, now) => changeTimer(draft, sessionId, { startedAt: now - 60_000 }, now))
  await phone.sync.flush()
  pass(20)
  await laptop.sync.refresh()
  await laptop.stop()

  expect(await saved()).toEqual([75])
})

test('Work that a restored backup lacks stays although another device had ended its session with nothing to save', async () => {
  const backup = await backUp(world.server, world.user.id)
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  await laptop.stop()
  await restore(world.server, world.user.id, backup)
  pass(20)
  phone.intercept(undefined)
  await phone.stop()
  expect(await saved()).toEqual([20])
  await restore(world.server, world.user.id, backup)
  pass(5)
  await laptop.sync.refresh()
  await laptop.sync.flush()
  await phone.sync.refresh()
  await phone.sync.flush()
  await laptop.sync.refresh()

  expect(await world.stored('time_entries')).toMatchObject([
    { durationSeconds: 20, deletedAt: null },
  ])
  expect(laptop.record.entries().map((entry) => entry.durationSeconds)).toEqual([20])
  expect(offersOn(phone)).toMatchObject([
    { why: 'not-stopped', worked: { durationSeconds: 0 }, instead: { durationSeconds: 20 } },
  ])
})

test('A pause that reaches a restored session counts where the end of the session is known', async () => {
  await laptop.press((draft, now) => changePrefs(draft, { trackOffline: true }, now))
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp(world.server, world.user.id)
  laptop.intercept(offline())
  pass(10)
  await laptop.pause()
  pass(20)
  await phone.stop()
  pass(5)
  await restore(world.server, world.user.id, backup)
  laptop.intercept(undefined)
  await laptop.sync.flush()
  await phone.sync.refresh()
  await laptop.sync.refresh()

  expect(await saved()).toEqual([10])
  expect(laptop.record.value('timer')).toBeUndefined()
  expect(phone.record.entries().map((entry) => entry.durationSeconds)).toEqual([10])
})

test('Work between a resume and a stop that a restored backup lacks is offered when another device has saved the pause', async () => {
  await laptop.start(taskId)
  pass(10)
  await laptop.pause()
  const backup = await backUp(world.server, world.user.id)
  pass(5)
  await laptop.resume()
  pass(7)
  await laptop.stop()
  await restore(world.server, world.user.id, backup)
  await phone.sync.refresh()
  pass(20)
  await phone.stop()
  await laptop.sync.refresh()

  expect(await saved()).toEqual([10])
  expect(offersOn(laptop)).toContainEqual(
    expect.objectContaining({
      why: 'not-counted',
      worked: expect.objectContaining({ durationSeconds: 17 }),
    }),
  )
})

test('A timer that was stopped with nothing to save stays stopped after a restored backup', async () => {
  await laptop.start(taskId)
  await laptop.pause()
  const backup = await backUp(world.server, world.user.id)
  pass(10)
  await laptop.stop()
  pass(60)
  await restore(world.server, world.user.id, backup)
  await laptop.sync.refresh()

  expect(laptop.record.value('timer')).toBeUndefined()
  expect(await world.stored('timer_sessions')).toEqual([])
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A timer that a restored backup lacks stays stopped when it is stopped with nothing to save', async () => {
  const backup = await backUp(world.server, world.user.id)
  await laptop.start(taskId)
  await phone.sync.refresh()
  await restore(world.server, world.user.id, backup)
  await laptop.stop()
  pass(5)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  expect(phone.record.value('timer')).toBeUndefined()
  expect(laptop.record.value('timer')).toBeUndefined()
  expect(await world.stored('timer_sessions')).toEqual([])
})

test('A note stays on a session that a device saves again without it after a restored backup', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  pass(10)
  const backup = await backUp(world.server, world.user.id)
  await laptop.stop()
  const [entry] = laptop.record.entries()
  if (!entry) throw new Error('Nothing was saved')
  const noted = editEntry(entry, { note: 'Draft' }, world.server.clock.now())
  await laptop.press((draft, now) => applyChanges(draft, { entries: [noted] }, now))
  await laptop.sync.flush()
  pass(60)
  await restore(world.server, world.user.id, backup)
  // The phone has not heard of the stop.
  await phone.stop()
  await laptop.sync.refresh()
  await laptop.sync.flush()

  expect(await world.stored('time_entries')).toMatchObject([{ note: 'Draft' }])
  expect(unsentCount(laptop.record)).toBe(0)
})

test.each(['before', 'while'])(
  'An earlier stop is offered when a device that had not heard of it saves the session after a restored backup %s its device looks',
  async (when) => {
    const backup = await backUp(world.server, world.user.id)
    await laptop.start(taskId)
    await phone.sync.refresh()
    pass(10)
    await laptop.stop()
    pass(20)
    await restore(world.server, world.user.id, backup)
    if (when === 'before') await phone.stop()
    laptop.intercept(async (request, send) => {
      if (request.method === 'POST') await phone.stop()
      return send()
    })
    await laptop.sync.refresh()
    await laptop.sync.flush()

    expect(await saved()).toEqual([30])
    expect(laptop.record.value('offers')?.offers).toMatchObject([
      { why: 'not-stopped', worked: { durationSeconds: 10 } },
    ])
  },
)

test('Work is offered when a device that had stopped earlier saves the session after a restored backup', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp(world.server, world.user.id)
  laptop.intercept(offline())
  pass(10)
  await laptop.stop()
  pass(20)
  await phone.stop()
  await restore(world.server, world.user.id, backup)
  pass(5)
  laptop.intercept(undefined)
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(await saved()).toEqual([10])
  expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 20 } }])
})

test('A split stays when a device that had not heard of it saves the session after a restored backup', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp(world.server, world.user.id)
  pass(10)
  await laptop.stop()
  const [entry] = laptop.record.entries()
  if (!entry) throw new Error('Nothing was saved')
  const halves = splitEntry(entry, entry.startedAt + 4000, 'half', world.server.clock.now())
  await laptop.press((draft, now) => applyChanges(draft, { entries: halves }, now))
  await laptop.sync.flush()
  pass(20)
  await restore(world.server, world.user.id, backup)
  await phone.stop()
  await laptop.sync.refresh()
  await laptop.sync.flush()

  expect(new Set(await saved())).toEqual(new Set([4, 6]))
  expect(laptop.record.value('offers')?.offers).toMatchObject([
    { why: 'ran-on', worked: { durationSeconds: 20 } },
  ])
})

test('A split stays when a device that had not heard of it changes the whole session after a restored backup', async () => {
  await laptop.start(taskId)
  pass(10)
  await laptop.stop()
  await phone.sync.refresh()
  const backup = await backUp(world.server, world.user.id)
  const [entry] = laptop.record.entries()
  if (!entry) throw new Error('Nothing was saved')
  const halves = splitEntry(entry, entry.startedAt + 4000, 'half', world.server.clock.now())
  await laptop.press((draft, now) => applyChanges(draft, { entries: halves }, now))
  await laptop.sync.flush()
  pass(20)
  await restore(world.server, world.user.id, backup)
  const noted = editEntry(entry, { note: 'Draft' }, world.server.clock.now())
  await phone.press((draft, now) => applyChanges(draft, { entries: [noted] }, now))
  await phone.sync.flush()
  await laptop.sync.refresh()
  await laptop.sync.flush()

  expect(new Set(await saved())).toEqual(new Set([4, 6]))
  expect(unsentCount(laptop.record)).toBe(0)
})

test('A split stays when another device saves the whole session again just before it arrives after a restored backup', async () => {
  await laptop.start(taskId)
  const backup = await backUp(world.server, world.user.id)
  pass(10)
  await laptop.stop()
  await phone.sync.refresh()
  const [entry] = phone.record.entries()
  if (!entry) throw new Error('Nothing was saved')
  phone.intercept(offline())
  const halves = splitEntry(entry, entry.startedAt + 4000, 'half', world.server.clock.now())
  await phone.press((draft, now) => applyChanges(draft, { entries: halves }, now))
  pass(20)
  await restore(world.server, world.user.id, backup)
  let isSavedAgain = false
  phone.intercept(async (request, send) => {
    if (request.method === 'PUT' && !isSavedAgain) {
      isSavedAgain = true
      await laptop.sync.refresh()
    }
    return send()
  })
  await phone.sync.refresh()
  await phone.sync.flush()

  expect(isSavedAgain).toBe(true)
  expect(new Set(await saved())).toEqual(new Set([4, 6]))
  expect(unsentCount(phone.record)).toBe(0)
})

test.each(['a note', 'a split after a note'])(
  'A note stays when another device saves the session again without it just before %s arrives after a restored backup',
  async (what) => {
    const backup = await backUp(world.server, world.user.id)
    await laptop.start(taskId)
    pass(10)
    await laptop.stop()
    await laptop.sync.flush()
    await phone.sync.refresh()
    phone.intercept(offline())
    const edit = async (make: (entry: TimeEntry, now: number) => readonly EntryChange[]) => {
      const [entry] = laptop.record.entries()
      if (!entry) throw new Error('Nothing was saved')
      const entries = make(entry, world.server.clock.now())
      await laptop.press((draft, now) => applyChanges(draft, { entries }, now))
    }
    if (what === 'a note') laptop.intercept(offline())
    await edit((entry, now) => [editEntry(entry, { note: 'Draft' }, now)])
    await laptop.sync.flush()
    laptop.intercept(offline())
    pass(20)
    if (what !== 'a note')
      await edit((entry, now) => splitEntry(entry, entry.startedAt + 4000, 'half', now))
    await restore(world.server, world.user.id, backup)
    let isSavedAgain = false
    laptop.intercept(async (request, send) => {
      if (!isSavedAgain && ['POST', 'PUT'].includes(request.method)) {
        isSavedAgain = true
        phone.intercept(undefined)
        pass(1)
        await phone.sync.refresh()
        pass(1)
      }
      return send()
    })
    await laptop.sync.refresh()
    await laptop.sync.flush()

    expect(isSavedAgain).toBe(true)
    const notes = (await world.stored('time_entries')).map(({ note }) => note)
    expect(new Set(notes)).toEqual(new Set(['Draft']))
    expect(unsentCount(laptop.record)).toBe(0)
  },
)

test.each(['trim', 'split'] as const)(
  'A split that was sent again after a restored backup stays, also over a %s of a later stop elsewhere',
  async (what) => {
    await laptop.start(taskId)
    await laptop.sync.flush()
    await phone.sync.refresh()
    const backup = await backUp(world.server, world.user.id)
    phone.intercept(offline())
    pass(20)
    await laptop.stop()
    pass(10)
    await phone.press(stop)
    const changeOn = async (device: Device, seconds: number, isSplit: boolean) => {
      const entry = device.record.entries().at(-1)
      if (!entry) throw new Error('Nothing is saved')
      const at = entry.startedAt + seconds * 1000
      const now = world.server.clock.now()
      const entries = isSplit
        ? splitEntry(entry, at, `half-${seconds}`, now)
        : [editEntry(entry, { endedAt: at }, now)]
      await device.press((draft, time) => applyChanges(draft, { entries }, time))
    }
    await restore(world.server, world.user.id, backup)
    await changeOn(laptop, 5, true)
    await laptop.sync.flush()
    pass(1)
    await changeOn(phone, 8, what === 'split')
    await goOnline(phone)
    await laptop.sync.refresh()

    expect(secondsOn(phone)).toEqual([5, 15])
    expect(secondsOn(laptop)).toEqual([5, 15])
    expect(offersOn(phone)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 10 } }])
  },
)

test('A timer that ended with nothing to save can be shortened when a device that had not heard of it saves it', async () => {
  const backup = await backUp(world.server, world.user.id)
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  await laptop.pause()
  pass(10)
  await laptop.stop()
  await restore(world.server, world.user.id, backup)
  pass(20)
  phone.intercept(undefined)
  await phone.sync.refresh()
  pass(10)
  await phone.stop()
  await laptop.sync.refresh()
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(await saved()).toEqual([30])
  expect(offersOn(laptop)).toContainEqual(
    expect.objectContaining({
      why: 'not-stopped',
      worked: expect.objectContaining({ durationSeconds: 0 }),
      instead: expect.objectContaining({ durationSeconds: 30 }),
    }),
  )
  expect(phone.record.entries().map((entry) => entry.durationSeconds)).toEqual([30])
})

test('A known pause counts when a device that had not heard of it saves the session again', async () => {
  const backup = await backUp(world.server, world.user.id)
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  pass(10)
  await laptop.pause()
  pass(10)
  await laptop.resume()
  pass(5)
  await laptop.stop()
  await restore(world.server, world.user.id, backup)
  pass(2)
  phone.intercept(undefined)
  await phone.sync.refresh()
  await phone.stop()
  await laptop.sync.refresh()
  await laptop.sync.refresh()

  expect(await saved()).toEqual([17])
  expect(offersOn(laptop)).toMatchObject([
    { why: 'counted', worked: { durationSeconds: 27 }, instead: { durationSeconds: 17 } },
  ])
})

test('Noted work is not lost when another device ends its lost session with nothing to save', async () => {
  const backup = await backUp(world.server, world.user.id)
  await laptop.start(taskId)
  await phone.sync.refresh()
  phone.intercept(offline())
  await phone.stop()
  pass(20)
  await laptop.stop()
  const [entry] = laptop.record.entries()
  if (!entry) throw new Error('Nothing was saved')
  laptop.intercept(offline())
  pass(5)
  await laptop.press((draft, now) =>
    applyChanges(draft, { entries: [editEntry(entry, { note: 'Draft' }, now)] }, now),
  )
  await restore(world.server, world.user.id, backup)
  phone.intercept(undefined)
  await phone.sync.flush()
  laptop.intercept(undefined)
  await laptop.sync.refresh()
  await laptop.sync.refresh()
  await phone.sync.refresh()

  expect(await world.stored('time_entries')).toMatchObject([
    { durationSeconds: 20, note: 'Draft', deletedAt: null },
  ])
})

test('Work after a resume that a restored backup lacks is offered when another device ends the session with nothing to save', async () => {
  await laptop.start(taskId)
  await laptop.pause()
  pass(5)
  const backup = await backUp(world.server, world.user.id)
  await laptop.resume()
  pass(20)
  await restore(world.server, world.user.id, backup)
  await phone.sync.refresh()
  await phone.stop()
  await laptop.sync.refresh()

  expect(offersOn(laptop)).toContainEqual(
    expect.objectContaining({
      why: 'not-counted',
      worked: expect.objectContaining({ durationSeconds: 20 }),
      instead: expect.objectContaining({ durationSeconds: 0 }),
    }),
  )
})

test('Work that is offered stays offered when a device saves the session again with an earlier end', async () => {
  await laptop.start(taskId)
  await phone.sync.refresh()
  const backup = await backUp(world.server, world.user.id)
  phone.intercept(offline())
  pass(10)
  await phone.stop()
  laptop.intercept(offline())
  const tablet = await world.device('tablet')
  await tablet.sync.refresh()
  pass(10)
  await tablet.stop()
  pass(10)
  laptop.intercept(undefined)
  await laptop.stop()
  await laptop.sync.refresh()
  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 10 } }])
  await restore(world.server, world.user.id, backup)
  pass(5)
  phone.intercept(undefined)
  await phone.sync.refresh()
  await laptop.sync.refresh()

  expect(await saved()).toEqual([10])
  expect(offersOn(laptop)).toMatchObject([{ why: 'went-on', worked: { durationSeconds: 20 } }])
})
