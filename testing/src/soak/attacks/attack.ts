/** The interface of an attack. */
import type { Ask } from './client.ts'
import type { Person } from './people.ts'

/** The attacker's input, which is passed to its process as JSON. */
export interface Target {
  readonly port: number
  /** The loopback address that the attacker and the bystanders come from. */
  readonly address: string
  /** The attacker's own accounts, signed in. */
  readonly people: readonly Person[]
  /** 1 for the complete attack; less for the short form. */
  readonly size: number
}

/** Counts the attacker's outcomes by name. */
export class Counts {
  readonly #counts = new Map<string, number>()

  add(name: string, amount = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + amount)
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0
  }

  toJSON(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts)
  }
}

export interface Attack {
  /** The number of the attacker's accounts. */
  readonly people: number
  /** Saves what the attack needs before the limits apply. */
  readonly prepare?: (target: Target, ask: Ask) => Promise<void>
  /** Runs until it is stopped from outside, or is done. */
  readonly run: (target: Target, ask: Ask, counts: Counts) => Promise<void>
  /**
   * For an attack that ends by itself: the time it may take, in seconds, however short the others
   * are.
   */
  readonly seconds?: number
  /** The goal for the memory of the server, in mebibytes, if it is not that of the others. */
  readonly memory?: number
  /** Whether a bystander signs in from another address during the attack. */
  readonly signsIn?: boolean
  /** Returns the missed goals of this attack alone, as sentences. */
  readonly missed?: (counts: Readonly<Record<string, number>>) => string[]
}

/** Runs `step` repeatedly in so many parallel loops; never returns. */
export async function inParallel(
  places: number,
  step: (place: number, round: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: places }, async (_, place) => {
      for (let round = 0; ; round += 1) await step(place, round)
    }),
  )
}

/** Returns the value at the index modulo the length. @throws Error if there is none. */
export function anyOf<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length]
  if (value === undefined) throw new Error('There is none to choose from')
  return value
}
