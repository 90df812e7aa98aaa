import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#storage/database.ts'
import { openTestDatabase } from '@stint/testing/databases.ts'
import { createHub } from './hub.ts'
import type { Hub, Subscriber } from './hub.ts'

let db: Database
let hub: Hub

beforeEach(async () => {
  db = await openTestDatabase()
  hub = createHub(db, Date.now)
})
afterEach(async () => {
  await hub.shutDown()
  await db.close()
})

test('a socket whose session ended while it was being looked up is closed when it subscribes', () => {
  hub.sessionsEnded('ann', ['old'])
  expect(codesWhenSubscribed('old')).toEqual([4401])
  expect(codesWhenSubscribed('new')).toEqual([])
})

function codesWhenSubscribed(sessionId: string): number[] {
  const codes: number[] = []
  const subscriber: Subscriber = {
    userId: 'ann',
    sessionId,
    endsAt: null,
    subscriptions: [],
    send: () => {},
    recheck: () => {},
    close: (code) => void codes.push(code),
  }
  hub.subscribe(subscriber)
  hub.unsubscribe(subscriber)
  return codes
}
