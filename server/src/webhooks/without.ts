/** Who has nothing that is sent, so that most changes cost no read. */

/** How long nothing is read again for somebody without, in milliseconds. */
const BELIEVED_FOR = 5000
/** How many people are remembered. */
const MAX_REMEMBERED = 10_000

/** People without a webhook, or without a device that is told. */
export class Without {
  /** Until when each is believed to have none, by `performance.now()`. */
  readonly #until = new Map<string, number>()

  has(owner: string): boolean {
    return (this.#until.get(owner) ?? 0) > performance.now()
  }

  add(owner: string): void {
    if (this.#until.size >= MAX_REMEMBERED) this.#until.clear()
    this.#until.set(owner, performance.now() + BELIEVED_FOR)
  }

  delete(owner: string): void {
    this.#until.delete(owner)
  }
}
