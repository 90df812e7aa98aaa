import { createDocument } from './backend.ts'
import {
  answerToSignOut,
  expect,
  FAILED_REQUEST,
  offlineReady,
  RUNNING,
  RUNNING_FOR_TWO,
  signIn,
  startTimer,
  test,
} from './fixtures.ts'

test.use({ serviceWorkers: 'allow' })

test('a timer started on one device runs on the other at once, and either can stop it', async ({
  page,
  user,
  openDevice,
  expectConsole,
}) => {
  // Both devices may finish the same stop; the second one is refused.
  expectConsole(FAILED_REQUEST)
  await user.openWithTasks()
  const phone = await openDevice('/dashboard', { viewport: { width: 390, height: 844 } })
  await expect(phone.getByRole('button', { name: 'Start Write' })).toBeEnabled()

  await startTimer(page, 'Write')
  await expect(phone.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  await phone.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await expect(phone.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(RUNNING_FOR_TWO)
  await phone.getByRole('button', { name: 'Stop', exact: true }).click()

  await expect(page.getByText('Select a task below to start timing')).toBeVisible()
  await expect.poll(async () => (await user.stored('time_entries')).length).toBe(1)
})

test('changes that were made while the socket was down arrive when the server is back', async ({
  page,
  user,
  server,
  openDevice,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await user.open('/tasks')
  await expect(page.getByText('No tasks yet')).toBeVisible()
  // The browser reports a script of the worker that it cannot load.
  await offlineReady(page)
  await page.context().setOffline(true)
  const laptop = await openDevice('/tasks')
  await createDocument(laptop.request, server.url, 'tasks', { name: 'Meanwhile', userId: user.id })
  await page.context().setOffline(false)

  await expect(page.getByRole('listitem').filter({ hasText: 'Meanwhile' })).toBeVisible()
})

test('signing out with a running timer asks first, and can leave it running @long', async ({
  page,
  user,
  expectConsole,
}) => {
  // A request that is running when the session ends is refused.
  expectConsole(FAILED_REQUEST)
  await user.openWithTasks()
  await startTimer(page, 'Write')
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  const signOut = page.getByRole('navigation').getByText('Sign Out')
  await signOut.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
  await signOut.click()
  const kept = answerToSignOut(page)
  await page.getByRole('button', { name: 'Keep it running and sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await kept

  await signIn(page, user)
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
  await page.getByRole('navigation').getByText('Sign Out').click()
  const stopped = answerToSignOut(page)
  await page.getByRole('button', { name: 'Stop and save, then sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await stopped
  await signIn(page, user)
  await expect.poll(async () => (await user.stored('time_entries')).length).toBe(1)
})
