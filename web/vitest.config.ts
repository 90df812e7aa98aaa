import { availableParallelism } from 'node:os'

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/**
 * Many tests wait, for a server that starts, a clock, a disk: two for each core keep them all busy.
 * Said for every project, since one that says nothing has half of them.
 */
export const WORKERS = 2 * availableParallelism()

/** The web app's tests: jsdom, a fake IndexedDB, and the real server in memory behind fetch. */
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
