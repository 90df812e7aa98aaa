/** Navigation: scroll positions, and pages that cannot be loaded. */
import type { Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'

/** Waits until the list has all of its tasks: those that come later would move what is in view. */
async function expectAllTasks(page: Page): Promise<void> {
  await expect(page.getByRole('link', { name: /^Task \d+$/ })).toHaveCount(20)
}

test.use({ viewport: { width: 390, height: 600 } })

test('a new page starts at its top, and Back and a reload restore the scroll position @long', async ({
  page,
  user,
}) => {
  await user.open('/dashboard')
  const { history } = user
  for (let number = 1; number <= 20; number += 1) await history.task(`Task ${number}`)
  await page.goto('/tasks')
  const place = () => page.evaluate(() => Math.round(scrollY))
  const last = page.getByRole('link', { name: 'Task 1', exact: true })
  await expectAllTasks(page)
  await last.scrollIntoViewIfNeeded()
  await expect.poll(place).toBeGreaterThan(300)
  // Rows get their height as they come near, so the place is read at the click.
  await page.evaluate(() => {
    addEventListener('click', () => sessionStorage.setItem('left', String(Math.round(scrollY))), {
      capture: true,
      once: true,
    })
  })

  await last.click()
  const left = Number(await page.evaluate(() => sessionStorage.getItem('left')))
  await expect(page.getByRole('heading', { name: 'Task 1', exact: true })).toBeVisible()
  await expect.poll(place).toBe(0)
  await page.getByRole('button', { name: 'Monthly' }).scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollTo(0, 200))
  await page.getByRole('button', { name: 'Monthly' }).click()
  await expect(page).toHaveURL(/view=monthly/)
  expect(await place()).toBe(200)

  await page.goBack()
  await page.goBack()
  await expect(last).toBeVisible()
  await expect.poll(place).toBe(left)
  await page.reload()
  await expect(last).toBeAttached()
  await expect.poll(place).toBe(left)
})

test('a typed address opens at its top, and Back restores the position before it @long', async ({
  page,
  user,
}) => {
  await user.open('/dashboard')
  const { history } = user
  for (let number = 1; number <= 20; number += 1) await history.task(`Task ${number}`)
  const place = () => page.evaluate(() => Math.round(scrollY))
  const last = page.getByRole('link', { name: 'Task 1', exact: true })
  await page.goto('/tasks')
  await expectAllTasks(page)
  await page.evaluate(() => scrollTo(0, 300))
  await expect.poll(place).toBe(300)

  await page.goto('/tasks?q=Task')
  await expect(last).toBeAttached()
  expect(await place()).toBe(0)
  await page.evaluate(() => scrollTo(0, 200))
  await expect.poll(place).toBe(200)
  await page.goBack()
  await expect(last).toBeAttached()
  await expect.poll(place).toBe(300)
})

test('the previous page stays until the next one is loaded, which then gets the focus', async ({
  page,
  user,
}) => {
  const loading = Promise.withResolvers<void>()
  // The dashboard loads the other pages in advance, so they are held from the beginning.
  await page.route('**/assets/pages-*.js', async (route) => {
    await loading.promise
    await route.continue()
  })
  await user.open('/dashboard')
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await link('Reports').click()
  await expect(page).toHaveURL(/\/reports$/)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(link('Dashboard')).toHaveAttribute('aria-current', 'page')
  loading.resolve()
  await expect(link('Reports')).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()

  const entries = await page.evaluate(() => history.length)
  await link('Reports').click()
  await link('Tasks').click()
  await expect(link('Tasks')).toHaveAttribute('aria-current', 'page')
  expect(await page.evaluate(() => history.length)).toBe(entries + 1)
})

test('a page that arrives late leaves the focus in the palette, and no letter is lost @long', async ({
  page,
  user,
}) => {
  const loading = Promise.withResolvers<void>()
  // It is loaded when it is opened.
  await page.route('**/assets/balance-*.js', async (route) => {
    await loading.promise
    await route.continue()
  })
  await user.open('/reports')
  await page.getByRole('link', { name: 'Balance' }).click()
  await expect(page).toHaveURL(/\/balance$/)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search and commands' })
  await expect(field).toBeFocused()
  await page.keyboard.type('set')
  loading.resolve()
  const heading = page.getByRole('heading', { name: 'Balance', includeHidden: true })
  await expect(heading).toBeAttached()
  await page.keyboard.type('tings')
  await expect(field).toHaveValue('settings')
})

test('a page that cannot be loaded shows a message, and appears when the network returns @long', async ({
  page,
  user,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource|dynamically imported/)
  await page.route('**/assets/pages-*.js', (route) => route.abort())
  await user.open('/dashboard')
  await page.getByRole('link', { name: 'Reports' }).click()
  await expect(page.getByRole('heading', { name: 'Oops! Something Went Wrong' })).toBeVisible()
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.getByRole('link', { name: 'Reports' }).click()
  await expect(page.getByRole('heading', { name: 'Oops! Something Went Wrong' })).toBeVisible()
  await page.unroute('**/assets/pages-*.js')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByRole('heading', { name: 'Oops! Something Went Wrong' })).toBeHidden()
  await expect(page.getByRole('heading', { name: /Reports|Analytics/ }).first()).toBeVisible()
})
