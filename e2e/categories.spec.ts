/** Categories: one level above tasks, named, coloured, renamed, merged, filtered and reported by. */
import type { Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { expectClear } from './looks.ts'

const QUESTION = 'What are you working on?'

const field = (page: Page) => page.getByRole('combobox', { name: QUESTION })
const options = (page: Page) => page.getByRole('option')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Categories' })
const row = (page: Page, name: string) =>
  dialog(page).getByRole('listitem').filter({ hasText: name })

/** Creates a task of a category with an hour of work, which ends now or is on a day. */
async function worked(user: Person, name: string, category: string, day = ''): Promise<string> {
  const { $id: taskId } = await user.create('tasks', { name, category, color: 'bg-red-500' })
  const now = Date.now()
  const [from = '', to = ''] = [now - 3_600_000, now].map((at) => new Date(at).toISOString())
  await (day === ''
    ? user.history.entry(taskId, from, to)
    : user.history.entry(taskId, `${day} 09:00`, `${day} 10:00`))
  return taskId
}

const categoriesOf = async (user: Person) =>
  (await user.stored('tasks'))
    .map((task) => `${String(task['name'])} ${String(task['category'])}`)
    .toSorted()

test('a line starts a task in a new category, which is then offered, found, renamed, and undone @looks', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write'])
  // Who has only the default category sees nothing of categories.
  await page.goto('/tasks')
  await expect(page.getByRole('link', { name: 'Write' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Categories' })).toHaveCount(0)

  await page.goto('/dashboard')
  await field(page).fill('Fix login @Acme')
  await expect(options(page).first()).toHaveText(
    'Create and start “Fix login” · new category @Acme',
  )
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
  await expect.poll(() => categoriesOf(user)).toEqual(['Fix login Acme', 'Write Development'])
  await page.getByRole('button', { name: 'Stop', exact: true }).click()

  // The beginning of its name completes it, and the line is then of its tasks.
  await field(page).fill('@ac')
  await expect(options(page).first()).toHaveText('@Acme')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('@Acme ')
  await expect(options(page).first()).toHaveText('Start Fix login · @Acme')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Tasks', exact: true }).first().click()
  await page.getByRole('button', { name: 'Categories' }).click()
  await expect(row(page, 'Acme')).toContainText('1 task')
  await expectClear(page, 'categories')
  await row(page, 'Acme').getByRole('button', { name: 'Edit Acme' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit category' })
  await editor.getByLabel('Name').fill(' ')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor.getByText('Enter a category.')).toBeVisible()
  await editor.getByLabel('Name').fill('Big Corp')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(row(page, 'Big Corp')).toContainText('1 task')
  await expect.poll(() => categoriesOf(user)).toContain('Fix login Big Corp')

  await row(page, 'Big Corp').getByRole('button', { name: 'Big Corp', exact: true }).click()
  await expect(page.getByLabel('Search tasks')).toHaveValue('@"Big Corp"')
  await expect(page.getByRole('link', { name: 'Fix login' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Write' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => categoriesOf(user)).toEqual(['Fix login Acme', 'Write Development'])
})

test('a merge asks, carries tasks, colours, rates and filters in one step, and Undo takes all of it back @long', async ({
  page,
  user,
}) => {
  await user.signInThroughApi()
  const prefs = {
    'category:acme': 'red',
    'filter:Acme work': '@acme -#x',
    'rate:category:Acme:2026-01-01': '95.00 EUR',
    balanceFilter: '@ACME',
  }
  await user.setPrefs(prefs)
  await worked(user, 'Fix', 'Acme')
  await worked(user, 'Plan', 'Beta')
  await page.goto('/tasks')
  await page.getByRole('button', { name: 'Categories' }).click()
  await row(page, 'Acme').getByRole('button', { name: 'Edit Acme' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit category' })
  await expect(editor.getByRole('radio', { name: 'red' })).toBeChecked()
  await editor.getByLabel('Name').fill('beta')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(
    editor.getByRole('alert').filter({ hasText: 'You already have a category “Beta”' }),
  ).toBeVisible()
  await expectClear(page, 'categories-merge')
  await editor.getByRole('button', { name: 'Merge with it' }).click()
  await expect(row(page, 'Beta')).toContainText('2 tasks · 2h 0m')
  await expect.poll(() => categoriesOf(user)).toEqual(['Fix Beta', 'Plan Beta'])
  const stored = async () => (await page.request.get('/v1/account/prefs', PROJECT)).json()
  await expect.poll(stored).toMatchObject({
    'filter:Acme work': '@Beta -#x',
    'rate:category:Beta:2026-01-01': '95.00 EUR',
    balanceFilter: '@Beta',
  })
  expect(await stored()).not.toHaveProperty('category:acme')

  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => categoriesOf(user)).toEqual(['Fix Acme', 'Plan Beta'])
  await expect.poll(stored).toEqual(prefs)
})

const PROJECT = { headers: { 'X-Appwrite-Project': 'stint' } }

test('reports roll up by category, and lead to its sessions of the period @long', async ({
  page,
  user,
}) => {
  await user.signInThroughApi()
  await worked(user, 'Fix', 'Big Corp', '2026-11-04')
  await worked(user, 'Plan', 'big corp', '2026-11-03')
  await worked(user, 'Write', 'Beta', '2026-11-03')
  await page.goto('/reports?view=yearly&from=2026-01-01&by=category')
  const legend = page.getByRole('link', { name: 'Show the sessions of big corp' })
  await expect(legend).toBeVisible()
  await expectClear(page, 'categories-report')
  await legend.click()
  await expect(page.getByRole('searchbox', { name: 'Filter sessions' })).toHaveValue(
    /^@"big corp" /,
  )
  await expect(page.getByRole('button', { name: '2 sessions' })).toBeVisible()

  // A category that is being typed is completed.
  const filter = page.getByRole('searchbox', { name: 'Filter sessions' })
  await filter.fill('')
  await filter.pressSequentially('-@b')
  await expect(page.getByRole('option', { name: '@Beta' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(filter).toHaveValue('-@Beta ')
  await expect(
    page.getByRole('button', { name: 'Remove filter not Category is Beta' }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: '2 sessions' })).toBeVisible()
})

test('a task moves to a typed category in its editor, with the colour of the category @long', async ({
  page,
  user,
}) => {
  await user.signInThroughApi()
  await user.setPrefs({ 'category:acme': 'magenta' })
  await worked(user, 'Fix', 'Acme')
  await user.create('tasks', { name: 'Write' })
  await page.goto('/tasks')
  await page.getByRole('button', { name: 'Edit task' }).first().click({ force: true })
  const editor = page.getByRole('dialog', { name: 'Edit task' })
  const category = editor.getByRole('combobox', { name: 'Category' })
  await category.fill('x'.repeat(65))
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor.getByText('Use at most 64 characters (currently 65).')).toBeVisible()
  await category.fill('ac')
  await page.getByRole('option', { name: 'Acme' }).click()
  await expect(category).toHaveValue('Acme')
  await expect(editor.getByRole('radio', { name: 'magenta' })).toBeChecked()
  await expectClear(page, 'categories-editor')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => user.stored('tasks'))
    .toContainEqual(
      expect.objectContaining({ name: 'Write', category: 'Acme', color: 'bg-magenta-500' }),
    )
})

test('a category that is renamed offline is renamed on another device later @long', async ({
  page,
  context,
  user,
  openDevice,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource|WebSocket connection/)
  await user.signInThroughApi()
  await worked(user, 'Fix', 'Acme')
  await page.goto('/tasks')
  await page.getByRole('button', { name: 'Categories' }).click()
  await context.setOffline(true)
  await row(page, 'Acme').getByRole('button', { name: 'Edit Acme' }).click()
  await page.getByLabel('Name').fill('Beta')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row(page, 'Beta')).toContainText('1 task')
  const phone = await openDevice('/tasks')
  await expect(phone.getByText('Acme', { exact: true })).toBeVisible()
  await context.setOffline(false)
  await expect(phone.getByText('Beta', { exact: true })).toBeVisible()
})
