/** The page of a task: its recent sessions, and their editor. */
import type { Locator, Page } from '@playwright/test'

import { expect } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { daysAgo } from './history.ts'

type Session = readonly [days: number, start: string, end: string, note?: string]

/**
 * Opens the page of 'Write report' with sessions of so many days ago, newest first, beside other tasks. Returns
 * its path.
 */
export async function openTaskPage(
  page: Page,
  user: Person,
  sessions: readonly Session[],
  others: readonly string[] = [],
): Promise<string> {
  await user.signInThroughApi()
  const taskId = await user.history.task('Write report')
  for (const name of others) await user.history.task(name)
  for (const [days, start, end, note] of sessions) {
    const date = daysAgo(days)
    await user.history.entry(taskId, `${date} ${start}`, `${date} ${end}`, [], note)
  }
  await page.goto(`/tasks/${taskId}`)
  await expect(rows(page)).toHaveCount(sessions.length)
  return `/tasks/${taskId}`
}

/** Returns the rows of Recent Sessions. */
export function rows(page: Page): Locator {
  return page.getByRole('region', { name: 'Recent Sessions' }).getByRole('listitem')
}

/** Opens the editor of a session. */
export async function editorOf(row: Locator): Promise<Locator> {
  await row.getByRole('button', { name: /^Edit/ }).click()
  return row.page().getByRole('dialog', { name: 'Edit session' })
}

/** Opens the editor of a new session. */
export async function newEditor(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add time' }).click()
  return page.getByRole('dialog', { name: 'Add time' })
}

/** Returns the field of an editor that has its start and its end in one text. */
export function timeOf(editor: Locator): Locator {
  return editor.getByLabel('Time', { exact: true })
}

/** Unfolds the date, the start, the end and the pauses of an editor. */
export async function unfold(editor: Locator): Promise<void> {
  const more = editor.getByRole('button', { name: 'More', exact: true })
  if ((await more.getAttribute('aria-expanded')) === 'false') await more.click()
  await expect(editor.getByLabel('Date')).toBeVisible()
}

/** Picks the task of that name in an editor. */
export async function pickTask(editor: Locator, name: string): Promise<void> {
  const field = editor.getByRole('combobox', { name: 'Task' })
  await field.fill(name)
  await field.press('Enter')
  await expect(field).toHaveValue(name)
}

/** Types the time of a new session in one line, and presses Save. Returns the editor. */
export async function addTime(page: Page, time: string): Promise<Locator> {
  const editor = await newEditor(page)
  await timeOf(editor).fill(time)
  await save(editor)
  return editor
}

export async function save(editor: Locator): Promise<void> {
  await editor.getByRole('button', { name: 'Save' }).click()
}

/** Changes the note of the newest session. */
export async function writeNote(page: Page, note: string): Promise<void> {
  const editor = await editorOf(rows(page).first())
  await editor.getByLabel('Note').fill(note)
  await save(editor)
  await expect(rows(page).filter({ hasText: note })).toHaveCount(1)
}

/** Returns the seconds of the sessions on the server that are not deleted, least first. */
export async function secondsKept(user: Person): Promise<number[]> {
  const entries = await user.stored('time_entries')
  const kept = entries.filter((each) => each['deletedAt'] === null)
  return kept.map((each) => Number(each['durationSeconds'])).toSorted((a, b) => a - b)
}
