import { expect, test } from 'vitest'
import { openTestDatabase } from '@stint/testing/databases.ts'
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

test('all who ask at once whether the server is ready share one write', async () => {
  const db = await openTestDatabase()
  let checks = 0
  const server = await createTestApp({
    db: { ...db, check: () => ((checks += 1), db.check()) },
  })
  const ask = () => server.browser.call('GET', '/health/ready')
  const replies = await Promise.all(Array.from({ length: 50 }, ask))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(checks).toBeLessThan(50)
  const before = checks
  await ask()
  expect(checks).toBe(before + 1)
  await server.close()
  await db.close()
})
