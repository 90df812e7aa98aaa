/**
 * Benchmarks of Stint, as ratios to a floor and a peer measured in the same run: `npm run bench`,
 * or `npm run bench -- quick` for a first look. Prints tables, and writes bench/results.json and the
 * tables of docs/scaling.md. The
 * names of parts (server, people, figures, browser, load) run only these and keep the results of
 * the others.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { VERSION } from '@stint/core/version.ts'

import { PARTS } from '../scripts/benchmark-age.ts'
import type { Part } from '../scripts/benchmark-age.ts'
import { findChromium } from '../scripts/chromium.ts'
import { run } from '../scripts/run.ts'
import { withScalingTables } from '../scripts/scaling-tables.ts'
import { buildWebAppIfStale } from '../scripts/web-stamp.ts'
import { benchBrowser } from './browser.ts'
import { benchFigures } from './figures.ts'
import { benchFirstLoad } from './first-load.ts'
import { benchLocalLoad } from './local-load.ts'
import { benchServer } from './server/bench.ts'
import { benchPeople } from './server/people.ts'
import { benchSessionList } from './session-list.ts'

const RESULTS = join(import.meta.dirname, 'results.json')
const SCALING = join(import.meta.dirname, '../docs/scaling.md')
const words = process.argv.slice(2)
const isQuick = words.includes('quick')

const parts: Readonly<Record<Part, () => Promise<object>>> = {
  server: () =>
    benchServer(isQuick ? { rounds: 1, milliseconds: 1000 } : { rounds: 5, milliseconds: 2000 }),
  people: () => benchPeople(isQuick),
  figures: async () => benchFigures(),
  browser: async () => ({
    ...(await benchBrowser(findChromium())),
    opening: await benchLocalLoad(findChromium()),
    sessions: await benchSessionList(findChromium()),
  }),
  load: benchFirstLoad,
}
const wanted = PARTS.filter((name) => words.includes(name))

await buildWebAppIfStale()
for (const name of wanted.length === 0 ? PARTS : wanted) {
  console.log(`\n── ${name}`)
  const measured = await parts[name]()
  const results: Record<string, unknown> = existsSync(RESULTS)
    ? JSON.parse(readFileSync(RESULTS, 'utf8'))
    : {}
  results[name] = {
    version: VERSION,
    measuredAt: new Date().toISOString(),
    node: process.version,
    measured,
  }
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
}

const { people } = JSON.parse(readFileSync(RESULTS, 'utf8'))
writeFileSync(SCALING, withScalingTables(readFileSync(SCALING, 'utf8'), people.measured))
process.exitCode = await run('oxfmt', [SCALING])
