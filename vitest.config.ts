import { defineConfig } from 'vitest/config'

/** `core` runs in four time zones: half an hour off, across the date line, and two that change. */
const ZONES = ['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Santiago']

export default defineConfig({
  test: {
    projects: [
      ...ZONES.map((zone) => ({
        test: {
          name: `core ${zone}`,
          include: ['core/src/**/*.test.ts'],
          env: { TZ: zone },
        },
      })),
      {
        test: {
          name: 'server sqlite',
          include: ['server/src/**/*.test.ts'],
          env: { TEST_DATABASE: 'sqlite' },
        },
      },
      {
        test: {
          name: 'server postgres',
          include: ['server/src/**/*.test.ts'],
          env: { TEST_DATABASE: 'postgres' },
          globalSetup: ['server/src/db/test-postgres.ts'],
        },
      },
      {
        test: {
          name: 'scripts',
          include: ['scripts/**/*.test.ts'],
        },
      },
      './web/vitest.config.ts',
    ],
  },
})
