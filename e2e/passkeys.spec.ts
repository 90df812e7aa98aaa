/** Passkeys, with an authenticator that Chromium simulates. They need a name as the address: localhost. */
import type { Page } from '@playwright/test'

import { createUser, PASSWORD } from './backend.ts'
import { expect, FAILED_REQUEST, signIn, test } from './fixtures.ts'
import { expectClear } from './looks.ts'
import { startServer } from './server.ts'
import type { RunningServer } from './server.ts'

const NEW_PASSWORD = 'Even better horse 8'

let own: RunningServer
let url: string
let people = 0

test.beforeAll(async () => {
  own = await startServer()
  url = own.url.replace('127.0.0.1', 'localhost')
})
test.afterAll(() => own.remove())
test.beforeEach(({ expectConsole }) => expectConsole(FAILED_REQUEST))

test('somebody signs up with a passkey, signs in with it, and sees it in the settings', async ({
  page,
}) => {
  await withoutAutofill(page)
  await authenticator(page)
  const email = await signUp(page)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.goto(`${url}/settings#account`)
  await expect(page.getByText(email)).toBeVisible()
  const own = passkeys(page).getByRole('listitem')
  await expect(own).toHaveCount(1)
  await expect(own).toContainText('Chrome on Linux')
  await expect(own).toContainText('Last used: Today')
  await expect(page.getByRole('button', { name: 'Set password' })).toBeVisible()
})

test('the pages with passkeys are clear at every width and in both themes @long', async ({
  page,
}) => {
  await withoutAutofill(page)
  await authenticator(page)
  await page.goto(`${url}/login`)
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
  await expectClear(page, 'passkeys-login', [390, 768, 1280])
  await page.goto(`${url}/signup`)
  await expect(page.getByRole('button', { name: 'Use a passkey instead' })).toBeVisible()
  await expectClear(page, 'passkeys-signup', [390, 768, 1280])
  await signUp(page)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.goto(`${url}/settings#account`)
  await expect(passkeys(page).getByRole('listitem')).toHaveCount(1)
  await expectClear(page, 'passkeys-settings', [390, 768, 1280])
  for (const [button, name] of [
    ['Add passkey', 'add'],
    ['Rename Chrome on Linux', 'rename'],
    ['Remove Chrome on Linux', 'only'],
    ['Set password', 'set-password'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectClear(page, `passkeys-${name}`, [390, 768, 1280])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})

test('nothing moves on the sign-in page when the button appears @long', async ({ page }) => {
  await withoutAutofill(page)
  await page.goto(`${url}/login`)
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
  // Layout shifts are known when the next frames have been drawn.
  const moved = await page.evaluate(async () => {
    const shifts: PerformanceEntry[] = []
    const observer = new PerformanceObserver((list) => void shifts.push(...list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    for (let drawn = 0; drawn < 10; drawn += 1)
      await new Promise((resolve) => void requestAnimationFrame(resolve))
    return shifts.length + observer.takeRecords().length
  })
  expect(moved).toBe(0)
})

test('a passkey that is chosen in the list of the email field signs in @long', async ({ page }) => {
  await authenticator(page)
  await signUp(page)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  // Chromium has no list in a test: it takes the passkey as chosen, once the page offers passkeys there.
  await signOut(page)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('a second passkey is added with the first, and both are renamed and removed; the last one stays until there is a password @long', async ({
  page,
}) => {
  await withoutAutofill(page)
  const phone = await authenticator(page)
  await signUp(page)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.goto(`${url}/settings#account`)
  const own = passkeys(page).getByRole('listitem')

  await page.getByRole('button', { name: 'Remove Chrome on Linux' }).click()
  await expect(page.getByRole('dialog')).toContainText('It is the only way into your account.')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Blue key')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  // The phone has a passkey of this account, so it makes no second one.
  const create = dialog.getByRole('button', { name: 'Create passkey' })
  await create.click()
  await expect(dialog.getByRole('alert')).toContainText('already has a passkey for your account')
  await phone.set('setAutomaticPresenceSimulation', { enabled: false })
  await authenticator(page, 'usb')
  await create.click()
  await expect(own).toHaveCount(2)
  await expect(own.last()).toContainText('Blue key')
  await expect(own.last()).toContainText('Never used')

  await page.getByRole('button', { name: 'Rename Chrome on Linux' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Phone')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(own.first()).toContainText('Phone')
  await page.getByRole('button', { name: 'Remove Phone' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(own).toHaveCount(1)
  await expect(own).toContainText('Blue key')

  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('dialog').getByLabel('New password').fill(NEW_PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Password set.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove Blue key' }).click()
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).last().fill(NEW_PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(passkeys(page)).toBeHidden()
})

test('somebody with a password adds a passkey, which a wrong password does not @long', async ({
  page,
}) => {
  await withoutAutofill(page)
  await authenticator(page)
  await signIn(page, await createUser(page.request, own.url), url)
  await page.goto(`${url}/settings#account`)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Password', { exact: true }).fill('wrong horse 22')
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Incorrect password.')
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await expect(page.getByText('Passkey added')).toBeVisible()
  await expect(passkeys(page).getByRole('listitem')).toContainText('Never used')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Remove Chrome on Linux' }).click()
  await expectClear(page, 'passkeys-remove')
})

test('a passkey whose owner is not verified does not sign in, and the form says so @long', async ({
  page,
}) => {
  await withoutAutofill(page)
  const phone = await authenticator(page)
  await signUp(page)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await signOut(page)
  await phone.set('setUserVerified', { isUserVerified: false })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'No passkey was used. Try again when you are ready.',
  )
  await expectClear(page, 'passkeys-not-verified')
  await phone.set('setUserVerified', { isUserVerified: true })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('what a passkey signs for a page of another origin is refused @long', async ({ page }) => {
  await withoutAutofill(page)
  await authenticator(page)
  await signUp(page)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  const call = { headers: { 'X-Appwrite-Project': 'stint' } }
  const options = await page.request.post(`${url}/v1/stint/passkeys/sign-in/options`, call)
  const { challenge } = await options.json()
  const elsewhere = await startServer()
  try {
    // The same domain, with the port of another server: the passkey signs, and says where.
    await page.goto(`${elsewhere.url.replace('127.0.0.1', 'localhost')}/terms`)
    const assertion = await page.evaluate(signHere, challenge)
    const refused = await page.request.post(`${url}/v1/stint/passkeys/sign-in`, {
      ...call,
      data: { assertion },
    })
    expect((await refused.json()).type).toBe('stint_passkey_refused')
  } finally {
    await elsewhere.remove()
  }
})

test('a passkey that was removed is said to be unknown @long', async ({ page }) => {
  await withoutAutofill(page)
  await authenticator(page)
  await signUp(page)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.goto(`${url}/settings#account`)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('dialog').getByLabel('New password').fill(NEW_PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Password set.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove Chrome on Linux' }).click()
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).last().fill(NEW_PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(passkeys(page)).toBeHidden()
  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'No account here has this passkey. It may have been removed.',
  )
})

test('without a name as its address the server offers no passkeys @long', async ({ page }) => {
  const info = page.waitForResponse((reply) => reply.url().endsWith('/v1/stint/info'))
  await page.goto(`${own.url}/login`)
  expect((await (await info).json()).passkeyDomain).toBe(null)
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'passkey' })).toHaveCount(0)
})

/** Plugs an authenticator in: a device with its own, or a security key. It confirms everything at once. */
async function authenticator(page: Page, transport: 'internal' | 'usb' = 'internal') {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    set: (
      what: 'setAutomaticPresenceSimulation' | 'setUserVerified',
      value: { enabled: boolean } | { isUserVerified: boolean },
    ) => cdp.send(`WebAuthn.${what}`, { authenticatorId, ...value }),
  }
}

/** Keeps the page from offering passkeys in the list of the email field, where Chromium takes one without a press. */
async function withoutAutofill(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
}

/** Signs up with a passkey. Returns the address. */
async function signUp(page: Page): Promise<string> {
  const email = `passkey-${process.pid}-${Date.now()}-${(people += 1)}@example.com`
  await page.goto(`${url}/signup`)
  await page.getByLabel('Full Name').fill('Grace Hopper')
  await page.getByLabel('Email Address').fill(email)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  return email
}

/** Ends the session, and opens the sign-in page unless it comes by itself. */
async function signOut(page: Page): Promise<void> {
  await page.goto(`${url}/settings#devices`)
  // Where a passkey is taken without a press, the page is there for a moment only.
  const left = page.waitForURL(`${url}/login`)
  await page.getByRole('button', { name: 'Sign out this device only' }).click()
  await left
}

function passkeys(page: Page) {
  return page.getByRole('list', { name: 'Passkeys' })
}

/** Has a passkey of this domain sign, as a page does. Runs in the page. */
async function signHere(challenge: string): Promise<unknown> {
  const bytes = Uint8Array.from(
    atob(challenge.replaceAll('-', '+').replaceAll('_', '/')),
    (character) => character.charCodeAt(0),
  )
  const publicKey = { challenge: bytes, rpId: 'localhost', userVerification: 'required' } as const
  const signed = await navigator.credentials.get({ publicKey })
  return signed instanceof PublicKeyCredential ? signed.toJSON() : null
}
