/**
 * Copies of the record as files, which the app keeps by itself: in the private file system of this
 * browser, or in a folder that the user has chosen. They outlive the loss of the server. Each is a file
 * that `planRestore` reads.
 */
import { readCopyHead } from '@stint/core/transfer/stint-json.ts'

/** A copy of one account. Its first line says whose it is, so that no index can be out of date. */
export interface KeptCopy {
  readonly name: string
  /** The day of the copy as '2026-11-23'. */
  readonly day: string
  readonly sessions: number
  /** Epoch milliseconds. */
  readonly madeAt: number
  /** Bytes. */
  readonly size: number
  /** The same for two copies of the same record. */
  readonly content: string
}

/** How many days have copies. */
const MAX_DAYS = 7
/** The longest first line: the settings and a little more. */
const MAX_HEAD_BYTES = 100_000
/** The length of a slice of writing: half a frame. */
const SLICE_MILLISECONDS = 8

const FILE_NAME = /^stint-(?<day>\d{4}-\d\d-\d\d)(?:-\d+)?\.json$/

/** Returns the copies of this account in a folder, the newest first. Other files are ignored. */
export async function copiesIn(
  folder: FileSystemDirectoryHandle,
  account: string,
): Promise<readonly KeptCopy[]> {
  const copies: KeptCopy[] = []
  for await (const handle of folder.values()) {
    const day = FILE_NAME.exec(handle.name)?.groups?.['day']
    if (day === undefined || handle.kind !== 'file') continue
    const file = await handle.getFile()
    const [line = ''] = (await file.slice(0, MAX_HEAD_BYTES).text()).split('\n', 1)
    const head = readCopyHead(line)
    if (head?.account !== account) continue
    const { sessions, exportedAt, content } = head
    copies.push({ name: handle.name, day, sessions, madeAt: exportedAt, size: file.size, content })
  }
  return copies.toSorted((a, b) => b.madeAt - a.madeAt || (a.name < b.name ? 1 : -1))
}

/** When a copy is not to be completed any more. */
export interface WhileSignedIn {
  readonly signal: AbortSignal
  /** Asked before the copy is completed: a sign-out in another tab removes the copies. */
  readonly isSignedIn: () => Promise<boolean>
}

/** What a copy is made of. */
export interface CopyContent {
  readonly account: string
  readonly day: string
  readonly sessions: number
  readonly content: string
  /** The text of the file, in pieces that are made when they are asked for. */
  readonly pieces: Iterable<string>
}

/**
 * Writes a copy, unless the newest one is the same. Of one day it replaces those that have no more
 * sessions: the latest and the fullest copy of a day stay. Copies of older days than the last seven are
 * removed. A copy that is interrupted leaves what was there. Rejects with a DOMException when the
 * folder or the space is gone, and when the user has signed out.
 */
export async function saveCopy(
  folder: FileSystemDirectoryHandle,
  { account, day, sessions, content, pieces }: CopyContent,
  whileSignedIn: WhileSignedIn,
): Promise<void> {
  const copies = await copiesIn(folder, account)
  if (copies[0]?.content === content) return
  const replaced = copies.filter((copy) => copy.day === day && copy.sessions <= sessions)
  const name = replaced[0]?.name ?? (await freeName(folder, day))
  await writeFile(folder, name, pieces, whileSignedIn)
  const others = copies.filter((copy) => copy.name !== name)
  const days = [...new Set([day, ...others.map((copy) => copy.day)])].toSorted().toReversed()
  const kept = new Set(days.slice(0, MAX_DAYS))
  const outdated = others.filter((copy) => replaced.includes(copy) || !kept.has(copy.day))
  for (const copy of outdated) await folder.removeEntry(copy.name)
}

/** Returns a name that no file of the folder has, whoever it is of. */
async function freeName(folder: FileSystemDirectoryHandle, day: string): Promise<string> {
  const names = new Set<string>()
  for await (const name of folder.keys()) names.add(name)
  for (let number = 1; ; number++) {
    const name = number === 1 ? `stint-${day}.json` : `stint-${day}-${number}.json`
    if (!names.has(name)) return name
  }
}

/** Writes a file in slices. Until it is complete, the file of that name stays as it was. */
async function writeFile(
  folder: FileSystemDirectoryHandle,
  name: string,
  pieces: Iterable<string>,
  { signal, isSignedIn }: WhileSignedIn,
): Promise<void> {
  let isNew = false
  const handle = await folder.getFileHandle(name).catch(async () => {
    const created = await folder.getFileHandle(name, { create: true })
    isNew = true
    return created
  })
  try {
    const file = await handle.createWritable()
    try {
      let text = ''
      let until = performance.now() + SLICE_MILLISECONDS
      for (const piece of pieces) {
        signal.throwIfAborted()
        text += piece
        if (performance.now() < until) continue
        await file.write(text)
        await idle()
        text = ''
        until = performance.now() + SLICE_MILLISECONDS
      }
      await file.write(text)
      // A sign-out forgets who is signed in before it removes the copies, and waits for an open file.
      // not translated: nobody reads it
      if (!(await isSignedIn())) throw new DOMException('The user has signed out', 'AbortError')
      await file.close()
    } catch (error) {
      await file.abort().catch(() => undefined)
      throw error
    }
  } catch (error) {
    if (isNew) await folder.removeEntry(name).catch(() => undefined)
    throw error
  }
}

/** Resolves when the browser has nothing else to do, at the latest after a second. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if (!('requestIdleCallback' in globalThis)) setTimeout(resolve)
    else requestIdleCallback(() => resolve(), { timeout: 1000 })
  })
}
