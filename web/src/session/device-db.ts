/**
 * What this browser knows before anyone is asked: who was signed in last. In IndexedDB, because it
 * survives a crash and localStorage does not; apart from the record, which the sign-in page does not
 * load (docs/decisions/0031-what-loads-first.md).
 */
import { openDB } from 'idb'
import type { IDBPDatabase } from 'idb'

import { createStore } from '#record/create-store.ts'
import type { User } from '#backend/backend.ts'

export interface IdentityRecord {
  readonly key: 'identity'
  readonly user: User
  /** False: the sign-in ends with the browser, so the backend is asked first. */
  readonly remember: boolean
}

/** A sign-out that is not over: the backend has not heard of it yet, or something is still here. */
export interface PendingSignOutRecord {
  readonly key: 'pending-sign-out'
  /** Who signs out; nobody in records of older builds. */
  readonly userId?: string | null
  /** Otherwise all of the user's sessions end. */
  readonly thisDeviceOnly?: boolean
}

type DeviceRecord = IdentityRecord | PendingSignOutRecord

const NAME = 'stint'
/** Version 1 as Dexie counted, which made it first. */
const VERSION = 10
const STORE = 'records'

export class DeviceDb {
  #opening: Promise<IDBPDatabase> | null = null
  readonly #changes = createStore(0)
  readonly #otherTabs = new BroadcastChannel('stint-device')
  #isClosed = false

  constructor() {
    this.#otherTabs.addEventListener('message', () => this.#tell())
  }

  /** Rejects when the browser gives no storage. */
  async open(): Promise<void> {
    await this.#database()
  }

  /** Who was signed in last, or undefined. */
  async identity(): Promise<IdentityRecord | undefined> {
    const record = await this.get('identity')
    return record?.key === 'identity' ? record : undefined
  }

  async get(key: DeviceRecord['key']): Promise<DeviceRecord | undefined> {
    return (await this.#database()).get(STORE, key)
  }

  /** Resolves when it is on the disk. */
  async put(record: DeviceRecord): Promise<void> {
    const { store, done } = await this.#begin()
    await Promise.all([store.put(record), done])
    this.#changed()
  }

  async delete(key: DeviceRecord['key']): Promise<void> {
    const { store, done } = await this.#begin()
    await Promise.all([store.delete(key), done])
    this.#changed()
  }

  /**
   * Calls back now and whenever this or another tab changes who is signed in; returns an unsubscribe
   * function.
   */
  onIdentity(listener: (identity: IdentityRecord | undefined) => void): () => void {
    let isWanted = true
    const tell = (): void => {
      void this.identity().then(
        (identity) => {
          if (isWanted && !this.#isClosed) listener(identity)
        },
        // Closed meanwhile: nobody is listening any more.
        () => undefined,
      )
    }
    const unsubscribe = this.#changes.subscribe(tell)
    tell()
    return () => {
      isWanted = false
      unsubscribe()
    }
  }

  close(): void {
    this.#isClosed = true
    this.#otherTabs.close()
    void this.#opening?.then(
      (database) => database.close(),
      () => undefined,
    )
    this.#opening = null
  }

  async #begin() {
    return (await this.#database()).transaction(STORE, 'readwrite', { durability: 'strict' })
  }

  #changed(): void {
    this.#tell()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    if (!this.#isClosed) this.#otherTabs.postMessage('changed')
  }

  #tell(): void {
    this.#changes.set(this.#changes.get() + 1)
  }

  #database(): Promise<IDBPDatabase> {
    const onGone = (): void => {
      this.#opening = null
    }
    this.#opening ??= openDB(NAME, VERSION, {
      upgrade(database) {
        if (database.objectStoreNames.contains(STORE)) return
        database.createObjectStore(STORE, { keyPath: 'key' })
      },
      // Another tab deletes it or has a newer build: never be in the way.
      blocking(_version, _next, { target }) {
        if (target instanceof IDBDatabase) target.close()
        onGone()
      },
      terminated: onGone,
    })
    return this.#opening
  }
}
