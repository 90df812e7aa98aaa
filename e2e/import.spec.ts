/** Importing files of other time trackers, and Stint's own, in one step. */
import { readdir, readFile, writeFile } from 'node:fs/promises'

import type { Locator, Page, Request } from '@playwright/test'

import { createUser, updateDocument } from './backend.ts'
import { answersNoted, expect, FAILED_REQUEST, personOn, startTimer, test } from './fixtures.ts'
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

test('an import proves its time, and its receipt stays in Data with an undo @long', async ({
  page,
  user,
  server,
}) => {
  await user.open('/data')
  const same = BREAKS.split('\n')[2] ?? ''
  await choose(page, 'kimai.csv', `${BREAKS}\n${same}`)
  const proof = page.getByRole('region', { name: 'Proof of the time' })
  await expect(proof).toContainText('The file says 14h 15m. Stint will count 13h 15m.')
  await expect(proof).toContainText('−1h 0m1 skipped row')
  await expect(page.getByText('2 sessions of the file overlap each other: 3h 0m')).toBeVisible()
  const both = page.getByLabel('Import 1 row that is the same as an earlier row (3h 0m)')
  await expect(both).toBeChecked()
  await both.uncheck()
  await expect(proof).toContainText('Stint will count 10h 15m.')
  await page.getByRole('button', { name: 'Import 2 sessions' }).click()
  await expect(proof).toContainText('The file said 14h 15m. Stint counts 10h 15m.')
  await expect.poll(async () => (await user.stored('time_entries')).length).toBe(2)
  await answersNoted(page)

  await page.reload()
  const receipts = page.getByRole('list', { name: 'Imports on this device' })
  await expect(receipts).toContainText('2 sessions, 10h 15m')
  await receipts.getByText('Receipt').click()
  await expect(proof).toContainText('The file said 14h 15m. Stint counts 10h 15m.')
  await expectClear(page, 'receipt')
  // A session that has changed since stays.
  const [entry] = await user.stored('time_entries')
  await updateDocument(page.request, server.url, 'time_entries', String(entry?.$id), {
    note: 'Changed on another device',
  })
  await page.goto('/sessions')
  await expect(page.getByText('Changed on another device')).toBeVisible()
  await page.goto('/data')
  await receipts.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText('Kept 1 session that changed since')).toBeVisible()
  await expect(receipts).toContainText('Import undone.')
  await expect
    .poll(async () => {
      const documents = await user.stored('time_entries')
      return documents.filter((document) => document['deletedAt'] === null).length
    })
    .toBe(1)
})

test('rows at the times of a session of another task are asked about @long', async ({
  page,
  user,
}) => {
  await user.open('/data')
  await choose(page, 'a.csv', 'Task,Start,End\nSite,2026-03-16 09:00,2026-03-16 11:00')
  await page.getByRole('button', { name: 'Import 1 session' }).click()
  await page.getByRole('button', { name: 'Import another file' }).click()
  const other =
    'Task,Start,End\nWebsite,2026-03-16 09:00,2026-03-16 11:00\nWebsite,2026-03-16 10:30,2026-03-16 12:00'
  await choose(page, 'b.csv', other)
  await expect(page.getByRole('region', { name: 'Likely repeats' })).toContainText(
    'Has the times of a session of “Site”.',
  )
  await expect(
    page.getByText('1 session overlaps sessions that you have: 30m in all.'),
  ).toBeVisible()
  await expect(planOf(page)).toHaveText(/^Sessions1Time1h 30m/)
  await page.getByLabel('Import 1 row at the times of a session that you have (2h 0m)').check()
  await expect(planOf(page)).toHaveText(/^Sessions2Time3h 30m/)
})

test('of an hour that the clocks showed twice the second is chosen @long', async ({
  page,
  user,
}) => {
  await user.open('/data')
  const text = [
    'Task,Start,End',
    'Call,2026-11-01 01:15,2026-11-01 01:30',
    'Deploy,2026-11-01 01:40,2026-11-01 02:10',
  ].join('\n')
  await choose(page, 'night.csv', text)
  const list = page.getByRole('region', { name: 'In an hour that the clocks showed twice' })
  await expect(list).toContainText('Read as 01:40 (UTC-04:00) to 02:10 (UTC-05:00): 1h 30m.')
  await expect(planOf(page)).toHaveText(/^Sessions2Time1h 45m/)
  await expectClear(page, 'import-night')
  const second = page.getByLabel('Read 2 rows as the second of their two times')
  await second.check()
  await expect(second).toBeFocused()
  await expect(list).toContainText('Read as 01:40 (UTC-05:00) to 02:10 (UTC-05:00): 30m.')
  await expect(planOf(page)).toHaveText(/^Sessions2Time45m/)
  await page.getByRole('button', { name: 'Import 2 sessions' }).click()
  await expect
    .poll(async () => (await user.stored('time_entries')).map((entry) => entry['startTime']))
    .toEqual(
      expect.arrayContaining(['2026-11-01T06:15:00.000+00:00', '2026-11-01T06:40:00.000+00:00']),
    )
})

test('a calendar is imported @long', async ({ page, user }) => {
  await user.open('/data')
  const calendar = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    'UID:1@example.org',
    'DTSTART;TZID=Europe/Berlin:20260309T090000',
    'DTEND;TZID=Europe/Berlin:20260309T103000',
    'SUMMARY:Website',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
  await choose(page, 'work.ics', calendar)
  await expect(page.getByLabel('File type')).toHaveText(/^Calendar/)
  await page.getByRole('button', { name: 'Import 1 session' }).click()
  await expect(page.getByLabel('Outcome')).toHaveText('1 session imported, 1h 30m.')
  await expect
    .poll(() => user.stored('time_entries'))
    .toMatchObject([{ startTime: '2026-03-09T08:00:00.000+00:00' }])
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
  await page.getByRole('button', { name: 'Download', exact: true }).click()
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

test('thousands of rows are imported while the timer obeys, and undone in one step @long', async ({
  page,
  user,
}) => {
  test.setTimeout(1_800_000)
  await user.openWithTasks(['Write report'])
  await startTimer(page, 'Write report')
  await page.goto('/data')
  const file = test.info().outputPath('many.csv')
  await writeFile(file, manyRows(MANY))
  const figure = await stopwatch(page)
  await page.getByLabel('Choose a file').setInputFiles(file)
  const count = MANY.toLocaleString('en')
  const start = page.getByRole('button', { name: `Import ${count} sessions` })
  await expect(start).toBeVisible({ timeout: 120_000 })
  await figure('planned')

  const saves = watchSaves(page)
  await start.click()
  // What is shown is on the disk: it does not wait for the rest of the import.
  const outcome = page.getByLabel('Outcome')
  const isSaved = outcome.getByText(new RegExp(`^${count} sessions imported`))
  const whileSaved = await pressUntil(page, isSaved)
  if (MANY > 20_000) expect(whileSaved.length).toBeGreaterThan(1)
  await figure(`durable, with presses of ${whileSaved.join(', ')} ms`)
  await expect(page.getByLabel('To export')).toHaveText(new RegExp(`^${count} sessions`))

  const connection = page.getByRole('status', { name: 'Connection' })
  if (MANY > 20_000) await expect(connection).not.toBeEmpty()
  const whileSent = await pressUntil(page, connection.and(page.locator(':empty')))
  await figure(
    `sent in ${saves.documents.length} requests, with presses of ${whileSent.join(', ')} ms`,
  )
  await expect
    .poll(async () => (await user.stored('timer_sessions'))[0]?.['isPaused'])
    .toBe((whileSaved.length + whileSent.length) % 2 === 1)
  expect(Math.max(...saves.documents)).toBeLessThanOrEqual(400)
  expect(saves.mostInFlight).toBe(1)

  await page.keyboard.press('ControlOrMeta+z')
  const isUndone = page.getByText('No sessions start in this range.')
  const whileUndone = await pressUntil(page, isUndone)
  await figure(`undone, with presses of ${whileUndone.join(', ')} ms`)
  await expect(connection).toBeEmpty({ timeout: 900_000 })
  await figure('sent')
  const stored = await user.stored('time_entries', 1000)
  expect(stored.filter((entry) => entry['deletedAt'] === null)).toEqual([])
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

/**
 * Returns sessions of 20 minutes every half hour, back from the first of this month, without those between two and
 * three, which clocks may skip.
 */
function manyRows(count: number): string {
  const first = Date.UTC(2026, 9, 1)
  const rows = Array.from({ length: count }, (_, index) => {
    const half = Math.floor(index / 46) * 48 + (index % 46) + (index % 46 < 43 ? 0 : 2)
    const start = new Date(first - half * 1_800_000).toISOString()
    const end = new Date(first - half * 1_800_000 + 1_200_000).toISOString()
    return `Task ${index % 40},${start.slice(0, 10)},${start.slice(11, 19)},${end.slice(0, 10)},${end.slice(11, 19)}`
  })
  return ['Task,Date,Start,End date,End', ...rows].join('\n')
}

/**
 * Pauses and resumes the timer, at least once and until something is there, and returns how many
 * milliseconds later the screen showed each press.
 */
async function pressUntil(page: Page, there: Locator): Promise<number[]> {
  const presses: number[] = []
  await expect(async () => {
    presses.push(await shownAfter(page))
    await expect(there).toHaveCount(1, { timeout: 1000 })
  }).toPass({ timeout: 900_000, intervals: [100] })
  return presses
}

/** Presses Pause or Resume, and returns how many milliseconds later the other one was there. */
async function shownAfter(page: Page): Promise<number> {
  return page.evaluate(
    async (names) => {
      const toggle = () =>
        [...document.querySelectorAll('button')]
          .map((button) => ({
            button,
            name: button.getAttribute('aria-label') ?? button.textContent,
          }))
          .find(({ name }) => names.includes(name))
      const before = performance.now()
      const pressed = toggle()
      pressed?.button.click()
      await new Promise<void>((resolve) => {
        const look = () => {
          const now = toggle()
          if (now && now.name !== pressed?.name) resolve()
          else requestAnimationFrame(look)
        }
        look()
      })
      return Math.round(performance.now() - before)
    },
    ['Pause', 'Resume'],
  )
}

function isSave(request: Request): boolean {
  return request.method() === 'PUT' && request.url().endsWith('/collections/time_entries/documents')
}

/** Counts the documents of each request that saves sessions, and how many such requests there were at once. */
function watchSaves(page: Page): { readonly documents: number[]; mostInFlight: number } {
  const saves = { documents: [] as number[], mostInFlight: 0 }
  let inFlight = 0
  page.on('request', (request) => {
    if (!isSave(request)) return
    const body: unknown = request.postDataJSON()
    saves.documents.push(Object(body).documents.length)
    saves.mostInFlight = Math.max(saves.mostInFlight, ++inFlight)
  })
  const over = (request: Request) => {
    if (isSave(request)) inFlight--
  }
  page.on('requestfinished', over)
  page.on('requestfailed', over)
  return saves
}

/** Returns the processor time in seconds of the workers of a process so far, on Linux. */
async function workerSeconds(process: number): Promise<number> {
  const threads = `/proc/${process}/task`
  let ticks = 0
  for (const thread of await readdir(threads)) {
    const stat = await readFile(`${threads}/${thread}/stat`, 'utf8').catch(() => '')
    if (!stat.includes('(DedicatedWorker')) continue
    const [user = 0, system = 0] =
      stat.split(') ').at(-1)?.split(' ').slice(11, 13).map(Number) ?? []
    ticks += user + system
  }
  return ticks / 100
}

/**
 * Returns a function that prints how long each part took, for large imports: on the clock, and in
 * processor time of the page with its workers, of its main thread, and of the workers that run.
 */
async function stopwatch(page: Page): Promise<(what: string) => Promise<void>> {
  if (!process.env['IMPORT_ROWS']) return async () => undefined
  const main = await page.context().newCDPSession(page)
  await main.send('Performance.enable', { timeDomain: 'threadTicks' })
  const whole = await page.context().browser()?.newBrowserCDPSession()
  const read = async () => {
    const { metrics } = await main.send('Performance.getMetrics')
    const { processInfo = [] } = (await whole?.send('SystemInfo.getProcessInfo')) ?? {}
    const renderers = processInfo.filter(({ type }) => type === 'renderer')
    const workers = await Promise.all(renderers.map(({ id }) => workerSeconds(id)))
    return {
      clock: performance.now() / 1000,
      workers: workers.reduce((sum, seconds) => sum + seconds, 0),
      page: renderers.reduce((sum, { cpuTime }) => sum + cpuTime, 0),
      main: metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN,
    }
  }
  let last = await read()
  return async (what) => {
    const now = await read()
    const spent = (name: keyof typeof now) => (now[name] - last[name]).toFixed(1)
    // oxlint-disable-next-line no-console -- the figure is what it is run for
    console.log(
      `${what}: ${spent('clock')} s; processor ${spent('page')} s, of it main thread ${spent('main')} s, workers ${spent('workers')} s`,
    )
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
