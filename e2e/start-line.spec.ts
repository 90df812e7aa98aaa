import type { Locator, Page } from '@playwright/test'

import { PASSWORD } from './backend.ts'
import { expect, FAILED_REQUEST, tabTo, test } from './fixtures.ts'
import { expectClear } from './looks.ts'

/** The field 'What are you working on?', in the idle timer panel and in the palette. */

const QUESTION = 'What are you working on?'
const IDLE_TEXT = 'Select a task below to start timing'
const WIDTHS = [320, 390, 1280]

const field = (page: Page) => page.getByRole('combobox', { name: QUESTION })
const options = (page: Page) => page.getByRole('option')
const panel = (page: Page) => page.getByRole('region', { name: 'Timer' })

/** The ways to a running timer from a new account, each at one width. */
const WAYS = [
  { width: 320, by: 'touch' },
  { width: 390, by: 'mouse' },
  { width: 1280, by: 'keyboard' },
] as const
/** From an empty account to a running timer, beyond the name. */
const MAX_KEYS = 12

declare global {
  interface Window {
    pressedKeys?: number
  }
}

for (const { width, by } of WAYS) {
  test.describe(`by ${by}`, () => {
    test.use({ viewport: { width, height: 844 }, hasTouch: by === 'touch' })

    test(`a new account reaches a running timer with one line of typing, at ${width} px${by === 'keyboard' ? '' : ' @long'}`, async ({
      page,
      server,
      user,
    }) => {
      const press = async (target: Locator) => {
        if (by === 'touch') return target.tap()
        if (by === 'mouse') return target.click()
        await tabTo(page, target)
        await page.keyboard.press(
          (await target.getAttribute('type')) === 'checkbox' ? ' ' : 'Enter',
        )
      }
      const enter = async (label: string, text: string) => {
        const input = page.getByLabel(label, { exact: true })
        if (by === 'keyboard') await tabTo(page, input)
        else await press(input)
        await page.keyboard.type(text)
      }
      await page.goto(`${server.url}/signup`)
      await expect(page.getByLabel('Full Name')).toBeEditable()
      await enter('Full Name', 'Ada')
      await enter('Email Address', `ada-${width}@example.com`)
      await enter('Password', PASSWORD)
      await enter('Confirm Password', PASSWORD)
      await press(page.getByLabel(/I agree/))
      await press(page.getByRole('button', { name: 'Create Account' }))

      // The cursor is in the field.
      await expect(field(page)).toBeFocused()
      await expect(page.getByText('No tasks yet. Create your first task!')).toBeVisible()
      await expectClear(page, 'start-line-new-account', [width])
      await page.evaluate(() => {
        window.pressedKeys = 0
        addEventListener(
          'keydown',
          () => (window.pressedKeys = (window.pressedKeys ?? 0) + 1),
          true,
        )
      })
      await page.keyboard.type('Write')
      await expect(options(page)).toHaveText(['Create and start “Write”'])
      if (by === 'keyboard') await page.keyboard.press('Enter')
      else await press(options(page))
      const stop = panel(page).getByRole('button', { name: 'Stop', exact: true })
      await expect(stop).toBeVisible()
      const keys = await page.evaluate(() => window.pressedKeys ?? Infinity)
      expect(keys - 'Write'.length).toBeLessThanOrEqual(MAX_KEYS)
      await expect(panel(page)).toContainText('Write')
      await expect(panel(page)).toBeFocused()
      await expect.poll(() => user.stored('timer_sessions')).toHaveLength(1)

      // Not at every visit.
      await press(stop)
      await expect(page.getByText(IDLE_TEXT)).toBeVisible()
      await expect.poll(() => user.stored('timer_sessions')).toEqual([])
      await page.reload()
      await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
      await expect(field(page)).not.toBeFocused()
    })
  })
}

test('a known task is found as it is typed, and the arrow keys choose another @long', async ({
  page,
  user,
}) => {
  const [write] = await user.openWithTasks(['Write report', 'Wrap gifts', 'Éclair'])
  const start = Date.now() - 3_600_000
  await user.create('time_entries', {
    taskId: write,
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + 600_000).toISOString(),
    durationSeconds: 600,
  })
  await page.reload()
  await expect(page.getByRole('listitem').filter({ hasText: 'Write report' })).toContainText('10m')

  // The choice that Enter takes is shown, selected and announced.
  await field(page).focus()
  await expect(options(page)).toHaveText([
    'Create and start “Untitled”',
    'Start Write report',
    'Start Éclair',
    'Start Wrap gifts',
  ])
  await expect(field(page)).toHaveAttribute('placeholder', 'Try “call Ann #acme 10m ago”')
  await expectClear(page, 'start-line-empty', WIDTHS)
  // What is not said clearly enough is offered below.
  await page.keyboard.type('talk 0:00')
  await expect(options(page)).toHaveText([
    'Create and start “talk 0:00”',
    /^Create and start “talk” · since /,
  ])
  await page.keyboard.press('Escape')
  await page.keyboard.type('WR')
  const found = ['Start Write report', 'Start Wrap gifts', 'Create and start “WR”']
  await expect(options(page)).toHaveText(found)
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
  await expect(panel(page).getByRole('status')).toHaveText('Start Write report')
  await expectClear(page, 'start-line-known', WIDTHS)
  await page.keyboard.press('ArrowUp')
  await expect(options(page).last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const id = await options(page).nth(1).getAttribute('id')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', id ?? '')
  await expect(panel(page).getByRole('status')).toHaveText('Start Wrap gifts')

  // Escape empties the field; the next letter opens the list again.
  await page.keyboard.press('Escape')
  await expect(options(page)).toHaveCount(0)
  await expect(field(page)).toHaveValue('')
  await page.keyboard.type('eclair')
  await expect(options(page)).toHaveText(['Start Éclair', 'Create and start “eclair”'])
  const height = async () => (await panel(page).boundingBox())?.height
  const idle = await height()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Running Éclair' })).toBeVisible()
  // Nothing below moves.
  await expect.poll(height).toBe(idle)
  const tasks = () => user.stored('tasks')
  await expect.poll(async () => (await tasks()).length).toBe(3)
})

test('on a small or zoomed screen the choice that Enter takes is in sight @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write', 'Wrap gifts'])
  for (const [width, height] of [
    [640, 360],
    [195, 422],
    // A phone that shows its keyboard.
    [390, 420],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.reload()
    await field(page).click()
    await page.keyboard.type('wr')
    await expect(options(page)).toHaveCount(3)
    for (const option of [options(page).first(), options(page).nth(1)]) {
      await expect
        .poll(() =>
          option.evaluate((each) => {
            const { left, top, bottom } = each.getBoundingClientRect()
            return [top + 1, bottom - 1].every((y) =>
              each.contains(document.elementFromPoint(left + 20, y)),
            )
          }),
        )
        .toBe(true)
      await page.keyboard.press('ArrowDown')
    }
  }
})

test('a new task is created and started in one press, and Undo takes back both @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write'])
  await field(page).fill('Call Ann')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Created and started Call Ann')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Running Call Ann' })).toBeVisible()
  await expect(page.getByText('Creating...')).toHaveCount(0)
  await expect(page.getByRole('timer')).not.toHaveText('00:00')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(IDLE_TEXT)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Call Ann' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  const entries = await user.stored('time_entries')
  expect(entries.filter(({ deletedAt }) => deletedAt === null)).toEqual([])
  await expect
    .poll(async () => {
      const tasks = await user.stored('tasks')
      return tasks.map(({ name, isActive }) => [name, isActive])
    })
    .toEqual([
      ['Write', true],
      ['Call Ann', false],
    ])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
})

test('a start in the past and time to add are read, and overlaps are asked about @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Hiring', 'Write'])
  await field(page).fill('yesterday 9-10 hiring')
  await expect(options(page)).toHaveText(['Add 1h to Hiring · Yesterday, 09:00 – 10:00'])
  await page.keyboard.press('Enter')
  await expect(page.getByText('Added 1h to Hiring')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Hiring' })).toContainText('1h 0m')
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('')

  await page.keyboard.type('write yesterday 9:30-10 #acme')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('overlaps another session')
  await dialog.getByRole('button', { name: 'Trim overlaps' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('listitem').filter({ hasText: 'Hiring' })).toContainText('30m')
  await expect
    .poll(async () => {
      const entries = await user.stored('time_entries')
      return entries.map(({ durationSeconds, note }) => [durationSeconds, note])
    })
    .toEqual([
      [1800, null],
      [1800, '#acme'],
    ])

  await field(page).fill('write since 23:59 yesterday')
  await expect(options(page)).toHaveText(['Create and start “write since 23:59 yesterday”'])
  await field(page).fill('call Ann #acme 10m ago')
  await expect(options(page)).toHaveText([
    /^Create and start “call Ann” · #acme · (Yesterday, )?since \d\d:\d\d$/,
    'Create and start “call Ann #acme 10m ago”',
  ])
  await expectClear(page, 'start-line-past', WIDTHS)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Running call Ann' })).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/^1\d:\d\d$/)
  await expect
    .poll(async () => {
      const sessions = await user.stored('timer_sessions')
      return sessions.map(({ note }) => note)
    })
    .toEqual(['#acme'])
})

for (const leave of ['Escape', 'Cancel', 'a reload'] as const) {
  test(`a new task with time that overlaps is created by Save, and ${leave} leaves nothing of it @long`, async ({
    page,
    user,
  }) => {
    await user.openWithTasks(['Hiring'])
    const tasks = async () => {
      const stored = await user.stored('tasks')
      return stored.map(({ name }) => name)
    }
    await field(page).fill('yesterday 9-10 hiring')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Added 1h to Hiring')).toBeVisible()

    const dialog = page.getByRole('dialog', { name: 'Add time' })
    const trim = dialog.getByRole('button', { name: 'Trim overlaps' })
    const ask = async () => {
      await field(page).fill('yesterday 9:30-10:30 training')
      await page.keyboard.press('Enter')
      await expect(trim).toBeVisible()
    }
    await ask()
    // The first press returns to the form.
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog.getByRole('combobox', { name: 'Task' })).toHaveValue('training')
    if (leave === 'Escape') await page.keyboard.press('Escape')
    if (leave === 'Cancel') await dialog.getByRole('button', { name: 'Cancel' }).click()
    if (leave === 'a reload') await page.reload()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Created training')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Start Hiring' })).toBeEnabled()
    await expect(page.getByRole('button', { name: 'Start training' })).toHaveCount(0)

    await ask()
    await trim.click()
    await expect(page.getByRole('button', { name: 'Start training' })).toBeVisible()
    await expect.poll(tasks).toEqual(['Hiring', 'training'])
    const entries = () => user.stored('time_entries')
    await expect
      .poll(async () => (await entries()).map(({ durationSeconds }) => durationSeconds))
      .toEqual([1800, 3600])
  })
}

test('a new task whose start overlaps is created with its timer @long', async ({ page, user }) => {
  await user.openWithTasks(['Hiring'])
  await field(page).fill('hiring 10m ago')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByText('Select a task below to start timing')).toBeVisible()
  await field(page).fill('training 5m ago')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add time' })
  await dialog.getByRole('button', { name: 'Trim overlaps' }).click()

  await expect(page.getByRole('button', { name: 'Running training' })).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(/^0[5-9]:\d\d$/)
  await expect.poll(async () => (await user.stored('tasks')).length).toBe(2)
})

test('Enter in the empty field starts Untitled, which is named while it runs @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write'])
  await field(page).press('Enter')
  await expect(page.getByRole('button', { name: 'Running Untitled' })).toBeVisible()
  await expect(page.getByText('Creating...')).toHaveCount(0)
  await field(page).fill('Call Ann')
  await expect(options(page)).toHaveText(['Name it “Call Ann”'])
  await expectClear(page, 'start-line-untitled', WIDTHS)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Running Call Ann' })).toBeVisible()
  await expect(field(page)).toHaveCount(0)

  // A known name moves the timer there, and the unnamed task goes.
  await page.keyboard.press('s')
  await field(page).press('Enter')
  await expect(page.getByRole('button', { name: 'Running Untitled' })).toBeVisible()
  await field(page).fill('wri')
  await expect(options(page)).toHaveText(['Switch to Write', 'Name it “wri”'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Running Write' })).toBeVisible()
  await expect(page.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByRole('button', { name: 'Running Untitled' })).toBeVisible()
})

test('the palette starts, creates and adds from the same line, below its commands @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Hiring'])
  const palette = page.getByRole('dialog')
  const line = palette.getByRole('combobox')
  await page.keyboard.press('Control+k')
  await expect(line).toBeFocused()
  await page.keyboard.type('settings')
  await expect(palette.getByRole('option')).toHaveText([/^Settings/, 'Create and start “settings”'])
  await line.fill('hiring 10m ago')
  await expect(palette.getByRole('option')).toHaveText([/^Start Hiring · .*since \d\d:\d\d$/])
  await line.fill('hiring yesterday 9-10')
  await expect(palette.getByRole('option')).toHaveText([/^Add 1h to Hiring · Yesterday/])
  await expectClear(page, 'start-line-palette', WIDTHS)
  const isSaved = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().includes('time_entries'),
  )
  await page.keyboard.press('Enter')
  await expect(page.getByText('Added 1h to Hiring')).toBeVisible()
  await isSaved

  await page.goto('/tasks')
  await expect(page.getByRole('button', { name: 'Start Hiring' })).toBeEnabled()
  await page.keyboard.press('n')
  await expect(line).toBeFocused()
  await expect(line).toHaveAttribute('placeholder', QUESTION)
  await page.keyboard.type('call Ann')
  await expect(palette.getByRole('option')).toHaveText(['Create and start “call Ann”'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Running call Ann' })).toBeVisible()
  await expect(page.getByText('Creating...')).toHaveCount(0)

  // Another timer runs: the line switches, and Undo goes back to the timer before.
  await page.keyboard.press('Control+k')
  await expect(line).toBeFocused()
  await page.keyboard.type('call Ben')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Running call Ben' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByRole('button', { name: 'Running call Ann' })).toBeVisible()
})

test('offline, a new task is kept, its start fails as any start, and Undo loses nothing', async ({
  page,
  user,
  context,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await user.openWithTasks(['Write'])
  await field(page).focus()
  await expect(options(page).filter({ hasText: 'Write' })).toBeVisible()
  await context.setOffline(true)
  await page.keyboard.type('Call Ann')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Timer stopped: No internet connection detected')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Call Ann' })).toBeVisible()
  await page.getByRole('button', { name: 'Track offline' }).click()
  await expect(page.getByRole('button', { name: 'Running Call Ann' })).toBeVisible()
  await page.keyboard.press('s')

  await field(page).fill('Call Ben')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Running Call Ben' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByText(IDLE_TEXT)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Call Ben' })).toHaveCount(0)

  await context.setOffline(false)
  await expect
    .poll(async () => {
      const tasks = await user.stored('tasks')
      return tasks.filter(({ isActive }) => isActive === true).map(({ name }) => name)
    })
    .toEqual(['Write', 'Call Ann'])
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  await expect(page.getByRole('button', { name: 'Start Call Ann' })).toBeEnabled()
})
