/** Makes folders and files private: no other user of the machine may read them. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'

const FOLDER = 0o700
const FILE = 0o600
const OTHERS = 0o077
const STICKY = 0o1000

/** Creates a folder and its parents. mkdir's own `recursive` never returns in /proc. */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return
  makePrivateFolder(dirname(folder))
  mkdirSync(folder, { mode: FOLDER })
}

/** Creates an empty file unless it exists. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', FILE))
}

/**
 * Removes the rights of other users from a file or folder that this process's user owns. A shared
 * folder like /tmp is not changed.
 */
export function makePrivate(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || stats.uid !== process.getuid?.() || (stats.mode & STICKY) !== 0) return
  if ((stats.mode & OTHERS) !== 0) chmodSync(path, stats.mode & ~OTHERS & 0o777)
}

/** Returns the mode of a folder that other users can read, for example `755`; null: they cannot. */
export function openMode(folder: string): string | null {
  const mode = statSync(folder).mode & 0o777
  return process.getuid === undefined || (mode & OTHERS) === 0 ? null : mode.toString(8)
}

/** Renames a complete file, and returns when its content and its name are durable. */
export function putInPlace(file: string, target: string): void {
  flush(file)
  renameSync(file, target)
  flush(dirname(target))
}

/** Makes the content of a file, or the names in a folder, durable. */
export function flush(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
