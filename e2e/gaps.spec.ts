/** The gaps between the sessions of a day: marked, ignored, filled, and undone. */
import type { Locator, Page } from '@playwright/test'

import { API_CALL } from './backend.ts'
import { blocks, day, openDay } from './day.ts'
import { expect, test } from './fixtures.ts'
import { daysAgo } from './history.ts'
import { pickTask, timeOf } from './task-page.ts'

test('a gap stays marked as a break or ignored on every device until it is undone @long', async ({
  page,
  history,
  server,
  openDevice,
}) => {
  await openDay(page, history)
  const call = await history.task('Call')
  await history.entry(call, `${daysAgo(1)} 15:00`, `${daysAgo(1)} 15:30`)
  await page.reload()
  const week = day(page)
    .getByRole('heading', { name: 'Untracked' })
    .locator('xpath=following-sibling::p[1]')
  await expect(gaps(page)).toHaveText([/^Fill 10:30 – 13:00, 2h 30m/, /^Fill 14:00 – 15:00, 1h 0m/])
  await expect(week).toHaveText(/^3h 30m/)

  await gaps(page).first().getByRole('button', { name: 'Mark as break' }).click()
  await expect(gaps(page).first()).toHaveText(/^10:30 – 13:00 · 2h 30m · break/)
  await expect(week).toHaveText(/^1h 0m/)
  await expect(fills(page)).toHaveCount(1)
  await gaps(page).last().getByRole('button', { name: 'Ignore' }).click()
  await expect(week).toHaveText(/^0m/)
  await expect(fills(page)).toHaveCount(0)

  // Another device shows the same after the server has it.
  await expect
    .poll(async () => (await page.request.get(`${server.url}/v1/account/prefs`, API_CALL)).json())
    .toEqual({ decidedGaps: expect.stringMatching(/^\d+\+9000b \d+\+3600i$/) })
  const phone = await openDevice(`/reports?day=${daysAgo(1)}`, {
    viewport: { width: 390, height: 844 },
  })
  await expect(gaps(phone)).toHaveText([/break/, /ignored/])
  await gaps(phone).first().getByRole('button', { name: 'Undo' }).click()
  await expect(gaps(phone)).toHaveText([/Mark as break/, /ignored/])
  await expect(gaps(page)).toHaveText([/Mark as break/, /ignored/])

  // Undo applies to this step, not to the earlier decision.
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await expect(undo).toHaveCount(0)
  await gaps(page).first().getByRole('button', { name: 'Ignore' }).click()
  await undo.click()
  await expect(gaps(page)).toHaveText([/Mark as break/, /ignored/])
})

test('by keyboard a gap is filled or decided without losing the focus position @long', async ({
  page,
  history,
}) => {
  await openDay(page, history)
  await gaps(page).getByRole('button', { name: 'Mark as break' }).focus()
  await page.keyboard.press('Enter')
  await expect(gaps(page)).toHaveText(/· break/)
  await page.keyboard.press('Tab')
  const takeBack = gaps(page).getByRole('button', { name: 'Undo 10:30 – 13:00' })
  await expect(takeBack).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(gaps(page)).toHaveText(/untracked/)
  await page.keyboard.press('Tab')
  await expect(gaps(page).getByRole('button', { name: 'Fill 10:30 – 13:00' })).toBeFocused()
  await page.keyboard.press('Enter')
  const adding = page.getByRole('dialog', { name: 'Add time' })
  await timeOf(adding).fill('until 12')
  await pickTask(adding, 'Write report')
  await adding.getByRole('button', { name: 'Save' }).click()
  await expect(gaps(page)).toHaveText([/^Fill 12:00 – 13:00, 1h 0m/])
})

test('a gap is acted on where it is, and one under 15 minutes asks nothing @long', async ({
  page,
  history,
}) => {
  await openDay(page, history)
  await history.entry(await history.task('Call'), `${daysAgo(1)} 14:14`, `${daysAgo(1)} 14:30`)
  await page.reload()
  await expect(gaps(page)).toHaveCount(1)
  const act = await gaps(page).getByRole('button', { name: 'Mark as break' }).boundingBox()
  const [before, after] = [
    await blocks(page).nth(0).boundingBox(),
    await blocks(page).nth(1).boundingBox(),
  ]
  if (!act || !before || !after) throw new Error('It is not on the page.')
  expect(act.y).toBeGreaterThanOrEqual(before.y + before.height)
  expect(act.y + act.height).toBeLessThanOrEqual(after.y)
})

/** Returns the gaps of the day. */
function gaps(page: Page): Locator {
  return day(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^(Ignore|Undo)/ }) })
}

/** Returns the drawn gaps. */
function fills(page: Page): Locator {
  return day(page).getByRole('button', { name: /^Fill .* untracked$/ })
}
