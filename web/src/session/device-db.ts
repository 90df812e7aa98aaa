/**
 * What this browser knows before anyone is asked: who was signed in last. In IndexedDB, because it
 * survives a crash and localStorage does not; with nothing but what the browser has, because the sign-in
 * page loads this (docs/decisions/0031-what-loads-first.md).
 */
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
  #opening: Promise<IDBDatabase> | null = null
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
    const transaction = (await this.#database()).transaction(STORE)
    return done<DeviceRecord | undefined>(transaction.objectStore(STORE).get(key))
  }

  /** Resolves when it is on the disk. */
  put(record: DeviceRecord): Promise<void> {
    return this.#change((store) => store.put(record))
  }

  delete(key: DeviceRecord['key']): Promise<void> {
    return this.#change((store) => store.delete(key))
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

  async #change(change: (store: IDBObjectStore) => IDBRequest): Promise<void> {
    const database = await this.#database()
    const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' })
    const committed = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(asError(transaction.error)))
    })
    change(transaction.objectStore(STORE))
    await committed
    this.#tell()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    if (!this.#isClosed) this.#otherTabs.postMessage('changed')
  }

  #tell(): void {
    this.#changes.set(this.#changes.get() + 1)
  }

  #database(): Promise<IDBDatabase> {
    this.#opening ??= openDatabase(() => (this.#opening = null))
    return this.#opening
  }
}

async function openDatabase(onGone: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, VERSION)
  request.addEventListener('upgradeneeded', () => {
    if (request.result.objectStoreNames.contains(STORE)) return
    request.result.createObjectStore(STORE, { keyPath: 'key' })
  })
  const database = await done(request)
  database.addEventListener('close', onGone)
  // Another tab deletes it or has a newer build: never be in the way.
  database.addEventListener('versionchange', () => {
    database.close()
    onGone()
  })
  return database
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
