/**
 * Editing the record: adding, editing, splitting, merging and deleting sessions, with Undo for
 * each.
 */
import type { Page } from '@playwright/test'

import { expect, FAILED_REQUEST, RUNNING, RUNNING_FOR_TWO, startTimer, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { daysAgo, setNow, shownDate } from './history.ts'
import { expectClear } from './looks.ts'
import {
  addTime,
  editorOf,
  newEditor,
  openTaskPage,
  pickTask,
  rows,
  save,
  timeOf,
  unfold,
} from './task-page.ts'

test('a session is added in one line, with a preview of the reading before it is saved', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  const editor = await newEditor(page)
  await timeOf(editor).fill('yesterday 1130-1245')
  await expect(editor.getByText('Yesterday, 11:30 – 12:45 · 1h 15m')).toBeVisible()
  await unfold(editor)
  await expect(editor.getByLabel('Start')).toHaveValue('11:30')
  await expect(editor.getByLabel('End')).toHaveValue('12:45')
  await editor.getByLabel('Note').fill('call with Bo')
  await save(editor)

  await expect(rows(page).first()).toHaveText(
    /^Yesterday11:30 – 12:45Active Work1h 15mcall with Bo$/,
  )
  await expect(page.getByText('Added 1h 15m')).toBeVisible()
  await expect
    .poll(async () => (await entriesOf(user)).filter(({ note }) => note !== null))
    .toMatchObject([{ entryType: 'manual', durationSeconds: 4500, note: 'call with Bo' }])
})

test('the time of a session is one sentence, and says which sessions it would overlap @long', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  const taskId = new URL(page.url()).pathname.replace('/tasks/', '')
  await user.history.entry(taskId, `${daysAgo(1)} 15:00:12`, `${daysAgo(1)} 16:00:47`)
  await expect(rows(page)).toHaveCount(3)
  const editor = await editorOf(rows(page).first())
  const overlap = editor.getByText('Overlaps another session')
  const day = shownDate(daysAgo(1)).replace(/ \d{4}$/, '')
  await expect(timeOf(editor)).toHaveValue(`${day} 15:00 – 16:00`)
  await timeOf(editor).fill('10-16')
  await expect(overlap).toBeVisible()
  await timeOf(editor).fill('14-16')
  await expect(overlap).toHaveCount(0)
  await timeOf(editor).press('Tab')
  await expect(timeOf(editor)).toHaveValue(`${day} 14:00 – 16:00`)
  await unfold(editor)
  // The minute of the end was not changed.
  await expect(editor.getByLabel('Start')).toHaveValue('14:00')
  await expect(editor.getByLabel('End')).toHaveValue('16:00:47')
  await timeOf(editor).fill('since 14:30')
  await expect(editor.getByText('Yesterday, 14:30 – 16:00 · 1h 30m 47s')).toBeVisible()
  await save(editor)
  await expect(rows(page).first()).toHaveText(/14:30 – 16:00/)
})

test('the task of a session is found by a part of its name, and a new one is created by Save alone @long', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  const names = async () => (await user.stored('tasks')).map(({ name }) => name)
  const editor = await editorOf(rows(page).first())
  const task = editor.getByRole('combobox', { name: 'Task' })
  await expect(task).toHaveValue('Write report')
  await task.fill('wk')
  await expect(page.getByRole('option')).toHaveText(['Plan week', 'Create “wk”'])
  await expectClear(page, 'task-picker', [320, 390, 1280])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect(task).toHaveValue('Write report')
  await task.fill('Hiring')
  await page.getByRole('option', { name: 'Create “Hiring”' }).click()
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect(task).toHaveValue('Hiring')
  await editor.getByRole('button', { name: 'Cancel' }).click()
  expect(await names()).toHaveLength(2)

  await editorOf(rows(page).first())
  await expect(task).toHaveValue('Write report')
  await task.fill('Hiring')
  await task.press('Enter')
  await save(editor)
  await expect(rows(page)).toHaveCount(1)
  await expect.poll(names).toContain('Hiring')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page)).toHaveCount(2)
})

test('an impossible value shows an error beside its field, and nothing is saved @long', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  const editor = await newEditor(page)
  await unfold(editor)
  await editor.getByLabel('Date').fill(daysAgo(1))
  await editor.getByLabel('Start').fill('13:00')
  await editor.getByLabel('End').fill('nonsense')
  await expect(editor.getByLabel('End')).toHaveAttribute('aria-invalid', 'true')
  await editor.getByLabel('End').fill('2099-01-01 10:00')
  await expect(editor.getByText('The end is in the future.')).toBeVisible()
  await save(editor)
  await expect(editor).toBeVisible()
  await editor.getByLabel('End').fill('14:00')
  await editor.getByLabel('Pauses').fill('12:00-12:30')
  await expect(editor.getByText('A pause lies outside the session.')).toBeVisible()
  await editor.getByLabel('Pauses').fill('13:10-13:20')
  await expect(editor.getByText('Yesterday, 13:00 – 14:00 · 50m, 10m paused')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(editor).toHaveCount(0)
  expect(await entriesOf(user)).toHaveLength(2)
})

test('the one-line input starts with the values of the fields and is saved only if it can be read @long', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  const editor = await newEditor(page)
  const time = timeOf(editor)
  await unfold(editor)
  await editor.getByLabel('Date').fill(daysAgo(3))
  await editor.getByLabel('Start').fill('9:30')
  await time.fill('1h15')
  await expect(editor.getByLabel('End')).toHaveValue('10:45')
  await time.fill('1h15 or so')
  await expect(editor.getByText('Not understood.')).toBeVisible()
  await expect(editor.getByLabel('End')).toHaveValue('')
  await time.press('Enter')
  await expect(time).toHaveAttribute('aria-invalid', 'true')
  expect(await entriesOf(user)).toHaveLength(2)

  // Typed fields count, and the line is written from them.
  await editor.getByLabel('End').fill('11:00')
  await expect(time).toHaveValue(/ 09:30 – 11:00$/)
  await time.fill('9-10')
  await time.fill('')
  await expect(editor.getByLabel('End')).toHaveValue('11:00')
  await save(editor)
  await expect(editor).toHaveCount(0)
  await expect(rows(page).last()).toHaveText(/09:30 – 11:00/)
})

test('Save restores a session that was deleted elsewhere while it was edited @long', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  const editor = await editorOf(rows(page).first())
  await editor.getByLabel('Note').fill('half an hour of typing')
  const [deleted] = (await entriesOf(user)).filter((each) => each['durationSeconds'] === 7200)
  await user.update('time_entries', String(deleted?.['$id']), {
    deletedAt: new Date().toISOString(),
  })
  await expect(editor.getByText('Deleted on another device.')).toBeVisible()
  await save(editor)
  await expect(rows(page)).toHaveCount(2)
  await expect
    .poll(() => shown(entriesOf(user)))
    .toContainEqual(
      expect.objectContaining({ note: 'half an hour of typing', durationSeconds: 7200 }),
    )
})

test('a note that is cut is reported, and sessions of different months cannot be merged @long', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  const { history } = user
  const taskId = new URL(page.url()).pathname.replace('/tasks/', '')
  await history.entry(taskId, `${daysAgo(60)} 09:00`, `${daysAgo(60)} 10:00`)
  await expect(rows(page)).toHaveCount(3)
  const editor = await editorOf(rows(page).nth(1))
  await expect(editor.getByRole('button', { name: 'Merge with next' })).toBeVisible()
  await expect(editor.getByRole('button', { name: 'Merge with previous' })).toHaveCount(0)
  await expect(editor.getByText('characters')).toHaveCount(0)
  await editor.getByLabel('Note').focus()
  await page.keyboard.insertText('x'.repeat(10_000))
  await expect(editor.getByText('2000 of 2000 characters')).toBeVisible()
})

test('start, end, pauses, task and note can be edited, and Undo restores all of them', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  const before = await entriesOf(user)
  const editor = await editorOf(rows(page).first())
  await unfold(editor)
  await expect(editor.getByLabel('Start')).toHaveValue('09:00')
  await editor.getByLabel('Start').fill('8:45')
  await editor.getByLabel('Pauses').fill('9-9:30')
  await pickTask(editor, 'Plan week')
  await editor.getByLabel('Note').fill('moved')
  await save(editor)
  await expect(rows(page)).toHaveCount(1)
  await expect
    .poll(() => entriesOf(user))
    .toContainEqual(expect.objectContaining({ note: 'moved', durationSeconds: 2 * 3600 - 15 * 60 }))

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect.poll(() => entriesOf(user)).toEqual(before)
})

test('a session that overlaps others asks which one to trim @long', async ({ page, user }) => {
  await openTask(page, user)
  const overlap = async () => {
    const editor = await addTime(page, 'yesterday 10:30-12')
    await expect(editor.getByRole('list', { name: 'What trimming does' })).toHaveText(
      /Write report09:00 – 11:00 \(2h 0m\)09:00 – 10:30 \(1h 30m\)/,
    )
    return editor
  }
  const first = await overlap()
  await first.getByRole('button', { name: 'Cancel' }).click()
  await expect(timeOf(first)).toHaveValue(/ 10:30 – 12:00$/)
  await page.keyboard.press('Escape')

  const second = await overlap()
  await second.getByRole('button', { name: 'Trim overlaps' }).click()
  await expect(rows(page).nth(0)).toHaveText(/10:30 – 12:00.*1h 30m$/)
  await expect(rows(page).nth(1)).toHaveText(/09:00 – 10:30.*1h 30m$/)

  // One Undo restores both.
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page)).toHaveText([/09:00 – 11:00.*2h 0m$/, /13:00 – 14:00/])
  const third = await overlap()
  await third.getByRole('button', { name: 'Keep both' }).click()
  await expect(rows(page)).toHaveText([/10:30 – 12:00/, /09:00 – 11:00.*2h 0m$/, /13:00 – 14:00/])
})

test('an overlap of seconds is trimmed without a question, and Undo restores it @long', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  const taskId = new URL(page.url()).pathname.replace('/tasks/', '')
  await user.history.entry(taskId, `${daysAgo(1)} 12:00`, `${daysAgo(1)} 13:00:02`)
  await expect(rows(page)).toHaveCount(3)
  const before = await entriesOf(user)
  const editor = await addTime(page, 'yesterday 13-14')
  await expect(editor).toHaveCount(0)
  await expect(page.getByText('Added 1h 0m. An overlap under a minute was trimmed.')).toBeVisible()
  const ends = async () =>
    (await shown(entriesOf(user)))
      .map(({ durationSeconds }) => Number(durationSeconds))
      .toSorted((a, b) => a - b)
  await expect.poll(ends).toEqual([3600, 3600, 3600, 7200])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(page)).toHaveCount(3)
  await expect.poll(() => shown(entriesOf(user))).toEqual(before)
})

test('a session is split, merged, duplicated and deleted, and each step is undone by keyboard', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  const before = await entriesOf(user)
  await act(page, 'Split session')
  const editor = page.getByRole('dialog', { name: 'Split session' })
  await editor.getByLabel('Split at').fill('9:20')
  await expect(editor.getByText('09:20 – 11:00 · 1h 40m')).toBeVisible()
  await editor.getByRole('button', { name: 'Split', exact: true }).click()
  await expect(rows(page)).toHaveText([/09:20 – 11:00/, /09:00 – 09:20/, /13:00 – 14:00/])

  await act(page, 'Merge with previous')
  await expect(rows(page)).toHaveText([/09:00 – 11:00.*2h 0m$/, /13:00 – 14:00/])
  await act(page, 'Duplicate')
  await expect(rows(page)).toHaveCount(3)
  await act(page, 'Delete')
  await expect(rows(page)).toHaveCount(2)

  // Delete, duplicate, merge and split are undone one after the other.
  for (const left of [3, 2, 3, 2]) {
    await page.keyboard.press('ControlOrMeta+z')
    await expect(rows(page)).toHaveCount(left)
  }
  await expect.poll(() => shown(entriesOf(user))).toEqual(before)
})

test('sessions with time or another session between them merge only after a question @long', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  const { history } = user
  const taskId = new URL(page.url()).pathname.replace('/tasks/', '')
  const otherId = await history.task('Call Ann')
  await history.entry(taskId, `${daysAgo(1)} 15:00`, `${daysAgo(1)} 16:30`)
  await history.entry(otherId, `${daysAgo(1)} 11:00`, `${daysAgo(1)} 12:00`)
  await expect(rows(page)).toHaveCount(3)

  await act(page, 'Merge with previous')
  const editor = page.getByRole('dialog', { name: 'Edit session' })
  await expect(
    editor.getByText(
      'Between the two sessions are 4h, which become a pause, and another session, which stays.',
    ),
  ).toBeVisible()
  await expect(editor.getByRole('definition')).toHaveText([
    'Yesterday, 09:00 – 11:00 · 2h 0m',
    'Yesterday, 15:00 – 16:30 · 1h 30m',
    'Yesterday, 09:00 – 16:30 · 3h 30m, 4h 0m paused',
  ])
  await expectClear(page, 'merge')
  await editor.getByRole('button', { name: 'Cancel' }).click()
  await editor.getByRole('button', { name: 'Cancel' }).click()
  await expect(rows(page)).toHaveCount(3)

  await act(page, 'Merge with previous')
  await editor.getByRole('button', { name: 'Merge', exact: true }).press('Enter')
  await expect(rows(page)).toHaveText([/09:00 – 16:30.*3h 30m$/, /13:00 – 14:00/])
  await expect(rows(page).first().getByRole('button', { name: /^Edit/ })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(rows(page)).toHaveCount(3)
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('a session is edited by touch on a phone @long', async ({ page, user }) => {
    await openTask(page, user)
    await rows(page).first().getByRole('button', { name: /^Edit/ }).tap()
    const editor = page.getByRole('dialog', { name: 'Edit session' })
    await editor.getByRole('button', { name: 'More', exact: true }).tap()
    await editor.getByLabel('End').tap()
    await editor.getByLabel('End').fill('10:15')
    await editor.getByRole('button', { name: 'Save' }).tap()
    await expect(rows(page).first()).toHaveText(/09:00 – 10:15.*1h 15m$/)
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect(rows(page).first()).toHaveText(/09:00 – 11:00.*2h 0m$/)
  })
})

test('editing a note of overlapping sessions asks nothing @long', async ({ page, user }) => {
  await openTask(page, user)
  await act(page, 'Duplicate')
  await expect(rows(page)).toHaveCount(3)
  const editor = await editorOf(rows(page).first())
  await editor.getByLabel('Note').fill('twice')
  await save(editor)
  await expect(editor).toHaveCount(0)
})

test('of a time that comes twice, either is chosen in the editor @long', async ({ page, user }) => {
  await setNow(page)
  await user.openWithTasks(['Write report'])
  await page.goto('/sessions')
  await page.getByRole('button', { name: 'Add time' }).first().click()
  const editor = page.getByRole('dialog', { name: 'Add time' })
  await timeOf(editor).fill('9-10')
  const which = editor.getByRole('group', { name: 'The clocks went back. Which time?' })
  await expect(which).toHaveCount(0)
  await timeOf(editor).fill('nov 1 1:15-1:45')
  await expect(which).toHaveCount(2)
  await expect(which.first().getByRole('button', { name: '01:15', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await which.first().getByRole('button', { name: '01:15 (second)' }).click()
  await expect(timeOf(editor)).toHaveValue('1 Nov 01:15 (second) – 01:45 (second)')
  await expect(editor.getByText('01:15 (second) – 01:45 (second) · 30m')).toBeVisible()
  await expectClear(page, 'which-time', [390, 768, 1280])
})

test('closing the editor in any way returns the focus @long', async ({ page, user }) => {
  await openTask(page, user)
  const edit = rows(page).first().getByRole('button', { name: /^Edit/ })
  const editor = page.getByRole('dialog', { name: 'Edit session' })
  for (const way of ['Save', 'Cancel', 'Close']) {
    await edit.click()
    await editor.getByRole('button', { name: way }).click()
    await expect(editor).toHaveCount(0)
    await expect(edit).toBeFocused()
  }
  // The button in the dialog is replaced by another form.
  await edit.click()
  await editor.getByRole('button', { name: 'Split session' }).click()
  const split = page.getByRole('dialog', { name: 'Split session' })
  await expect(split.getByLabel('Split at')).toBeFocused()
  await split.getByRole('button', { name: 'Cancel' }).click()
  await expect(timeOf(editor)).toBeFocused()
})

test('a change that this device cannot store is reported and still saved on the server @long', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  const editor = await editorOf(rows(page).first())
  await editor.getByLabel('Note').fill('a long story')
  await page.evaluate(() => {
    const { prototype } = IDBObjectStore
    const put = Object.getOwnPropertyDescriptor(prototype, 'put')
    Object.assign(window, { makeRoom: () => put && Object.defineProperty(prototype, 'put', put) })
    prototype.put = () => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
  })
  await save(editor)
  await expect(page.getByText(/can’t save to this browser’s storage/)).toBeVisible()
  await expect(editor).toHaveCount(0)
  await page.evaluate('void makeRoom()')
  await expect(page.getByText(/can’t save to this browser’s storage/)).toHaveCount(0)
  await expect
    .poll(async () => (await entriesOf(user)).map(({ note }) => note))
    .toContain('a long story')
})

test('by keyboard alone a session is added, found and deleted @long', async ({ page, user }) => {
  await openTask(page, user)
  await page.getByRole('button', { name: 'Add time' }).focus()
  await page.keyboard.press('Enter')
  await expect(timeOf(page.getByRole('dialog'))).toBeFocused()
  await page.keyboard.type('45m')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(3)

  const edit = rows(page).first().getByRole('button', { name: /^Edit/ })
  await edit.focus()
  for (const left of [2, 1]) {
    await deleteByKeyboard(page)
    await expect(rows(page)).toHaveCount(left)
    await expect(edit).toBeFocused()
  }
  await deleteByKeyboard(page)
  await expect(page.getByText('Finished sessions appear here.')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('the start of a running timer can be moved, and a timer can be started in the past @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write report'])
  await startTimer(page, 'Write report')
  await page.getByRole('button', { name: 'Edit timer' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit timer' })
  // The longest words of all languages.
  await editor.getByLabel('Start').fill('il y a 15 minutes')
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const hidden = await editor
      .getByLabel('Start')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect({ width, hidden }).toEqual({ width, hidden: 0 })
  }
  await editor.getByLabel('Start').fill('15 minutes ago')
  await save(editor)
  await expect(page.getByRole('timer')).toHaveText(/^1[5-9]:\d\d$/)
  await page.getByRole('button', { name: 'Undo' }).click()
  // A stop within the first second saves no session.
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()

  await page.getByRole('button', { name: 'Add time' }).click()
  const adding = page.getByRole('dialog', { name: 'Add time' })
  await timeOf(adding).fill('20m ago')
  await adding.getByRole('button', { name: 'Start timer' }).click()
  await adding.getByRole('button', { name: 'Keep both' }).click()
  await expect(page.getByRole('timer')).toHaveText(/^2\d:\d\d$/)
})

test('the sessions of a figure can be edited where they are listed @long', async ({
  page,
  user,
}) => {
  await openTask(page, user)
  await page.getByRole('button', { name: /^Total Time/ }).click()
  const explanation = page.getByRole('dialog', { name: 'Total Time' })
  await explanation.getByRole('button', { name: /^Edit Yesterday/ }).click()
  const editor = page.getByRole('dialog', { name: 'Edit session' })
  await timeOf(editor).fill('until 10')
  await editor.getByLabel('Note').fill('call with Bo')
  await save(editor)
  await expect(explanation.getByText('2h 0m', { exact: true }).first()).toBeVisible()
  await expect(explanation.getByText('call with Bo')).toBeVisible()
})

test('a stop and a deleted task can be undone by keyboard @long', async ({ page, user }) => {
  await user.openWithTasks(['Write report'])
  await startTimer(page, 'Write report')
  await expect(page.getByRole('timer')).toHaveText(RUNNING_FOR_TWO)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByText(/^Stopped after/)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible()
  // Without this wait, the browser would report the reply to the stop as an error.
  await expect.poll(() => user.stored('timer_sessions')).toHaveLength(1)

  // The restored task has its timer, as if it had not been stopped.
  await page.getByRole('link', { name: 'Tasks' }).first().click()
  await page.getByRole('button', { name: 'Delete task' }).click({ force: true })
  await expect(page.getByText('No tasks yet')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByRole('link', { name: 'Write report', exact: true })).toBeVisible()
  await expect.poll(async () => (await user.stored('tasks'))[0]?.['isActive']).toBe(true)
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible()
  await expect.poll(() => shown(entriesOf(user))).toEqual([])
})

test('an offline edit reaches the other device when the network is back @long', async ({
  page,
  user,
  openDevice,
  expectConsole,
}) => {
  await openTask(page, user)
  const phone = await openDevice(new URL(page.url()).pathname)
  await expect(rows(phone)).toHaveCount(2)

  // The editor was loaded once, so it is available offline.
  await act(page, 'Cancel')
  await page.context().setOffline(true)
  await act(page, 'Duplicate')
  await expect(rows(page)).toHaveCount(3)
  await act(page, 'Delete')
  await expect(rows(page)).toHaveCount(2)
  const editor = await editorOf(rows(page).nth(1))
  await timeOf(editor).fill('until 15:30')
  await save(editor)
  await expect(rows(page).nth(1)).toHaveText(/13:00 – 15:30.*2h 30m$/)

  expectConsole(FAILED_REQUEST)
  await page.context().setOffline(false)
  await expect(rows(phone).nth(1)).toHaveText(/13:00 – 15:30.*2h 30m$/)
  await expect(rows(phone)).toHaveCount(2)
})

test('the session editor fits every width in both themes @long', async ({ page, user }) => {
  await openTask(page, user)
  const editor = await editorOf(rows(page).first())
  await expect(editor).toBeVisible()
  await expectClear(page, 'editor', [320, 390, 768, 1280])
  await unfold(editor)
  await expectClear(page, 'editor-unfolded', [320, 390, 768, 1280])
  await editor.getByRole('button', { name: 'Split session' }).click()
  await expect(page.getByLabel('Split at')).toBeFocused()
  await expectClear(page, 'split')
})

/** Opens a task with two hours yesterday morning and one the day before, beside a second task. */
async function openTask(page: Page, user: Person): Promise<void> {
  const sessions = [
    [1, '09:00', '11:00'],
    [2, '13:00', '14:00'],
  ] as const
  await openTaskPage(page, user, sessions, ['Plan week'])
}

/** Presses one of the other actions of the newest session. */
async function act(page: Page, action: string): Promise<void> {
  await rows(page).first().getByRole('button', { name: /^Edit/ }).click()
  await page
    .getByRole('dialog', { name: 'Edit session' })
    .getByRole('button', { name: action, exact: true })
    .click()
}

/** Returns the entries of the server without the fields that every save changes. */
async function entriesOf(user: Person): Promise<Record<string, unknown>[]> {
  const documents = await user.stored('time_entries')
  return documents.map((document) => ({ ...document, $updatedAt: '', log: '' }))
}

/** Returns those that are not deleted. */
async function shown(
  entries: Promise<Record<string, unknown>[]>,
): Promise<Record<string, unknown>[]> {
  return (await entries).filter((entry) => entry['deletedAt'] === null)
}

/** Opens the session whose edit button has the focus, and deletes it. */
async function deleteByKeyboard(page: Page): Promise<void> {
  await page.keyboard.press('Space')
  const editor = page.getByRole('dialog', { name: 'Edit session' })
  await expect(editor).toBeVisible()
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => document.activeElement?.textContent)
    if (focused === 'Delete') break
  }
  await page.keyboard.press('Enter')
  await expect(editor).toHaveCount(0)
}
