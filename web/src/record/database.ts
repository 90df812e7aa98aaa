/** The record's database in this browser: its stores, and how it is opened. */
import { openDB } from 'idb'
import type { IDBPDatabase, IDBPTransaction } from 'idb'

import { untilLoaded } from '#loading/until-loaded.ts'
import type { moveFromVersion31 } from './migration.ts'
import { closeWithPage, endWithPage } from './page-cache.ts'

const VERSION = 32
/** The version before logs. Nothing older was ever released. */
const FIRST_VERSION = 31

/**
 * The stores of the record. The key of a record is an id, the name of a value, a page number or a
 * sequence number in the queue.
 */
export const STORES = ['tasks', 'values', 'edits', 'sessions', 'pages'] as const
export type StoreName = (typeof STORES)[number]

const NAMES: Readonly<Record<StoreName | 'unreadable', string>> = {
  tasks: 'record-tasks',
  values: 'record-values',
  edits: 'record-edits',
  sessions: 'record-sessions',
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
type Migrate = typeof moveFromVersion31

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
    // The migration loads only in browsers that have an older version.
    const { moveFromVersion31 } = await untilLoaded(() => import('./migration.ts'))
    return open(name, onGone, found, moveFromVersion31)
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
  migrate?: Migrate,
): Promise<Database> {
  const database = await openDB(name, VERSION, {
    async upgrade(opened, oldVersion, _newVersion, transaction) {
      found.isOld = oldVersion > 0
      endWithPage(transaction)
      if (found.isOld && !migrate) return transaction.abort()
      for (const each of ALL_NAMES) {
        if (opened.objectStoreNames.contains(each)) continue
        opened.createObjectStore(each, { autoIncrement: each === NAMES.unreadable })
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

/** Begins a write transaction with strict durability. A press is on the disk before the screen shows it. */
export function beginWrite(database: Database): Transaction<'readwrite'> {
  return endWithPage(database.transaction(ALL_NAMES, 'readwrite', { durability: 'strict' }))
}

/** Marks a rejected request as handled, because the transaction reports the failure. */
export function ignoreRejection(request: Promise<unknown>): void {
  request.catch(() => undefined)
}
