/** The record's database in this browser: its stores, and how it is opened. */
import { openDB } from 'idb'
import type { IDBPDatabase, IDBPTransaction } from 'idb'

import { untilLoaded } from '#loading/until-loaded.ts'
import { closeWithPage, endWithPage } from './page-cache.ts'

const VERSION = 32
/** The version before logs. Nothing older was ever released. */
const FIRST_VERSION = 31

/** The stores of the record. A key is an id, the name of a value, or a page number. */
export const STORES = ['tasks', 'values', 'edits', 'sessions', 'pages'] as const
export type StoreName = (typeof STORES)[number]

/** Those stores, and the one of records that were put aside. */
export const ALL_STORES = [...STORES, 'unreadable'] as const
type AnyStoreName = (typeof ALL_STORES)[number]

export type Database = IDBPDatabase
export type Transaction<M extends IDBTransactionMode = IDBTransactionMode> = IDBPTransaction<
  unknown,
  string[],
  M
>

/** Returns the name of the database of an owner's record. */
export function databaseName(owner: string): string {
  return `stint-${owner}`
}

type OnGone = (why: { readonly isDeleted: boolean }) => void
/** Moves the data of an older version into the current stores. */
type Migrate = (database: Database, transaction: Transaction<'versionchange'>) => Promise<void>

/**
 * Opens the database. Creates or migrates it first. Calls `onGone` when the connection has ended:
 * another tab deletes the database or has a newer version, or the browser closes the connection.
 * Rejects when the browser provides no storage. Without `migrate`, an old database is not changed
 * before the code of the migration is loaded.
 */
export async function openDatabase(
  name: string,
  onGone: OnGone,
  migrate?: Migrate,
): Promise<Database> {
  let isOld = false
  try {
    const database = await openDB(name, VERSION, {
      async upgrade(opened, oldVersion, _newVersion, transaction) {
        isOld = oldVersion > 0
        endWithPage(transaction)
        if (isOld && !migrate) return transaction.abort()
        for (const store of ALL_STORES) {
          if (opened.objectStoreNames.contains(nameOf(store))) continue
          opened.createObjectStore(nameOf(store), { autoIncrement: store === 'unreadable' })
        }
        // The migration is one transaction: an interruption undoes all of it.
        const moved = oldVersion === FIRST_VERSION ? migrate?.(opened, transaction) : undefined
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
  } catch (error) {
    if (!isOld || migrate) throw error
    const { moveFromVersion31 } = await untilLoaded(() => import('./migration.ts'))
    return openDatabase(name, onGone, moveFromVersion31)
  }
}

function nameOf(store: AnyStoreName): string {
  return `record-${store}`
}

/** Returns a store within a transaction. */
export function storeIn<M extends IDBTransactionMode>(
  transaction: Transaction<M>,
  name: AnyStoreName,
) {
  return transaction.objectStore(nameOf(name))
}

export function beginRead(database: Database): Transaction<'readonly'> {
  return endWithPage(database.transaction(ALL_STORES.map(nameOf), 'readonly'))
}

/** Begins a write transaction with strict durability. A press is on the disk before the screen shows it. */
export function beginWrite(database: Database): Transaction<'readwrite'> {
  return endWithPage(
    database.transaction(ALL_STORES.map(nameOf), 'readwrite', { durability: 'strict' }),
  )
}

/** Marks a rejected request as handled, because the transaction reports the failure. */
export function ignoreRejection(request: Promise<unknown>): void {
  request.catch(() => undefined)
}
