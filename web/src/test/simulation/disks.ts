/**
 * The disks of the devices: a fake IndexedDB in the schedules with the real server, and a database in plain memory
 * in the others, under the same power.
 */
import type * as database from '#record/database.ts'

import { MemoryTransaction, openMemory, storeInMemory } from '../memory-database.ts'
import type { MemoryDatabase } from '../memory-database.ts'
import { fail, lineOf, noteWrite } from './power.ts'

let isInMemory = false

/** Chooses the disks of the devices that are opened from now on. */
export function chooseDisks(areInMemory: boolean): void {
  isInMemory = areInMemory
}

/** Returns the module `record/database.ts` with both kinds of disks. */
export function withMemory(real: typeof database): typeof database {
  /* oxlint-disable typescript/no-unsafe-type-assertion -- the record asks for no more of them */
  return {
    ...real,
    openDatabase: async (name, onGone) =>
      isInMemory
        ? (openMemory(name) as unknown as database.Database)
        : real.openDatabase(name, onGone),
    beginRead: (opened) =>
      isMemory(opened) ? (beginRead(opened) as never) : real.beginRead(opened),
    beginWrite: (opened) =>
      isMemory(opened) ? (beginWrite(opened) as never) : real.beginWrite(opened),
    storeIn: (transaction, name) =>
      (transaction as unknown) instanceof MemoryTransaction
        ? (storeInMemory(transaction as never, name) as never)
        : real.storeIn(transaction, name),
  }
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

function isMemory(opened: object): opened is MemoryDatabase {
  return 'stores' in opened
}

function beginRead(database: MemoryDatabase): MemoryTransaction {
  lineOf(database.name)
  return new MemoryTransaction(database)
}

/** The transactions at which power fails, and which may write nothing. */
const last = new WeakMap<MemoryDatabase, MemoryTransaction>()

function beginWrite(database: MemoryDatabase): MemoryTransaction {
  const line = lineOf(database.name)
  const transaction = new MemoryTransaction(database)
  // A transaction waits for the end of the one before.
  last.get(database)?.complete()
  last.delete(database)
  if (!line) return transaction
  noteWrite(line, transaction)
  if (line.next === null) return transaction
  fail(line, transaction)
  // One that writes nothing is not committed, and ends by itself.
  last.set(database, transaction)
  const end = line.time().begin()
  setImmediate(() => {
    transaction.complete()
    end()
  })
  return transaction
}
