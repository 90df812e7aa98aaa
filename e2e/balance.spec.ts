/** The hours account: /balance, its line on the dashboard, and what is behind each figure. */
import { readFile } from 'node:fs/promises'

import type { Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'
import { daysAgo } from './history.ts'
import { expectClear } from './looks.ts'

test('a contract starts the account, a day off and a correction change it, and Undo takes them back', async ({
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
