/**
 * Where a press is made durable: all that one change puts, in one transaction with strict durability.
 * The press is on the disk before a screen shows it (record.ts applies it to memory afterwards).
 */
import type { Written } from '@stint/core/device/draft.ts'
import type { Progress } from '@stint/core/device/stored.ts'

import { ignoreRejection, storeIn, STORES } from './database.ts'
import type { Transaction } from './database.ts'
import { abort } from './page-cache.ts'
import { PROGRESS } from './read-memory.ts'

/**
 * Writes records, the later ones over the earlier ones, and the progress. Returns true once they are
 * on the disk, and false when the storage refuses them. Then nothing of them is written.
 */
export async function writeChanges(
  transaction: Transaction<'readwrite'>,
  written: readonly Written[],
  progress: Progress,
): Promise<boolean> {
  try {
    for (const each of written) putAll(transaction, each)
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
export function putAll(
  transaction: Transaction<'readwrite' | 'versionchange'>,
  written: Written,
): void {
  for (const name of STORES) {
    const store = storeIn(transaction, name)
    for (const [key, value] of written[name]) {
      ignoreRejection(value === null ? store.delete(key) : store.put(value, key))
    }
  }
}
