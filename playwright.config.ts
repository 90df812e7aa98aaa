import { availableParallelism } from 'node:os'

import { defineConfig } from '@playwright/test'

import { CHROMIUM_ARGUMENTS } from './scripts/chromium-arguments.ts'

/** The product in a real Chromium. `scripts/e2e.ts` finds the browser and serves the built app. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  // On a machine that nobody watches a walk gets a second try, with a trace of it, and is listed as
  // flaky: its cause is looked for all the same. At home the first failure counts.
  retries: process.env['CI'] ? 1 : 0,
  workers: availableParallelism(),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    // Recording costs a third of the time, and one at hand: `npm run test:e2e -- --trace on`.
    trace: 'on-first-retry',
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
