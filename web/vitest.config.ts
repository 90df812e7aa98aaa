import { availableParallelism } from 'node:os'

import { IS_LONG, testsOf } from '@stint/testing/size.ts'
import { MAX_TEST, MAX_WAIT } from '@stint/testing/waits.ts'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** What every project sets, since none takes it from the others. */
export const LIMITS = {
  // Many tests wait for a server, a clock or the disk, so two workers per core keep the cores busy.
  maxWorkers: 2 * availableParallelism(),
  // What hangs is to end; how busy the machine is must decide nothing.
  testTimeout: MAX_TEST,
  hookTimeout: MAX_TEST,
  teardownTimeout: MAX_TEST,
  expect: { poll: { timeout: MAX_WAIT } },
}

/** Tests that explore: they are in the short run, and go further in the long one. */
const EXPLORERS =
  'src/sync/{bulk-edits,change-properties,explorer,explorer-pairs,model,simulation}.test.ts'

const { include, exclude } = testsOf('src')

/** The tests of the web app, with jsdom, a fake IndexedDB, and the real server in memory behind fetch. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    name: 'web',
    ...LIMITS,
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    include: IS_LONG ? [...include, EXPLORERS] : include,
    exclude,
    setupFiles: ['src/test/setup.ts'],
    env: { TZ: 'America/New_York' },
  },
})
