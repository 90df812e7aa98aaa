/** Looks for a schedule after which something is lost or doubled, and shrinks the first one that is found. */
import type { TestApp } from '@stint/testing/test-app.ts'
import * as fc from 'fast-check'

import { anySchedule, inWords } from './schedule.ts'
import type { Faults, Presses, Step } from './schedule.ts'
import { simulate } from './world.ts'
import type { Outcome, WorldOptions } from './world.ts'

export interface Search extends Omit<WorldOptions, 'hasRealtime' | 'isKnown'> {
  readonly faults: Faults
  readonly presses: Presses
  /** So many presses that do something are made in all. */
  readonly count: number
  readonly seed: number
  /** Kinds of violations that are not looked for: their cause is known. */
  readonly known?: readonly string[]
  /** Looks on after a violation, for others of another kind. */
  readonly looksOn?: boolean
  /** Looks for the shortest schedule with the same violation; unless it is false. */
  readonly shrinks?: boolean
  /** Hears of each at once, as a night is long. */
  readonly onFailure?: (failure: string) => void
  /** Steps of one schedule, at most. */
  readonly maxSteps?: number
}

export interface Found {
  readonly presses: number
  readonly schedules: number
  readonly requests: number
  readonly overlaps: number
  /** What is wrong, the seed that repeats it and the shortest schedule found, in words; null for nothing. */
  readonly failure: string | null
}

/** Runs schedules until so many presses were made, or one of them goes wrong. */
export async function search(server: TestApp, options: Search): Promise<Found> {
  const { faults, presses, count, seed, looksOn = false, shrinks = true, maxSteps = 150 } = options
  const known = new Set(options.known)
  const found = { presses: 0, schedules: 0, requests: 0, overlaps: 0 }
  const failures: string[] = []
  const isKnown = (violation: string) => known.has(kindOf(violation))
  const schedules = anySchedule(faults, presses, maxSteps)
  for (let chances = seed; found.presses < count; chances += 1) {
    const [steps = []] = fc.sample(schedules, { numRuns: 1, seed: chances })
    const outcome = await run(steps, chances)
    found.presses += outcome.presses
    found.requests += outcome.requests
    found.overlaps += outcome.overlaps
    found.schedules += 1
    const [violation] = outcome.violations
    if (violation === undefined) continue
    const short = shrinks
      ? await shrink(steps, kindOf(violation), (fewer) => run(fewer, chances))
      : steps
    const { violations, log } = shrinks ? await run(short, chances) : outcome
    const failure = [`SEED=${chances}`, ...violations, inWords(short), '', ...log].join('\n')
    options.onFailure?.(failure)
    failures.push(failure)
    if (!looksOn) break
    known.add(kindOf(violation))
  }
  return { ...found, failure: failures.length > 0 ? failures.join('\n\n') : null }

  /** The chances of the network follow from the seed as well. */
  async function run(steps: readonly Step[], chances: number): Promise<Outcome> {
    const hasRealtime = chances % 8 === 0
    return simulate(server, steps, chances, { ...options, hasRealtime, isKnown })
  }
}

/** A schedule of which no part can be left out: without it, that kind of thing does not go wrong. */
async function shrink(
  steps: readonly Step[],
  kind: string,
  run: (steps: readonly Step[]) => Promise<Outcome>,
): Promise<readonly Step[]> {
  let short = steps
  for (let size = Math.ceil(steps.length / 2); size > 0;) {
    const before = short.length
    for (let at = 0; at < short.length;) {
      const fewer = short.toSpliced(at, size)
      const { violations } = await run(fewer)
      if (violations.some((each) => kindOf(each) === kind)) short = fewer
      else at += size
    }
    // Once something is gone, what could not be left out before it perhaps can.
    if (size > 1 || short.length === before) size = Math.floor(size / 2)
  }
  return short
}

function kindOf(violation: string): string {
  return violation.split(':')[0] ?? ''
}
