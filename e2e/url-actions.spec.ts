import type { Page } from '@playwright/test'

import { PASSWORD } from './backend.ts'
import { answersNoted, expect, FAILED_REQUEST, RUNNING, startTimer, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'

/**
 * Addresses with actions, opened from elsewhere: one confirmation, performed once, never without
 * asking.
 */

const IDLE_TEXT = 'Select a task below to start timing'

test('a link that starts a task asks, and starts it once', async ({ page, user }) => {
  const [write] = await user.openWithTasks(['Write', 'Plan'])
  await page.goto(`/dashboard?start=${write}`)
  const question = page.getByRole('dialog', { name: 'Start Write?' })
  await expect(question).toBeVisible()
  await expect(page.getByText(IDLE_TEXT)).toBeVisible()
  await question.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Running Write' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Creating...')).toHaveCount(0)

  // Neither a reload nor Back repeats it.
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByText(IDLE_TEXT)).toBeVisible()
  await saved(page, user)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a link from another site asks too, names the timer it stops, and can be refused @long', async ({
  page,
  server,
  user,
}) => {
  const [, plan] = await user.openWithTasks(['Write', 'Plan'])
  await startTimer(page, 'Write')
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  await page.route('http://elsewhere.test/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<a href="${server.url}/dashboard?start=${plan}">Click me</a>`,
    }),
  )
  await page.goto('http://elsewhere.test/')
  await page.getByRole('link').click()
  const question = page.getByRole('dialog', { name: 'Start Plan?' })
  await expect(question).toContainText('This stops and saves Write.')
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('button', { name: 'Running Write' })).toBeVisible()

  await page.goto(`/dashboard?start=${plan}`)
  await question.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Running Plan' })).toBeVisible()
  await expect.poll(() => entries(user)).toHaveLength(1)
  await expect(page.getByText('Creating...')).toHaveCount(0)

  // The requested state exists already, so nothing is asked.
  await page.goto(`/dashboard?start=${plan}`)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('button', { name: 'Running Plan' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a link that stops the timer asks first, and does nothing while no timer runs @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks()
  await startTimer(page, 'Write')
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  await page.goto('/dashboard?stop')
  await page
    .getByRole('dialog', { name: 'Stop Write?' })
    .getByRole('button', { name: 'Stop', exact: true })
    .click()
  await expect(page.getByText(IDLE_TEXT)).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await saved(page, user)
  await page.goto('/dashboard?stop')
  await expect(page.getByText('No timer is running.')).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a link that is opened without a sign-in asks after it @long', async ({
  page,
  user,
  expectConsole,
}) => {
  // The request for the account returns that nobody is signed in.
  expectConsole(FAILED_REQUEST)
  const [write] = await user.openWithTasks(['Write'])
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await page.goto(`/dashboard?start=${write}`)
  await page.getByLabel('Email Address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  const question = page.getByRole('dialog', { name: 'Start Write?' })
  await question.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Running Write' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a link to a missing or deleted task shows a message @long', async ({ page, user }) => {
  const [write] = await user.openWithTasks()
  await page.goto('/dashboard?start=unknown')
  await expect(page.getByRole('dialog', { name: 'Task not found' })).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  await user.update('tasks', write ?? '', { isActive: false })
  await expect(page.getByText('No tasks yet. Create your first task!')).toBeVisible()
  await page.goto(`/dashboard?start=${write}`)
  await expect(page.getByRole('dialog', { name: 'This task was deleted' })).toContainText(
    'To start Write, restore it in Tasks first.',
  )
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('what another app shares fills the line and starts nothing @long', async ({ page, user }) => {
  await user.openWithTasks(['Write'])
  // As the browser opens the target of a share (web/manifest.ts).
  const shared = {
    title: 'Weekly plan',
    text: 'Plan\nfor Ann',
    url: 'https://example.com/plan.html',
  }
  await page.goto(`/dashboard?${new URLSearchParams(shared).toString()}`)
  const line = page.getByRole('main').getByRole('combobox', { name: 'What are you working on?' })
  await expect(line).toHaveValue('Weekly plan Plan for Ann https://example.com/plan.html')
  await expect(line).toBeFocused()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText(IDLE_TEXT)).toBeVisible()
  expect(await user.stored('timer_sessions')).toEqual([])

  // A reload does not repeat it.
  await page.reload()
  await expect(line).toHaveValue('')
  await page.goto('/dashboard?line=Write')
  await expect(line).toHaveValue('Write')
  await line.press('Enter')
  await expect(page.getByRole('button', { name: 'Running Write' })).toBeVisible()
})

test('while a timer runs, a line from outside is in the palette, and links ask as ever @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write', 'Plan'])
  await startTimer(page, 'Write')
  await page.goto(`/dashboard?link=${encodeURIComponent('web+stint:?line=Plan%20%23acme')}`)
  const palette = page.getByRole('dialog', { name: 'Start a task' })
  await expect(palette.getByRole('combobox')).toHaveValue('Plan #acme')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Running Write' })).toBeVisible()

  await page.goto(`/dashboard?link=${encodeURIComponent('web+stint:?stop')}`)
  await page
    .getByRole('dialog', { name: 'Stop Write?' })
    .getByRole('button', { name: 'Stop', exact: true })
    .click()
  await expect(page.getByText(IDLE_TEXT)).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a launch of the open app goes to its address within the page @long', async ({
  page,
  user,
}) => {
  await page.addInitScript(() => {
    const consumers: ((launch: { targetURL: string }) => void)[] = []
    addEventListener('launch', () => {
      const targetURL = document.documentElement.dataset['launch'] ?? ''
      for (const consume of consumers) consume({ targetURL })
    })
    const setConsumer = (consume: (launch: { targetURL: string }) => void) => {
      consumers.push(consume)
      // The launch that has loaded the page.
      setTimeout(() => consume({ targetURL: location.href }))
    }
    Object.defineProperty(window, 'launchQueue', { value: { setConsumer } })
  })
  await user.openWithTasks(['Write'])
  await page.evaluate(() => {
    document.documentElement.dataset['kept'] = 'yes'
  })
  const launch = (path: string) =>
    page.evaluate((path) => {
      document.documentElement.dataset['launch'] = new URL(path, location.href).href
      dispatchEvent(new Event('launch'))
    }, path)
  await launch('/tasks')
  await expect(page.getByRole('heading', { name: 'All Tasks' })).toBeVisible()
  // The icon alone brings the app to the front.
  await launch('/dashboard')
  await expect(page).toHaveURL(/\/tasks$/)
  await launch('/dashboard?text=Call%20Ann')
  const line = page.getByRole('main').getByRole('combobox', { name: 'What are you working on?' })
  await expect(line).toHaveValue('Call Ann')
  await expect(page.locator('html')).toHaveAttribute('data-kept', 'yes')
})

test('the app has a badge while a timer runs @long', async ({ page, user }) => {
  await page.addInitScript(() => {
    Object.assign(navigator, {
      async setAppBadge() {
        document.documentElement.dataset['badge'] = 'yes'
      },
      async clearAppBadge() {
        document.documentElement.dataset['badge'] = 'no'
      },
    })
  })
  const app = page.locator('html')
  await user.openWithTasks(['Write'])
  await startTimer(page, 'Write')
  await expect(app).toHaveAttribute('data-badge', 'yes')
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(app).toHaveAttribute('data-badge', 'no')
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(app).toHaveAttribute('data-badge', 'yes')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(app).toHaveAttribute('data-badge', 'no')
})

test('"Start last task" asks about the task with the latest session once that is known @long', async ({
  page,
  user,
}) => {
  const [write] = await user.openWithTasks(['Write', 'Plan'])
  const start = Date.now() - 3_600_000
  await user.create('time_entries', {
    taskId: write,
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + 600_000).toISOString(),
    durationSeconds: 600,
  })
  await page.goto('/dashboard?start=last')
  const question = page.getByRole('dialog', { name: 'Start Write?' })
  await question.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Running Write' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  // The running timer confirms the start.
  await expect(page.getByText('Creating...')).toHaveCount(0)
  await page.goto('/dashboard?start=last')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

/** Waits until nothing is being sent, so that a reload loses no reply. */
async function saved(page: Page, user: Person): Promise<void> {
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  await answersNoted(page)
}

async function entries(user: Person) {
  return user.stored('time_entries')
}
