/** How large an exploration was and what it took, written to stdout where somebody asked for the long one. */
import { expect } from 'vitest'

import type { Exploration, Limits, Program, Scenario } from './scenario.ts'
import { explore } from './search.ts'

/** EXHAUSTIVE=1 explores more faults, in its time. */
export const EXHAUSTIVE = process.env['EXHAUSTIVE'] === '1'

/** Explores a scenario; with EXHAUSTIVE=1 the figures of it are written to stdout, in seconds of one core. */
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
    seconds: Math.round((user + system) / 1e5) / 10,
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  return found
}
