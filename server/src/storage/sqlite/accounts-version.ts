/**
 * Counts changes of accounts. Those of this process are reported by its writes. Beside it only the admin commands
 * write; the file shows that they wrote, but not what.
 */

/** How old the last check of the file may be, in milliseconds. */
const LOOK_EVERY = 250

export class AccountsVersion {
  readonly #dataVersion: () => number | null
  readonly #onOtherWrite: () => void
  #version = 0
  #seen: { readonly dataVersion: number | null; readonly at: number }
  #isChanging = false

  /**
   * @param dataVersion another number after another connection than ours has written; null: unknown.
   * @param onOtherWrite called when another process has written, before `current` returns another number.
   */
  constructor(dataVersion: () => number | null, onOtherWrite: () => void) {
    this.#dataVersion = dataVersion
    this.#onOtherWrite = onOtherWrite
    this.#seen = { dataVersion: dataVersion(), at: performance.now() }
  }

  /** The current transaction changes accounts. */
  noteChange(): void {
    this.#isChanging = true
  }

  /** The transaction is committed. */
  committed(): void {
    if (this.#isChanging) this.#version++
    this.#isChanging = false
  }

  /** The number that `Database.accountsVersion` returns. */
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
