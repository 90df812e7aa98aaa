/** Export, import and health of the record: files, print, findings. */
import { readFile } from 'node:fs/promises'

import type { Page } from '@playwright/test'

import { createDocument, signInThroughApi } from './backend.ts'
import type { TestUser } from './backend.ts'
import { expect, test } from './fixtures.ts'
import { daysAgo, historyOf, iso } from './history.ts'
import { expectClear, setTheme } from './looks.ts'
import type { RunningServer } from './server.ts'

test('the record is exported as CSV, JSON and ICS, whole or for a range of days', async ({
  page,
  server,
  user,
}) => {
  await openData(page, server, user)
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
  await page.getByLabel('From').fill(daysAgo(2))
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
  await expect(page.getByText('Enter a start and an end date.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download' })).toBeDisabled()
})

test('a report is printed on A4 with complete rows on every sheet and without the app', async ({
  page,
  server,
  user,
}) => {
  await openData(page, server, user)
  await page.getByRole('link', { name: 'Printable report' }).click()
  await expect(page.getByRole('heading', { name: 'Time report' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'By task' }).getByRole('row')).toHaveText([
    'TaskSessionsShareTime',
    /Write report2\d\d\.\d%3h 0m 0s/,
    /Müller, "Plan"1\d\d\.\d%1h 30m 0s/,
    'Total4h 30m 0s',
  ])
  await expect(page.getByRole('table', { name: 'Sessions' }).getByRole('row')).toHaveCount(5)

  await setTheme(page, 'dark')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeHidden()
  const colours = await page.getByRole('article').evaluate((article) => {
    const { color, backgroundColor } = getComputedStyle(article)
    return { color, backgroundColor }
  })
  expect(colours).toEqual({ color: 'oklch(0.225 0.012 260)', backgroundColor: 'oklch(1 0 0)' })
  const path = process.env['LOOK'] ? { path: `${process.env['LOOK']}/report.pdf` } : {}
  const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true, ...path })
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
})

test('problems in the record are found, fixed by mouse or keyboard, and the fixes can be undone', async ({
  page,
  server,
  user,
}) => {
  await openData(page, server, user)
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 3 sessions')
  await addProblems(page, server, user)
  await page.reload()
  await expect(page.getByLabel('Problems')).toHaveText('5 problems in 10 sessions')

  const duplicates = page.getByRole('region', { name: 'Duplicates' })
  await expect(duplicates.getByText('30m 0s too much')).toHaveCount(2)
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
  await expect(overlaps.getByText('20m 0s counted twice')).toBeVisible()
  await overlaps.getByRole('button', { name: 'Trim the earlier' }).click()
  await expect(overlaps).toHaveCount(0)

  const unknown = page.getByRole('region', { name: 'Unknown tasks' })
  await unknown.getByLabel('Task to move them to').selectOption('Write report')
  await unknown.getByRole('button', { name: 'Move sessions' }).click()
  await expect(page.getByText('1 session moved to Write report')).toBeVisible()

  const long = page.getByRole('region', { name: 'Over 12 hours' })
  await long.getByRole('button', { name: 'End it after 12h 0m 0s' }).click()
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 8 sessions')
  await page.keyboard.press('ControlOrMeta+z')

  // Only its owner knows when it really ended.
  await long.getByRole('button', { name: /^Edit/ }).click()
  const editor = page.getByRole('dialog', { name: 'Edit session' })
  await editor.getByLabel('End').fill('09:00')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 8 sessions')
  // Everything is on the server.
  await expect(page.getByRole('status', { name: 'Connection' })).toBeEmpty()
  await page.reload()
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 8 sessions')
})

test('a finding that is kept as it is stays hidden on every device until its times change', async ({
  page,
  server,
  user,
  openDevice,
}) => {
  await openData(page, server, user)
  await addProblems(page, server, user)
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

test('a fix is applied once even on a double click', async ({ page, server, user }) => {
  await openData(page, server, user)
  const history = historyOf(page, server, user)
  const call = await history.task('Call')
  await history.entry(call, `${daysAgo(1)} 09:30`, `${daysAgo(1)} 10:00`)
  await page.reload()
  await expect(page.getByLabel('Problems')).toHaveText('1 problem in 4 sessions')
  // A session within another divides it in two.
  await page.getByRole('button', { name: 'Trim the earlier' }).dblclick()
  await expect(page.getByLabel('Problems')).toHaveText('0 problems in 5 sessions')
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(1)
})

test('the data pages fit every width in both themes', async ({ page, server, user }) => {
  await openData(page, server, user)
  await addProblems(page, server, user)
  await page.reload()
  await expect(page.getByLabel('Problems')).toHaveText(/^5 problems/)
  await page.getByLabel('Range').selectOption('Custom range')
  await expectClear(page, 'data')
  await page.getByRole('link', { name: 'Printable report' }).click()
  await expect(page.getByRole('table', { name: 'Sessions' })).toBeVisible()
  await expectClear(page, 'print')
})

/** Opens the data page with two tasks and three sessions of the last days. */
async function openData(page: Page, server: RunningServer, user: TestUser): Promise<void> {
  await signInThroughApi(page.request, server.url, user)
  const history = historyOf(page, server, user)
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
async function addProblems(page: Page, server: RunningServer, user: TestUser): Promise<void> {
  const history = historyOf(page, server, user)
  const task = await history.task('Odds and ends')
  const add = (start: string, end: string, seconds: number, taskId = task) =>
    createDocument(page.request, server.url, 'time_entries', {
      userId: user.id,
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
  await page.getByRole('button', { name: 'Download' }).click()
  const file = await downloading
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}
