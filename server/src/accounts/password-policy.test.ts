import { expect, test } from 'vitest'
import { linkIn, startTestSmtp } from '@stint/testing/smtp.ts'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import { passwordHasher } from './password-hash.ts'

const COMMON = {
  status: 400,
  body: {
    type: 'general_argument_invalid',
    message:
      'Invalid `password` param: Password must be between 8 and 265 characters long, and should not be one of the commonly used password.',
  },
}
const PERSONAL = { status: 400, body: { type: 'password_personal_data' } }
const server = serverForFile()
const ann = userForEach(server)

test.each([
  ['password1', COMMON],
  ['PASSWORD1', COMMON],
  ['1q2w3e4r5t', COMMON],
  ['michelle', COMMON],
  ['bob.marley@example.com', PERSONAL],
  ['bob.marley', PERSONAL],
  ['Robert Nesta', PERSONAL],
  ['stint2026', PERSONAL],
])('signing up with the password %j is refused', async (password, refusal) => {
  const account = { userId: 'bob', email: 'Bob.Marley@example.com', name: 'Robert Nesta' }
  expect(await server.browser.call('POST', '/account', { ...account, password })).toMatchObject(
    refusal,
  )
})

test('a change to a weak password is refused, and the old one stays valid', async () => {
  const change = (password: string, oldPassword = TEST_PASSWORD) =>
    ann.call('PATCH', '/account/password', { password, oldPassword })
  expect(await change('password1')).toMatchObject(COMMON)
  expect(await change(ann.email)).toMatchObject(PERSONAL)
  expect((await change('password1', 'wrong horse 1')).status).toBe(401)
  const again = await server.newBrowser().call('POST', '/account/sessions/email', ann)
  expect(again.status).toBe(201)
})

test('a recovery with a weak password is refused, and the link still works', async () => {
  const smtp = await startTestSmtp()
  const mailing = await createTestApp({ db: server.db, config: { smtpUrl: smtp.url } })
  const mail = smtp.nextMail()
  const url = 'http://localhost:3000/recovery'
  await mailing.browser.call('POST', '/account/recovery', { email: ann.email, url })
  const { userId, secret } = Object.fromEntries(linkIn(await mail).searchParams)
  const recover = (password: string) =>
    mailing.browser.call('PUT', '/account/recovery', { userId, secret, password })
  expect(await recover('password1')).toMatchObject(COMMON)
  expect(await recover(ann.email)).toMatchObject(PERSONAL)
  expect((await recover('new horse 22')).status).toBe(200)
  await mailing.close()
  await smtp.close()
})

test('an account that already has a common password can still sign in', async () => {
  const { db } = server
  const hasher = passwordHasher({ memoryKibibytes: 64, passes: 1 })
  const password_hash = await hasher.hash('password1')
  await db.write((tx) =>
    tx.run(
      tx.changeAccounts().updateTable('users').set({ password_hash }).where('id', '=', ann.id),
    ),
  )
  const credentials = { email: ann.email, password: 'password1' }
  const reply = await server.newBrowser().call('POST', '/account/sessions/email', credentials)
  expect(reply.status).toBe(201)
})
