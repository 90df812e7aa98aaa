/** One session that two devices change at about the same time. */
import { MAX_WAIT } from '@stint/testing/waits.ts'
import type { Locator, Page } from '@playwright/test'

import { expect, FAILED_REQUEST, test } from './fixtures.ts'
import { editorOf, openTaskPage, rows, save, secondsKept, writeNote } from './task-page.ts'

/** Yesterday. */
const HOUR = [[1, '09:00', '10:00']] as const

test('a late reply does not hide a later change of another device @long', async ({
  page,
  user,
  openDevice,
}) => {
  const path = await openTaskPage(page, user, HOUR)
  const late = await openDevice(path)
  await expect(rows(late)).toHaveCount(1)
  // The server has the change at once, and its replies wait until the other device has changed it too.
  const shown = Promise.withResolvers<void>()
  await late.route('**/time_entries/documents/**', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback()
    const response = await route.fetch()
    await shown.promise
    await route.fulfill({ response })
  })
  const reply = late.waitForResponse((each) => each.request().method() === 'PATCH')
  await writeNote(late, 'from the late one')
  await expect(rows(page)).toHaveText(/from the late one/)
  await writeNote(page, 'from the other')

  await expect(rows(late)).toHaveText(/from the other/)
  shown.resolve()
  await reply
  await expect(late.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)
  await expect(rows(late)).toHaveText(/from the other/)
  await writeNote(late, 'and one more')
  await expect(rows(page)).toHaveText(/and one more/)
})

test('Undo keeps what another device has changed since, and reports it @long', async ({
  page,
  user,
  openDevice,
}) => {
  const path = await openTaskPage(page, user, HOUR)
  const other = await openDevice(path)
  await expect(rows(other)).toHaveCount(1)
  await writeNote(page, 'mine')
  await expect(rows(other)).toHaveText(/mine/)
  await writeNote(other, 'theirs, and later')
  await expect(rows(page)).toHaveText(/theirs, and later/)

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Couldn’t undo: it has changed since.')).toBeVisible()
  await expect(rows(page)).toHaveText(/theirs, and later/)

  // By keyboard too, for another field.
  const editor = await editorOf(rows(page).first())
  await editor.getByLabel('Start').fill('9:15')
  await save(editor)
  await expect(rows(page)).toHaveText(/09:15 – 10:00/)
  await expect(rows(other)).toHaveText(/09:15 – 10:00/)
  await writeNote(other, 'the last word')
  await expect(rows(page)).toHaveText(/the last word/)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(rows(page)).toHaveText(/09:00 – 10:00.*the last word/)
  await expect(rows(other)).toHaveText(/09:00 – 10:00.*the last word/)
})

for (const when of ['before', 'after']) {
  test(`an hour that is split without a network ${when} another device did is one hour in three parts @long`, async ({
    page,
    user,
    openDevice,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    const path = await openTaskPage(page, user, HOUR)
    const train = await openDevice(path)
    await expect(rows(train)).toHaveCount(1)
    // Without a service worker, the editor has to be loaded before the network is gone.
    await (await editorOf(rows(train).first())).getByText('Cancel').click()
    await train.context().setOffline(true)
    if (when === 'before') await split(train, '9:40')
    await split(page, '9:20')
    await expect(page.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)
    if (when === 'after') await split(train, '9:40')
    await train.context().setOffline(false)
    await expect(train.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)

    const parts = [/09:40 – 10:00.*20m/, /09:20 – 09:40.*20m/, /09:00 – 09:20.*20m/]
    for (const each of [page, train]) await expect(rows(each)).toHaveText(parts)
    const seconds = await secondsKept(user)
    expect(seconds.reduce((sum, each) => sum + each, 0)).toBe(3600)
  })
}

test('two simultaneous splits both count @long', async ({
  page,
  user,
  openDevice,
  expectConsole,
}) => {
  // The second one is refused and united with the first.
  expectConsole(FAILED_REQUEST)
  const path = await openTaskPage(page, user, HOUR)
  const other = await openDevice(path)
  await expect(rows(other)).toHaveCount(1)
  const press = await prepareSplit(page, '9:40')
  const pressToo = await prepareSplit(other, '9:20')
  await Promise.all([press.click(), pressToo.click()])

  await expect(async () => {
    const [here, there] = [await rows(page).allTextContents(), await rows(other).allTextContents()]
    expect(here).toEqual(there)
    const seconds = await secondsKept(user)
    expect(here).toHaveLength(3)
    expect(seconds).toEqual([1200, 1200, 1200])
  }).toPass({ timeout: MAX_WAIT })
})

test('a form that was opened before another device split the session splits what is there @long', async ({
  page,
  user,
  openDevice,
}) => {
  const path = await openTaskPage(page, user, HOUR)
  const other = await openDevice(path)
  await expect(rows(other)).toHaveCount(1)
  const press = await prepareSplit(page, '9:20')
  await split(other, '9:40')
  await expect(rows(page)).toHaveCount(2)
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

async function split(page: Page, at: string): Promise<void> {
  await (await prepareSplit(page, at)).click()
  await expect(rows(page)).toHaveCount(2)
}
