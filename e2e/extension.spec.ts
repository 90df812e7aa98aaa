/** The browser extension in a real Chromium, against a real server. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { chromium } from '@playwright/test'
import type { BrowserContext, Page, Worker } from '@playwright/test'

import { CHROMIUM_ARGUMENTS } from '../scripts/chromium-arguments.ts'
import { buildExtension } from '../extension/build.ts'
import { API_CALL } from './backend.ts'
import { expect, RUNNING, test as base } from './fixtures.ts'
import { expectAccessible, expectClear, sidewaysOverflow } from './looks.ts'

interface Installed {
  readonly context: BrowserContext
  readonly background: Worker
  /** Opens a page of the extension in a tab. */
  open(page: string): Promise<Page>
  /** Opens the popup over a page. */
  popupOver(page: Page): Promise<Page>
  /** Fills in the options with a key of the user. Returns the id of the key. */
  connect(): Promise<string>
  badge(): Promise<string>
}

const test = base.extend<{ extension: Installed }>({
  extension: async ({ server, user, page }, use, { project }) => {
    const folder = await mkdtemp(join(tmpdir(), 'stint-extension-'))
    const built = join(folder, 'extension')
    await buildExtension('chromium', built)
    await allow(built, 'http://127.0.0.1/*')
    const { executablePath } = project.use.launchOptions ?? {}
    const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      ...(executablePath === undefined ? {} : { executablePath }),
      locale: 'en-US',
      timezoneId: 'America/New_York',
      reducedMotion: 'reduce',
      args: [
        ...CHROMIUM_ARGUMENTS,
        `--disable-extensions-except=${built}`,
        `--load-extension=${built}`,
      ],
      ignoreDefaultArgs: ['--disable-extensions'],
    })
    const background = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    const origin = `chrome-extension://${new URL(background.url()).host}`
    await user.signInThroughApi()

    const installed: Installed = {
      context,
      background,
      async open(name) {
        const opened = await context.newPage()
        await opened.goto(`${origin}/${name}`)
        return opened
      },
      async popupOver(under) {
        const popup = await context.newPage()
        await popup.addInitScript(showPage, under.url())
        await popup.goto(`${origin}/popup.html`)
        return popup
      },
      async connect() {
        const created = await page.request.post(`${server.url}/v1/stint/keys`, {
          ...API_CALL,
          data: { name: 'Browser extension', access: 'write' },
        })
        const { id, secret } = await created.json()
        const options = await installed.open('options.html')
        await options.getByLabel('Address of your server').fill(server.url)
        await options.getByLabel('Key').fill(String(secret))
        await options.getByRole('button', { name: 'Connect', exact: true }).click()
        await expect(options.getByRole('status')).toHaveText(/^Connected to 127\.0\.0\.1:/)
        await options.close()
        return String(id)
      },
      badge: () => background.evaluate('chrome.action.getBadgeText({})'),
    }
    await use(installed)
    await context.close()
    await rm(folder, { recursive: true, force: true })
  },
})

/**
 * Gives the extension the permission from the start: nobody can press the browser's own question in a test. What it
 * asks for is the same pattern.
 */
async function allow(folder: string, pattern: string): Promise<void> {
  const file = join(folder, 'manifest.json')
  const manifest: object = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...manifest, host_permissions: [pattern] }))
}

/**
 * Makes the page at this address the one that the popup is over. Playwright sees no popup of a toolbar, so the
 * tests open its page in a tab, which would itself be the active one.
 */
function showPage(url: string): void {
  const chrome: { tabs: { query: (asked: object) => Promise<unknown> } } = Reflect.get(
    globalThis,
    'chrome',
  )
  const { query } = chrome.tabs
  chrome.tabs.query = () => query({ url: url.replace(/[?#].*/, '*') })
}

/** Opens a page of this title at the server's address, as any page somebody reads. */
async function readPage(context: BrowserContext, url: string, title: string): Promise<Page> {
  const page = await context.newPage()
  await page.route('**/acme/**', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<title>${title}</title><p>Call Ann</p>`,
    }),
  )
  await page.goto(url)
  return page
}

test('the popup starts, pauses, resumes and stops a timer on what the page is about', async ({
  extension,
  server,
  user,
}) => {
  await extension.connect()
  const page = await readPage(
    extension.context,
    `${server.url}/acme/site/-/issues/42`,
    '(3) Fix login (#42) · Issues · Acme / site · GitLab',
  )
  const popup = await extension.popupOver(page)
  const line = popup.getByLabel('What are you working on?')
  await expect(line).toHaveValue('#42 Fix login #site')
  await expect(line).toBeFocused()
  await expectLook(popup, 'extension-popup-idle', 340)
  // Nothing starts unasked.
  expect(await user.stored('timer_sessions')).toEqual([])

  await line.press('Enter')
  await expect(popup.getByRole('status')).toHaveText('Started #42 Fix login.')
  await expect(popup.getByText(RUNNING)).toBeVisible()
  await expect(line).toHaveValue('')
  await expect.poll(() => extension.badge()).toBe('●')
  expect(await user.stored('timer_sessions')).toMatchObject([{ note: '#site' }])
  expect(await user.stored('tasks')).toMatchObject([{ name: '#42 Fix login' }])
  await expectLook(popup, 'extension-popup-running', 340)

  await popup.getByRole('button', { name: 'Pause' }).click()
  await expect(popup.getByText('Paused', { exact: true })).toBeVisible()
  await expect.poll(() => extension.badge()).toBe('II')
  await expectLook(popup, 'extension-popup-paused', 340)
  await popup.getByRole('button', { name: 'Resume' }).click()
  await expect(popup.getByText('Running', { exact: true })).toBeVisible()
  await popup.getByRole('button', { name: 'Stop' }).click()
  await expect(popup.getByRole('status')).toHaveText(/^Stopped #42 Fix login after \d+s\.$/)
  await expect(popup.getByRole('button', { name: 'Stop' })).toHaveCount(0)
  await expect.poll(() => extension.badge()).toBe('')
  expect(await user.stored('time_entries')).toMatchObject([{ note: '#site' }])
})

test('a typed line is read as in the app, and asks which task it means @long', async ({
  extension,
  user,
}) => {
  for (const name of ['Call Ann', 'Call Ben']) await user.history.task(name)
  await extension.connect()
  // Typed and pressed before the popup knows the timer.
  const answer = Promise.withResolvers<void>()
  await extension.context.route('**/v1/stint/now', async (route) => {
    await answer.promise
    await route.continue()
  })
  const popup = await extension.open('popup.html')
  const line = popup.getByLabel('What are you working on?')
  await line.fill('call #acme 10m ago')
  await line.press('Enter')
  answer.resolve()
  const choices = popup.getByRole('group', { name: 'Which task do you mean?' })
  await expect(choices.getByRole('button').first()).toBeFocused()
  await expectLook(popup, 'extension-popup-choices', 340)
  await choices.getByRole('button', { name: 'Call Ben' }).click()
  await expect(popup.getByText(/^1\d:\d\d$/)).toBeVisible()
  await expect(popup.getByRole('status')).toHaveText('Started Call Ben.')
  expect(await user.stored('timer_sessions')).toMatchObject([{ note: '#acme' }])
})

test('a selection starts a timer from the context menu @long', async ({ extension, user }) => {
  await extension.connect()
  await select(extension, '  Call Ann\n about #12 ')
  await expect.poll(() => extension.badge()).toBe('●')
  expect(await user.stored('tasks')).toMatchObject([{ name: 'Call Ann about #12' }])
  const popup = await extension.open('popup.html')
  await expect(popup.getByText('Call Ann about #12')).toBeVisible()
})

test('without an answer the popup says so, and keeps what was typed @long', async ({
  extension,
  server,
}) => {
  await extension.connect()
  await server.stop()
  const popup = await extension.open('popup.html')
  const problem = popup.getByRole('alert')
  await expect(problem).toHaveText(/^127\.0\.0\.1:\d+ does not answer\. What you typed is kept\.$/)
  await popup.getByLabel('What are you working on?').fill('Plan the week')
  await popup.getByRole('button', { name: 'Start' }).click()
  await expect(problem).toHaveText(/does not answer/)
  await expectLook(popup, 'extension-popup-unreachable', 340)
  await popup.reload()
  await expect(popup.getByLabel('What are you working on?')).toHaveValue('Plan the week')

  // A selection is not lost either: it waits in the line of a window.
  const opening = extension.context.waitForEvent('page')
  await select(extension, 'Call Ann')
  const other = await opening
  await expect(other.getByLabel('What are you working on?')).toHaveValue('Call Ann')
  await expect(other.getByRole('alert')).toHaveText(/does not answer/)

  await server.start()
  await other.getByRole('button', { name: 'Start' }).click()
  await expect(other.getByRole('status')).toHaveText('Started Call Ann.')
})

test('a revoked key is one sentence, and leads to the options @long', async ({
  extension,
  page,
  server,
}) => {
  const key = await extension.connect()
  const revoked = await page.request.delete(`${server.url}/v1/stint/keys/${key}`, API_CALL)
  expect(revoked.status()).toBe(204)
  const popup = await extension.open('popup.html')
  await expect(popup.getByRole('alert')).toHaveText(
    'The server does not accept the key: it is wrong, or it was revoked.',
  )
  await expect.poll(() => extension.badge()).toBe('!')
  await expectLook(popup, 'extension-popup-revoked', 340)
  const opening = extension.context.waitForEvent('page')
  await popup.getByRole('button', { name: 'Open the options' }).click()
  const options = await opening
  await options.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(options.getByRole('alert')).toHaveText(/does not accept the key/)
  await expectLook(options, 'extension-options', 390)
  await options.getByRole('button', { name: 'Disconnect' }).click()
  await expect(options.getByRole('status')).toHaveText(/^Disconnected\./)
  await expect.poll(() => extension.badge()).toBe('')
})

test('the options take no address that a key must not go to, and no key that may only read @long', async ({
  extension,
  page,
  server,
}) => {
  const options = await extension.open('options.html')
  await options.getByLabel('Address of your server').fill('http://time.example.com')
  await options.getByLabel('Key').fill('stint_x')
  await options.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(options.getByRole('alert')).toHaveText(/must begin with https/)

  const created = await page.request.post(`${server.url}/v1/stint/keys`, {
    ...API_CALL,
    data: { name: 'Reader', access: 'read' },
  })
  const { secret } = await created.json()
  await options.getByLabel('Address of your server').fill(server.url)
  await options.getByLabel('Key').fill(String(secret))
  await options.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(options.getByRole('alert')).toHaveText(/may only read/)
  // Nothing is kept of it.
  const popup = await extension.open('popup.html')
  await expect(popup.getByRole('alert')).toHaveText(
    'Connect this extension to your Stint server first.',
  )
  await expectLook(popup, 'extension-popup-new', 340)
})

base(
  'the settings have a key for the extension, and a bookmark that opens Stint with a line @long',
  async ({ page, server, user }) => {
    await user.open('/settings#keys')
    await page.getByRole('button', { name: 'Key for the extension' }).click()
    const form = page.getByRole('dialog', { name: 'Create key' })
    await expect(form.getByLabel('Name')).toHaveValue('Browser extension')
    await form.getByLabel('Name').press('Enter')
    const shown = page.getByRole('dialog', { name: 'Your new key' })
    await expect(shown.getByLabel('Key', { exact: true })).toHaveValue(/^stint_/)
    await shown.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('list', { name: 'Keys' }).getByRole('listitem')
    await expect(row).toContainText('Browser extensionRead and write')
    await expectClear(page, 'extension-settings')

    const link = page.getByRole('link', { name: 'Start in Stint' })
    const address = (await link.getAttribute('href')) ?? ''
    expect(address).toMatch(/^javascript:/)
    // Pressed on another page: what a browser does with such a bookmark.
    const context = page.context()
    const other = await readPage(context, `${server.url}/acme/`, 'Call Ann & “Ben” #offer 100%')
    const opening = context.waitForEvent('page')
    await other.evaluate(decodeURIComponent(address.replace(/^javascript:/, '')))
    const opened = await opening
    await expect(opened.getByRole('combobox', { name: 'What are you working on?' })).toHaveValue(
      'Call Ann & “Ben” #offer 100%',
    )
    expect(await user.stored('timer_sessions')).toEqual([])
  },
)

/** Chooses the item of the context menu over a selection. The menu is the browser's own, which no test can press. */
async function select({ background }: Installed, selectionText: string): Promise<void> {
  const info = JSON.stringify({ menuItemId: 'start', selectionText, editable: false, pageUrl: '' })
  await background.evaluate(`chrome.contextMenus.onClicked.dispatch(${info})`)
}

/** Expects that axe finds nothing in both themes, which are the browser's, and that nothing is too wide. */
async function expectLook(page: Page, name: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 560 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectAccessible(page)
    expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
    const folder = process.env['LOOK']
    if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` })
  }
}
