/**
 * Takes screenshots of every screen with sample data, for the README and the manifest: `npm run
 * screenshots` writes docs/screenshots and web/public/screenshots. `npm run screenshots -- de
 * <folder>` writes those of another language, whole pages in both themes, into a folder, to look at.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'

import { LANGUAGES, translator } from '@stint/core/text.ts'

import { catalogueOf } from '../server/src/catalogues.ts'
import { createUser, PASSWORD } from '../e2e/backend.ts'
import { startServer } from '../e2e/server.ts'
import { findChromium } from './chromium.ts'
import { ROOT } from './run.ts'
import { sampleHistory, saveHistory, signInToApi, startSampleTimer } from './sample-history.ts'
import { buildWebAppIfStale } from './web-stamp.ts'

const [wanted, folder] = process.argv.slice(2)
const LANGUAGE = LANGUAGES.find((each) => each === wanted) ?? 'en'
/** Pictures of another language are for looking at only. */
const IS_LOOK = folder !== undefined
const DOCS = IS_LOOK ? resolve(folder) : join(ROOT, 'docs/screenshots')
const PUBLIC = IS_LOOK ? DOCS : join(ROOT, 'web/public')
const text = translator(LANGUAGE, catalogueOf(LANGUAGE))
/** The server's clock is real, so the pictures are taken in a zone where it is afternoon. */
const NOW = Date.now()
const ZONE = zoneWhereItIs(15)
const RUNNING_MILLISECONDS = (24 * 60 + 37) * 1_000

type Scheme = 'light' | 'dark'
const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 390, height: 844 }

await buildWebAppIfStale()
const server = await startServer()
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--headless=new', '--no-sandbox', '--hide-scrollbars', '--force-color-profile=srgb'],
})
try {
  await rm(DOCS, { recursive: true, force: true })
  await mkdir(DOCS, { recursive: true })
  await mkdir(join(PUBLIC, 'screenshots'), { recursive: true })
  await photographPublicPages(browser)
  const email = await seededUser()
  await photographApp(browser, email, WIDE, 'wide')
  await photographApp(browser, email, NARROW, 'narrow')
} finally {
  await browser.close()
  await server.remove()
}

async function seededUser(): Promise<string> {
  const page = await (await browser.newContext()).newPage()
  const user = await createUser(page.request, server.url, 'Ada Lovelace')
  await page.context().close()
  const api = await signInToApi(server.url, user.email, PASSWORD)
  await saveHistory(api, sampleHistory(NOW - RUNNING_MILLISECONDS, ZONE))
  await startSampleTimer(api, 'sample-8', Date.now() - RUNNING_MILLISECONDS)
  return user.email
}

async function photographPublicPages(browser: Browser): Promise<void> {
  for (const [suffix, viewport] of [
    ['wide', WIDE],
    ['narrow', NARROW],
  ] as const) {
    for (const [path, name] of [
      ['/', 'landing'],
      ['/terms', 'terms'],
      ['/privacy', 'privacy'],
      ['/login', 'login'],
      ['/signup', 'signup'],
      ['/recovery', 'recovery'],
    ] as const) {
      for (const scheme of path === '/' || IS_LOOK
        ? (['light', 'dark'] as const)
        : (['light'] as const)) {
        const page = await openPage(browser, viewport, scheme)
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        const dark = scheme === 'dark' ? '-dark' : ''
        await photograph(
          page,
          join(DOCS, `${name}-${suffix}${dark}.png`),
          IS_LOOK || (path === '/' && suffix === 'wide'),
        )
        await page.context().close()
      }
    }
  }
  // The preview image of a shared link: 1200 × 630, without anything but the product.
  const page = await openPage(browser, { width: 1200, height: 630 }, 'light')
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  await photograph(page, join(PUBLIC, 'og.png'))
  await page.context().close()
}

async function photographApp(
  browser: Browser,
  email: string,
  viewport: { width: number; height: number },
  suffix: string,
): Promise<void> {
  const page = await openPage(browser, viewport, 'light')
  await page.goto('/login')
  await page.getByLabel(text('Email Address')).fill(email)
  await page.getByLabel(text('Password'), { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: text('Sign In') }).click()
  await page.getByRole('heading', { name: text('Dashboard') }).waitFor()
  await page.getByText(text('Updating…')).first().waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Website redesign' }).first().waitFor()
  const screens = [
    ['/dashboard', 'dashboard'],
    ['/tasks', 'tasks'],
    ['/sessions', 'sessions'],
    ['/reports?view=monthly', 'reports'],
    ['/tasks/sample-8', 'task'],
    ['/settings', 'settings'],
    ['/data', 'data'],
  ] as const
  for (const [path, name] of screens) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await page.getByText(text('Loading...')).first().waitFor({ state: 'hidden' })
    await page.getByText(text('Updating…')).first().waitFor({ state: 'hidden' })
    await photograph(page, join(DOCS, `${name}-${suffix}.png`))
    if (name === 'dashboard' || name === (suffix === 'wide' ? 'reports' : 'task')) {
      await photograph(page, join(PUBLIC, `screenshots/${name}-${suffix}.png`))
    }
    if (name === 'dashboard' || name === 'reports' || IS_LOOK) {
      await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'))
      await photograph(page, join(DOCS, `${name}-${suffix}-dark.png`))
      if (IS_LOOK) await page.evaluate(() => (document.documentElement.dataset['theme'] = 'light'))
    }
  }
  await page.context().close()
}

async function openPage(
  browser: Browser,
  viewport: { width: number; height: number },
  colorScheme: Scheme,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport,
    colorScheme,
    deviceScaleFactor: viewport.width < 768 ? 2 : 1,
    timezoneId: ZONE,
    locale: LANGUAGE === 'en' ? 'en-US' : LANGUAGE,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  return context.newPage()
}

async function photograph(page: Page, path: string, fullPage = IS_LOOK): Promise<void> {
  await page.screenshot({ path, fullPage, animations: 'disabled' })
  console.log(path.slice(ROOT.length + 1))
}

/** Returns a zone in which it is that hour now. The sign in its name is inverted. */
function zoneWhereItIs(hour: number): string {
  const east = ((hour - new Date(NOW).getUTCHours() + 36) % 24) - 12
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`
}
