/** How a database is opened. */

export interface StorageOptions {
  /** Called with what the operator should know. */
  readonly warn?: (text: string) => void
  /** How long a slow read may run, in milliseconds. */
  readonly maxSlowRead?: number
  /** SQLite: the largest file that is checked before it is used, in bytes. */
  readonly checkedAtStart?: number
  /** SQLite: false opens a database that a server uses, as the admin commands do. */
  readonly exclusive?: boolean
}
