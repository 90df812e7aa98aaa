import { expect, test } from 'vitest'
import { NO_BACKUPS } from '#backups/status.ts'
import { createTestApp } from '@stint/testing/test-app.ts'

test('a page can see when the server last backed up, and that it never did', async () => {
  let lastAt: number | null = null
  const server = await createTestApp({ backupStatus: () => ({ ...NO_BACKUPS, lastAt }) })
  const seen = async () => (await server.browser.call('GET', '/stint/info')).body.lastBackupAt
  expect(await seen()).toBe(null)
  lastAt = Date.UTC(2026, 0, 15, 3)
  expect(await seen()).toBe('2026-01-15T03:00:00.000+00:00')
  await server.close()
})
