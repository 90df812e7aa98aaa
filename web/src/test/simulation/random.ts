/** Random numbers that repeat from their seed (mulberry32). */
export interface Random {
  /** Returns a number of at least 0 and less than 1. */
  readonly next: () => number
  /** Returns a whole number between two others, both included. */
  readonly between: (min: number, max: number) => number
}

/** Returns random numbers. The same seed gives the same numbers. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return { next, between: (min, max) => min + Math.floor(next() * (max - min + 1)) }
}
