/**
 * The record's database in plain memory, as a replacement of `record/database.ts`. A fake IndexedDB takes 2 to
 * 10 ms for each record that is opened, and 1 ms for each write.
 */
import type { StoreName } from '#record/database.ts'

type Name = StoreName | 'unreadable'
type Store = Map<IDBValidKey, unknown>
type Stores = Map<Name, Store>

export interface MemoryDatabase {
  readonly name: string
  readonly stores: Stores
  close(): void
}

const databases = new Map<string, Stores>()

/** Opens the database of that name. A new database is empty. */
export function openMemory(name: string): MemoryDatabase {
  const stores = databases.get(name) ?? new Map<Name, Store>()
  databases.set(name, stores)
  return { name, stores, close: () => undefined }
}

/** Deletes the database of that name. */
export function deleteDatabase(name: string): void {
  databases.delete(name)
}

/** Deletes all databases. */
export function deleteDatabases(): void {
  databases.clear()
}

type Ending = 'complete' | 'abort'

/**
 * A transaction. A put takes effect at once, and an abort undoes it. All puts of a transaction follow each other
 * without a wait, so that nothing reads half of them.
 */
export class MemoryTransaction {
  readonly stores: Stores
  readonly #listeners: { readonly type: Ending; readonly listener: () => void }[] = []
  readonly #done = Promise.withResolvers<void>()
  readonly #undo: (() => void)[] = []
  #isOver = false

  constructor({ stores }: MemoryDatabase) {
    this.stores = stores
    this.#done.promise.catch(() => undefined)
  }

  get done(): Promise<void> {
    return this.#done.promise
  }

  addEventListener(type: Ending, listener: () => void): void {
    this.#listeners.push({ type, listener })
  }

  commit(): void {
    this.complete()
  }

  /** Ends it as a browser ends one without requests. */
  complete(): void {
    this.#end('complete')
    this.#done.resolve()
  }

  abort(): void {
    for (const undo of this.#undo.toReversed()) undo()
    this.#end('abort')
    this.#done.reject(new DOMException('The transaction was aborted', 'AbortError'))
  }

  /** Puts a value, or with undefined deletes the key. */
  set(store: Store, key: IDBValidKey, value: unknown): void {
    const before = store.get(key)
    this.#undo.push(() => change(store, key, before))
    change(store, key, value)
  }

  #end(how: Ending): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const { type, listener } of this.#listeners) if (type === how) listener()
  }
}

function change(store: Store, key: IDBValidKey, value: unknown): void {
  if (value === undefined) store.delete(key)
  else store.set(key, value)
}

/** Returns a store within a transaction, with the functions that the record uses. */
export function storeInMemory(transaction: MemoryTransaction, name: Name) {
  const { stores } = transaction
  const store: Store = stores.get(name) ?? new Map<IDBValidKey, unknown>()
  stores.set(name, store)
  const sorted = (range?: IDBKeyRange) =>
    [...store]
      .filter(([key]) => range?.includes(key) ?? true)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    get: async (key: IDBValidKey) => store.get(key),
    getAll: async (range?: IDBKeyRange) => sorted(range).map(([, value]) => value),
    getAllKeys: async () => sorted().map(([key]) => key),
    count: async () => store.size,
    put: async (value: unknown, key: IDBValidKey) => transaction.set(store, key, value),
    delete: async (key: IDBValidKey) => transaction.set(store, key, undefined),
  }
}

const begin = (database: MemoryDatabase) => new MemoryTransaction(database)

/** The replacements of the functions with those names. */
export const memoryDatabase = {
  openDatabase: async (name: string) => openMemory(name),
  beginRead: begin,
  beginWrite: begin,
  storeIn: storeInMemory,
}
