/**
 * SQLite: one writer connection, one reader connection, and group commit. The writes of one turn
 * of the event loop share one transaction, and are answered only after its COMMIT: durable for every one of them at the price of a single fsync (reliability 4.7).
 */
import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import SqliteConnection from 'better-sqlite3'
import type { Statement } from 'better-sqlite3'
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Compilable, CompiledQuery } from 'kysely'
import {
  changesAccounts,
  DatabaseRefused,
  DatabaseUnavailable,
  UniqueViolation,
} from './database.ts'
import type { Database, Dialect, Transaction } from './database.ts'
import { pendingMigrations, SCHEMA_VERSION } from './migrations.ts'
import { isPlainObject } from '#params.ts'
import type { Schema } from './schema.ts'

/** 'stnt' in ASCII: what kind of SQLite file this is. */
const APPLICATION_ID = 0x73746e74

/** How often to look whether another process wrote, in milliseconds. */
const LISTEN_EVERY = 500

/** How old the last look may be when somebody asks whether accounts changed, in milliseconds. */
const LOOK_AFTER = 250

/** How long after a failure of the disk to try it again, in milliseconds. */
const REOPEN_AFTER = 1000

/** As much as a request may bring, in bytes. */
const LARGEST_BODY = 65_536

const DIALECT: Dialect = {
  name: 'sqlite',
  lockClause: '',
  insertEnds: '',
  joinRows: 'group_concat',
  sortsNullsLast: false,
}

/** A larger file is looked through after the start, which would take too long; in bytes. */
const CHECKED_AT_START = 67_108_864

export interface SqliteOptions {
  /** The largest file that is looked through before it is used, in bytes. */
  readonly checkedAtStart?: number
  /** Hears what the operator should know. */
  readonly warn?: (text: string) => void
  /** False lets a second process in beside a running server, as the admin commands need. */
  readonly exclusive?: boolean
}

/**
 * Opens (and if need be creates) the database file, brings its schema up to date, and checks it.
 * @throws DatabaseRefused when another server has it open, it is damaged, or it is too new.
 */
export function openSqlite(file: string, options: SqliteOptions = {}): Database {
  const lock = options.exclusive === false ? null : lockFile(file)
  const { checkedAtStart = CHECKED_AT_START, warn = () => {} } = options
  const isLarge = sizeOf(file) > checkedAtStart
  let writer = openWriter(file, lock, isLarge)
  let onWriter = executor(writer)
  const reader = connect(file)
  reader.pragma('query_only = on')

  const build = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  const onReader = executor(reader)
  const transaction: Transaction = {
    run: async (query) => onWriter(query),
  }
  let queue: Job[] = []
  let isFlushing = false
  let isClosed = false
  let isDamaged = false
  const checking = isLarge ? checkInBackground(file, noteDamage) : null
  /** When the writer may be opened anew after a failure of the disk; null while it is sound. */
  let reopenAt: number | null = null
  let accountsVersion = 0
  let accountsSeen = { version: dataVersion(), at: performance.now() }
  /** Whether a write was refused, and none as large as a request's has succeeded since. */
  let wasRefused = false

  return {
    dialect: DIALECT,
    build,
    isAlone: lock !== null,
    async read(query) {
      if (isDamaged) throw new DatabaseUnavailable(`${file} is damaged`)
      return onReader(query)
    },
    write,
    // All that arrive together share one transaction anyway.
    writeSingly: write,
    check: async () => {
      onReader(sql`select 1`.compile(build))
      await write((tx) =>
        tx.run(sql`pragma user_version = ${sql.lit(SCHEMA_VERSION)}`.compile(build)),
      )
      if (wasRefused) await tryRoom()
    },
    tellOthers() {},
    // Only the admin commands run beside a server, and they tell nobody: the file says so.
    hearOthers(_onMessage, onUnknown) {
      let seen = dataVersion()
      const timer = setInterval(() => {
        const version = dataVersion() ?? seen
        if (version !== seen) onUnknown()
        seen = version
      }, LISTEN_EVERY)
      timer.unref()
      return () => clearInterval(timer)
    },
    // This process is the only server; beside it, the admin commands may write.
    accountsVersion() {
      const at = performance.now()
      if (at - accountsSeen.at < LOOK_AFTER) return accountsVersion
      const version = dataVersion()
      if (version !== accountsSeen.version) accountsVersion++
      accountsSeen = { version, at }
      return version === null ? null : accountsVersion
    },
    async close() {
      // Waits for those in the queue; a disk that fails now has told them already.
      await write(async () => {}).catch(() => {})
      isClosed = true
      await checking?.terminate()
      reader.close()
      closeWriter(writer)
      lock?.close()
    },
  }

  async function write<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    if (isClosed) throw new DatabaseUnavailable('The database is closed')
    if (isDamaged) throw new DatabaseUnavailable(`${file} is damaged`)
    return new Promise<Result>((resolve, reject) => {
      queue.push({
        async run() {
          const result = await work(transaction)
          return () => resolve(result)
        },
        reject,
      })
      flushSoon()
    })
  }

  async function flush(): Promise<void> {
    const jobs = queue
    queue = []
    const answers = await committed(jobs)
    if (onWriter.hasChangedAccounts()) accountsVersion++
    isFlushing = false
    if (queue.length > 0) flushSoon()
    for (const answer of answers) answer()
  }

  /** Does the jobs, and gives back what tells each how it went. */
  async function committed(jobs: readonly Job[]): Promise<(() => void)[]> {
    try {
      if (reopenAt !== null) reopen(reopenAt)
      const result = await commitTogether(jobs)
      if (Array.isArray(result)) return result
      const others = await committed(jobs.filter((job) => job !== result))
      return [...others, ...(await committed([result]))]
    } catch (error) {
      abandon(error)
      return jobs.map((job) => () => job.reject(named(error)))
    }
  }

  /**
   * Does the jobs in one transaction. Only microtasks pass between BEGIN and COMMIT, as no job may
   * await anything but the transaction: nothing else of the server runs on this connection meanwhile.
   * A job that fails before it has changed anything leaves nothing to undo, and that is how nearly
   * all of them fail.
   * @returns what tells each how it went; or the job that took all of them back, when it failed after
   * it had changed something: the others must be done again without it.
   */
  async function commitTogether(jobs: readonly Job[]): Promise<(() => void)[] | Job> {
    const answers: (() => void)[] = []
    onWriter.exec('begin immediate')
    for (const job of jobs) {
      onWriter.hasChanged()
      try {
        answers.push(await job.run())
      } catch (error) {
        // A full disk takes the whole transaction back.
        const isClean = writer.inTransaction && !onWriter.hasChanged()
        if (!isClean && jobs.length === 1) throw error
        if (!isClean) {
          if (writer.inTransaction) onWriter.exec('rollback')
          return job
        }
        noteFailure(error)
        answers.push(() => job.reject(error))
      }
    }
    onWriter.exec('commit')
    return answers
  }

  /** At the end of this turn of the event loop, when all that arrived in it has been queued. */
  function flushSoon(): void {
    if (isFlushing) return
    isFlushing = true
    setImmediate(() => void flush())
  }

  /** Ends the failed transaction; SQLite may have done so itself. */
  function abandon(error: unknown): void {
    noteFailure(error)
    try {
      if (writer.inTransaction) writer.exec('rollback')
    } catch (lost) {
      noteFailure(lost)
    }
  }

  /**
   * A full disk heals when there is room again. After a failure of the disk itself nobody knows
   * what this connection has in memory and not in the file: it is not written with any more.
   */
  function noteFailure(error: unknown): void {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error
    if (!(cause instanceof SqliteConnection.SqliteError)) return
    if (isRefusal(cause)) wasRefused = true
    if (isBroken(cause)) reopenAt = performance.now() + REOPEN_AFTER
  }

  /** A new writer, on a file that has been looked through. @throws DatabaseUnavailable. */
  function reopen(at: number): void {
    if (performance.now() < at) throw new DatabaseUnavailable('The disk failed a moment ago')
    reopenAt = performance.now() + REOPEN_AFTER
    closeWriter(writer)
    try {
      writer = connect(file)
      onWriter = executor(writer)
      if (writer.pragma('quick_check', { simple: true }) !== 'ok') throw damaged(file)
      assertDurable(writer)
    } catch (error) {
      throw new DatabaseUnavailable('The database could not be opened again', { cause: error })
    }
    reopenAt = null
  }

  /** From now on nobody is answered out of it, nor believed to be saved in it. */
  function noteDamage(): void {
    isDamaged = true
    warn(damaged(file).message)
  }

  /** Whether there is room for as much as a request may bring: written, and taken away again. */
  async function tryRoom(): Promise<void> {
    const bucket = `room ${'x'.repeat(LARGEST_BODY)}`
    await write((tx) =>
      tx.run(build.insertInto('throttles').values({ bucket, resets_at: 0, hits: 0 })),
    )
    await write((tx) => tx.run(build.deleteFrom('throttles').where('bucket', '=', bucket)))
    wasRefused = false
  }

  /**
   * Changes when another connection than the writer commits, and the reader never does. Null
   * when it cannot be read just now.
   */
  function dataVersion(): number | null {
    try {
      return Number(writer.pragma('data_version', { simple: true }))
    } catch {
      return null
    }
  }
}

interface Job {
  /** Does the work; gives back what is to be done once it is committed. */
  run(): Promise<() => void>
  reject(error: unknown): void
}

/**
 * A second process must not serve the same file. The lock is SQLite's own lock on a file beside
 * it, held until this process ends in whatever way: there is never a stale one to clear up.
 */
function lockFile(file: string): SqliteConnection.Database {
  const lock = new SqliteConnection(`${file}.lock`, { timeout: 0 })
  try {
    lock.pragma('locking_mode = exclusive')
    lock.exec('begin exclusive')
    return lock
  } catch {
    lock.close()
    throw new DatabaseRefused(
      `Another Stint server is using ${file}. Stop it first, or give this one its own DATA_DIR.`,
    )
  }
}

/** The connection that writes, on a sound file with the current schema. */
function openWriter(
  file: string,
  lock: SqliteConnection.Database | null,
  isLarge: boolean,
): SqliteConnection.Database {
  try {
    const writer = connect(file)
    migrate(writer, file, isLarge)
    assertDurable(writer)
    return writer
  } catch (error) {
    lock?.close()
    throw error
  }
}

function connect(file: string): SqliteConnection.Database {
  const connection = new SqliteConnection(file)
  try {
    for (const setting of [
      'busy_timeout = 5000',
      'journal_mode = wal',
      // After journal_mode, and said out loud: the library's own default in WAL mode is NORMAL,
      // which may lose what was answered when the power fails.
      'synchronous = full',
      'foreign_keys = on',
      'trusted_schema = off',
      'cell_size_check = on',
      'journal_size_limit = 67108864',
      'wal_autocheckpoint = 1000',
      'temp_store = memory',
      // 8 MB, not 2: the ends of all indexes stay at hand while a history grows.
      'cache_size = -8000',
    ]) {
      connection.pragma(setting)
    }
  } catch (error) {
    connection.close()
    throw damagedOr(error, file)
  }
  return connection
}

function migrate(writer: SqliteConnection.Database, file: string, isLarge: boolean): void {
  try {
    if (!isLarge && writer.pragma('quick_check', { simple: true }) !== 'ok') throw damaged(file)
    const current = userVersion(writer)
    const pending = pendingMigrations(DIALECT, current)
    writer.exec('begin immediate')
    for (const statements of pending) for (const line of statements) writer.exec(line)
    writer.exec(
      `pragma application_id = ${APPLICATION_ID}; pragma user_version = ${current + pending.length}; commit`,
    )
  } catch (error) {
    if (writer.inTransaction) writer.exec('rollback')
    writer.close()
    throw damagedOr(error, file)
  }
}

/** Looks the file through in a thread of its own. */
function checkInBackground(file: string, onDamage: () => void): Worker {
  const worker = new Worker(new URL('./check-file.ts', import.meta.url), { workerData: file })
  worker.on('message', (isSound) => {
    if (isSound === false) onDamage()
  })
  worker.on('error', onDamage)
  worker.unref()
  return worker
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** The settings must hold after a write: reading them before proves nothing (reliability M4). */
function assertDurable(writer: SqliteConnection.Database): void {
  const synchronous = writer.pragma('synchronous', { simple: true })
  const journal = writer.pragma('journal_mode', { simple: true })
  if (synchronous !== 2 || (journal !== 'wal' && journal !== 'memory')) {
    throw new DatabaseRefused(
      `SQLite is not durable here: synchronous=${String(synchronous)}, journal_mode=${String(journal)}. ` +
        'Keep the data on a local disk.',
    )
  }
}

function userVersion(connection: SqliteConnection.Database): number {
  return Number(connection.pragma('user_version', { simple: true }))
}

interface Executor {
  <Row>(query: Compilable<Row> | CompiledQuery<Row>): Row[]
  exec(text: string): void
  /** Whether any row was changed since this was asked last. */
  hasChanged(): boolean
  /** Whether accounts were. */
  hasChangedAccounts(): boolean
}

/** Runs queries on a connection, each text prepared once. */
function executor(connection: SqliteConnection.Database): Executor {
  const prepared = new Map<string, Prepared>()
  let changed = false
  let changedAccounts = false
  const run = <Row>(query: Compilable<Row> | CompiledQuery<Row>): Row[] => {
    const { sql, parameters } = 'compile' in query ? query.compile() : query
    try {
      const found = prepare(sql)
      changedAccounts ||= found.changesAccounts
      const bound = parameters.map(sqliteValue)
      if (!found.statement.reader) {
        const { changes, lastInsertRowid } = found.statement.run(...bound)
        if (changes > 0) changed = true
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what an insert answers with
        return found.isInsert ? ([{ sequence: Number(lastInsertRowid) }] as Row[]) : []
      }
      const rows = found.statement.all(...bound)
      if (rows.length > 0 && !found.statement.readonly) changed = true
      for (const name of found.booleans) rows.forEach((row) => makeBoolean(row, name))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely derives it from the schema
      return rows as Row[]
    } catch (error) {
      throw named(error)
    }
  }
  return Object.assign(run, {
    exec: (text: string) => void prepare(text).statement.run(),
    hasChanged() {
      const result = changed
      changed = false
      return result
    },
    hasChangedAccounts() {
      const result = changedAccounts
      changedAccounts = false
      return result
    },
  })

  function prepare(text: string): Prepared {
    let found = prepared.get(text)
    if (found === undefined) {
      if (prepared.size >= 500) prepared.clear()
      const statement = connection.prepare(text)
      const columns = statement.reader ? statement.columns() : []
      const booleans = columns.filter(({ type }) => type?.toLowerCase() === 'boolean')
      found = {
        statement,
        booleans: booleans.map(({ name }) => name),
        changesAccounts: changesAccounts(text),
        isInsert: /^insert\b/i.test(text),
      }
      prepared.set(text, found)
    }
    return found
  }
}

interface Prepared {
  readonly statement: Statement
  /** The result's columns declared `boolean`: SQLite keeps 0 and 1 in them. */
  readonly booleans: readonly string[]
  readonly changesAccounts: boolean
  readonly isInsert: boolean
}

function sqliteValue(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value
}

function makeBoolean(row: unknown, name: string): void {
  if (isPlainObject(row)) row[name] = row[name] === 1
}

/** SQLite's errors by what they mean to the server (reliability 4.7). */
function named(error: unknown): unknown {
  if (!(error instanceof SqliteConnection.SqliteError)) return error
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new UniqueViolation(error.message, { cause: error })
  }
  if (
    /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL)/.test(error.code)
  ) {
    return new DatabaseUnavailable(error.message, { cause: error })
  }
  return error
}

type SqliteError = InstanceType<typeof SqliteConnection.SqliteError>

/** The file could not be grown or written: what the disk may allow again. */
function isRefusal({ code }: SqliteError): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL)/.test(code)
}

/** Reading or writing failed in a way that room on the disk does not explain. */
function isBroken(error: SqliteError): boolean {
  return isRefusal(error) && error.code !== 'SQLITE_FULL'
}

/** Closes it whatever the disk says; what is in the WAL is found there at the next start. */
function closeWriter(writer: SqliteConnection.Database): void {
  try {
    writer.pragma('wal_checkpoint(TRUNCATE)')
  } catch {
    // It will be done when there is a disk to do it on.
  } finally {
    writer.close()
  }
}

function damagedOr(error: unknown, file: string): unknown {
  const isDamage =
    error instanceof SqliteConnection.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)
  return isDamage ? damaged(file) : error
}

function damaged(file: string): DatabaseRefused {
  return new DatabaseRefused(
    `The database file ${file} is damaged. Restore the last good backup ` +
      '(see docs/self-hosting.md); Stint does not repair it by guessing.',
  )
}
