/**
 * When accounts may have changed. This process notes it itself. Beside it only the admin commands write;
 * of them the file tells no more than that somebody wrote.
 */

/** How old the last look at the file may be, in milliseconds. */
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

  /** The transaction that runs changes accounts. */
  noteChange(): void {
    this.#isChanging = true
  }

  /** What was noted is committed now. */
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
