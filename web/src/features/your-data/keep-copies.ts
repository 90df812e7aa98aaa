/** Keeps a copy of everything as a file, by itself. */
import { settingsFromPrefs } from '@stint/core/settings.ts'
import { browserTimeZone, localDate } from '@stint/core/time/calendar.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { jsonHead, jsonPieces } from '@stint/core/transfer/stint-json.ts'

import { browserFolder, canKeepCopies, chosenFolder } from '#copies/copy-folder.ts'
import { saveCopy } from '#copies/local-copies.ts'
import type { CopyContent } from '#copies/local-copies.ts'
import type { LocalRecord } from '#record/record.ts'
import { DeviceDb } from '#session/device-db.ts'
import { browserLocks } from '#session/locks.ts'
import { everythingOf } from './use-everything.ts'
import { noteCopy } from './copy-state.ts'
import type { CopyProblem } from './copy-state.ts'
import { permissionOf } from './folder-permission.ts'

/** A copy takes about so many bytes per session. Twice as many are free while it is written. */
const BYTES_PER_SESSION = 400
const MIN_FREE_BYTES = 1_000_000

/**
 * Writes a copy of the record into the chosen folder, else into this browser's private file system, if
 * the record has changed since the last one. One tab at a time. Never rejects: what went wrong is noted
 * for the settings.
 */
export async function keepCopy(
  record: LocalRecord,
  account: string,
  signal: AbortSignal,
): Promise<void> {
  await browserLocks()(`copies:${account}`, async () => {
    // A record that could not be written is short of space already.
    const isComplete = record.value('pull:tasks')?.complete === true
    if (signal.aborted || !isComplete || record.storageProblem() === 'unwritten') return
    if (!canKeepCopies()) return
    // There is nothing to keep yet.
    if (record.entries().length === 0 && record.tasks().length === 0) return
    const problem = await writeCopy(record, account, signal)
    if (!signal.aborted) noteCopy(account, { at: Date.now(), problem })
  }).catch(() => undefined)
}

async function writeCopy(
  record: LocalRecord,
  account: string,
  signal: AbortSignal,
): Promise<CopyProblem | null> {
  const everything = everythingOf(record, account)
  const sessions = record.entries().length
  const now = record.clock.now()
  const { timeZone } = settingsFromPrefs(everything.prefs)
  const input = { ...everything, isCopy: true }
  const content = (): CopyContent => ({
    account,
    day: localDate(now, dayRuleOf(timeZone ?? browserTimeZone())),
    sessions,
    content: JSON.stringify(jsonHead(input)),
    pieces: jsonPieces(input, now),
  })
  const whileSignedIn = { signal, isSignedIn: () => isSignedIn(account) }
  let problem: CopyProblem | null = null
  const folder = await chosenFolder(account).catch(() => null)
  if (folder) {
    if ((await permissionOf(folder)) !== 'granted') problem = 'folder-permission'
    else {
      const kind = await problemOf(() => saveCopy(folder, content(), whileSignedIn))
      if (kind === null) return null
      problem = kind === 'full' ? 'folder-full' : 'folder-gone'
    }
  }
  // Until the folder is there again, the copies are in the browser.
  const kind = await problemOf(async () => {
    await expectRoom(sessions)
    await saveCopy(await browserFolder(account), content(), whileSignedIn)
  })
  return problem ?? kind
}

/** Returns whether this browser still knows the user as signed in. */
async function isSignedIn(account: string): Promise<boolean> {
  const device = new DeviceDb()
  try {
    const owner = (await device.identity())?.user.id ?? (await device.guest())?.id
    return owner === account
  } finally {
    device.close()
  }
}

async function problemOf(work: () => Promise<void>): Promise<'full' | 'failed' | null> {
  try {
    await work()
    return null
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'AbortError') throw error
    return name === 'QuotaExceededError' ? 'full' : 'failed'
  }
}

/** Rejects when the copy would take the space that the record needs. */
async function expectRoom(sessions: number): Promise<void> {
  const { quota = Infinity, usage = 0 } = await navigator.storage.estimate()
  if (quota - usage >= MIN_FREE_BYTES + 3 * BYTES_PER_SESSION * sessions) return
  // not translated: nobody reads it
  throw new DOMException('There is too little space', 'QuotaExceededError')
}
