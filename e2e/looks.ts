/**
 * Checks the appearance of pages at every width and in both themes, with axe and optional
 * screenshots.
 */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'

const WIDTHS = [390, 1280] as const
const THEMES = ['light', 'dark'] as const
const HEIGHT = 844
/** Additional time for a check on a busy machine. */
const LOOK_MILLISECONDS = 5_000

/**
 * Shows the page at each width (in px) in both themes, and expects that axe finds nothing and that
 * nothing is wider than the window. The page is not reloaded, so an open dialog stays open.
 * LOOK=folder stores a screenshot of each, named `name`.
 */
export async function expectClear(
  page: Page,
  name: string,
  widths: readonly number[] = WIDTHS,
): Promise<void> {
  test.setTimeout(test.info().timeout + widths.length * THEMES.length * LOOK_MILLISECONDS)
  const before = page.viewportSize()
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT })
    for (const theme of THEMES) {
      await test.step(`${name} at ${width} px, ${theme}`, async () => {
        await setTheme(page, theme)
        await expectAccessible(page)
        expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
        const folder = process.env['LOOK']
        if (!folder) return
        await page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png`, fullPage: true })
      })
    }
  }
  if (before) await page.setViewportSize(before)
}

/** Expects that axe finds nothing on the page, once all animations have ended. */
export async function expectAccessible(page: Page): Promise<void> {
  await untilStill(page)
  const { violations } = await new AxeBuilder({ page })
    // In its normal mode axe opens a page of its own, for frames, which Stint does not have.
    .setLegacyMode()
    // Reports violations only, not every passed check.
    .options({ resultTypes: ['violations'] })
    .analyze()
  expect(violations).toEqual([])
}

/** Returns how many pixels of the page are beyond the window's edge. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}

/**
 * Shows the page in a theme, whatever the settings are, and waits until all animations have ended.
 */
export async function setTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate((value) => {
    const root = document.documentElement
    const isPinned = root.dataset['pinned'] !== undefined
    const show = () => {
      if (root.dataset['theme'] !== root.dataset['pinned']) {
        root.dataset['theme'] = root.dataset['pinned']
      }
    }
    root.dataset['pinned'] = value
    show()
    // The settings may load after this and would set their own theme.
    if (!isPinned) new MutationObserver(show).observe(root, { attributeFilter: ['data-theme'] })
  }, theme)
  await untilStill(page)
}

/** Waits until all finite animations have ended. */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(finite.map((animation) => animation.finished))
  })
}
