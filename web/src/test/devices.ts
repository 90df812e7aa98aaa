/**
 * Devices of one user against the real server in memory. Each device has its own IndexedDB, its own
 * cookies and the real sync code. A device can be killed and opened again on the same storage.
 */
import type { Intercept, TestApp, TestBrowser, TestUser } from '@stint/testing/test-app.ts'
import { vi } from 'vitest'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import { createAppwriteBackend } from '#backend/appwrite-backend.ts'
import type { Backend, EventHandlers } from '#backend/backend.ts'
import { queueLocks } from '#session/locks.ts'
import type { WithLock } from '#sync/context.ts'
import { createServerClock } from '#backend/server-clock.ts'
import { startSync } from '#sync/sync.ts'
import type { Sync } from '#sync/sync.ts'
import { databaseName } from '#record/database.ts'
import { secondsAsked } from '@stint/core/device/questions.ts'
import { countUnsaved } from '@stint/core/device/unsaved.ts'
import { openRecord } from '#record/record.ts'
import type { Change, LocalRecord } from '#record/record.ts'
import {
  pause,
  resume,
  start,
  stop,
  trackOffline as trackTimerOffline,
} from '@stint/core/device/timer.ts'

import { backUp as backUpUser, restore as restoreUser } from './backup.ts'
import type { Backup } from './backup.ts'
import { serverOfFile } from './server-of-file.ts'

export interface World {
  readonly server: TestApp
  readonly user: TestUser
  /**
   * Returns a new device of the user, signed in, with empty storage. With `appwrite` the device is
   * built for a real Appwrite, and `appwrite` stands between the device and the server. `database`
   * names an existing database to use.
   */
  device(name?: string, appwrite?: Intercept, database?: string): Promise<Device>
  /** How many requests of devices could have changed what the server has. */
  writes(): number
  /** Returns the user's documents of a collection on the server. */
  stored(collection: 'tasks' | 'timer_sessions' | 'time_entries'): Promise<StoredDocument[]>
  createTask(name: string): Promise<string>
  close(): Promise<void>
}

export interface StoredDocument {
  readonly $id: string
  readonly [attribute: string]: unknown
}

export interface Device {
  readonly sync: Sync
  readonly record: LocalRecord
  /** The name of the device's database. */
  readonly database: string
  readonly backend: Backend
  /** Presses without telling sync, so that the test decides when to send. */
  press<T>(change: Change<T>): Promise<T>
  start(taskId: string): Promise<string>
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
  /** Sets the intercept between this device and the server. */
  intercept(onRequest: Intercept | undefined): void
  /**
   * The realtime handlers of this device. The test calls them, because no socket reaches a server
   * in memory.
   */
  readonly hear: EventHandlers
  /** Kills the device: its pending work ends, and its storage stays. */
  kill(): void
  /** Opens the device again after its tab was closed: storage is kept, and sync is done. */
  reopen(onRequest?: Intercept): Promise<Device>
  /** Opens another tab of the same browser. */
  openTab(): Promise<Device>
  /** Moves the device's own clock forwards, or backwards when negative. */
  moveClock(byMilliseconds: number): void
}

/** The state that a device keeps when its tabs are closed. */
interface Hardware {
  readonly ownServer: boolean
  readonly database: string
  withLock: WithLock
  aheadMilliseconds: number
  readonly wall: () => number
  readonly texts: Map<string, string>
}

/** Returns all entries of a record by id, deleted ones included. */
export function allEntries(record: LocalRecord): readonly TimeEntry[] {
  return record.view.entries.all().toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** Returns how many things the backend has not acknowledged: a session with its entries is one. */
export function unsentCount(record: LocalRecord): number {
  return countUnsaved(record.view, () => true)
}

/** Returns the seconds of each entry that is not deleted, ordered by start. */
export function secondsOn({ record }: Device): readonly number[] {
  return record.entries().map((entry) => entry.durationSeconds)
}

/** Returns what the device asks about sessions, in whole seconds by session. */
export function askedOn({ record }: Device): readonly (readonly [string, number])[] {
  const questions = record.value('asked')?.questions ?? []
  return questions.map((question) => [question.sessionId, secondsAsked(question)] as const)
}

/** Gives the device its network back. Resolves when it has sent and fetched everything. */
export async function goOnline(device: Device): Promise<void> {
  device.intercept(undefined)
  await device.sync.refresh()
  await device.sync.flush()
}

/**
 * Presses Track offline in the banner of a start that failed. Nothing is sent.
 */
export async function trackOffline(device: Device): Promise<void> {
  const action = device.record.value('banner')?.action
  if (action?.kind !== 'track-offline') throw new Error('No offer to track offline')
  const { sessionId } = action
  await device.press((draft) => trackTimerOffline(draft, sessionId))
}

/** Resolves when a device that was opened has done what it does at load. */
async function loaded({ sync: { status } }: Device): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const check = () => void (status.get().isRefreshed && resolve())
  const end = status.subscribe(check)
  check()
  await promise
  end()
}

async function atOnce(): Promise<void> {
  // Retries follow each other at once.
}

/** Returns an intercept that loses every request, like a device without a network. */
export function offline(): Intercept {
  return async () => {
    throw new TypeError('Failed to fetch')
  }
}

/** Returns an intercept that loses the answers to requests of these methods, and all other requests. */
export function unanswered(...methods: readonly string[]): Intercept {
  return async (request, send) => {
    if (methods.includes(request.method)) await send()
    throw new TypeError('Failed to fetch')
  }
}

/** Creates a world with one task and two devices. The test must close the world at its end. */
export async function laptopAndPhone() {
  const world = await createWorld()
  const taskId = await world.createTask('Write report')
  const laptop = await world.device('laptop')
  const phone = await world.device('phone')
  return { world, taskId, laptop, phone }
}

/**
 * Returns what tests ask of the server and do with it. `current` is called at each use, because the world is made
 * before each test.
 */
export function serverOf(current: () => World) {
  /** Lets time pass on the server and on all devices. */
  function pass(seconds: number): void {
    current().server.clock.advance(seconds * 1000)
  }

  /** Returns the seconds of the entries on the server that are not deleted. */
  async function saved() {
    const entries = await current().stored('time_entries')
    return entries
      .filter((entry) => entry['deletedAt'] === null)
      .map((entry) => entry['durationSeconds'])
  }

  /** Returns the seconds of all entries on the server, deleted ones included. */
  async function savedOrDeleted() {
    const entries = await current().stored('time_entries')
    return entries.map((entry) => entry['durationSeconds'])
  }

  /** Reads all documents of the user. */
  function backUp(): Promise<Backup> {
    const { server, user } = current()
    return backUpUser(server, user.id)
  }

  /** Restores the documents of the user to the state of the backup. */
  function restore(backup: Backup): Promise<void> {
    const { server, user } = current()
    return restoreUser(server, user.id, backup)
  }

  return { pass, saved, savedOrDeleted, backUp, restore }
}

/** Creates a signed-in user of the server of this file. The test must close the world at its end. */
export async function createWorld(): Promise<World> {
  const server = await serverOfFile()
  const user = await server.signedInUser()
  const hosts = new Map<string, { browser: TestBrowser; onRequest: Intercept | undefined }>()
  const open: { readonly sync: Sync; readonly record: LocalRecord }[] = []
  let pages = 0
  let writes = 0

  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const host = hosts.get(url.host)
    if (!host) throw new TypeError('Failed to fetch')
    if ((init?.method ?? 'GET') !== 'GET') writes += 1
    const send = () => host.browser.fetch(input, init)
    return host.onRequest ? host.onRequest(new Request(input, init), send) : send()
  })

  return {
    server,
    user,
    async device(name = `device-${hosts.size + 1}`, appwrite, database = newDatabase(name)) {
      const host = `${name}.localhost:3000`
      hosts.set(host, { browser: user, onRequest: appwrite })
      const device = await openDevice(name, host, newDevice(database, appwrite === undefined))
      await loaded(device)
      return device
    },
    writes: () => writes,
    async stored(collection) {
      const reply = await user.call('GET', `/databases/stint/collections/${collection}/documents`)
      return reply.body.documents
    },
    async createTask(name) {
      const data = { name, userId: user.id }
      const reply = await user.call('POST', '/databases/stint/collections/tasks/documents', {
        documentId: 'unique()',
        data,
      })
      return String(reply.body.$id)
    },
    async close() {
      for (const { sync, record } of open) {
        void sync.close()
        record.close()
      }
      vi.unstubAllGlobals()
    },
  }

  function newDatabase(name: string): string {
    return databaseName(`${user.id} ${name} ${crypto.randomUUID()}`)
  }

  function newDevice(database: string, ownServer: boolean): Hardware {
    const hardware: Hardware = {
      ownServer,
      database,
      withLock: queueLocks(),
      aheadMilliseconds: 0,
      wall: () => server.clock.now() + hardware.aheadMilliseconds,
      texts: new Map(),
    }
    return hardware
  }

  async function openDevice(name: string, host: string, hardware: Hardware): Promise<Device> {
    const { database, wall, texts } = hardware
    const withLock: WithLock = (lock, work) => hardware.withLock(lock, work)
    const clock = createServerClock(
      {
        getItem: (key) => texts.get(key) ?? null,
        setItem: (key, text) => void texts.set(key, text),
      },
      { wall, monotonic: server.clock.now },
    )
    const sdk = createAppwriteBackend(
      {
        endpoint: `http://${host}/v1`,
        projectId: 'stint',
        databaseId: 'stint',
        ownServer: hardware.ownServer,
      },
      // A request takes no time here, and `Date` does not advance for a clock that stands still.
      ({ serverTime }) => clock.learn({ serverTime, sentAt: wall(), receivedAt: wall() }),
    )
    // No socket reaches a server in memory. The socket code has tests of its own.
    const heard = Promise.withResolvers<EventHandlers>()
    const backend: Backend = {
      ...sdk,
      subscribe(handlers) {
        heard.resolve(handlers)
        return { close: () => undefined }
      },
    }
    pages += 1
    const record = await openRecord(database, { clock, device: name, writer: `${name}-${pages}` })
    const sync = startSync(record, user.id, { backend, clock, withLock, wait: atOnce })
    open.push({ sync, record })
    const hear = await heard.promise
    const press = <T>(change: Change<T>) => record.takeIn(change)
    let sessions = 0
    return {
      sync,
      record,
      database,
      backend,
      press,
      async start(taskId) {
        sessions += 1
        const sessionId = `${name}-${server.clock.now()}-${sessions}`
        await press((draft) => start(draft, { sessionId, taskId, device: name }))
        await sync.flush()
        return sessionId
      },
      async pause() {
        await press(pause)
        await sync.flush()
      },
      async resume() {
        await press(resume)
        await sync.flush()
      },
      async stop() {
        await press(stop)
        await sync.flush()
      },
      intercept(onRequest) {
        const entry = hosts.get(host)
        if (entry) entry.onRequest = onRequest
      },
      hear,
      kill,
      async reopen(onRequest) {
        kill()
        hosts.set(host, { browser: user, onRequest })
        const device = await openDevice(name, host, hardware)
        await loaded(device)
        return device
      },
      openTab: () => openDevice(name, host, hardware),
      moveClock(milliseconds) {
        hardware.aheadMilliseconds += milliseconds
      },
    }

    function kill(): void {
      void sync.close()
      record.close()
      // A browser releases the locks of a dead tab.
      hardware.withLock = queueLocks()
    }
  }
}
