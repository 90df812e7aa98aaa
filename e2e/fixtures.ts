/**
 * The fixtures of the browser tests: a server per worker, users, and a console that must stay
 * empty.
 */
import { test as base } from '@playwright/test'
import type { BrowserContext, BrowserContextOptions, Locator, Page } from '@playwright/test'

import { MAX_WAIT } from '@stint/testing/waits.ts'

import {
  createDocument,
  createUser,
  letSessionAge,
  listDocuments,
  PASSWORD,
  setPrefs,
  signInThroughApi,
  updateDocument,
} from './backend.ts'
import type { StoredDocument, TestUser } from './backend.ts'
import { historyOf } from './history.ts'
import type { History } from './history.ts'
import { startServer } from './server.ts'
import type { RunningServer } from './server.ts'

export { expect } from '@playwright/test'

interface Fixtures {
  /** A new account, not signed in, and what the page does as its owner. */
  readonly user: Person
  /** Fills the account of the user, who is signed in on the page. */
  readonly history: History
  /** Opens an address on another signed-in device of the user, which is closed after the test. */
  readonly openDevice: (path: string, options?: BrowserContextOptions) => Promise<Page>
  /** Allows console messages in this test: the browser's own messages about a failed request. */
  readonly expectConsole: (pattern: RegExp) => void
}

interface WorkerFixtures {
  readonly server: RunningServer
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.remove()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => {
    await use(server.url)
  },
  user: async ({ page, request, server }, use) => {
    await use(personOn(page, server, await createUser(request, server.url)))
  },
  history: async ({ user }, use) => {
    await user.signInThroughApi()
    await use(user.history)
  },
  openDevice: async ({ browser, server, user, expectConsole }, use) => {
    const devices: BrowserContext[] = []
    await use(async (path, options) => {
      expectConsole(OTHER_WAS_FIRST)
      const device = await browser.newContext({ baseURL: server.url, ...options })
      devices.push(device)
      const page = await device.newPage()
      await personOn(page, server, user).open(path)
      return page
    })
    for (const device of devices) await device.close()
  },
  expectConsole: [
    async ({ page }, use) => {
      const allowed = [NO_SERVICE_WORKER]
      const said: string[] = []
      page.on('console', (message) => {
        const isRequest = message.text().startsWith('Failed to load resource')
        const address = isRequest ? ` ${message.location().url}` : ''
        said.push(`${message.type()}: ${message.text()}${address}`)
      })
      page.on('pageerror', (error) => said.push(`uncaught: ${error.message}`))
      // The browser's message has no method, so the calls are recorded to find the cause.
      const calls: string[] = []
      const deleted: string[] = []
      page.on('request', (request) => {
        if (request.method() !== 'DELETE') return
        // A page that is left before it has read the answer sends the deletion again when it is opened.
        const { pathname } = new URL(request.url())
        if (deleted.includes(pathname)) allowed.push(missing(pathname))
        deleted.push(pathname)
      })
      page.on('response', (response) => {
        const { pathname } = new URL(response.url())
        if (response.status() < 400 && !pathname.startsWith('/v1/')) return
        calls.push(`${response.status()} ${response.request().method()} ${pathname}`)
      })
      await use((pattern) => allowed.push(pattern))
      const unexpected = said.filter((text) => !allowed.some((pattern) => pattern.test(text)))
      base.expect(unexpected, `unexpected console output after\n${calls.join('\n')}\n`).toEqual([])
    },
    { auto: true },
  ],
})

/** Playwright's message if service workers are blocked (playwright.config.ts). */
const NO_SERVICE_WORKER = /^warning: Service Worker registration blocked by Playwright$/

/** The browser's message about a request for this path that found nothing. */
function missing(pathname: string): RegExp {
  return new RegExp(String.raw`status of 404 .*${pathname}$`)
}

/**
 * Two devices end a stopped session or write over the same state: whichever is second is refused, and reads what
 * the first one has written.
 */
const OTHER_WAS_FIRST = /status of 40[49] .*\/documents\/\w+$/

/**
 * What the timer shows after a second, or two: a busy machine looks late. Not ten minutes, which tests
 * of other starts show.
 */
export const RUNNING = /^(?!00:00)0\d:\d\d$/
export const RUNNING_FOR_TWO = /^(?!00:0[01])0\d:\d\d$/

/** Chromium's message about requests that fail on purpose. */
export const FAILED_REQUEST = /Failed to load resource|WebSocket connection/

/** A user of a page and a server. What is read and written is that of who is signed in on the page. */
export interface Person extends TestUser {
  readonly history: History
  signInThroughApi(): Promise<void>
  /** Opens the app as this user, for tests that are not about signing in. */
  open(path?: string): Promise<void>
  /**
   * Opens the dashboard with these tasks and settings, and waits until each task can be started.
   * Returns the tasks' ids.
   */
  openWithTasks(
    names?: readonly string[],
    prefs?: Readonly<Record<string, unknown>>,
  ): Promise<string[]>
  /** Returns the documents of a collection, newest first, at most 100 or `most`. */
  stored(collection: string, most?: number): Promise<StoredDocument[]>
  create(collection: string, data: Readonly<Record<string, unknown>>): Promise<StoredDocument>
  update(collection: string, id: string, data: Readonly<Record<string, unknown>>): Promise<void>
  /** Replaces all settings. */
  setPrefs(prefs: Readonly<Record<string, unknown>>): Promise<void>
  /** Moves the start of the running session back, so that a test need not wait. */
  letSessionAge(minutes: number): Promise<void>
  /**
   * The same, and waits until the page has written that into the log. A page that is loaded before would write
   * it again, and the browser would report the conflict.
   */
  ageTimer(minutes: number): Promise<void>
}

/** Returns what a page does as a user of a server. */
export function personOn(page: Page, server: RunningServer, user: TestUser): Person {
  const { request } = page
  const person: Person = {
    ...user,
    history: historyOf(page, server, user),
    signInThroughApi: () => signInThroughApi(request, server.url, user),
    async open(path = '/dashboard') {
      await person.signInThroughApi()
      await page.goto(path)
    },
    async openWithTasks(names = ['Write'], prefs = {}) {
      await person.signInThroughApi()
      await person.setPrefs(prefs)
      const ids: string[] = []
      for (const name of names) ids.push(await person.history.task(name))
      await page.goto('/dashboard')
      for (const name of names) {
        const start = page.getByRole('button', { name: `Start ${name}`, exact: true })
        await base.expect(start).toBeEnabled()
      }
      return ids
    },
    stored: (collection, most) => listDocuments(request, server.url, collection, most),
    create: (collection, data) =>
      createDocument(request, server.url, collection, { userId: user.id, ...data }),
    update: (collection, id, data) => updateDocument(request, server.url, collection, id, data),
    setPrefs: (prefs) => setPrefs(request, server.url, prefs),
    letSessionAge: (minutes) => letSessionAge(request, server.url, minutes),
    async ageTimer(minutes) {
      const log = async () => (await person.stored('timer_sessions'))[0]?.['log']
      const before = await log()
      await person.letSessionAge(minutes)
      await base.expect.poll(log).not.toBe(before)
      await answersNoted(page)
    },
  }
  return person
}

/**
 * Signs in with the form, at `origin` if it is not the shared server, and waits for the dashboard.
 */
export async function signIn(page: Page, user: TestUser, origin = ''): Promise<void> {
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email Address').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Remember me').check()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await base.expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}

/**
 * Waits until the answer to a sign-out is noted. The screen does not wait for it, and a page that is loaded
 * before sends the request again, which the browser would report as an error (401).
 */
export async function answerToSignOut(page: Page): Promise<void> {
  await page.waitForResponse(
    (reply) =>
      reply.request().method() === 'DELETE' && reply.url().endsWith('/v1/account/sessions'),
  )
  // The page may still be on its way to the sign-in page.
  await base
    .expect(async () => base.expect(await page.evaluate(isSignOutPending)).toBe(false))
    .toPass({ timeout: MAX_WAIT })
}

/** Returns whether the page still has to tell the server of a sign-out. Runs in the page. */
function isSignOutPending(): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('stint')
    opening.addEventListener('error', () => reject(new Error('The database does not open')))
    opening.addEventListener('success', () => {
      const database = opening.result
      const counting = database
        .transaction('records')
        .objectStore('records')
        .count('pending-sign-out')
      counting.addEventListener('success', () => {
        database.close()
        resolve(counting.result > 0)
      })
    })
  })
}

/**
 * Waits until the page has noted the answers to what it sends: it holds a lock until then. A page that is
 * loaded before sends the request again, and the browser may report the answer as an error.
 */
export async function answersNoted(page: Page): Promise<void> {
  const held = () => page.evaluate(async () => (await navigator.locks.query()).held?.length)
  await base.expect.poll(held).toBe(0)
}

/**
 * Starts timing a task, and waits until the app knows that the server has it. After an earlier
 * reload the app would send the start again, and the browser would report the reply as an error.
 */
export async function startTimer(page: Page, task: string): Promise<void> {
  await page.getByRole('button', { name: `Start ${task}` }).click()
  await base.expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
  await base.expect(page.getByText('Creating...')).toHaveCount(0)
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await base.expect(target).toBeFocused()
}

/** Waits until the service worker has cached everything. */
export async function offlineReady(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    if (!active || active.state === 'activated') return
    await new Promise((resolve) => active.addEventListener('statechange', resolve, { once: true }))
  })
}
