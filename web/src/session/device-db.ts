/**
 * What this browser remembers of its last sign-in, and of its record without an account. It is in IndexedDB, because IndexedDB survives a
 * crash and localStorage does not. It is separate from the record, which the sign-in page does not load
 * (docs/decisions/0042-what-loads-first.md).
 */
import { openDB } from 'idb'
import type { IDBPDatabase } from 'idb'

import { createStore } from '#record/create-store.ts'
import { closeWithPage, endWithPage } from '#record/page-cache.ts'
import type { User } from '#backend/backend.ts'

export interface IdentityRecord {
  readonly key: 'identity'
  readonly user: User
  /** False: the sign-in ends with the browser, so the backend is asked first at the next load. */
  readonly remember: boolean
}

/** An unfinished sign-out: the backend does not know of it yet, or local data is not yet removed. */
export interface PendingSignOutRecord {
  readonly key: 'pending-sign-out'
  /** The user who signs out. Records of older builds have none. */
  readonly userId?: string | null
  /** False or missing: all of the user's sign-ins end. */
  readonly thisDeviceOnly?: boolean
}

/** The record of this browser that has no account (docs/decisions/0056-before-sign-up.md). */
export interface GuestRecord {
  readonly key: 'guest'
  /** Stands for the id of an account in the names of databases. */
  readonly id: string
  /** The accounts that it was not added to, as their owner has answered. */
  readonly refusedBy: readonly string[]
}

type DeviceRecord = IdentityRecord | PendingSignOutRecord | GuestRecord

const NAME = 'stint'
/** Dexie created this database as its version 1, which IndexedDB stores as 10. */
const VERSION = 10
const STORE = 'records'

export class DeviceDb {
  #opening: Promise<IDBPDatabase> | null = null
  readonly #changes = createStore(0)
  readonly #otherTabs = new BroadcastChannel('stint-device')
  #isClosed = false

  constructor() {
    this.#otherTabs.addEventListener('message', () => this.#notify())
  }

  /** Opens the database. Rejects when the browser provides no storage. */
  async open(): Promise<void> {
    await this.#database()
  }

  /** Returns the user who was last signed in, or undefined. */
  async identity(): Promise<IdentityRecord | undefined> {
    const record = await this.get('identity')
    return record?.key === 'identity' ? record : undefined
  }

  /** Returns the record without an account, or undefined. */
  async guest(): Promise<GuestRecord | undefined> {
    const record = await this.get('guest')
    return record?.key === 'guest' ? record : undefined
  }

  async get(key: DeviceRecord['key']): Promise<DeviceRecord | undefined> {
    return endWithPage((await this.#database()).transaction(STORE)).store.get(key)
  }

  /** Stores a record. Resolves when it is on disk. */
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
   * Calls back now, and whenever this or another tab changes who is signed in. Returns an unsubscribe
   * function.
   */
  onIdentity(listener: (identity: IdentityRecord | undefined) => void): () => void {
    let isSubscribed = true
    const notify = (): void => {
      void this.identity().then(
        (identity) => {
          if (isSubscribed && !this.#isClosed) listener(identity)
        },
        // The database was closed in the meantime, so no listener remains.
        () => undefined,
      )
    }
    const unsubscribe = this.#changes.subscribe(notify)
    notify()
    return () => {
      isSubscribed = false
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
    const database = await this.#database()
    return endWithPage(database.transaction(STORE, 'readwrite', { durability: 'strict' }))
  }

  #changed(): void {
    this.#notify()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    if (!this.#isClosed) this.#otherTabs.postMessage('changed')
  }

  #notify(): void {
    this.#changes.set(this.#changes.get() + 1)
  }

  #database(): Promise<IDBPDatabase> {
    const onGone = (): void => {
      this.#opening = null
    }
    this.#opening ??= openDB(NAME, VERSION, {
      upgrade(database, _old, _new, transaction) {
        endWithPage(transaction)
        if (database.objectStoreNames.contains(STORE)) return
        database.createObjectStore(STORE, { keyPath: 'key' })
      },
      // Another tab deletes the database or has a newer build. This connection must not block it.
      blocking(_version, _next, { target }) {
        if (target instanceof IDBDatabase) target.close()
        onGone()
      },
      terminated: onGone,
    }).then(closeWithPage)
    return this.#opening
  }
}
