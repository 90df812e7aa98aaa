/**
 * The schema's history: one literal file per version in `migrations/`, run by Kysely's Migrator. A
 * released file is never edited: a change of the schema is a new file at the end of this list.
 * `released.test.ts` opens a database of every released version and writes through every route.
 */
import { CompiledQuery, sql } from 'kysely'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'
import { DatabaseRefused } from './database.ts'
import type { Dialect } from './dialect.ts'
import * as tables from '#storage/migrations/0001-tables.ts'
import * as newestFirst from '#storage/migrations/0002-newest-first.ts'
import * as orderOfCreation from '#storage/migrations/0003-order-of-creation.ts'
import * as quota from '#storage/migrations/0004-quota.ts'
import * as sessionNotes from '#storage/migrations/0005-session-notes.ts'
import * as keys from '#storage/migrations/0006-keys.ts'
import * as keyAnswers from '#storage/migrations/0007-key-answers.ts'
import * as feeds from '#storage/migrations/0008-feeds.ts'
import * as webhooks from '#storage/migrations/0009-webhooks.ts'
import * as proposals from '#storage/migrations/0010-proposals.ts'
import * as waysIn from '#storage/migrations/0011-ways-in.ts'
import * as log from '#storage/migrations/0012-log.ts'
import * as billable from '#storage/migrations/0013-billable.ts'
import * as passkeys from '#storage/migrations/0014-passkeys.ts'
import * as push from '#storage/migrations/0015-push.ts'
import * as secondFactor from '#storage/migrations/0016-second-factor.ts'
import * as askedDevices from '#storage/migrations/0017-asked-devices.ts'

const MIGRATIONS: readonly (readonly [
  string,
  Readonly<Record<Dialect['name'], readonly string[]>>,
])[] = [
  ['0001-tables', tables],
  ['0002-newest-first', newestFirst],
  ['0003-order-of-creation', orderOfCreation],
  ['0004-quota', quota],
  ['0005-session-notes', sessionNotes],
  ['0006-keys', keys],
  ['0007-key-answers', keyAnswers],
  ['0008-feeds', feeds],
  ['0009-webhooks', webhooks],
  ['0010-proposals', proposals],
  ['0011-ways-in', waysIn],
  ['0012-log', log],
  ['0013-billable', billable],
  ['0014-passkeys', passkeys],
  ['0015-push', push],
  ['0016-second-factor', secondFactor],
  ['0017-asked-devices', askedDevices],
]

/** The schema that this version of the server uses: the number of its migrations. */
export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * The notice that PostgreSQL's triggers send to all processes when accounts change
 * (`0002-newest-first.ts`).
 */
export const ACCOUNTS_CHANGED = 'accounts changed'

/** How a database stores the number of its schema, which older versions of Stint read too. */
interface VersionStore {
  /** Returns 0 for a new database. */
  read(db: Kysely<unknown>): Promise<number>
  /** The statements that write the number. */
  write(version: number): readonly string[]
}

const VERSION_STORES: Readonly<Record<Dialect['name'], VersionStore>> = {
  sqlite: {
    async read(db) {
      const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
      return rows[0]?.user_version ?? 0
    },
    write: (version) => [`pragma user_version = ${version}`],
  },
  postgres: {
    async read(db) {
      const found = await sql<{
        name: string | null
      }>`select to_regclass('stint_schema') as name`.execute(db)
      if (!found.rows[0]?.name) return 0
      const { rows } = await sql<{ version: number }>`select version from stint_schema`.execute(db)
      return rows[0]?.version ?? 0
    },
    write: (version) => [
      'create table if not exists stint_schema (version integer not null)',
      'delete from stint_schema',
      `insert into stint_schema values (${version})`,
    ],
  },
}

/**
 * Runs the migrations that the database lacks, all in one transaction.
 * @param db runs queries on the database; it needs one connection.
 * @param schema the PostgreSQL schema of the tables; undefined for SQLite.
 * @throws DatabaseRefused when the database has a newer schema than this version knows.
 */
export async function migrate(
  db: Kysely<unknown>,
  dialect: Dialect['name'],
  schema?: string,
): Promise<void> {
  const current = await VERSION_STORES[dialect].read(db)
  if (current > SCHEMA_VERSION) {
    throw new DatabaseRefused(
      `The database has schema ${current}, but this version of Stint knows only ${SCHEMA_VERSION}. ` +
        'Run the newer version, or restore a backup made by this one.',
    )
  }
  if (current === SCHEMA_VERSION) return
  const migrator = new Migrator({
    db,
    // Without the name of a schema, the Migrator would use a table of the same name in any other
    // schema.
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
    provider: { getMigrations: async () => migrationsFor(dialect) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw asError(error)
}

/** The Migrator returns the thrown value as `unknown`. */
function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** Returns the migrations by name, as the Migrator requires them. */
export function migrationsFor(dialect: Dialect['name']): Record<string, Migration> {
  const version = VERSION_STORES[dialect]
  return Object.fromEntries(
    MIGRATIONS.map(([name, statements], index) => [
      name,
      {
        async up(db: Kysely<unknown>) {
          // A database of a version before the Migrator's table has only the number of its schema.
          if ((await version.read(db)) > index) return
          for (const statement of [...statements[dialect], ...version.write(index + 1)]) {
            await db.executeQuery(CompiledQuery.raw(statement))
          }
        },
      },
    ]),
  )
}
