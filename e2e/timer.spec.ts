import { createDocument, createUser, listDocuments, signInThroughApi } from './backend.ts'
import { expect, FAILED_REQUEST, RUNNING, RUNNING_FOR_TWO, startTimer, test } from './fixtures.ts'
import { expectClear } from './looks.ts'
import { startServer } from './server.ts'

test.beforeEach(({ expectConsole }) => {
  expectConsole(/WebSocket connection/)
})

test('a start without a server stops the timer with the reason and can continue offline @long', async ({
  page,
  request,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const server = await startServer()
  try {
    const user = await createUser(request, server.url)
    await signInThroughApi(page.request, server.url, user)
    await createDocument(page.request, server.url, 'tasks', { name: 'Write', userId: user.id })
    await page.goto(`${server.url}/dashboard`)
    const start = page.getByRole('button', { name: 'Start Write' })
    await expect(start).toBeEnabled()

    await server.stop()
    await start.click()
    await expect(page.getByText('Timer stopped: No internet connection detected')).toBeVisible()
    await expect(page.getByText('Select a task below to start timing')).toBeVisible()

    await page.getByRole('button', { name: 'Track offline' }).click()
    await expect(page.getByRole('timer')).toHaveText(RUNNING_FOR_TWO)
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect(page.getByText('Select a task below to start timing')).toBeVisible()
    await expect(page.getByText(/^Syncing|waiting to sync$/).first()).toBeVisible()
    // Closes the app. Chromium would otherwise reload the address of a failed reload by itself.
    await page.goto('about:blank')

    await server.start()
    await page.goto(`${server.url}/dashboard`)
    await expect
      .poll(async () => (await listDocuments(page.request, server.url, 'time_entries')).length)
      .toBe(1)
    await expect(page.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)
    await expect.poll(() => listDocuments(page.request, server.url, 'timer_sessions')).toEqual([])
  } finally {
    await server.remove()
  }
})

test('two tabs show one timer, and either can stop it', async ({ page, user }) => {
  await user.openWithTasks()
  const second = await page.context().newPage()
  await second.goto('/dashboard')
  await startTimer(page, 'Write')
  await expect(second.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
  await expect(second.getByRole('timer')).toHaveText(RUNNING_FOR_TWO)
  await second.getByRole('button', { name: 'Stop', exact: true }).click()

  await expect(page.getByText('Select a task below to start timing')).toBeVisible()
  await expect.poll(async () => (await user.stored('time_entries')).length).toBe(1)
})

test('a timer that ran too long is offered instead of restored, and can be saved @long', async ({
  page,
  user,
}) => {
  await user.signInThroughApi()
  const task = await user.create('tasks', {
    name: 'Write',
  })
  // A session that is neither running nor paused, as another client may leave behind.
  await user.create('timer_sessions', {
    taskId: task.$id,
    startTime: new Date(Date.now() - 9 * 3_600_000).toISOString(),
    isRunning: false,
    isPaused: false,
  })
  await page.goto('/dashboard')
  await expect(page.getByText('Select a task below to start timing')).toBeVisible()
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect.poll(async () => (await user.stored('time_entries')).length).toBe(1)
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
})

test('deleting the task of the running timer stops and saves the timer first @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks()
  await startTimer(page, 'Write')
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  await user.ageTimer(30)
  await page.reload()
  await page.getByRole('navigation').getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.getByRole('button', { name: /^Delete task/ }).click()

  await expect(page.getByText('No tasks yet')).toBeVisible()
  await expect(page).toHaveURL(/\/tasks$/)
  await expect.poll(async () => (await user.stored('time_entries')).length).toBe(1)
  await expect.poll(async () => (await user.stored('tasks'))[0]?.['isActive']).toBe(false)
})

test('malicious and unusual names are shown as text @long', async ({ page, user }) => {
  await user.open('/tasks')
  const names = ['<img src=x onerror=alert(1)>', '‮txet desrever', 'مهمة طويلة جدا', 'n'.repeat(255)]
  for (const name of names) {
    await page
      .getByRole('button', { name: /^(Add|Create)/ })
      .first()
      .click()
    await page.getByLabel('Task Name').fill(name)
    await page.getByRole('button', { name: 'Add Task', exact: true }).last().click()
    await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  }
  await expect(page.locator('img[src="x"]')).toHaveCount(0)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
})

test('a task that cannot be saved keeps the form unchanged @long', async ({
  page,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await user.open('/tasks')
  await page
    .getByRole('button', { name: /^(Add|Create)/ })
    .first()
    .click()
  await page.route('**/tasks/documents', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.getByLabel('Task Name').fill('Write')
  await page.getByRole('button', { name: 'Add Task', exact: true }).last().click()
  await expect(page.getByText(/^(Syncing 1…|1 waiting to sync)$/).first()).toBeVisible()
  await expect(page.getByLabel('Task Name')).toHaveValue('Write')
  await page.unroute('**/tasks/documents')
  await page.getByRole('button', { name: 'Add Task', exact: true }).last().click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Write' })).toHaveCount(1)
  const tasks = () => user.stored('tasks')
  await expect.poll(async () => (await tasks()).length).toBe(1)
})

test('the signed-in screens fit every width in both themes @long', async ({ page, user }) => {
  await user.openWithTasks(['Write', 'Plan'])
  await startTimer(page, 'Write')
  await expect.poll(() => user.stored('timer_sessions')).toHaveLength(1)
  for (const name of ['dashboard', 'tasks']) {
    await page.goto(`/${name}`)
    await expect(page.getByRole('listitem').filter({ hasText: 'Write' })).toBeVisible()
    await expectClear(page, `${name}-running`)
  }
})

test('the sign-in and sign-up screens fit every width in both themes @long', async ({ page }) => {
  for (const name of ['login', 'signup']) {
    await page.goto(`/${name}`)
    await expect(page.getByLabel('Email Address')).toBeVisible()
    await expectClear(page, name)
  }
})

for (const path of ['/dashboard', '/tasks'])
  test(`the banner is in view on a narrow screen where the start was pressed: ${path} @long`, async ({
    page,
    user,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    await page.setViewportSize({ width: 390, height: 600 })
    await user.openWithTasks()
    await page.goto(path)
    await page.route('**/timer_sessions/documents', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await page.getByRole('button', { name: 'Start Write' }).click()
    const banner = page.getByText('Timer stopped: No internet connection detected')
    await expect(banner).toBeInViewport({ ratio: 1 })
    await page.getByRole('button', { name: 'Track offline' }).click()
    await expect(banner).toHaveCount(0)
  })
