/**
 * Counts changes of accounts. Those of this process are reported by its writes, those of others by notices of
 * PostgreSQL's triggers. While the connection that listens is not known to work, the version is unknown (null).
 */
export class AccountsVersion {
  #version = 0
  /** Until when notices are known to arrive, on the clock of `performance`. */
  #provenUntil = 0

  /** Accounts have changed, or may have. */
  changed(): void {
    this.#version++
  }

  /** Notices are known to arrive until then. */
  prove(until: number): void {
    this.#provenUntil = until
  }

  /** The number that `Database.accountsVersion` returns. */
  current(): number | null {
    return performance.now() < this.#provenUntil ? this.#version : null
  }
}
