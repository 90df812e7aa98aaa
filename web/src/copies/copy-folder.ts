/**
 * The folders of copies: one in this browser's private file system, and one that the user may choose, of
 * which the browser stores the handle and not the contents.
 */
import { openDB } from 'idb'
import type { IDBPDatabase } from 'idb'

import { databaseName } from '#record/database.ts'

/** No user's id has a colon. */
const NAME = databaseName(':folders')
const STORE = 'folders'

const FOLDER = 'copies'

/** Returns whether this browser can keep files by itself. Older versions of Safari cannot write them. */
export function canKeepCopies(): boolean {
  const canWrite =
    !('FileSystemFileHandle' in globalThis) || 'createWritable' in FileSystemFileHandle.prototype
  return typeof navigator.storage?.getDirectory === 'function' && canWrite
}

/** Returns the folder of a user's copies in this browser's private file system. */
export async function browserFolder(account: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  const copies = await root.getDirectoryHandle(FOLDER, { create: true })
  return copies.getDirectoryHandle(account, { create: true })
}

/** How often, and after how many milliseconds, a removal is tried that another window delays. */
const REMOVALS = 25
const REMOVAL_MILLISECONDS = 200

/**
 * Removes a user's copies from this browser's private file system. A copy that another window is writing
 * ends first.
 */
export async function removeCopies(account: string): Promise<void> {
  if (!canKeepCopies()) return
  // A private window may have no files at all.
  const root = await navigator.storage.getDirectory().catch(() => null)
  if (!root) return
  for (let tries = 1; ; tries++) {
    try {
      const copies = await root.getDirectoryHandle(FOLDER)
      await copies.removeEntry(account, { recursive: true })
      return
    } catch (error) {
      const name = error instanceof DOMException ? error.name : ''
      if (name === 'NotFoundError') return
      if (name !== 'NoModificationAllowedError' || tries === REMOVALS) throw error
      await new Promise((resolve) => setTimeout(resolve, REMOVAL_MILLISECONDS))
    }
  }
}

/** Returns whether this browser lets people choose a folder. */
export function canChooseFolder(): boolean {
  return 'showDirectoryPicker' in globalThis
}

/** Returns the folder of a user, or null. */
export async function chosenFolder(account: string): Promise<FileSystemDirectoryHandle | null> {
  if (!canChooseFolder()) return null
  return withStore(async (database) => (await database.get(STORE, account)) ?? null)
}

/** Stores the folder of a user. Null forgets it; the files in it stay. */
export async function chooseFolder(
  account: string,
  folder: FileSystemDirectoryHandle | null,
): Promise<void> {
  if (!canChooseFolder()) return
  await withStore<unknown>((database) =>
    folder ? database.put(STORE, folder, account) : database.delete(STORE, account),
  )
}

async function withStore<T>(work: (database: IDBPDatabase) => Promise<T>): Promise<T> {
  const database = await openDB(NAME, 1, {
    upgrade: (opened) => void opened.createObjectStore(STORE),
  })
  try {
    return await work(database)
  } finally {
    database.close()
  }
}
