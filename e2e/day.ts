/** Helpers for the hourly view of a day. */
import type { Locator, Page } from '@playwright/test'

import { expect } from './fixtures.ts'
import { daysAgo } from './history.ts'
import type { History } from './history.ts'

/**
 * Opens yesterday on the reports page of a signed-in user, with an hour and a half of writing and an hour of planning.
 * Returns the id of the task 'Write report'.
 */
export async function openDay(page: Page, history: History): Promise<string> {
  const write = await history.task('Write report')
  const plan = await history.task('Plan week')
  await history.entry(write, `${daysAgo(1)} 09:00`, `${daysAgo(1)} 10:30`)
  await history.entry(plan, `${daysAgo(1)} 13:00`, `${daysAgo(1)} 14:00`)
  await page.goto(`/reports?day=${daysAgo(1)}`)
  await expect(blocks(page)).toHaveCount(2)
  return write
}

/** Returns the section that shows a day. */
export function day(page: Page): Locator {
  return page.getByRole('region', { name: 'Day Timeline' })
}

/** Returns the drawn sessions. */
export function blocks(page: Page): Locator {
  return day(page).getByRole('button', { name: /^Edit / })
}
