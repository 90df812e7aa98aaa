/** Opening the app on a device that does not have the account's history yet. */
import type { Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'
import { daysAgo } from './history.ts'

for (const width of [390, 1280]) {
  test(`before the history is here nothing is shown as a total, and nothing moves then, at ${width} px @long`, async ({
    page,
    history,
  }) => {
    await page.setViewportSize({ width, height: 800 })
    const taskId = await history.task('Write report')
    await history.task('Plan week')
    // More than the first page of entries, which would be a part of the total.
    for (let minute = 0; minute < 110; minute += 1) {
      const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
      await history.entry(taskId, `${daysAgo(1)} ${time}`, `${daysAgo(1)} ${time}:30`)
    }
    for (const path of ['/dashboard', '/tasks']) {
      const first = Promise.withResolvers<void>()
      const rest = Promise.withResolvers<void>()
      await page.route('**/time_entries/documents**', async (route) => {
        await (route.request().url().includes('cursorAfter') ? rest : first).promise
        await route.continue()
      })
      await page.goto(path)
      await expect(page.getByText('Plan week').first()).toBeVisible()
      await expect(page.getByTitle('Updating…').first()).toBeVisible()
      const places = await placesOf(page)
      expect(await figuresOf(page)).toEqual([])

      const next = page.waitForRequest((request) => request.url().includes('cursorAfter'))
      first.resolve()
      await next
      expect(await figuresOf(page)).toEqual([])
      expect(await placesOf(page)).toEqual(places)

      rest.resolve()
      await expect(page.getByText('55m').first()).toBeVisible()
      await expect(page.getByTitle('Updating…')).toHaveCount(0)
      expect(await placesOf(page)).toEqual(places)
      await page.unroute('**/time_entries/documents**')
      await page.evaluate(async () => {
        for (const { name } of await indexedDB.databases()) {
          if (name) indexedDB.deleteDatabase(name)
        }
      })
    }
  })
}

/** Returns the durations that the page shows. */
async function figuresOf(page: Page): Promise<string[]> {
  const text = await page.getByRole('main').innerText()
  return text.match(/\b(?:\d+h )?\d+m\b/g) ?? []
}

/** Returns where the parts of the page begin and end, in pixels. */
function placesOf(page: Page) {
  return page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll('h2, dl > div, li')].map((part) => {
      const { top, bottom } = part.getBoundingClientRect()
      return [top, bottom]
    }),
  )
}
