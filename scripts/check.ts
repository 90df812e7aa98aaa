/** Checks types, lint, format, unused code, references and script sizes: `npm run check`. */
import { runTwoAtATime } from './run.ts'

// The longest ones first, so that neither of the two ends much later. The linter needs the types in any case, and
// checks each file with the libraries of its own package: `core` sees neither a browser nor Node.
await runTwoAtATime([
  ['Types and lint', 'oxlint', '--deny-warnings', '--type-check'],
  ['Budgets', 'node', 'scripts/budgets.ts'],
  ['Unused code', 'knip'],
  ['References', 'node', 'scripts/references.ts'],
  ['Format', 'oxfmt', '--check'],
])
