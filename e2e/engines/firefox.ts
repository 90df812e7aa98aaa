/** Drives Firefox by WebDriver BiDi. */
import { launch } from 'puppeteer-core'
import type { ElementHandle } from 'puppeteer-core'

import type { Browser, PageSize } from './browser.ts'

/** Starts the Firefox at this path without a window. */
export async function openFirefox(executablePath: string, size: PageSize): Promise<Browser> {
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    acceptInsecureCerts: true,
    defaultViewport: size,
  })
  const page = await browser.newPage()
  // Stint asks before a page is left whose work is not sent yet. A page that is gone takes its question along.
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined))
  return {
    name: await browser.version(),
    canFloat: true,
    open: async (url) => void (await page.goto(url)),
    click: (xpath) => withElement(xpath, (element) => element.click()),
    type: (xpath, text) => withElement(xpath, (element) => element.type(text)),
    evaluate: (expression) => page.evaluate(expression),
    close: () => browser.close(),
  }

  async function withElement(
    xpath: string,
    work: (element: ElementHandle) => Promise<void>,
  ): Promise<void> {
    for (const element of await page.$$(`::-p-xpath(${xpath})`)) {
      if (await element.isVisible()) return work(element)
    }
    throw new Error(`There is no visible ${xpath}`)
  }
}
