/** How a database is opened. */

export interface StorageOptions {
  /** Is told what the operator should know. */
  readonly warn?: (text: string) => void
  /** How long a slow read may run, in milliseconds. */
  readonly maxSlowRead?: number
  /** SQLite: the largest file that is checked before it is used, in bytes. */
  readonly checkedAtStart?: number
  /** SQLite: false lets a second process in beside a running server, as the admin commands need. */
  readonly exclusive?: boolean
}
