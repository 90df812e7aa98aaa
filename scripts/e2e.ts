/**
 * Runs the browser tests against the built app: `npm run test:e2e [-- playwright arguments]`.
 * TESTS=short or TESTS=long runs one of their two sizes (playwright.config.ts).
 */
import { findChromium } from './chromium.ts'
import { run } from './run.ts'
import { buildWebAppIfStale } from './web-stamp.ts'

const CHROMIUM = findChromium()
await buildWebAppIfStale()
process.exitCode = await run('playwright', ['test', ...process.argv.slice(2)], { CHROMIUM })
