/**
 * Searches for a schedule after which something is lost or doubled, and shrinks the first one
 * found.
 */
import type { TestApp } from '@stint/testing/test-app.ts'
import * as fc from 'fast-check'

import { anySchedule, inWords } from './schedule.ts'
import type { Faults, Presses, Step } from './schedule.ts'
import { simulate } from './world.ts'
import type { Outcome, WorldOptions } from './world.ts'

export interface Search extends Omit<WorldOptions, 'hasRealtime' | 'isKnown' | 'isReal'> {
  readonly faults: Faults
  readonly presses: Presses
  /**
   * Whether devices hear of each other at once. In every eighth schedule by default: in the others they
   * hear only when they are looked at.
   */
  readonly isOnline?: boolean
  /** Whether all schedules have the real server, SDK and IndexedDB. By default every tenth has. */
  readonly isReal?: boolean
  /** The total number of effective presses to make. */
  readonly count: number
  readonly seed: number
  /** Kinds of violations to ignore, because their cause is known. */
  readonly known?: readonly string[]
  /**
   * Continues after a violation: to find others of another kind, or, if nothing is shrunk, to count
   * all.
   */
  readonly looksOn?: boolean
  /**
   * Whether to look for the shortest schedule with the same violation. True by default. Otherwise
   * each failure is its seed and its violations alone.
   */
  readonly shrinks?: boolean
  /** Receives each failure at once, because a run may take all night. */
  readonly onFailure?: (failure: string) => void
  /** Receives the figures after every hundred schedules, in case the run is ended early. */
  readonly onProgress?: (found: Omit<Found, 'failure'>) => void
  /** The maximum number of steps of one schedule. */
  readonly maxSteps?: number
}

export interface Found {
  readonly presses: number
  readonly schedules: number
  readonly requests: number
  /** How many questions were open at the ends. */
  readonly questions: number
  /** How many schedules failed. */
  readonly failures: number
  /**
   * The violation, the seed that repeats it and the shortest schedule found, in words. Null when
   * nothing failed.
   */
  readonly failure: string | null
}

/** Runs schedules until enough presses were made, or a schedule fails. */
export async function search(server: TestApp, options: Search): Promise<Found> {
  const { faults, presses, count, seed, looksOn = false, shrinks = true, maxSteps = 250 } = options
  const known = new Set(options.known)
  const found = { presses: 0, schedules: 0, requests: 0, questions: 0, failures: 0 }
  const failures: string[] = []
  const isKnown = (violation: string) => known.has(kindOf(violation))
  const schedules = anySchedule(faults, presses, maxSteps)
  for (let chances = seed; found.presses < count; chances += 1) {
    const [steps = []] = fc.sample(schedules, { numRuns: 1, seed: chances })
    const outcome = await run(steps, chances)
    found.presses += outcome.presses
    found.requests += outcome.requests
    found.questions += outcome.questions
    found.schedules += 1
    if (found.schedules % 100 === 0) options.onProgress?.(found)
    const [violation] = outcome.violations
    if (violation === undefined) continue
    found.failures += 1
    const failure = shrinks
      ? await shortest(steps, chances, kindOf(violation))
      : [
          `SEED=${chances}`,
          ...outcome.violations,
          ...(process.env['TRACE'] ? outcome.log : []),
        ].join('\n')
    options.onFailure?.(failure)
    failures.push(failure)
    if (!looksOn) break
    if (shrinks) known.add(kindOf(violation))
  }
  return { ...found, failure: failures.length > 0 ? failures.join('\n\n') : null }

  /** Shrinks a schedule. Returns its seed, what goes wrong, its steps and the log of events. */
  async function shortest(steps: readonly Step[], chances: number, kind: string): Promise<string> {
    const short = await shrink(steps, kind, (fewer) => run(fewer, chances))
    const { violations, log } = await run(short, chances)
    return [`SEED=${chances}`, ...violations, inWords(short), '', ...log].join('\n')
  }

  /** Runs one schedule. The chances of the network are derived from the seed as well. */
  async function run(steps: readonly Step[], chances: number): Promise<Outcome> {
    const hasRealtime = options.isOnline ?? chances % 8 === 0
    const isReal = options.isReal ?? chances % 10 === 0
    return simulate(server, steps, chances, { ...options, hasRealtime, isReal, isKnown })
  }
}

/**
 * Returns a schedule of which no part can be removed: without any part, the same kind of violation
 * does not occur.
 */
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
    // After a step is removed, an earlier step that was necessary may have become removable.
    if (size > 1 || short.length === before) size = Math.floor(size / 2)
  }
  return short
}

function kindOf(violation: string): string {
  return violation.split(':')[0] ?? ''
}
