/** The main use of the product with a real Appwrite whose project has only the specified attributes. */
import type { Page } from '@playwright/test'
import { appwriteProject } from '@stint/testing/appwrite-project.ts'
import type { AppwriteProject } from '@stint/testing/appwrite-project.ts'

import { startAppwriteFront } from './appwrite-front.ts'
import type { AppwriteFront } from './appwrite-front.ts'
import { listDocuments, PASSWORD } from './backend.ts'
import { expect, FAILED_REQUEST, RUNNING_FOR_TWO, startTimer, test as base } from './fixtures.ts'
import { timeOf, unfold } from './task-page.ts'

const test = base.extend<{ project: AppwriteProject; front: AppwriteFront }>({
  project: async ({}, use) => use(appwriteProject()),
  front: async ({ server, project, expectConsole }, use) => {
    // The first write of each attribute that the project lacks is refused, and so is a guest.
    expectConsole(FAILED_REQUEST)
    const front = await startAppwriteFront(server.url, project)
    await use(front)
    await front.close()
  },
})

const timerOf = (page: Page) => page.getByRole('timer')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const sessionsOf = (page: Page) =>
  page.getByRole('region', { name: 'Recent Sessions' }).getByRole('listitem')

async function signIn(page: Page, front: AppwriteFront, email: string): Promise<void> {
  await page.goto(`${front.url}/login`)
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Sign In').click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}

test('a person signs up, times, adds, edits and deletes sessions, and sees all of it on two devices @long', async ({
  page,
  browser,
  front,
  project,
}) => {
  const email = `appwrite-${Date.now()}@example.com`
  await page.goto(`${front.url}/signup`)
  await page.getByLabel('Full Name').fill('Grace Hopper')
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await button(page, 'Create Account').click()
  await expect(page.getByText('No tasks yet. Create your first task!')).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Tasks', exact: true }).click()
  await expect(page.getByRole('heading', { name: /Tasks$/, level: 1 })).toBeVisible()
  await page
    .getByRole('button', { name: /^(Add|Create your first task)/ })
    .first()
    .click()
  await page.getByLabel('Task Name').fill('Write')
  await button(page, 'Add Task').last().click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Write' })).toBeVisible()
  const context = await browser.newContext()
  const phone = await context.newPage()
  await signIn(phone, front, email)

  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
  await startTimer(page, 'Write')
  await expect(button(phone, 'Pause')).toBeVisible()
  await expect(timerOf(page)).toHaveText(RUNNING_FOR_TWO)
  await button(phone, 'Pause').click()
  await expect(button(page, 'Resume')).toBeVisible()
  const paused = await timerOf(phone).textContent()
  await button(page, 'Resume').click()
  await expect(button(phone, 'Pause')).toBeVisible()
  await expect(timerOf(phone)).not.toHaveText(paused ?? '')
  await button(page, 'Stop').click()
  await expect(phone.getByText('Select a task below to start timing')).toBeVisible()
  await expect(page.getByText('Timer stopped:')).toHaveCount(0)
  const stored = (collection: string) => listDocuments(page.request, front.url, collection)
  await expect.poll(() => stored('timer_sessions')).toEqual([])
  await expect.poll(() => stored('time_entries')).toHaveLength(1)

  const [task] = await stored('tasks')
  for (const each of [page, phone]) await each.goto(`${front.url}/tasks/${task?.$id}`)
  await button(page, 'Add time').click()
  const adding = page.getByRole('dialog', { name: 'Add time' })
  await adding.getByLabel('Time', { exact: true }).fill('yesterday 9-11')
  await unfold(adding)
  await adding.getByLabel('Pauses').fill('9:30-10')
  await adding.getByLabel('Note').fill('Plan')
  await button(page, 'Save').click()
  await expect(sessionsOf(page).filter({ hasText: 'Plan' })).toContainText('1h 30m')
  await expect(sessionsOf(phone).filter({ hasText: '09:00 – 11:00' })).toContainText('1h 30m')
  await expect(sessionsOf(phone).filter({ hasText: 'Plan' })).toHaveCount(0)

  const editButton = sessionsOf(phone)
    .filter({ hasText: '09:00' })
    .getByRole('button', { name: /^Edit/ })
  await editButton.click()
  const editing = phone.getByRole('dialog', { name: 'Edit session' })
  await timeOf(editing).fill('9-12')
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(sessionsOf(page).filter({ hasText: '09:00 – 12:00' })).toContainText('2h 30m')
  await expect(sessionsOf(page).filter({ hasText: 'Plan' })).toHaveCount(1)
  await page.goto(`${front.url}/reports`)
  await expect(page.getByText('2h 30m').first()).toBeVisible()

  await editButton.click()
  await editing.getByRole('button', { name: 'Delete' }).click()
  await expect(sessionsOf(phone)).toHaveCount(1)
  await expect.poll(() => stored('time_entries')).toHaveLength(1)
  await expect(page.getByText('2h 30m')).toHaveCount(0)

  const refused = project.refused.length
  await page.goto(`${front.url}/settings`)
  const kept = page.getByText('Kept on this device only').locator('..')
  await expect(kept).toContainText('timer_sessions: pauses, device, note')
  await expect(kept).toContainText('time_entries: pauses, note, deletedAt')
  await expect(kept).toContainText('appwrite push collections')
  await expect(page.getByRole('heading', { name: 'Keys' })).toHaveCount(0)
  await expect(page.getByText('Show the running timer as a notification')).toHaveCount(0)
  await page.reload()
  await expect(kept).toBeVisible()
  // A build for Stint's own server asks once per load whether it is one. Nothing else goes there.
  expect(new Set(project.strayed)).toEqual(new Set(['GET /v1/stint/info']))
  expect(project.refused).toHaveLength(refused)
  await context.close()
})
