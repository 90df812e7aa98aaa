/**
 * The long forms of what the web app's devices are put through (docs/reliability-evidence.md), on every core: the
 * simulation and the explorer of `web/src/sync/`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'

const PARTS = availableParallelism()
/** No part of a run makes as many schedules, so no two have a seed in common. */
const SEEDS_OF_PART = 10_000_000
const WITHOUT_RESTORES_AND_CLOCKS = 'offline,cutBefore,cutAfter,late,kill'

type Figures = Readonly<Record<string, number>>

/**
 * Simulates so many presses with every fault, and half as many without restored servers and set clocks. Each
 * failing schedule is written to stdout with its seed, and the figures of each run as one line of JSON. Returns
 * whether none failed.
 *
 * @param seed the first seed
 */
export async function simulatePresses(presses: number, seed: number): Promise<boolean> {
  const withFaults = await simulate('all', presses, seed)
  return (await simulate(WITHOUT_RESTORES_AND_CLOCKS, presses / 2, seed)) && withFaults
}

async function simulate(faults: string, presses: number, seed: number): Promise<boolean> {
  const { hasPassed, figures } = await onEveryCore(
    ['web mocks', 'web/src/sync/simulation.test.ts', '-t', 'keep every worked second'],
    (part) => ({
      FAULTS: faults,
      SIMULATE: String(Math.ceil(presses / PARTS)),
      SEED: String(seed + part * SEEDS_OF_PART),
      LOOK_ON: 'all',
    }),
  )
  const { presses: made = 0, ...rest } = sumOf(figures.flat())
  print({ simulated: faults, seed, presses: made, ...rest, hasPassed })
  return hasPassed && rest['failures'] === 0 && made >= presses
}

/**
 * Explores every pair of operations on two devices, and other scenarios, with many faults. Writes the figures of
 * each to stdout, and their sum as one line of JSON. Returns whether none failed.
 *
 * @param share one in so many scenarios is explored
 */
export async function exploreOrders(share: number): Promise<boolean> {
  const { hasPassed, figures } = await onEveryCore(
    ['web mocks', 'web/src/sync/explorer', '-t', 'nothing is lost|keeps the promise|A stop ends'],
    (part) => ({
      EXHAUSTIVE: `${part + 1}/${PARTS * share}`,
      // Two undone stops have 30 million states.
      NODE_OPTIONS: '--max-old-space-size=14000',
    }),
  )
  const { states = 0, endings = 0, failures = 0, seconds = 0 } = sumOf(figures.flat())
  print({ explored: figures.flat().length, states, endings, failures, seconds, hasPassed })
  return hasPassed && failures === 0
}

function print(figures: object): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}

/** Returns the sum of the numbers under each name. */
function sumOf(figures: readonly Figures[]): Figures {
  const sums: Record<string, number> = {}
  for (const [name, value] of figures.flatMap((each) => Object.entries(each)))
    if (typeof value === 'number') sums[name] = Math.round(((sums[name] ?? 0) + value) * 10) / 10
  return sums
}

/**
 * Runs tests of a project in as many processes as there are cores, and passes their output on. Returns whether
 * all have passed, and the figures that each process has written, a line of JSON each.
 */
async function onEveryCore(
  [project = '', ...tests]: readonly string[],
  env: (part: number) => Readonly<Record<string, string>>,
): Promise<{ hasPassed: boolean; figures: readonly (readonly Figures[])[] }> {
  const runs = Array.from({ length: PARTS }, async (_, part) => {
    const child = spawn('vitest', ['run', '--reporter=dot', '--project', project, ...tests], {
      stdio: ['inherit', 'pipe', 'inherit'],
      env: { ...process.env, ...env(part) },
    })
    const exit = once(child, 'exit')
    const figures: Figures[] = []
    for await (const line of createInterface(child.stdout)) {
      process.stdout.write(`${line}\n`)
      const [json] = /\{".*"seconds":[\d.]+\}$/.exec(line) ?? []
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only figures end with seconds
      if (json !== undefined) figures.push(JSON.parse(json) as Figures)
    }
    const [code]: unknown[] = await exit
    return { hasPassed: code === 0, figures }
  })
  const all = await Promise.all(runs)
  return {
    hasPassed: all.every(({ hasPassed }) => hasPassed),
    figures: all.map(({ figures }) => figures),
  }
}
