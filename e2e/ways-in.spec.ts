/**
 * The ways in beside the password: a provider, a proxy in front, invitations; and a server on which
 * nobody new can sign up.
 */
import type { BrowserContext, Page } from '@playwright/test'

import { startTestProvider } from '@stint/testing/sign-in-provider.ts'
import type { TestProvider } from '@stint/testing/sign-in-provider.ts'

import { createUser, PASSWORD } from './backend.ts'
import { expect, FAILED_REQUEST, offlineReady, signIn, test } from './fixtures.ts'
import { expectClear } from './looks.ts'
import { startServer } from './server.ts'
import type { RunningServer } from './server.ts'

let own: RunningServer

test.describe('a provider', () => {
  let provider: TestProvider

  test.beforeAll(async () => {
    provider = await startTestProvider()
    own = await startServer(provider.environment)
    provider.serve(own.url)
    provider.people.set('ann', { email: 'ann@example.com', email_verified: true, name: 'Ann Ames' })
    provider.people.set('bob', { email: 'bob@example.com', email_verified: false, name: 'Bob' })
  })
  test.afterAll(async () => {
    await own.remove()
    await provider.close()
  })

  test('signs a person up, and in again to the same account @long', async ({
    page,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    await page.goto(`${own.url}/signup`)
    await expect(button(page)).toBeVisible()
    await expectClear(page, 'signup-provider')
    await button(page).click()
    await signInThere(page, 'ann')
    await expect(page).toHaveURL(`${own.url}/dashboard`)
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await page.goto(`${own.url}/settings`)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ann Ames')
    await expect(page.getByText('ann@example.com')).toBeVisible()
    await expect(page.getByText('Verified', { exact: true })).toBeVisible()

    await signOut(page)
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await expect(button(page)).toBeVisible()
    await expectClear(page, 'login-provider')
    // The provider still knows the person, so it shows no form.
    await page.getByLabel('Remember me').check()
    await button(page).click()
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await page.goto(`${own.url}/settings`)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ann Ames')
  })

  test('finds the account by password with its address, and ends what a stranger had of it @long', async ({
    page,
    browser,
    request,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    const user = await createUser(request, own.url, 'Cleo')
    provider.people.set('cleo', { email: user.email, email_verified: true })
    const stranger = await browser.newPage()
    await signIn(stranger, user, own.url)
    await page.goto(`${own.url}/login`)
    await button(page).click()
    await signInThere(page, 'cleo')
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await page.goto(`${own.url}/settings`)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Cleo')
    await stranger.reload()
    await expect(stranger.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await stranger.close()
  })

  test('that refuses, or vouches for no address, leads back with the reason @long', async ({
    page,
  }) => {
    await page.goto(`${own.url}/login`)
    await button(page).click()
    await page.getByRole('link', { name: 'Refuse' }).click()
    await expect(page.getByRole('alert')).toHaveText('The sign-in was cancelled or refused.')

    await button(page).click()
    await signInThere(page, 'bob')
    await expect(page.getByRole('alert')).toHaveText(
      'Your email address isn’t verified there. Verify it, then sign in again.',
    )
    await expectClear(page, 'login-unverified')
  })
})

test.describe('a proxy in front', () => {
  test.beforeAll(async () => {
    own = await startServer({
      TRUST_PROXY: 'loopback',
      AUTH_PROXY_HEADER: 'Remote-Email',
      AUTH_PROXY_NAME_HEADER: 'Remote-Name',
      AUTH_PROXY_LOGOUT_URL: 'https://auth.example.com/logout',
    })
  })
  test.afterAll(() => own.remove())

  test('signs people in without a form, each to their own account @long', async ({
    page,
    context,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    await comesAs(context, 'ann')
    await page.goto(own.url)
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await page.goto(`${own.url}/settings`)
    await expect(page.getByText('ann@example.com')).toBeVisible()
    const phone = await context.browser()?.newContext()
    const later = await phone?.newPage()
    if (!phone || !later) throw new Error('There is no browser')
    await comesAs(phone, 'ann')
    // A deep address is opened after the sign-in.
    await later.goto(`${own.url}/settings`)
    await expect(later.getByText('ann@example.com')).toBeVisible()
    await phone.close()

    await comesAs(context, 'bob')
    await page.goto(`${own.url}/settings`)
    await expect(page.getByText('bob@example.com')).toBeVisible()
    await expect(page.getByText('ann@example.com')).toHaveCount(0)
  })

  test('offers the person a way back after a sign-out @long', async ({
    page,
    context,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    await comesAs(context, 'cleo')
    await page.goto(own.url)
    await signOut(page)
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    const back = page.getByRole('button', { name: 'Continue as cleo@example.com' })
    await expect(back).toBeVisible()
    await expectClear(page, 'login-proxy')
    await expect(page.getByRole('link', { name: 'Sign out there too' })).toHaveAttribute(
      'href',
      'https://auth.example.com/logout',
    )
    await back.click()
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  })
})

test.describe('closed sign-up', () => {
  test.use({ serviceWorkers: 'allow' })
  test.beforeAll(async () => {
    own = await startServer()
  })
  test.afterAll(() => own.remove())

  test('shows the sign-in page first, and no way to sign up @long', async ({
    page,
    context,
    request,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    const user = await createUser(request, own.url)
    await signIn(page, user, own.url)
    await offlineReady(page)
    await signOut(page)
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await own.restartWith({ SIGNUP: 'closed' })

    const guest = await context.browser()?.newContext()
    const first = await guest?.newPage()
    if (!guest || !first) throw new Error('There is no browser')
    const loaded: string[] = []
    first.on('request', (sent) => {
      if (sent.isNavigationRequest()) loaded.push(new URL(sent.url()).pathname)
    })
    await first.goto(own.url)
    await expect(first.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await expect(first.getByRole('button', { name: 'Sign In' })).toBeEnabled()
    await expect(first).toHaveURL(`${own.url}/login`)
    await expect(first.getByRole('link', { name: 'Sign up' })).toHaveCount(0)
    await expectClear(first, 'login-closed')
    await first.getByRole('link', { name: 'Terms' }).click()
    await expect(first.getByRole('heading', { name: 'Terms' }).first()).toBeVisible()
    await first.getByRole('link', { name: 'Back to home' }).click()
    await expect(first.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await expect(first).toHaveURL(`${own.url}/login`)

    await first.goto(`${own.url}/signup`)
    await expect(first.getByText('Sign-ups are closed on this server.')).toBeVisible()
    expect(loaded, 'the redirect to the sign-in page loads no page').toEqual([
      '/',
      '/terms',
      '/',
      '/signup',
    ])
    await expect(first.getByRole('button', { name: 'Create Account' })).toHaveCount(0)
    await expectClear(first, 'signup-closed')
    await first.getByRole('link', { name: 'Sign in', exact: true }).click()
    await expect(first.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await guest.close()

    // The browser with the service worker learns of it at its next visit, and offline as well.
    await page.goto(`${own.url}/login`)
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      await registration?.update()
      const next = registration?.installing ?? registration?.waiting
      if (!next) throw new Error('There is no other service worker')
      if (next.state !== 'installed') {
        await new Promise((done) => next.addEventListener('statechange', done, { once: true }))
      }
      const active = new Promise((done) =>
        navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }),
      )
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      next.postMessage({ type: 'SKIP_WAITING' })
      await active
    })
    await context.setOffline(true)
    await page.goto(own.url)
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeEnabled()
    await page.goto(`${own.url}/terms`)
    await page.getByRole('link', { name: 'Back to home' }).click()
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  })
})

test.describe('sign-up by invitation', () => {
  test.beforeAll(async () => {
    own = await startServer({ SIGNUP: 'invite' })
  })
  test.afterAll(() => own.remove())

  test('works with the link, once, and says so without one @long', async ({
    page,
    browser,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    await page.goto(own.url)
    await page.getByRole('link', { name: 'Start Tracking for Free' }).click()
    await expect(
      page.getByText(
        'Sign-ups on this server need an invitation. Ask your administrator for a link.',
      ),
    ).toBeVisible()
    await expectClear(page, 'signup-uninvited')

    const link = await own.admin('invite', 'grace@example.com')
    await page.goto(link)
    await expect(page).toHaveURL(`${own.url}/signup`)
    await fill(page, 'ada@example.com')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('alert')).toContainText('Your invitation can’t be used')
    // A reload keeps the invitation, and the link works for its address.
    await page.reload()
    await fill(page, 'grace@example.com')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

    const guest = await browser.newPage()
    await guest.goto(link)
    await fill(guest, 'grace@example.org')
    await guest.getByRole('button', { name: 'Create Account' }).click()
    await expect(guest.getByRole('alert')).toContainText('Your invitation can’t be used')
    await guest.close()
  })
})

async function signOut(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: 'Sign Out' }).click()
}

function button(page: Page) {
  return page.getByRole('button', { name: 'Sign in with Home' })
}

async function signInThere(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name at Home').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function comesAs(context: BrowserContext, name: string): Promise<void> {
  await context.setExtraHTTPHeaders({ 'Remote-Email': `${name}@example.com` })
}

async function fill(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full Name').fill('Grace Hopper')
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('checkbox').check()
}
