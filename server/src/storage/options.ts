/** Options for opening a database. */

/** How long a slow read may run, in milliseconds. */
export const MAX_SLOW_READ = 1000

export interface StorageOptions {
  /** Called with warnings for the operator. */
  readonly warn?: (text: string) => void
  /** How long a slow read may run, in milliseconds. Default: `MAX_SLOW_READ`. */
  readonly maxSlowRead?: number
  /**
   * PostgreSQL: how long a connection, a statement and a lock may be waited for, in milliseconds. Default: the
   * limits of postgres/pool.ts.
   */
  readonly maxWait?: number | undefined
  /** SQLite: the largest file that is checked before it is opened, in bytes. */
  readonly checkedAtStart?: number
  /** SQLite: false opens a database that a server is using, as the admin commands do. */
  readonly exclusive?: boolean
}
