/** A short walk through the browser extension in Firefox. */
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { launch } from 'puppeteer-core'
import type { Browser, Page } from 'puppeteer-core'

import { buildExtension } from '../../extension/build.ts'
import { PASSWORD } from '../backend.ts'
import type { RunningServer } from '../server.ts'

/**
 * Connects the extension to the server, and starts, pauses and stops a timer with it.
 * @param executablePath of Firefox.
 * @throws Error if a step does not show what it should.
 */
export async function walkExtension(executablePath: string, server: RunningServer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'stint-extension-'))
  const access = { server: server.url, key: await keyOf(server.url) }
  await buildExtension('firefox', folder)
  await allow(folder, 'http://127.0.0.1/*')
  // Nobody but an extension opens its pages: WebDriver refuses their addresses.
  const opening = `chrome.tabs.create({ url: 'popup.html' })`
  const connecting = `chrome.storage.local.set({ access: ${JSON.stringify(access)} })`
  await appendFile(join(folder, 'background.js'), `\n${connecting}.then(() => ${opening})\n`)
  const browser = await launch({ browser: 'firefox', executablePath })
  try {
    await browser.installExtension(folder)
    const popup = await popupOf(browser)
    await popup.type('#line', 'Call Ann #acme')
    await popup.click('#start')
    await shows(popup, /Started Call Ann\./)
    // Less than a second would not be saved.
    await shows(popup, /Running\s+00:0[1-9]/)
    await popup.click('#turn')
    await shows(popup, /Paused/)
    await popup.click('#stop')
    await shows(popup, /Stopped Call Ann after/)
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the page of the popup, once it has heard from the server. */
async function popupOf(browser: Browser): Promise<Page> {
  for (;;) {
    for (const page of await browser.pages()) {
      const isPopup = await page
        .evaluate(`location.pathname === '/popup.html' && !document.getElementById('open').hidden`)
        .catch(() => false)
      if (isPopup === true) return page
    }
  }
}

async function shows(page: Page, pattern: RegExp): Promise<void> {
  await page.waitForFunction(`${String(pattern)}.test(document.body.innerText)`)
}

/** Gives the extension the permission from the start: nobody can press the browser's own question here. */
async function allow(folder: string, pattern: string): Promise<void> {
  const file = join(folder, 'manifest.json')
  const manifest: object = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...manifest, host_permissions: [pattern] }))
}

/** Returns a key that may write, of a new account. */
async function keyOf(url: string): Promise<string> {
  const email = 'cleo@example.com'
  await post('/account', { userId: 'unique()', email, password: PASSWORD, name: 'Cleo' })
  const signedIn = await post('/account/sessions/email', { email, password: PASSWORD })
  const cookie = signedIn.headers.getSetCookie().map((each) => each.split(';', 1)[0])
  const key = { name: 'Browser extension', access: 'write' }
  const created: unknown = await (await post('/stint/keys', key, cookie.join('; '))).json()
  return String(Object(created).secret)

  async function post(path: string, body: object, cookie = ''): Promise<Response> {
    const headers = { 'X-Appwrite-Project': 'stint', 'Content-Type': 'application/json', cookie }
    return fetch(`${url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
}
