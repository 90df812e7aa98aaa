/** Runs queries on a connection to SQLite. */
import type SqliteConnection from 'better-sqlite3'
import type { Statement as PreparedStatement } from 'better-sqlite3'
import type { Compilable, CompiledQuery } from 'kysely'
import { boundedCache } from '#bounded-cache.ts'
import { isPlainObject } from '#json.ts'
import { classifyError } from './errors.ts'

/** The part of a compiled query that running it needs. */
type Statement<Row> = Pick<CompiledQuery<Row>, 'sql' | 'parameters'>

export interface Executor {
  <Row>(query: Compilable<Row> | Statement<Row>): Row[]
  exec(text: string): void
  /** Returns whether any row was changed since the last call. */
  hasChanged(): boolean
}

/** The size of the cache of prepared statements, in characters of SQL: SQLite takes some ten times as many bytes. */
const MAX_PREPARED_CHARACTERS = 400_000

/** Runs queries on a connection, each text prepared once. */
export function executor(connection: SqliteConnection.Database): Executor {
  const prepared = boundedCache<Prepared>(MAX_PREPARED_CHARACTERS)
  let changed = false
  const run = <Row>(query: Compilable<Row> | Statement<Row>): Row[] => {
    const { sql, parameters } = 'compile' in query ? query.compile() : query
    try {
      const found = prepare(sql)
      const bound = parameters.map(sqliteValue)
      if (!found.statement.reader) {
        const { changes, lastInsertRowid } = found.statement.run(...bound)
        if (changes > 0) changed = true
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what an INSERT without RETURNING gives
        return found.isInsert ? ([{ sequence: Number(lastInsertRowid) }] as Row[]) : []
      }
      const rows = found.statement.all(...bound)
      if (rows.length > 0 && !found.statement.readonly) changed = true
      for (const name of found.booleans) rows.forEach((row) => makeBoolean(row, name))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely derives it from the schema
      return rows as Row[]
    } catch (error) {
      throw classifyError(error)
    }
  }
  return Object.assign(run, {
    exec: (text: string) => void prepare(text).statement.run(),
    hasChanged() {
      const result = changed
      changed = false
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
        isInsert: /^insert\b/i.test(text),
      }
      prepared.set(text, found, 0)
    }
    return found
  }
}

interface Prepared {
  readonly statement: PreparedStatement
  /** The result's columns that are declared `boolean`: SQLite stores 0 and 1 in them. */
  readonly booleans: readonly string[]
  readonly isInsert: boolean
}

function sqliteValue(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value
}

function makeBoolean(row: unknown, name: string): void {
  if (isPlainObject(row)) row[name] = row[name] === 1
}
