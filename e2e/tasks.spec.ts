/** Tasks: renaming, colours, goals, pinning, merging, deleting and restoring. */
import type { Page } from '@playwright/test'

import { expect, startTimer, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { daysAgo } from './history.ts'
import { expectClear } from './looks.ts'

test('name, category, colour and goal of a task can be changed, and Undo restores them', async ({
  page,
  user,
}) => {
  await openTasks(page, user)
  await page.getByRole('listitem').filter({ hasText: 'Write report' }).hover()
  await editButton(page, 'Write report').click()
  const editor = page.getByRole('dialog', { name: 'Edit task' })
  await expect(editor.getByLabel('Task Name')).toBeFocused()
  await editor.getByLabel('Task Name').fill('Write paper')
  await editor.getByLabel('Category').fill('Design')
  await expect(editor.getByRole('radio', { name: 'teal' })).toBeChecked()
  await editor.getByLabel('Daily goal (hours)').fill('2,5')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('link', { name: 'Write paper' })).toBeVisible()
  await expect(editButton(page, 'Write paper')).toBeFocused()
  await expect
    .poll(() => user.stored('tasks'))
    .toContainEqual(
      expect.objectContaining({
        name: 'Write paper',
        category: 'Design',
        color: 'bg-teal-500',
        goalHours: 2.5,
      }),
    )

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: 'Write report' })).toBeVisible()
  await expect
    .poll(() => user.stored('tasks'))
    .toContainEqual(
      expect.objectContaining({ name: 'Write report', category: 'Development', goalHours: 8 }),
    )
})

test('an invalid name and a goal of more than 24 hours are refused @long', async ({
  page,
  user,
}) => {
  await openTasks(page, user)
  await editButton(page, 'Plan week').click({ force: true })
  const editor = page.getByRole('dialog', { name: 'Edit task' })
  await editor.getByLabel('Task Name').fill('  ')
  await editor.getByLabel('Daily goal (hours)').fill('30')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor.getByLabel('Task Name')).toHaveAttribute('aria-invalid', 'true')
  await expect(editor.getByText(/^Enter 0 to 24 hours/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Plan week' })).toBeVisible()
})

test('the progress of a daily goal is shown once somebody has set one, even that of 8 hours @long', async ({
  page,
  history,
}) => {
  const taskId = await history.task('Write report')
  const now = Date.now()
  const start = new Date(now - 3_600_000).toISOString()
  await history.entry(taskId, start, new Date(now).toISOString())
  await page.goto(`/tasks/${taskId}`)
  await expect(page.getByText('Last worked on today')).toBeVisible()
  await expect(page.getByText(/ of .* today$/)).toHaveCount(0)
  const goal = page.getByLabel('Daily goal (hours)')
  await page.getByRole('button', { name: 'Edit task' }).click()
  await expect(goal).toHaveValue('')
  await goal.fill('8')
  await page.getByRole('button', { name: 'Save' }).click()
  // Shortly after midnight, part of the hour was yesterday.
  await expect(page.getByText(/^(1h 0m|\d+m) of 8h 0m today$/)).toBeVisible()
  await page.goto('/tasks')
  await expect(page.getByRole('img', { name: /of 8h 0m today$/ })).toBeVisible()
  await editButton(page, 'Write report').click({ force: true })
  await expect(goal).toHaveValue('8')
  await goal.fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('img', { name: /today$/ })).toHaveCount(0)
})

test('a pinned task comes first in Quick Start, on every device @long', async ({
  page,
  user,
  openDevice,
}) => {
  await openTasks(page, user)
  await editButton(page, 'Write report').click({ force: true })
  await page.getByRole('button', { name: 'Pin to Quick Start' }).click()
  await expect(page.getByRole('button', { name: 'Unpin from Quick Start' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: /^Start / }).first()).toHaveAccessibleName(
    'Start Write report',
  )
  const phone = await openDevice('/dashboard')
  await expect(phone.getByRole('button', { name: /^Start / }).first()).toHaveAccessibleName(
    'Start Write report',
  )
})

test('merging two tasks moves all sessions and the timer, and Undo separates them again @long', async ({
  page,
  user,
}) => {
  await openTasks(page, user)
  await page.goto('/dashboard')
  await startTimer(page, 'Write report')
  await page.goto('/tasks')
  await editButton(page, 'Write report').click({ force: true })
  await page.getByRole('button', { name: 'Merge into another task' }).click()
  const merge = page.getByRole('dialog', { name: 'Merge task' })
  await expect(merge.getByLabel('Merge into')).toBeFocused()
  await expect(merge.getByText(/^The 2 sessions of “Write report” \(3h 0m\)/)).toBeVisible()
  await merge.getByLabel('Merge into').selectOption('Plan week')
  await merge.getByRole('button', { name: 'Merge' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'total tracked' })
  await expect(row).toHaveText([/Plan week.*3h \d+m total tracked/])
  const timed = async () => {
    const [session] = await user.stored('timer_sessions')
    const tasks = await user.stored('tasks')
    return tasks.find(({ $id }) => $id === session?.['taskId'])?.['name']
  }
  await expect.poll(timed).toBe('Plan week')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toHaveCount(2)
  await expect(row.filter({ hasText: 'Write report' })).toHaveText(/3h \d+m total tracked/)
  await expect.poll(timed).toBe('Write report')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
})

test('a task cannot be merged before its whole history is loaded @long', async ({
  page,
  history,
}) => {
  const write = await history.task('Write report')
  await history.task('Plan week')
  await history.entry(write, '2026-11-17 09:00', '2026-11-17 11:00')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/time_entries/documents**', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/tasks')
  await editButton(page, 'Write report').click({ force: true })
  await page.getByRole('button', { name: 'Merge into another task' }).click()
  const merge = page.getByRole('dialog', { name: 'Merge task' })
  await expect(merge.getByText(/^Still loading your history\./)).toBeVisible()
  await expect(merge.getByRole('button', { name: 'Merge' })).toBeDisabled()
  letGo()
  await expect(merge.getByText(/^The session of “Write report” \(2h 0m\)/)).toBeVisible()
  await expect(merge.getByRole('button', { name: 'Merge' })).toBeEnabled()
})

test('a deleted task stays in the archive with its time until it is restored @long', async ({
  page,
  user,
}) => {
  await openTasks(page, user)
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Write report' })
    .getByRole('button', { name: 'Delete task' })
    .click({ force: true })
  await page.getByRole('button', { name: 'Archived tasks (1)' }).click()
  const archived = page.getByRole('list', { name: 'Archived tasks' })
  await expect(archived.getByRole('listitem')).toHaveText(/Write report3h 0mRestore/)
  await archived.getByRole('button', { name: 'Restore Write report' }).click()
  await expect(page.getByRole('button', { name: /^Archived/ })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Write report' })).toBeVisible()
})

test('tasks and their dialog fit every width in both themes @long', async ({ page, user }) => {
  await openTasks(page, user)
  const now = Date.now()
  const [task] = await user.stored('tasks')
  await user.update('tasks', task?.$id ?? '', { goalHours: 6 })
  await user.history.entry(
    task?.$id ?? '',
    new Date(now - 3_600_000).toISOString(),
    new Date(now).toISOString(),
  )
  await page.reload()
  await expect(page.getByRole('img', { name: /today$/ })).toBeVisible()
  await expectClear(page, 'tasks')
  await editButton(page, 'Plan week').click({ force: true })
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectClear(page, 'task-editor')
})

/** Opens two tasks; 'Write report' has three hours in two sessions. */
async function openTasks(page: Page, user: Person): Promise<void> {
  await user.signInThroughApi()
  const { history } = user
  const taskId = await history.task('Write report')
  await history.task('Plan week')
  const yesterday = daysAgo(1)
  await history.entry(taskId, `${yesterday} 09:00`, `${yesterday} 11:00`)
  await history.entry(taskId, `${yesterday} 13:00`, `${yesterday} 14:00`)
  await page.goto('/tasks')
  await expect(page.getByText('3h 0m total tracked')).toBeVisible()
}

function editButton(page: Page, task: string) {
  return page
    .getByRole('listitem')
    .filter({ hasText: task })
    .getByRole('button', { name: 'Edit task' })
}
