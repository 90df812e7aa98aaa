/** Putting records aside that cannot be read: written by another version, or half, or by hand. */
import { beginWrite, quietly, storeIn } from './database.ts'
import type { Database, StoreName } from './database.ts'
import type { Memory } from './draft.ts'
import type { Unreadable } from './stored.ts'

export interface UnreadableRecord {
  readonly from: StoreName
  readonly key: IDBValidKey
  readonly record: unknown
}

/** What must be pulled again when one of these was put aside: the backend has them. */
const PULLED: ReadonlyMap<StoreName, 'pull:tasks' | 'pull:time_entries'> = new Map([
  ['tasks', 'pull:tasks'],
  ['pages', 'pull:time_entries'],
])

/** Keeps them beside the rest, for whoever helps; resolves when that is on the disk. */
export async function putAside(
  database: Database,
  { entries, values }: Memory,
  unreadable: readonly UnreadableRecord[],
  now: number,
): Promise<void> {
  const transaction = beginWrite(database)
  for (const { from, key, record } of unreadable) {
    const aside: Unreadable = { from, record, putAsideAt: now }
    quietly(storeIn(transaction, 'unreadable').add(aside))
    // Of a page, the entries that can be read stay.
    const store = storeIn(transaction, from)
    quietly(from === 'pages' ? store.put(entries.stored(Number(key)), key) : store.delete(key))
    const pull = PULLED.get(from)
    if (!pull) continue
    values.delete(pull)
    quietly(storeIn(transaction, 'values').delete(pull))
  }
  await transaction.done
}
