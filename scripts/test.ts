/** Everything a change must pass: `npm test`. */
import { run, runSteps } from './run.ts'

// On a machine that nobody watches a test gets a second try, and is listed; at home it does not.
const again = process.env['CI'] ? ['--retry=1'] : []

await runSteps([
  ['Check', () => run(process.execPath, ['scripts/check.ts'])],
  ['Unit and integration', () => run('vitest', ['run', ...again])],
  ['Browser', () => run(process.execPath, ['scripts/e2e.ts'])],
])
