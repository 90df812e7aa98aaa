import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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

test('a socket whose session ended during its look-up is closed when it subscribes', () => {
  hub.sessionsEnded('ann', ['old'])
  expect(codesWhenSubscribed('old')).toEqual([4401])
  expect(codesWhenSubscribed('new')).toEqual([])
})

test('events of hundreds of documents are sent in order without blocking the event loop', async () => {
  const sent: string[] = []
  subscribe('ann', (text) => {
    sent.push(text)
    block(1)
  })
  let turns = 0
  let nextTurn = setImmediate(function count() {
    turns++
    nextTurn = setImmediate(count)
  })
  const ids = change('ann', 200)
  await vi.waitFor(() => expect(sent).toHaveLength(200))
  clearImmediate(nextTurn)
  expect(sent.map(idOf)).toEqual(ids)
  expect(turns).toBeGreaterThan(20)
})

test('the events of one owner do not delay those of another', async () => {
  const order: string[] = []
  for (const owner of ['ann', 'ben']) {
    subscribe(owner, () => {
      order.push(owner)
      block(1)
    })
  }
  change('ann', 200)
  change('ben', 1)
  await vi.waitFor(() => expect(order).toHaveLength(201))
  expect(order.indexOf('ben')).toBeLessThan(20)
})

test('sockets of an owner for whom too many events wait are closed, and no others', () => {
  const codes = { ann: subscribe('ann', () => {}), ben: subscribe('ben', () => {}) }
  change('ben', 1)
  change('ann', 5000)
  expect(codes).toEqual({ ann: [1012], ben: [] })
})

/** Changes so many entries of an owner in one turn of the event loop; returns their ids. */
function change(owner: string, count: number): string[] {
  const ids = Array.from({ length: count }, (_, index) => `entry${index}`)
  for (const $id of ids) {
    const body = `,"$id":"${$id}"}`
    hub.documentChanged(owner, 'time_entries', 'update', { sequence: 1, body })
  }
  return ids
}

function idOf(message: string): string | undefined {
  return /"\$id":"(\w+)"/.exec(message)?.[1]
}

/** Subscribes to all documents; returns the codes with which the socket is closed. */
function subscribe(userId: string, send: (text: string) => void): number[] {
  const codes: number[] = []
  hub.subscribe({
    userId,
    sessionId: userId,
    endsAt: null,
    subscriptions: [{ id: 's', channels: ['documents'], conditions: [], bytes: 0 }],
    send: (message) => send(String(message)),
    recheck: () => {},
    close: (code) => void codes.push(code),
  })
  return codes
}

/** Blocks the event loop for so many milliseconds. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

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
