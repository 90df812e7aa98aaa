import { readFile } from 'node:fs/promises'

import type { Page } from '@playwright/test'
import { decodeQR } from 'qr/decode.js'

import { expect, startTimer, test } from './fixtures.ts'
import type { History } from './history.ts'
import { noonZone, setNow } from './history.ts'
import { expectClear } from './looks.ts'

const NOVEMBER = '/timesheet?view=monthly&from=2026-11-01'

test('a timesheet adds up by its rule and is downloaded as it is shown @looks', async ({
  page,
  history,
}) => {
  await setNow(page)
  await worked(history)
  await page.goto('/reports?view=monthly')
  await page.getByRole('link', { name: 'Timesheet' }).click()

  const sheet = page.getByRole('article', { name: 'November 2026' })
  await expect(sheet).toContainText('Times are exact, to the second.')
  expect(await rows(page)).toEqual([
    'Tue 3 Nov 20261h 15m',
    'Acme siteDraft #acme55m',
    'Review20m',
    'Wed 4 Nov 202650m',
    'Acme siteDraft #acme50m',
    'Total2h 5m',
  ])

  await page.getByLabel('Round to').selectOption('15 minutes')
  await expect(sheet).toContainText('Each task of a day is rounded up to 15 minutes.')
  await page.getByLabel('What is rounded').selectOption('The total')
  await expect(sheet).toContainText('The total is rounded up to 15 minutes.')
  await page.getByRole('button', { name: 'By task' }).click()
  await page.getByLabel('Sessions and exact times').check()
  expect(await rows(page)).toEqual([
    'Acme site1h 45m1h 45m',
    'Tue 3 Nov 2026Draft #acme09:00 – 09:50 · 50m11:00 – 11:05 · 5m55m1h 0m',
    'Wed 4 Nov 2026Draft #acme09:00 – 09:50 · 50m50m45m',
    'Review20m30m',
    'Tue 3 Nov 202610:00 – 10:20 · 20m20m30m',
    'Total2h 5m2h 15m',
  ])
  await expectClear(page, 'timesheet', [320, 390, 768, 1280])

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('stint-2026-11-01-to-2026-11-30-timesheet.csv')
  expect(await readFile(await download.path(), 'utf8')).toBe(
    '\uFEFFDate,Task,Note,Duration,Seconds,Exact,Exact seconds\r\n' +
      '2026-11-03,Acme site,Draft #acme,1:00:00,3600,0:55:00,3300\r\n' +
      '2026-11-04,Acme site,Draft #acme,0:45:00,2700,0:50:00,3000\r\n' +
      '2026-11-03,Review,,0:30:00,1800,0:20:00,1200\r\n',
  )
})

test('a filter and a range narrow a timesheet, whose choices are kept with the account @long', async ({
  page,
  history,
  openDevice,
}) => {
  await setNow(page)
  await worked(history)
  await page.goto(NOVEMBER)
  await page.getByLabel('Round to').selectOption('6 minutes')
  await page.getByLabel('Filter sessions').fill('task:review')
  await expect.poll(() => rows(page)).toEqual(['Tue 3 Nov 202624m', 'Review24m', 'Total24m'])
  await expect(page).toHaveURL(/from=2026-11-01&q=task%3Areview$/)
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(page.getByRole('article')).toContainText('No sessions match in this range.')
  await expect(page.getByRole('button', { name: 'Print' })).toBeDisabled()
  await expectClear(page, 'timesheet-empty')

  const other = await openDevice(NOVEMBER)
  await expect(other.getByLabel('Round to')).toHaveValue('6')
  await expect(other.getByRole('article')).toContainText(
    'Each task of a day is rounded up to 6 minutes.',
  )
})

test('amounts are those of the rounded lines, at rates that are typed @long', async ({
  page,
  history,
}) => {
  await setNow(page)
  await worked(history)
  await page.goto(NOVEMBER)
  await page.getByLabel('Round to').selectOption('15 minutes')
  await expect(page.getByRole('columnheader', { name: 'Amount' })).toBeHidden()
  await page.getByRole('button', { name: 'Rates' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rates' })
  const field = dialog.getByLabel('Rate', { exact: true })
  await field.fill('95 since 1 March')
  await dialog.getByRole('button', { name: 'Add rate' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Add the currency, as in 95 EUR/h.')
  await expect(field).toHaveValue('95 since 1 March')
  await field.fill('95 EUR/h since 1 March')
  await expect(dialog).toContainText('95.00 EUR an hour since 1 Mar 2026')
  await dialog.getByRole('button', { name: 'Add rate' }).click()
  await expect(dialog.getByRole('list', { name: 'Rates' })).toContainText(
    'Development95.00 EUR an hour since 1 Mar 2026',
  )
  await dialog.getByLabel('Rate for').selectOption('Review')
  await field.fill('$80')
  await field.press('Enter')
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await expectClear(page, 'timesheet-rates', [320, 390, 768, 1280])
  await dialog.getByRole('button', { name: 'Close' }).click()
  expect(await rows(page)).toEqual([
    'Tue 3 Nov 20261h 30m95.00 EUR40.00 USD',
    'Acme siteDraft #acme1h 0m95.00 EUR',
    'Review30m40.00 USD',
    'Wed 4 Nov 20261h 0m95.00 EUR',
    'Acme siteDraft #acme1h 0m95.00 EUR',
    'Total2h 30m190.00 EUR40.00 USD',
  ])

  await page.goto('/sessions?q=review')
  await page.getByRole('button', { name: /^Edit (?!filter)/ }).click()
  const editor = page.getByRole('dialog', { name: 'Edit session' })
  await editor.getByLabel('Billable').selectOption('No')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toBeHidden()
  await page.goto(NOVEMBER)
  await expect(page.getByRole('row', { name: /^Review/ })).toHaveText('Review · not billable30m–')
  await expectClear(page, 'timesheet-amounts', [320, 390, 768, 1280])
  await page.getByLabel('Only billable').check()
  await expect(page.getByRole('row', { name: /^Review/ })).toHaveCount(0)
  await expect(page.getByRole('row', { name: /^Total/ })).toHaveText('Total2h 0m190.00 EUR')
  await page.getByLabel('Amounts').uncheck()
  await expect(page.getByRole('row', { name: /^Total/ })).toHaveText('Total2h 0m')
})

test('a sealed timesheet asks before its sessions change, and lists what differs @long', async ({
  page,
  history,
  user,
}) => {
  await setNow(page)
  await worked(history)
  await page.goto(NOVEMBER)
  await page.getByRole('button', { name: 'Seal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Seal this timesheet?' })
  await expect(dialog).toContainText('Its 4 sessions are marked as invoiced')
  await dialog.getByRole('button', { name: 'Seal' }).click()
  const sheet = page.getByRole('article', { name: 'November 2026' })
  await expect(sheet).toContainText(/Sealed on 18 Nov 2026SHA-256 of the lines[0-9a-f]{64}/)
  await expect(sheet.getByRole('img', { name: 'The seal as a QR code' })).toBeVisible()
  await expectClear(page, 'timesheet-sealed', [320, 390, 768, 1280])
  const sealed = page.url()

  // Of a change, its owner may think again.
  await page.goto('/sessions?q=review')
  const open = page.getByRole('button', { name: /^Edit (?!filter)/ })
  await open.click()
  const editor = page.getByRole('dialog', { name: 'Edit session' })
  const question = page.getByRole('dialog', { name: 'Change what was sealed?' })
  await editor.getByLabel('Time').fill('10:00-10:30')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expectClear(page, 'timesheet-question')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(editor.getByLabel('Time')).toHaveValue('3 Nov 10:00 – 10:30')
  await editor.getByRole('button', { name: 'Save' }).click()
  await question.getByRole('button', { name: 'Change anyway' }).click()
  await expect(editor).toBeHidden()

  await page.goto(sealed)
  await expect(
    page.getByText('1 session differs from what was sealed on 18 Nov 2026'),
  ).toBeVisible()
  await expect(page.getByRole('list', { name: 'Differences to the seal' })).toHaveText(
    '3 Nov 2026 · Review · another time · 20m → 30m',
  )
  await expect(sheet).toContainText('This differs from the sealed timesheet.')
  await expect(sheet.getByRole('img')).toHaveCount(0)
  await expectClear(page, 'timesheet-differs', [320, 390, 768, 1280])

  // Every session has its mark on the server, for the other devices.
  await expect
    .poll(async () => (await user.stored('time_entries')).map(({ invoiced }) => typeof invoiced))
    .toEqual(['string', 'string', 'string', 'string'])
  await page.goto(NOVEMBER)
  await page.getByRole('link', { name: /^November 2026/ }).click()
  await page.getByRole('button', { name: 'Remove seal' }).click()
  await expect(page.getByText('There is no such sealed timesheet any more.')).toBeVisible()
})

test('the QR code of a sealed timesheet has its days, total and hash, as they are on the sheet @long', async ({
  page,
  history,
  openDevice,
}) => {
  await setNow(page)
  await worked(history)
  await page.goto(NOVEMBER)
  await page.getByRole('button', { name: 'Seal' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Seal' }).click()
  await expect(page.getByRole('heading', { name: 'Sealed timesheet' })).toBeVisible()

  // A screen as dense as paper is.
  const { pathname, search } = new URL(page.url())
  const dense = await openDevice(`${pathname}${search}`, { deviceScaleFactor: 4 })
  const code = dense.getByRole('img', { name: 'The seal as a QR code' })
  await expect(code).toBeVisible()
  const hash = await dense
    .getByRole('article')
    .getByText(/^[0-9a-f]{64}$/)
    .textContent()
  expect(decodeQR(await pixelsOf(dense, await code.screenshot())).split('\n')).toEqual([
    `Stint timesheet ${new URLSearchParams(search).get('sheet')}`,
    'days 2026-11-01 to 2026-11-30',
    'total 2:05:00',
    'sealed 2026-11-18',
    `sha256 ${hash}`,
  ])
})

/** Returns the pixels of a picture, which the browser reads. */
async function pixelsOf(page: Page, png: Buffer) {
  const { data, ...size } = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const { width, height } = bitmap
    const context = new OffscreenCanvas(width, height).getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    return { width, height, data: [...(context?.getImageData(0, 0, width, height).data ?? [])] }
  }, png.toString('base64'))
  return { ...size, data: Uint8Array.from(data) }
}

test('only the sheet is printed, in black on white @long', async ({ page, history }) => {
  await setNow(page)
  await worked(history)
  await page.goto(NOVEMBER)
  await expect(page.getByRole('article')).toBeVisible()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(page.getByLabel('Round to')).toBeHidden()
  await expect(page.getByRole('article').getByText('Timesheet')).toBeVisible()
  await expect(page.getByRole('article').getByText('Signature')).toBeVisible()
})

test('the palette leads to the timesheet @long', async ({ user, page }) => {
  await user.open('/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await palette.getByRole('combobox').fill('timesheet')
  await page.getByRole('option', { name: 'Timesheet', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Timesheet', level: 1 })).toBeVisible()
  await expect(page.getByRole('article')).toContainText('No tracked time in this range.')
})

test('amounts are in reports, and marks in the list of sessions, as soon as there is a rate @long', async ({
  page,
  user,
  history,
}) => {
  await setNow(page)
  await worked(history)
  await page.goto('/reports?view=monthly')
  await expect(page.getByRole('heading', { name: 'Task Breakdown' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Amounts' })).toHaveCount(0)
  await page.goto('/sessions')
  await expect(page.getByRole('button', { name: /^Edit Review/ })).toBeVisible()
  await expect(page.getByTitle('Billable')).toHaveCount(0)

  await user.setPrefs({ 'rate:category:Development:2026-01-01': '90 EUR' })
  await page.goto('/reports?view=monthly')
  const amounts = page.getByRole('table', { name: 'Amounts by task' })
  const cells = (row: number) =>
    amounts.getByRole('row').nth(row).locator('th,td').allTextContents()
  await expect(amounts).toBeVisible()
  expect(await cells(1)).toEqual(['Acme site', '1h 45m', '157.50 EUR', '157.50 EUR'])
  expect(await cells(2)).toEqual(['Review', '20m', '30.00 EUR', '30.00 EUR'])
  expect(await cells(3)).toEqual(['Sum', '2h 5m', '187.50 EUR', '187.50 EUR'])
  await expectClear(page, 'reports-amounts', [320, 390, 768, 1280])

  await page.goto(`${NOVEMBER}&q=task%3Areview`)
  await page.getByRole('button', { name: 'Seal', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Seal', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sealed timesheet' })).toBeVisible()
  await page.goto('/reports?view=monthly')
  await expect(amounts).toBeVisible()
  expect(await cells(2)).toEqual(['Review', '20m', '30.00 EUR', ''])
  await page.goto('/sessions')
  await expect(page.getByTitle('Invoiced')).toHaveCount(1)
  await expect(page.getByTitle('Billable')).toHaveCount(3)
  await expectClear(page, 'sessions-billing', [320, 390, 768, 1280])
  await page.getByLabel('Filter sessions').fill('-invoiced')
  await expect(page.getByRole('button', { name: /^Edit / })).toHaveCount(3)
  await page.getByLabel('Filter sessions').fill('billable invoiced')
  await expect(page.getByRole('button', { name: /^Edit / })).toHaveCount(1)
})

test('the running timer counts in the amounts of a report, as it does in its time @long', async ({
  page,
  user,
  history,
}) => {
  await history.task('Write')
  await user.setPrefs({
    timeZone: noonZone(),
    'rate:category:Development:2026-01-01': '3600 EUR',
  })
  await page.goto('/dashboard')
  await startTimer(page, 'Write')
  await user.ageTimer(30)
  await page.goto('/reports?view=daily')
  const sum = page.getByRole('table', { name: 'Amounts by task' }).getByRole('row').last()
  const cells = () => sum.locator('th,td').allTextContents()
  await expect(sum).toContainText(/3\dm/)
  // A second costs 1 EUR.
  const amount = async () => Number.parseFloat((await cells())[2]?.replaceAll(/[^\d.]/g, '') ?? '')
  const first = await amount()
  expect(first).toBeGreaterThanOrEqual(1800)
  await expect.poll(amount).toBeGreaterThan(first)
  await expectClear(page, 'reports-amounts-running', [390, 1280])
  await page.getByRole('button', { name: 'Pause', exact: true }).first().click()
  await expect(page.getByRole('button', { name: 'Resume', exact: true }).first()).toBeVisible()
  const [name, time, paused, open] = await cells()
  expect(name).toBe('Sum')
  expect(open).toBe(paused)
  expect(`${Math.floor((await amount()) / 60)}m`).toBe(time)
})

async function worked(history: History): Promise<void> {
  const acme = await history.task('Acme site')
  const review = await history.task('Review')
  await history.entry(acme, '2026-11-03 09:00', '2026-11-03 09:50', [], 'Draft #acme')
  await history.entry(review, '2026-11-03 10:00', '2026-11-03 10:20')
  await history.entry(acme, '2026-11-03 11:00', '2026-11-03 11:05')
  await history.entry(acme, '2026-11-04 09:00', '2026-11-04 09:50', [], 'Draft #acme')
}

/** Returns the texts of the rows of the sheet, without its headings. */
async function rows(page: Page): Promise<string[]> {
  const texts = await page.getByRole('table', { name: 'Lines' }).getByRole('row').allTextContents()
  return texts.slice(1)
}
