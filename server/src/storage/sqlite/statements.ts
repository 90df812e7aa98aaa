/** Running queries on a connection to SQLite, and what its errors mean. */
import SqliteConnection from 'better-sqlite3'
import type { Statement as PreparedStatement } from 'better-sqlite3'
import type { Compilable, CompiledQuery } from 'kysely'
import { boundedCache } from '#bounded-cache.ts'
import { isPlainObject } from '#http/params.ts'
import {
  changesAccounts,
  DatabaseUnavailable,
  QuotaExceeded,
  UniqueViolation,
  UserGone,
} from '#storage/database.ts'
import { QUOTA_EXCEEDED } from '#storage/migrations.ts'

/** What of a compiled query is needed to run it. */
type Statement<Row> = Pick<CompiledQuery<Row>, 'sql' | 'parameters'>

export interface Executor {
  <Row>(query: Compilable<Row> | Statement<Row>): Row[]
  exec(text: string): void
  /** Whether any row was changed since this was asked last. */
  hasChanged(): boolean
  /** Whether accounts were. */
  hasChangedAccounts(): boolean
}

/** How much is kept prepared, in characters of SQL: SQLite takes some ten times as many bytes. */
const MAX_PREPARED_CHARACTERS = 400_000

/** Runs queries on a connection, each text prepared once. */
export function executor(connection: SqliteConnection.Database): Executor {
  const prepared = boundedCache<Prepared>(MAX_PREPARED_CHARACTERS)
  let changed = false
  let changedAccounts = false
  const run = <Row>(query: Compilable<Row> | Statement<Row>): Row[] => {
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
      const statement = connection.prepare(text)
      const columns = statement.reader ? statement.columns() : []
      const booleans = columns.filter(({ type }) => type?.toLowerCase() === 'boolean')
      found = {
        statement,
        booleans: booleans.map(({ name }) => name),
        changesAccounts: changesAccounts(text),
        isInsert: /^insert\b/i.test(text),
      }
      prepared.set(text, found, 0)
    }
    return found
  }
}

interface Prepared {
  readonly statement: PreparedStatement
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

/** SQLite's errors by what they mean to the server. */
export function named(error: unknown): unknown {
  if (!(error instanceof SqliteConnection.SqliteError)) return error
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new UniqueViolation(error.message, { cause: error })
  }
  if (error.code === 'SQLITE_CONSTRAINT_TRIGGER' && error.message.startsWith(QUOTA_EXCEEDED)) {
    const quota = error.message.endsWith('documents') ? 'documents' : 'bytes'
    return new QuotaExceeded(quota, { cause: error })
  }
  // Every foreign key is a user's.
  if (error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') {
    return new UserGone(error.message, { cause: error })
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
export function isRefusal({ code }: SqliteError): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL)/.test(code)
}

/** Reading or writing failed in a way that room on the disk does not explain. */
export function isBroken(error: SqliteError): boolean {
  return isRefusal(error) && error.code !== 'SQLITE_FULL'
}
