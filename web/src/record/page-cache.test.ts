import { deleteDB } from 'idb'
import { beforeAll, expect, test } from 'vitest'

import { beginWrite, openDatabase, storeIn } from './database.ts'
import { leavePageCache } from './page-cache.ts'

beforeAll(leavePageCache)

test('A page that the browser keeps for Back blocks no other page', async () => {
  const name = `stint-${crypto.randomUUID()}`
  const database = await openDatabase(name, () => undefined)
  const left = beginWrite(database)
  // A new request each time keeps the transaction open, as the suspended page would.
  const keepOpen = (): unknown =>
    storeIn(left, 'values')
      .get('timer')
      .then(keepOpen, () => 0)
  keepOpen()

  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))

  await expect(left.done).rejects.toThrow()
  await deleteDB(name, { blocked: () => expect.unreachable('The connection is still open') })
})

test('A page that ends keeps its last write', async () => {
  const name = `stint-${crypto.randomUUID()}`
  const database = await openDatabase(name, () => undefined)
  const last = beginWrite(database)
  await storeIn(last, 'values').put({ key: 'progress' }, 'progress')

  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }))

  await expect(last.done).resolves.toBeUndefined()
  database.close()
  await deleteDB(name)
})
