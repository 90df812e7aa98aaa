/** How addresses of people are told apart, and how accounts of earlier versions are still found, on both databases. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runAdmin } from '#admin.ts'
import { readConfig } from '#config.ts'
import { newTestDatabase, PATIENT } from '@stint/testing/databases.ts'
import type { TestDatabasePlace } from '@stint/testing/databases.ts'
import { linkIn, startTestSmtp } from '@stint/testing/smtp.ts'
import type { TestSmtp } from '@stint/testing/smtp.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp, TestBrowser } from '@stint/testing/test-app.ts'
import { openDatabase } from '#storage/open.ts'
import type { Database } from '#storage/database.ts'
import * as invites from './invites.ts'
import * as users from './users.ts'

const KELVIN = '\u212aim@example.com'
const PROXY = readConfig({ TRUST_PROXY: '127.0.0.1', AUTH_PROXY_HEADER: 'Remote-Email' })
const PAGE = 'http://localhost:3000/recovery'

let place: TestDatabasePlace
let db: Database
let smtp: TestSmtp
let server: TestApp

beforeEach(async () => {
  place = await newTestDatabase()
  db = await openDatabase(place.url, PATIENT)
  smtp = await startTestSmtp()
  const { authProxy, trustProxy } = PROXY
  server = await createTestApp({ db, config: { smtpUrl: smtp.url, authProxy, trustProxy } })
})
afterEach(async () => {
  await server.close()
  await smtp.close()
  await db.close()
  await place.remove()
})

test('A to Z do not tell addresses apart', async () => {
  const kim = await server.signedInUser('Kim')
  expect((await signIn('KIM@Example.COM')).body.userId).toBe(kim.id)
  expect((await signUp('KIM@example.com')).body.type).toBe('user_already_exists')
  expect((await changeAddress(kim, 'KIM@example.com')).body.type).toBe('user_target_already_exists')
})

describe('whoever has the address with a Kelvin sign', () => {
  test('is another person for the proxy, and opens no account with a k', async () => {
    const kim = await server.signedInUser('Kim')
    await db.write((tx) => users.change(tx, kim.id, { email_verified: true }, server.clock.now()))
    const reply = await signInByProxy(KELVIN)
    expect(reply).toMatchObject({ status: 409, body: { type: 'stint_identity_conflict' } })
    expect(reply.body.message).toContain('in other letters')
    const asOther = { 'remote-email': utf8Header(KELVIN) }
    expect((await kim.call('GET', '/account', undefined, asOther)).status).toBe(401)
    expect((await signInByProxy('Kim@example.com')).body.userId).toBe(kim.id)
  })

  test('gets an account of their own where no other address can be meant', async () => {
    const { body } = await signInByProxy(KELVIN)
    const kim = await server.signedInUser('Kim')
    expect(kim.id).not.toBe(body.userId)
    expect((await signInByProxy(KELVIN)).body.userId).toBe(body.userId)
    expect((await users.findById(db, body.userId))?.email).toBe(KELVIN)
  })

  test('gets neither the mail nor the link for the account with a k', async () => {
    const kim = await server.signedInUser('Kim')
    const sent = smtp.nextMail()
    await server.newBrowser().call('POST', '/account/recovery', { email: KELVIN, url: PAGE })
    const mail = await sent
    expect(mail).toContain('To: kim@example.com')
    expect(linkIn(mail).searchParams.get('userId')).toBe(kim.id)
  })

  test('is not meant by an operator’s command', async () => {
    await server.signedInUser('Kim')
    const config = readConfig({ DATABASE_URL: place.url })
    const command = (email: string) => runAdmin(config, ['reset-link', email])
    await expect(command(KELVIN)).rejects.toThrow('There is no account with the address')
    await expect(command(' KIM@example.com ')).resolves.toContain('secret=')
  })

  test('cannot use the invitation of somebody with a k', async () => {
    const invited = await createTestApp({ db, config: { signup: 'invite' } })
    const { secret } = await invites.create(db, 'kim@example.com', invited.clock.now(), 1000)
    const headers = { 'x-stint-invite': secret }
    const account = { userId: 'unique()', password: TEST_PASSWORD }
    const signUp = (email: string) =>
      invited.newBrowser().call('POST', '/account', { ...account, email }, headers)
    expect((await signUp(KELVIN)).body.type).toBe('stint_invite_invalid')
    expect((await signUp('Kim@example.com')).status).toBe(201)
    await invited.close()
  })
})

describe('an account that an earlier version stored in the lower case of every alphabet', () => {
  let jorg: { id: string }

  beforeEach(async () => {
    const { body } = await signUp('jörg@example.com')
    jorg = { id: body.$id }
  })

  test('is found by its password and by mail, as its owner types the address', async () => {
    for (const typed of ['JÖRG@example.com', 'jörg@example.com', 'Jörg@Example.com']) {
      expect((await signIn(typed)).body.userId).toBe(jorg.id)
    }
    expect((await signIn('JÖRG@example.com', 'wrong horse 1')).status).toBe(401)
    const sent = smtp.nextMail()
    const ask = { email: 'JÖRG@example.com', url: PAGE }
    await server.newBrowser().call('POST', '/account/recovery', ask)
    expect(linkIn(await sent).searchParams.get('userId')).toBe(jorg.id)
  })

  test('keeps its address: nobody else gets it in other letters', async () => {
    expect((await signUp('JÖRG@example.com')).body.type).toBe('user_already_exists')
    const bob = await server.signedInUser('Bob')
    const refused = await changeAddress(bob, 'JÖRG@example.com')
    expect(refused.body.type).toBe('user_target_already_exists')
  })

  test('can get the address as its owner writes it, which the proxy then finds', async () => {
    expect((await signInByProxy('JÖRG@example.com')).body.type).toBe('stint_identity_conflict')
    const browser = server.newBrowser()
    await browser.call('POST', '/account/sessions/email', {
      email: 'JÖRG@example.com',
      password: TEST_PASSWORD,
    })
    expect((await changeAddress(browser, 'JÖRG@example.com')).body.email).toBe('jÖrg@example.com')
    expect((await signInByProxy('JÖRG@example.com')).body.userId).toBe(jorg.id)
  })

  test('does not stand in the way of another one with exactly the address that is typed', async () => {
    // Signed up before the other one, so it was free.
    const upper = (await signUp('ÅSA@example.com')).body.$id
    const lower = (await signUp('åsa@example.com')).body.$id
    expect((await signIn('Åsa@example.com')).body.userId).toBe(upper)
    expect((await signIn('åSA@example.com')).body.userId).toBe(lower)
  })
})

test('all spellings that lead to an account share the tries of its password and its mails', async () => {
  const strict = await createTestApp({ db, config: { rateLimits: true, smtpUrl: smtp.url } })
  await strict.signedInUser('Kim')
  const spellings = ['kim@example.com', KELVIN]
  const statuses: number[] = []
  for (let count = 0; count < 11; count++) {
    const email = spellings[count % 2]
    const wrong = { email, password: 'wrong horse 1' }
    const reply = await strict.newBrowser().call('POST', '/account/sessions/email', wrong)
    statuses.push(reply.status)
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  const asked: number[] = []
  for (let count = 0; count < 4; count++) {
    const ask = { email: spellings[count % 2], url: PAGE }
    asked.push((await strict.newBrowser().call('POST', '/account/recovery', ask)).status)
  }
  expect(asked).toEqual([201, 201, 201, 429])
  await strict.close()
})

function signUp(email: string) {
  const account = { userId: 'unique()', email, password: TEST_PASSWORD }
  return server.newBrowser().call('POST', '/account', account)
}

function signIn(email: string, password = TEST_PASSWORD) {
  return server.newBrowser().call('POST', '/account/sessions/email', { email, password })
}

function changeAddress(browser: TestBrowser, email: string) {
  return browser.call('PATCH', '/account/email', { email, password: TEST_PASSWORD })
}

function signInByProxy(email: string) {
  const headers = { 'remote-email': utf8Header(email) }
  return server.newBrowser().call('POST', '/stint/proxy/session', {}, headers)
}

/** Returns the value as proxies write it: a header is bytes, which fetch takes as Latin-1. */
function utf8Header(text: string): string {
  return Buffer.from(text).toString('latin1')
}
