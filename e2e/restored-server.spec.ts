/** The server is restored from an older backup, and the devices send what it lacks. */
import type { Page } from '@playwright/test'

import type { StoredDocument } from './backend.ts'
import { expect, FAILED_REQUEST, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { addTime, editorOf, openTaskPage, rows, writeNote } from './task-page.ts'

test('everything that was added, edited and deleted since the backup returns to the server and every device @long', async ({
  page,
  server,
  user,
  openDevice,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const path = await openTaskPage(page, user, [
    [1, '09:00', '10:00'],
    [2, '13:00', '14:00'],
  ])
  const phone = await openDevice(path)
  const closed = await openDevice(path)
  for (const each of [phone, closed]) await expect(rows(each)).toHaveCount(2)
  const restore = await server.backUp()
  await closed.context().setOffline(true)
  await writeNote(page, 'after the backup')
  // A row moves when the note comes, and a press would end beside it.
  await expect(rows(phone).first()).toContainText('after the backup')
  await deleteLast(phone)
  await addTime(page, 'yesterday 14-15')
  await expect(rows(phone)).toHaveText(KEPT)
  await expect(page.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)
  await expect(phone.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)
  const before = await contentOf(user)
  expect(await restore()).toMatch(/^Restored: /)

  await expect.poll(() => contentOf(user)).toEqual(before)
  for (const each of [page, phone]) await expect(rows(each)).toHaveText(KEPT)
  await closed.context().setOffline(false)
  await expect(rows(closed)).toHaveText(KEPT)
  const fresh = await openDevice(path)
  await expect(rows(fresh)).toHaveText(KEPT)
  for (const each of [page, phone, closed]) {
    await each.reload()
    await expect(rows(each)).toHaveText(KEPT)
    await expect(each.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)
  }
  expect(await contentOf(user)).toEqual(before)
})

const KEPT = [/14:00 – 15:00/, /09:00 – 10:00.*after the backup/]

async function deleteLast(page: Page): Promise<void> {
  const editor = await editorOf(rows(page).last())
  await editor.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(rows(page)).toHaveCount(1)
}

/** Returns the entries on the server by id, without their times of writing. */
async function contentOf(user: Person): Promise<unknown> {
  const documents = await user.stored('time_entries')
  return documents.map(withoutStamps).toSorted((a, b) => (a.$id < b.$id ? -1 : 1))
}

function withoutStamps(document: StoredDocument): StoredDocument {
  return { ...document, $createdAt: '', $updatedAt: '', $sequence: '' }
}
