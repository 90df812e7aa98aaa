/** The folder of backups. Their names hold the time; files with other names are never touched. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Copier } from '#storage/copier.ts'

/** A backup in the folder. */
export interface BackupFile {
  readonly path: string
  /** When it was made, epoch milliseconds. */
  readonly at: number
  readonly bytes: number
}

/** Whatever made an unfinished copy this long ago does not run any more, in milliseconds. */
const ABANDONED_AFTER = 86_400_000

/** Returns the name of a backup, for example `stint-2026-01-15T030000Z.db`. */
export function backupName({ name, extension }: Copier, at: number): string {
  const stamp = new Date(at).toISOString().slice(0, 19).replaceAll(':', '')
  return `${name}-${stamp}Z.${extension}`
}

/** Returns when the backup with this name was made; null: the name is not that of a backup. */
export function timeOfBackup({ name, extension }: Copier, file: string): number | null {
  if (!file.startsWith(`${name}-`) || !file.endsWith(`.${extension}`)) return null
  const stamp = file.slice(name.length + 1, -extension.length - 1)
  const match = /^(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d)Z$/.exec(stamp)
  if (match === null) return null
  const [, day, hour, minute, second] = match
  const at = Date.parse(`${day}${hour}:${minute}:${second}Z`)
  return Number.isNaN(at) ? null : at
}

/** Returns the backups of this database, the newest first; none if there is no folder. */
export async function backupsIn(folder: string, copier: Copier): Promise<BackupFile[]> {
  const found: BackupFile[] = []
  for (const name of await namesIn(folder)) {
    const at = timeOfBackup(copier, name)
    if (at === null) continue
    const path = join(folder, name)
    const stats = await stat(path).catch(() => null)
    if (stats?.isFile() === true) found.push({ path, at, bytes: stats.size })
  }
  return found.sort((a, b) => b.at - a.at)
}

/** Deletes copies that a killed process left unfinished. */
export async function removeAbandoned(folder: string, copier: Copier, now: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    const begun = timeOfBackup(copier, name.replace(/\.partial$/, ''))
    if (!name.endsWith('.partial') || begun === null || now - begun < ABANDONED_AFTER) continue
    await rm(join(folder, name), { force: true })
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
