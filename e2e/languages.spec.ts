import type { Page } from '@playwright/test'

import type { Language } from '@stint/core/text.ts'

import { catalogueOf } from '../server/src/catalogues.ts'
import { PASSWORD } from './backend.ts'
import {
  expect,
  FAILED_REQUEST,
  offlineReady,
  personOn,
  signIn,
  startTimer,
  test,
} from './fixtures.ts'

test.use({ locale: 'de-DE', serviceWorkers: 'allow' })

test('a browser gets its language, the account’s wins, and both survive offline @long', async ({
  page,
  context,
  browser,
  server,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  // Of the worker that cannot be loaded offline.
  expectConsole(/unknown error occurred when fetching the script/)
  await page.goto('/')
  await expectLanguage(page, 'de')
  await expect(page).toHaveTitle(text('de', 'Stint: press Start, see where your time went'))

  const email = `ada-${crypto.randomUUID()}@example.com`
  await page.goto('/signup')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    text('de', 'Create your account'),
  )
  const fields = page.getByRole('textbox')
  await fields.nth(0).fill('Ada')
  await fields.nth(1).fill(email)
  await fields.nth(2).fill(PASSWORD)
  await fields.nth(3).fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await page.locator('button[type=submit]').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(text('de', 'Dashboard'))
  await expectLanguage(page, 'de')
  await offlineReady(page)
  expect(await workers(page)).toEqual(['/sw.de.js'])
  expect(await cachedPages(page)).toEqual(['/de/app.html', '/de/index.html'])

  await page.goto('/settings')
  await chooseLanguage(page, 'fr')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(text('fr', 'Settings'))
  await expectLanguage(page, 'fr')
  await expect.poll(() => workers(page)).toEqual(['/sw.fr.js'])
  await expect.poll(() => cachedPages(page)).toEqual(['/fr/app.html', '/fr/index.html'])

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(text('fr', 'Settings'))
  await expectLanguage(page, 'fr')
  await chooseLanguage(page, 'es')
  await expect(page.getByText(loadFailure('fr', 'Español'))).toBeVisible()
  await expect(languageSelect(page)).toHaveValue('fr')
  await expectLanguage(page, 'fr')
  await context.setOffline(false)

  const elsewhere = await browser.newContext({ baseURL: server.url, locale: 'en-US' })
  const other = await elsewhere.newPage()
  await signIn(other, { id: '', email, name: 'Ada' })
  await expectLanguage(other, 'en')
  await expect(other.getByText('Your language is set to Français')).toBeVisible()
  await other.getByRole('button', { name: 'Reload' }).click()
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(text('fr', 'Dashboard'))
  await expectLanguage(other, 'fr')

  await chooseLanguage(page, 'auto')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(text('de', 'Settings'))
  await expectLanguage(page, 'de')
  await expect(
    other.getByText(
      text('fr', 'Your language is set to {language}').replace('{language}', 'English'),
    ),
  ).toBeVisible()
  await other.getByRole('button', { name: text('fr', 'Reload') }).click()
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
  await expectLanguage(other, 'en')
  await elsewhere.close()
})

test('a browser opens in the account’s language by itself, and a running timer survives it @long', async ({
  page,
  user,
}) => {
  await user.open()
  await expectLanguage(page, 'de')
  await user.create('tasks', { name: 'Write' })
  await page.goto('/settings')
  await chooseLanguage(page, 'en')
  await expectLanguage(page, 'en')
  await page.goto('/dashboard')
  await startTimer(page, 'Write')
  await offlineReady(page)
  // The part of the page that follows the account, which loads last.
  await expect(page.getByLabel('About the app')).toBeAttached()

  // Changed elsewhere: this page offers it, and the next one follows.
  await user.setPrefs({ language: 'es' })
  await expect(page.getByText('Your language is set to Español')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(text('es', 'Dashboard'))
  await expectLanguage(page, 'es')
  await expect(page.getByRole('timer')).toHaveText(/^\d\d:\d\d$/)
  await expect.poll(() => workers(page)).toEqual(['/sw.es.js'])
})

test('a visitor chooses a language by a link, even where a worker serves another @long', async ({
  page,
}) => {
  // The worker of an earlier sign-in.
  await page.goto('/')
  await page.evaluate(() => navigator.serviceWorker.register('/sw.de.js'))
  await offlineReady(page)
  await page.goto('/terms?language=en')
  await expectLanguage(page, 'en')
  await expect.poll(() => workers(page)).toEqual(['/sw.js'])
  const links = page.getByRole('navigation', { name: 'Language' }).getByRole('link')
  await expect(links).toHaveText(['English', 'Deutsch', 'Français', 'Español'])
  await expect(links.nth(3)).toHaveAttribute('hreflang', 'es')
  await links.nth(3).click()
  await expectLanguage(page, 'es')
  await expect(page).toHaveURL(/\/terms$/)
  await expect.poll(() => workers(page)).toEqual(['/sw.es.js'])
  await page.goto('/login')
  await expectLanguage(page, 'es')
  expect(await page.evaluate(() => localStorage.getItem('stint-language'))).toBe('es')
})

test('without a service worker the server serves the language that was chosen @long', async ({
  browser,
  server,
  user,
}) => {
  const context = await browser.newContext({
    baseURL: server.url,
    locale: 'en-US',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await personOn(page, server, user).open('/settings')
  await expectLanguage(page, 'en')
  await expect(languageSelect(page)).toBeVisible()
  await context.setOffline(true)
  await chooseLanguage(page, 'de')
  await expect(page.getByText(loadFailure('en', 'Deutsch'))).toBeVisible()
  await expectLanguage(page, 'en')
  await context.setOffline(false)
  await chooseLanguage(page, 'de')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(text('de', 'Settings'))
  await expectLanguage(page, 'de')
  await context.close()
})

/** Returns the translation of a text, which must exist. */
function text(language: Language, message: string): string {
  const translation = language === 'en' ? message : catalogueOf(language)[message]
  if (!translation) throw new Error(`No ${language} for: ${message}`)
  return translation
}

function loadFailure(language: Language, name: string): string {
  const message = 'Stint couldn’t be loaded in {language}. Check your connection and try again.'
  return text(language, message).replace('{language}', name)
}

async function expectLanguage(page: Page, language: Language): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
}

function languageSelect(page: Page) {
  return page.locator('select').filter({ has: page.locator('option[value=auto]') })
}

async function chooseLanguage(page: Page, value: string): Promise<void> {
  await languageSelect(page).selectOption(value)
}

/** Returns the scripts of the registered service workers. */
async function workers(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    return [registration?.active, registration?.waiting].flatMap((worker) =>
      worker ? new URL(worker.scriptURL).pathname : [],
    )
  })
}

/** Returns the pages in the cache of the service worker, sorted. */
async function cachedPages(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found = new Set<string>()
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const { url } of await cache.keys()) found.add(new URL(url).pathname)
    }
    return [...found].filter((path) => path.endsWith('.html')).toSorted()
  })
}
