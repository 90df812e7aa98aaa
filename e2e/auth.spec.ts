import { createUser, PASSWORD } from './backend.ts'
import { answersNoted, answerToSignOut, expect, FAILED_REQUEST, signIn, test } from './fixtures.ts'
import { expectClear } from './looks.ts'

for (const password of ['not the password', 'short']) {
  test(`the wrong password "${password}" shows the server’s message above the form, and the e-mail is kept @long`, async ({
    page,
    user,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    await page.goto('/login')
    await page.getByLabel('Email Address').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()

    await expect(page.getByRole('alert')).toHaveText(
      'Invalid credentials. Please check the email and password.',
    )
    await expect(page.getByLabel('Email Address')).toHaveValue(user.email)
  })
}

test('signing up with a taken e-mail shows a message @long', async ({
  page,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await page.goto('/signup')
  await page.getByLabel('Full Name').fill('Ada Again')
  await page.getByLabel('Email Address').fill(user.email.toUpperCase())
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create Account' }).click()

  await expect(page.getByRole('alert')).toHaveText('A user with the same email already exists.')
  await expect(page.getByLabel('Full Name')).toHaveValue('Ada Again')
})

test('signing up requires matching, strong passwords and agreed terms', async ({ page }) => {
  await page.goto('/signup')
  const submit = page.getByRole('button', { name: 'Create Account' })
  const password = page.getByLabel('Password', { exact: true })
  const confirm = page.getByLabel('Confirm Password')
  await page.getByLabel('Full Name').fill('Grace Hopper')
  await page.getByLabel('Email Address').fill('grace@example.com')
  await expect(submit).toBeDisabled()

  for (const [text, label] of [
    ['a', 'Very Weak'],
    ['aB', 'Weak'],
    ['aB1', 'Fair'],
    ['aB1!', 'Good'],
    ['aB1!aB1!', 'Strong'],
  ] as const) {
    await password.fill(text)
    await expect(page.getByText(label, { exact: true })).toBeVisible()
  }
  await confirm.fill('aB1!aB1?')
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await page.getByRole('checkbox').check()
  await expect(submit).toBeDisabled()
  await confirm.fill('aB1!aB1!')
  await expect(page.getByText('Passwords match')).toBeVisible()
  await expect(submit).toBeEnabled()
  await page.getByRole('checkbox').uncheck()
  await expect(submit).toBeDisabled()
})

test('routes for users redirect a guest to /login, and /login redirects a user to the dashboard @long', async ({
  page,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  for (const path of ['/dashboard', '/tasks', '/tasks/some-task', '/reports']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/login$/)
  }
  await signIn(page, user)
  for (const path of ['/login', '/signup']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/dashboard$/)
  }
})

test('the app’s own Sign Out signs out at once, and any other way to /signout asks first @long', async ({
  page,
  server,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  // Other tests sign out by the navigation of a wide window.
  await page.setViewportSize({ width: 390, height: 844 })
  await user.open()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'Sign out of Stint?' })

  // A typed address, or a link on another page.
  await page.goto('/signout')
  await expect(dialog).toContainText('This signs you out on every device.')
  // State that survives a reload does not answer the question.
  await page.reload()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

  await page.goto('/signout')
  const told = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await dialog.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL(/\/login$/)
  // The screen closes at once; the request follows in the background.
  await told

  // By the form: it waits for the sign-out, of which the page still removes what is left.
  await signIn(page, user, server.url)
  await page
    .getByRole('navigation')
    .getByText('Sign Out', { exact: true })
    .locator('visible=true')
    .click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(dialog).toHaveCount(0)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login$/)
})

test('the question before signing out fits every width, and a new tab asks it too @long', async ({
  page,
  user,
  context,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await user.open()
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Sign Out' }).click({ button: 'middle' })
  const tab = await opened
  await expect(tab.getByRole('dialog', { name: 'Sign out of Stint?' })).toBeVisible()
  await expectClear(tab, 'signout-question')
})

test('after a sign-in the page has the focus, and without Remember me the sign-in ends with the browser @long', async ({
  page,
  user,
  browser,
}) => {
  await page.goto('/login')
  await page.getByLabel('Email Address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Remember me').uncheck()
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  const cookies = await page.context().cookies()
  expect(cookies.find(({ name }) => name === 'a_session_stint')?.expires).toBe(-1)

  const other = await browser.newPage()
  await signIn(other, user)
  const kept = await other.context().cookies()
  expect(kept.find(({ name }) => name === 'a_session_stint')?.expires).toBeGreaterThan(0)
  await other.close()
})

test('a second user of the same browser sees nothing of the first', async ({
  page,
  server,
  user,
  request,
}) => {
  await user.open()
  await page.getByRole('navigation').getByRole('link', { name: 'Tasks', exact: true }).click()
  // The dashboard, which stays until the page is loaded, has such a button too.
  await expect(page.getByRole('heading', { name: 'All Tasks' })).toBeVisible()
  await page.getByRole('button', { name: 'Add Task', exact: true }).click()
  await page.getByLabel('Task Name').fill('Secret plans')
  await page.getByRole('button', { name: 'Add Task', exact: true }).last().click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Secret plans' })).toBeVisible()
  const kept = () => page.evaluate(() => Object.keys(localStorage))
  await expect.poll(kept).toContain('stint-events')
  const told = answerToSignOut(page)
  await page.getByRole('navigation').getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await told
  await expect.poll(kept).not.toContain('stint-events')
  await answersNoted(page)

  const other = await createUser(request, server.url, 'Eve')
  await signIn(page, other)
  await expect(page.getByText('No tasks yet. Create your first task!')).toBeVisible()
  await expect(page.getByText('Secret plans')).toHaveCount(0)
})

test('an unknown address shows a page with a way back', async ({ page, expectConsole }) => {
  expectConsole(FAILED_REQUEST)
  await page.goto('/login')
  await page.goto('/no-such-page')
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  await expect(page.getByText("The page you're looking for doesn't exist.")).toBeVisible()
  await expect(page.getByRole('link', { name: 'Contact Support' })).toBeVisible()
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('a signed-in user who signs in again keeps the sign-in @long', async ({
  page,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await page.goto('/login')
  await page.getByLabel('Email Address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  // The cookie was set elsewhere: by another tab, or in a browser that lost its storage.
  await user.signInThroughApi()
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

for (const path of ['/login', '/signup']) {
  test(`${path} starts in the last theme, and shows no other screen first @long`, async ({
    page,
  }) => {
    await page.addInitScript(() => localStorage.setItem('stint-theme', 'dark'))
    await page.goto(path)
    await expect(page.getByLabel('Email Address')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    const aroundTheScreen = await page.evaluate(() =>
      [...document.body.childNodes].map((node) =>
        node instanceof Text ? (node.textContent ?? '').trim() : '',
      ),
    )
    expect(aroundTheScreen.join('')).toBe('')
  })
}

test('the forms begin with their first field, and a typed password moves nothing @long', async ({
  page,
}) => {
  await page.goto('/login')
  await expect(page.getByLabel('Email Address')).toBeFocused()
  await page.goto('/signup')
  await expect(page.getByLabel('Full Name')).toBeFocused()

  const submit = page.getByRole('button', { name: 'Create Account' })
  const before = await submit.boundingBox()
  const password = page.getByLabel('Password', { exact: true })
  const confirm = page.getByLabel('Confirm Password')
  // An empty field has nothing to show, so its button is no stop of the Tab key.
  await password.focus()
  await page.keyboard.press('Tab')
  await expect(confirm).toBeFocused()

  await password.fill('Abcdef1!')
  await expect(page.getByText('Strong', { exact: true })).toBeVisible()
  await confirm.fill('Abcdef1!')
  expect(await submit.boundingBox()).toEqual(before)
  // The bar of a strong password is as long as its field.
  const steps = page.getByRole('meter').locator('xpath=following-sibling::div[1]')
  const [bar, field] = [await steps.boundingBox(), await password.boundingBox()]
  expect(bar?.width).toBe(field?.width)
  await expect(steps.locator('.bg-accent')).toHaveCount(5)

  // One button shows both, and is in reach of the keyboard now.
  await password.focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Show password' })).toBeFocused()
  await page.keyboard.press('Enter')
  for (const each of [password, confirm]) await expect(each).toHaveAttribute('type', 'text')
})
