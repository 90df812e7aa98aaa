/** A code of an authenticator app after the password. */
import type { Page } from '@playwright/test'

import { codeOf } from '@stint/testing/second-factor.ts'

import { PASSWORD } from './backend.ts'
import type { TestUser } from './backend.ts'
import { expect, FAILED_REQUEST, test } from './fixtures.ts'
import { expectClear } from './looks.ts'

const STEP = 30_000

test('a code is asked for after the password, until it is turned off @long', async ({
  page,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await user.open('/settings#account')
  await page.getByRole('button', { name: 'Turn on the code at sign-in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Code at sign-in' })
  await dialog.getByLabel('Password', { exact: true }).fill('wrong horse 22')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Incorrect password.')
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()

  await expect(dialog.getByRole('img', { name: 'The key as a QR code' })).toBeVisible()
  const key = (await dialog.getByRole('code').innerText()).replaceAll(' ', '')
  await expectClear(page, 'second-factor-key', [390, 768, 1280])
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('This code is wrong or was used already.')
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(key, Date.now()))
  await dialog.getByRole('button', { name: 'Turn on' }).click()

  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  const [first = '', second = ''] = await codes.getByRole('listitem').allInnerTexts()
  await expectClear(page, 'second-factor-recovery', [390, 768, 1280])
  await codes.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible()
  await expectClear(page, 'second-factor-settings', [390, 768, 1280])

  await signOut(page)
  await typePassword(page, user)
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
  await expectClear(page, 'second-factor-login', [390, 768, 1280])
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('This code is wrong or was used already.')
  // The code of the next step, as the one of this step may have confirmed the app.
  await page.getByLabel('Code', { exact: true }).fill(codeOf(key, Date.now() + STEP))
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

  await signOut(page)
  await typePassword(page, user)
  await page.getByLabel('Code', { exact: true }).fill(first)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.goto('/settings#account')
  await expect(page.getByText('9 recovery codes are left.')).toBeVisible()
  await page.getByRole('button', { name: 'Turn off the code at sign-in' }).click()
  const off = page.getByRole('dialog', { name: 'Turn off the code?' })
  await off.getByLabel('Code', { exact: true }).fill(first.toLowerCase())
  await off.getByRole('button', { name: 'Turn off' }).click()
  await expect(off.getByRole('alert')).toHaveText('This code is wrong or was used already.')
  await expectClear(page, 'second-factor-off', [390, 768, 1280])
  await off.getByLabel('Code', { exact: true }).fill(second)
  await off.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByRole('button', { name: 'Turn on the code at sign-in' })).toBeVisible()
})

async function typePassword(page: Page, user: TestUser): Promise<void> {
  await page.getByLabel('Email Address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/settings#devices')
  await page.getByRole('button', { name: 'Sign out this device only' }).click()
  await expect(page).toHaveURL(/\/login$/)
}
