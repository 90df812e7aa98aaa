/** Reads the record's database into memory. */
import { isTask } from '@stint/core/record/task.ts'
import type { IDBPTransaction } from 'idb'

import { storeIn, STORES } from './database.ts'
import type { beginRead, beginWrite, StoreName } from './database.ts'
import { emptyMemory } from '@stint/core/device/draft.ts'
import type { Memory } from '@stint/core/device/draft.ts'
import type { UnreadableRecord } from './put-aside.ts'
import {
  completedEdit,
  completedTask,
  isEdit,
  isEntryPage,
  isProgress,
  isLocalSession,
  isValue,
} from '@stint/core/device/stored.ts'
import type { Progress } from '@stint/core/device/stored.ts'

export type Transaction =
  | ReturnType<typeof beginRead>
  | ReturnType<typeof beginWrite>
  | IDBPTransaction<unknown, string[], 'versionchange'>

/** The key of `Progress` among the values. */
export const PROGRESS = 'progress'
/** The progress of a new database. */
export const NO_PROGRESS: Progress = {
  key: PROGRESS,
  revision: 0,
  at: undefined,
  generation: undefined,
}

/** The number of records per request. While the browser reads the next part, the code processes this one. */
const PART = 40

/**
 * Returns a name for this page in logs. Each page has its own, so that neither two tabs nor two copies of
 * a profile ever write different events under one name.
 */
export function newWriter(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(WRITER_LENGTH)), (byte) =>
    LETTERS.charAt(byte % LETTERS.length),
  ).join('')
}

/** Without '.', which divides the name from the number of an event. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_'
const WRITER_LENGTH = 6

/** Returns the progress as of the last write in the database. */
export async function readProgress(transaction: Transaction): Promise<Progress> {
  const stored: unknown = await storeIn(transaction, 'values').get(PROGRESS)
  return isProgress(stored) ? stored : NO_PROGRESS
}

/** Reads all records. `unreadable` holds the records that cannot be read and that memory therefore lacks. */
export async function readMemory(
  transaction: Transaction,
  writer: string,
): Promise<{ memory: Memory; unreadable: UnreadableRecord[] }> {
  const memory = emptyMemory(writer)
  const unreadable: UnreadableRecord[] = []
  const takeIn = (from: StoreName, key: IDBValidKey, record: unknown) => {
    if (!putStored(memory, from, key, record)) unreadable.push({ from, key, record })
  }
  await Promise.all(
    STORES.map(async (name) => {
      const store = storeIn(transaction, name)
      const keys = await store.getAllKeys()
      const readPart = async (part: readonly IDBValidKey[]) => {
        const records = await store.getAll(IDBKeyRange.bound(part[0], part.at(-1)))
        for (const [index, key] of part.entries()) takeIn(name, key, records[index])
      }
      const starts = Array.from({ length: Math.ceil(keys.length / PART) }, (_, part) => part * PART)
      await Promise.all(starts.map((start) => readPart(keys.slice(start, start + PART))))
    }),
  )
  return { memory, unreadable }
}

/** Puts a stored record into memory. Null removes it. Returns false when the record cannot be read. */
export function putStored(
  { tasks, values, edits, sessions, entries }: Memory,
  name: StoreName,
  key: unknown,
  stored: unknown,
): boolean {
  switch (name) {
    case 'tasks':
      return put(tasks, String(key), completedTask(stored), isTask)
    case 'values':
      return key === PROGRESS || put(values, String(key), stored, isValue)
    case 'edits':
      return put(edits, String(key), completedEdit(stored), isEdit)
    case 'sessions':
      return put(sessions, String(key), stored, isLocalSession)
    case 'pages':
      if (stored !== null && !isEntryPage(stored)) return false
      return entries.takeIn(Number(key), stored).length === 0
  }
}

function put<K, V>(
  table: Map<K, V>,
  key: K,
  stored: unknown,
  isReadable: (value: unknown) => value is V,
): boolean {
  if (stored === null) table.delete(key)
  else if (isReadable(stored)) table.set(key, stored)
  else return false
  return true
}
