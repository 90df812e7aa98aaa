/**
 * Kills the operator's command `restore` at its system calls. After each kill the database opens and
 * holds everything old or everything restored, and what it does not hold is in a file.
 */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SqliteConnection from 'better-sqlite3'
import { OperatorError } from '@stint/server/operator-error.ts'
import { openDatabase } from '@stint/server/storage/open.ts'
import { backUp, checkBackup } from '@stint/server/storage/sqlite/backup.ts'
import { restoreSqlite } from '@stint/server/storage/sqlite/restore.ts'
import { createTestApp } from '#test-app.ts'

const ADMIN = fileURLToPath(import.meta.resolve('@stint/server/admin.ts'))
const TASKS = '/databases/stint/collections/tasks/documents'
/** A package of the operating system, not of the project. */
const STRACE = 'strace'
/** The calls that change files. Those that swap files are few, and all of them are killed. */
const SWAPS = ['fsync', 'fdatasync', 'rename', 'unlink', 'ftruncate']
const WRITES = ['pwrite64', 'copy_file_range', 'mkdir']

const OLD = ['t1', 't2', 't3']
const RESTORED = ['t1']

/** The n-th call of a kind. */
interface KillPoint {
  readonly call: string
  readonly count: number
}

export interface KillRestoreReport {
  readonly kills: number
  /** How often the database was the old one after a kill, and how often the restored one. */
  readonly old: number
  readonly restored: number
  /** What was wrong, with its point; there must be nothing. */
  readonly wrong: readonly string[]
}

/** Returns whether system calls can be traced on this machine. */
export function canTrace(): boolean {
  return spawnSync(STRACE, ['-f', '-o', '/dev/null', 'true']).status === 0
}

/**
 * Restores over a database with a write-ahead log, and kills each try at another system call.
 * @param kills how many, spread over the command; Infinity: all.
 * @throws OperatorError if strace is missing.
 */
export async function killRestores(kills: number): Promise<KillRestoreReport> {
  if (!canTrace()) {
    throw new OperatorError('This needs strace, which is a package: apt-get install -y strace')
  }
  const folder = mkdtempSync(join(tmpdir(), 'stint-kill-restore-'))
  const prepared = join(folder, 'prepared')
  mkdirSync(prepared)
  await prepare(prepared)
  const points = spread(pointsOf(prepared, join(folder, 'counted')), kills)
  const report = { kills: 0, old: 0, restored: 0, wrong: [] as string[] }
  for (const [index, point] of points.entries()) {
    const place = join(folder, `round-${index}`)
    const { signal } = restoreTraced(prepared, place, [
      '-o',
      '/dev/null',
      '-e',
      `trace=${point.call}`,
      '-e',
      `inject=${point.call}:signal=KILL:when=${point.count}`,
    ])
    if (signal === 'SIGKILL') report.kills++
    try {
      const tasks = await verify(place)
      if (tasks === String(OLD)) report.old++
      else report.restored++
    } catch (error) {
      report.wrong.push(`${point.call} ${point.count}: ${String(error)}`)
    }
    rmSync(place, { recursive: true })
  }
  rmSync(folder, { recursive: true })
  return report
}

/** Makes a backup and then a database that has more, of which a part is in its log only. */
async function prepare(folder: string): Promise<void> {
  const file = join(folder, 'stint.db')
  const db = await openDatabase(`file:${file}`)
  const server = await createTestApp({ db })
  const ann = await server.signedInUser('Ann')
  const create = (documentId: string) =>
    ann.call('POST', TASKS, { documentId, data: { name: 'x', userId: ann.id } })
  await create('t1')
  backUp(file, join(folder, 'backup.db'))
  await create('t2')
  await create('t3')
  for (const end of ['', '-wal']) copyFileSync(file + end, join(folder, `killed.db${end}`))
  await server.close()
  await db.close()
  for (const end of ['', '-wal']) copyFileSync(join(folder, `killed.db${end}`), file + end)
}

/** Returns the calls of an undisturbed restore that concern its files, in their order. */
function pointsOf(prepared: string, place: string): KillPoint[] {
  const trace = `${place}.trace`
  const { status, stderr } = restoreTraced(prepared, place, [
    '-y',
    '-o',
    trace,
    '-e',
    `trace=${[...SWAPS, ...WRITES].join(',')}`,
  ])
  if (status !== 0) throw new Error(`The restore failed:\n${stderr}`)
  const counts = new Map<string, number>()
  const points: KillPoint[] = []
  let first = ''
  for (const line of readFileSync(trace, 'utf8').split('\n')) {
    const [, thread = '', call = ''] = /^(\d+) +(\w+)\(/.exec(line) ?? []
    first ||= thread
    // The command works in its first thread, and calls are counted for each.
    if (call === '' || thread !== first) continue
    const count = (counts.get(call) ?? 0) + 1
    counts.set(call, count)
    if (line.includes(place)) points.push({ call, count })
  }
  return points
}

/** Returns all swaps, and as many of the others as there may be kills, evenly spread. */
function spread(points: readonly KillPoint[], kills: number): KillPoint[] {
  const swaps = points.filter(({ call }) => SWAPS.includes(call))
  const writes = points.filter(({ call }) => !SWAPS.includes(call))
  return [...evenly(swaps, kills), ...evenly(writes, Math.max(4, kills - swaps.length))]
}

/** Returns so many items, the first and the last among them. */
function evenly<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, (items.length - 1) / (count - 1))
  const indexes = new Set(items.map((_, index) => Math.round(index * step)))
  return items.filter((_, index) => indexes.has(index))
}

/** Copies the prepared files to `place` and runs the command on them under strace. */
function restoreTraced(prepared: string, place: string, options: readonly string[]) {
  mkdirSync(place)
  for (const name of ['stint.db', 'stint.db-wal', 'backup.db']) {
    copyFileSync(join(prepared, name), join(place, name))
  }
  const command = [process.execPath, ADMIN, 'restore', join(place, 'backup.db')]
  return spawnSync(STRACE, ['-f', ...options, ...command], {
    encoding: 'utf8',
    env: {
      ...process.env,
      DATABASE_URL: `file:${join(place, 'stint.db')}`,
      BACKUP_DIR: join(place, 'safe'),
    },
  })
}

/** Returns the tasks of the database after a kill. @throws Error when anything is lost. */
async function verify(place: string): Promise<string> {
  const file = join(place, 'stint.db')
  const backup = join(place, 'backup.db')
  checkBackup(backup)
  const safe = join(place, 'safe')
  const copies = existsSync(safe) ? readdirSync(safe).filter((name) => name.endsWith('.db')) : []
  // As the next start does: lock, log, checks, migrations.
  await (await openDatabase(`file:${file}`)).close()
  const tasks = tasksIn(file)
  if (tasks !== String(OLD) && tasks !== String(RESTORED)) throw new Error(`It holds ${tasks}`)
  if (tasks === String(RESTORED)) {
    const [copy = ''] = copies
    if (tasksIn(join(safe, copy)) !== String(OLD)) throw new Error('The safety copy is not whole')
  }
  await restoreSqlite(file, backup, join(place, 'again', 'safe.db'))
  if (tasksIn(file) !== String(RESTORED)) throw new Error('It cannot be restored again')
  return tasks
}

function tasksIn(file: string): string {
  const connection = new SqliteConnection(file, { readonly: true, fileMustExist: true })
  try {
    if (connection.pragma('integrity_check', { simple: true }) !== 'ok') throw new Error('damaged')
    return String(connection.prepare('select id from tasks order by id').pluck().all())
  } finally {
    connection.close()
  }
}
