/** One session that two devices change at about the same time. */
import type { Locator, Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'
import { editorOf, openTaskPage, rows, secondsKept } from './task-page.ts'

/** Yesterday. */
const HOUR = [[1, '09:00', '10:00']] as const

test('a form that was opened before another device split the session splits what is there @long', async ({
  page,
  user,
  openDevice,
}) => {
  const path = await openTaskPage(page, user, HOUR)
  const other = await openDevice(path)
  await expect(rows(other)).toHaveCount(1)
  const press = await prepareSplit(page, '9:20')
  await (await prepareSplit(other, '9:40')).click()
  const form = page.getByRole('dialog', { name: 'Split session' })
  await expect(form.getByRole('status')).toContainText('09:20 – 09:40 · 20m')
  await form.getByLabel('Split at').fill('9:50')
  await expect(form.getByText('Enter a time between start and end.')).toBeVisible()
  await form.getByLabel('Split at').fill('9:20')
  await press.click()
  for (const each of [page, other]) await expect(rows(each)).toHaveCount(3)
  expect(await secondsKept(user)).toEqual([1200, 1200, 1200])
})

/** Opens the form that splits the newest session; returns its button. */
async function prepareSplit(page: Page, at: string): Promise<Locator> {
  const editor = await editorOf(rows(page).first())
  await editor.getByRole('button', { name: 'Split session' }).click()
  const form = page.getByRole('dialog', { name: 'Split session' })
  await form.getByLabel('Split at').fill(at)
  return form.getByRole('button', { name: 'Split', exact: true })
}
