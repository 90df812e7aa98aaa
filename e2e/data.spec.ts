/** Export, import and health of the record: files, print, findings. */
import { readFile } from 'node:fs/promises'

import type { Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { daysAgo, iso } from './history.ts'
import { expectClear, setTheme } from './looks.ts'
import { unfold } from './task-page.ts'

test('the record is exported as CSV, JSON and ICS, whole or for a range of days', async ({
  page,
  user,
}) => {
  await openData(page, user)
  await expect(page.getByLabel('To export')).toHaveText('3 sessions, 4h 30m')

  const csv = await download(page)
  expect(csv.name).toBe('stint-all-time.csv')
  expect(csv.text).toContain('\uFEFFDate,Task,Category,Start,End,Duration')
  expect(csv.text.trim().split('\r\n')).toHaveLength(4)
  await page.getByRole('button', { name: 'CSV by day' }).click()
  const days = await download(page)
  expect(days.name).toBe('stint-all-time-by-day.csv')
  // One session is over midnight.
  expect(days.text.trim().split('\r\n')).toHaveLength(5)
  expect(csv.text).toContain('"Müller, ""Plan"""')

  await page.getByRole('button', { name: 'JSON' }).click()
  const json = await download(page)
  expect(JSON.parse(json.text)).toMatchObject({ format: 'stint', entries: { length: 3 } })

  await page.getByRole('button', { name: 'ICS' }).click()
  const { text: ics, name } = await download(page)
  expect(name).toBe('stint-all-time.ics')
  expect(ics.match(/BEGIN:VEVENT/g)).toHaveLength(3)

  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  await page.getByLabel('Range').selectOption('Custom range')
  await page.getByLabel('From', { exact: true }).fill(daysAgo(2))
  await page.getByLabel('To', { exact: true }).fill(daysAgo(1))
  await expect(page.getByLabel('To export')).toHaveText('2 sessions, 3h 0m')
  const some = await download(page)
  expect(some.name).toBe(`stint-${daysAgo(2)}-to-${daysAgo(1)}.csv`)
  expect(some.text.trim().split('\r\n')).toHaveLength(3)
  await expect(
    page.getByText('Sessions that start in the range are exported in full.'),
  ).toBeVisible()

  // As in the reports, only the part of the session over midnight within the range counts.
  await page.getByRole('button', { name: 'CSV by day' }).click()
  await expect(page.getByLabel('To export')).toHaveText(
    '2 sessions and 1 that started earlier, 3h 30m',
  )
  const someDays = await download(page)
  expect(someDays.name).toBe(`stint-${daysAgo(2)}-to-${daysAgo(1)}-by-day.csv`)
  expect(someDays.text.trim().split('\r\n')).toHaveLength(4)

  await page.getByLabel('To', { exact: true }).fill(daysAgo(3))
  await expect(page.getByText('The range ends before it begins.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeDisabled()
})

test('a CSV has the form that the spreadsheet reads, which the device remembers @long', async ({
  page,
  user,
}) => {
  await openData(page, user)
  await page.getByLabel('Separator').selectOption('Semicolon (;)')
  await page.getByLabel('Durations').selectOption('1.5 hours')
  await page.getByLabel('Decimal sign').selectOption('Comma (,)')
  await expect(page.getByLabel('Durations').getByRole('option', { selected: true })).toHaveText(
    '1,5 hours',
  )
  await page.reload()
  await expect(page.getByLabel('Separator')).toHaveValue('semicolon')
  const csv = await download(page)
  const rows = csv.text.trim().split('\r\n')
  expect(rows[0]).toContain('Start;End;Duration;Seconds;Pauses')
  expect(rows[1]).toContain(';1,5000;5400;')
  // It is the same work when it is chosen for an import.
  await page.getByLabel('Choose a file').setInputFiles({
    name: csv.name,
    mimeType: 'text/csv',
    buffer: Buffer.from(csv.text),
  })
  await expect(page.getByText('3 rows imported before')).toBeVisible()

  await page.getByLabel('Range').selectOption('Custom range')
  await page.getByLabel('From', { exact: true }).fill(daysAgo(2))
  await page.getByLabel('To', { exact: true }).fill(daysAgo(1))
  const total = page.getByLabel('To export')
  await expect(total).toHaveText('2 sessions, 3h 0m')
  await page.getByRole('button', { name: 'As in the report' }).click()
  await expect(total).toHaveText('2 sessions and 1 that started earlier, 3h 30m')
  await expect(page.getByText('The sum is the total of the report.')).toBeVisible()
  const cut = await download(page)
  expect(cut.name).toBe(`stint-${daysAgo(2)}-to-${daysAgo(1)}-as-in-report.csv`)
  const [headings = '', first = ''] = cut.text.split('\r\n')
  expect(headings).toMatch(/;Cut$/)
  expect(first).toMatch(/;0,5000;1800;.*;start$/)
  await expectClear(page, 'export')
})

test('a report is printed on A4 with complete rows on every sheet and without the app @long', async ({
  page,
  user,
}) => {
  await openData(page, user)
  await page.getByRole('link', { name: 'Printable report' }).click()
  await expect(page.getByRole('heading', { name: 'Time report' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'By task' }).getByRole('row')).toHaveText([
    'TaskSessionsShareTime',
    /Write report2\d\d\.\d%3h 0m$/,
    /Müller, "Plan"1\d\d\.\d%1h 30m$/,
    'Total4h 30m',
  ])
  await expect(page.getByRole('table', { name: 'Sessions' }).getByRole('row')).toHaveCount(5)

  await setTheme(page, 'dark')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeHidden()
  const colors = await page.getByRole('article').evaluate((article) => {
    const { color, backgroundColor } = getComputedStyle(article)
    return { color, backgroundColor }
  })
  expect(colors).toEqual({ color: 'oklch(0.225 0.012 260)', backgroundColor: 'oklch(1 0 0)' })
  const path = process.env['LOOK'] ? { path: `${process.env['LOOK']}/report.pdf` } : {}
  const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true, ...path })
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
})

test('problems in the record are found, fixed by mouse or keyboard, and the fixes can be undone @long', async ({
  page,
  user,
}) => {
  await openData(page, user)
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 3 sessions')
  await addProblems(user)
  await page.reload()
  await expect(page.getByLabel('Problems')).toHaveText('5 problems in 10 sessions')

  const duplicates = page.getByRole('region', { name: 'Duplicates' })
  await expect(duplicates.getByText('30m too much')).toHaveCount(2)
  await duplicates.getByRole('button', { name: 'Fix all' }).click()
  await expect(duplicates).toHaveCount(0)
  await expect(page.getByLabel('Problems')).toHaveText('3 problems in 8 sessions')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByLabel('Problems')).toHaveText('5 problems in 10 sessions')
  await duplicates.getByRole('button', { name: 'Delete the duplicate' }).first().click()
  await expect(page.getByLabel('Problems')).toHaveText('4 problems in 9 sessions')

  // The pressed button is gone; the next Tab continues from its place.
  await page.keyboard.press('Tab')
  await expect(duplicates.getByRole('button', { name: /^Edit/ }).first()).toBeFocused()
  await tabTo(page, 'Delete the duplicate')
  await page.keyboard.press('Enter')
  await expect(duplicates).toHaveCount(0)

  const overlaps = page.getByRole('region', { name: 'Overlaps' })
  await expect(overlaps.getByText('20m counted twice')).toBeVisible()
  await overlaps.getByRole('button', { name: 'Trim the earlier' }).click()
  await expect(overlaps).toHaveCount(0)

  const unknown = page.getByRole('region', { name: 'Unknown tasks' })
  await unknown.getByLabel('Task to move them to').selectOption('Write report')
  await unknown.getByRole('button', { name: 'Move sessions' }).click()
  await expect(page.getByText('1 session moved to Write report')).toBeVisible()

  const long = page.getByRole('region', { name: 'Over 12 hours' })
  await long.getByRole('button', { name: 'End it after 12h 0m' }).click()
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 8 sessions')
  await page.keyboard.press('ControlOrMeta+z')

  // Only its owner knows when it really ended.
  await long.getByRole('button', { name: /^Edit/ }).click()
  const editor = page.getByRole('dialog', { name: 'Edit session' })
  await unfold(editor)
  await editor.getByLabel('End').fill('09:00')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 8 sessions')
  // Everything is on the server.
  await expect(page.getByRole('status', { name: 'Connection' })).toBeEmpty()
  await page.reload()
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 8 sessions')
})

test('a finding that is kept as it is stays hidden on every device until its times change @long', async ({
  page,
  user,
  openDevice,
}) => {
  await openData(page, user)
  await addProblems(user)
  await page.reload()
  await expect(page.getByLabel('Problems')).toHaveText('5 problems in 10 sessions')
  const long = page.getByRole('region', { name: 'Over 12 hours' })
  await long.getByRole('button', { name: 'Keep as is' }).click()
  await expect(long).toHaveCount(0)
  await expect(page.getByLabel('Problems')).toHaveText('4 problems in 10 sessions')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Problems')).toHaveText('5 problems in 10 sessions')
  await long.getByRole('button', { name: 'Keep as is' }).click()
  const overlaps = page.getByRole('region', { name: 'Overlaps' })
  await overlaps.getByRole('button', { name: 'Keep as is' }).click()
  await expect(page.getByLabel('Problems')).toHaveText('3 problems in 10 sessions')
  await expect(page.getByText('2 findings dismissed')).toBeVisible()

  const phone = await openDevice('/data')
  await expect(phone.getByLabel('Problems')).toHaveText('3 problems in 10 sessions')
  await phone.getByRole('button', { name: 'Show again' }).click()
  await expect(page.getByLabel('Problems')).toHaveText('5 problems in 10 sessions')
})

test('all overlaps but the accepted are trimmed in one step, after a preview @long', async ({
  page,
  history,
}) => {
  const write = await history.task('Write report')
  const call = await history.task('Call Ann')
  await history.entry(write, `${daysAgo(1)} 09:00`, `${daysAgo(1)} 12:00`)
  await history.entry(call, `${daysAgo(1)} 10:00`, `${daysAgo(1)} 10:30`)
  await history.entry(write, `${daysAgo(2)} 09:00`, `${daysAgo(2)} 10:00`)
  await history.entry(call, `${daysAgo(2)} 09:45`, `${daysAgo(2)} 10:15`)
  await history.entry(write, `${daysAgo(3)} 09:00`, `${daysAgo(3)} 10:00`)
  await history.entry(call, `${daysAgo(3)} 09:00`, `${daysAgo(3)} 09:20`)
  await page.goto('/data')
  await expect(page.getByLabel('Problems')).toHaveText('3 problems in 6 sessions')
  const overlaps = page.getByRole('region', { name: 'Overlaps' })
  await overlaps
    .getByRole('listitem')
    .filter({ hasText: '20m counted twice' })
    .getByRole('button', { name: 'Keep as is' })
    .click()
  await expect(page.getByLabel('Problems')).toHaveText('2 problems in 6 sessions')

  // By keyboard alone.
  await overlaps.getByRole('button', { name: 'Trim all' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Trim all overlaps' })
  const rows = dialog.getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(0)).toContainText('Write report')
  await expect(rows.nth(0)).toContainText('09:00 – 12:00')
  await expect(rows.nth(0)).toContainText('09:00 – 10:00, 10:30 – 12:00')
  await expect(rows.nth(0)).toContainText(/−30m$/)
  await expect(rows.nth(1)).toContainText(/−15m$/)
  await expect(dialog.getByRole('definition')).toHaveText(['6h 20m', '5h 35m', '−45m'])
  await expectClear(page, 'trim-overlaps')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Problems')).toHaveText('2 problems in 6 sessions')
  await overlaps.getByRole('button', { name: 'Trim all' }).focus()
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 sessions trimmed')).toBeVisible()
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 7 sessions')
  await expect(page.getByText('1 finding dismissed')).toBeVisible()
  await expect(page.getByRole('status', { name: 'Connection' })).toBeEmpty()
  await page.reload()
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 7 sessions')
})

test('a fix is applied once even on a double click @long', async ({ page, user }) => {
  await openData(page, user)
  const { history } = user
  const call = await history.task('Call')
  await history.entry(call, `${daysAgo(1)} 09:30`, `${daysAgo(1)} 10:00`)
  await page.reload()
  await expect(page.getByLabel('Problems')).toHaveText('1 problem in 4 sessions')
  // A session within another divides it in two.
  await page.getByRole('button', { name: 'Trim the earlier' }).dblclick()
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 5 sessions')
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(1)
})

test('the data pages fit every width in both themes @long', async ({ page, user }) => {
  await openData(page, user)
  await addProblems(user)
  await page.reload()
  await expect(page.getByLabel('Problems')).toHaveText(/^5 problems/)
  await page.getByLabel('Range').selectOption('Custom range')
  await page.getByLabel('From', { exact: true }).fill(daysAgo(3))
  await expectClear(page, 'data')
  await page.getByRole('link', { name: 'Printable report' }).click()
  await expect(page.getByRole('table', { name: 'Sessions' })).toBeVisible()
  await expectClear(page, 'print')
})

/** Opens the data page with two tasks and three sessions of the last days. */
async function openData(page: Page, user: Person): Promise<void> {
  await user.signInThroughApi()
  const { history } = user
  const write = await history.task('Write report')
  const plan = await history.task('Müller, "Plan"')
  await history.entry(write, `${daysAgo(1)} 09:00`, `${daysAgo(1)} 11:00`)
  await history.entry(write, `${daysAgo(2)} 13:00`, `${daysAgo(2)} 14:00`)
  await history.entry(plan, `${daysAgo(3)} 23:00`, `${daysAgo(2)} 00:30`)
  await page.goto('/reports')
  await page.getByRole('link', { name: 'Export & import' }).click()
  await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible()
}

/** Adds seven sessions, most of them with a problem. */
async function addProblems(user: Person): Promise<void> {
  const { history } = user
  const task = await history.task('Odds and ends')
  const add = (start: string, end: string, seconds: number, taskId = task) =>
    user.create('time_entries', {
      taskId,
      startTime: iso(start),
      endTime: iso(end),
      date: iso(start),
      entryType: 'timer',
      durationSeconds: seconds,
    })
  for (const day of [daysAgo(5), daysAgo(6)]) {
    await add(`${day} 10:00`, `${day} 10:30`, 1800)
    await add(`${day} 10:00`, `${day} 10:30`, 1800)
  }
  await add(`${daysAgo(1)} 10:40`, `${daysAgo(1)} 11:20`, 2400)
  await add(`${daysAgo(7)} 08:00`, `${daysAgo(7)} 21:00`, 13 * 3600)
  await add(`${daysAgo(9)} 08:00`, `${daysAgo(9)} 08:20`, 1200, 'task-of-long-ago')
}

/** Presses Tab until the element with this text has the focus. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    const focused = await page.evaluate(() => document.activeElement?.textContent)
    if (focused === text) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${text}`)
}

async function download(page: Page): Promise<{ name: string; text: string }> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const file = await downloading
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}
