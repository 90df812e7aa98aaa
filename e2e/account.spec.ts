import type { Page } from '@playwright/test'

import { linkIn, startTestSmtp } from '@stint/testing/smtp.ts'

import { API_CALL, createUser, PASSWORD } from './backend.ts'
import { expect, FAILED_REQUEST, personOn, startTimer, test } from './fixtures.ts'
import { expectAccessible } from './looks.ts'
import { recordsLeft } from './records-left.ts'
import { startServer } from './server.ts'

const NEW_PASSWORD = 'Even better horse 8'

test.use({ serviceWorkers: 'allow' })

test('a name is saved when the field loses focus, and an empty one is refused @long', async ({
  page,
  user,
}) => {
  await user.open('/settings')
  const name = page.getByLabel('Name', { exact: true })
  await expect(name).toHaveValue('Ada Lovelace')
  await name.fill('  Ada King  ')
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`))
  await name.press('Enter')
  await name.blur()
  await expect(page.getByText('Name saved')).toBeVisible()
  expect(sent.filter((call) => call.endsWith('/account/name'))).toHaveLength(1)
  await page.reload()
  await expect(name).toHaveValue('Ada King')
  await name.fill(' ')
  await name.press('Enter')
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await name.press('Escape')
  await expect(name).toHaveValue('Ada King')
})

test('an address is changed with the password and then confirmed by mail @long', async ({
  page,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const smtp = await startTestSmtp()
  const server = await startServer({ SMTP_URL: smtp.url, MAIL_FROM: 'stint@example.com' })
  try {
    const user = await createUser(page.request, server.url)
    await personOn(page, server, user).open(`${server.url}/settings`)
    const key = { name: 'Old key', access: 'read' }
    await page.request.post(`${server.url}/v1/stint/keys`, { ...API_CALL, data: key })
    await page.reload()
    await expect(page.getByText('Old key')).toBeVisible()
    await page.getByRole('button', { name: 'Change email' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change your email' })
    await expect(dialog).toContainText('This ends your passkeys, your keys and their webhooks')
    await dialog.getByLabel('New email').fill('ada@example.org')
    await dialog.getByLabel('Password', { exact: true }).fill('wrong horse 22')
    await dialog.getByRole('button', { name: 'Change email' }).click()
    await expect(dialog.getByRole('alert').first()).toHaveText('Incorrect password.')
    await expectAccessible(page)
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Change email' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('ada@example.org')).toBeVisible()
    await expect(page.getByText('Not verified')).toBeVisible()
    await expect(page.getByText('Old key')).toHaveCount(0)

    const mail = smtp.nextMail()
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(page.getByText('Link sent.')).toBeVisible()
    const tab = await page.context().newPage()
    await tab.goto(linkIn(await mail).href)
    await tab.getByRole('button', { name: 'Confirm email' }).click()
    await expect(tab.getByText('Your email address is confirmed.')).toBeVisible()
    await tab.close()
    // A headless page never loses the focus, so the test dispatches the event.
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await expect(page.getByText('Verified', { exact: true })).toBeVisible()
    await expect(page.getByText('Link sent.')).toHaveCount(0)

    await page.getByRole('button', { name: 'Change email' }).click()
    await dialog.getByLabel('New email').fill('Ada@Example.org')
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Change email' }).click()
    await expect(dialog.getByRole('alert').first()).toHaveText('That’s already your address.')
  } finally {
    await server.remove()
    await smtp.close()
  }
})

test('a new password requires the old one and signs the other devices out @long', async ({
  page,
  user,
  openDevice,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const phone = await openDevice('/dashboard')
  await expect(phone.getByText('No tasks yet')).toBeVisible()
  await user.open('/settings')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change your password' })
  const save = dialog.getByRole('button', { name: 'Change password' })
  await expect(dialog.getByLabel('Current password')).toBeFocused()
  await dialog.getByLabel('Current password').fill('wrong horse 22')
  const list = page.waitForResponse(/password-check/)
  await dialog.getByLabel('New password').fill('short 1')
  await expect(save).toBeDisabled()
  // A weak password is refused by the list, which loads while it is typed, and is not sent.
  await dialog.getByLabel('New password').fill('password1')
  await list
  await save.click()
  await expect(dialog.getByText('on a list of commonly used passwords')).toBeVisible()
  await dialog.getByLabel('New password').fill(`${user.email}1`)
  await save.click()
  await expect(dialog.getByText('little more than your name')).toBeVisible()
  await dialog.getByLabel('New password').fill(NEW_PASSWORD)
  await expectAccessible(page)
  await save.click()
  await expect(dialog.getByText('Incorrect password.')).toBeVisible()
  await dialog.getByLabel('Current password').fill(PASSWORD)
  await save.click()
  await expect(dialog).toBeHidden()

  await expect(phone).toHaveURL(/\/login$/)
  await phone.getByLabel('Email Address').fill(user.email)
  await phone.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await phone.getByRole('button', { name: 'Sign In' }).click()
  await expect(phone.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('another device is listed and can be signed out @long', async ({ page, user, openDevice }) => {
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const desk = await openDevice('/dashboard', { userAgent: agent })
  await expect(desk.getByText('No tasks yet')).toBeVisible()
  await user.open('/settings')
  await expect(page.getByText('This device · Signed in today at')).toBeVisible()
  await page.getByRole('button', { name: 'Sign out Firefox on Windows' }).dblclick()
  await expect(page.getByText('Firefox on Windows')).toHaveCount(0)
  await expect(desk).toHaveURL(/\/login$/)
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
})

test('signing out of this device does not affect the other, and asks about a timer first @long', async ({
  page,
  user,
  openDevice,
}) => {
  const phone = await openDevice('/dashboard')
  await user.openWithTasks()
  await startTimer(page, 'Write')
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Sign out this device only' }).click()
  const dialog = page.getByRole('dialog', { name: 'A timer is still running' })
  await expect(dialog).toContainText('Your other devices stay signed in.')
  await dialog.getByRole('button', { name: 'Keep it running and sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => page.evaluate(recordsLeft)).toEqual([])

  await phone.reload()
  await expect(phone.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
})

test('signing out of this device without a network ends this sign-in later, and no other @long', async ({
  page,
  server,
  user,
  openDevice,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const phone = await openDevice('/dashboard')
  await user.open()
  await expect(page.getByText('No tasks yet. Create your first task!')).toBeVisible()
  await page.route('**/v1/**', (route) => route.abort())
  // The list of sign-ins cannot be loaded now, but this one can be ended.
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByText('Couldn’t load your devices.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign out this device only' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await isSignedIn(page, server.url)).toBe(true)

  await page.unroute('**/v1/**')
  await page.reload()
  await expect.poll(() => isSignedIn(page, server.url)).toBe(false)
  expect(await isSignedIn(phone, server.url)).toBe(true)
})

test('an account is deleted with its address and password, on every device @long', async ({
  page,
  user,
  openDevice,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const phone = await openDevice('/dashboard')
  await expect(phone.getByText('No tasks yet')).toBeVisible()
  await user.open('/settings')
  await expect.poll(() => page.evaluate(recordsLeft)).not.toEqual([])
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  const remove = dialog.getByRole('button', { name: 'Delete permanently' })
  await expectAccessible(page)
  await dialog.getByLabel('Password', { exact: true }).fill('wrong horse 22')
  await dialog.getByLabel('Your email').fill('somebody@example.com')
  await expect(remove).toBeDisabled()
  await dialog.getByLabel('Your email').fill(user.email)
  await remove.click()
  await expect(dialog.getByText('Incorrect password.')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await remove.click()

  await expect(page).toHaveURL(/\/login$/)
  await expect(phone).toHaveURL(/\/login$/)
  await expect.poll(() => page.evaluate(recordsLeft)).toEqual([])
  await page.getByLabel('Email Address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Invalid credentials. Please check the email and password.',
  )
})

test('diagnostics list unsaved changes and events without any names @long', async ({
  page,
  user,
  context,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await user.signInThroughApi()
  await user.history.task('Secret plan')
  await page.goto('/settings')
  await expect(page.getByText('Online, everything is synced')).toBeVisible()
  await expect(page.getByText(/^1 task, 0 sessions/)).toBeVisible()
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/account/prefs') && response.request().method() === 'PATCH',
  )
  await page.getByLabel('Single-key shortcuts').uncheck()
  await saved
  await expect(page.getByLabel('Saving')).toHaveText('Saved')

  await page.context().setOffline(true)
  await page.getByLabel('Single-key shortcuts').check()
  await expect(page.getByText('Offline, 1 change waiting to sync')).toBeVisible()
  await page.getByText('Last events').click()
  await expect(page.getByLabel('Last events')).toHaveValue(/offline/)
  await page.getByRole('button', { name: 'Copy for support' }).click()
  await expect(page.getByText('Copied')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('Unsaved: 1 changed settings')
  expect(copied).toContain('Sync: offline')
  expect(copied).toMatch(/Z offline$/m)
  expect(copied).not.toContain('Secret plan')
  expect(copied).not.toContain(user.email)
  await page.context().setOffline(false)
  await expect(page.getByText('Online, everything is synced')).toBeVisible()
})

async function isSignedIn({ request }: Page, url: string): Promise<boolean> {
  return (await request.get(`${url}/v1/account`, API_CALL)).ok()
}
