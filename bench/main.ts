/**
 * How fast Stint is, as ratios against a floor measured in the same run: `npm run bench`, or
 * `npm run bench -- quick` for a first look. Prints tables and writes bench/results.json.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { findChromium } from '../scripts/chromium.ts'
import { buildWebAppIfStale } from '../scripts/web-build.ts'
import { benchFigures } from './figures.ts'
import { benchLocalLoad } from './local-load.ts'
import { benchServer } from './server/bench.ts'

const isQuick = process.argv.includes('quick')

await buildWebAppIfStale()
const results = {
  node: process.version,
  measuredAt: new Date().toISOString(),
  server: await benchServer(
    isQuick ? { rounds: 1, milliseconds: 1000 } : { rounds: 5, milliseconds: 2000 },
  ),
  figures: benchFigures(),
  localLoad: await benchLocalLoad(findChromium()),
}
writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
