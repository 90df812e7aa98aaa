/**
 * Checks the appearance of pages at every width and in both themes, with axe and optional
 * screenshots.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import type { Page } from '@playwright/test'
import { IS_SHORT } from '@stint/testing/size.ts'
import axe from 'axe-core'
import type { RunOptions } from 'axe-core'

import { expect, test } from './fixtures.ts'

const WIDTHS = [390, 1280] as const
const THEMES = ['light', 'dark'] as const
const HEIGHT = 844

/**
 * Shows the page at each width (in px) in both themes, in the short run at the first one in the light theme and at the
 * last one in the dark theme. Expects that axe finds nothing and that nothing is wider than the window. The page is not
 * reloaded, so an open dialog stays open. LOOK=folder stores a screenshot of each, named `name`.
 */
export async function expectClear(
  page: Page,
  name: string,
  widths: readonly number[] = WIDTHS,
): Promise<void> {
  const before = page.viewportSize()
  for (const [index, width] of widths.entries()) {
    const themes = IS_SHORT ? themesAt(index, widths.length) : THEMES
    if (themes.length === 0) continue
    await page.setViewportSize({ width, height: HEIGHT })
    for (const theme of themes) {
      await test.step(`${name} at ${width} px, ${theme}`, async () => {
        await setTheme(page, theme)
        await expectAccessible(page, theme === themes[0] ? {} : CONTRAST)
        expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
        const folder = process.env['LOOK']
        if (!folder) return
        await page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png`, fullPage: true })
      })
    }
  }
  if (before) await page.setViewportSize(before)
}

/** Returns the themes of the short run. */
function themesAt(index: number, widths: number): readonly (typeof THEMES)[number][] {
  const [light, dark] = THEMES
  return [...(index === 0 ? [light] : []), ...(index === widths - 1 ? [dark] : [])]
}

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/** What a theme can change, which has colours alone. */
const CONTRAST: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}

/** Expects that axe finds nothing on the page, once all animations have ended. */
export async function expectAccessible(page: Page, options: RunOptions = {}): Promise<void> {
  await untilStill(page)
  // Its source is half a megabyte, so a page reads it once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(async (options) => {
    // Reports violations only, not every passed check.
    const found = await window.axe?.run(document, { resultTypes: ['violations'], ...options })
    return found?.violations
  }, options)
  expect(violations).toEqual([])
}

/** Fonts of the tests' own, as systems differ: DejaVu Sans is among the widest, PT Sans Narrow among the narrowest. */
const FONTS = { wide: 'dejavu-sans', narrow: 'pt-sans-narrow' } as const
export const FONT_WIDTHS = ['wide', 'narrow'] as const

/** Shows the page in a wide or a narrow font, until it is loaded again. */
export async function setFont(page: Page, width: keyof typeof FONTS): Promise<void> {
  const files = await Promise.all(
    (['400', '700'] as const).map(async (weight) => {
      const name = `${FONTS[width]}/files/${FONTS[width]}-latin-${weight}-normal.woff2`
      const path = fileURLToPath(import.meta.resolve(`@fontsource/${name}`))
      return { weight, data: (await readFile(path)).toString('base64') }
    }),
  )
  await page.evaluate(
    async ({ width, files }) => {
      const family = `test-${width}`
      for (const { weight, data } of files) {
        // From memory, so that the page's content security policy stays as it is.
        const font = new FontFace(family, Uint8Array.fromBase64(data), { weight })
        document.fonts.add(await font.load())
      }
      document.documentElement.style.fontFamily = `${family}, sans-serif`
    },
    { width, files },
  )
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

/** Returns how many pixels of the page are beyond the window's edge. */
export async function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}

/**
 * Returns the texts of the page that cover another text, or touch a button or a bar of colour, each pair
 * as one text. What is fixed over the page is left out, and so is a bar behind the ground of a text.
 */
export async function collisions(page: Page): Promise<readonly string[]> {
  await untilStill(page)
  return page.evaluate(() => {
    const MAX_BAR = 6
    /** Lines of text may be so close, in px, as letters rarely fill their line. */
    const TEXT_OVERLAP = 2
    const DISTANCE = 2
    interface Box {
      readonly what: string
      readonly node: Node
      readonly isText: boolean
      readonly left: number
      readonly top: number
      readonly right: number
      readonly bottom: number
    }

    const boxes: Box[] = []
    const walker = document.createTreeWalker(
      document.body,
      NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    )
    while (walker.nextNode()) {
      const node = walker.currentNode
      if (node instanceof Text) {
        const what = node.data.trim()
        const range = document.createRange()
        range.selectNodeContents(node)
        if (what !== '') for (const rect of range.getClientRects()) add(node, what, rect)
      } else if (node instanceof HTMLButtonElement) {
        const { borderTopWidth, borderTopColor } = getComputedStyle(node)
        if (borderTopWidth !== '0px' && borderTopColor !== 'rgba(0, 0, 0, 0)') {
          add(node, 'button', node.getBoundingClientRect())
        }
      } else if (node instanceof HTMLElement && node.childNodes.length === 0) {
        const rect = node.getBoundingClientRect()
        const isThin = rect.height <= MAX_BAR && rect.width > rect.height
        const isDrawn = getComputedStyle(node).backgroundColor !== 'rgba(0, 0, 0, 0)'
        if (isThin && isDrawn) add(node, 'bar', rect)
      }
    }
    return boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .filter((other) => !one.node.contains(other.node) && (one.isText || other.isText))
        .filter((other) => covers(one, other) && !isGround(one, other) && !isGround(other, one))
        .map((other) => `${one.what} | ${other.what}`),
    )

    /** Adds the visible part of a box. */
    function add(node: Node, what: string, { left, top, right, bottom }: DOMRect): void {
      let seen = { left, top, right, bottom }
      let element = node instanceof HTMLElement ? node : node.parentElement
      if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return
      for (; element; element = element.parentElement) {
        const { position, overflowX, overflowY } = getComputedStyle(element)
        if (position === 'fixed' || position === 'sticky') return
        if (overflowX === 'visible' && overflowY === 'visible') continue
        const clip = element.getBoundingClientRect()
        seen = {
          left: Math.max(seen.left, clip.left),
          top: Math.max(seen.top, clip.top),
          right: Math.min(seen.right, clip.right),
          bottom: Math.min(seen.bottom, clip.bottom),
        }
      }
      const isSeen = seen.right - seen.left > 1 && seen.bottom - seen.top > 1
      if (isSeen) boxes.push({ ...seen, what, node, isText: node instanceof Text })
    }

    /** Returns whether a text is painted over a bar, on a background of its own. */
    function isGround(text: Box, bar: Box): boolean {
      const ground = text.isText ? text.node.parentElement : null
      if (!ground || bar.what !== 'bar' || !(bar.node instanceof HTMLElement)) return false
      if (getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') return false
      const { pointerEvents } = bar.node.style
      bar.node.style.pointerEvents = 'auto'
      const x = (Math.max(text.left, bar.left) + Math.min(text.right, bar.right)) / 2
      const top = document.elementFromPoint(x, (bar.top + bar.bottom) / 2)
      bar.node.style.pointerEvents = pointerEvents
      return top !== bar.node
    }

    function covers(one: Box, other: Box): boolean {
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      const tolerance = one.isText && other.isText ? TEXT_OVERLAP : -DISTANCE
      return width > tolerance && height > tolerance
    }
  })
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

/** Waits until all finite animations have ended, except in rows that are not rendered, where they stand still. */
export async function untilStill(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect, playState }) => {
      const isFinite = effect?.getComputedTiming().endTime !== Infinity
      const target = effect instanceof KeyframeEffect ? effect.target : null
      const isRendered = target?.checkVisibility({ contentVisibilityAuto: true }) ?? false
      return playState !== 'running' || !isFinite || !isRendered
    }),
  )
}
