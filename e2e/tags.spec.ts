/** Tags, the words of notes that begin with '#': completed while typed, and marked where notes are shown. */
import type { Locator, Page } from '@playwright/test'

import { answersNoted, expect, RUNNING, startTimer, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { expectClear, sidewaysOverflow } from './looks.ts'
import { editorOf, openTaskPage, rows, save } from './task-page.ts'

test('a tag is completed by keyboard, those of the last sessions first @long', async ({
  page,
  user,
}) => {
  const editor = await openEditor(page, user)
  const note = editor.getByLabel('Note')
  await note.pressSequentially('call #')
  await expect(suggestions(page)).toHaveText(['#Acme', '#q3', '#review'])
  await note.press('ArrowDown')
  await expect(page.getByRole('option', { name: '#q3' })).toHaveAttribute('aria-selected', 'true')
  await note.press('Enter')
  await expect(note).toHaveValue('call #q3 ')
  await note.pressSequentially('#AC')
  await note.press('Tab')
  await expect(note).toBeFocused()
  await expect(note).toHaveValue('call #q3 #Acme ')

  // Escape closes the list, not the editor.
  await note.pressSequentially('#')
  await expect(suggestions(page)).toHaveText(['#review'])
  await note.press('Escape')
  await expect(suggestions(page)).toHaveCount(0)
  await note.press('Backspace')
  // With nothing suggested, Enter is a new line.
  await note.pressSequentially('#new-one')
  await note.press('Enter')
  await expect(note).toHaveValue('call #q3 #Acme #new-one\n')
  await save(editor)
  await expect(rows(page).first()).toContainText('call #q3 #Acme #new-one')

  // The new tag is known at once.
  await rows(page).last().getByRole('button', { name: /^Edit/ }).click()
  await note.press('End')
  await note.pressSequentially(' #n')
  await expect(suggestions(page)).toHaveText(['#new-one'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(editor).toHaveCount(0)

  // Wherever a note is shown, a tag leads to the sessions with it.
  await expectClear(page, 'tags-of-sessions', [320, 1280])
  await rows(page).getByRole('link', { name: '#q3' }).last().click()
  await expect(page).toHaveURL(/\/sessions\?q=%23q3$/)
  await expect(page.getByRole('button', { name: /^Edit / })).toHaveCount(2)
})

test('the note of the running timer completes tags @long', async ({ page, user }) => {
  const path = await openTask(page, user)
  await page.goto('/dashboard')
  await startTimer(page, 'Write report')
  const note = page.getByRole('textbox', { name: 'Note' })
  await note.focus()
  // The completion is loaded when the field is first used.
  await expect(note).toHaveAttribute('aria-autocomplete', 'list')
  await note.pressSequentially('call #a')
  await expect(suggestions(page)).toHaveText(['#Acme'])
  await note.press('Enter')
  await expect(note).toHaveValue('call #Acme ')
  await expect(note).toBeFocused()
  // Enter is the field's again.
  await note.press('Enter')
  await expect(note).not.toBeFocused()
  // A session without a full second is not kept.
  await expect(page.getByRole('timer')).toHaveText(RUNNING)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  // Until then the stop may not be on the disk.
  await expect(page.getByText(/^Stopped after/).first()).toBeVisible()
  await answersNoted(page)
  await page.goto(path)
  await expect(rows(page).first()).toContainText('call #Acme')
})

test('the list of tags is clear at every width and never covers the note @long', async ({
  page,
  user,
}) => {
  const editor = await openEditor(page, user)
  const note = editor.getByLabel('Note')
  await note.pressSequentially('call #')
  await expect(suggestions(page)).toHaveCount(3)
  await expectClear(page, 'tags', [320, 390, 1280])
  for (const [width, height] of [
    [320, 568],
    [320, 844],
    [390, 500],
    [1280, 600],
  ] as const) {
    await page.setViewportSize({ width, height })
    await note.scrollIntoViewIfNeeded()
    await expect
      .poll(async () => {
        const [field, list] = await Promise.all([boxOf(note), boxOf(listOf(page))])
        const isBeside = list.y >= field.y + field.height || list.y + list.height <= field.y
        const isInside = list.y >= 0 && list.y + list.height <= height && list.x >= 0
        return isBeside && isInside && list.x + list.width <= width
      })
      .toBe(true)
    expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
  }
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('a tag is completed by touch, and the field keeps the focus @long', async ({
    page,
    user,
  }) => {
    const editor = await openEditor(page, user)
    const note = editor.getByLabel('Note')
    await note.tap()
    await note.pressSequentially('#r')
    await page.getByRole('option', { name: '#review' }).tap()
    await expect(note).toHaveValue('#review ')
    await expect(note).toBeFocused()
    await note.pressSequentially('of #')
    await expect(suggestions(page)).toHaveText(['#Acme', '#q3'])
    await editor.getByRole('heading', { name: 'Edit session' }).tap()
    await expect(suggestions(page)).toHaveCount(0)
  })
})

/** Opens the page of a task with three sessions, the last one without a note. Returns its path. */
function openTask(page: Page, user: Person): Promise<string> {
  return openTaskPage(page, user, [
    [1, '09:00', '11:00'],
    [2, '13:00', '14:00', '(#Acme), #q3'],
    [3, '13:00', '14:00', '#review of #acme'],
  ])
}

/** Opens the editor of the newest session. */
async function openEditor(page: Page, user: Person): Promise<Locator> {
  await openTask(page, user)
  const editor = await editorOf(rows(page).first())
  await expect(editor).toBeVisible()
  return editor
}

function listOf(page: Page): Locator {
  return page.getByRole('listbox', { name: 'Suggestions' })
}

function suggestions(page: Page): Locator {
  return listOf(page).getByRole('option')
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  return box ?? { x: -1, y: -1, width: 0, height: 0 }
}
