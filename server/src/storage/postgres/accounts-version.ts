/**
 * Counts changes of accounts. Writes of this process report its changes; notices of PostgreSQL's
 * triggers report those of others. While the listening connection is not known to work, the version
 * is unknown (null).
 */
export class AccountsVersion {
  #version = 0
  /** Until when notices are known to arrive; on the clock of `performance`. */
  #provenUntil = 0

  /** Must be called when accounts have changed, or may have. */
  changed(): void {
    this.#version++
  }

  /** Must be called with the time until which notices are known to arrive. */
  prove(until: number): void {
    this.#provenUntil = until
  }

  /** Returns the number that `Database.accountsVersion` returns. */
  current(): number | null {
    return performance.now() < this.#provenUntil ? this.#version : null
  }
}
