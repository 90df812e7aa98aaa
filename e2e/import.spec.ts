/** Importing files of other time trackers, and Stint's own, in one step. */
import { readFile } from 'node:fs/promises'

import type { Locator, Page } from '@playwright/test'

import { createUser } from './backend.ts'
import { expect, FAILED_REQUEST, personOn, test } from './fixtures.ts'
import { expectClear } from './looks.ts'

/** The number of rows; IMPORT_ROWS=50000 measures a large import. */
const MANY = Number(process.env['IMPORT_ROWS'] ?? 2500)

const TOGGL = [
  '\uFEFFUser,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags',
  'Ada,ada@example.com,Acme,Website,,"Header, first draft",No,2026-03-09,09:00:00,2026-03-09,10:30:00,01:30:00,web',
  'Ada,ada@example.com,Acme,Website,,,No,2026-03-09,23:15:00,2026-03-10,00:45:00,01:30:00,',
  'Ada,ada@example.com,,Reading,,,No,2026-03-10,08:00:00,2026-03-10,08:20:00,00:20:00,',
].join('\r\n')

/** 12-hour clock, the month first. */
const CLOCKIFY = [
  '"Project","Client","Description","Task","User","Group","Email","Tags","Billable","Start Date","Start Time","End Date","End Time","Duration (h)","Duration (decimal)"',
  '"Website","Acme","Header","","Ada","","ada@example.com","","No","03/19/2026","09:00:00 AM","03/19/2026","10:30:00 AM","01:30:00","1.50"',
  '"Website","Acme","","","Ada","","ada@example.com","","No","03/15/2026","11:15:00 PM","03/16/2026","12:45:00 AM","01:30:00","1.50"',
].join('\n')

/** Days and hours, with decimal commas. */
const HARVEST = [
  'Date,Client,Project,Project Code,Task,Notes,Hours,Billable?,First Name,Last Name',
  '2026-03-09,Acme,Website,WEB,Design,"Header","1,5",Yes,Ada,Lovelace',
  '2026-03-10,Acme,Office,,Admin,Mail,"0,25",No,Ada,Lovelace',
].join('\n')

/** With breaks, and with a time that the clocks skipped. */
const BREAKS = [
  'Date,From,To,Break,Duration,Project,Description,Tags',
  '2026-06-16,09:00,17:00,0:45,7:15,Site,Day at the client,"travel, onsite"',
  '2026-06-17,09:00,12:00,0:00,3:00,Site,,',
  '2026-03-08,02:30,03:30,,1:00,Site,,',
].join('\n')

/** A custom spreadsheet with semicolons, whose third row is cut off. */
const SPREADSHEET = [
  'Datum;Von;Bis;Projekt',
  '9.3.2026;09:00;10:30;Website',
  '13.3.2026;14.15;15.00;Büro',
  '14.3.2026;09',
].join('\r\n')

test('files of other programs are previewed with what will be imported and what will not @long', async ({
  page,
  user,
}) => {
  await user.open('/data')
  const files: readonly [name: string, text: string, kind: string, figures: RegExp][] = [
    [
      'toggl.csv',
      TOGGL,
      'Toggl Track, detailed report',
      /^Sessions3Time3h 20mNew tasks2.*Skipped0$/,
    ],
    ['clockify.csv', CLOCKIFY, 'Clockify, detailed report', /^Sessions2Time3h 0mNew tasks1/],
    ['harvest.csv', HARVEST, 'Harvest, detailed time report', /^Sessions2Time1h 45mNew tasks2/],
    ['hours.csv', SPREADSHEET, 'Other table', /^Sessions2Time2h 15mNew tasks2.*Skipped1$/],
  ]
  for (const [name, text, kind, figures] of files) {
    await choose(page, name, text)
    await expect(page.getByRole('heading', { name })).toBeFocused()
    await expect(page.getByLabel('File type')).toHaveText(new RegExp(`^${kind}`))
    await expect(planOf(page)).toHaveText(figures)
    if (name === 'hours.csv') {
      await expect(page.getByRole('region', { name: 'Skipped' })).toHaveText(
        /^Line 4.*2 columns instead of 4/,
      )
      const list = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download this list' }).click()
      expect(await readFile(await (await list).path(), 'utf8')).toMatch(/^\uFEFFLine,Why,Row\r\n4,/)
    }
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByLabel('Choose a file')).toBeFocused()
  }
  await choose(page, 'holiday.xlsx', 'PK\u0003\u0004 not a table')
  await expect(
    page.getByText('The file is a spreadsheet or an archive. Save it as CSV first.'),
  ).toBeVisible()
  expect(await user.stored('time_entries')).toEqual([])
})

test('breaks are taken off, and a column of breaks is matched by hand @long', async ({
  page,
  user,
}) => {
  await user.open('/data')
  await choose(page, 'kimai.csv', BREAKS)
  await expect(planOf(page)).toHaveText(/^Sessions2Time10h 15m.*Skipped1$/)
  await expect(page.getByLabel('Break', { exact: true })).toHaveText(/Break/)
  await expect(page.getByText('Breaks do not count as work: 45m in all.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Skipped' })).toContainText(
    'There is no 02:30 on 8 March: clocks went forward at 02:00.',
  )
  await expectClear(page, 'breaks')
  await page.getByLabel('Break', { exact: true }).selectOption('')
  await expect(planOf(page)).toHaveText(/^Sessions2Time11h 0m/)
  await page.getByLabel('Break', { exact: true }).selectOption('Break')
  await page.getByRole('button', { name: 'Import 2 sessions' }).click()
  await expect(page.getByLabel('Outcome')).toHaveText('2 sessions imported, 10h 15m.')
  await expect
    .poll(async () =>
      (await user.stored('time_entries'))
        .map((entry) => Number(entry['durationSeconds']))
        .toSorted((a, b) => a - b),
    )
    .toEqual([10_800, 26_100])
})

test('a file from an old spreadsheet can be imported by drag and drop @long', async ({
  page,
  user,
}) => {
  await user.open('/data')
  const dropped = await page.getByText('or drop it here').evaluateHandle((_, text) => {
    const transfer = new DataTransfer()
    // Windows-1252: one byte per letter.
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
    transfer.items.add(new File([bytes], 'dropped.csv'))
    return transfer
  }, SPREADSHEET)
  await page.getByText('or drop it here').dispatchEvent('drop', { dataTransfer: dropped })
  await expect(page.getByRole('heading', { name: 'dropped.csv' })).toBeFocused()
  await expect(page.getByRole('region', { name: 'By task' })).toContainText('Büro')
})

test('an import is one step: it is sent, can be undone at once, and never creates duplicates', async ({
  page,
  user,
}) => {
  await user.open('/data')
  await choose(page, 'toggl.csv', TOGGL)
  await page.getByRole('button', { name: 'Import 3 sessions' }).click()
  await expect(page.getByLabel('Outcome')).toHaveText('3 sessions imported, 3h 20m.')
  await expect.poll(async () => (await user.stored('time_entries')).length).toBe(3)
  const notes = (await user.stored('time_entries')).map((entry) => String(entry['note']))
  expect(new Set(notes)).toEqual(new Set(['#Acme', 'Header, first draft #web #Acme', 'null']))
  await expect(page.getByLabel('To export')).toHaveText('3 sessions, 3h 20m')

  await page.getByRole('button', { name: 'Import another file' }).click()
  await choose(page, 'toggl.csv', TOGGL)
  await expect(planOf(page)).toHaveText(/^Sessions0.*Already imported3Skipped0$/)
  await expect(page.getByRole('button', { name: 'Import 0 sessions' })).toBeDisabled()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByText('No sessions start in this range.')).toBeVisible()
  await expect
    .poll(async () => {
      const documents = await user.stored('time_entries')
      return documents.filter((document) => document['deletedAt'] === null).length
    })
    .toBe(0)
  await expect
    .poll(async () => {
      const documents = await user.stored('tasks')
      return documents.filter((document) => document['isActive'] === true).length
    })
    .toBe(0)

  // Imported again in the right zone: the tasks are restored, not left in the archive.
  await choose(page, 'toggl.csv', TOGGL)
  await expect(page.getByText('deleted tasks without sessions are restored.')).toBeVisible()
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await page.getByRole('button', { name: 'Import 3 sessions' }).click()
  await expect(page.getByLabel('To export')).toHaveText('3 sessions, 3h 20m')
  await expect
    .poll(async () => {
      const documents = await user.stored('tasks')
      return documents.every((document) => document['isActive'] === true)
    })
    .toBe(true)
})

test('by keyboard alone a pasted table is mapped and imported @long', async ({ page, user }) => {
  await user.open('/data')
  await expect(page.getByRole('button', { name: 'Paste text' })).toBeVisible()
  await tabTo(page, 'Paste text')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Text of the file')).toBeFocused()
  // The headings say nothing, so the columns are mapped by hand.
  await page.keyboard.insertText(
    'Wann,Was,Wie lange\n2026-03-09,Website,1:30\n2026-03-10,Mail,0:15',
  )
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Pasted text' })).toBeFocused()
  for (const [label, column] of [
    ['Task', 'Was'],
    ['Day', 'Wann'],
    ['Duration', 'Wie lange'],
  ] as const) {
    const select = page.getByLabel(label, { exact: true })
    await tabUntil(page, select)
    await page.keyboard.type(column)
    await expect(select.locator('option:checked')).toHaveText(column)
  }
  await expect(planOf(page)).toHaveText(/^Sessions2Time1h 45m/)
  await tabTo(page, 'Import 2 sessions')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Outcome')).toHaveText('2 sessions imported, 1h 45m.')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByLabel('Outcome')).toHaveText('Import undone.')
})

test('the import asks for the zone and the order of dates if the file is ambiguous @long', async ({
  page,
  user,
}) => {
  await user.open('/data')
  await choose(page, 'a.csv', 'Date,Start,End,Task\n03/04/2026,09:00,10:00,Website\n')
  const order = page.getByLabel('Date format')
  await expect(order).toHaveValue('mdy')
  await order.selectOption('Day, month, year')
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await page.getByRole('button', { name: 'Import 1 session' }).click()
  await expect
    .poll(() => user.stored('time_entries'))
    .toMatchObject([{ startTime: '2026-04-03T00:00:00.000+00:00', entryType: 'import' }])
})

test('an export imported into another account gives the same figures @long', async ({
  page,
  history,
  server,
  browser,
}) => {
  const gone = await history.task('Deleted later')
  const write = await history.task('Write report')
  await history.entry(write, '2026-11-02 23:10', '2026-11-03 00:40', [
    ['2026-11-02 23:30', '2026-11-02 23:45'],
  ])
  await history.entry(write, '2026-11-03 09:00', '2026-11-03 11:00')
  await history.entry(gone, '2026-11-04 09:00', '2026-11-04 09:20')
  await history.deleteTask(gone)
  const before = await figuresOf(page)
  await page.goto('/data')
  await page.getByRole('button', { name: 'JSON' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const text = await readFile(await (await downloading).path(), 'utf8')

  const context = await browser.newContext({ baseURL: server.url })
  const other = await context.newPage()
  const bo = await createUser(other.request, server.url, 'Bo')
  await personOn(other, server, bo).open('/data')
  await choose(other, 'stint.json', text)
  await other.getByRole('button', { name: 'Import 3 sessions' }).click()
  await expect(other.getByLabel('Outcome')).toHaveText('3 sessions imported, 3h 35m.')
  await expect(other.getByRole('status', { name: 'Connection' })).toBeEmpty()
  expect(await figuresOf(other)).toEqual(before)
  await context.close()
})

test('an offline import is stored locally and sent when the network is back @long', async ({
  page,
  user,
  context,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await user.open('/data')
  await choose(page, 'first.csv', TOGGL)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await context.setOffline(true)
  await choose(page, 'toggl.csv', TOGGL)
  await page.getByRole('button', { name: 'Import 3 sessions' }).click()
  await expect(page.getByLabel('Outcome')).toHaveText('3 sessions imported, 3h 20m.')
  await expect(page.getByText(/^You’re offline\. \d+ waiting to sync\./)).toBeVisible()
  await context.setOffline(false)
  await expect.poll(async () => (await user.stored('time_entries')).length).toBe(3)
  await expect(page.getByText(/^You’re offline/)).toHaveCount(0)
})

test('thousands of rows are imported while the page stays responsive, and undone in one step @long', async ({
  page,
  user,
}) => {
  await user.open('/data')
  const seconds = stopwatch()
  await choose(page, 'many.csv', manyRows(MANY))
  const count = MANY.toLocaleString('en')
  const start = page.getByRole('button', { name: `Import ${count} sessions` })
  await expect(start).toBeVisible({ timeout: 60_000 })
  seconds('planned')
  await start.click()
  await expect(page.getByLabel('Outcome')).toHaveText(new RegExp(`^${count} sessions imported`), {
    timeout: 120_000,
  })
  seconds('durable')
  await expect(page.getByLabel('To export')).toHaveText(new RegExp(`^${count} sessions`))
  await expect(page.getByRole('status', { name: 'Connection' })).toBeEmpty({ timeout: 300_000 })
  seconds('sent')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByText('No sessions start in this range.')).toBeVisible({ timeout: 120_000 })
  seconds('undone')
  await expect(page.getByRole('status', { name: 'Connection' })).toBeEmpty({ timeout: 300_000 })
  seconds('sent')
})

for (const name of ['Tasks', 'Dashboard', 'Sessions']) {
  test(`no row of ${name} moves or changes while an import is sent @long`, async ({
    page,
    user,
  }) => {
    // Nothing is sent before the page is looked at.
    const { promise: isLookedAt, resolve: lookAt } = Promise.withResolvers<undefined>()
    await page.route('**/v1/databases/**', async (route) => {
      if (route.request().method() !== 'GET') await isLookedAt
      await route.continue()
    })
    await user.open('/data')
    await choose(page, 'many.csv', manyRows(600))
    await page.getByRole('button', { name: 'Import 600 sessions' }).click()
    await expect(page.getByLabel('Outcome')).toHaveText(/^600 sessions imported/)
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(new RegExp(`${name}$`))
    await expect(page.getByRole('main').getByText('Task 7', { exact: true }).first()).toBeVisible()

    const looks = await page.evaluateHandle(() => {
      const seen = new Set<string>()
      const look = () => {
        const rows = [...document.querySelectorAll('main li')].map((row) => {
          const dot = row.querySelector('.rounded-full')
          const color = dot && getComputedStyle(dot).backgroundColor
          return `${row.getBoundingClientRect().top} ${color} ${row.textContent}`
        })
        seen.add(rows.join('\n'))
        requestAnimationFrame(look)
      }
      look()
      return seen
    })
    lookAt(undefined)
    const saved = () => user.stored('time_entries', 1000)
    await expect.poll(async () => (await saved()).length).toBe(600)
    await expect(page.getByRole('status', { name: 'Connection' })).toBeEmpty({ timeout: 60_000 })
    expect(await looks.evaluate((seen) => [...seen])).toHaveLength(1)
  })
}

test('the preview of a file fits every width in both themes @long', async ({ page, user }) => {
  await user.open('/data')
  await choose(page, 'hours.csv', SPREADSHEET)
  await expect(planOf(page)).toBeVisible()
  await expectClear(page, 'import')
  await page.getByRole('button', { name: 'Import 2 sessions' }).click()
  await expect(page.getByLabel('Outcome')).toBeVisible()
  await expectClear(page, 'imported')
})

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page
    .getByLabel('Choose a file')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

function planOf(page: Page): Locator {
  return page.getByLabel('What would be imported')
}

/** Returns the figures of the reports. */
async function figuresOf(page: Page): Promise<string[]> {
  await page.goto('/reports?view=monthly&from=2026-11-01')
  await expect(page.getByRole('list', { name: 'Quick Stats' })).toContainText('3h 35m')
  const texts = await page.getByRole('main').allInnerTexts()
  return texts.flatMap((text) => text.split('\n'))
}

/** Returns sessions of 20 minutes every half hour, back from the first of this month. */
function manyRows(count: number): string {
  const first = Date.UTC(2026, 9, 1)
  const rows = Array.from({ length: count }, (_, index) => {
    const start = new Date(first - index * 1_800_000).toISOString()
    const end = new Date(first - index * 1_800_000 + 1_200_000).toISOString()
    return `Task ${index % 40},${start.slice(0, 10)},${start.slice(11, 19)},${end.slice(0, 10)},${end.slice(11, 19)}`
  })
  return ['Task,Date,Start,End date,End', ...rows].join('\n')
}

/** Returns a function that prints how long each part took, for large imports. */
function stopwatch(): (what: string) => void {
  let last = performance.now()
  return (what) => {
    const now = performance.now()
    // oxlint-disable-next-line no-console -- the figure is what it is run for
    if (process.env['IMPORT_ROWS']) console.log(`${what}: ${((now - last) / 1000).toFixed(1)} s`)
    last = now
  }
}

/** Presses Tab until the element with this text has the focus. */
async function tabTo(page: Page, text: string): Promise<void> {
  await tabWhile(page, async () => {
    return (await page.evaluate(() => document.activeElement?.textContent)) !== text
  })
}

async function tabUntil(page: Page, element: Locator): Promise<void> {
  await tabWhile(page, async () => {
    return !(await element.evaluate((each) => each === document.activeElement))
  })
}

async function tabWhile(page: Page, goesOn: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if (!(await goesOn())) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not lead there')
}
