/** The record's database in this browser: its stores, and how it is opened. */
import { openDB } from 'idb'
import type { IDBPDatabase, IDBPTransaction } from 'idb'

import { untilLoaded } from '#loading/until-loaded.ts'
import type { moveFromVersion2 } from './migration.ts'
import type { moveFromVersion30 } from './migration-30.ts'
import { closeWithPage, endWithPage } from './page-cache.ts'

/** Dexie made version 2 and multiplied its number by ten, so this number must be above 20. */
const VERSION = 31
/** The first version that has the current stores. */
const FIRST_WITH_THESE_STORES = 30

/**
 * The stores of the record. The key of a record is an id, the name of a value, a page number or a
 * sequence number in the queue.
 */
export const STORES = ['tasks', 'values', 'edits', 'operations', 'pages'] as const
export type StoreName = (typeof STORES)[number]

/**
 * The names differ from those of the previous version. A tab that still runs that version finds
 * none of its stores, so its writes fail and cannot bypass the current data.
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

/** Returns the name of the database of a record. `owner` identifies the owner of the record. */
export function databaseName(owner: string): string {
  return `stint-${owner}`
}

type OnGone = (why: { readonly isDeleted: boolean }) => void
interface Migrations {
  readonly moveFromVersion2: typeof moveFromVersion2
  readonly moveFromVersion30: typeof moveFromVersion30
}

/**
 * Opens the database. Creates it first, or migrates the database of an older version. Calls
 * `onGone` when the connection has ended. That happens when another tab deletes the database, when
 * another tab has a newer version, or when the browser closes the connection. Rejects when the
 * browser provides no storage.
 */
export async function openDatabase(name: string, onGone: OnGone): Promise<Database> {
  const found = { isOld: false }
  try {
    return await open(name, onGone, found)
  } catch (error) {
    if (!found.isOld) throw error
    // The migrations load only in browsers that have an older version.
    const migrations = await untilLoaded(() =>
      Promise.all([import('./migration.ts'), import('./migration-30.ts')]),
    )
    return open(name, onGone, found, { ...migrations[0], ...migrations[1] })
  }
}

/**
 * Opens the database and sets `found.isOld`. Without `migrate`, an old database stays unchanged and
 * the upgrade is aborted.
 */
async function open(
  name: string,
  onGone: OnGone,
  found: { isOld: boolean },
  migrate?: Migrations,
): Promise<Database> {
  const database = await openDB(name, VERSION, {
    async upgrade(opened, oldVersion, _newVersion, transaction) {
      found.isOld = oldVersion > 0
      endWithPage(transaction)
      if (found.isOld && !migrate) return transaction.abort()
      const hasStores = oldVersion >= FIRST_WITH_THESE_STORES
      for (const each of hasStores ? [] : ALL_NAMES) {
        opened.createObjectStore(each, { autoIncrement: each === NAMES.unreadable })
      }
      // The migration is one transaction: an interruption undoes all of it.
      const moved = hasStores
        ? migrate?.moveFromVersion30(transaction)
        : migrate?.moveFromVersion2(opened, transaction)
      await moved?.catch(() => transaction.abort())
    },
    // An open connection would block the deletion or the upgrade in another tab.
    blocking(_version, nextVersion) {
      database.close()
      onGone({ isDeleted: nextVersion === null })
    },
    terminated: () => onGone({ isDeleted: false }),
  })
  return closeWithPage(database)
}

/** Returns a store within a transaction. */
export function storeIn<M extends IDBTransactionMode>(
  transaction: Transaction<M>,
  name: StoreName | 'unreadable',
) {
  return transaction.objectStore(NAMES[name])
}

export function beginRead(database: Database): Transaction<'readonly'> {
  return endWithPage(database.transaction(ALL_NAMES, 'readonly'))
}

/**
 * Begins a write transaction with strict durability. A press is on the disk before the screen shows
 * it.
 */
export function beginWrite(database: Database): Transaction<'readwrite'> {
  return endWithPage(database.transaction(ALL_NAMES, 'readwrite', { durability: 'strict' }))
}

/** Marks a rejected request as handled, because the transaction reports the failure. */
export function ignoreRejection(request: Promise<unknown>): void {
  request.catch(() => undefined)
}
