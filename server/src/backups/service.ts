/** Makes a backup every day in the background, and deletes those that are outdated. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import type { Copier } from '#storage/copier.ts'
import { makePrivateFolder } from '#storage/private-files.ts'
import { backupName, backupsIn, removeAbandoned } from './folder.ts'
import type { BackupFile } from './folder.ts'
import { outdated } from './retention.ts'
import { isDue } from './schedule.ts'
import { NO_BACKUPS } from './status.ts'
import type { BackupStatus } from './status.ts'

/** How often to look whether a backup is due, and how long after the start; in milliseconds. */
const LOOK_EVERY = 60_000
const FIRST_LOOK = 5000

/** How long after a failed backup to try again, in milliseconds. */
const RETRY_AFTER = 600_000

/** Where backups report; the logger of the server. */
export interface BackupLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface Backups {
  readonly status: () => BackupStatus
  /** Begins to make backups. Does nothing if the operator has turned them off. */
  start(log: BackupLog): void
  /** Makes a backup if one is due. Never rejects. */
  look(): Promise<void>
  /** Ends a copy in progress, whose file is deleted. */
  stop(): Promise<void>
}

/**
 * Returns the backups of the database of `copier`. Nothing runs until `start`.
 * @param now the clock, epoch milliseconds.
 */
export function createBackups(
  { backup: settings }: Pick<Config, 'backup'>,
  copier: Copier,
  now: () => number = Date.now,
): Backups {
  const { folder, at } = settings
  const stopping = new AbortController()
  let status: BackupStatus = settings.isOn ? { ...NO_BACKUPS, state: 'on' } : NO_BACKUPS
  let log: BackupLog | null = null
  let retryAt = -Infinity
  let timers: NodeJS.Timeout[] = []
  let looking: Promise<void> | null = null

  return {
    status: () => status,
    start(logger) {
      log = logger
      if (!settings.isOn) return
      timers = [
        setTimeout(() => void look(), FIRST_LOOK),
        setInterval(() => void look(), LOOK_EVERY),
      ]
      for (const timer of timers) timer.unref()
    },
    look,
    async stop() {
      for (const timer of timers) clearTimeout(timer)
      stopping.abort()
      await looking
    },
  }
  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => (looking = null))
    return looking
  }

  async function lookOnce(): Promise<void> {
    if (!settings.isOn || stopping.signal.aborted) return
    try {
      note(await backupsIn(folder, copier))
      if (!isDue(at, status.lastAt, now()) || now() < retryAt) return
      const obstacle = await copier.obstacle()
      if (obstacle !== null) {
        if (status.problem !== obstacle) log?.warn({ folder }, `No backups: ${obstacle}`)
        status = { ...status, state: 'unavailable', problem: obstacle }
        retryAt = now() + RETRY_AFTER
        return
      }
      await copier.alone(makeOne)
    } catch (error) {
      if (stopping.signal.aborted) return
      retryAt = now() + RETRY_AFTER
      const problem = error instanceof Error ? error.message : String(error)
      status = { ...status, state: 'on', problem, failures: status.failures + 1 }
      log?.error({ err: error, folder }, 'The backup failed; it is tried again in ten minutes')
    }
  }

  /** Makes a backup, unless another process has made one since it became due. */
  async function makeOne(): Promise<void> {
    note(await backupsIn(folder, copier))
    if (!isDue(at, status.lastAt, now())) return
    const begun = performance.now()
    makePrivateFolder(folder)
    await removeAbandoned(folder, copier, now())
    const path = join(folder, backupName(copier, now()))
    await copier.copy(path, stopping.signal)
    const all = await backupsIn(folder, copier)
    const deleted = outdated(all)
    for (const each of deleted) await rm(each.path, { force: true })
    status = { ...status, state: 'on', problem: null }
    note(all)
    const seconds = Math.round(performance.now() - begun) / 1000
    const bytes = status.lastBytes
    log?.info({ file: path, bytes, seconds, deleted: deleted.length }, 'backup made and checked')
  }

  /** Notes the newest backup. One from the future was made while the clock was wrong. */
  function note(all: readonly BackupFile[]): void {
    const newest = all.find((backup) => backup.at <= now())
    status = { ...status, lastAt: newest?.at ?? null, lastBytes: newest?.bytes ?? null }
  }
}
