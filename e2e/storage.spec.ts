/** Presses while the browser's storage is full, is deleted, or may be deleted. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { chromium } from '@playwright/test'
import type { CDPSession, Page } from '@playwright/test'

import { CHROMIUM_ARGUMENTS } from '../scripts/chromium-arguments.ts'

import { listDocuments, signInThroughApi, createDocument } from './backend.ts'
import { expect, FAILED_REQUEST, RUNNING, RUNNING_FOR_TWO, startTimer, test } from './fixtures.ts'

const QUOTA = 4_000_000

const stopButton = (page: Page) => page.getByRole('button', { name: 'Stop', exact: true })
const idle = (page: Page) => page.getByText('Select a task below to start timing')

/** Returns the DevTools protocol session of this page. */
function devTools(page: Page): Promise<CDPSession> {
  return page.context().newCDPSession(page)
}

/**
 * Fills the browser's storage until it refuses even a few bytes. The browser's estimate of the
 * remaining space decreases with each write and is recalculated only at zero.
 */
function fillStorage(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('filler')
      opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('filler'))
      opening.addEventListener('success', () => resolve(opening.result))
      opening.addEventListener('error', () => reject(new Error('No storage')))
    })
    let key = 0
    for (let size = 2_000_000; size >= 10;) {
      const isWritten = await new Promise<boolean>((resolve) => {
        const transaction = database.transaction('filler', 'readwrite')
        transaction.addEventListener('complete', () => resolve(true))
        transaction.addEventListener('abort', () => resolve(false))
        // Random text, which cannot be compressed.
        const bytes = crypto.getRandomValues(new Uint8Array(Math.min(size, 65_536)))
        const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
        key += 1
        transaction.objectStore('filler').put(text.repeat(Math.ceil(size / text.length)), key)
      })
      if (!isWritten) size = Math.floor(size / 2)
    }
    database.close()
  })
}

test('with a full disk the user is warned at once, a stop is sent, and everything is stored when there is room', async ({
  page,
  server,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await user.signInThroughApi()
  await user.create('tasks', { name: 'Write' })
  // Before anything is stored: the browser caches an estimate of the remaining space.
  await page.goto('/terms')
  const tools = await devTools(page)
  const { origin } = new URL(server.url)
  await tools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: QUOTA })
  await page.goto('/dashboard')
  await startTimer(page, 'Write')
  await expect(page.getByRole('timer')).toHaveText(RUNNING_FOR_TWO)
  await fillStorage(page)
  await stopButton(page).click()

  await expect(idle(page)).toBeVisible()
  const warning = page
    .getByRole('alert')
    .filter({ hasText: 'can’t save to this browser’s storage' })
  await expect(warning).toContainText('Free up disk space')
  const saved = () => user.stored('time_entries')
  await expect.poll(async () => (await saved()).length).toBe(1)
  await expect(warning).toContainText('Everything is synced.')
  const sessions = () => user.stored('timer_sessions')
  await expect.poll(sessions).toEqual([])

  // It cannot be sent now either.
  await page.route('**/v1/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Start Write' }).click()
  await page.getByRole('button', { name: 'Track offline' }).click()
  await expect(stopButton(page)).toBeVisible()
  await expect(warning).toContainText(
    'Keep this window open: 1 change is kept in this window only.',
  )
  await accompanied(page)
  const asking = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asking
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()

  await tools.send('Storage.overrideQuotaForOrigin', { origin })
  await expect(warning).toHaveCount(0)
  await page.reload()
  await expect(stopButton(page)).toBeVisible()
  await page.unroute('**/v1/**')
  // A timer that is stopped within its first second leaves no entry.
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  await stopButton(page).click()
  await expect.poll(async () => (await saved()).length).toBe(2)
})

test('a running timer continues when the browser deletes its storage, and the user is warned', async ({
  page,
  server,
  user,
}) => {
  await user.openWithTasks()
  await startTimer(page, 'Write')
  await expect(page.getByRole('timer')).toHaveText(RUNNING_FOR_TWO)
  const tools = await devTools(page)
  const { origin } = new URL(server.url)
  const clear = () =>
    tools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
  await clear()

  const notice = page.getByRole('status').filter({ hasText: 'deleted Stint’s data' })
  await expect(notice).toContainText('Nothing was lost')
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toHaveCount(0)
  await page.reload()
  await expect(stopButton(page)).toBeVisible()
  await expect(page.getByRole('timer')).toHaveText(RUNNING_FOR_TWO)

  // Deletes it again, this time followed by a press.
  await clear()
  await stopButton(page).click()
  await expect(idle(page)).toBeVisible()
  const saved = () => user.stored('time_entries')
  await expect.poll(async () => (await saved()).length).toBe(1)
  const [entry] = await saved()
  expect(Number(entry?.['durationSeconds'])).toBeGreaterThanOrEqual(2)
  // The session is deleted just after its entry is created.
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
})

test('unsent changes are sent from memory after the browser deletes its storage @long', async ({
  page,
  server,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await user.openWithTasks()
  await startTimer(page, 'Write')
  await expect(page.getByRole('timer')).toHaveText(RUNNING_FOR_TWO)
  await page.route('**/v1/**', (route) => route.abort())
  await stopButton(page).click()
  await expect(page.getByText(/^(Syncing 1…|1 waiting to sync)$/).first()).toBeVisible()
  const tools = await devTools(page)
  const { origin } = new URL(server.url)
  await tools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
  await expect(page.getByRole('status').filter({ hasText: 'deleted Stint’s data' })).toBeVisible()
  await page.unroute('**/v1/**')
  // After the reload, only data that is on disk again remains.
  await page.reload()

  const saved = () => user.stored('time_entries')
  await expect.poll(async () => (await saved()).length).toBe(1)
  await expect(page.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
})

test('a stop is sent after a script deleted every database, and a reload restores everything from the server @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks()
  await startTimer(page, 'Write')
  await expect(page.getByRole('timer')).toHaveText(RUNNING_FOR_TWO)
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) {
      await new Promise((resolve) => {
        indexedDB.deleteDatabase(name).addEventListener('success', resolve)
      })
    }
  })
  await stopButton(page).click()

  await expect(idle(page)).toBeVisible()
  const warning = page
    .getByRole('alert')
    .filter({ hasText: 'can’t save to this browser’s storage' })
  await expect(warning).toContainText('Everything is synced.')
  const saved = () => user.stored('time_entries')
  await expect.poll(async () => (await saved()).length).toBe(1)
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  await expect(warning).toHaveCount(0)
})

test('the app requests persistent storage once, when a timer is started for the first time @long', async ({
  page,
  user,
}) => {
  await page.addInitScript(() => {
    const persist = navigator.storage.persist.bind(navigator.storage)
    navigator.storage.persist = () => {
      localStorage.setItem('asked', `${localStorage.getItem('asked') ?? ''}x`)
      return persist()
    }
  })
  const asked = () => page.evaluate(() => localStorage.getItem('asked'))
  await user.openWithTasks()
  await accompanied(page)
  expect(await asked()).toBeNull()
  await startTimer(page, 'Write')
  await expect.poll(asked).toBe('x')

  await stopButton(page).click()
  await startTimer(page, 'Write')
  await page.reload()
  await accompanied(page)
  await stopButton(page).click()
  await startTimer(page, 'Write')
  await stopButton(page).click()
  await expect(idle(page)).toBeVisible()
  expect(await asked()).toBe('x')
})

for (const storage of ['persistent', 'best-effort', 'insecure'] as const) {
  test(`a window with ${storage} storage closes without a question and sends when it is reopened @long`, async ({
    request,
    server,
    user,
  }) => {
    await signInThroughApi(request, server.url, user)
    await createDocument(request, server.url, 'tasks', { name: 'Write', userId: user.id })
    const { cookies } = await request.storageState()
    const profile = mkdtempSync(join(tmpdir(), 'stint-profile-'))
    const open = () =>
      chromium.launchPersistentContext(profile, {
        baseURL: server.url,
        serviceWorkers: 'block',
        executablePath: process.env['CHROMIUM'] ?? chromium.executablePath(),
        args: [...CHROMIUM_ARGUMENTS],
      })
    let context = await open()
    try {
      await context.addCookies(cookies)
      const page = await context.newPage()
      // Chromium grants this by itself to sites that are used often or installed.
      if (storage === 'persistent') {
        const tools = await context.newCDPSession(page)
        await tools.send('Browser.grantPermissions', { permissions: ['durableStorage'] })
      }
      // As on a page over plain http, where browsers have no such interface.
      if (storage === 'insecure') {
        await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'storage'))
      }
      await page.goto('/dashboard')
      await accompanied(page)
      await startTimer(page, 'Write')
      await expect
        .poll(() =>
          page.evaluate(async () => 'storage' in navigator && navigator.storage.persisted()),
        )
        .toBe(storage === 'persistent')
      await expect(page.getByRole('timer')).toHaveText(RUNNING)
      await page.route('**/v1/**', (route) => route.abort())
      await stopButton(page).click()
      await expect(page.getByText(/^(Syncing 1…|1 waiting to sync)$/).first()).toBeVisible()
      await closesUnasked(page)

      await context.close()
      context = await open()
      await context.addCookies(cookies)
      const again = await context.newPage()
      await again.goto('/dashboard')
      const saved = () => listDocuments(request, server.url, 'time_entries')
      await expect.poll(async () => (await saved()).length).toBe(1)
    } finally {
      await context.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  })
}

/** Waits until the parts that load after the first screen are loaded. */
async function accompanied(page: Page): Promise<void> {
  await expect(page.getByRole('status', { name: 'About the app' })).toBeAttached()
}

/** Closes the window as a user does; a question would keep it open. */
async function closesUnasked(page: Page): Promise<void> {
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  const closed = page.waitForEvent('close')
  await page.close({ runBeforeUnload: true })
  await closed
  expect(asked).toEqual([])
}
