/** What people do with passkeys, by the routes of the API. */
import { makePasskey, signWith } from './authenticator.ts'
import type { Lies, Passkey } from './authenticator.ts'
import { TEST_PASSWORD } from './test-app.ts'
import type { Reply, TestApp, TestBrowser } from './test-app.ts'

/** Creates an account with a passkey in place of a password, and signs the browser in. */
export async function signUpWithPasskey(browser: TestBrowser, email: string, name = 'Bea') {
  const person = { email, name }
  const begun = await browser.call('POST', '/stint/passkeys/sign-up/options', person)
  const { passkey, registration } = makePasskey(begun.body)
  const made = { ...person, passkeyName: 'Phone', registration }
  const reply = await browser.call('POST', '/stint/passkeys/sign-up', made)
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
  return { passkey, reply }
}

/** Adds a passkey to the account that the browser is signed in to. Returns it with its id in the API. */
export async function addPasskey(
  browser: TestBrowser,
  proof: object = { password: TEST_PASSWORD },
  name = 'Laptop',
): Promise<{ id: string; passkey: Passkey }> {
  const { body: options } = await browser.call('POST', '/stint/passkeys/options', proof)
  const { passkey, registration } = makePasskey(options)
  const { status, body } = await browser.call('POST', '/stint/passkeys', { name, registration })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { id: body.id, passkey }
}

/** Signs the browser in. */
export async function signInWithPasskey(
  browser: TestBrowser,
  passkey: Passkey,
  lies: Lies = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { body: options } = await browser.call('POST', '/stint/passkeys/sign-in/options', {})
  const assertion = signWith(passkey, options, lies)
  return browser.call('POST', '/stint/passkeys/sign-in', { assertion }, headers)
}

/** Returns what a passkey signs to confirm who is signed in. */
export async function proofBy(browser: TestBrowser, passkey: Passkey) {
  const { body: options } = await browser.call('POST', '/stint/passkeys/proof/options', {})
  return signWith(passkey, options)
}

/** Calls every route of passkeys that writes, as somebody with `TEST_PASSWORD`. Returns the names of the routes. */
export async function callEveryPasskeyRoute(
  server: TestApp,
  browser: TestBrowser,
): Promise<string[]> {
  const { id, passkey } = await addPasskey(browser)
  const one = `/stint/passkeys/${id}`
  const password = { password: TEST_PASSWORD }
  const replies = [
    (await signUpWithPasskey(server.newBrowser(), `passkey.${id}@example.com`)).reply,
    await signInWithPasskey(server.newBrowser(), passkey),
    await browser.call('PATCH', one, { name: 'Old laptop' }),
    await browser.call('PUT', '/stint/passkeys/password', {
      ...password,
      assertion: await proofBy(browser, passkey),
    }),
    await browser.call('POST', `${one}/removal`, password),
  ]
  const refused = replies.find(({ status }) => status >= 400)
  if (refused !== undefined) throw new Error(JSON.stringify(refused.body))
  return [
    'POST /v1/stint/passkeys/sign-up/options',
    'POST /v1/stint/passkeys/sign-up',
    'POST /v1/stint/passkeys/sign-in/options',
    'POST /v1/stint/passkeys/sign-in',
    'POST /v1/stint/passkeys/options',
    'POST /v1/stint/passkeys',
    'POST /v1/stint/passkeys/proof/options',
    'PATCH /v1/stint/passkeys/:passkeyId',
    'POST /v1/stint/passkeys/:passkeyId/removal',
    'PUT /v1/stint/passkeys/password',
  ]
}
