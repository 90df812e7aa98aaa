import { defineConfig } from 'vitest/config'

import { LIMITS } from './web/vitest.config.ts'

/** Before every file of tests; web has its own. */
const setupFiles = ['testing/src/setup.ts']

/** `core` runs in four time zones: half an hour off, across the date line, and two that change. */
const ZONES = ['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Santiago']

export default defineConfig({
  test: {
    ...LIMITS,
    projects: [
      ...ZONES.map((zone) => ({
        extends: true as const,
        test: {
          name: `core ${zone}`,
          include: ['core/src/**/*.test.ts'],
          env: { TZ: zone },
          // Plain functions leave nothing behind: their files share a process.
          isolate: false,
        },
      })),
      {
        extends: true,
        test: {
          name: 'server sqlite',
          setupFiles,
          include: ['server/src/**/*.test.ts', 'testing/src/**/*.test.ts'],
          env: { TEST_DATABASE: 'sqlite' },
          // Every server of a test is its own, and none leaves anything in its modules.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'server postgres',
          setupFiles,
          include: ['server/src/**/*.test.ts', 'testing/src/**/*.test.ts'],
          env: { TEST_DATABASE: 'postgres' },
          isolate: false,
          globalSetup: ['testing/src/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'cli',
          setupFiles,
          include: ['cli/src/**/*.test.ts'],
          env: { TEST_DATABASE: 'sqlite' },
        },
      },
      {
        extends: true,
        test: {
          name: 'scripts',
          setupFiles,
          include: ['scripts/**/*.test.ts'],
        },
      },
      './web/vitest.config.ts',
    ],
  },
})
