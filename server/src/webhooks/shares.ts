/** Whose message a process sends next, so that slow receivers delay their owner alone. */

/** How many calls of webhooks a process makes at once. */
const MAX_CALLS = 100
/** How many of them anybody may start. The rest is for people with no call underway. */
const MAX_SHARED = 20
/** How many calls of one person are underway at once. */
const MAX_CALLS_OF_ONE = 3
/** How many people a round remembers at most. */
const MAX_ROUND = 1000

/**
 * Shares the calls of a process among people, in rounds: nobody gets a second turn before everybody with a message has had one.
 */
export class Shares {
  /** The owners of the webhooks that are called now. Each webhook gets one message at a time. */
  readonly #underway = new Map<string, string>()
  /** Who has had a turn in this round. */
  readonly #served = new Set<string>()

  /** The webhooks that are called now. */
  get busyKeys(): string[] {
    return [...this.#underway.keys()]
  }

  get isFull(): boolean {
    return this.#underway.size >= MAX_CALLS
  }

  /** Who can have no further call now. */
  get ownersWithoutRoom(): string[] {
    const max = this.#underway.size < MAX_SHARED ? MAX_CALLS_OF_ONE : 1
    const byOwner = Map.groupBy(this.#underway, ([, owner]) => owner)
    return [...byOwner].flatMap(([owner, { length }]) => (length >= max ? owner : []))
  }

  /** Who can have no call in this round: those without room, and those who have had their turn. */
  get ownersOutOfTurn(): string[] {
    return [...new Set([...this.ownersWithoutRoom, ...this.#served])]
  }

  /** Begins a round. Must be called when nobody else has a message. */
  beginRound(): void {
    this.#served.clear()
  }

  begin(keyId: string, owner: string): void {
    this.#underway.set(keyId, owner)
    if (this.#served.size >= MAX_ROUND) this.#served.clear()
    this.#served.add(owner)
  }

  end(keyId: string): void {
    this.#underway.delete(keyId)
  }
}
