/**
 * Walks through the product in Firefox and in WebKit, on a desktop and on a phone:
 * `npm run test:engines [-- firefox|webkit]`. An engine that is not installed is skipped.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

import { freePort } from '@stint/testing/free-port.ts'

import type { Browser, PageSize } from '../e2e/engines/browser.ts'
import { walkExtension } from '../e2e/engines/extension.ts'
import { openFirefox } from '../e2e/engines/firefox.ts'
import { walk } from '../e2e/engines/walk.ts'
import { openWebKit } from '../e2e/engines/webkit.ts'
import { startServer } from '../e2e/server.ts'
import { startTlsFront } from '../e2e/tls-front.ts'
import { buildWebAppIfStale } from './web-stamp.ts'

const ENGINES = {
  firefox: { find: findFirefox, open: openFirefox, packages: 'firefox-esr' },
  webkit: { find: findMiniBrowser, open: openWebKit, packages: 'webkit2gtk-driver and xvfb' },
}
/** A desktop and a phone. */
const SIZES: readonly PageSize[] = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
]

const [wanted] = process.argv.slice(2)
await buildWebAppIfStale()
for (const [name, { find, open, packages }] of Object.entries(ENGINES)) {
  if (wanted !== undefined && wanted !== name) continue
  const path = find()
  if (path === null) console.log(`${name}: skipped, it is not installed (Debian: ${packages})`)
  else for (const size of SIZES) await walkIn(`${name} at ${size.width} px`, () => open(path, size))
  if (name === 'firefox' && path !== null) await walkExtensionIn(path)
}

/** By http, as the extension calls a server on its own machine. */
async function walkExtensionIn(firefox: string): Promise<void> {
  const server = await startServer()
  try {
    await walkExtension(firefox, server)
    console.log('extension in firefox: ok')
  } catch (error) {
    console.error('extension in firefox: failed', error)
    process.exitCode = 1
  } finally {
    await server.remove()
  }
}

/** By https, as people use it: browsers treat a page and its service worker differently by http. */
async function walkIn(name: string, open: () => Promise<Browser>): Promise<void> {
  const startedAt = Date.now()
  const port = await freePort()
  const server = await startServer({ PUBLIC_URL: `https://localhost:${port}` })
  const front = await startTlsFront(port, server.url)
  let browser: Browser | null = null
  try {
    browser = await open()
    await walk(browser, front.url, server)
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    console.log(`${name}: ok in ${browser.name}, ${seconds} s`)
  } catch (error) {
    console.error(`${name}: failed`, error)
    process.exitCode = 1
  } finally {
    await browser?.close()
    await front.close()
    await server.remove()
  }
}

function findFirefox(): string | null {
  return onPath('firefox-esr') ?? onPath('firefox')
}

function findMiniBrowser(): string | null {
  const [browser] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  const hasTools = onPath('WebKitWebDriver') !== null && onPath('Xvfb') !== null
  return hasTools ? (browser ?? null) : null
}

function onPath(name: string): string | null {
  const { stdout, status } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
