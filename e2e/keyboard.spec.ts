import type { Page } from '@playwright/test'

import { API_CALL } from './backend.ts'
import { expect, FAILED_REQUEST, personOn, RUNNING, startTimer, test } from './fixtures.ts'
import { expectClear } from './looks.ts'
import type { RunningServer } from './server.ts'

/** Keyboard use: the shortcuts, the palette, and where shortcuts must not fire. */

const IDLE_TEXT = 'Select a task below to start timing'

test('every shortcut does what the shortcut sheet describes @long', async ({ page, user }) => {
  await user.openWithTasks(['Write', 'Plan'])
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.keyboard.press('?')
  await expect(sheet).toBeVisible()
  await expect(sheet.getByRole('definition')).toHaveCount(17)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)

  // N: the field of the dashboard, which starts a task.
  await page.keyboard.press('n')
  await expect(page.getByRole('combobox', { name: 'What are you working on?' })).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1 }).click()

  // Elsewhere a palette, which then lists tasks only.
  await press(page, 'g', 't')
  await expect(page.getByRole('heading', { name: 'All Tasks' })).toBeVisible()
  await page.keyboard.press('n')
  const palette = page.getByRole('dialog', { name: 'Start a task' })
  await expect(palette.getByRole('option')).toHaveText([/^Start Plan$/, /^Start Write$/])
  await page.keyboard.type('wri')
  await expect(palette.getByRole('option')).toHaveText([/^Start Write$/, 'Create and start “wri”'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Running Write' })).toBeVisible()
  await press(page, 'g', 'd')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page.getByText('Creating...')).toHaveCount(0)

  // P: pause and resume.
  await page.keyboard.press('p')
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible()
  await page.keyboard.press('p')
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()

  // S: stop. C: continue.
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  await page.keyboard.press('s')
  await expect(page.getByText(IDLE_TEXT)).toBeVisible()
  await page.keyboard.press('c')
  await expect(page.getByRole('button', { name: 'Running Write' })).toBeVisible()
  await expect(page.getByText('Creating...')).toHaveCount(0)
  await page.keyboard.press('c')
  await expect(page.getByText('Write is already running.')).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  await page.keyboard.press('s')
  await expect(page.getByText(IDLE_TEXT)).toBeVisible()
  await page.keyboard.press('s')
  await expect(page.getByText('No timer is running.')).toBeVisible()

  // G and a letter: the pages.
  await press(page, 'g', 'r')
  await expect(page.getByRole('heading', { name: 'Reports & Analytics' })).toBeVisible()
  await press(page, 'g', 's')
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
  await press(page, 'g', ',')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await press(page, 'g', 't')
  await expect(page.getByRole('heading', { name: 'All Tasks' })).toBeVisible()
  await press(page, 'g', 'd')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

  // A: add, from anywhere; Escape leaves the form.
  await page.keyboard.press('a')
  await expect(page.getByLabel('Task Name')).toBeFocused()
  await page.keyboard.type('Read')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listitem')).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Add Task' })).toBeFocused()

  // /: search, here and from elsewhere.
  const search = page.getByPlaceholder('Search tasks...')
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await page.keyboard.type('pl')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  await page.goto('/reports')
  await expect(page.getByRole('heading', { name: 'Reports & Analytics' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('')
})

test('the palette finds tasks and actions, recent ones first @long', async ({ page, user }) => {
  const [write] = await user.openWithTasks(['Write report', 'Plan', 'Prepare'])
  const start = Date.now() - 3_600_000
  await user.create('time_entries', {
    taskId: write,
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + 600_000).toISOString(),
    durationSeconds: 600,
  })
  await page.reload()
  await expect(page.getByRole('listitem').filter({ hasText: 'Write report' })).toContainText('10m')

  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  const field = palette.getByRole('combobox')
  const options = palette.getByRole('option')
  await expect(field).toBeFocused()
  await expect(options.first()).toHaveText('Start Write report')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await expect(palette.getByRole('group')).toHaveCount(3)

  // Best first: the start of the name, then of a word, then the middle.
  await page.keyboard.type('rep')
  await expect(options).toHaveText([
    /^Reports/,
    'Start Write report',
    'Write report analytics',
    'Edit Write report',
    'Start Prepare',
    'Prepare analytics',
    'Edit Prepare',
    /^Write report(Today|Yesterday), /,
    'Create and start “rep”',
  ])
  await expect(palette.getByRole('status')).toHaveText(/^\d+ results$/)
  await field.fill('analytics prep')
  await expect(options).toHaveText(['Prepare analytics', 'Create and start “analytics prep”'])
  await expect(palette.getByRole('status')).toHaveText('2 results')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Task Analytics & Insights' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await field.fill('settings')
  await expect(options.first()).toHaveText(/^Settings/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await expect(palette).toHaveCount(0)

  // The arrow keys move, and the field announces the selected item.
  await page.keyboard.press('Control+k')
  await field.fill('start')
  await page.keyboard.press('ArrowUp')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  const activeId = await field.getAttribute('aria-activedescendant')
  await expect(options.first()).toHaveAttribute('id', activeId ?? '')
  await page.keyboard.press('Enter')
  const bar = page.getByRole('region', { name: 'Timer' })
  await expect(bar.getByRole('button', { name: 'Stop' })).toBeVisible()

  // The actions change with the timer.
  await page.keyboard.press('Control+k')
  await expect(options.first()).toHaveText(/^Pause/)
  await field.fill('switch plan')
  await page.keyboard.press('Enter')
  await expect(bar).toContainText('Plan')
  await expect.poll(() => user.stored('timer_sessions')).toHaveLength(1)
  await page.keyboard.press('Control+k')
  await field.fill('stop')
  await page.keyboard.press('Enter')
  await expect(bar).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await field.fill('zzz')
  await expect(options).toHaveText(['Create and start “zzz”'])
  await field.fill('z'.repeat(256))
  await expect(palette.getByText('Use at most 255 characters (currently 256).')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(palette).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await field.fill('log out')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
})

test('no shortcut fires in a text field, in a dialog, with a modifier or while a key is held @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks()
  await expect(page.getByTitle('Updating…')).toHaveCount(0)
  await page.keyboard.press('c')
  await expect(page.getByText('Nothing to continue yet.')).toBeVisible()

  for (const keys of ['Control+s', 'Alt+s', 'Meta+p', 'Shift+N', 'Control+Shift+k']) {
    await page.keyboard.press(keys)
  }
  await page.evaluate(() => {
    for (const key of [
      { key: 'n', repeat: true },
      { key: 'n', isComposing: true },
      { key: 'k', ctrlKey: true, isComposing: true },
      { key: 'n', keyCode: 229 },
    ]) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...key }))
    }
    for (const html of ['<textarea>', '<select>', '<p contenteditable>']) {
      const place = document.createElement('div')
      place.innerHTML = html
      document.body.append(place)
      place.firstElementChild?.dispatchEvent(
        new KeyboardEvent('keydown', { bubbles: true, key: 'n' }),
      )
      place.remove()
    }
  })
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // In a dialog.
  await page.keyboard.press('?')
  await press(page, 'n', 'a', 'g', 'r')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

  // In a field, keys type letters.
  await page.keyboard.press('a')
  await page.getByLabel('Task Name').pressSequentially('nspca/?gd')
  await expect(page.getByLabel('Task Name')).toHaveValue('nspca/?gd')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/tasks$/)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Add Task' })).toBeVisible()
})

test('single-key shortcuts can be turned off and on again on every device @long', async ({
  page,
  server,
  user,
}) => {
  await user.openWithTasks()
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const choice = sheet.getByRole('checkbox', { name: /^Use single keys/ })
  await page.keyboard.press('?')
  await choice.click()
  await expect(choice).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await press(page, 'n', 'g', 't', '?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect.poll(() => shortcutsOf(page, server)).toBe(false)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await expect(palette.getByRole('option', { name: 'Add task' })).toBeVisible()
  await expect(palette.getByRole('listbox').locator('kbd')).toHaveCount(0)
  await page.keyboard.type('keyboard')
  await page.keyboard.press('Enter')
  await expect(choice).not.toBeChecked()
  await choice.click()
  await expect(choice).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await page.keyboard.press('n')
  await expect(page.getByRole('combobox', { name: 'What are you working on?' })).toBeFocused()
})

test('what is typed before the palette has loaded is typed into it @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write', 'Support'])
  const { promise: held, resolve: letIn } = Promise.withResolvers<void>()
  await page.route(/assets\/companions-/, async (route) => {
    await held
    await route.continue()
  })
  await startTimer(page, 'Write')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Running Write' })).toBeVisible()
  // 's' and 'p' would stop and pause the timer.
  await press(page, 'n', 's', 'u', 'p', 'Enter')
  letIn()
  await expect(page.getByRole('button', { name: 'Running Support' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a key whose code cannot be loaded has no effect later @long', async ({
  page,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await user.openWithTasks()
  await page.route(/assets\/companions-/, (route) => route.abort())
  const failed = () =>
    page.waitForEvent('requestfailed', (each) => each.url().includes('companions-'))
  const idle = failed()
  await page.reload()
  await idle
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  // Each key requests the code once more.
  for (const key of ['g', 't']) {
    const again = failed()
    await press(page, key)
    await again
  }
  // The page has handled the failures when it answers.
  await page.evaluate(() => undefined)
  await page.unroute(/assets\/companions-/)
  await press(page, '?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the palette has a button and works by touch @long', async ({ browser, server, user }) => {
  const context = await browser.newContext({
    baseURL: server.url,
    hasTouch: true,
    viewport: { width: 390, height: 844 },
  })
  const page = await context.newPage()
  await personOn(page, server, user).openWithTasks()
  await page.getByRole('button', { name: 'Search', exact: true }).tap()
  await page.getByRole('option', { name: 'Start Write' }).tap()
  await expect(page.getByRole('button', { name: 'Running Write' })).toBeVisible()
  await page.getByRole('button', { name: 'Search', exact: true }).tap()
  await page.getByRole('button', { name: 'Close' }).tap()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // A press outside closes the palette and does not reach the page behind.
  const reports = await page.getByRole('link', { name: 'Reports' }).boundingBox()
  const { x, y } = reports ?? { x: 0, y: 0 }
  for (const name of ['Search', 'Edit timer']) {
    await page.getByRole('button', { name, exact: true }).tap()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.touchscreen.tap(x + 20, y + 20)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('timer')).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard$/)
  }
  await context.close()
})

test('the palette and the shortcut sheet fit every width in both themes @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write', 'Plan'])
  await page.goto('/tasks')
  await expect(page.getByRole('button', { name: 'Start Plan' })).toBeEnabled()
  for (const [key, name] of [
    ['Control+k', 'palette'],
    ['n', 'palette-start'],
    ['?', 'shortcuts'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectClear(page, name)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('the palette finds sessions and opens one on its day @long', async ({ page, user }) => {
  const [write, call] = await user.openWithTasks(['Write', 'Call Ann'])
  const drafts = [10, 11, 12, 13, 14, 15].map(
    (day) => [write, `2025-03-${day}T15`, 'Draft'] as const,
  )
  const offer = [call, '2025-03-14T18', 'Über the quarterly offer #acme'] as const
  for (const [taskId, hour, note] of [...drafts, offer]) {
    await user.create('time_entries', {
      taskId,
      startTime: `${hour}:00:00.000Z`,
      endTime: `${hour}:30:00.000Z`,
      durationSeconds: 1800,
      note,
    })
  }
  await page.reload()
  await expect(page.getByRole('listitem').filter({ hasText: 'Write' }).first()).toContainText('3h')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  const field = palette.getByRole('combobox')
  const found = palette.getByRole('group', { name: 'Sessions' }).getByRole('option')

  // At most five, newest first, below the other results.
  await page.keyboard.press('Control+k')
  await field.fill('draft')
  await expect(found).toHaveText([15, 14, 13, 12, 11].map((day) => new RegExp(`${day} Mar 2025`)))
  await field.fill('write')
  await expect(found).toHaveCount(5)
  await expect(palette.getByRole('option').first()).toHaveText('Start Write')
  await field.fill('d')
  await expect(found).toHaveCount(0)

  // The whole language of the filter, with all words in task and note.
  await field.fill('#acme march 2025 ann uber')
  await expect(found).toHaveText([/^Call Ann14 Mar 2025, .* · Über the quarterly offer #acme$/])
  await expectClear(page, 'palette-sessions', [320, 390, 1280])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/reports\?day=2025-03-14$/)
  const editor = page.getByRole('dialog', { name: 'Edit session' })
  await expect(editor.getByLabel('Note')).toHaveValue('Über the quarterly offer #acme')

  // The session is in view and has the focus when the editor is closed.
  await page.keyboard.press('Escape')
  const block = page.getByRole('button', { name: /^Edit Call Ann/ })
  await expect(block).toBeFocused()
  await expect(block).toBeInViewport()

  // Another one from this page, on another day.
  await page.keyboard.press('Control+k')
  await field.fill('draft 10 march 2025')
  await expect(found).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/reports\?day=2025-03-10$/)
  await expect(editor.getByLabel('Note')).toHaveValue('Draft')
})

async function shortcutsOf(page: Page, server: RunningServer): Promise<unknown> {
  const answer = await page.request.get(`${server.url}/v1/account/prefs`, API_CALL)
  const prefs: unknown = await answer.json()
  return typeof prefs === 'object' && prefs !== null && 'shortcuts' in prefs && prefs.shortcuts
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}
