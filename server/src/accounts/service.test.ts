import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#storage/database.ts'
import { createHub } from '#realtime/hub.ts'
import type { Hub } from '#realtime/hub.ts'
import { openTestDatabase } from '@stint/testing/databases.ts'
import { passwordHasher } from './password-hash.ts'
import { readConfig } from '#config.ts'
import * as accounts from './service.ts'
import * as users from './users.ts'

const MINUTE = 60_000
const PASSWORD = 'correct horse 1'
const NEW_PASSWORD = 'another horse 22'
const VISITOR = { ip: '127.0.0.1', userAgent: '' }

let db: Database
let hub: Hub
let time: number

beforeEach(async () => {
  time = Date.UTC(2026, 0, 15, 12)
  db = await openTestDatabase()
  hub = createHub(db, () => time)
})
afterEach(async () => {
  await hub.shutDown()
  await db.close()
})

test('the devices of the account get an event after a change is committed, and never before', async () => {
  const ann = await newAccount()
  const laptop = await signInWith(PASSWORD)
  const seen: Promise<unknown>[] = []
  // Reads see committed data only.
  listen(ann.id, () => void seen.push(users.findById(db, ann.id)))
  for (const change of [
    () => accounts.change(services(), ann.id, 'update.name', { name: 'Anna' }),
    () => accounts.change(services(), ann.id, 'update.prefs', { prefs: '{"theme":"dark"}' }),
    () => accounts.changeEmail(services(), laptop, 'anna@example.com', PASSWORD),
    () => accounts.changePassword(services(), laptop, PASSWORD, NEW_PASSWORD),
    () => accounts.block(services(), ann.id),
    () => accounts.change(services(), ann.id, 'update.status', { active: true }),
  ]) {
    time += MINUTE
    const changed = await change()
    // A change may have several events, of which the last may come after the next change has begun.
    await expect.poll(() => seen.at(-1)).toEqual(changed)
  }
})

test('a refused change sends no event', async () => {
  const ann = await newAccount()
  const laptop = await signInWith(PASSWORD)
  let told = 0
  listen(ann.id, () => void told++)
  for (const refused of [
    () => accounts.changeEmail(services(), laptop, ann.email, PASSWORD),
    () => accounts.changePassword(services(), laptop, 'wrong horse 1', NEW_PASSWORD),
    () => accounts.deleteOwnAccount(services(), laptop, 'bob@example.com', PASSWORD),
    () => accounts.recover(services(), ann.id, 'wrong', NEW_PASSWORD),
    () => accounts.verify(services(), ann.id, 'wrong'),
    () => accounts.extendSignIn(services(), laptop, 'nothing'),
  ]) {
    await expect(refused()).rejects.toThrow()
  }
  expect(told).toBe(0)
  expect(await users.findById(db, ann.id)).toEqual(ann)
})

function newAccount() {
  const account = { userId: 'ann', email: 'ann@example.com', password: PASSWORD, name: 'Ann' }
  return accounts.signUp(services(), account)
}

async function signInWith(password: string) {
  const credentials = { email: 'ann@example.com', password, code: null }
  const { user, signIn } = await accounts.signIn(services(), credentials, VISITOR, true)
  return { user, signIn }
}

function services() {
  const passwords = passwordHasher({ memoryKibibytes: 64, passes: 1 })
  return { db, hub, passwords, now: () => time, config: readConfig({}) }
}

/** Subscribes a device of the account to all events. */
function listen(userId: string, send: () => void): void {
  hub.subscribe({
    userId,
    sessionId: 'another',
    endsAt: null,
    subscriptions: [{ id: 's1', channels: ['account'], conditions: [], bytes: 0 }],
    send,
    recheck: () => {},
    close: () => {},
  })
}
