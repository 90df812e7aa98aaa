/** Checks types, lint, format, unused code, references and script sizes: `npm run check`. */
import { run, runSteps } from './run.ts'

await runSteps([
  ['Types: core', () => run('tsc', ['-p', 'core'])],
  ['Types: server', () => run('tsc', ['-p', 'server'])],
  ['Types: testing', () => run('tsc', ['-p', 'testing'])],
  ['Types: cli', () => run('tsc', ['-p', 'cli'])],
  ['Types: web', () => run('tsc', ['-p', 'web'])],
  ['Types: tests and scripts', () => run('tsc', ['-p', '.'])],
  ['Lint', () => run('oxlint', ['--deny-warnings'])],
  ['Format', () => run('oxfmt', ['--check'])],
  ['Unused code', () => run('knip', [])],
  ['References', () => run('node', ['scripts/references.ts'])],
  ['Budgets', () => run('node', ['scripts/budgets.ts'])],
])
