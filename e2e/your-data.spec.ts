/** Restoring from a file, and the copies that the app keeps by itself. */
import { readFile } from 'node:fs/promises'

import type { Page } from '@playwright/test'

import { API_CALL, createUser, listDocuments } from './backend.ts'
import type { StoredDocument } from './backend.ts'
import { answerToSignOut, expect, signIn, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { expectClear } from './looks.ts'
import type { RunningServer } from './server.ts'

test.use({ serviceWorkers: 'allow' })

const dialog = (page: Page) => page.getByRole('dialog')
const copies = (page: Page) =>
  page.getByRole('list', { name: 'Backups on this device' }).getByRole('listitem')
const restoreButton = (page: Page) =>
  dialog(page).getByRole('button', { name: 'Restore', exact: true })

/** Fills the account with two tasks and three sessions, and opens the page of backups. */
async function openBackups(page: Page, user: Person) {
  await user.signInThroughApi()
  const { history } = user
  const write = await history.task('Write report')
  const read = await history.task('Read')
  await history.entry(write, '2026-11-16 09:00', '2026-11-16 11:00', [
    ['2026-11-16 10:00', '2026-11-16 10:15'],
  ])
  await history.entry(write, '2026-11-17 09:00', '2026-11-17 10:00', [], 'draft #acme')
  await history.entry(read, '2026-11-18 09:00', '2026-11-18 10:30')
  await user.setPrefs({ weekStart: 1 })
  await page.goto('/data')
  await expect(page.getByRole('button', { name: 'Download everything' })).toBeEnabled()
  return { write, read }
}

/** Changes the session of a day, as another device does. */
async function changeEntry(
  user: Person,
  day: string,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const entries = await user.stored('time_entries')
  const entry = entries.find(({ startTime }) => String(startTime).startsWith(day))
  if (!entry) throw new Error(`There is no session on ${day}`)
  await user.update('time_entries', entry.$id, change)
}

async function downloadEverything(page: Page): Promise<string> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download everything' }).click()
  return readFile(await (await downloading).path(), 'utf8')
}

async function chooseFile(page: Page, text: string): Promise<void> {
  const file = { name: 'stint.json', mimeType: 'application/json', buffer: Buffer.from(text) }
  await page.getByLabel('File to restore from').setInputFiles(file)
  await expect(dialog(page).getByRole('heading', { name: 'Restore from' })).toBeVisible()
}

/** Returns the numbers of the preview, row by row. */
const figures = (page: Page) =>
  dialog(page).getByRole('table', { name: 'What would be restored' }).getByRole('row')

/** Returns the server's sessions without what a save changes, the oldest first. */
async function saved(user: Person): Promise<readonly object[]> {
  const entries = await user.stored('time_entries')
  return entries
    .filter(({ deletedAt }) => deletedAt === null)
    .map(content)
    .toSorted((a, b) => (String(a['startTime']) < String(b['startTime']) ? -1 : 1))
}

function content(document: StoredDocument): Readonly<Record<string, unknown>> {
  const names = Object.entries(document).filter(([name]) => !/^\$(?!id$)|^log$/.test(name))
  return Object.fromEntries(names)
}

const activeTasks = async (page: Page, server: RunningServer) =>
  (await listDocuments(page.request, server.url, 'tasks'))
    .filter(({ isActive }) => isActive)
    .map(({ name }) => String(name))
    .toSorted((a, b) => a.localeCompare(b))

/** The hour at which days start, by the settings that the server has. */
async function dayStart(page: Page, server: RunningServer): Promise<number> {
  const prefs = await page.request.get(`${server.url}/v1/account/prefs`, API_CALL)
  return (await prefs.json()).dayStartHour ?? 0
}

test('everything is downloaded, restored after changes, and the changes are back after Undo @looks', async ({
  page,
  server,
  user,
}) => {
  const { write, read } = await openBackups(page, user)
  const text = await downloadEverything(page)
  expect(JSON.parse(text)).toMatchObject({
    account: user.id,
    settings: { weekStart: 1 },
    tasks: { length: 2 },
    entries: { length: 3 },
  })
  const before = await saved(user)

  // Another device changes two sessions and deletes one, and a task.
  await changeEntry(user, '2026-11-16', { taskId: read })
  await changeEntry(user, '2026-11-17', { note: 'final' })
  await changeEntry(user, '2026-11-18', { deletedAt: new Date().toISOString() })
  const { history } = user
  await history.deleteTask(read)
  await user.setPrefs({ weekStart: 6, dayStartHour: 4 })
  await page.goto('/settings')
  await expect(page.getByLabel('Day starts at')).toHaveValue('4')
  await page.goto('/data')

  // It adds one while the preview is read.
  await chooseFile(page, text)
  await expect(figures(page).last()).toHaveText('Not in the file, kept00')
  await history.entry(write, '2026-11-17 09:30', '2026-11-17 09:45')
  const changed = await saved(user)
  await expect(figures(page)).toHaveText([
    'PreviewSessionsTasks',
    'Restored11',
    'Reverted20',
    'Unchanged01',
    'Not in the file, kept10',
  ])
  await expect(dialog(page)).toContainText('1 of these sessions overlaps one')
  await expect(dialog(page).getByRole('region', { name: 'Sessions' })).toContainText('draft #acme')
  await expectClear(page, 'restore')
  // Settings only if they are wanted.
  const settings = dialog(page).getByRole('checkbox', { name: /^Restore \d+ settings?$/ })
  await expect(settings).not.toBeChecked()
  await settings.check()
  await restoreButton(page).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByText('3 sessions restored')).toBeVisible()
  await expect.poll(() => dayStart(page, server)).toBe(0)
  const added = changed.filter((entry) => JSON.stringify(entry).includes('14:30:00'))
  expect(added).toHaveLength(1)
  await expect
    .poll(async () => (await saved(user)).filter((each) => !isIn(added, each)))
    .toEqual(before)
  await expect.poll(() => activeTasks(page, server)).toEqual(['Read', 'Write report'])

  // A second time there is nothing to do.
  await chooseFile(page, text)
  await expect(figures(page).nth(3)).toHaveText('Unchanged32')
  await expect(restoreButton(page)).toBeDisabled()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()

  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => dayStart(page, server)).toBe(4)
  await expect.poll(() => saved(user)).toEqual(changed)
  await expect.poll(() => activeTasks(page, server)).toEqual(['Write report'])
})

const isIn = (list: readonly object[], each: object) =>
  list.some((other) => JSON.stringify(other) === JSON.stringify(each))

test('a broken or a newer file is explained and changes nothing @long', async ({ page, user }) => {
  await openBackups(page, user)
  const text = await downloadEverything(page)
  const before = await saved(user)
  for (const [broken, why] of [
    [text.slice(0, -20), 'This JSON file is cut off or damaged.'],
    [
      text.replace('"version":1', '"version":2'),
      'The file was written by a newer version of Stint.',
    ],
    ['Date,Task\n', 'The file isn’t a Stint export.'],
  ] as const) {
    await chooseFile(page, broken)
    await expect(dialog(page).getByRole('alert')).toHaveText(why)
    await expect(restoreButton(page)).toHaveCount(0)
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
  }
  expect(await saved(user)).toEqual(before)
})

test('a copy is kept by itself, is restored without the server, and is removed at the sign-out @long', async ({
  page,
  context,
  server,
  user,
  request,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource|WebSocket connection/)
  await openBackups(page, user)
  await expect(copies(page)).toHaveCount(1)
  await expect(copies(page)).toContainText(/Today, .*3 sessions · \d KB/)
  await expectClear(page, 'backups')
  const text = await downloadEverything(page)

  // Without the server, from cold.
  await page.evaluate(() => navigator.serviceWorker.ready)
  await changeEntry(user, '2026-11-18', { deletedAt: new Date().toISOString() })
  await page.goto('/sessions')
  await expect(page.getByRole('button', { name: '2 sessions' })).toBeVisible()
  await context.setOffline(true)
  await page.goto('/data')
  await expect(copies(page)).toHaveCount(1)
  const downloading = page.waitForEvent('download')
  await copies(page).getByRole('button', { name: 'Download' }).click()
  const copy = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(copy).toMatchObject({ copy: true, account: user.id, entries: { length: 3 } })
  await copies(page).getByRole('button', { name: 'Restore…' }).click()
  await expect(figures(page).nth(1)).toHaveText('Restored10')
  await restoreButton(page).click()
  await expect(page.getByText('1 session restored')).toBeVisible()
  await context.setOffline(false)
  await expect.poll(async () => (await saved(user)).length).toBe(3)

  // Somebody else at the same browser.
  expect(await filesOf(page)).toEqual([expect.stringContaining(user.id)])
  const told = answerToSignOut(page)
  await page.getByRole('navigation').getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByLabel('Email Address')).toBeVisible()
  await told
  await expect.poll(() => filesOf(page)).toEqual([])
  const bea = await createUser(request, server.url, 'Bea')
  await signIn(page, bea)
  await page.goto('/data')
  await expect(page.getByText('No copies yet.')).toBeVisible()

  // The file of another account gives new sessions, once.
  await chooseFile(page, text)
  await expect(dialog(page)).toContainText('This file is from another account.')
  await expect(figures(page).nth(1)).toHaveText('Restored32')
  await restoreButton(page).click()
  await expect.poll(async () => (await saved(user)).length).toBe(3)
  await chooseFile(page, text)
  await expect(restoreButton(page)).toBeDisabled()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(async () => (await saved(user)).length).toBe(0)
})

/** Returns the paths of all files in the browser's private file system. */
function filesOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const paths: string[] = []
    const walk = async (folder: FileSystemDirectoryHandle, path: string) => {
      for await (const handle of folder.values()) {
        if (handle.kind === 'file') paths.push(`${path}/${handle.name}`)
        else await walk(handle, `${path}/${handle.name}`)
      }
    }
    await walk(await navigator.storage.getDirectory(), '')
    return paths
  })
}

test('copies are kept in a chosen folder, and in the browser while it is gone @long', async ({
  page,
  user,
}) => {
  // A folder of the private file system stands in for one of the disk, which only a person can choose.
  await page.addInitScript(() => {
    Object.assign(globalThis, {
      showDirectoryPicker: async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle('Backups', { create: true }),
    })
  })
  await openBackups(page, user)
  await expect(copies(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Keep copies in a folder' }).click()
  await expect(copies(page)).toHaveCount(2)
  await expect(copies(page).first()).toContainText('in Backups')
  await expect(page.getByText('seven days in the folder “Backups”')).toBeVisible()

  // The device has a new session before the next copy is made.
  const { history } = user
  const taskId = await history.task('Later')
  await history.entry(taskId, '2026-11-19 09:00', '2026-11-19 10:30')
  await page.goto('/sessions')
  await expect(page.getByRole('button', { name: '4 sessions' })).toBeVisible()

  // The folder stays chosen. While it is gone, the browser has the copies.
  await page.evaluate(async () => {
    await (await navigator.storage.getDirectory()).removeEntry('Backups', { recursive: true })
    localStorage.removeItem('stint-copy')
  })
  await page.goto('/data')
  await expect(page.getByText('The folder can’t be written to.')).toBeVisible()
  await expect(copies(page)).toHaveCount(1)
  await expect(copies(page)).toContainText('4 sessions')

  await page.getByRole('button', { name: 'Stop using the folder' }).click()
  await expect(page.getByRole('button', { name: 'Keep copies in a folder' })).toBeVisible()
  await expect(page.getByText('The folder can’t be written to.')).toHaveCount(0)
})

test('two windows keep one copy of a day, and it survives a record that has less @long', async ({
  page,
  user,
  context,
}) => {
  await openBackups(page, user)
  const other = await context.newPage()
  await other.goto('/data')
  await expect(copies(other)).toHaveCount(1)
  await expect(copies(page)).toHaveCount(1)

  const entries = await user.stored('time_entries')
  for (const { $id } of entries) {
    const deletedAt = new Date().toISOString()
    await user.update('time_entries', $id, { deletedAt })
  }
  // The device has the deletions before the next copy is made.
  await page.goto('/sessions')
  await expect(page.getByText('Finished sessions appear here.')).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('stint-copy'))
  await page.goto('/data')
  await expect(copies(page)).toHaveCount(2)
  await expect(copies(page)).toContainText([/0 sessions/, /3 sessions/])
})

test('a sign-in page after the server has ended the sign-in keeps the copies for the same person @long', async ({
  page,
  server,
  user,
  expectConsole,
}) => {
  expectConsole(/401 \(Unauthorized\)/)
  await openBackups(page, user)
  await expect(copies(page)).toHaveCount(1)
  await page.request.delete(`${server.url}/v1/account/sessions`, API_CALL)
  await page.context().clearCookies()
  await page.goto('/login')
  await expect(page.getByLabel('Email Address')).toBeVisible()
  expect(await filesOf(page)).toHaveLength(1)
  await user.open('/data')
  await expect(copies(page)).toHaveCount(1)
})
