/** The record out of Stint and into it, and what is wrong with it: files, paper, health. */
import { readFile } from 'node:fs/promises'

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import type { TestUser } from './backend.ts'
import { expect, openSignedIn, test } from './fixtures.ts'
import { historyOf, setTheme } from './history.ts'
import type { RunningServer } from './server.ts'

const ZONE = 'America/New_York'
test.use({ timezoneId: ZONE })

test('the record is downloaded as CSV, JSON and ICS, whole or of some days', async ({
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
  expect(csv.text).toContain('"Müller, ""Plan"""')

  await page.getByRole('button', { name: 'JSON' }).click()
  const json = await download(page)
  expect(JSON.parse(json.text)).toMatchObject({ format: 'stint', entries: { length: 3 } })

  await page.getByRole('button', { name: 'ICS' }).click()
  const { text: ics, name } = await download(page)
  expect(name).toBe('stint-all-time.ics')
  expect(ics.match(/BEGIN:VEVENT/g)).toHaveLength(3)

  await page.getByRole('button', { name: 'CSV' }).click()
  await page.getByLabel('Range').selectOption('From … to …')
  await page.getByLabel('From').fill(daysAgo(2))
  await page.getByLabel('To', { exact: true }).fill(daysAgo(1))
  await expect(page.getByLabel('To export')).toHaveText('2 sessions, 3h 0m')
  const some = await download(page)
  expect(some.name).toBe(`stint-${daysAgo(2)}-to-${daysAgo(1)}.csv`)
  expect(some.text.trim().split('\r\n')).toHaveLength(3)

  await page.getByLabel('To', { exact: true }).fill(daysAgo(3))
  await expect(page.getByText('Pick two days, the first one first.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download' })).toBeDisabled()
})

test('a report is printed on A4, every sheet with whole rows and nothing of the app', async ({
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

for (const width of [390, 1280]) {
  for (const theme of ['light', 'dark']) {
    test(`the pages are clear at ${width} px in the ${theme} theme`, async ({
      page,
      server,
      user,
    }) => {
      await page.setViewportSize({ width, height: 900 })
      await openData(page, server, user)
      await page.getByLabel('Range').selectOption('From … to …')
      await setTheme(page, theme)
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
      await look(page, `data-${width}-${theme}`)
      await page.getByRole('link', { name: 'Printable report' }).click()
      await expect(page.getByRole('table', { name: 'Sessions' })).toBeVisible()
      await setTheme(page, theme)
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
      await look(page, `print-${width}-${theme}`)
    })
  }
}

/** Two tasks with three sessions of the last days, and the page of the data. */
async function openData(page: Page, server: RunningServer, user: TestUser): Promise<void> {
  await openSignedIn(page, server, user)
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

async function download(page: Page): Promise<{ name: string; text: string }> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const file = await downloading
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

/** A date of the last days, as '2026-11-18'. */
function daysAgo(days: number): string {
  return Temporal.Now.plainDateISO(ZONE).subtract({ days }).toString()
}

async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['LOOK']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
