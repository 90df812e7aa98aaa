import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { linkIn, startTestSmtp } from '@stint/testing/smtp.ts'
import type { TestSmtp } from '@stint/testing/smtp.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { TestApp, TestUser } from '@stint/testing/test-app.ts'
import { testSockets } from '@stint/testing/test-sockets.ts'
import type { TestSocket } from '@stint/testing/test-sockets.ts'

const PAGE = 'http://localhost:3000/verify'
const sockets = testSockets()
let server: TestApp
let smtp: TestSmtp
let ann: TestUser
let laptop: TestSocket

// A server is for all tests, and a person for each, whom no other one meets.
beforeAll(async () => {
  smtp = await startTestSmtp()
  server = await createTestApp({
    config: { smtpUrl: smtp.url, mailFrom: 'Stint <stint@example.com>' },
  })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
})
beforeEach(async () => {
  ann = await server.signedInUser()
  laptop = await sockets.subscribed(server, ann, ['account'])
})
afterEach(() => sockets.closeAll())
afterAll(async () => {
  await server.close()
  await smtp.close()
})

test.each([
  ['name', { name: 'Anna' }, { name: 'Anna' }],
  ['prefs', { prefs: { theme: 'dark' } }, { prefs: { theme: 'dark' } }],
  [
    'email',
    { email: 'anna@example.com', password: 'correct horse 1' },
    { email: 'anna@example.com' },
  ],
  ['password', { password: 'new horse 22', oldPassword: 'correct horse 1' }, {}],
])(
  'a change of %s reaches every device under all event names of Appwrite',
  async (what, body, payload) => {
    expect((await ann.call('PATCH', `/account/${what}`, body)).status).toBe(200)
    const { data } = await laptop.next()
    expect(data).toMatchObject({ subscriptions: ['s1'], payload: { $id: ann.id, ...payload } })
    expect(data.events).toEqual([
      `users.${ann.id}.update.${what}`,
      `users.*.update.${what}`,
      `users.${ann.id}.update`,
      'users.*.update',
      `users.${ann.id}`,
      'users.*',
    ])
    expect(data.channels).toEqual([
      'account',
      `account.${ann.id}`,
      'account.update',
      `account.${ann.id}.update`,
    ])
  },
)

test('creating, extending and ending a session elsewhere reaches the other device', async () => {
  const phone = server.newBrowser()
  const signedIn = await phone.call('POST', '/account/sessions/email', ann)
  const { $id } = signedIn.body
  expect(await laptop.next()).toMatchObject(
    eventOf('sessions', $id, 'create', { $id, userId: ann.id, secret: '' }),
  )
  await phone.call('PATCH', '/account/sessions/current')
  expect(await laptop.next()).toMatchObject(
    eventOf('sessions', $id, 'update', { $id, userId: ann.id, secret: '' }),
  )
  await phone.call('DELETE', '/account/sessions/current')
  expect(await laptop.next()).toMatchObject(
    eventOf('sessions', $id, 'delete', { $id, userId: ann.id }),
  )
})

test('a changed password sends the remaining device an event for each ended session', async () => {
  const phone = server.newBrowser()
  const { $id } = (await phone.call('POST', '/account/sessions/email', ann)).body
  expect((await laptop.next()).data.events).toContain(`users.${ann.id}.sessions.${$id}.create`)
  const phones = await sockets.subscribed(server, phone, ['account'])
  await ann.call('PATCH', '/account/password', {
    password: 'new horse 22',
    oldPassword: 'correct horse 1',
  })
  expect(await phones.closed).toBe(4401)
  expect(await laptop.next()).toMatchObject(
    eventOf('sessions', $id, 'delete', { $id, userId: ann.id }),
  )
  expect((await laptop.next()).data.events).toContain(`users.${ann.id}.update.password`)
})

test('sending and using a verification reaches every device, without its secret', async () => {
  const sent = smtp.nextMail()
  const token = (await ann.call('POST', '/account/verifications/email', { url: PAGE })).body
  expect(await laptop.next()).toMatchObject(eventOf('verification', token.$id, 'create', token))
  const { userId, secret } = Object.fromEntries(linkIn(await sent).searchParams)
  await server.newBrowser().call('PUT', '/account/verifications/email', { userId, secret })
  expect(await laptop.next()).toMatchObject(eventOf('verification', token.$id, 'update', token))
})

test('requesting a recovery reaches every device, and so does its use before their sockets are closed', async () => {
  const sent = smtp.nextMail()
  const stranger = server.newBrowser()
  const asked = await stranger.call('POST', '/account/recovery', { email: ann.email, url: PAGE })
  const created = await laptop.next()
  const token = created.data.payload
  // The two replies differ only in the address.
  expect(token).toEqual({ ...asked.body, userId: ann.id })
  expect(created).toMatchObject(eventOf('recovery', token.$id, 'create', token))
  const { userId, secret } = Object.fromEntries(linkIn(await sent).searchParams)
  const body = { userId, secret, password: 'new horse 22' }
  await server.newBrowser().call('PUT', '/account/recovery', body)
  expect(await laptop.next()).toMatchObject(eventOf('recovery', token.$id, 'update', token))
  expect(await laptop.closed).toBe(4401)
})

test('a channel with an action receives changes of the caller’s own account only', async () => {
  const bob = await server.signedInUser()
  const updates = await sockets.connect(server, ann)
  await updates.next()
  const channels = ['account.update', `account.${bob.id}.update`, `account.${bob.id}`]
  updates.send({ type: 'subscribe', data: [{ subscriptionId: 's1', channels }] })
  expect((await updates.next()).data.subscriptions).toEqual([
    {
      subscriptionId: 's1',
      channels: ['account.update', `account.${ann.id}.update`],
      queries: [],
    },
  ])
  await bob.call('PATCH', '/account/name', { name: 'Bobby' })
  await server.newBrowser().call('POST', '/account/sessions/email', ann)
  await ann.call('PATCH', '/account/name', { name: 'Anna' })
  expect(await updates.next()).toMatchObject({ data: { payload: { name: 'Anna' } } })
})

/** Returns the event of something that belongs to Ann's account. */
function eventOf(kind: string, id: string, action: string, payload: object) {
  const names = [
    `users.${ann.id}.${kind}.${id}`,
    `users.${ann.id}.${kind}.*`,
    `users.*.${kind}.${id}`,
    `users.*.${kind}.*`,
  ]
  const actions = names.map((name) => `${name}.${action}`)
  return {
    data: {
      payload,
      events: [...actions, ...names, `users.${ann.id}`, 'users.*'],
      channels: ['account', `account.${ann.id}`],
    },
  }
}
