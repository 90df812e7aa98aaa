/** What the server knows about its own backups. */

export interface BackupStatus {
  /** `off`: the operator has turned backups off. `unavailable`: they cannot be made here. */
  readonly state: 'on' | 'off' | 'unavailable'
  /** When the newest backup was made, epoch milliseconds; null: there is none. */
  readonly lastAt: number | null
  readonly lastBytes: number | null
  /** Why backups are unavailable, or why the last try failed; null: it did not. */
  readonly problem: string | null
  /** How many tries of this process have failed. */
  readonly failures: number
}

/** The status of a server that makes no backups. */
export const NO_BACKUPS: BackupStatus = {
  state: 'off',
  lastAt: null,
  lastBytes: null,
  problem: null,
  failures: 0,
}
