/**
 * Where a press is made durable: all that one change puts, in one transaction with strict durability.
 * The press is on the disk before a screen shows it (record.ts applies it to memory afterwards).
 */
import type { Changes, Memory, Written } from '@stint/core/device/draft.ts'
import type { Progress } from '@stint/core/device/stored.ts'
import { latest } from '@stint/core/device/unsure-clock.ts'

import { ignoreRejection, storeIn, STORES } from './database.ts'
import type { beginWrite } from './database.ts'
import { abort } from './page-cache.ts'
import { PROGRESS } from './read-memory.ts'

/** A write transaction. */
export interface Begun {
  readonly transaction: ReturnType<typeof beginWrite>
  /** Whether the database is not the one that memory was read from. */
  readonly isNew: boolean
  /** When the last write happened, or undefined if that is not known. */
  readonly writtenAt: number | undefined
}

/**
 * Writes the changes, and the progress with them. Resolves with true once they are on the disk, and with
 * false when the storage refuses them; then nothing of them is written.
 *
 * @param memory the record before the changes
 * @param progress `now` in epoch milliseconds, and how often a sign-out had emptied the record
 */
export async function writeChanges(
  { transaction, isNew, writtenAt }: Begun,
  changes: Changes,
  memory: Memory,
  { now, generation }: { readonly now: number; readonly generation: number },
): Promise<boolean> {
  const { entries, ...others } = memory
  try {
    // The browser has deleted the database. This tab has all the data and writes it again.
    if (isNew) putAll(transaction, { ...others, pages: entries.allStored() })
    putAll(transaction, changes.written)
    const [revision, at] = [memory.revision + 1, latest(now, writtenAt)]
    const progress: Progress = { key: PROGRESS, revision, at, generation }
    ignoreRejection(storeIn(transaction, 'values').put(progress, PROGRESS))
    transaction.commit()
    await transaction.done
    return true
  } catch {
    abort(transaction)
    return false
  }
}

/** Requests all writes. The transaction reports whether they succeed. */
function putAll(transaction: Begun['transaction'], written: Written): void {
  for (const name of STORES) {
    const store = storeIn(transaction, name)
    for (const [key, value] of written[name]) {
      ignoreRejection(value === null ? store.delete(key) : store.put(value, key))
    }
  }
}
