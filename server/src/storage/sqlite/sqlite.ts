/**
 * SQLite: one writer connection, one reader connection, and group commit. The writes of one turn
 * of the event loop share one transaction, and are answered only after its COMMIT: durable for
 * every one of them at the price of a single fsync.
 */
import SqliteConnection from 'better-sqlite3'
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { CompiledQuery } from 'kysely'
import { DatabaseUnavailable } from '#storage/database.ts'
import type { Database, Transaction } from '#storage/database.ts'
import { SCHEMA_VERSION } from '#storage/migrations.ts'
import type { Schema } from '#storage/schema.ts'
import { MAX_SLOW_READ, slowReader, slowReads } from '#storage/slow-reads.ts'
import {
  assertDurable,
  checkInBackground,
  closeWriter,
  connect,
  damaged,
  DIALECT,
  lockFile,
  openWriter,
  sizeOf,
} from './file.ts'
import { executor, isBroken, isRefusal, named } from './statements.ts'

/** How often to look whether another process wrote, in milliseconds. */
const LISTEN_EVERY = 500

/** How old the last look may be when somebody asks whether accounts changed, in milliseconds. */
const LOOK_AFTER = 250

/** How long after a failure of the disk to try it again, in milliseconds. */
const REOPEN_AFTER = 1000

/** With so many waiting, a commit waits for no more. */
const MOST_TOGETHER = 200

/** As much as a request may bring, in bytes. */
const LARGEST_BODY = 65_536

/** A larger file is looked through after the start, which would take too long; in bytes. */
const CHECKED_AT_START = 67_108_864

export interface SqliteOptions {
  /** The largest file that is looked through before it is used, in bytes. */
  readonly checkedAtStart?: number
  /** Hears what the operator should know. */
  readonly warn?: (text: string) => void
  /** How long a slow read may run, in milliseconds. */
  readonly maxSlowRead?: number
  /** False lets a second process in beside a running server, as the admin commands need. */
  readonly exclusive?: boolean
}

/**
 * Opens (and if need be creates) the database file, brings its schema up to date, and checks it.
 * @throws DatabaseRefused when another server has it open, it is damaged, or it is too new.
 */
export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<Database> {
  const lock = options.exclusive === false ? null : lockFile(file)
  const {
    checkedAtStart = CHECKED_AT_START,
    maxSlowRead = MAX_SLOW_READ,
    warn = () => {},
  } = options
  const isLarge = sizeOf(file) > checkedAtStart
  let writer = await openWriter(file, lock, isLarge)
  let onWriter = executor(writer)
  const reader = connect(file)
  reader.pragma('query_only = on')
  // What is read here is short enough to need no end.
  reader.function('stint_in_time', { deterministic: false }, () => 1)
  const slow = slowReader(file)
  const inTurn = slowReads(1)

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
    dialect: DIALECT,
    build,
    run: async (query) => onWriter(query),
  }
  let queue: Job[] = []
  let isFlushing = false
  /** Whether this turn's reads have begun; to ask the connection with each costs as much as a tenth of one. */
  let isReading = false
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
      beginReading()
      return onReader(query)
    },
    async readSlowly<Row>(owner: string, { sql: text, parameters }: CompiledQuery<Row>) {
      if (isClosed) throw new DatabaseUnavailable('The database is closed')
      if (isDamaged) throw new DatabaseUnavailable(`${file} is damaged`)
      const request = { sql: text, parameters, milliseconds: maxSlowRead }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely derives it from the schema
      return (await inTurn(owner, () => slow.read(request))) as Row[]
    },
    write: (work) => committedSoon(() => work(transaction)),
    // All that arrive together share one transaction anyway; what stands alone is no work but its statements.
    writeSingly: (work) =>
      work({ dialect: DIALECT, build, run: (query) => committedSoon(() => onWriter(query)) }),
    check: async () => {
      onReader(sql`select 1`.compile(build))
      await committedSoon(() =>
        onWriter(sql`pragma user_version = ${sql.lit(SCHEMA_VERSION)}`.compile(build)),
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
      if (version !== accountsSeen.version) {
        accountsVersion++
        endReading()
      }
      accountsSeen = { version, at }
      return version === null ? null : accountsVersion
    },
    async close() {
      // Waits for those in the queue; a disk that fails now has told them already.
      await committedSoon(() => {}).catch(() => {})
      isClosed = true
      await checking?.terminate()
      await slow.close()
      reader.close()
      closeWriter(writer)
      lock?.close()
    },
  }

  /** Does the work in the next transaction of the writer; resolves with what it gives back after COMMIT. */
  async function committedSoon<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    if (isClosed) throw new DatabaseUnavailable('The database is closed')
    if (isDamaged) throw new DatabaseUnavailable(`${file} is damaged`)
    return new Promise<Result>((resolve, reject) => {
      queue.push({
        run() {
          const result = work()
          return result instanceof Promise
            ? result.then((later) => () => resolve(later))
            : () => resolve(result)
        },
        reject,
      })
      flushSoon()
    })
  }

  async function flush(): Promise<void> {
    const jobs = queue
    queue = []
    // What is read from here on is not what was there before; and readers keep the log from beginning anew.
    endReading()
    const answers = await committed(jobs)
    endReading()
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
        const answer = job.run()
        answers.push(answer instanceof Promise ? await answer : answer)
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
    flushAfter(0)
  }

  /** Waits for one more turn as long as each brings more than the `waiting` ones: they share the fsync. */
  function flushAfter(waiting: number): void {
    setImmediate(() => {
      const isGrowing = queue.length > waiting && queue.length < MOST_TOGETHER
      if (isGrowing) flushAfter(queue.length)
      else void flush()
    })
  }

  /**
   * What is read in one turn of the event loop is read in one transaction: finding out what the
   * latest is takes as long as reading a document.
   */
  function beginReading(): void {
    if (isReading) return
    onReader.exec('begin')
    isReading = true
    setImmediate(endReading)
  }

  /** From now on the latest is read. */
  function endReading(): void {
    isReading = false
    if (reader.inTransaction) onReader.exec('commit')
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
    await committedSoon(() =>
      onWriter(build.insertInto('throttles').values({ bucket, resets_at: 0, hits: 0 })),
    )
    await committedSoon(() => onWriter(build.deleteFrom('throttles').where('bucket', '=', bucket)))
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
  /** Does the work; gives back what is to be done once it is committed, at once where it can. */
  run(): (() => void) | Promise<() => void>
  reject(error: unknown): void
}
