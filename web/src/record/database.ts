/** The record's database in this browser: its stores, and how it is opened. */
import { openDB } from 'idb'
import type { IDBPDatabase, IDBPTransaction } from 'idb'

import type { moveFromVersion2 } from './migration.ts'
import type { moveFromVersion30 } from './migration-30.ts'

/** Version 2 was made by Dexie, which multiplies it by ten. */
const VERSION = 31
/** From here on it has the stores of today. */
const FIRST_WITH_THESE_STORES = 30

/** What is kept under which key: an id, the name of a value, a page, a number in the queue. */
export const STORES = ['tasks', 'values', 'edits', 'operations', 'pages'] as const
export type StoreName = (typeof STORES)[number]

/**
 * Names of their own: a tab that still runs the version before finds none of its stores, and fails to
 * write instead of writing past what is here.
 */
const NAMES: Readonly<Record<StoreName | 'unreadable', string>> = {
  tasks: 'record-tasks',
  values: 'record-values',
  edits: 'record-edits',
  operations: 'record-operations',
  pages: 'record-pages',
  unreadable: 'record-unreadable',
}
const ALL_NAMES = Object.values(NAMES)

export type Database = IDBPDatabase
type Transaction<M extends IDBTransactionMode> = IDBPTransaction<unknown, string[], M>

/** The name of the database of a record; `owner` is whose it is. */
export function databaseName(owner: string): string {
  return `stint-${owner}`
}

type OnGone = (why: { readonly isDeleted: boolean }) => void
interface Migrations {
  readonly moveFromVersion2: typeof moveFromVersion2
  readonly moveFromVersion30: typeof moveFromVersion30
}

/**
 * Opens the database, and makes it or takes over an older version's first. `onGone` is called when the
 * connection has ended: another tab deletes it or has a newer version, or the browser has taken it.
 * Rejects when the browser gives no storage.
 */
export async function openDatabase(name: string, onGone: OnGone): Promise<Database> {
  const found = { isOld: false }
  try {
    return await open(name, onGone, found)
  } catch (error) {
    if (!found.isOld) throw error
    // Only who had that version loads what takes it over.
    const migrations = await Promise.all([import('./migration.ts'), import('./migration-30.ts')])
    return open(name, onGone, found, { ...migrations[0], ...migrations[1] })
  }
}

/** Finds out whether it is old, and leaves it as it is then without a migration. */
async function open(
  name: string,
  onGone: OnGone,
  found: { isOld: boolean },
  migrate?: Migrations,
): Promise<Database> {
  const database = await openDB(name, VERSION, {
    async upgrade(opened, oldVersion, _newVersion, transaction) {
      found.isOld = oldVersion > 0
      transaction.done.catch(() => undefined)
      if (found.isOld && !migrate) return transaction.abort()
      const hasStores = oldVersion >= FIRST_WITH_THESE_STORES
      for (const each of hasStores ? [] : ALL_NAMES) {
        opened.createObjectStore(each, { autoIncrement: each === NAMES.unreadable })
      }
      // All of it is one transaction: interrupted, it is as if it had not begun.
      const moved = hasStores
        ? migrate?.moveFromVersion30(transaction)
        : migrate?.moveFromVersion2(opened, transaction)
      await moved?.catch(() => transaction.abort())
    },
    // Never in the way of another tab.
    blocking(_version, nextVersion) {
      database.close()
      onGone({ isDeleted: nextVersion === null })
    },
    terminated: () => onGone({ isDeleted: false }),
  })
  return database
}

/** A store within a transaction. */
export function storeIn<M extends IDBTransactionMode>(
  transaction: Transaction<M>,
  name: StoreName | 'unreadable',
) {
  return transaction.objectStore(NAMES[name])
}

export function beginRead(database: Database): Transaction<'readonly'> {
  return begun(database.transaction(ALL_NAMES, 'readonly'))
}

/** A write is on the disk when it is done: a press is safe before the screen shows it. */
export function beginWrite(database: Database): Transaction<'readwrite'> {
  return begun(database.transaction(ALL_NAMES, 'readwrite', { durability: 'strict' }))
}

/** Who waits for its end hears that it failed; nobody else need handle it. */
function begun<T extends { readonly done: Promise<void> }>(transaction: T): T {
  quietly(transaction.done)
  return transaction
}

/** The transaction reports what became of a request. */
export function quietly(request: Promise<unknown>): void {
  request.catch(() => undefined)
}
