/** Runs all checks and tests that a change must pass: `npm test`. */
import { run, runSteps } from './run.ts'

await runSteps([
  ['Check', () => run(process.execPath, ['scripts/check.ts'])],
  ['Unit and integration', () => run('vitest', ['run'])],
  ['Browser', () => run(process.execPath, ['scripts/e2e.ts'])],
])
