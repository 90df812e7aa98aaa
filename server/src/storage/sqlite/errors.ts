/** Classifies SQLite's errors. */
import SqliteConnection from 'better-sqlite3'
import {
  DatabaseUnavailable,
  QUOTA_EXCEEDED,
  QuotaExceeded,
  UniqueViolation,
  UserGone,
} from '#storage/database.ts'

/** Returns the interface's error for one of SQLite's; any other error unchanged. */
export function classifyError(error: unknown): unknown {
  if (!(error instanceof SqliteConnection.SqliteError)) return error
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new UniqueViolation(error.message, { cause: error })
  }
  if (error.code === 'SQLITE_CONSTRAINT_TRIGGER' && error.message.startsWith(QUOTA_EXCEEDED)) {
    const quota = error.message.endsWith('documents') ? 'documents' : 'bytes'
    return new QuotaExceeded(quota, { cause: error })
  }
  // Every foreign key refers to a user.
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

/** Returns whether the disk refused a write; it may accept one later. */
export function isRefusal({ code }: SqliteError): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL)/.test(code)
}

/** Returns whether an I/O error occurred that is not a full disk. */
export function isBroken(error: SqliteError): boolean {
  return isRefusal(error) && error.code !== 'SQLITE_FULL'
}
