/** Puts unreadable records aside: of another version, incomplete, or edited by hand. */
import { beginWrite, ignoreRejection, storeIn } from './database.ts'
import type { Database, StoreName } from './database.ts'
import type { Memory } from '@stint/core/device/draft.ts'
import type { Unreadable } from '@stint/core/device/stored.ts'

export interface UnreadableRecord {
  readonly from: StoreName
  readonly key: IDBValidKey
  readonly record: unknown
}

/** What must be pulled again from the backend when a record of the store was put aside. */
const PULLED: ReadonlyMap<StoreName, 'pull:tasks' | 'pull:time_entries'> = new Map([
  ['tasks', 'pull:tasks'],
  ['pages', 'pull:time_entries'],
])

/** Moves the unreadable records to a separate store. Resolves when they are on the disk. */
export async function putAside(
  database: Database,
  { entries, values }: Memory,
  unreadable: readonly UnreadableRecord[],
  now: number,
): Promise<void> {
  const transaction = beginWrite(database)
  for (const { from, key, record } of unreadable) {
    const aside: Unreadable = { from, record, putAsideAt: now }
    ignoreRejection(storeIn(transaction, 'unreadable').add(aside))
    // Of a page, only the unreadable rows are removed.
    const store = storeIn(transaction, from)
    ignoreRejection(
      from === 'pages' ? store.put(entries.stored(Number(key)), key) : store.delete(key),
    )
    const pull = PULLED.get(from)
    if (!pull) continue
    values.delete(pull)
    ignoreRejection(storeIn(transaction, 'values').delete(pull))
  }
  await transaction.done
}
