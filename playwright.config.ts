import './scripts/node-version.js'

import { availableParallelism } from 'node:os'

import { defineConfig } from '@playwright/test'
import { IS_LONG, IS_SHORT } from '@stint/testing/size.ts'
import { MAX_TEST, MAX_WAIT } from '@stint/testing/waits.ts'

import { CHROMIUM_ARGUMENTS } from './scripts/chromium-arguments.ts'

/** In the title of a test that only the long run has. */
const LONG = /@long/
/** In the title of a walk that the long run makes as well, to show its pages in every width and theme (e2e/looks.ts). */
const LOOKS = /@looks/

/** The product in a real Chromium. `scripts/e2e.ts` finds the browser and serves the built app. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  ...(IS_SHORT ? { grepInvert: LONG } : {}),
  ...(IS_LONG ? { grep: [LONG, LOOKS] } : {}),
  forbidOnly: true,
  workers: availableParallelism(),
  // What hangs is to end; how busy the machine is must decide nothing.
  timeout: MAX_TEST,
  expect: { timeout: MAX_WAIT },
  reporter: [['list']],
  use: {
    // What is there to be pressed can be pressed at once: an action that hangs ends with its own message, long
    // before the test does. What a test waits for is an `expect`.
    actionTimeout: 10_000,
    // Recording costs a third of the time, so one is made on demand: `npm run test:e2e -- --trace on`.
    screenshot: 'only-on-failure',
    // The service worker loads every screen, on every page of every walk: only walks that are about it,
    // and some of those that go all the way, have it.
    serviceWorkers: 'block',
    timezoneId: 'America/New_York',
    locale: 'en-US',
    // To draw the motion takes a tenth of the time. The long run has it.
    ...(IS_SHORT ? { contextOptions: { reducedMotion: 'reduce' } } : {}),
    launchOptions: {
      ...(process.env['CHROMIUM'] ? { executablePath: process.env['CHROMIUM'] } : {}),
      args: [...CHROMIUM_ARGUMENTS],
    },
  },
})
