/** One screen for the operator: whether all is well, and what is wrong in words. */
import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { VERSION } from '@stint/core/version.ts'
import { backupsIn } from '#backups/folder.ts'
import type { BackupFile } from '#backups/folder.ts'
import { isLoopbackHost } from '#config.ts'
import type { Config } from '#config.ts'
import { isPlainObject } from '#json.ts'
import { copierOf } from '#storage/copier.ts'
import { compared, inspect } from '#storage/inspect.ts'
import type { DatabaseFacts } from '#storage/inspect.ts'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import { sqliteFile } from '#storage/open.ts'

const HOUR = 3_600_000
/** Without a backup for this long there is a warning, in milliseconds. */
const OLD_BACKUP = 48 * HOUR
/** The share of a disk below which there is a warning. */
const LITTLE_ROOM = 0.1
/** How long the server may take to answer, in milliseconds. */
const PATIENCE = 3000

interface Line {
  readonly title: string
  readonly text: string
  readonly warnings: readonly string[]
}

/** Returns the screen. Changes nothing, and migrates nothing. @throws DatabaseRefused. */
export async function statusScreen(config: Config, now: number): Promise<string> {
  const database = await inspect(config.databaseUrl)
  const lines = [
    databaseLine(database),
    ...(await serverLines(config)),
    await backupLine(config, now),
    ...(await diskLines(config)),
    mailLine(config),
  ]
  const width = Math.max(...lines.map(({ title }) => title.length))
  const warnings = lines.flatMap((line) => line.warnings)
  return [
    `Stint ${VERSION}, schema ${SCHEMA_VERSION}`,
    '',
    ...lines.map(({ title, text }) => `${title.padEnd(width)}  ${text}`),
    '',
    ...(warnings.length === 0
      ? ['All is well.']
      : ['Warnings:', ...warnings.map((each) => `- ${each}`)]),
  ].join('\n')
}

function databaseLine({ kind, place, schema, bytes, rows }: DatabaseFacts): Line {
  const people = rows === null ? '' : `, ${rows.users} accounts, ${rows.sessions} sign-ins`
  const text =
    schema === null
      ? `${kind} at ${place}, none yet`
      : `${kind} at ${place}, ${size(bytes)}, schema ${schema}${people}`
  return { title: 'Database', text, warnings: schema === SCHEMA_VERSION ? [] : [compared(schema)] }
}

async function serverLines(config: Config): Promise<Line[]> {
  const { publicUrl } = config
  const local = await serverLine('Server', localAddress(config), config)
  if (isLoopbackHost(new URL(publicUrl).hostname)) return [local]
  return [local, await serverLine('Public', publicUrl, config)]
}

/** Asks the server whether it is ready. To its own address the token of the metrics is sent. */
async function serverLine(title: string, address: string, config: Config): Promise<Line> {
  const { metricsToken, publicUrl } = config
  const isOwn = metricsToken !== null && address !== publicUrl
  const answer = await fetch(`${address}/v1/health/ready`, {
    headers: isOwn ? { authorization: `Bearer ${metricsToken}` } : {},
    signal: AbortSignal.timeout(PATIENCE),
  })
    .then(async (reply) => ({ status: reply.status, body: await reply.json() }))
    .catch(() => null)
  if (answer === null) {
    const warning = `The server does not answer at ${address}. Start it, or look into its log.`
    return { title, text: `does not answer at ${address}`, warnings: [warning] }
  }
  if (answer.status !== 200) {
    const warning = `The server at ${address} is not ready (${answer.status}). Its log says why.`
    return { title, text: `answers at ${address}, but is not ready`, warnings: [warning] }
  }
  const problem = backupProblem(answer.body)
  return {
    title,
    text: `answers at ${address}`,
    warnings: problem === null ? [] : [`The last backup of the server failed: ${problem}`],
  }
}

/** Returns why the last try of the server failed, if it tells. */
function backupProblem(health: unknown): string | null {
  const backup = isPlainObject(health) ? health['backup'] : null
  const problem = isPlainObject(backup) && backup['state'] === 'on' ? backup['problem'] : null
  return typeof problem === 'string' ? problem : null
}

function localAddress({ host, port }: Config): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function backupLine({ backup, databaseUrl }: Config, now: number): Promise<Line> {
  const title = 'Backup'
  const folder = resolve(backup.folder)
  const copier = await copierOf(databaseUrl)
  const all = await backupsIn(folder, copier)
  const newest = all.find(({ at }) => at <= now)
  const text =
    newest === undefined ? `none in ${folder}` : described(newest, all.length, folder, now)
  if (!backup.isOn) {
    const warning = 'The server makes no backups: BACKUP=off.'
    return { title, text: `off; ${text}`, warnings: [warning] }
  }
  const obstacle = await copier.obstacle()
  if (obstacle !== null) {
    return { title, text, warnings: [`The server cannot make backups: ${obstacle}`] }
  }
  if (newest === undefined) return { title, text, warnings: ['There is no backup yet.'] }
  const isOld = now - newest.at > OLD_BACKUP
  const warning = `The newest backup is ${age(now - newest.at)} old. The server's log says why.`
  return { title, text, warnings: isOld ? [warning] : [] }
}

function described({ at, bytes }: BackupFile, count: number, folder: string, now: number): string {
  const made = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return `${made} UTC, ${age(now - at)} ago, ${size(bytes)}, checked; ${count} in ${folder}`
}

/** Returns a line for each disk that holds data or backups. */
async function diskLines({ databaseUrl, backup }: Config): Promise<Line[]> {
  const file = sqliteFile(databaseUrl)
  const folders = [...(file === null ? [] : [dirname(file)]), resolve(backup.folder)]
  const disks = new Map<number, Line>()
  for (const folder of folders.map(existing)) {
    const { dev } = await stat(folder)
    if (!disks.has(dev)) disks.set(dev, await diskLine(folder))
  }
  return [...disks.values()]
}

async function diskLine(folder: string): Promise<Line> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const share = blocks === 0 ? 1 : bavail / blocks
  const percent = Math.floor(share * 100)
  return {
    title: 'Disk',
    text: `${size(bavail * bsize)} free of ${size(blocks * bsize)} (${percent} %) at ${folder}`,
    warnings:
      share < LITTLE_ROOM
        ? [
            `Only ${percent} % of the disk of ${folder} is free. Make room: a full disk stops all writes.`,
          ]
        : [],
  }
}

/** Returns the folder, or the nearest one above it that exists. */
function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(folder))
}

function mailLine({ smtpUrl, mailFrom }: Config): Line {
  if (smtpUrl !== null) return { title: 'Mail', text: `sent as ${mailFrom}`, warnings: [] }
  const warning =
    'No mail is sent, because SMTP_URL is not set. Who forgets a password needs "npm run admin -- reset-link".'
  return { title: 'Mail', text: 'not set up', warnings: [warning] }
}

/** Returns bytes in the largest unit that fits, for example `1.5 MB`. */
export function size(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const unit = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1000)))
  const amount = bytes / 1000 ** unit
  return `${unit === 0 ? amount : amount.toFixed(1)} ${units[unit]}`
}

/** Returns a duration in hours, or in days from two on. */
export function age(milliseconds: number): string {
  const hours = Math.floor(milliseconds / HOUR)
  if (hours < 1) return 'less than an hour'
  if (hours < 48) return hours === 1 ? '1 hour' : `${hours} hours`
  return `${Math.floor(hours / 24)} days`
}
