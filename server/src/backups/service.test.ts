import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '@stint/testing/free-port.ts'
import { startServer } from '@stint/testing/server-process.ts'
import type { Copier } from '#storage/copier.ts'
import { copierOf } from '#storage/copier.ts'
import { openDatabase } from '#storage/open.ts'
import { checkBackup } from '#storage/sqlite/backup.ts'
import { createBackups } from './service.ts'
import type { Backups } from './service.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const PRLIMIT = '/usr/bin/prlimit'
const isSqlite = process.env['TEST_DATABASE'] !== 'postgres'

let parent: string
let folder: string
let time: number
let lines: { level: string; message: string }[]
let running: Backups[]

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'stint-backups-'))
  folder = join(parent, 'backups')
  time = new Date(2026, 0, 15, 12).getTime()
  lines = []
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()))
  rmSync(parent, { recursive: true })
})

test('a backup is made when none was made since the time of day for it, and only then', async () => {
  const backups = started(planted())
  await backups.look()
  expect(files()).toHaveLength(1)
  expect(backups.status()).toMatchObject({ state: 'on', lastAt: time, lastBytes: 4, problem: null })
  time += 10 * HOUR
  await backups.look()
  expect(files()).toHaveLength(1)
  // Past three in the morning.
  time += 6 * HOUR
  await backups.look()
  expect(files()).toHaveLength(2)
  expect(backups.status().lastAt).toBe(time)
  expect(lines.map(({ message }) => message)).toEqual([
    'backup made and checked',
    'backup made and checked',
  ])
})

test('a server that starts again knows its backups, and makes up a missed one', async () => {
  await started(planted()).look()
  const made = time
  time += 2 * HOUR
  const again = started(planted())
  await again.look()
  expect(again.status()).toMatchObject({ lastAt: made })
  expect(files()).toHaveLength(1)
  time += 72 * HOUR
  await started(planted()).look()
  expect(files()).toHaveLength(2)
})

test('outdated backups are deleted, and no other file is', async () => {
  mkdirSync(folder)
  const others = [
    'notes.txt',
    'before-restore-2026-01-01T030000Z.db',
    'stint-2026-01-01.db',
    'stint-2026-01-01T030000Z.db-wal',
    'stint-2026-13-01T030000Z.db',
    'stint-2026-01-01T030000Z.dump',
    'other-2026-01-01T030000Z.db',
  ]
  for (const name of others) writeFileSync(join(folder, name), 'x')
  // A copy that was killed, and one that may still be in progress.
  const partial = ['stint-2026-01-01T030000Z.db.partial', 'stint-2026-01-15T000000Z.db.partial']
  for (const name of partial) writeFileSync(join(folder, name), 'x')
  mkdirSync(join(folder, 'stint-2026-01-02T030000Z.db'))
  const backups = started(planted())
  await backups.look()
  expect(partial.filter((name) => existsSync(join(folder, name)))).toEqual(partial.slice(1))
  for (let day = 0; day < 29; day++) {
    time += 24 * HOUR
    await backups.look()
  }
  const left = readdirSync(folder)
  expect(left).toEqual(expect.arrayContaining([...others, 'stint-2026-01-02T030000Z.db']))
  // Seven days, two Sundays before them, and the end of January.
  expect(files()).toHaveLength(10)
})

test('a backup from the future, when the clock was wrong, does not stop backups', async () => {
  mkdirSync(folder)
  writeFileSync(join(folder, 'stint-2099-01-01T030000Z.db'), 'x')
  const backups = started(planted())
  await backups.look()
  expect(backups.status().lastAt).toBe(time)
})

test('a failed backup is logged, shown and tried again after ten minutes', async () => {
  writeFileSync(folder, 'a file in the place of the folder')
  const backups = started(planted())
  await backups.look()
  expect(backups.status()).toMatchObject({
    state: 'on',
    lastAt: null,
    failures: 1,
    problem: expect.stringContaining('ENOTDIR'),
  })
  rmSync(folder)
  time += 9 * MINUTE
  await backups.look()
  expect(existsSync(folder)).toBe(false)
  time += MINUTE
  await backups.look()
  expect(files()).toHaveLength(1)
  expect(backups.status()).toMatchObject({ lastAt: time, failures: 1, problem: null })
  expect(lines.map(({ level }) => level)).toEqual(['error', 'info'])
})

test('a failed copy leaves the earlier backups as they are', async () => {
  await started(planted()).look()
  time += 24 * HOUR
  const failing = started({
    ...planted(),
    copy: () => Promise.reject(new Error('No space left on device')),
  })
  const before = files()
  await failing.look()
  expect(files()).toEqual(before)
  expect(failing.status()).toMatchObject({ problem: 'No space left on device' })
})

test('what keeps backups from being made is said once, and backups begin when it is gone', async () => {
  let obstacle: string | null = 'pg_dump is not on the PATH'
  const backups = started({ ...planted(), obstacle: async () => obstacle })
  for (let count = 0; count < 3; count++) {
    await backups.look()
    time += 10 * MINUTE
  }
  expect(backups.status()).toMatchObject({ state: 'unavailable', problem: obstacle })
  expect(lines).toEqual([{ level: 'warn', message: `No backups: ${obstacle}` }])
  obstacle = null
  await backups.look()
  expect(backups.status()).toMatchObject({ state: 'on', lastAt: time, problem: null })
})

test('backups that are turned off make nothing', async () => {
  const backups = started(planted(), false)
  await backups.look()
  expect(existsSync(folder)).toBe(false)
  expect(backups.status().state).toBe('off')
})

test('of two processes on one folder that look at once only one makes the backup', async () => {
  let last: Promise<void> = Promise.resolve()
  // One after the other, as two whose looks overlap but not their locks.
  const alone: Copier['alone'] = (work) => (last = last.then(work))
  const processes = [1, 2].map(() => started({ ...planted(), alone }))
  await Promise.all(
    processes.map(async (each, index) => {
      time += index * 1000
      await each.look()
    }),
  )
  expect(files()).toHaveLength(1)
})

describe.runIf(isSqlite)('SQLite', () => {
  test('the copy of a running database is intact and private', async () => {
    const url = `file:${join(parent, 'stint.db')}`
    const db = await openDatabase(url)
    const backups = started(await copierOf(url))
    await backups.look()
    await db.close()
    const [file = ''] = files()
    expect(lines).toMatchObject([{ level: 'info' }])
    expect(checkBackup(join(folder, file))).toMatchObject({ users: 0 })
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test('a copy that is damaged gets no name', async () => {
    const file = join(parent, 'stint.db')
    writeFileSync(file, 'x'.repeat(10_000))
    const backups = started(await copierOf(`file:${file}`))
    await backups.look()
    expect(backups.status()).toMatchObject({
      failures: 1,
      problem: expect.stringMatching(/not a database/),
    })
    expect(readdirSync(folder)).toEqual([])
  })

  test('a copy in progress ends with the server, and nothing of it is left', async () => {
    const url = `file:${join(parent, 'stint.db')}`
    await (await openDatabase(url)).close()
    const backups = started(await copierOf(url))
    const looking = backups.look()
    while (!existsSync(folder)) await new Promise((again) => setTimeout(again, 1))
    await backups.stop()
    await looking
    expect(readdirSync(folder)).toEqual([])
    expect(lines).toEqual([])
  })

  test.runIf(existsSync(PRLIMIT))(
    'a server whose disk is full for a backup says so and serves on',
    async () => {
      const port = await freePort()
      const server = await startServer(`file:${join(parent, 'stint.db')}`, port, {
        BACKUP: 'on',
        BACKUP_DIR: folder,
      })
      // The copy is larger; the limit holds for the program that makes it too.
      execFileSync(PRLIMIT, ['--pid', String(server.pid), '--fsize=8192:'])
      const failed = 'The backup failed'
      while (!server.output().includes(failed)) await new Promise((again) => setTimeout(again, 50))
      expect(readdirSync(folder)).toEqual([])
      expect((await fetch(`http://127.0.0.1:${port}/v1/health`)).status).toBe(200)
      server.end('SIGKILL')
      await server.exited
    },
  )
})

/** Returns backups at three in the morning, whose clock is `time`. */
function started(copier: Copier, isOn = true): Backups {
  const backup = { isOn, folder, at: { hour: 3, minute: 0 } }
  const backups = createBackups({ backup }, copier, () => time)
  backups.start({ info: linesOf('info'), warn: linesOf('warn'), error: linesOf('error') })
  running.push(backups)
  return backups
}

function linesOf(level: string) {
  return (_: object, message: string) => void lines.push({ level, message })
}

/** Returns a copier whose copies are four bytes. */
function planted(): Copier {
  return {
    name: 'stint',
    extension: 'db',
    obstacle: async () => null,
    alone: (work) => work(),
    copy: async (target) => writeFileSync(target, 'copy'),
  }
}

/** Returns the names of the backups. */
function files(): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isFile() && /^stint-\d{4}-[01]\d-\d\dT\d{6}Z\.db$/.test(each.name))
    .map(({ name }) => name)
    .filter((name) => !name.includes('2026-13'))
}
