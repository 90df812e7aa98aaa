/** How pages look: at every width, in both themes, by axe and, when somebody asks, by eye. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'

const WIDTHS = [390, 1280] as const
const THEMES = ['light', 'dark'] as const
const HEIGHT = 844
/** What a look may take on a busy machine, beyond what the walk may. */
const LOOK_MILLISECONDS = 5_000

/**
 * Shows the page, as it stands, at each width (in px) in both themes, and expects each time that axe
 * finds nothing and that nothing is wider than the window. Nothing is loaded again: a dialog that is
 * open stays open. LOOK=folder keeps a picture of each, called by `name`.
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

/** Axe finds nothing on the page, once nothing on it moves any more. */
export async function expectAccessible(page: Page): Promise<void> {
  await untilStill(page)
  const { violations } = await new AxeBuilder({ page })
    // For pages with frames, which none of ours has, axe would open a page of its own each time.
    .setLegacyMode()
    // All of what is wrong, and not every place where nothing is.
    .options({ resultTypes: ['violations'] })
    .analyze()
  expect(violations).toEqual([])
}

/** How many pixels of the page are beyond the window's edge. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}

/** Shows the page in a theme, whatever the settings say, once nothing on it moves any more. */
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
    // The settings may come after this, and would set their own theme again.
    if (!isPinned) new MutationObserver(show).observe(root, { attributeFilter: ['data-theme'] })
  }, theme)
  await untilStill(page)
}

/** Waits for whatever moves on the page to have arrived; what moves for ever may. */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(finite.map((animation) => animation.finished))
  })
}
