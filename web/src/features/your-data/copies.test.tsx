import { testEntry } from '@stint/core/test/entries.ts'
import { exportJson } from '@stint/core/transfer/stint-json.ts'
import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { renderApp } from '#test/render-app.tsx'
import type { RenderedApp } from '#test/render-app.tsx'
import { memoryFolder } from '#test/memory-folder.ts'

const NOW = Date.UTC(2026, 0, 15, 12)

let app: RenderedApp

afterEach(async () => {
  await app.close()
  localStorage.clear()
})

/** Opens the page, with a server that says this of its last backup. */
async function openWithBackup(info: Readonly<Record<string, unknown>>, ownServer = true) {
  app = await renderApp('/dashboard', {
    signedIn: true,
    ownServer,
    prefs: { timeZone: 'Europe/Berlin', hourCycle: 12 },
  })
  app.intercept(async (request, send) => {
    const response = await send()
    if (!request.url.endsWith('/stint/info')) return response
    const { lastBackupAt: _, ...known } = await response.json()
    return Response.json({ ...known, ...info })
  })
  await screen.findByRole('heading', { name: 'Dashboard' })
  await app.go('/data')
  await screen.findByText('Restore from a file')
}

/** Returns what the row of the server's backup says. */
const backup = async () =>
  (await screen.findByText('Server backup')).parentElement?.nextSibling?.textContent

test('The page says when the server last made a backup, in the zone and clock of the user', async () => {
  const now = new Date()
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - 20, 2))
  await openWithBackup({ lastBackupAt: at.toISOString() })
  await vi.waitFor(async () => expect(await backup()).toMatch(/^\d+ \w+.* at [34]:00 AM$/))
})

test.each([
  [{ lastBackupAt: null }, 'The server has made no backup yet'],
  [{}, 'Not known'],
  [{ lastBackupAt: 'soon' }, 'Not known'],
])('The page says so when there is no backup to name: %j', async (info, text) => {
  await openWithBackup(info)
  expect(await backup()).toBe(text)
})

test('On another backend, nothing is said about backups', async () => {
  await openWithBackup({}, false)
  // The settings show when the app knows which server it has. jsdom has no layout to observe.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  await app.go('/settings')
  await screen.findByRole('link', { name: 'Contact Support' })
  await app.go('/data')
  await screen.findByText('Restore from a file')
  expect(screen.queryByText('Server backup')).toBeNull()
})

test('A browser without files says that it keeps no copies', async () => {
  app = await renderApp('/data', { signedIn: true })
  await screen.findByText(/This browser can’t keep copies/)
  expect(screen.queryByRole('list', { name: 'Backups on this device' })).toBeNull()
})

/** Returns the text of a copy of an account with one session. */
function copyOf(account: string): string {
  const entry = testEntry({ start: 0, end: 60_000 })
  return exportJson({ account, tasks: [], entries: [entry], isCopy: true }, NOW)
}

describe('copies', () => {
  afterEach(() => Reflect.deleteProperty(navigator, 'storage'))

  test('What went wrong is said, and the copies of this account alone are listed', async () => {
    const root = memoryFolder()
    Object.defineProperty(navigator, 'storage', {
      configurable: true,
      value: {
        getDirectory: async () => root.handle,
        estimate: async () => ({}),
        persisted: async () => false,
      },
    })
    app = await renderApp('/data', { signedIn: true })
    await screen.findByText('No copies yet.')
    const folders = root.folders.get('copies')?.folders
    const [account = ''] = folders?.keys() ?? []
    folders?.get(account)?.files.set('stint-2026-01-15.json', copyOf(account))
    folders?.get(account)?.files.set('stint-2026-01-15-2.json', copyOf('somebody-else'))
    localStorage.setItem('stint-copy', `${account} ${Date.now()} full`)
    dispatchEvent(new Event('focus'))

    await screen.findByText('There was too little storage for the last copy. Free up some space.')
    const list = await screen.findByRole('list', { name: 'Backups on this device' })
    const copies = within(list).getAllByRole('listitem')
    expect(copies.map((copy) => copy.textContent)).toEqual([
      expect.stringMatching(/1 session · 1 KB/),
    ])
  })
})
