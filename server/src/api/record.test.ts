/** How records are read: in pages, up to a bound. */
import { expect, test } from 'vitest'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { storeRecord } from '@stint/testing/worst-records.ts'
import { RecordReader } from './record.ts'

const NOW = Date.UTC(2026, 0, 15, 12)

const server = serverForFile({ now: NOW })
const ann = userForEach(server)

test('a record of many pages is read whole, and nobody else’s', async () => {
  await storeRecord(server.db, ann.id, 'unknown tasks', NOW, { documents: 1500, bytes: Infinity })
  await storeRecord(server.db, ann.id, 'many usual names', NOW, { documents: 600, bytes: Infinity })
  const bob = await server.signedInUser()
  await storeRecord(server.db, bob.id, 'many usual names', NOW, { documents: 100, bytes: Infinity })
  // All changed at the same instant, so that pages end within a tie.
  for (const since of [null, NOW - 10 * 86_400_000]) {
    const { entries, tasks } = await new RecordReader(server.db, ann.id).read(since)
    expect([entries.length, new Set(entries.map(({ id }) => id)).size]).toEqual([1500, 1500])
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(600)
  }
})

test('a record that is too long for a program is refused, and a shorter one is read', async () => {
  await storeRecord(server.db, ann.id, 'unknown tasks', NOW, { documents: 100, bytes: Infinity })
  await expect(new RecordReader(server.db, ann.id, 10_000).read(null)).rejects.toMatchObject({
    type: 'stint_quota_exceeded',
  })
  const { entries } = await new RecordReader(server.db, ann.id, 1_000_000).read(null)
  expect(entries).toHaveLength(100)
})
