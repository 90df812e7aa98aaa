/** The size and the cost of an exploration, written to stdout in a long run. */
import { IS_LONG } from '@stint/testing/size.ts'
import { expect } from 'vitest'

import type { Exploration, Limits, Program, Scenario } from './scenario.ts'
import { explore } from './search.ts'

/**
 * EXHAUSTIVE=1/2 explores more faults in the first of two parts of all scenarios, which takes hours
 * (`npm run soak -- orders`).
 */
const [PART = 0, PARTS = 0] = (process.env['EXHAUSTIVE'] ?? '').split('/').map(Number)
export const EXHAUSTIVE = PARTS > 0

/** Returns the scenarios of this part. */
export function ofPart<Scenarios>(all: readonly Scenarios[]): readonly Scenarios[] {
  return EXHAUSTIVE ? all.filter((_, index) => index % PARTS === PART - 1) : all
}

/** Returns the value for the short run, the long run, or an exhaustive one. */
export function bySize<Value>(short: Value, long: Value, exhaustive: Value): Value {
  if (EXHAUSTIVE) return exhaustive
  return IS_LONG ? long : short
}

/**
 * Explores a scenario. With EXHAUSTIVE its figures are written to stdout, in seconds of one core.
 */
export async function exploreWithFigures(
  program: Program,
  scenario: Scenario,
  limits: Limits,
): Promise<Exploration> {
  const before = process.cpuUsage()
  const found = await explore(program, scenario, limits)
  if (!EXHAUSTIVE) return found
  const { user, system } = process.cpuUsage(before)
  const { states, endings, violations } = found
  const figures = {
    what: expect.getState().currentTestName?.split(' > ').at(-1),
    ...limits,
    states,
    endings,
    violations: Object.keys(violations),
    failures: Object.keys(violations).length,
    seconds: Math.round((user + system) / 1e5) / 10,
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  return found
}
