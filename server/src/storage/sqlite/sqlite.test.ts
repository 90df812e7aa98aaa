import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SqliteConnection from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { backUp } from './backup.ts'
import type { Database, Statements } from '#storage/database.ts'
import { openDatabase } from '#storage/open.ts'
import { newTestDatabase } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'

let place: TestDatabasePlace
let folder: string
let file: string
let db: Database

beforeEach(async () => {
  place = await newTestDatabase()
  file = fileURLToPath(place.url)
  folder = dirname(file)
  db = await openDatabase(place.url)
})
afterEach(async () => {
  await db.close()
  await place.remove()
})

test('the writes of one turn share a commit, and a failed one does not fail the others', async () => {
  const results = await Promise.allSettled([
    db.write((tx) => hit(tx, 'a')),
    db.write(async (tx) => {
      await hit(tx, 'b')
      throw new Error('changed my mind')
    }),
    db.write((tx) => hit(tx, 'a')),
    db.write((tx) => hit(tx, 'c')),
  ])
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect(await buckets()).toEqual(['a', 'c'])
})

test('a failed statement does not roll back others that were committed on their own', async () => {
  const results = await Promise.allSettled([
    db.autocommit((tx) => hit(tx, 'a')),
    db.autocommit((tx) => hit(tx, 'a').then(() => hit(tx, 'b'))),
    db.autocommit(async (tx) => {
      await hit(tx, 'c')
      await hit(tx, 'a')
    }),
    db.write((tx) => hit(tx, 'd')),
  ])
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect(await buckets()).toEqual(['a', 'c', 'd'])
})

test('a reader does not see uncommitted data', async () => {
  let seen: string[] | null = null
  await db.write(async (tx) => {
    await hit(tx, 'a')
    seen = await buckets()
  })
  expect(seen).toEqual([])
  expect(await buckets()).toEqual(['a'])
})

test('a committed write is read at once, even in a turn that has read before', async () => {
  const [before, after] = await Promise.all([
    buckets(),
    db.write((tx) => hit(tx, 'a')).then(buckets),
    db.write((tx) => hit(tx, 'b')),
  ])
  expect([before, after]).toEqual([[], ['a', 'b']])
})

test('rows that were read before another process changed accounts are not cached', async () => {
  await db.read(db.build.selectFrom('users').select('id'))
  const other = new SqliteConnection(file)
  other.exec("insert into users values ('x', 'x', '', '', '', 1, 0, '{}', '', '', '')")
  other.close()
  const before = db.accountsVersion()
  block(300)
  expect(db.accountsVersion()).not.toBe(before)
  expect(await db.read(db.build.selectFrom('users').select('id'))).toEqual([{ id: 'x' }])
})

test('readers do not prevent a restart of the log', async () => {
  for (let round = 0; round < 300; round++) {
    const writes = Array.from({ length: 10 }, (_, write) =>
      db.write((tx) => hit(tx, `${round} ${write} ${'x'.repeat(8000)}`)),
    )
    await Promise.all([buckets(), ...writes, ...writes.map((write) => write.then(first))])
    await db.write((tx) => tx.run(tx.build.deleteFrom('throttles')))
  }
  // 24 MB were written. A log of 1000 pages is copied into the file and restarted.
  expect(statSync(`${file}-wal`).size).toBeLessThan(8_000_000)
})

test('every write is durable before it is acknowledged, not only the first one', async () => {
  for (let write = 0; write < 2; write++) {
    expect(await setting('synchronous')).toBe(2)
    expect(await setting('journal_mode')).toBe('wal')
    await db.write((tx) => hit(tx, `w${write}`))
  }
})

test('a second server cannot open the same file, but an admin command can', async () => {
  await expect(openDatabase(`file:${file}`)).rejects.toThrow('Another Stint server is using')
  const beside = await openDatabase(`file:${file}`, { exclusive: false })
  await beside.close()
})

test('a file of a newer version is refused and not changed', async () => {
  await db.close()
  const connection = new SqliteConnection(file)
  connection.pragma('user_version = 99')
  connection.close()
  await expect(openDatabase(`file:${file}`)).rejects.toThrow('schema 99')
  rmSync(file)
  db = await openDatabase(`file:${file}`)
})

test('a damaged file is refused and not repaired', async () => {
  await db.write((tx) => hit(tx, 'a'))
  await db.close()
  const bytes = readFileSync(file)
  bytes.fill(0xa5, 4096, 4096 + 2000)
  writeFileSync(file, bytes)
  await expect(openDatabase(`file:${file}`)).rejects.toThrow('is damaged')
  rmSync(file)
  db = await openDatabase(`file:${file}`)
})

test('damage in a file that is too large to check at the start is found soon after', async () => {
  await db.write((tx) => hit(tx, 'a'))
  const root = sql<{
    rootpage: number
  }>`select rootpage from sqlite_schema where name = 'throttles'`
  const [{ rootpage } = { rootpage: NaN }] = await db.read(root.compile(db.build))
  await db.close()
  const bytes = readFileSync(file)
  // A page of a table that is not read at the start.
  bytes.fill(0xa5, (rootpage - 1) * 4096, rootpage * 4096 - 100)
  writeFileSync(file, bytes)
  const warnings: string[] = []
  db = await openDatabase(`file:${file}`, {
    checkedAtStart: 0,
    warn: (text) => void warnings.push(text),
  })
  await vi.waitFor(() => expect(warnings.join()).toContain('is damaged'))
  await expect(db.check()).rejects.toThrow('is damaged')
  await expect(db.write((tx) => hit(tx, 'b'))).rejects.toThrow('is damaged')
  await expect(buckets()).rejects.toThrow('is damaged')
})

test('a subscriber is notified that another process wrote', async () => {
  const heard = new Promise<void>((done) => void db.subscribe(() => {}, done))
  const other = new SqliteConnection(file)
  other.exec("insert into throttles values ('x', 0, 1)")
  other.close()
  expect(await heard).toBeUndefined()
})

test.each([
  ['to nothing', 0, 'is empty'],
  ['within its header', 50, 'is damaged'],
  ['after its first page', 4096, 'is damaged'],
  ['by its last page', -4096, 'is damaged'],
])(
  'a file that was cut off %s is refused, and the file and its log are not changed',
  async (_, at, message) => {
    await db.write((tx) => hit(tx, 'a'))
    await db.close()
    writeFileSync(file, readFileSync(file).subarray(0, at))
    const size = statSync(file).size
    await expect(openDatabase(`file:${file}`)).rejects.toThrow(message)
    expect(statSync(file).size).toBe(size)
    rmSync(file)
    db = await openDatabase(`file:${file}`)
  },
)

test.each([
  ['emptied', 'is empty'],
  ['deleted', 'is missing'],
])('a start is refused when the file was %s and its log exists', async (how, message) => {
  await db.write((tx) => hit(tx, 'a'))
  const log = readFileSync(`${file}-wal`)
  await db.close()
  writeFileSync(`${file}-wal`, log)
  if (how === 'emptied') writeFileSync(file, '')
  else rmSync(file)
  await expect(openDatabase(`file:${file}`)).rejects.toThrow(message)
  expect(readFileSync(`${file}-wal`).equals(log)).toBe(true)
  rmSync(file, { force: true })
  rmSync(`${file}-wal`)
  db = await openDatabase(`file:${file}`)
})

test('a first start that is killed before the file has its name does not prevent the next start', async () => {
  await db.close()
  rmSync(file)
  const program = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    fs.renameSync = () => process.kill(process.pid, 'SIGKILL')
    syncBuiltinESMExports()
    const { openDatabase } = await import(${JSON.stringify(new URL('../open.ts', import.meta.url))})
    await openDatabase(${JSON.stringify(`file:${file}`)})
  `
  const { signal, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8', cwd: import.meta.dirname },
  )
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
  expect([existsSync(`${file}.new`), existsSync(file)]).toEqual([true, false])
  db = await openDatabase(`file:${file}`)
  await db.write((tx) => hit(tx, 'a'))
  expect(await buckets()).toEqual(['a'])
  expect(existsSync(`${file}.new`)).toBe(false)
})

test('an admin command does not create a database', async () => {
  const elsewhere = join(folder, 'other.db')
  await expect(openDatabase(`file:${elsewhere}`, { exclusive: false })).rejects.toThrow(
    'does not exist. Set DATA_DIR',
  )
  expect(existsSync(elsewhere)).toBe(false)
})

test('deleted data is overwritten in the file', async () => {
  const secret = 'a word that nobody else has written'
  await db.write((tx) => hit(tx, secret))
  await db.write((tx) => tx.run(tx.build.deleteFrom('throttles')))
  await db.close()
  expect(readFileSync(file).includes(secret)).toBe(false)
  db = await openDatabase(`file:${file}`)
})

describe('for our own user alone', () => {
  const OTHERS = 0o077

  test('the folder and all files that Stint creates are private, whatever the umask', async () => {
    const umask = process.umask(0)
    try {
      const data = join(folder, 'new', 'data')
      const fresh = await openDatabase(`file:${data}/stint.db`)
      await fresh.write((tx) => tx.run(fresh.build.deleteFrom('throttles')))
      backUp(join(data, 'stint.db'), join(folder, 'backup.db'))
      const files = readdirSync(data).toSorted()
      expect(files).toEqual([
        'stint.db',
        'stint.db-shm',
        'stint.db-wal',
        'stint.db.lock',
        'stint.db.lock-journal',
      ])
      expect(files.map((name) => modeOf(join(data, name)))).toEqual(files.map(() => 0o600))
      expect(modeOf(data)).toBe(0o700)
      expect(modeOf(join(folder, 'backup.db'))).toBe(0o600)
      await fresh.close()
    } finally {
      process.umask(umask)
    }
  })

  test('the files of an earlier release and DATA_DIR are private after the start', async () => {
    await db.close()
    for (const path of [file, `${file}.lock`]) chmodSync(path, 0o644)
    chmodSync(folder, 0o755)
    const warnings: string[] = []
    db = await openDatabase(`file:${file}`, {
      dataDirectory: folder,
      warn: (text) => void warnings.push(text),
    })
    expect([file, `${file}.lock`, folder].map((path) => modeOf(path) & OTHERS)).toEqual([0, 0, 0])
    expect(warnings).toEqual([])
  })

  test('a folder beside DATA_DIR keeps its mode, and the operator is warned', async () => {
    await db.close()
    chmodSync(folder, 0o755)
    const warnings: string[] = []
    db = await openDatabase(`file:${file}`, {
      dataDirectory: join(folder, 'data'),
      warn: (text) => void warnings.push(text),
    })
    expect(modeOf(folder)).toBe(0o755)
    expect(warnings).toEqual([
      `Other users of this machine can read ${folder} (mode 755). Unless others need it, run: chmod 700 ${folder}`,
    ])
  })

  test('a folder that all users can write to, like /tmp, keeps its mode', async () => {
    await db.close()
    chmodSync(folder, 0o1777)
    db = await openDatabase(`file:${file}`, { dataDirectory: folder })
    expect(modeOf(folder)).toBe(0o777)
  })
})

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

/** Blocks the event loop for so many milliseconds. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

async function first(): Promise<unknown> {
  return db.read(db.build.selectFrom('throttles').select('hits').limit(1))
}

/** Returns a setting of the connection that writes. */
async function setting(name: string): Promise<unknown> {
  const query = sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.compile(db.build)
  return Object.values((await db.write((tx) => tx.run(query)))[0] ?? {})[0]
}

function hit(tx: Statements, bucket: string) {
  return tx.run(tx.build.insertInto('throttles').values({ bucket, resets_at: 1, hits: 1 }))
}

async function buckets(): Promise<string[]> {
  const rows = await db.read(db.build.selectFrom('throttles').select('bucket').orderBy('bucket'))
  return rows.map(({ bucket }) => bucket)
}
