/**
 * Tests sync with a project of a real Appwrite: one that has only the attributes of the specification, and
 * one in which others create documents that name this person.
 */
import { COLLECTIONS } from '@stint/core/collections.ts'
import { readDocument } from '@stint/core/document.ts'
import { applyChanges } from '@stint/core/device/changes.ts'
import { changeEntry } from '@stint/core/device/edits.ts'
import { setNote } from '@stint/core/device/timer.ts'
import { discardSession } from '@stint/core/device/questions.ts'
import { missingAttributes } from '@stint/core/device/missing-attributes.ts'
import { newEntry } from '@stint/core/record/entry-edit.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { elapsedSeconds } from '@stint/core/timer/timer.ts'
import { appwriteProject, SPECIFIED } from '@stint/testing/appwrite-project.ts'
import type { AppwriteProject, ProjectDocument } from '@stint/testing/appwrite-project.ts'
import type { Intercept } from '@stint/testing/test-app.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { DocumentEvent } from '#backend/backend.ts'
import { isCollectionId } from '#backend/config.ts'
import { allEntries, createWorld, askedOn, secondsOn, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { likeAppwrite } from '#test/like-appwrite.ts'
import { testWalks } from '#test/walk.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ALL = {
  timer_sessions: Object.keys(COLLECTIONS.timer_sessions),
  time_entries: Object.keys(COLLECTIONS.time_entries),
  tasks: SPECIFIED['tasks'] ?? [],
}

let world: World
let taskId: string
let project: AppwriteProject

beforeEach(async () => {
  world = await createWorld()
  taskId = await world.createTask('Write')
})

afterEach(async () => {
  await world.close()
})

const now = () => world.server.clock.now()
const pass = (milliseconds: number) => world.server.clock.advance(milliseconds)

/** Opens a device of this person that talks to the project. */
function deviceIn(name: string): Promise<Device> {
  return world.device(name, throughProject)
}

const throughProject: Intercept = (request, send) =>
  project.intercept(request, () => likeAppwrite({ now }).intercept(request, send))

const SESSIONS = 'timer_sessions'
const ENTRIES = 'time_entries'

async function stored(collection: typeof SESSIONS | typeof ENTRIES) {
  const documents = await world.stored(collection)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's documents have these fields
  return documents as unknown as ProjectDocument[]
}

/** Lets a device hear of a document, as the project's socket tells it. */
function tell(
  device: Device,
  collection: string,
  action: 'upsert' | 'delete',
  sent: ProjectDocument,
) {
  if (!isCollectionId(collection)) throw new Error(`No collection ${collection}`)
  const document = readDocument(collection, project.fit(collection, sent))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the document is of that collection
  device.hear.onEvent({ collection, action, document } as DocumentEvent)
}

const timerOn = ({ record }: Device) => record.value('timer')?.timer
const secondsOfTimer = (device: Device) => {
  const timer = timerOn(device)
  return timer && elapsedSeconds(timer, now())
}

/** Adds an hour of yesterday with the note 'Plan'. Returns its id. */
async function addHour(device: Device, id = 'added'): Promise<string> {
  const startedAt = now() - 24 * HOUR
  const input = { id, taskId, startedAt, endedAt: startedAt + HOUR }
  const change = newEntry(input, now())
  const noted = { ...change, after: { ...change.after, note: 'Plan' } }
  await device.press((draft) => applyChanges(draft, { entries: [noted] }))
  await device.sync.flush()
  return id
}

/** Changes an entry on a device, and sends it. */
async function editOn(
  device: Device,
  id: string,
  change: (entry: TimeEntry) => Partial<TimeEntry>,
): Promise<void> {
  await device.press((draft) => {
    const entry = draft.entries.get(id)
    if (entry) changeEntry(draft, { ...entry, ...change(entry) })
  })
  await device.sync.flush()
}

const deleteOn = (device: Device, id: string) => editOn(device, id, () => ({ deletedAt: now() }))
/** Ends an hour ten minutes earlier. */
const shortenOn = (device: Device, id: string) =>
  editOn(device, id, ({ endedAt }) => ({ endedAt: endedAt - 10 * MINUTE, durationSeconds: 3000 }))

const entryOn = ({ record }: Device, id: string) => record.view.entries.get(id)

/** Returns a document that names this person and that everybody in the project can read. */
function foreign($id: string, attributes: object, permissions = ['read("users")']) {
  const at = new Date(now()).toISOString()
  const stamps = { $createdAt: at, $updatedAt: at, $permissions: permissions }
  return { $id, ...stamps, userId: world.user.id, ...attributes }
}

const timer = (id = 'foreign-timer', permissions?: string[]) => {
  const times = { taskId, startTime: new Date(now() - HOUR).toISOString() }
  const state = { isRunning: true, isPaused: false, pauseDurationSeconds: 0 }
  return foreign(id, { ...times, ...state }, permissions)
}
const hour = (id = 'foreign-hour', permissions?: string[]) => {
  const startTime = new Date(now() - 2 * HOUR).toISOString()
  const endTime = new Date(now() - HOUR).toISOString()
  const worked = { entryType: 'manual', durationSeconds: 3600, sessionId: null }
  return foreign(id, { taskId, startTime, endTime, ...worked }, permissions)
}
const task = (id = 'foreign-task', permissions?: string[]) =>
  foreign(id, { name: 'Pay me', isActive: true }, permissions)

describe('Documents that others in the project create', () => {
  beforeEach(() => {
    project = appwriteProject(ALL, async (collection) =>
      collection === 'tasks' ? [] : stored(collection === SESSIONS ? SESSIONS : ENTRIES),
    )
  })

  test.each([
    [['read("users")']],
    [['read("any")']],
    [['read("user:somebody-else")', 'read("users")']],
    [['read("users")', 'update("user:somebody-else")']],
    [[]],
  ])(
    'A timer, an hour and a task that others list for this person are not taken in: %j',
    async (list) => {
      project.plant(SESSIONS, timer('foreign-timer', list))
      project.plant(ENTRIES, hour('foreign-hour', list))
      project.plant('tasks', task('foreign-task', list))
      const laptop = await deviceIn('laptop')

      expect(laptop.record.value('timer')).toBeUndefined()
      expect(laptop.record.value('unfinished')).toBeUndefined()
      expect(secondsOn(laptop)).toEqual([])
      expect(laptop.record.tasks()).toEqual([])
      expect(laptop.sync.status.get()).toMatchObject({ tasksError: null, entriesError: null })
    },
  )

  test.each(['', '/verified', '/unverified'])(
    'A document whose permissions name this user%s is taken in',
    async (state) => {
      project.plant(ENTRIES, hour('own-hour', [`read("user:${world.user.id}${state}")`]))
      expect(secondsOn(await deviceIn('laptop'))).toEqual([3600])
    },
  )

  test('An event about a timer, an hour or a task of somebody else changes nothing', async () => {
    const laptop = await deviceIn('laptop')
    const asked: string[] = []
    laptop.intercept(async (request, send) => {
      asked.push(request.url)
      return throughProject(request, send)
    })
    tell(laptop, SESSIONS, 'upsert', timer())
    tell(laptop, ENTRIES, 'upsert', hour())
    tell(laptop, 'tasks', 'upsert', task())
    tell(laptop, ENTRIES, 'delete', hour())
    const own = { ...hour('own-hour'), $permissions: [`read("user:${world.user.id}")`] }
    tell(laptop, ENTRIES, 'upsert', own)

    await vi.waitFor(() => expect(secondsOn(laptop)).toEqual([3600]))
    expect(allEntries(laptop.record).map(({ id }) => id)).toEqual(['own-hour'])
    expect(laptop.record.value('timer')).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('A list of entries pages on behind a page of foreign ones', async () => {
    const laptop = await deviceIn('laptop')
    await addHour(laptop)
    pass(MINUTE)
    for (let index = 0; index < 120; index += 1) project.plant(ENTRIES, hour(`foreign-${index}`))

    expect(secondsOn(await deviceIn('phone'))).toEqual([3600])
  })
})

describe('Walks in a project with the attributes of the specification only', () => {
  beforeEach(() => {
    project = appwriteProject()
  })

  testWalks(
    `
    A pause of fractions of a second stays right on the other device, which stops
      L start, 10.3, L pause, 7.9, L resume, 10.05, P look, P stop, L look → 21
    A pause that the phone added while the laptop was offline counts in the stop of the laptop
      L start, 600, P look, L off, P pause, 300, P resume, 300, L stop, L on, P look → 900
    A deletion deletes the document, and devices that have only read it follow by list
      L start, 60, L stop, P look, T look, L delete → nothing
    An undone deletion brings the session back on both devices
      L start, 60, L stop, P look, L delete, P look, 60, L back → 60
    A session that was deleted again after that is gone on both devices
      L start, 60, L stop, P look, L delete, P look, 60, L back, P look, P delete → nothing
    A session that was changed here while it was deleted elsewhere stays
      L start, 60, L stop, P look, P off, P trim 50, L delete, 60, P on → 50
    A deletion whose answer is lost is deleted once and stays so
      L start, 60, L stop, L unanswered DELETE, L delete, L on → nothing
    An undone stop goes on as one timer on both devices
      L start, P look, 600, L stop, 60, L undo, P look, L look, 60, P stop → 720
  `,
    { appwrite: throughProject },
  )
})

describe('A project with the attributes of the specification only', () => {
  let laptop: Device
  let phone: Device

  beforeEach(async () => {
    project = appwriteProject()
    laptop = await deviceIn('laptop')
    phone = await deviceIn('phone')
  })

  test('Start, pause, resume and stop reach the server, and each attribute is refused once at most', async () => {
    await laptop.start(taskId)
    expect(laptop.record.value('timer')?.phase).toBe('confirmed')
    pass(10 * MINUTE)
    await laptop.pause()
    pass(2 * MINUTE)
    await laptop.resume()
    pass(5 * MINUTE)
    await laptop.stop()

    expect(laptop.record.value('banner')).toBeUndefined()
    expect(unsentCount(laptop.record)).toBe(0)
    expect(await stored(SESSIONS)).toEqual([])
    expect(await stored(ENTRIES)).toMatchObject([{ durationSeconds: 15 * 60, entryType: 'timer' }])
    const refusals = [...project.refused]
    expect(new Set(refusals).size).toBe(refusals.length)
    await laptop.start(taskId)
    pass(MINUTE)
    await laptop.stop()
    await phone.sync.refresh()
    await phone.start(taskId)
    pass(MINUTE)
    await phone.stop()
    // The phone has seen an entry, but no session yet.
    expect(project.refused.slice(refusals.length).every((each) => each.startsWith(SESSIONS))).toBe(
      true,
    )
    expect(secondsOn(laptop)).toEqual([15 * 60, 60])
  })

  test('The second device shows the timer of the first, and pauses and resumes it to the second', async () => {
    await laptop.start(taskId)
    pass(10 * MINUTE)
    await phone.sync.refresh()
    expect(secondsOfTimer(phone)).toBe(600)
    await phone.pause()
    pass(3 * MINUTE)
    await laptop.sync.refresh()
    expect(timerOn(laptop)?.status).toBe('paused')
    expect(secondsOfTimer(laptop)).toBe(600)
    await laptop.resume()
    pass(MINUTE)
    await phone.sync.refresh()
    expect(timerOn(phone)?.status).toBe('running')
    expect([secondsOfTimer(laptop), secondsOfTimer(phone)]).toEqual([660, 660])
    pass(MINUTE)
    await phone.pause()
    pass(MINUTE)
    await phone.resume()
    await laptop.sync.refresh()
    await laptop.sync.refresh()
    expect([secondsOfTimer(laptop), secondsOfTimer(phone)]).toEqual([720, 720])
    pass(MINUTE)
    await laptop.stop()
    await phone.sync.refresh()

    expect([secondsOn(laptop), secondsOn(phone)]).toEqual([[780], [780]])
    expect(timerOn(phone)).toBeUndefined()
    // The laptop had shown the first pause as work for three minutes.
    expect(askedOn(laptop).map(([, seconds]) => seconds)).toEqual([180])
    expect(await stored(ENTRIES)).toMatchObject([{ durationSeconds: 780 }])
  })

  test('A pause here and a resume elsewhere within a second leave the timer running on both', async () => {
    await laptop.start(taskId)
    pass(10_000)
    await phone.sync.refresh()
    await laptop.pause()
    pass(400)
    await phone.sync.refresh()
    await phone.resume()
    await laptop.sync.refresh()
    pass(10_000)
    await laptop.sync.refresh()
    await phone.sync.refresh()
    expect([timerOn(laptop)?.status, timerOn(phone)?.status]).toEqual(['running', 'running'])
  })

  test('A note of the timer stays on its device, through pause, stop, pull and events', async () => {
    const sessionId = await laptop.start(taskId)
    await laptop.press((draft) => setNote(draft, sessionId, 'Plan'))
    await laptop.sync.flush()
    expect(timerOn(laptop)?.note).toBe('Plan')
    pass(MINUTE)
    await laptop.pause()
    await laptop.sync.refresh()
    pass(MINUTE)
    await laptop.resume()
    expect(timerOn(laptop)?.note).toBe('Plan')
    pass(MINUTE)
    await laptop.stop()
    await laptop.sync.refresh()
    const [entry] = await stored(ENTRIES)
    if (entry) tell(laptop, ENTRIES, 'upsert', entry)
    await laptop.sync.refresh()

    expect(entryOn(laptop, sessionId)?.note).toBe('Plan')
    expect(entryOn(laptop, sessionId)?.pauses.intervals).toHaveLength(1)
    expect(unsentCount(laptop.record)).toBe(0)
    const elsewhere = await laptop.reopen(throughProject)
    expect(entryOn(elsewhere, sessionId)?.note).toBe('Plan')
  })

  test('The note of a timer that another device stops stays on this one', async () => {
    const sessionId = await laptop.start(taskId)
    await laptop.press((draft) => setNote(draft, sessionId, 'Plan'))
    await laptop.sync.flush()
    pass(MINUTE)
    await phone.sync.refresh()
    await phone.stop()
    await laptop.sync.refresh()
    expect(entryOn(laptop, sessionId)).toMatchObject({ durationSeconds: 60, note: 'Plan' })
  })

  test('A session that is added, edited and edited elsewhere keeps its note here', async () => {
    const id = await addHour(laptop)
    await phone.sync.refresh()
    pass(MINUTE)
    await shortenOn(phone, id)
    await laptop.sync.refresh()
    expect(entryOn(laptop, id)).toMatchObject({ durationSeconds: 3000, note: 'Plan' })
    await editOn(laptop, id, () => ({ note: 'Plan #b' }))
    await laptop.sync.refresh()

    expect(entryOn(laptop, id)).toMatchObject({ durationSeconds: 3000, note: 'Plan #b' })
    expect(unsentCount(laptop.record)).toBe(0)
    expect(laptop.record.unsaved()).toBe(0)
  })

  test('A deletion arrives by its event, without a comparison of all sessions', async () => {
    const id = await addHour(laptop)
    await addHour(laptop, 'stays')
    await phone.sync.refresh()
    const document = (await stored(ENTRIES)).find(({ $id }) => $id === id)
    await deleteOn(laptop, id)
    const lists: string[] = []
    phone.intercept(async (request, send) => {
      lists.push(request.url)
      return throughProject(request, send)
    })
    if (document) tell(phone, ENTRIES, 'delete', document)
    await vi.waitFor(() => expect(secondsOn(phone)).toEqual([3600]))
    expect(lists).toEqual([])
  })

  test('A server that was restored from a backup gets back what it has lost', async () => {
    const id = await addHour(laptop)
    await phone.sync.refresh()
    const path = `/databases/stint/collections/${ENTRIES}/documents`
    const other = await addHour(laptop, 'other')
    pass(MINUTE)
    await shortenOn(laptop, other)
    // The backup is from before the edit and before the first session.
    await world.user.call('DELETE', `${path}/${id}`)
    laptop.intercept(async (request, send) => {
      const answer = await throughProject(request, send)
      if (request.method !== 'GET' || !request.url.includes(ENTRIES)) return answer
      const page: { documents: ProjectDocument[] } = JSON.parse(await answer.text())
      const documents = page.documents.map((each) => ({ ...each, $updatedAt: each.$createdAt }))
      return Response.json({ ...page, documents })
    })
    await laptop.sync.refresh()
    laptop.intercept(throughProject)
    await laptop.sync.flush()
    expect((await stored(ENTRIES)).map(({ $id }) => $id).toSorted()).toEqual([id, other])
  })

  test('A timer that another device discards ends here, and its time is offered', async () => {
    await laptop.start(taskId)
    await phone.sync.refresh()
    pass(10 * MINUTE)
    await laptop.press((draft) => {
      const base = draft.sessions.all()[0]?.base
      if (base) discardSession(draft, base)
    })
    await laptop.sync.flush()
    await phone.sync.refresh()
    await phone.sync.refresh()

    expect(await stored(SESSIONS)).toEqual([])
    expect(await stored(ENTRIES)).toEqual([])
    expect(unsentCount(laptop.record)).toBe(0)
    expect(timerOn(phone)).toBeUndefined()
    expect(askedOn(phone).map(([, seconds]) => seconds)).toEqual([600])
  })

  test('A refresh without news asks for no list of all sessions', async () => {
    const id = await addHour(laptop)
    await addHour(laptop, 'stays')
    await deleteOn(laptop, id)
    await laptop.sync.refresh()
    const asked: string[] = []
    laptop.intercept(async (request, send) => {
      if (request.url.includes(ENTRIES)) asked.push(decodeURIComponent(request.url))
      return throughProject(request, send)
    })
    await laptop.sync.refresh()
    expect(await stored(ENTRIES)).toHaveLength(1)
    expect(asked).toHaveLength(2)
    expect(asked[0]).toContain('greaterThanEqual')
    expect(asked[1]).toContain('"limit","values":[1]')
  })

  test('What a later push adds is sent then: notes, times of pauses, the note of the timer', async () => {
    const id = await addHour(laptop)
    const sessionId = await laptop.start(taskId)
    await laptop.press((draft) => setNote(draft, sessionId, 'Go'))
    await laptop.sync.flush()
    pass(MINUTE)
    await laptop.pause()
    expect(missingAttributes(laptop.record.view, ENTRIES)).toEqual(
      ALL.time_entries.filter((name) => SPECIFIED['time_entries']?.includes(name) !== true),
    )
    project.push(ALL)
    pass(MINUTE)
    await laptop.resume()
    await laptop.sync.refresh()
    await laptop.sync.flush()
    pass(MINUTE)
    await laptop.stop()
    await laptop.sync.refresh()
    await laptop.sync.flush()

    expect(missingAttributes(laptop.record.view, ENTRIES)).toEqual([])
    expect(missingAttributes(laptop.record.view, SESSIONS)).toEqual([])
    expect(entryOn(laptop, id)?.note).toBe('Plan')
    const [first, second] = (await stored(ENTRIES)).toSorted((a, b) => (a.$id < b.$id ? -1 : 1))
    expect(first).toMatchObject({ $id: id, note: 'Plan' })
    expect(second).toMatchObject({ $id: sessionId, note: 'Go', durationSeconds: 120 })
    expect(JSON.parse(String(second?.['pauses']))).toHaveLength(1)
    expect(unsentCount(laptop.record)).toBe(0)
    await phone.sync.refresh()
    expect(entryOn(phone, id)?.note).toBe('Plan')
  })

  test('A note of a running timer stays when a list tells first of a later push', async () => {
    const sessionId = await laptop.start(taskId)
    await laptop.press((draft) => setNote(draft, sessionId, 'Go'))
    await laptop.sync.flush()
    pass(MINUTE)
    project.push(ALL)
    await laptop.sync.refresh()
    expect(timerOn(laptop)?.note).toBe('Go')
    await laptop.pause()
    expect(await stored(SESSIONS)).toMatchObject([{ note: 'Go' }])
  })

  test.each(['pauses', 'log', 'all'])(
    'A pause of a running timer counts once after a later push of %s',
    async (name) => {
      const lacking = (all: readonly string[]) => all.filter((each) => each !== name)
      const { timer_sessions, time_entries, tasks } = ALL
      if (name !== 'all') {
        project = appwriteProject({
          timer_sessions: lacking(timer_sessions),
          time_entries: lacking(time_entries),
          tasks,
        })
      }
      await laptop.start(taskId)
      pass(MINUTE)
      await laptop.pause()
      pass(MINUTE)
      await laptop.resume()
      pass(MINUTE)
      await phone.sync.refresh()
      project.push(ALL)
      for (const device of [laptop, phone, laptop, phone]) await device.sync.refresh()
      expect([secondsOfTimer(laptop), secondsOfTimer(phone)]).toEqual([120, 120])
      expect(unsentCount(laptop.record)).toBe(0)
    },
  )
})
