import { expect, test } from 'vitest'
import { openDatabase } from '@stint/server/storage/open.ts'
import { newTestDatabase } from '../databases.ts'
import { createTestApp } from '../test-app.ts'
import { fillHistory } from './history.ts'

test('a generated history equals what the server would have stored', async () => {
  const place = await newTestDatabase()
  const server = await createTestApp({ db: await openDatabase(place.url) })
  const ann = await server.signedInUser('Ann')
  await fillHistory(place.url, ann.id, 0, 2001)
  const entries = '/databases/stint/collections/time_entries/documents'
  const { body: old } = await ann.call('GET', `${entries}/old2000`)
  expect((await ann.call('GET', entries)).body.total).toBe(2001)
  const { taskId, startTime, endTime, entryType, durationSeconds } = old
  const data = { taskId, userId: ann.id, startTime, endTime, entryType, durationSeconds }
  const created = await ann.call('POST', entries, { documentId: 'new', data })
  expect(created.status).toBe(201)
  const { $id, $sequence, $createdAt, $updatedAt } = old
  expect({ ...created.body, $id, $sequence, $createdAt, $updatedAt }).toEqual(old)
  await server.close()
  await server.db.close()
  await place.remove()
})
