/**
 * SQLite: one connection writes (`writer.ts`) with group commit (`group-commit.ts`), one reads
 * (`reader.ts`), and a thread has a third for slow reads (`slow-reader.ts`).
 */
import { sql } from 'kysely'
import type { CompiledQuery } from 'kysely'
import { fairQueue } from '#fair-queue.ts'
import { DatabaseUnavailable } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import { MAX_SLOW_READ } from '#storage/options.ts'
import type { StorageOptions } from '#storage/options.ts'
import { AccountsVersion } from './accounts-version.ts'
import { dialect } from './dialect.ts'
import { checkInBackground, damaged, lockFile, openWriter, sizeOf } from './file.ts'
import { GroupCommit } from './group-commit.ts'
import { sqliteBuilders } from './query-builders.ts'
import { Reader } from './reader.ts'
import { slowReader } from './slow-reader.ts'
import { Writer } from './writer.ts'

/** How often to check whether another process wrote, in milliseconds. */
const LOOK_FOR_WRITES_EVERY = 500

/** The largest body of a request, in bytes. */
const MAX_BODY = 65_536

/** A larger file is checked after the start instead of before it, in bytes. */
const MAX_CHECKED_AT_START = 67_108_864

/**
 * Opens the database file (creates it if needed), migrates its schema, and checks it.
 * @throws DatabaseRefused when another server has it open, it is damaged, or it is too new.
 */
export async function openSqlite(file: string, options: StorageOptions = {}): Promise<Database> {
  const {
    checkedAtStart = MAX_CHECKED_AT_START,
    maxSlowRead = MAX_SLOW_READ,
    warn = () => {},
  } = options
  const lock = options.exclusive === false ? null : lockFile(file)
  const isLarge = sizeOf(file) > checkedAtStart
  const writer = new Writer(file, await openWriter(file, lock, isLarge))
  const reader = new Reader(file)
  const slow = slowReader(file)
  const enqueue = fairQueue(1)
  const { build, accountChanges } = sqliteBuilders()
  const accounts = new AccountsVersion(
    () => writer.dataVersion(),
    () => reader.endTurn(),
  )
  const commits = new GroupCommit(writer, {
    beforeCommit: () => reader.endTurn(),
    afterCommit() {
      reader.endTurn()
      accounts.committed()
    },
  })
  const transaction: Transaction = {
    dialect,
    build,
    run: async (query) => writer.run(query),
    changeAccounts() {
      accounts.noteChange()
      return accountChanges
    },
  }
  /** Why all I/O fails; null: the file is usable. */
  let unusable: string | null = null
  const check = isLarge
    ? checkInBackground(file, () => {
        const { message } = damaged(file)
        unusable ??= message
        warn(message)
      })
    : null

  return {
    url: `file:${file}`,
    dialect,
    build,
    isExclusive: lock !== null,
    async read(query) {
      assertUsable()
      return reader.read(query)
    },
    async readSlowly<Row>(owner: string, { sql: text, parameters }: CompiledQuery<Row>) {
      assertUsable()
      const request = { sql: text, parameters, milliseconds: maxSlowRead }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely derives it from the schema
      return (await enqueue(owner, () => slow.read(request))) as Row[]
    },
    write: (work) => commit(() => work(transaction)),
    autocommit: (work) => work({ dialect, build, run: (query) => commit(() => writer.run(query)) }),
    async check() {
      reader.read(sql`select 1`.compile(build))
      await commit(() =>
        writer.run(sql`pragma user_version = ${sql.lit(SCHEMA_VERSION)}`.compile(build)),
      )
      if (writer.wasRefused) await tryLargeWrite()
    },
    bytes: async () => sizeOf(file) + sizeOf(`${file}-wal`),
    publish() {},
    // The only other writers are the admin commands. They send no messages; the file's version
    // shows their writes.
    subscribe(_onMessage, onUnknown) {
      let seen = writer.dataVersion()
      const timer = setInterval(() => {
        const version = writer.dataVersion() ?? seen
        if (version !== seen) onUnknown()
        seen = version
      }, LOOK_FOR_WRITES_EVERY)
      timer.unref()
      return () => clearInterval(timer)
    },
    accountsVersion: () => accounts.current(),
    async close() {
      // Waits for the queue. If the disk fails now, the queued writes reject.
      await commit(() => {}).catch(() => {})
      unusable = 'The database is closed'
      await check?.terminate()
      await slow.close()
      reader.close()
      writer.close()
      lock?.close()
    },
  }

  async function commit<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    assertUsable()
    return commits.write(work)
  }

  function assertUsable(): void {
    if (unusable !== null) throw new DatabaseUnavailable(unusable)
  }

  /** Checks whether the disk has room for the largest request: writes that much, and deletes it. */
  async function tryLargeWrite(): Promise<void> {
    const bucket = `room ${'x'.repeat(MAX_BODY)}`
    await commit(() =>
      writer.run(build.insertInto('throttles').values({ bucket, resets_at: 0, hits: 0 })),
    )
    await commit(() => writer.run(build.deleteFrom('throttles').where('bucket', '=', bucket)))
    writer.wasRefused = false
  }
}
