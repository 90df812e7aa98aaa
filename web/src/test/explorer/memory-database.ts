/**
 * The record's database in plain memory, as a replacement of `record/database.ts`. A fake IndexedDB
 * takes 2 to 10 ms for each record that is opened, and an explorer opens some hundred thousand.
 */
import type { StoreName } from '#record/database.ts'

type Name = StoreName | 'unreadable'
type Stores = Map<Name, Map<IDBValidKey, unknown>>

interface MemoryTransaction {
  readonly stores: Stores
  readonly done: Promise<void>
  commit(): void
  abort(): void
}

const databases = new Map<string, Stores>()

/** Opens the database of that name. A new database is empty. */
async function openDatabase(name: string) {
  const stores = databases.get(name) ?? new Map<Name, Map<IDBValidKey, unknown>>()
  databases.set(name, stores)
  return { stores, close: () => undefined }
}

/** Deletes the database of that name. */
export function deleteDatabase(name: string): void {
  databases.delete(name)
}

/**
 * Begins a transaction. A put takes effect at once. All puts of a transaction follow each other
 * without a wait, so that nothing reads half of them.
 */
function begin({ stores }: { readonly stores: Stores }): MemoryTransaction {
  return {
    stores,
    done: Promise.resolve(),
    commit: () => undefined,
    // A put is not rolled back, because nothing that the explorer runs aborts.
    abort: () => {
      throw new Error('A transaction in memory cannot be aborted')
    },
  }
}

/** Returns a store within a transaction, with the functions that the record uses. */
function storeIn({ stores }: MemoryTransaction, name: Name) {
  const store = stores.get(name) ?? new Map<IDBValidKey, unknown>()
  stores.set(name, store)
  const sorted = () => [...store].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    get: async (key: IDBValidKey) => store.get(key),
    getAll: async () => sorted().map(([, value]) => value),
    getAllKeys: async () => sorted().map(([key]) => key),
    count: async () => store.size,
    put: async (value: unknown, key: IDBValidKey) => void store.set(key, value),
    delete: async (key: IDBValidKey) => void store.delete(key),
  }
}

/** The replacements of the functions with those names. */
export const memoryDatabase = { openDatabase, beginRead: begin, beginWrite: begin, storeIn }
