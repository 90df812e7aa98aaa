/** Copies of a whole database while servers use it. `sqlite/` and `postgres/` implement it. */
import { sqliteFile } from './open.ts'

/** Makes copies of one database. */
export interface Copier {
  /** The name of the database, in names of files: letters, digits, `_` and `-`. */
  readonly name: string
  readonly extension: 'db' | 'dump'
  /** Returns why no copy can be made here; null: it can. */
  obstacle(): Promise<string | null>
  /** Runs `work`, unless another process runs such work on this database now. */
  alone(work: () => Promise<void>): Promise<void>
  /**
   * Copies the database to `target`. The copy contains every write that was acknowledged before it
   * began. The file gets its name when it was read from end to end and is durable; only this user
   * can read it. Nothing is left of a failed copy.
   * @throws Error with a message for the operator.
   */
  copy(target: string, signal: AbortSignal): Promise<void>
}

/** Returns the copier of the database that a URL names. Only the driver in use is loaded. */
export async function copierOf(url: string): Promise<Copier> {
  const file = sqliteFile(url)
  return file === null
    ? (await import('#storage/postgres/copier.ts')).postgresCopier(url)
    : (await import('#storage/sqlite/copier.ts')).sqliteCopier(file)
}

/** Returns a text as a part of a file's name. */
export function fileNameOf(text: string): string {
  return text.replaceAll(/[^\w-]+/g, '_') || 'stint'
}
