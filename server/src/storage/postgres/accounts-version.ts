/**
 * When accounts may have changed. This process notes it itself; of the others PostgreSQL's triggers send
 * a notice. While the connection that hears notices proves nothing, every answer is 'unknown'.
 */
export class AccountsVersion {
  #version = 0
  /** Until when no change can have been made without a notice of it, on the clock of `performance`. */
  #provenUntil = 0

  /** Accounts have changed, or may have. */
  changed(): void {
    this.#version++
  }

  /** Notices are heard until then. */
  prove(until: number): void {
    this.#provenUntil = until
  }

  /** The number that `Database.accountsVersion` returns. */
  current(): number | null {
    return performance.now() < this.#provenUntil ? this.#version : null
  }
}
