/** Targets: /targets, their rings on the dashboard, and what says that one is reached. */
import type { Page } from '@playwright/test'

import { API_CALL } from './backend.ts'
import { expect, test } from './fixtures.ts'
import { setNow } from './history.ts'
import { expectClear } from './looks.ts'

test('a target says what is left a day, is changed and removed with Undo, and is a ring of the dashboard @looks', async ({
  page,
  history,
}) => {
  // A Wednesday: with three sevenths of the days over, 4 of 10 hours are behind.
  await setNow(page)
  const task = await history.task('Write')
  await history.entry(task, '2026-11-16 09:00', '2026-11-16 12:30', [], '#acme')
  await history.entry(task, '2026-11-18 09:00', '2026-11-18 09:30', [], 'call #Acme')
  await history.entry(task, '2026-11-18 10:00', '2026-11-18 13:00')
  await page.goto('/targets')
  await line(page).fill('at least 10h a week #acme')
  await expect(page.getByRole('status').filter({ hasText: '10h a week #acme' })).toBeVisible()
  await page.getByRole('button', { name: 'Set target' }).click()
  const [acme, limit] = [row(page, '#acme'), row(page, 'Development')]
  await expect(acme).toContainText('4h 0m of 10h 0m')
  await expect(acme).toContainText('Behind: 1h 30m a day to go')

  await add(page, 'max 3h a day development')
  await expect(limit).toContainText('3h 30m of 3h 0m')
  await expect(limit).toContainText('Over by 30m')
  await expectClear(page, 'targets')

  await limit.getByRole('button', { name: 'Edit at most 3h a day' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit target' })
  await expect(dialog.getByLabel('Target')).toHaveValue('at most 3h a day Development')
  await dialog.getByLabel('Target').fill('at most 5h a day Development')
  await expectClear(page, 'targets')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(limit).toContainText('1h 30m left')
  await limit.getByRole('button', { name: 'Remove at most 5h a day' }).click()
  await expect(limit).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(limit).toContainText('3h 30m of 5h 0m')

  // What is behind the figure adds up to it.
  await acme.getByRole('button', { name: '4h 0m of 10h 0m' }).click()
  const explanation = page.getByRole('dialog', { name: '#acme' })
  await expect(explanation.getByText('4h 0m', { exact: true }).first()).toBeVisible()
  await expect(explanation.getByRole('listitem')).toHaveCount(2)
  await page.keyboard.press('Escape')

  await page.goto('/dashboard')
  const rings = page.getByRole('list', { name: 'Targets' })
  await expect(rings.getByRole('link')).toHaveText([
    /Development.*3h 30m of 5h/,
    /#acme.*4h 0m of 10h/,
  ])
  await expectClear(page, 'targets-dashboard')
  await rings.getByRole('link', { name: '#acme' }).click()
  await expect(acme).toBeVisible()
})

test('what is typed wrong stays, with the reason @long', async ({ page, user }) => {
  await user.open()
  await page.getByRole('button', { name: 'Search' }).click()
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await palette.getByRole('combobox').fill('targets')
  await palette.getByRole('option', { name: 'Targets', exact: true }).click()
  for (const [typed, message] of [
    ['25h a day', 'A day has 24 hours.'],
    ['at least 0h a day', 'A target of 0 hours is none.'],
    ['10h #acme', 'Say a day, a week or a month, such as 10h a week.'],
    ['10h a week Gardening', 'You have no task or category “Gardening”.'],
  ] as const) {
    await line(page).fill(typed)
    await page.getByRole('button', { name: 'Set target' }).click()
    await expect(page.getByText(message)).toBeVisible()
    await expect(line(page)).toHaveValue(typed)
  }
  await expectClear(page, 'targets-wrong')
  await line(page).fill('at most 8h a week #acme')
  await page.getByRole('button', { name: 'Set target' }).click()
  await add(page, '10h a week #Acme')
  await expect(page.getByText('At least 10h and at most 8h cannot both be met.')).toBeVisible()
  await add(page, 'max 9h a week #Acme')
  await expect(page.getByText('You already have “at most 8h a week #acme”.')).toBeVisible()
  await expect(line(page)).toHaveValue('max 9h a week #Acme')
})

test('the daily goal of a task is a target, and is changed in both places @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write'])
  await page.goto('/targets')
  await line(page).fill('at least 2h a day Write')
  await page.getByRole('button', { name: 'Set target' }).click()
  await expect(row(page, 'Write')).toContainText('at least 2h a day')
  await page.goto('/tasks')
  await page.getByRole('button', { name: 'Edit task' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit task' })
  await expect(editor.getByLabel('Daily goal (hours)')).toHaveValue('2')
  await editor.getByLabel('Daily goal (hours)').fill('1.5')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toHaveCount(0)
  await page.goto('/targets')
  await row(page, 'Write').getByRole('button', { name: 'Edit at least 1h 30m a day Write' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit target' })
  await dialog.getByLabel('Target').fill('at least 5h a week Write')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row(page, 'Write')).toContainText('at least 5h a week')
  await page.goto('/tasks')
  await page.getByRole('button', { name: 'Edit task' }).click()
  await expect(editor.getByLabel('Daily goal (hours)')).toHaveValue('')
})

test('a target follows a task that is merged into another one, and Undo takes it back @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write', 'Draft'])
  await page.goto('/targets')
  await line(page).fill('5h a week Draft')
  await page.getByRole('button', { name: 'Set target' }).click()
  await expect(row(page, 'Draft')).toBeVisible()
  await page.goto('/tasks')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Draft' })
    .getByRole('button', { name: 'Edit task' })
    .click()
  await page.getByRole('button', { name: 'Merge into another task' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge task' })
  await dialog.getByLabel('Merge into').selectOption({ label: 'Write' })
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('link', { name: 'Reports' }).first().click()
  await page.getByRole('main').getByRole('link', { name: 'Targets' }).click()
  await expect(row(page, 'Write')).toContainText('at least 5h a week')
  await page.keyboard.press('Control+z')
  await expect(row(page, 'Draft')).toContainText('at least 5h a week')
})

test('the running timer says that a target is reached, and targets of two devices are both kept @long', async ({
  page,
  user,
  openDevice,
}) => {
  await user.openWithTasks(['Write'])
  await page.goto('/targets')
  await line(page).fill('1s a day')
  await page.getByRole('button', { name: 'Set target' }).click()
  await expect(row(page, 'All work')).toBeVisible()
  const notify = page.getByLabel('Notify me when I reach a goal or target')
  await notify.click()
  await expect(notify).toBeChecked()
  const other = await openDevice('/targets')
  await expect(row(other, 'All work')).toBeVisible()
  await add(other, '10h a week #acme')
  await expect(row(page, '#acme')).toBeVisible()
  await expect(row(page, 'All work')).toBeVisible()
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Start Write' }).click()
  await expect(page.getByText('Target reached: at least 1s a day')).toBeVisible()
})

test('targets change offline, and merge on screen with those of another device @long', async ({
  page,
  context,
  server,
  user,
  openDevice,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource|WebSocket connection/)
  await user.openWithTasks(['Write'], {
    'target:least:day:all': 21_600,
    'target:most:day:tag:mail': 7200,
    'target:least:week:tag:acme': 36_000,
  })
  await page.goto('/targets')
  const other = await openDevice('/targets')
  await expect(row(other, '#acme')).toContainText('at least 10h a week')
  await expect(row(page, '#acme')).toBeVisible()

  await context.setOffline(true)
  await add(page, 'at least 20h a month #book')
  await edit(page, 'All work', 'at least 7h a day')
  await row(page, '#mail').getByRole('button', { name: 'Remove at most 2h a day' }).click()
  await expect(row(page, '#mail')).toHaveCount(0)
  await expectClear(page, 'targets-offline', [390, 1280])
  await edit(other, '#acme', 'at least 12h a week #acme')
  await expect
    .poll(async () => (await other.request.get(`${server.url}/v1/account/prefs`, API_CALL)).json())
    .toMatchObject({ 'target:least:week:tag:acme': 43_200 })
  await expect(row(page, '#acme')).toContainText('at least 10h a week')

  await context.setOffline(false)
  for (const each of [page, other]) {
    await expect(row(each, '#acme')).toContainText('at least 12h a week')
    await expect(row(each, '#book')).toContainText('at least 20h a month')
    await expect(row(each, 'All work')).toContainText('at least 7h a day')
    await expect(row(each, '#mail')).toHaveCount(0)
  }
})

/** Changes the target of a row. */
async function edit(page: Page, name: string, text: string) {
  await row(page, name)
    .getByRole('button', { name: /^Edit / })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Edit target' })
  await dialog.getByLabel('Target').fill(text)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
}

function line(page: Page) {
  return page.getByRole('main').getByLabel('Target', { exact: true })
}

function row(page: Page, name: string) {
  return page
    .getByRole('list', { name: 'Targets' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) })
}

async function add(page: Page, text: string) {
  await line(page).fill(text)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}
