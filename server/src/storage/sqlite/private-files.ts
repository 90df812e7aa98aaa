/** Folders and files that no other user of the machine may read. */
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

/** Creates a folder and those above it. mkdir's own `recursive` never ends in /proc. */
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
 * Removes the rights of other users from a file or folder that our user owns; a shared folder like /tmp stays as it is.
 */
export function makePrivate(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || stats.uid !== process.getuid?.() || (stats.mode & STICKY) !== 0) return
  if ((stats.mode & OTHERS) !== 0) chmodSync(path, stats.mode & ~OTHERS & 0o777)
}

/** The mode of a folder that other users can read, `755` for example; null: they cannot. */
export function openMode(folder: string): string | null {
  const mode = statSync(folder).mode & 0o777
  return process.getuid === undefined || (mode & OTHERS) === 0 ? null : mode.toString(8)
}

/** Renames a complete file, and returns when content and name survive a power cut. */
export function putInPlace(file: string, target: string): void {
  flush(file)
  renameSync(file, target)
  flush(dirname(target))
}

function flush(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
