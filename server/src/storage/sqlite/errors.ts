/** What SQLite's errors mean. */
import SqliteConnection from 'better-sqlite3'
import { DatabaseUnavailable, QuotaExceeded, UniqueViolation, UserGone } from '#storage/database.ts'
import { QUOTA_EXCEEDED } from '#storage/migrations.ts'

/** The server's own error for one of SQLite's; any other as it is. */
export function classifyError(error: unknown): unknown {
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

/** Whether the disk refused to write the file; it may allow it later. */
export function isRefusal({ code }: SqliteError): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL)/.test(code)
}

/** Whether reading or writing failed, and not because the disk is full. */
export function isBroken(error: SqliteError): boolean {
  return isRefusal(error) && error.code !== 'SQLITE_FULL'
}
