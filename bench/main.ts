/**
 * How fast Stint is, as ratios against a floor measured in the same run: `npm run bench`. Prints a
 * table and writes bench/results.json.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { findChromium } from '../scripts/chromium.ts'
import { buildWebAppIfStale } from '../scripts/web-build.ts'
import { benchFigures } from './figures.ts'
import { benchLocalLoad } from './local-load.ts'

await buildWebAppIfStale()

const results = {
  node: process.version,
  measuredAt: new Date().toISOString(),
  figures: benchFigures(),
  localLoad: await benchLocalLoad(findChromium()),
}
writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
