/**
 * What this browser knows before anyone is asked: who was signed in last. IndexedDB, because it
 * survives a crash and localStorage does not (M2); without Dexie, because the sign-in page needs
 * this and nothing else of it (docs/decisions/0031-what-loads-first.md).
 */
import type { User } from '#backend/backend.ts'

export interface IdentityRecord {
  readonly key: 'identity'
  readonly user: User
  /** False: the sign-in ends with the browser, so the backend is asked first (S37). */
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
/** Version 1 as Dexie counts, which made it first. */
const VERSION = 10
const STORE = 'records'

export class DeviceDb {
  #opening: Promise<IDBDatabase> | null = null
  readonly #listeners = new Set<() => void>()
  readonly #otherTabs = new BroadcastChannel('stint-device')

  constructor() {
    this.#otherTabs.addEventListener('message', () => this.#tellListeners())
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
    const database = await this.#database()
    const request: IDBRequest<DeviceRecord | undefined> = database
      .transaction(STORE)
      .objectStore(STORE)
      .get(key)
    return done(request)
  }

  /** Resolves when it is on the disk. */
  async put(record: DeviceRecord): Promise<void> {
    await this.#change((store) => store.put(record))
  }

  async delete(key: DeviceRecord['key']): Promise<void> {
    await this.#change((store) => store.delete(key))
  }

  /** Calls back now and whenever this or another tab changes who is signed in. */
  onIdentity(listener: (identity: IdentityRecord | undefined) => void): () => void {
    const tell = (): void => {
      void this.identity().then(
        (identity) => {
          if (this.#listeners.has(tell)) listener(identity)
        },
        // Closed meanwhile: nobody is listening any more.
        () => undefined,
      )
    }
    this.#listeners.add(tell)
    tell()
    return () => this.#listeners.delete(tell)
  }

  close(): void {
    this.#listeners.clear()
    this.#otherTabs.close()
    void this.#opening?.then(
      (database) => database.close(),
      () => undefined,
    )
    this.#opening = null
  }

  #database(): Promise<IDBDatabase> {
    this.#opening ??= openDatabase(() => (this.#opening = null))
    return this.#opening
  }

  async #change(change: (store: IDBObjectStore) => IDBRequest): Promise<void> {
    const database = await this.#database()
    const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' })
    const committed = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(asError(transaction.error)))
    })
    change(transaction.objectStore(STORE))
    await committed
    this.#tellListeners()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    this.#otherTabs.postMessage('changed')
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) listener()
  }
}

function openDatabase(onGone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION)
    request.addEventListener('upgradeneeded', () => {
      if (!request.result.objectStoreNames.contains(STORE)) {
        request.result.createObjectStore(STORE, { keyPath: 'key' })
      }
    })
    request.addEventListener('error', () => reject(asError(request.error)))
    request.addEventListener('success', () => {
      const database = request.result
      database.addEventListener('close', onGone)
      // Another tab deletes it or has a newer build: never be in the way.
      database.addEventListener('versionchange', () => {
        database.close()
        onGone()
      })
      resolve(database)
    })
  })
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(asError(request.error)))
  })
}

function asError(error: DOMException | null): Error {
  return error ?? new Error('The browser’s storage did not answer.')
}
