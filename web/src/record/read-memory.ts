/** Reads the record's database into memory. */
import { emptyMemory } from '@stint/core/device/draft.ts'
import type { Memory } from '@stint/core/device/draft.ts'
import {
  completedEdit,
  completedTask,
  isEdit,
  isProgress,
  isLocalSession,
  isValue,
} from '@stint/core/device/stored.ts'
import type { Progress } from '@stint/core/device/stored.ts'
import { isEntryPage } from '@stint/core/record/entry-pages.ts'
import { isTask } from '@stint/core/record/task.ts'

import { storeIn, STORES } from './database.ts'
import type { StoreName, Transaction } from './database.ts'
import type { UnreadableRecord } from './put-aside.ts'

/** The key of `Progress` among the values. */
export const PROGRESS = 'progress'
/** The number of records per request. While the browser reads the next part, the code processes this one. */
const PART = 40

/** Returns a new name for a page in logs. Two pages never write events under one name. */
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
  if (isProgress(stored)) return stored
  return { key: PROGRESS, revision: 0, at: undefined, generation: undefined }
}

/** Reads all records of these stores. `unreadable` has those that cannot be read, which memory lacks. */
export async function readMemory(
  transaction: Transaction,
  writer: string,
  stores: readonly StoreName[] = STORES,
): Promise<{ memory: Memory; unreadable: UnreadableRecord[] }> {
  const memory = emptyMemory(writer)
  const unreadable: UnreadableRecord[] = []
  await Promise.all(
    stores.map(async (from) => {
      const store = storeIn(transaction, from)
      const keys = await store.getAllKeys()
      const readPart = async (start: number) => {
        const part = keys.slice(start, start + PART)
        const records = await store.getAll(IDBKeyRange.bound(part[0], part.at(-1)))
        for (const [index, key] of part.entries()) {
          const record: unknown = records[index]
          if (!putStored(memory, from, key, record)) unreadable.push({ from, key, record })
        }
      }
      const parts = Array.from({ length: Math.ceil(keys.length / PART) }, (_, part) => part * PART)
      await Promise.all(parts.map(readPart))
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
