/** Starting a task where it is seen: /tasks, its page, its sessions, the toast, Quick Start. */
import type { Locator, Page } from '@playwright/test'

import { expect, startTimer, tabTo, test } from './fixtures.ts'
import { daysAgo } from './history.ts'
import { expectClear } from './looks.ts'

const timed = (page: Page) => page.getByRole('region', { name: 'Timer' }).filter({ visible: true })
const stop = (page: Page) =>
  page.getByRole('button', { name: 'Stop', exact: true }).filter({ visible: true })

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('a task is started where it is seen', async ({ page, user }) => {
    const [write = ''] = await user.openWithTasks(['Write', 'Plan'])
    const { history } = user
    await history.entry(write, `${daysAgo(1)} 09:00`, `${daysAgo(1)} 11:00`, [], 'Draft #acme')

    await page.goto('/tasks')
    await page.getByRole('button', { name: 'Start Write' }).tap()
    await expect(page.getByRole('button', { name: 'Running Write' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Start Plan' })).toBeDisabled()
    await expect(page).toHaveURL(/\/tasks$/)
    await stop(page).tap()
    await expect(page.getByRole('button', { name: 'Start Plan' })).toBeEnabled()

    await page.getByRole('link', { name: 'Write' }).tap()
    await page.getByRole('button', { name: 'Start Write' }).tap()
    await expect(timed(page)).toContainText('Write')
    const again = sessionNamed(page, 'Draft').getByRole('button', {
      name: /^Continue Yesterday, /,
    })
    await expect(again).toBeDisabled()
    await stop(page).tap()

    await again.tap()
    await expect(again).toBeDisabled()
    await expect
      .poll(() => user.stored('timer_sessions'))
      .toEqual([expect.objectContaining({ taskId: write, note: 'Draft #acme' })])
    await stop(page).tap()

    await page.getByRole('link', { name: 'Tasks', exact: true }).filter({ visible: true }).tap()
    await page.getByRole('button', { name: /^Add/ }).filter({ visible: true }).tap()
    await page.getByLabel('Task Name').fill('Call Ann')
    await page.keyboard.press('Enter')
    await startInToast(page, 'Call Ann').tap()
    await expect(page.getByRole('button', { name: 'Running Call Ann' })).toBeVisible()
  })
})

test('a task is started where it is seen by the keyboard alone @long', async ({ page, user }) => {
  const [write = ''] = await user.openWithTasks(['Write'])
  const { history } = user
  await history.entry(write, `${daysAgo(1)} 09:00`, `${daysAgo(1)} 11:00`, [], 'Draft')
  const stored = () => user.stored('timer_sessions')
  const run = async (start: Locator) => {
    await tabTo(page, start)
    await page.keyboard.press('Enter')
    await expect(stop(page)).toBeVisible()
    await expect.poll(stored).toHaveLength(1)
    await page.keyboard.press('s')
    await expect(stop(page)).toHaveCount(0)
    await expect.poll(stored).toEqual([])
  }
  await run(page.getByRole('button', { name: 'Start Write' }))

  await page.goto('/tasks')
  await page.getByRole('link', { name: 'Write' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeFocused()
  await run(page.getByRole('button', { name: 'Start Write' }))

  await page.getByRole('link', { name: 'Write' }).focus()
  await page.keyboard.press('Enter')
  await run(page.getByRole('button', { name: 'Start Write' }))
  await run(sessionNamed(page, 'Draft').getByRole('button', { name: /^Continue/ }))

  await page.keyboard.press('a')
  await expect(page.getByLabel('Task Name')).toBeFocused()
  await page.keyboard.type('Call Ann')
  await page.keyboard.press('Enter')
  await run(startInToast(page, 'Call Ann'))
})

test('a session is continued from its row on Sessions, and from its editor @long', async ({
  page,
  user,
}) => {
  const [write = ''] = await user.openWithTasks(['Write'])
  await user.history.entry(write, `${daysAgo(1)} 09:00`, `${daysAgo(1)} 11:00`, [], 'Draft #acme')
  const isTimed = async () => {
    const timer = expect.objectContaining({ taskId: write, note: 'Draft #acme' })
    await expect.poll(() => user.stored('timer_sessions')).toEqual([timer])
    await stop(page).click()
    await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  }
  await page.goto('/sessions')
  const again = page.getByRole('button', { name: /^Continue Write, 09:00/ })
  await again.click()
  await expect(again).toBeDisabled()
  await isTimed()

  await page.getByRole('button', { name: /^Edit Write, 09:00/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await isTimed()
})

test('a deleted task has no Start and no Continue @long', async ({ page, history }) => {
  const write = await history.task('Write')
  await history.entry(write, `${daysAgo(1)} 09:00`, `${daysAgo(1)} 11:00`)
  await history.deleteTask(write)
  await page.goto(`/tasks/${write}`)
  const sessions = page.getByRole('region', { name: 'Recent Sessions' })
  await expect(sessions.getByRole('button', { name: /^Edit Yesterday/ })).toBeVisible()
  const startsAgain = page.getByRole('button', { name: /^(Start|Continue)/ })
  await expect(startsAgain).toHaveCount(0)
  await page.goto('/sessions')
  await page.getByRole('button', { name: /^Edit Write/ }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Split' })).toBeVisible()
  await expect(startsAgain).toHaveCount(0)
})

test('Quick Start has the pinned tasks and the last eight worked on, and finds all others @long', async ({
  page,
  history,
  user,
}) => {
  const ids: string[] = []
  for (let index = 1; index <= 12; index++) ids.push(await history.task(`Task ${index}`))
  for (const [index, hour] of ['05', '06', '07', '08', '09', '10', '11', '12', '13'].entries()) {
    await history.entry(ids[index] ?? '', `${daysAgo(1)} ${hour}:00`, `${daysAgo(1)} ${hour}:30`)
  }
  await user.setPrefs({ pinnedTasks: [ids[11]] })
  await page.goto('/dashboard')
  const list = page.getByRole('region', { name: 'Quick Start' })
  const rows = list.getByRole('listitem')
  await expect(rows).toHaveText(
    [12, 9, 8, 7, 6, 5, 4, 3, 2].map((task, index) => {
      return new RegExp(`^0${index + 1}Task ${task}Today`)
    }),
  )
  await expectClear(page, 'quick-start', [320, 390, 1280])

  await list.getByRole('button', { name: 'Show all 12' }).click()
  await expect(rows).toHaveCount(12)
  await expect(rows.last()).toHaveText(/^12Task 10Today/)
  await list.getByRole('button', { name: 'Show fewer' }).click()
  await expect(rows).toHaveCount(9)

  // The page has one field, which finds every task. A task that runs is always there.
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await page.keyboard.press('n')
  await page.keyboard.type('task 10')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Creating...')).toHaveCount(0)
  await expect(rows).toHaveCount(10)
  await expect(list.getByRole('button', { name: 'Running Task 10' })).toBeVisible()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()

  // The whole row lights up, and all of it opens the task.
  const row = rows.filter({ hasText: 'Task 8' })
  await row.click()
  await expect(page).toHaveURL(new RegExp(`/tasks/${ids[7]}$`))
})

test('a name that exists is not taken unless the user insists @long', async ({ page, user }) => {
  await user.openWithTasks(['Write', 'Plan'])
  await page.goto('/tasks')
  await page.getByRole('button', { name: 'Add Task' }).click()
  const name = page.getByLabel('Task Name')
  await name.fill(' write')
  await page.keyboard.press('Enter')
  const notice = page.getByText('You already have a task “Write”.')
  await expect(notice).toBeVisible()
  await expectClear(page, 'same-name', [320, 390, 1280])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listitem').filter({ hasText: 'total tracked' })).toHaveCount(2)
  await name.fill('Writer')
  await expect(notice).toHaveCount(0)
  await name.fill('Write')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add anyway' }).click()
  await expect(page.getByRole('link', { name: 'Write' })).toHaveCount(2)

  await page.getByRole('button', { name: 'Add Task' }).click()
  await name.fill('plan')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Open it' }).click()
  await expect(page.getByRole('heading', { name: 'Plan' })).toBeVisible()

  await page.getByRole('button', { name: 'Edit task' }).click()
  const editor = page.getByRole('dialog')
  await editor.getByLabel('Task Name').fill('WRITE')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor.getByText('You already have a task “Write”.')).toBeVisible()
  await editor.getByRole('button', { name: 'Merge with it' }).click()
  await expect(editor.getByLabel('Merge into')).toHaveValue(/./)
  await editor.getByRole('button', { name: 'Cancel' }).click()
  await editor.getByLabel('Task Name').fill('WRITE')
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.getByRole('button', { name: 'Save anyway' }).click()
  await expect(page.getByRole('heading', { name: 'WRITE' })).toBeVisible()
})

for (const width of [390, 1280]) {
  test(`the first and largest button of a paused timer is Resume, at ${width} px @long`, async ({
    page,
    user,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    await user.openWithTasks()
    await startTimer(page, 'Write')
    for (const path of ['/dashboard', '/tasks']) {
      await page.goto(path)
      const buttons = timed(page).getByRole('button', { name: /^(Stop|Pause|Resume)$/ })
      await buttons.filter({ hasText: 'Pause' }).focus()
      await page.keyboard.press('Enter')
      await expect(buttons).toHaveText(['Resume', 'Stop'])
      await expect(buttons.first()).toBeFocused()
      const [resume, other] = await buttons.all()
      const wide = await resume?.boundingBox()
      expect(wide?.width).toBeGreaterThan((await other?.boundingBox())?.width ?? Infinity)
      await expect(resume ?? buttons).not.toHaveCSS(
        'background-color',
        (await other?.evaluate((each) => getComputedStyle(each).backgroundColor)) ?? '',
      )
      await page.keyboard.press('Enter')
      await expect(buttons).toHaveText(['Pause', 'Stop'])
    }
    await expect.poll(() => user.stored('timer_sessions')).toHaveLength(1)
  })
}

/** Returns the session with this note in Recent Sessions. */
function sessionNamed(page: Page, note: string): Locator {
  const sessions = page.getByRole('region', { name: 'Recent Sessions' })
  return sessions.getByRole('listitem').filter({ hasText: note })
}

/** Returns the Start button of the toast after adding a task. */
function startInToast(page: Page, task: string): Locator {
  const messages = page.getByRole('status', { name: 'Messages' })
  const added = messages.locator('div').filter({ hasText: new RegExp(`^Created ${task}`) })
  return added.first().getByRole('button', { name: 'Start' })
}
