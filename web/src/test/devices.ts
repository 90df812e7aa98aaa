/**
 * Devices of one user against the real server in memory: each has its own IndexedDB, its own
 * cookies and the real sync code. A device can be killed and opened again on the same storage.
 */
import type { LocalDb } from '#sync/local-db.ts'
import type { Sync } from '#sync/sync.ts'

import { createTestApp } from '@stint/server/test-app.ts'
import type { Intercept, TestApp, TestBrowser, TestUser } from '@stint/server/test-app.ts'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { vi } from 'vitest'

import { createAppwriteBackend } from '#backend/appwrite-backend.ts'
import type { Backend } from '#backend/backend.ts'
import { queueLocks } from '#sync/locks.ts'
import { openSync } from '#sync/sync.ts'
import * as store from '#sync/timer-store.ts'

export interface World {
  readonly server: TestApp
  readonly user: TestUser
  /** A new device of the user, signed in, with nothing in its storage. */
  device(name?: string): Promise<Device>
  /** The user's documents of a collection on the server. */
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
  readonly db: LocalDb
  readonly backend: Backend
  start(taskId: string): Promise<string>
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
  /** Stands between this device and the server. */
  intercept(onRequest: Intercept | undefined): void
  /** What the device would do at once ends here; its storage stays. */
  kill(): void
  /** The same device after its tab was opened again: storage kept, sync done. */
  reopen(): Promise<Device>
}

const OFFLINE: Intercept = async () => {
  throw new TypeError('Failed to fetch')
}

/** Loses every request, as a device without a network does. */
export function offline(): Intercept {
  return OFFLINE
}

/** A server with one signed-in user; close it when the test is over. */
export async function createWorld(): Promise<World> {
  const server = await createTestApp()
  const user = await server.signedInUser('Ada')
  const hosts = new Map<string, { browser: TestBrowser; onRequest: Intercept | undefined }>()
  const open: Sync[] = []

  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const host = hosts.get(url.host)
    if (!host) throw new TypeError('Failed to fetch')
    const send = () => host.browser.fetch(input, init)
    return host.onRequest ? host.onRequest(new Request(input, init), send) : send()
  })

  return {
    server,
    user,
    async device(name = `device-${hosts.size + 1}`) {
      const storage = { indexedDB: new IDBFactory(), IDBKeyRange }
      const host = `${name}.localhost:3000`
      hosts.set(host, { browser: user, onRequest: undefined })
      const device = await openDevice(name, host, storage)
      await device.sync.refresh()
      return device
    },
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
      for (const sync of open) void sync.close()
      vi.unstubAllGlobals()
      await server.close()
    },
  }

  async function openDevice(
    name: string,
    host: string,
    storage: { indexedDB: IDBFactory; IDBKeyRange: typeof IDBKeyRange },
  ): Promise<Device> {
    const sdk = createAppwriteBackend({
      endpoint: `http://${host}/v1`,
      projectId: 'stint',
      databaseId: 'stint',
      ownServer: true,
    })
    // No socket reaches a server in memory; its part has tests of its own.
    const backend: Backend = { ...sdk, subscribe: () => ({ close: () => undefined }) }
    const clock = { now: server.clock.now, learn: () => undefined, onLeap: () => () => undefined }
    const sync = await openSync(user.id, {
      backend,
      clock,
      withLock: queueLocks(),
      device: name,
      storage,
    })
    open.push(sync)
    const { db } = sync
    let sessions = 0
    return {
      sync,
      db,
      backend,
      async start(taskId) {
        sessions += 1
        const sessionId = `${name}-${server.clock.now()}-${sessions}`
        await store.start(db, { sessionId, taskId, device: name, now: server.clock.now() })
        await sync.flush()
        return sessionId
      },
      async pause() {
        await store.pause(db, server.clock.now())
        await sync.flush()
      },
      async resume() {
        await store.resume(db, server.clock.now())
        await sync.flush()
      },
      async stop() {
        await store.stop(db, server.clock.now())
        await sync.flush()
      },
      intercept(onRequest) {
        const entry = hosts.get(host)
        if (entry) entry.onRequest = onRequest
      },
      kill() {
        void sync.close()
      },
      async reopen() {
        void sync.close()
        hosts.set(host, { browser: user, onRequest: undefined })
        const device = await openDevice(name, host, storage)
        await device.sync.refresh()
        return device
      },
    }
  }
}
