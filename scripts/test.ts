/**
 * Runs the tests: `npm test` what a change must pass, `npm run test:long` everything else (testing/src/size.ts).
 */
import { run, runSteps } from './run.ts'
import type { Step } from './run.ts'

const TESTS = process.argv[2] === 'long' ? 'long' : 'short'

const tests: readonly Step[] = [
  ['Unit and integration', () => run('vitest', ['run'], { TESTS })],
  ['Browser', () => run(process.execPath, ['scripts/e2e.ts'], { TESTS })],
]
const check: Step = ['Check', () => run(process.execPath, ['scripts/check.ts'])]
const engines: Step = ['Engines', () => run(process.execPath, ['scripts/engines.ts'])]

await runSteps(TESTS === 'long' ? [...tests, engines] : [check, ...tests])
