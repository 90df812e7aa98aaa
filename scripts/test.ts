/** Runs all checks and tests that a change must pass: `npm test`. */
import { run, runSteps } from './run.ts'

// In CI, a failed test is repeated once and listed; locally it is not.
const again = process.env['CI'] ? ['--retry=1'] : []

await runSteps([
  ['Check', () => run(process.execPath, ['scripts/check.ts'])],
  ['Unit and integration', () => run('vitest', ['run', ...again])],
  ['Browser', () => run(process.execPath, ['scripts/e2e.ts'])],
])
