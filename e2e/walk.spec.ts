import type { Page } from '@playwright/test'

import { PASSWORD } from './backend.ts'
import { expect, RUNNING_FOR_TWO, startTimer, test } from './fixtures.ts'

/** The main use of the product, from signing up to finding the tracked time. */
test.use({ serviceWorkers: 'allow' })

test('a person signs up, times a task through two reloads, stops, and finds it all again', async ({
  page,
  expectConsole,
  user,
}) => {
  expectConsole(/WebSocket connection/)
  const email = `walk-${Date.now()}@example.com`
  await page.goto('/signup')
  await page.getByLabel('Full Name').fill('Grace Hopper')
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await expect(page.getByText('Passwords match')).toBeVisible()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create Account' }).click()

  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page.getByText('No tasks yet. Create your first task!')).toBeVisible()
  await open(page, 'Tasks')
  await addTask(page, 'Write report')
  await addTask(page, 'Plan the week')
  await open(page, 'Dashboard')

  await startTimer(page, 'Write report')
  const timer = page.getByRole('timer')
  await expect(timer).toHaveText(RUNNING_FOR_TWO)
  await expect(page.getByText('Current Session')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Plan the week' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Running Write report' })).toBeDisabled()

  await user.ageTimer(65)
  await page.reload()
  await expect(timer).toHaveText(/^01:0[5-9]:\d\d$/)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible()
  const pausedAt = await timer.textContent()

  await page.reload()
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible()
  await expect(timer).toHaveText(pausedAt ?? '')
  await expect(page.getByText('Paused').first()).toBeVisible()
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()

  await expect(page.getByText('Select a task below to start timing')).toBeVisible()
  await expect(row(page, 'Write report')).toContainText(/1h [5-9]m/)
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  await expect.poll(() => user.stored('time_entries')).toHaveLength(1)
  await open(page, 'Tasks')
  await expect(row(page, 'Write report')).toContainText(/1h [5-9]m total tracked/)

  await signOut(page)
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(row(page, 'Write report')).toContainText(/1h [5-9]m/)
  await expect(row(page, 'Plan the week')).toContainText('0m')
})

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
}

function row(page: Page, name: string) {
  return page.getByRole('listitem').filter({ hasText: name })
}

async function addTask(page: Page, name: string): Promise<void> {
  // The dashboard, which stays visible while the page loads, has its own Add Task.
  await expect(page.getByRole('heading', { name: /Tasks$/, level: 1 })).toBeVisible()
  await page
    .getByRole('button', { name: /^(Add|Create your first task)/ })
    .first()
    .click()
  await page.getByLabel('Task Name').fill(name)
  await page.getByRole('button', { name: 'Add Task', exact: true }).last().click()
  await expect(row(page, name)).toBeVisible()
  // The message with Undo is over the list on a phone, for ten seconds.
  await page
    .getByRole('status', { name: 'Messages' })
    .getByRole('button', { name: 'Dismiss' })
    .click()
}

async function signOut(page: Page): Promise<void> {
  const navigation = page.getByRole('navigation')
  await navigation.getByText('Sign Out').click()
}
