import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** The web app's tests: jsdom, a fake IndexedDB, and the real server in memory behind fetch. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    name: 'web',
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    testTimeout: 30_000,
    env: { TZ: 'America/New_York' },
  },
})
