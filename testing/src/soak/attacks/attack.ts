/** The parts of an attack. */
import type { Ask } from './client.ts'
import type { Person } from './people.ts'

/** What the attacker knows. It is passed to a process of its own as JSON. */
export interface Target {
  readonly port: number
  /** The loopback address that the attacker and the bystanders come from. */
  readonly address: string
  /** The attacker's own accounts, signed in. */
  readonly people: readonly Person[]
  /** 1 for the whole attack; less for the short form. */
  readonly size: number
}

/** What happened to the attacker, by name. */
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
  /** How many accounts the attacker has. */
  readonly people: number
  /** Saves what the attack needs, while there are no limits. */
  readonly prepare?: (target: Target, ask: Ask) => Promise<void>
  /** Goes on until it is ended from outside, or is done. */
  readonly run: (target: Target, ask: Ask, counts: Counts) => Promise<void>
  /** It ends by itself and may take so long, in seconds, however short the others are. */
  readonly seconds?: number
  /** Whether a bystander signs in from another address during the attack. */
  readonly signsIn?: boolean
  /** Which goals of this attack alone were missed, in words. */
  readonly missed?: (counts: Readonly<Record<string, number>>) => string[]
}

/** Runs `step` repeatedly, this many at once; never returns. */
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

/** @throws Error when there is none. */
export function anyOf<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length]
  if (value === undefined) throw new Error('There is none to choose from')
  return value
}
