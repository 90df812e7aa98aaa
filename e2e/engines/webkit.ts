/** Drives WebKitGTK's MiniBrowser by WebDriver, on a screen of its own. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Builder, By, Capabilities } from 'selenium-webdriver'
import type { WebDriver, WebElement } from 'selenium-webdriver'

import { freePort } from '@stint/testing/free-port.ts'

import type { Browser, PageSize } from './browser.ts'

/** The longest time for the driver's start, in milliseconds. */
const START_MILLISECONDS = 30_000
/** Lets the window be as narrow as a phone, in spite of the browser's tool bar. */
const NARROW_TOOL_BAR =
  'button, entry, image, toolbar { min-width: 0; margin: 0; padding: 0; border-width: 0; }'

/** Starts the MiniBrowser at this path. Needs WebKitWebDriver and Xvfb. */
export async function openWebKit(binary: string, size: PageSize): Promise<Browser> {
  const settings = await mkdtemp(join(tmpdir(), 'stint-webkit-'))
  await mkdir(join(settings, 'gtk-3.0'))
  await writeFile(join(settings, 'gtk-3.0/gtk.css'), NARROW_TOOL_BAR)
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const display = await new Promise<string>((resolve, reject) => {
    screen.once('exit', () => reject(new Error('Xvfb ended')))
    screen.stdio[3]?.once('data', (number) => resolve(`:${String(number).trim()}`))
  })
  const port = await freePort()
  const service = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, XDG_CONFIG_HOME: settings },
    stdio: 'ignore',
  })
  let driver: WebDriver | null = null
  try {
    driver = await connect(`http://127.0.0.1:${port}`, binary)
    await setPageSize(driver, size)
    return browserOf(driver, `WebKit ${await versionOf(driver)}`, close)
  } catch (error) {
    await close()
    throw error
  }

  async function close(): Promise<void> {
    await driver?.quit()
    service.kill()
    screen.kill()
    await rm(settings, { recursive: true })
  }
}

function browserOf(driver: WebDriver, name: string, close: () => Promise<void>): Browser {
  return {
    name,
    canFloat: false,
    open: (url) => driver.get(url),
    click: async (xpath) => (await visible(xpath)).click(),
    type: async (xpath, text) => (await visible(xpath)).sendKeys(text),
    evaluate: (expression) => driver.executeScript(`return ${expression}`),
    close,
  }

  async function visible(xpath: string): Promise<WebElement> {
    for (const element of await driver.findElements(By.xpath(xpath))) {
      if (await element.isDisplayed()) return element
    }
    throw new Error(`There is no visible ${xpath}`)
  }
}

/** Opens a window as soon as the service listens. */
async function connect(service: string, binary: string): Promise<WebDriver> {
  const end = Date.now() + START_MILLISECONDS
  while (
    !(await fetch(`${service}/status`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > end) throw new Error('WebKitWebDriver does not answer')
    await new Promise((again) => setTimeout(again, 50))
  }
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    acceptInsecureCerts: true,
    'webkitgtk:browserOptions': { binary, args: ['--automation'] },
  })
  return new Builder().usingServer(service).withCapabilities(capabilities).build()
}

/** Sizes the window, which has a tool bar as well, for a page of this size. */
async function setPageSize(driver: WebDriver, size: PageSize): Promise<void> {
  const window = driver.manage().window()
  await window.setRect(size)
  const inner = await driver.executeScript<number>('return innerHeight')
  await window.setRect({ ...size, height: 2 * size.height - inner })
  const shown = await driver.executeScript<string>('return `${innerWidth} × ${innerHeight}`')
  const wanted = `${size.width} × ${size.height}`
  if (shown !== wanted) throw new Error(`The page has ${shown} px instead of ${wanted}`)
}

async function versionOf(driver: WebDriver): Promise<string> {
  return String((await driver.getCapabilities()).get('browserVersion'))
}
