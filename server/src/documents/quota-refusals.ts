/**
 * Repeats recent quota refusals without a call of the database. In PostgreSQL a failed statement
 * leaves its rows in the table until the next vacuum, so a client that retries would fill the disk.
 */
import { QuotaExceeded } from '#storage/database.ts'

/** How long a refusal is repeated unless the owner changes or deletes something, in milliseconds. */
const REFUSED_FOR = 3000
const MAX_OWNERS = 10_000

export class QuotaRefusals {
  readonly #refusals = new Map<string, Refusal>()

  /**
   * Runs `create`, unless a moment ago the owner was refused as much or less.
   * @param documents how many it creates.
   * @param size the size of these documents, in characters.
   * @throws QuotaExceeded, or what `create` throws.
   */
  async guard<Result>(
    owner: string,
    documents: number,
    size: () => number,
    create: () => Promise<Result>,
  ): Promise<Result> {
    const refusal = this.#refusals.get(owner)
    if (refusal !== undefined && performance.now() < refusal.until) {
      const isLess =
        refusal.error.quota === 'documents' ? documents < refusal.documents : size() < refusal.size
      if (!isLess) throw refusal.error
    }
    try {
      return await create()
    } catch (error) {
      if (error instanceof QuotaExceeded) {
        if (this.#refusals.size >= MAX_OWNERS) this.#refusals.clear()
        const until = performance.now() + REFUSED_FOR
        this.#refusals.set(owner, { error, documents, size: size(), until })
      }
      throw error
    }
  }

  /** Must be called when the owner has changed or deleted a document: there may be room. */
  forget(owner: string): void {
    this.#refusals.delete(owner)
  }
}

interface Refusal {
  readonly error: QuotaExceeded
  /** How many documents were refused. */
  readonly documents: number
  /** The size of the refused documents, in characters. */
  readonly size: number
  /** On the clock of `performance`. */
  readonly until: number
}
