/** Checks types, lint, format, unused code, references and script sizes: `npm run check`. */
import { runTwoAtATime } from './run.ts'

// The longest ones first, so that neither of the two ends much later.
await runTwoAtATime([
  ['Budgets', 'node', 'scripts/budgets.ts'],
  ['Types: tests and scripts', 'tsc', '-p', '.'],
  ['Lint', 'oxlint', '--deny-warnings'],
  ['Types: testing', 'tsc', '-p', 'testing'],
  ['Types: server', 'tsc', '-p', 'server'],
  ['Types: web', 'tsc', '-p', 'web'],
  ['Unused code', 'knip'],
  ['Types: core', 'tsc', '-p', 'core'],
  ['Types: cli', 'tsc', '-p', 'cli'],
  ['References', 'node', 'scripts/references.ts'],
  ['Format', 'oxfmt', '--check'],
])
