import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { databaseFolder } from '@stint/testing/database-folder.ts'
import { newTestPlace, PATIENT } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'
import { freePort } from '@stint/testing/free-port.ts'
import { startServer } from '@stint/testing/server-process.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import { backupName } from '#backups/folder.ts'
import { readConfig } from '#config.ts'
import { copierOf } from '#storage/copier.ts'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import { openDatabase } from '#storage/open.ts'
import { age, size, statusScreen } from './status.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 0, 15, 12)
const kind = process.env['TEST_DATABASE'] === 'postgres' ? 'PostgreSQL' : 'SQLite'

let place: TestDatabasePlace
let folder: string
let port: number

beforeEach(async () => {
  place = await newTestPlace()
  // On the disk of the database, of which it says how full it is.
  folder = databaseFolder('stint-status-')
  port = await freePort()
})
afterEach(async () => {
  await place.remove()
  rmSync(folder, { recursive: true })
})

test('a server that is well is shown with its figures, and without a warning', async () => {
  const server = await startServer(place.url, port)
  await backUpAt(NOW - 9 * HOUR)
  await backUpAt(NOW - 33 * HOUR)
  const lines = await screen({ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'stint@example.com' })
  expect(lines).toEqual([
    expect.stringMatching(/^Stint \d+\.\d+\.\d+, schema \d+$/),
    '',
    expect.stringMatching(
      new RegExp(
        `^Database  ${kind} at \\S+, [\\d.]+ [KM]B, schema ${SCHEMA_VERSION}, 0 accounts, 0 sign-ins$`,
      ),
    ),
    `Server    answers at http://127.0.0.1:${port}`,
    `Backup    2026-01-15 03:00 UTC, 9 hours ago, 4 bytes, checked; 2 in ${folder}/backups`,
    expect.stringMatching(/^Disk {6}[\d.]+ [MGT]B free of [\d.]+ [GT]B \(\d+ %\) at \//),
    'Mail      sent as stint@example.com',
    '',
    ...lines.slice(8),
  ])
  expect(warningsOf(lines)).toEqual([])
  server.end('SIGTERM')
  await server.exited
})

test('what is wrong is said in words', async () => {
  const server = await createTestApp({ url: place.url })
  await server.signedInUser('Ann')
  await server.close()
  await backUpAt(NOW - 60 * HOUR)
  const lines = await screen({})
  expect(lines).toContain(`Server    does not answer at http://127.0.0.1:${port}`)
  expect(lines[2]).toMatch(/1 accounts, 1 sign-ins$/)
  expect(warningsOf(lines)).toEqual([
    `- The server does not answer at http://127.0.0.1:${port}. Start it, or look into its log.`,
    ...onlySqlite("- The newest backup is 2 days old. The server's log says why."),
    '- No mail is sent, because SMTP_URL is not set. Who forgets a password needs "npm run admin -- reset-link".',
  ])
  expect(await screen({ BACKUP: 'off' })).toContain('- The server makes no backups: BACKUP=off.')
  rmSync(join(folder, 'backups'), { recursive: true })
  expect(await screen({})).toEqual(expect.arrayContaining(onlySqlite('- There is no backup yet.')))
})

test('a database that is not there yet is not made', async () => {
  const lines = await screen({})
  expect(lines[2]).toMatch(new RegExp(`^Database  ${kind} at \\S+, none yet$`))
  expect(lines).toContain('- There is no database yet. The server creates it at its first start.')
  expect(await screen({})).toEqual(lines)
})

test.runIf(kind === 'PostgreSQL')('a machine without pg_dump cannot make backups', async () => {
  await (await openDatabase(place.url, PATIENT)).close()
  vi.stubEnv('PATH', folder)
  const lines = await screen({})
  vi.unstubAllEnvs()
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^- The server cannot make backups: pg_dump is not on the PATH\. Install/,
    ),
  )
})

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1500, '1.5 KB'],
  [12_345_678, '12.3 MB'],
  [5e12, '5.0 TB'],
])('%i bytes are %s', (bytes, expected) => {
  expect(size(bytes)).toBe(expected)
})

test.each([
  [0, 'less than an hour'],
  [HOUR, '1 hour'],
  [47 * HOUR, '47 hours'],
  [48 * HOUR, '2 days'],
])('%i milliseconds are %s', (milliseconds, expected) => {
  expect(age(milliseconds)).toBe(expected)
})

/** Returns the warnings that do not depend on the disk and the programs of this machine. */
function warningsOf(lines: readonly string[]): string[] {
  return lines
    .filter((line) => /^- (?!Only \d+ % of the disk)/.test(line))
    .filter((line) => kind === 'SQLite' || !line.includes('backup'))
}

/** On PostgreSQL backups need programs that this machine may not have. */
function onlySqlite(line: string): string[] {
  return kind === 'SQLite' ? [line] : []
}

async function backUpAt(at: number): Promise<void> {
  mkdirSync(join(folder, 'backups'), { recursive: true })
  writeFileSync(join(folder, 'backups', backupName(await copierOf(place.url), at)), 'copy')
}

async function screen(environment: Record<string, string>): Promise<string[]> {
  const config = readConfig({
    DATABASE_URL: place.url,
    DATA_DIR: folder,
    PORT: String(port),
    ...environment,
  })
  return (await statusScreen(config, NOW)).split('\n')
}
