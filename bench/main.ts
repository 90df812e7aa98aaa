/**
 * How fast Stint is, as ratios against a floor measured in the same run: `npm run bench`. Prints a
 * table and writes bench/results.json.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { benchFigures } from './figures.ts'

const results = {
  node: process.version,
  measuredAt: new Date().toISOString(),
  figures: benchFigures(),
}
writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
