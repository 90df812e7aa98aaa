/** Small and zoomed screens: what the bars cover, and the size of fields. */
import type { Locator, Page } from '@playwright/test'

import { expect, startTimer, test } from './fixtures.ts'
import { daysAgo, minutesAgo } from './history.ts'

/** A laptop of 1280 × 720 px and a phone, both at 200 % zoom. */
const ZOOMED = [
  { width: 640, height: 360 },
  { width: 195, height: 422 },
] as const
/** The part of the height that bars may cover. */
const MAX_COVERED = 0.25

for (const size of ZOOMED) {
  test(`at ${size.width} × ${size.height} px the bars leave the page to its content, and cover nothing that has the focus @long`, async ({
    page,
    user,
  }) => {
    await user.openWithTasks()
    await startTimer(page, 'Write')
    await page.setViewportSize(size)
    for (const path of ['/tasks', '/reports', '/sessions', '/settings']) {
      await page.goto(path)
      const stop = page.getByRole('button', { name: 'Stop', exact: true })
      await expect(stop).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const look = process.env['LOOK']
      if (look) await page.screenshot({ path: `${look}/zoomed-${path.slice(1)}-${size.width}.png` })
      await page.evaluate(() => scrollTo(0, 200))
      expect(await coveredPart(page), path).toBeLessThanOrEqual(MAX_COVERED)
      // They stay within reach.
      await expect(page.getByRole('link', { name: 'Reports' })).toBeInViewport()
      await expect(stop).toBeInViewport()
    }
    await expectFocusInSight(page)
  })
}

for (const { path, heading, ...size } of [
  { width: 390, height: 844, path: '/settings#keys', heading: 'Keys' },
  { width: 1280, height: 800, path: '/settings', heading: 'Diagnostics' },
]) {
  test(`at ${size.width} px the head of the settings covers nothing that has the focus @long`, async ({
    page,
    user,
  }) => {
    await user.openWithTasks()
    await startTimer(page, 'Write')
    await page.setViewportSize(size)
    await page.goto(path)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create address' })).toBeEnabled()
    await expectFocusInSight(page)
  })
}

/** Characters of a name that every list shows, at any width of a window with a sidebar. */
const READABLE = 24

for (const width of [768, 900, 1000]) {
  test(`at ${width} px every list shows at least ${READABLE} characters of a long name @long`, async ({
    page,
    user,
    history,
  }) => {
    const name = 'Prepare the quarterly report for the board'
    const task = await history.task(name)
    await user.update('tasks', task, { goalHours: 6 })
    const note = 'Call Ann about the offer #acme #billing'
    await history.entry(task, minutesAgo(15), minutesAgo(5), [], note)
    await history.entry(task, `${daysAgo(1)} 09:00`, `${daysAgo(1)} 13:45`, [], note)
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/dashboard', '/tasks', '/sessions']) {
      await page.goto(path)
      const shown = page.getByRole('main').getByRole('listitem').getByText(name).first()
      await expect(shown).toBeVisible()
      expect(await shownCharacters(shown), path).toBeGreaterThanOrEqual(READABLE)
    }
    // The notes, on the lists that have them.
    for (const path of ['/sessions', `/tasks/${task}`]) {
      await page.goto(path)
      const shown = page.getByRole('listitem').getByTitle(note).first()
      await expect(shown).toBeVisible()
      expect(await shownCharacters(shown), path).toBeGreaterThanOrEqual(READABLE)
      const excess = await shown.evaluate((element) => {
        const panel = element.closest('section')
        return panel ? panel.scrollWidth - panel.clientWidth : 0
      })
      expect(excess, path).toBe(0)
    }
  })
}

test('a link to a section of the settings leads to its heading, below the head @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/settings#account')
  const head = page.getByRole('heading', { level: 1 }).locator('..')
  const heading = page.getByRole('heading', { name: 'Account', exact: true })
  await expect(async () => {
    const [above, shown] = [await head.boundingBox(), await heading.boundingBox()]
    expect(shown?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0))
    expect(shown?.y).toBeLessThan(200)
  }).toPass()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('every field has at least 16 px, upright and sideways, so that no phone zooms in @long', async ({
    page,
    user,
  }) => {
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
    const escape = () => page.keyboard.press('Escape')
    const names = Array.from(
      { length: 8 },
      (_, index) => `Task ${String.fromCodePoint(65 + index)}`,
    )
    const [task = ''] = await user.openWithTasks(names, { pomodoroMode: true })
    const start = new Date(Date.now() - 3_600_000).toISOString()
    await user.history.entry(task, start, new Date().toISOString(), [], '#acme')

    await expectLargeFields(page, 'main')
    await press('Add time')
    await expectLargeFields(page, 'dialog')
    await escape()
    await startTimer(page, 'Task B')
    await expectLargeFields(page, 'main')
    await press('Edit timer')
    await expectLargeFields(page, 'dialog')
    await escape()
    await page.keyboard.press('Control+k')
    await expectLargeFields(page, 'dialog')

    await page.goto('/tasks')
    await press('Add')
    await expectLargeFields(page, 'main')
    await press('Cancel')
    await press('Edit task')
    await expectLargeFields(page, 'dialog')
    await press('Merge into another task')
    await expectLargeFields(page, 'dialog')

    await page.goto('/reports')
    await press('Go to date')
    await expectLargeFields(page, 'dialog')

    await page.goto('/sessions')
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    for (const edit of ['Change task', 'Add tag', 'Remove tag', 'Move earlier or later']) {
      await press(edit)
      await expectLargeFields(page, 'dialog')
      await escape()
    }
    await page.getByRole('button', { name: /^Edit Task A/ }).click()
    await expectLargeFields(page, 'dialog')
    await press('Split session')
    await expectLargeFields(page, 'dialog')

    await page.goto('/data')
    await page.getByLabel('Choose a file').setInputFiles({
      name: 'other.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('a,b,c\nWrite,2026-11-01 09:00,2026-11-01 10:00\n'),
    })
    await expect(page.getByRole('combobox').first()).toBeVisible()
    await expectLargeFields(page, 'main')

    for (const section of ['appearance', 'days', 'focus', 'reminders']) {
      await page.goto(`/settings#${section}`)
      await expectLargeFields(page, 'main')
    }
    await page.goto('/settings#diagnostics')
    await page.locator('summary').click()
    await expect(page.getByLabel('Last events')).toBeVisible()
    await expectLargeFields(page, 'main')
    await page.goto('/settings#account')
    await expectLargeFields(page, 'main')
    for (const dialog of ['Change email', 'Change password', 'Delete account']) {
      await press(dialog)
      await expectLargeFields(page, 'dialog')
      await escape()
    }
  })

  test('the fields of the sign-in pages have at least 16 px @long', async ({
    page,
    expectConsole,
  }) => {
    // The form of a new password has no field for the user's name.
    expectConsole(/username fields/)
    for (const path of ['/signup', '/login', '/recovery?userId=u&secret=s']) {
      await page.goto(path)
      await expectLargeFields(page, 'main')
    }
  })
})

/** Returns which part of the window's height is covered by bars that do not scroll. */
async function coveredPart(page: Page): Promise<number> {
  return page.evaluate(() => {
    const covered = new Set<number>()
    for (let y = 0; y < innerHeight; y++) {
      for (let x = 8; x < innerWidth; x += 16) {
        let element = document.elementFromPoint(x, y)
        for (; element; element = element.parentElement) {
          if (/fixed|sticky/.test(getComputedStyle(element).position)) covered.add(y)
        }
      }
    }
    return covered.size / innerHeight
  })
}

/** Goes through the page by Tab and back by Shift+Tab, and expects that no bar covers the focus. */
async function expectFocusInSight(page: Page): Promise<void> {
  for (const key of ['Tab', 'Shift+Tab']) {
    const seen = new Set<string>()
    for (;;) {
      await page.keyboard.press(key)
      const { id, covered } = await focusOnPage(page)
      expect(covered, `after ${key}`).toBe('')
      // At the end the browser leaves the page, or begins again.
      if (id === '' || seen.has(id)) break
      seen.add(id)
    }
    expect(seen.size, `elements reached by ${key}`).toBeGreaterThan(12)
  }
}

/**
 * Returns an id of the focused element, empty if it is the page, and what is covered of it: its name,
 * or nothing.
 */
async function focusOnPage(page: Page): Promise<{ id: string; covered: string }> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const focused = document.activeElement
    if (!(focused instanceof HTMLElement) || focused === document.body)
      return { id: '', covered: '' }
    focused.dataset['walked'] ??= String(document.querySelectorAll('[data-walked]').length + 1)
    const { left, top, right, bottom } = focused.getBoundingClientRect()
    const x = (left + right) / 2
    const barOver = (y: number) => {
      let element = document.elementFromPoint(x, y)
      for (; element && !element.contains(focused); element = element.parentElement) {
        if (/fixed|sticky/.test(getComputedStyle(element).position)) return true
      }
      return false
    }
    const isOutside = top < 0 || bottom > innerHeight
    const isTall = bottom - top > innerHeight / 2
    const isCovered = [top + 1, (top + bottom) / 2, bottom - 1].some(barOver)
    const name = focused.ariaLabel ?? (focused.textContent || focused.outerHTML)
    return {
      id: focused.dataset['walked'],
      covered: !isTall && (isOutside || isCovered) ? `${name} at ${top} to ${bottom}` : '',
    }
  })
}

/**
 * Waits for a field in the page or the open dialog, and expects that no field has a font of less than
 * 16 px, upright and sideways.
 */
async function expectLargeFields(page: Page, where: 'main' | 'dialog'): Promise<void> {
  const fields = 'input:not([type=checkbox], [type=radio], [type=file], [hidden]), select, textarea'
  await expect(
    page.getByRole(where).locator(fields).filter({ visible: true }).first(),
  ).toBeVisible()
  for (const size of [
    { width: 844, height: 390 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    const small = await page.evaluate(
      (selector) =>
        [...document.querySelectorAll(selector)]
          .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
          .map((field) => field.outerHTML),
      fields,
    )
    expect(small).toEqual([])
  }
}

/** Returns how many characters of a text on one line are in view. */
function shownCharacters(line: Locator): Promise<number> {
  return line.evaluate((element) => {
    const ratio = element.clientWidth / Math.max(1, element.scrollWidth)
    return Math.floor((element.textContent ?? '').length * Math.min(1, ratio))
  })
}

/** The smallest side of what a thumb presses, in px. */
const THUMB = 44

test('at 390 px every button and link is large enough for a thumb @long', async ({
  page,
  history,
}) => {
  const task = await history.task('Write')
  await history.entry(task, minutesAgo(15), minutesAgo(5), [], 'call #acme')
  await page.setViewportSize({ width: 390, height: 844 })
  const settings = ['#appearance', '#reminders', '#account', '#devices', '#keys', '#diagnostics']
  for (const path of [
    '/dashboard',
    '/tasks',
    '/sessions',
    '/settings',
    ...settings.map((section) => `/settings${section}`),
    '/data',
    '/rebuild',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('Loading')).toHaveCount(0)
    expect(await page.evaluate(smallTargets, THUMB), path).toEqual([])
  }
})

test('at 390 px the sign-in pages are large enough for a thumb @long', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/login', '/signup']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await page.evaluate(smallTargets, THUMB), path).toEqual([])
  }
})

/**
 * Returns the buttons and links that are smaller than so many px, each with its size. Not those within a
 * sentence (WCAG 2.5.5), nor those that are as long as what they stand for. Runs in the page.
 */
function smallTargets(least: number): string[] {
  const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, select, input')]
  return controls.flatMap((control) => {
    const isPlace = control.closest('[role="toolbar"], .sr-only, [data-tip]') !== null
    const isInText =
      control.matches('p button, [dir="auto"] button') ||
      (control.matches('a') && getComputedStyle(control).display === 'inline')
    const isShown = control.checkVisibility({ visibilityProperty: true })
    if (isPlace || isInText || !isShown || control.matches('[href="#main"]')) return []
    // What is pressed for it: its label, or what it covers.
    const isBox = control.matches('[type="checkbox"]:not([role])')
    const label = isBox ? document.querySelector(`label[for="${control.id}"]`) : null
    const box = (label ?? control).getBoundingClientRect()
    const around = getComputedStyle(control, '::after')
    const covers = around.position === 'absolute'
    const width = covers ? parseFloat(around.width) : box.width
    const height = covers ? parseFloat(around.height) : box.height
    // Half a pixel is rounding.
    if (Math.min(width, height) >= least - 0.5) return []
    const name = control.getAttribute('aria-label') ?? control.textContent
    return [`${name}: ${Math.round(width)} × ${Math.round(height)}`]
  })
}

test('on a phone every page has a lit tab, and the dashboard opens the settings @long', async ({
  page,
  user,
}) => {
  await user.open()
  await page.setViewportSize({ width: 320, height: 568 })
  const tabs = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(tabs).toHaveText(['Dashboard', 'Tasks', 'Reports', 'Sessions', 'Sign Out'])
  const lit = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]')
  for (const [path, name] of [
    ['/dashboard', 'Dashboard'],
    ['/tasks', 'Tasks'],
    ['/reports', 'Reports'],
    ['/sessions', 'Sessions'],
    ['/settings', 'Dashboard'],
    ['/data', 'Dashboard'],
  ] as const) {
    await page.goto(path)
    await expect(lit).toHaveText(name)
  }
  await tabs.filter({ hasText: 'Sessions' }).click()
  await expect(page).toHaveURL(/\/sessions$/)
  await tabs.first().click()
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/settings$/)
})

test('a dialog is a sheet at the bottom of a phone, and never begins with its Close @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write', 'Read'])
  await startTimer(page, 'Write')
  await page.setViewportSize({ width: 390, height: 844 })
  const dialog = page.getByRole('dialog')
  for (const [path, button, focused] of [
    ['/dashboard', 'Edit timer', null],
    ['/settings#account', 'Change email', 'New email'],
    ['/settings#devices', 'Sign out this device only', null],
  ] as const) {
    await page.goto(path)
    await page.getByRole('button', { name: button }).click()
    await expect(dialog).toBeVisible()
    await expect(async () => {
      const box = await dialog.boundingBox()
      expect(box).toMatchObject({ x: 0, width: 390 })
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844)
    }).toPass()
    await expect(dialog.getByRole('button', { name: 'Close' })).not.toBeFocused()
    if (focused !== null) await expect(dialog.getByLabel(focused)).toBeFocused()
    else expect(await dialog.evaluate((each) => each.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
})
