/** Restores a backup of either database. */
import { resolve } from 'node:path'
import { DatabaseRefused } from './database.ts'
import { sqliteFile } from './open.ts'

export interface RestoreOptions {
  readonly databaseUrl: string
  readonly backup: string
  /** The folder for a copy of the present database. */
  readonly safetyFolder: string
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Restores a SQLite database. A PostgreSQL backup is only checked: returned are the commands that
 * restore it beside the present database, because that is shared with running servers and belongs
 * to roles that Stint does not know (docs/decisions/0025-disks-and-backups.md).
 * @returns what was done, and what the operator does next.
 * @throws DatabaseRefused when the backup cannot be used or a server is running.
 */
export async function restore(options: RestoreOptions): Promise<string> {
  const file = sqliteFile(options.databaseUrl)
  if (file === null) return postgresCommands(options)
  const { restoreSqlite, safetyCopyName } = await import('#storage/sqlite/restore.ts')
  const backup = resolve(options.backup)
  const name = safetyCopyName(file, resolve(options.safetyFolder), options.now)
  const { contents, safetyCopy } = await restoreSqlite(file, backup, name)
  const { schema, users, tasks, entries } = contents
  return [
    `Restored: ${backup} (schema ${schema}, ${users} users, ${tasks} tasks, ${entries} entries)`,
    safetyCopy === null
      ? 'There was no database before.'
      : `The database as it was before: ${safetyCopy}`,
    'Start the server. Devices send again what was saved after the backup, as soon as they are open.',
  ].join('\n')
}

async function postgresCommands({ databaseUrl, backup }: RestoreOptions): Promise<string> {
  const { checkDump, connectionVariables, checkPrograms } =
    await import('#storage/postgres/copier.ts')
  await checkPrograms()
  const { version, schema } = await checkDump(resolve(backup))
  const { PGHOST, PGPORT, PGUSER, PGDATABASE = '' } = connectionVariables(databaseUrl)
  if (PGHOST === undefined || PGUSER === undefined) {
    throw new DatabaseRefused('DATABASE_URL must name a host and a user.')
  }
  const connection = `--host=${quoted(PGHOST)} --port=${PGPORT} --username=${quoted(PGUSER)}`
  const restored = quoted(`${PGDATABASE}_restored`)
  // In its own schema the backup is created with it; `public` exists in every new database.
  const onlySchema = schema === 'public' ? ' --schema=public' : ''
  return [
    `Intact: ${resolve(backup)} (schema ${version}). It is restored into a new database, and the present one stays:`,
    '',
    '1. Stop every Stint process.',
    '2. Run these commands. They ask for the password, or take it from PGPASSWORD:',
    '',
    `createdb ${connection} --maintenance-db=${quoted(PGDATABASE)} --template=template0 --encoding=UTF8 ${restored}`,
    `pg_restore ${connection} --dbname=${restored} --exit-on-error --single-transaction --no-owner --no-privileges${onlySchema} ${quoted(resolve(backup))}`,
    '',
    `3. Put ${PGDATABASE}_restored into DATABASE_URL in the place of ${PGDATABASE}, and start Stint.`,
  ].join('\n')
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
