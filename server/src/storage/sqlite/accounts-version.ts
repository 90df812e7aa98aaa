/**
 * Counts changes of accounts. Writes of this process report its changes. The only other writers are
 * the admin commands; the file shows that they wrote, but not what.
 */

/** How old the last check for writes of other processes may be, in milliseconds. */
const LOOK_EVERY = 250

export class AccountsVersion {
  readonly #dataVersion: () => number | null
  readonly #onOtherWrite: () => void
  #version = 0
  #seen: { readonly dataVersion: number | null; readonly at: number }
  #isChanging = false

  /**
   * @param dataVersion returns another number after another connection has written; null: unknown.
   * @param onOtherWrite called when another process has written, before `current` returns another
   * number.
   */
  constructor(dataVersion: () => number | null, onOtherWrite: () => void) {
    this.#dataVersion = dataVersion
    this.#onOtherWrite = onOtherWrite
    this.#seen = { dataVersion: dataVersion(), at: performance.now() }
  }

  /** Must be called when the current transaction changes accounts. */
  noteChange(): void {
    this.#isChanging = true
  }

  /** Must be called when the transaction is committed. */
  committed(): void {
    if (this.#isChanging) this.#version++
    this.#isChanging = false
  }

  /** Returns the number that `Database.accountsVersion` returns. */
  current(): number | null {
    const at = performance.now()
    if (at - this.#seen.at < LOOK_EVERY) return this.#version
    const dataVersion = this.#dataVersion()
    if (dataVersion !== this.#seen.dataVersion) {
      this.#version++
      this.#onOtherWrite()
    }
    this.#seen = { dataVersion, at }
    return dataVersion === null ? null : this.#version
  }
}
