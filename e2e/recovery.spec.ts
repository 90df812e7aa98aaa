import type { Page } from '@playwright/test'

import { linkIn, startTestSmtp } from '@stint/testing/smtp.ts'

import { API_CALL, createUser, PASSWORD, signInThroughApi } from './backend.ts'
import { expect, FAILED_REQUEST, test } from './fixtures.ts'
import { expectAccessible, expectClear } from './looks.ts'
import { startServer } from './server.ts'

const NEW_PASSWORD = 'Even better horse 8'
test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a mailed link replaces a forgotten password once and signs out all devices @long', async ({
    page,
    browser,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    // A link does not contain the address it was sent to, so the form cannot have it either.
    expectConsole(/Password forms should have .* username fields/)
    const smtp = await startTestSmtp()
    const server = await startServer({
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Stint <stint@example.com>',
    })
    try {
      const user = await createUser(page.request, server.url)
      const elsewhere = await browser.newContext()
      await signInThroughApi(elsewhere.request, server.url, user)

      await page.goto(`${server.url}/login`)
      await page.getByLabel('Email Address').fill(user.email)
      await page.getByRole('button', { name: 'Forgot password?' }).click()
      await expect(page.getByLabel('Email Address')).toHaveValue(user.email)
      await expectClear(page, 'forgot')
      const mail = smtp.nextMail()
      await page.getByRole('button', { name: 'Send link' }).click()
      await expect(page.getByText('a reset link is on its way')).toBeVisible()
      const link = linkIn(await mail).href

      await expectForgotten(page, link, 'Choose a new password', 'Forgot your password?')
      await expectClear(page, 'recovery-reloaded')
      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
      const save = page.getByRole('button', { name: 'Set password' })
      await expect(save).toBeDisabled()
      await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
      await page.getByLabel('Confirm Password').fill('something else')
      await expect(page.getByText('Passwords do not match')).toBeVisible()
      await page.getByLabel('Confirm Password').fill(NEW_PASSWORD)
      await expectClear(page, 'recovery')
      await save.click()
      await expect(page.getByText('Your password was changed')).toBeVisible()

      const account = await elsewhere.request.get(`${server.url}/v1/account`, API_CALL)
      expect(account.status()).toBe(401)
      await elsewhere.close()

      await page.getByRole('link', { name: 'Sign In' }).click()
      await signInWith(page, user.email, PASSWORD)
      await expect(page.getByRole('alert')).toHaveText(
        'Invalid credentials. Please check the email and password.',
      )
      await signInWith(page, user.email, NEW_PASSWORD)
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

      // The link was used, so it no longer works.
      await page.goto(link)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByLabel('Confirm Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Set password' }).click()
      await expect(page.getByText('This link has expired or was already used.')).toBeVisible()
      await page.getByRole('link', { name: 'Request a new link' }).click()
      await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
    } finally {
      await server.remove()
      await smtp.close()
    }
  })
})

test('an address is confirmed by a press, not by a mail program that opens links @long', async ({
  page,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const smtp = await startTestSmtp()
  const server = await startServer({ SMTP_URL: smtp.url, MAIL_FROM: 'stint@example.com' })
  try {
    const user = await createUser(page.request, server.url)
    await signInThroughApi(page.request, server.url, user)
    const mail = smtp.nextMail()
    await page.request.post(`${server.url}/v1/account/verifications/email`, {
      ...API_CALL,
      data: { url: `${server.url}/verify` },
    })
    const link = linkIn(await mail).href
    await expectForgotten(page, link, 'Confirm your email address', 'Confirm your email address')
    await expect(page.getByRole('button', { name: 'Confirm email' })).toHaveCount(0)
    await page.goto(link)
    await expectAccessible(page)
    expect(await isVerified()).toBe(false)
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(page.getByText('Your email address is confirmed.')).toBeVisible()
    expect(await isVerified()).toBe(true)

    await page.goto(`${server.url}/verify?userId=${user.id}`)
    await expect(page.getByText('This link is incomplete.')).toBeVisible()
  } finally {
    await server.remove()
    await smtp.close()
  }

  async function isVerified(): Promise<unknown> {
    const response = await page.request.get(`${server.url}/v1/account`, API_CALL)
    const account: unknown = await response.json()
    return Object.getOwnPropertyDescriptor(account, 'emailVerification')?.value
  }
})

test('without a mail server the button shows whom to ask @long', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Forgot your password?' })
  await expect(dialog).toContainText('This server can’t send email')
  await expect(dialog.getByRole('link', { name: 'Write to support' })).toHaveAttribute(
    'href',
    /^mailto:support@127\.0\.0\.1/,
  )
})

/**
 * Opens the link of a mail, and expects that its secret is stored nowhere beyond the visit: not in
 * the address, the history, the browser's storage, a referrer, or the reloaded page, which says so.
 */
async function expectForgotten(
  page: Page,
  link: string,
  heading: string,
  afterwards: string,
): Promise<void> {
  const secret = new URL(link).searchParams.get('secret') ?? ''
  expect(secret).not.toBe('')
  const referrers: (string | undefined)[] = []
  page.on('request', (request) => referrers.push(request.headers()['referer']))
  await page.goto(link)
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  const { origin, pathname } = new URL(link)
  await expect(page).toHaveURL(origin + pathname)
  const kept = await page.evaluate(() =>
    JSON.stringify([history.state, localStorage, sessionStorage, document.cookie]),
  )
  expect(kept).not.toContain(secret)

  // The terms are a document of their own. If it is left while its script loads, that is an error.
  const script = page.waitForResponse(/\/assets\/public-/)
  await page.getByRole('link', { name: 'Terms' }).click()
  await expect(page).toHaveURL(/\/terms$/)
  await expect(page.getByRole('heading', { level: 1, name: /terms/i })).toBeVisible()
  expect(await page.evaluate(() => document.referrer)).not.toContain(secret)
  await (await script).finished()
  await page.goBack()
  await expect(page).toHaveURL(origin + pathname)
  await page.reload()
  await expect(page.getByRole('heading', { name: afterwards })).toBeVisible()
  await expect(
    page.getByText('This page was reloaded. Open the link in your email again.'),
  ).toBeVisible()
  await expect(page).toHaveURL(origin + pathname)
  expect(referrers.join()).not.toContain(secret)
}

async function signInWith(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}
