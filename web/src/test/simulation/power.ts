/**
 * The power of each device, modelled at its storage. Any transaction may be the last one, and that
 * one is either on the disk or lost. A device without power can neither read nor write.
 */
import { IDBFactory } from 'fake-indexeddb'

import { deleteDatabases } from '../memory-database.ts'
import type { VirtualTime } from './virtual-time.ts'

export interface Power {
  /** Whether the device still runs. */
  readonly isOn: () => boolean
  /** Switches the device off now. */
  readonly cut: () => void
  /** Switches the device off at the next write, which is lost or kept. `onCut` is called then. */
  readonly cutAtNextWrite: (isLost: boolean) => void
  /** Cancels the loss of power at the next write. */
  readonly spare: () => void
  /** Returns when the last write was done. Of the time since then, the disk has nothing. */
  readonly writtenAt: () => number
}

interface Socket {
  readonly time: () => VirtualTime
  readonly onCut: () => void
}

/** A transaction of either kind of disk. */
interface Transaction {
  addEventListener(type: 'complete' | 'abort', listener: () => void): void
  commit(): void
  abort(): void
}

interface Line extends Socket {
  isOn: boolean
  writtenAt: number
  next: 'lost' | 'kept' | null
}

const lines = new Map<string, Line>()

/** Supplies power to the code on the database of that name. */
export function powerFor(database: string, socket: Socket): Power {
  const writtenAt = lines.get(database)?.writtenAt ?? socket.time().now()
  const line: Line = { ...socket, isOn: true, writtenAt, next: null }
  lines.set(database, line)
  return {
    isOn: () => line.isOn,
    cut: () => void (line.isOn = false),
    cutAtNextWrite: (isLost) => void (line.next = isLost ? 'lost' : 'kept'),
    spare: () => void (line.next = null),
    writtenAt: () => line.writtenAt,
  }
}

/** Removes all databases and their devices, because a run of a night has no memory for them. */
export function clearStorage(): void {
  lines.clear()
  deleteDatabases()
  globalThis.indexedDB = new IDBFactory()
}

/** Watches every transaction of IndexedDB. Returns a function that stops the watch. */
export function watchStorage(): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the database that it is called on
  const begin = IDBDatabase.prototype.transaction
  IDBDatabase.prototype.transaction = function transaction(stores, mode, options) {
    const line = lineOf(this.name)
    if (!line) return begin.call(this, stores, mode, options)
    const begun = begin.call(this, stores, mode, options)
    const end = line.time().begin()
    for (const event of ['complete', 'abort']) begun.addEventListener(event, end)
    if (mode === 'readwrite') noteWrite(line, begun)
    if (mode === 'readwrite' && line.next !== null) fail(line, begun)
    return begun
  }
  return () => {
    IDBDatabase.prototype.transaction = begin
    lines.clear()
  }
}

/** Returns the power of the device with that database, if it has one. Throws when it is off. */
export function lineOf(database: string): Line | undefined {
  const line = lines.get(database)
  if (line?.isOn === false) throw new DOMException('The device is off', 'InvalidStateError')
  return line
}

/** Notes when a transaction has written something. One that only looks ends without a commit. */
export function noteWrite(line: Line, transaction: Transaction): void {
  const commit = transaction.commit.bind(transaction)
  transaction.commit = () => {
    transaction.addEventListener('complete', () => void (line.writtenAt = line.time().now()))
    commit()
  }
}

/** Lets the power fail at the end of a transaction. */
export function fail(line: Line, transaction: Transaction): void {
  const isLost = line.next === 'lost'
  line.next = null
  const cut = () => {
    line.isOn = false
    line.onCut()
  }
  if (!isLost) return transaction.addEventListener('complete', cut)
  // The writer is not told either, because it no longer runs.
  transaction.commit = () => {
    transaction.abort()
    cut()
  }
}
