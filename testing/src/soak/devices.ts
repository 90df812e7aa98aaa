/**
 * The long forms of what the web app's devices are put through (docs/reliability-evidence.md), on every core: the
 * simulation and the explorer of `web/src/sync/`.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

const PARTS = availableParallelism()
/** No part of a run makes as many schedules, so no two have a seed in common. */
const SEEDS_OF_PART = 10_000_000
const WITHOUT_RESTORES_AND_CLOCKS = 'offline,cutBefore,cutAfter,late,kill'

/**
 * Simulates so many presses with every fault, and half as many without restored servers and set clocks. Each
 * failing schedule is written to stdout with its seed. Returns whether none failed.
 *
 * @param seed the first seed
 */
export async function simulatePresses(presses: number, seed: number): Promise<boolean> {
  const withFaults = await simulate('all', presses, seed)
  return (await simulate(WITHOUT_RESTORES_AND_CLOCKS, presses / 2, seed)) && withFaults
}

function simulate(faults: string, presses: number, seed: number): Promise<boolean> {
  return onEveryCore(
    ['web sync', 'web/src/sync/simulation.test.ts', '-t', 'keep every worked second'],
    (part) => ({
      FAULTS: faults,
      SIMULATE: String(Math.ceil(presses / PARTS)),
      SEED: String(seed + part * SEEDS_OF_PART),
      LOOK_ON: 'all',
    }),
  )
}

/** Explores every pair of operations on two devices, and other scenarios, with many faults. */
export function exploreOrders(): Promise<boolean> {
  return onEveryCore(
    ['web', 'web/src/sync/explorer', '-t', 'nothing is lost|keeps the promise|A stop ends'],
    (part) => ({
      EXHAUSTIVE: `${part + 1}/${PARTS}`,
    }),
  )
}

/** Runs tests of a project in as many processes as there are cores. Returns whether all have passed. */
async function onEveryCore(
  [project = '', ...tests]: readonly string[],
  env: (part: number) => Readonly<Record<string, string>>,
): Promise<boolean> {
  const runs = Array.from({ length: PARTS }, async (_, part) => {
    const child = spawn('vitest', ['run', '--project', project, ...tests], {
      stdio: 'inherit',
      env: { ...process.env, ...env(part) },
    })
    const { promise, resolve, reject } = Promise.withResolvers<number | null>()
    child.on('error', reject)
    child.on('exit', resolve)
    return promise
  })
  return (await Promise.all(runs)).every((code) => code === 0)
}
