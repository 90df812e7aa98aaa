import { readFile } from 'node:fs/promises'

import { expect, test } from './fixtures.ts'
import type { History } from './history.ts'
import { setNow } from './history.ts'
import { expectClear } from './looks.ts'

test('a year is one picture, from which a month, a day and the way back are a press each @looks', async ({
  page,
  history,
}) => {
  await setNow(page)
  await worked(history)
  await page.goto('/reports?view=yearly')
  await page.getByRole('link', { name: 'Year on a page' }).click()

  const year = page.getByRole('region', { name: '2026' })
  await expect(year).toContainText('4h 30m in 4 sessions')
  const picture = year.getByRole('img')
  await expect(picture).toHaveAccessibleName(
    '4 hours 30 minutes on 3 days, most on Tuesday 3 November 2026',
  )
  await picture.focus()
  // From today, 18 November.
  await picture.press('PageUp')
  await picture.press('PageDown')
  for (let back = 15; back > 0; back -= 1) await picture.press('ArrowUp')
  await expect(year.getByRole('figure')).toContainText(
    'Tue 3 Nov 2026: 2h 30m · Acme site 2h 0m · Review 30m',
  )
  await expectClear(page, 'year', [320, 390, 768, 1280])

  await picture.focus()
  for (const key of ['Home', 'End', 'PageUp']) await picture.press(key)
  await expect(year.getByRole('figure')).toContainText('Mon 30 Nov 2026: nothing')
  for (let back = 27; back > 0; back -= 1) await picture.press('ArrowUp')
  await picture.press('Enter')
  const day = page.getByRole('region', { name: 'Day Timeline' })
  await expect(day).toContainText('Tue 3 Nov')
  await expect(day.getByRole('button', { name: /^Edit Acme site ?, 09:00 – 11:00/ })).toBeVisible()
  await page.goBack()

  await year.getByRole('link', { name: 'March' }).click()
  const month = page.getByRole('region', { name: 'March 2026' })
  await expect(month.getByRole('link', { name: 'Sunday 8 March 2026: 1 hour' })).toBeVisible()
  await expect(month.getByRole('link', { name: 'Monday 9 March 2026: nothing' })).toBeVisible()
  await expectClear(page, 'month', [320, 390, 768, 1280])
  await month.getByRole('link', { name: 'Sunday 8 March 2026: 1 hour' }).click()
  await expect(day).toContainText('Sun 8 Mar')
  await page.goBack()
  await month.getByRole('link', { name: '2026', exact: true }).click()
  await expect(picture).toBeVisible()
})

test('a year is downloaded as a poster, printed on one sheet, and shown as a table @long', async ({
  page,
  history,
}) => {
  await setNow(page)
  await worked(history)
  await page.goto('/year?view=yearly&from=2026-01-01')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'SVG' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('stint-2026.svg')
  const svg = await readFile(await download.path(), 'utf8')
  // It needs no style sheet: the colours of the tasks are in it.
  expect(svg.match(/fill="#[0-9a-f]{6}"/g)?.length).toBeGreaterThan(5)
  expect(svg).not.toContain('var(')
  const drawn = await page.evaluate((text) => {
    const file = new DOMParser().parseFromString(text, 'image/svg+xml')
    const marks = Array.from(file.querySelectorAll('path'), (path) => path.getAttribute('d'))
    return { marks, text: file.documentElement.textContent }
  }, svg)
  // 9:00 to 11:00 of the 307th day.
  expect(drawn.marks[0]).toContain('M540.0 306h120.0')
  expect(drawn.text).toMatch(/2026.*4h 30m in 4 sessions.*Acme site4h/)

  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(pdf.match(/\/Type ?\/Page\b/g)).toHaveLength(1)
  // 420 by 594 mm, in points.
  expect(pdf).toMatch(/\/MediaBox ?\[0 0 119\d(\.\d+)? 168\d/)

  await page.getByRole('button', { name: 'More: 2026' }).click()
  await page.getByRole('button', { name: 'Show as table: 2026' }).click()
  await expect(page.getByRole('row', { name: 'March 2026 1h 0m' })).toBeVisible()
  await page.getByRole('button', { name: '1h 0m' }).click()
  await expect(page.getByRole('dialog', { name: 'March 2026' })).toBeVisible()
})

async function worked(history: History): Promise<void> {
  const acme = await history.task('Acme site')
  const review = await history.task('Review')
  await history.entry(acme, '2026-11-03 09:00', '2026-11-03 11:00')
  await history.entry(review, '2026-11-03 12:00', '2026-11-03 12:30')
  await history.entry(acme, '2026-03-08 00:30', '2026-03-08 01:30')
  await history.entry(acme, '2026-11-17 10:00', '2026-11-17 11:00')
}
