/** Dumps of PostgreSQL, with the server and the programs of the operating system. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startSystemPostgres, systemPostgres } from '@stint/testing/system-postgres.ts'
import type { SystemPostgres } from '@stint/testing/system-postgres.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import { createBackups } from '#backups/service.ts'
import { openDatabase } from '#storage/open.ts'
import { restore } from '#storage/restore.ts'
import { checkDump, connectionVariables, postgresCopier } from './copier.ts'

const programs = systemPostgres()
const isPostgres = process.env['TEST_DATABASE'] === 'postgres'
const PASSWORD = 'canary-4711'
const NEVER = new AbortController().signal

test('the variables of the client programs say what the URL says', () => {
  expect(
    connectionVariables(
      'postgres://ann:s%40crt@db.example.com:5433/time?sslmode=no-verify&options=-c%20search_path%3Dstint',
    ),
  ).toEqual({
    PGHOST: 'db.example.com',
    PGPORT: '5433',
    PGUSER: 'ann',
    PGPASSWORD: 's@crt',
    PGDATABASE: 'time',
    PGSSLMODE: 'require',
    PGOPTIONS: '-c search_path=stint',
  })
  expect(connectionVariables('postgres://ann@db/time?sslmode=verify-full')).toMatchObject({
    PGSSLMODE: 'verify-full',
    PGSSLROOTCERT: 'system',
  })
})

// One run needs no other database, and takes seconds to start one.
describe.runIf(isPostgres && programs !== null)('with a server of the operating system', () => {
  let postgres: SystemPostgres
  let folder: string

  beforeAll(async () => {
    vi.stubEnv('PATH', [programs, process.env['PATH']].join(delimiter))
    postgres = await startSystemPostgres(programs ?? '', PASSWORD)
  })
  afterAll(async () => {
    await postgres.stop()
    vi.unstubAllEnvs()
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stint-dumps-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('a dump is checked and private, and restored beside the database it has everything', async () => {
    const server = await createTestApp({ db: await openDatabase(postgres.url) })
    const ann = await server.signedInUser('Ann')
    const path = '/databases/stint/collections/tasks/documents'
    await ann.call('POST', path, { documentId: 't1', data: { name: 'x', userId: ann.id } })
    const copier = postgresCopier(postgres.url)
    expect(await copier.obstacle()).toBe(null)
    const target = join(folder, 'stint.dump')
    await copier.copy(target, NEVER)
    expect(readdirSync(folder)).toEqual(['stint.dump'])
    expect(statSync(target).mode & 0o777).toBe(0o600)
    const { version, schema } = await checkDump(target)
    expect([version > 0, schema]).toEqual([true, 'public'])
    await server.close()
    await server.db.close()

    const options = { databaseUrl: postgres.url, backup: target, safetyFolder: folder, now: 0 }
    const text = await restore(options)
    expect(text).not.toContain(PASSWORD)
    const commands = text.split('\n').filter((line) => /^(createdb|pg_restore) /.test(line))
    expect(commands).toHaveLength(2)
    const env = { ...process.env, PGPASSWORD: PASSWORD }
    for (const command of commands) execFileSync('sh', ['-c', command], { env })
    expect(text).toContain('Put stint_restored into DATABASE_URL in the place of stint')
    const url = postgres.url.replace(/stint$/, 'stint_restored')
    const restored = await createTestApp({ db: await openDatabase(url) })
    const browser = restored.newBrowser()
    expect((await browser.call('POST', '/account/sessions/email', ann)).status).toBe(201)
    expect((await browser.call('GET', `${path}/t1`)).body.name).toBe('x')
    await restored.close()
    await restored.db.close()
  })

  test('no process shows the password while a dump is made', async () => {
    await (await openDatabase(postgres.url)).close()
    const seen = new Set<string>()
    const watching = setInterval(() => {
      for (const line of commandLines()) if (/pg_(dump|restore)/.test(line)) seen.add(line)
    }, 1)
    await postgresCopier(postgres.url).copy(join(folder, 'stint.dump'), NEVER)
    clearInterval(watching)
    expect([...seen].some((line) => line.includes('pg_dump'))).toBe(true)
    expect([...seen].filter((line) => line.includes(PASSWORD))).toEqual([])
  })

  test('two processes that back up one database at once make one backup', async () => {
    await (await openDatabase(postgres.url)).close()
    const now = Date.now()
    const lines: string[] = []
    const note = (_: object, message: string) => void lines.push(message)
    const processes = [0, 1].map((index) => {
      const backup = { isOn: true, folder, at: { hour: 3, minute: 0 } }
      const backups = createBackups(
        { backup },
        postgresCopier(postgres.url),
        () => now + index * 1000,
      )
      backups.start({ info: note, warn: note, error: note })
      return backups
    })
    await Promise.all(processes.map((each) => each.look()))
    expect(lines).toEqual(['backup made and checked'])
    expect(readdirSync(folder)).toHaveLength(1)
    await Promise.all(processes.map((each) => each.look()))
    expect(readdirSync(folder)).toHaveLength(1)
    // Both know of it.
    expect(processes.map((each) => each.status().lastBytes)).toEqual([
      statSync(join(folder, readdirSync(folder)[0] ?? '')).size,
      statSync(join(folder, readdirSync(folder)[0] ?? '')).size,
    ])
    for (const each of processes) await each.stop()
  })

  test('a dump that is cut off, of another program or of a newer version is refused', async () => {
    await (await openDatabase(postgres.url)).close()
    const target = join(folder, 'stint.dump')
    await postgresCopier(postgres.url).copy(target, NEVER)
    const whole = readFileSync(target)
    writeFileSync(target, whole.subarray(0, whole.length - 20))
    await expect(checkDump(target)).rejects.toThrow('cannot be used as a backup')
    writeFileSync(target, 'junk')
    await expect(checkDump(target)).rejects.toThrow('cannot be used as a backup')

    const env = { ...process.env, ...connectionVariables(postgres.url) }
    execFileSync('psql', ['-qc', 'update stint_schema set version = 999'], { env })
    await postgresCopier(postgres.url)
      .copy(target, NEVER)
      .then(
        () => expect.unreachable(),
        (error: unknown) => expect(String(error)).toContain('schema 999 is newer'),
      )
    execFileSync('psql', ['-qc', `update stint_schema set version = ${await latest()}`], { env })
    execFileSync('psql', ['-qc', 'create schema other; create table other.t (a int)'], { env })
    execFileSync('pg_dump', ['--format=custom', '--schema=other', `--file=${target}`], { env })
    await expect(checkDump(target)).rejects.toThrow('no copy of a Stint database')
  })

  test('without pg_dump, or with one that is older than the server, it says what to do', async () => {
    const path = process.env['PATH']
    vi.stubEnv('PATH', folder)
    expect(await postgresCopier(postgres.url).obstacle()).toMatch(
      /^pg_dump is not on the PATH\. Install the PostgreSQL client programs/,
    )
    for (const name of ['pg_dump', 'pg_restore']) {
      writeFileSync(join(folder, name), '#!/bin/sh\necho "pg_dump (PostgreSQL) 9.6"\n', {
        mode: 0o755,
      })
    }
    vi.stubEnv('PATH', [folder, path].join(delimiter))
    expect(await postgresCopier(postgres.url).obstacle()).toMatch(
      /^pg_dump 9 cannot read PostgreSQL \d+\. Install/,
    )
    vi.stubEnv('PATH', path)
  })
})

async function latest(): Promise<number> {
  return (await import('#storage/migrations.ts')).SCHEMA_VERSION
}

/** Returns the command lines of all processes, as every user of the machine sees them. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
      } catch {
        return []
      }
    })
}
