/** The hours account: /balance, its line on the dashboard, and what is behind each figure. */
import { readFile } from 'node:fs/promises'

import type { Page } from '@playwright/test'
import { signed } from '@stint/core/balance/signed.ts'
import {
  clerksDays,
  inputOf,
  momentOf,
  prefsOf,
  someYears,
} from '@stint/core/test/balance-clerk.ts'
import { exactDuration } from '@stint/core/time/duration.ts'

import { expect, test } from './fixtures.ts'
import { daysAgo, minutesAgo, noonZone, setNow } from './history.ts'
import { expectClear } from './looks.ts'

test('a contract starts the account, a day off and a correction change it, and Undo takes them back @looks', async ({
  page,
  history,
}) => {
  const task = await history.task('Write')
  await history.entry(task, `${daysAgo(1)} 09:00`, `${daysAgo(1)} 11:30`)
  await page.goto('/balance')
  await page.getByLabel('Contract').fill(`1h a day Mon–Sun since ${daysAgo(1)}, starting at +2h`)
  await expect(page.getByRole('status').filter({ hasText: '1h a day Mon–Sun since' })).toBeVisible()
  await page.getByRole('button', { name: 'Start the account' }).click()
  // 2h and 2h 30m of work, less two days of an hour.
  await expect(now(page)).toHaveText('+2h 30m')

  await add(page, 'vacation today')
  await expect(now(page)).toHaveText('+3h 30m')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(now(page)).toHaveText('+2h 30m')

  await add(page, 'vacation today')
  await add(page, 'off 1h today')
  await expect(page.getByText('is already off.')).toBeVisible()
  await expect(line(page)).toHaveValue('off 1h today')
  await line(page).fill('')
  await add(page, '-30m paid out today')
  await expect(now(page)).toHaveText('+3h 0m')
  await expectClear(page, 'balance')

  await now(page).click()
  const dialog = page.getByRole('dialog', { name: 'Balance' })
  await expect(dialog.getByText('+2h 30m', { exact: true }).first()).toBeVisible()
  await expect(dialog.getByRole('definition')).toHaveText([
    '0s',
    '+2h 0m',
    '+2h 30m',
    '−2h 0m',
    '+1h 0m',
    '−30m',
    '+3h 0m',
  ])
  await expectClear(page, 'balance')
  await dialog.getByRole('row').nth(2).getByRole('button').click()
  await dialog.getByRole('button', { name: '+2h 30m' }).click()
  await expect(page.getByRole('dialog', { name: 'Worked' }).getByText('Write')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  await page.goto('/dashboard')
  const link = page.getByRole('main').getByRole('link', { name: 'Balance +3h 0m' })
  await expect(link).toBeVisible()
  await link.click()
  await expect(now(page)).toHaveText('+3h 0m')
})

test('the file by day ends with the balance of the screen and of programs @long', async ({
  page,
  user,
  history,
}) => {
  const task = await history.task('Write')
  await history.entry(task, `${daysAgo(1)} 09:00`, `${daysAgo(1)} 11:30`)
  await user.setPrefs({ [`contract:${daysAgo(2)}`]: '3600/day 1234560' })
  await page.goto('/balance')
  await expect(now(page)).toHaveText('−30m')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  expect(file.trim().split('\r\n').at(-1)).toMatch(/,-1800$/)
})

test('what is typed wrong stays, with the reason @long', async ({ page, user }) => {
  await user.open()
  await page.goto('/balance')
  const contract = page.getByLabel('Contract')
  await contract.fill('25h Mon since 2026')
  await page.getByRole('button', { name: 'Start the account' }).click()
  await expect(page.getByText('A day has 24 hours.')).toBeVisible()
  await expect(contract).toHaveValue('25h Mon since 2026')
  await expectClear(page, 'balance')
  await contract.fill('8h Mon–Fri since 2026')
  await page.getByRole('button', { name: 'Start the account' }).click()
  await page.getByRole('button', { name: 'Edit 8h a day Mon–Fri' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit line' })
  await dialog.getByLabel('Line').fill('6h Mon–Fri since 2026')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('6h a day Mon–Fri since 1 Jan 2026').first()).toBeVisible()

  // A category of the sessions that count is completed while it is typed.
  const counted = page.getByRole('textbox', { name: 'Sessions that count' })
  await counted.pressSequentially('-@me')
  await expect(page.getByRole('option')).toHaveText(['@Meetings'])
  await expectClear(page, 'balance-completed', [390, 1280])
  await page.keyboard.press('Enter')
  await expect(counted).toHaveValue('-@Meetings ')
  await expect(page.getByText('not Category is Meetings')).toBeVisible()
})

test('public holidays are chosen by country and region, and each can be left out @long', async ({
  page,
  user,
}) => {
  await user.open()
  await user.setPrefs({ 'contract:2026-01-01': '28800/day 12345' })
  await page.goto('/balance')
  await page.getByRole('button', { name: 'Choose by country' }).click()
  const dialog = page.getByRole('dialog', { name: 'Public holidays' })
  await dialog.getByLabel('Country').selectOption({ label: 'Germany' })
  await dialog.getByLabel('Region').selectOption({ label: 'Bayern' })
  await dialog.getByLabel('Year', { exact: true }).selectOption('2026')
  await dialog.getByLabel('24 and 31 December').check()
  await expectClear(page, 'balance')
  await dialog.getByLabel('Labour Day').uncheck()
  // 12 in all of Bavaria, one less, and two halves.
  await dialog.getByRole('button', { name: 'Add 13' }).click()
  const list = page.getByRole('list', { name: 'Public holidays' })
  await page.getByRole('button', { name: 'Show all 13' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(13)
  const eve = 'half public holiday 24 Dec 2026 Christmas Eve'
  await expect(list.getByText(eve, { exact: true })).toBeVisible()
})

test('when to leave for a balance of zero is told while the timer runs, and not while it is paused @long', async ({
  page,
  user,
  history,
}) => {
  const zone = noonZone()
  const task = await history.task('Write')
  await history.entry(task, minutesAgo(200), minutesAgo(20))
  const today = Temporal.Now.plainDateISO(zone).toString()
  await user.setPrefs({ timeZone: zone, [`contract:${today}`]: '28800/day 1234560' })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Start Write', exact: true }).click()
  const leave = page.getByText(/^Leave at \d\d:\d\d for a balance of zero$/)
  // Five hours are missing. A minute may pass meanwhile.
  const missing = async () => {
    const [hours = 0, minutes = 0] =
      /\d\d:\d\d/
        .exec((await leave.textContent()) ?? '')?.[0]
        .split(':')
        .map(Number) ?? []
    const { hour, minute } = Temporal.Now.zonedDateTimeISO(zone)
    return (hours - hour) * 60 + minutes - minute
  }
  await expect.poll(missing).toBeGreaterThanOrEqual(299)
  expect(await missing()).toBeLessThanOrEqual(301)

  await user.ageTimer(30)
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Balance/ })
    .click()
  await expect(now(page)).toHaveText(/^−4h (?:30|29|28)m$/)
  await expect.poll(missing).toBeLessThanOrEqual(271)
  expect(await missing()).toBeGreaterThanOrEqual(267)
  await expectClear(page, 'balance-leave', [320, 390, 768, 1280])

  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(
    page.getByText(/^4h 2\dm|^4h 30m/).and(page.getByText('to a balance of zero')),
  ).toBeVisible()
  await expect(leave).toBeHidden()
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await expect(leave).toBeVisible()
})

test('the record of hours of a month is one page, with begin, end and breaks of each day @looks', async ({
  page,
  user,
  history,
}) => {
  await setNow(page)
  const task = await history.task('Write')
  await history.entry(task, '2026-10-30 09:00', '2026-10-30 19:00')
  await history.entry(task, '2026-11-02 09:00', '2026-11-02 12:30')
  await history.entry(task, '2026-11-02 13:15', '2026-11-02 17:45')
  await history.entry(task, '2026-11-05 22:00', '2026-11-06 01:00')
  await user.setPrefs({
    'contract:2026-10-30': '28800/day 12345',
    'dayoff:2026-11-03:vacation': '2026-11-03',
    'holiday:2026-11-04': 'whole Founders’ Day',
    'correction:2026-11-05:paid out': -1800,
  })
  await page.goto('/balance')
  await page.getByRole('link', { name: 'Record of hours' }).click()
  const paper = page.getByRole('article', { name: 'November 2026' })
  const rows = () =>
    paper.getByRole('row').evaluateAll((all) => {
      return all.map((row) => [...row.children].map((cell) => cell.textContent))
    })
  await expect
    .poll(async () => (await rows()).slice(1, 8))
    .toEqual([
      ['Carried forward', '', '', '', '', '', '', '+2:00', ''],
      ['Sun 1', '', '', '', '', '', '', '+2:00', ''],
      ['Mon 2', '09:00', '17:45', '0:45', '8:00', '8:00', '0:00', '+2:00', ''],
      ['Tue 3', '', '', '', '', '', '', '+2:00', 'Vacation'],
      ['Wed 4', '', '', '', '', '', '', '+2:00', 'Founders’ Day'],
      ['Thu 5', '22:00', '24:00', '0:00', '2:00', '8:00', '−6:30', '−4:30', '-30m paid out'],
      ['Fri 6', '00:00', '01:00', '0:00', '1:00', '8:00', '−7:00', '−11:30', ''],
    ])
  // Twelve days are owed up to today, the 18th, less one of vacation and a holiday.
  expect((await rows()).at(-1)).toEqual([
    'Sum',
    '',
    '',
    '0:45',
    '11:00',
    '88:00',
    '−77:30',
    '−75:30',
    '',
  ])
  await expect(paper).toContainText('Date, signature of the employer')
  await expectClear(page, 'hours-paper', [320, 390, 768, 1280])
  await page.getByRole('button', { name: 'The period before' }).click()
  await expect(page.getByRole('article', { name: 'October 2026' })).toContainText('Fri 30')

  // A month that is over has the most rows.
  await page.goto('/balance?month=2026-10-01')
  await expect(page.getByRole('article')).toContainText('Fri 30')
  expect(pagesOf(await page.pdf({ preferCSSPageSize: true, format: 'A4' }))).toBe(1)
})

/** Returns how many pages a PDF has. */
function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

test('pay periods other than months have rows and explanations of their own @long', async ({
  page,
  user,
}) => {
  await setNow(page)
  await user.open()
  await user.setPrefs({ 'contract:2026-10-05': '3600/day 12345' })
  await page.goto('/balance')
  await add(page, 'pay period 20–19 since 2026')
  const table = page.getByRole('table', { name: 'Weeks, months and years' })
  await expect(page.getByRole('button', { name: 'Pay periods', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  // Eleven days are owed from 5 October on, and 22 from the 20th up to today.
  await expect(table.getByRole('row').nth(1)).toContainText('20 Oct – 18 Nov 2026−33h 0m')
  await expect(table.getByRole('row').nth(2)).toContainText('5–19 Oct 2026−11h 0m')
  await table.getByRole('button', { name: '−33h 0m' }).click()
  const dialog = page.getByRole('dialog', { name: 'Balance' })
  await expect(dialog.getByRole('definition')).toHaveText(['−11h 0m', '0s', '−22h 0m', '−33h 0m'])
  await page.keyboard.press('Escape')

  await add(page, 'biweekly pay periods since 26 Oct')
  await expect(page.getByText('pay periods of 2 weeks since 26 Oct 2026').first()).toBeVisible()
  await expect(table.getByRole('row').nth(1)).toContainText('9–18 Nov 2026−33h 0m')
  await expect(table.getByRole('row').nth(2)).toContainText('26 Oct – 8 Nov 2026−25h 0m')
  await expect(table.getByRole('row').nth(3)).toContainText('20–25 Oct 2026−15h 0m')
  await expectClear(page, 'balance-two-weeks', [390, 1280])
  await page.goto('/balance?month=2026-11-02')
  await expect(page.getByRole('heading', { name: '26 Oct – 8 Nov 2026' })).toBeVisible()
})

test('days off are drawn on the year with the mouse and by keys, and taken back @looks', async ({
  page,
  user,
}) => {
  await setNow(page)
  await user.open()
  await user.setPrefs({
    'contract:2026-01-01': '28800/day 12345',
    'allowance:2026': '30',
    'holiday:2026-12-25': 'whole Christmas',
  })
  await page.goto('/balance')
  await page.getByRole('button', { name: 'Year calendar' }).click()
  const december = page.getByRole('grid', { name: 'December 2026' })
  await expect(
    december.getByRole('button', { name: 'Fri 25 Dec 2026, public holiday 25 Dec 2026 Christmas' }),
  ).toBeVisible()
  await december.getByRole('button', { name: 'Wed 23 Dec 2026' }).hover()
  await page.mouse.down()
  await december.getByRole('button', { name: 'Mon 28 Dec 2026' }).hover()
  await expect(december.getByRole('gridcell', { selected: true })).toHaveCount(6)
  await page.mouse.up()
  const choice = page.getByRole('region', { name: '23–28 Dec 2026' })
  // A weekend and Christmas are free anyway.
  await expect(choice).toContainText('costs 3 days of vacation')
  await expectClear(page, 'year-calendar', [320, 390, 768, 1280])
  await choice.getByRole('button', { name: 'Vacation', exact: true }).click()
  await expect(page.getByText('27 of 30 days left in 2026')).toBeVisible()
  await expect(
    december.getByRole('button', { name: 'Wed 23 Dec 2026, vacation 23–28 Dec 2026' }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('30 of 30 days left in 2026')).toBeVisible()

  const november = page.getByRole('grid', { name: 'November 2026' })
  await november.getByRole('button', { name: 'Wed 18 Nov 2026' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: '25–27 Nov 2026' })).toContainText('costs 3 days')
  // The day gets the focus back, and a press that comes at that moment counts.
  await november
    .getByRole('button', { name: 'Fri 27 Nov 2026' })
    .evaluate((day: HTMLElement) =>
      day.addEventListener('focus', () => day.click(), { once: true }),
    )
  // The first button has the focus.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(
    november.getByRole('button', { name: 'Fri 27 Nov 2026, sick 25–27 Nov 2026' }),
  ).toBeVisible()

  const day = page.getByRole('region', { name: '27 Nov 2026' })
  await day.getByRole('button', { name: 'Vacation', exact: true }).click()
  await expect(day.getByText('27 Nov is already off.')).toBeVisible()
  await day.getByRole('button', { name: 'Remove sick 25–27 Nov 2026' }).click()
  await expect(november.getByRole('button', { name: 'Fri 27 Nov 2026', exact: true })).toBeVisible()
})

test('days off are chosen with a finger: the first day, then the last @long', async ({
  user,
  openDevice,
}) => {
  await user.open()
  await user.setPrefs({ 'contract:2026-01-01': '28800/day 12345' })
  const phone = await openDevice('/balance', {
    hasTouch: true,
    viewport: { width: 390, height: 844 },
  })
  await phone.getByRole('button', { name: 'Year calendar' }).tap()
  const year = await phone.getByRole('heading', { name: /^20\d\d$/ }).textContent()
  const august = phone.getByRole('grid', { name: `August ${year}` })
  await august.getByRole('button', { name: / 3 Aug / }).tap()
  await expect(phone.getByRole('region', { name: `3 Aug ${year}` })).toBeVisible()
  await august.getByRole('button', { name: / 14 Aug / }).tap()
  const choice = phone.getByRole('region', { name: `3–14 Aug ${year}` })
  await choice.getByRole('button', { name: 'Vacation', exact: true }).tap()
  await expect(
    august.getByRole('button', { name: new RegExp(` 7 Aug .*vacation 3–14 Aug ${year}`) }),
  ).toBeVisible()
})

/** Four random months that a clerk has counted by hand. */
const MONTHS = someYears(4, 7).map((year, index) => ({
  ...year,
  length: 20 + index,
  contracts: year.contracts.map((contract, place) => ({ ...contract, day: place * 9 })),
}))

for (const [index, month] of MONTHS.entries()) {
  test(`an independent count agrees with the screen, to the second: month ${index + 1} @long`, async ({
    page,
    user,
    history,
  }) => {
    await setNow(page, new Date(momentOf(month)).toISOString())
    const task = await history.task('Write')
    const { entries, live } = inputOf(month)
    for (const entry of [...entries, ...(live ? [live] : [])]) {
      if (entry.deletedAt !== null || entry.startedAt >= entry.endedAt) continue
      const [start, end] = [new Date(entry.startedAt), new Date(entry.endedAt)] as const
      await history.entry(task, start.toISOString(), end.toISOString(), [], entry.note ?? undefined)
    }
    await user.setPrefs({ timeZone: month.zone, dayStartHour: month.startHour, ...prefsOf(month) })
    await page.goto('/balance')
    await now(page).click()
    const dialog = page.getByRole('dialog', { name: 'Balance' })
    const days = clerksDays(month)
    const rows = days.map(({ worked, owed, balance }, place) => {
      const before = days[place - 1]?.balance ?? 0
      const other = balance - before - worked + owed
      return [balance, worked, -owed, other].map((seconds) => signed(seconds, exactDuration))
    })
    const shown = () =>
      dialog.getByRole('row').evaluateAll((all) => {
        return all.slice(1).map((row) => [...row.children].slice(1).map((cell) => cell.textContent))
      })
    await expect.poll(shown).toEqual(rows.toReversed())
  })
}

function now(page: Page) {
  return page
    .getByRole('main')
    .getByRole('button')
    .filter({ hasText: /^[+−]?\d+/ })
    .first()
}

function line(page: Page) {
  return page.getByLabel('Days off, contract or correction')
}

async function add(page: Page, text: string) {
  await line(page).fill(text)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}
