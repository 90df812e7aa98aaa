/**
 * Repeats recent refusals because of a quota without the database. In PostgreSQL a statement that fails leaves its
 * rows in the table until the next vacuum: a client that goes on trying would fill the disk.
 */
import { QuotaExceeded } from '#storage/database.ts'

/** How long a refusal is repeated unless the owner changes or deletes something, in milliseconds. */
const REFUSED_FOR = 3000
const MAX_OWNERS = 10_000

export class QuotaRefusals {
  readonly #refusals = new Map<string, Refusal>()

  /**
   * Runs `create`, unless as much or less was refused to the owner a moment ago.
   * @param documents how many it creates.
   * @param size of what it creates, in characters.
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

  /** To be called when the owner has changed or deleted a document: there may be room. */
  forget(owner: string): void {
    this.#refusals.delete(owner)
  }
}

interface Refusal {
  readonly error: QuotaExceeded
  /** How many documents were refused. */
  readonly documents: number
  /** Of what was refused, in characters. */
  readonly size: number
  /** On the clock of `performance`. */
  readonly until: number
}
