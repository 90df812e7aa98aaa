/** The note of the running timer: typed in the panel, saved with every input, on all devices. */
import type { Page } from '@playwright/test'

import { answerToSignOut, expect, FAILED_REQUEST, startTimer, test } from './fixtures.ts'
import { expectClear } from './looks.ts'

test('a note is typed while the timer runs, and every device shows it @long', async ({
  page,
  user,
  openDevice,
}) => {
  await user.openWithTasks(['Write', 'Read'])
  await expect(noteOf(page)).toHaveCount(0)
  await startTimer(page, 'Write')
  const phone = await openDevice('/dashboard')
  await expect(noteOf(phone)).toHaveValue('')

  await noteOf(page).focus()
  // Letters that are shortcuts elsewhere, and Space, which would press a button.
  await page.keyboard.type('spn c/? gt #acme')
  await expect(noteOf(page)).toHaveCSS('font-size', '14px')
  await page.keyboard.press('Enter')
  await expect(noteOf(page)).not.toBeFocused()
  await expect(noteOf(page)).toHaveValue('spn c/? gt #acme')
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(noteOf(phone)).toHaveValue('spn c/? gt #acme')
  await expectClear(page, 'note', [320, 390, 1280])

  await noteOf(phone).fill('call Ann #acme')
  await expect(noteOf(page)).toHaveValue('call Ann #acme')
  const tab = await page.context().newPage()
  await tab.goto('/dashboard')
  await expect(noteOf(tab)).toHaveValue('call Ann #acme')
  await noteOf(tab).fill('call Ann')
  await expect(noteOf(page)).toHaveValue('call Ann')
  await tab.close()

  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(noteOf(page)).toHaveCount(0)
  await expect.poll(async () => (await user.stored('time_entries'))[0]?.['note']).toBe('call Ann')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(noteOf(page)).toHaveValue('call Ann')
})

test('a note survives a quick navigation, a reload and a sign-out @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks()
  await startTimer(page, 'Write')
  await noteOf(page).pressSequentially('one')
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(noteOf(page)).toHaveValue('one')
  await noteOf(page).press('End')
  await page.keyboard.type(' two')
  await page.reload()
  await expect(noteOf(page)).toHaveValue('one two')
  await noteOf(page).press('End')
  await page.keyboard.type(' three')
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  // The page that opens has a button of that name as well.
  await page.getByRole('navigation').getByRole('button', { name: 'Sign Out' }).click()
  const told = answerToSignOut(page)
  await page.getByRole('button', { name: 'Keep it running and sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await told
  await user.signInThroughApi()
  const [session] = await user.stored('timer_sessions')
  expect(session?.['note']).toBe('one two three')
})

test('a note is typed offline, and what is being typed stays when news arrive @long', async ({
  page,
  context,
  user,
  openDevice,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  expectConsole(/WebSocket connection/)
  await user.openWithTasks()
  await startTimer(page, 'Write')
  const phone = await openDevice('/dashboard')
  await context.setOffline(true)
  await noteOf(page).pressSequentially('offline')
  await page.keyboard.press('Enter')
  await expect(noteOf(page)).toHaveValue('offline')
  await context.setOffline(false)
  await expect(noteOf(phone)).toHaveValue('offline')

  await noteOf(page).press('End')
  await page.keyboard.type(' a')
  await phone.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible()
  // News that arrives while the field is filled would be a part of the new text.
  await expect(noteOf(phone)).toHaveValue('offline a')
  await noteOf(phone).fill('from the phone')
  await noteOf(phone).press('Enter')
  await expect
    .poll(async () => (await user.stored('timer_sessions'))[0]?.['note'])
    .toBe('from the phone')
  await expect(noteOf(page)).toHaveValue('offline a')
  await page.keyboard.type('b')
  await page.keyboard.press('Enter')
  await expect(noteOf(phone)).toHaveValue('offline ab')
})

function noteOf(page: Page) {
  return page.getByRole('region', { name: 'Timer' }).getByRole('textbox', { name: 'Note' })
}
