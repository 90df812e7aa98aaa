import { availableParallelism } from 'node:os'

import { defineConfig } from '@playwright/test'
import { MAX_TEST, MAX_WAIT } from '@stint/testing/waits.ts'

import { CHROMIUM_ARGUMENTS } from './scripts/chromium-arguments.ts'

/** The tests with `@long` in their title run with TESTS=long only, those without with TESTS=short; unset: all run. */
const SIZES: Readonly<Record<string, { grep?: RegExp; grepInvert?: RegExp }>> = {
  '': {},
  short: { grepInvert: /@long/ },
  long: { grep: /@long/ },
}
const TESTS = process.env['TESTS'] ?? ''
const size = SIZES[TESTS]
if (!size) throw new Error(`TESTS is "${TESTS}", but must be short, long or unset`)

/** The product in a real Chromium. `scripts/e2e.ts` finds the browser and serves the built app. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  ...size,
  forbidOnly: true,
  workers: availableParallelism(),
  // What hangs is to end; how busy the machine is must decide nothing.
  timeout: MAX_TEST,
  expect: { timeout: MAX_WAIT },
  reporter: [['list']],
  use: {
    // An action that hangs then fails with its own message.
    actionTimeout: MAX_WAIT,
    // Recording costs a third of the time, so one is made on demand: `npm run test:e2e -- --trace on`.
    screenshot: 'only-on-failure',
    // The service worker loads every screen, on every page of every walk: only walks that are about it,
    // and some of those that go all the way, have it.
    serviceWorkers: 'block',
    timezoneId: 'America/New_York',
    locale: 'en-US',
    launchOptions: {
      ...(process.env['CHROMIUM'] ? { executablePath: process.env['CHROMIUM'] } : {}),
      args: [...CHROMIUM_ARGUMENTS],
    },
  },
})
