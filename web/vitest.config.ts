import { availableParallelism } from 'node:os'

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/**
 * The number of test workers. Many tests wait for a server, a clock or the disk, so two workers per core
 * keep the cores busy. Every project sets it, as the default is half of it.
 */
export const WORKERS = 2 * availableParallelism()

/** The tests of the web app, with jsdom, a fake IndexedDB, and the real server in memory behind fetch. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    name: 'web',
    maxWorkers: WORKERS,
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    testTimeout: 30_000,
    env: { TZ: 'America/New_York' },
  },
})
