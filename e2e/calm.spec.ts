/** What appears by itself: messages, questions and motion never crowd the screen. */
import type { Locator, Page } from '@playwright/test'

import { expect, startTimer, test } from './fixtures.ts'
import { daysAgo } from './history.ts'
import { expectClear } from './looks.ts'

const messages = (page: Page) => page.getByRole('status', { name: 'Messages' })

test('on a screen of 320 px a nudge and a message leave half of it free, and cover no bar @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write'], { pomodoroMode: true, longRunningHours: 2 })
  await startTimer(page, 'Write')
  await page.setViewportSize({ width: 320, height: 568 })
  await page.getByRole('link', { name: 'Tasks' }).click()
  await user.ageTimer(121)
  const nudges = page.getByRole('status', { name: 'Reminders' }).getByRole('region')
  await expect(nudges.first()).toBeVisible()
  await page.keyboard.press('c')
  await page.keyboard.press('c')
  await expect(messages(page).getByText('Write is already running.')).toHaveCount(1)
  await expect(messages(page).locator('> *')).toHaveCount(1)
  await expect(nudges.filter({ visible: true })).toHaveCount(1)

  const [nudge, message, bars] = await Promise.all([
    boxOf(nudges.filter({ visible: true })),
    boxOf(messages(page).locator('> *')),
    boxOf(page.getByRole('navigation').locator('..')),
  ])
  expect(nudge.y + nudge.height).toBeLessThan(message.y)
  expect(message.y + message.height).toBeLessThanOrEqual(bars.y)
  expect(nudge.height + message.height).toBeLessThan(bars.y / 2)
  const look = process.env['LOOK']
  if (look) await page.screenshot({ path: `${look}/nudge-and-message-320.png` })
})

test('deleted tasks are one message, which says where they are, and is gone on the next page @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write', 'Read', 'Draw'])
  await page.getByRole('link', { name: 'Tasks' }).first().click()
  const remove = page.getByRole('button', { name: 'Delete task' })
  for (const left of [2, 1]) {
    await remove.first().click({ force: true })
    await expect(remove).toHaveCount(left)
  }
  await expect(messages(page)).toContainText('2 tasks moved to archive.')
  await expectClear(page, 'archived-message', [320, 1280])
  await messages(page).getByRole('button', { name: 'Undo' }).click()
  await expect(remove).toHaveCount(3)

  await remove.first().click({ force: true })
  await expect(messages(page)).toContainText('Moved to archive.')
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(messages(page)).toBeEmpty()
})

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`start, pause, resume and stop move nothing below, and have one motion of 200 ms (${reducedMotion}) @long`, async ({
    page,
    user,
  }) => {
    await page.emulateMedia({ reducedMotion })
    await page.addInitScript(watchMotion)
    await user.openWithTasks(['Write'])
    await expect(page.getByRole('region', { name: 'Today' })).toBeVisible()
    await page.setViewportSize({ width: 1280, height: 900 })
    const below = page.getByRole('heading', { name: 'Quick Start' })
    const place = await boxOf(below)
    const motions = reducedMotion === 'reduce' ? [] : [200]
    for (const name of ['Start Write', 'Pause', 'Resume', 'Stop']) {
      await page.evaluate(() => void (globalThis.motions = []))
      await page.getByRole('button', { name, exact: true }).click()
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
      const seen = await page.evaluate(() => [...new Set(globalThis.motions)])
      expect(seen, name).toEqual(motions)
      await expect(page.getByText('Creating...')).toHaveCount(0)
      expect(await boxOf(below), name).toEqual(place)
    }
    // The block that lands leaves nothing.
    await expect(page.locator('body > span')).toHaveCount(0)
  })
}

test('a deleted session is listed for 30 days, and comes back with one press @long', async ({
  page,
  user,
  history,
}) => {
  const task = await history.task('Write')
  await history.entry(task, `${daysAgo(1)} 09:00`, `${daysAgo(1)} 10:00`)
  await page.goto('/sessions')
  await page.getByRole('button', { name: /^Edit Write/ }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(messages(page)).toContainText('Session deleted')
  // With nothing left, there is a way to the first one.
  await expect(page.getByRole('main').getByRole('link', { name: 'Import' })).toBeVisible()
  await page.getByRole('button', { name: 'Recently deleted' }).click()
  const list = page.getByRole('list', { name: 'Recently deleted' })
  await expect(list).toContainText('Write')
  await expectClear(page, 'recently-deleted', [320, 1280])
  await list.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('Nothing was deleted in the last 30 days.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Edit Write/ })).toBeVisible()
  const entries = () => user.stored('time_entries')
  await expect.poll(async () => (await entries())[0]?.['deletedAt']).toBeNull()
})

declare global {
  // The lengths of the animations by script, in milliseconds.
  var motions: unknown[]
}

/** Notes the animations by script. Runs in the page. */
function watchMotion(): void {
  globalThis.motions = []
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its element
  const { animate } = Element.prototype
  Element.prototype.animate = function note(this: Element, frames, options) {
    globalThis.motions.push(typeof options === 'object' ? options.duration : options)
    return animate.call(this, frames, options)
  }
}

async function boxOf(what: Locator) {
  const box = await what.boundingBox()
  if (!box) throw new Error('It is not shown')
  return box
}
