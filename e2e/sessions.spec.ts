/** /sessions: find sessions, and edit many at once. */
import type { Page } from '@playwright/test'

import type { StoredDocument } from './backend.ts'
import { expect, personOn, test } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { noonZone, setNow } from './history.ts'
import { expectClear } from './looks.ts'

test.use({ viewport: { width: 1280, height: 800 } })

interface Given {
  readonly task: string
  /** As in '2026-11-18T09:00', in New York. */
  readonly start: string
  readonly minutes: number
  readonly note?: string
}

/** Creates two tasks and these sessions, and opens /sessions on 18 November 2026, 15:00. */
async function open(page: Page, user: Person, given: readonly Given[], search = ''): Promise<void> {
  await setNow(page)
  const ids = await user.openWithTasks(['Write', 'Hiring'])
  for (const { task, start, minutes, note } of given) {
    const startedAt = Date.parse(`${start}:00-05:00`)
    await user.create('time_entries', {
      taskId: ids[task === 'Write' ? 0 : 1],
      startTime: new Date(startedAt).toISOString(),
      endTime: new Date(startedAt + minutes * 60_000).toISOString(),
      durationSeconds: minutes * 60,
      note: note ?? null,
    })
  }
  await page.goto(`/sessions${search}`)
  await expect(page.getByRole('heading', { name: 'Sessions', exact: true })).toBeVisible()
}

const WEEK: readonly Given[] = [
  { task: 'Write', start: '2026-11-18T13:00', minutes: 60, note: 'Draft #book' },
  { task: 'Hiring', start: '2026-11-18T09:00', minutes: 30, note: 'call Ann #acme' },
  { task: 'Write', start: '2026-11-17T14:00', minutes: 90 },
  { task: 'Hiring', start: '2026-11-17T09:00', minutes: 45, note: '#acme' },
  { task: 'Write', start: '2026-10-05T09:00', minutes: 120, note: 'Outline #book' },
]

const contentOf = ({ taskId, startTime, endTime, note, deletedAt }: StoredDocument) => [
  taskId,
  startTime,
  endTime,
  note,
  deletedAt,
]
const rows = (page: Page) => page.getByRole('button', { name: /^Edit (?!filter)/ })
const row = (page: Page, session: string) =>
  page.getByRole('checkbox', { name: `Select ${session}` })
const pinned = (page: Page) =>
  page.getByRole('list', { name: 'Saved filters' }).locator('button[aria-pressed]')
const filter = (page: Page) => page.getByRole('searchbox', { name: 'Filter sessions' })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('sessions are listed by day, filtered in the address, and explained', async ({
  page,
  user,
}) => {
  await open(page, user, WEEK)
  await expect(rows(page)).toHaveCount(5)
  await expect(page.getByRole('button', { name: '5 sessions' })).toBeVisible()
  await expect(page.getByRole('button', { name: '5h 45m' })).toBeVisible()
  const today = page.getByRole('region', { name: 'Today' })
  await expect(today.getByRole('button', { name: '1h 30m' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Mon 5 Oct' })).toContainText('Outline')

  // The day's total is explained by its sessions.
  await page
    .getByRole('region', { name: 'Yesterday' })
    .getByRole('button', { name: '2h 15m' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Yesterday' })
  await expect(dialog.getByText('in 2 sessions')).toBeVisible()
  // A tag leads to its sessions, here as wherever a note is shown.
  await dialog.getByRole('link', { name: '#acme' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(filter(page)).toHaveValue('#acme')
  await expect(rows(page)).toHaveCount(2)
  await page.goBack()
  await expect(rows(page)).toHaveCount(5)

  // The filter: in the address, in words, with its own total.
  await page.keyboard.press('/')
  await expect(filter(page)).toBeFocused()
  await page.keyboard.type('#acme last month')
  await expect(page.getByText('No sessions match')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove filter October 2026' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove filter October 2026' }).click()
  await expect(rows(page)).toHaveCount(2)
  await press(page, '1h 15m')
  const total = page.getByRole('dialog', { name: 'Total Time' })
  await expect(total).toContainText('#acme')
  await expect(total.getByRole('listitem')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/q=%23acme$/)
  await page.reload()
  await expect(rows(page)).toHaveCount(2)

  // A tag is a button that filters; Back returns to what was before.
  await filter(page).fill('')
  await expect(rows(page)).toHaveCount(5)
  await expect(page).not.toHaveURL(/q=/)
  await page.getByRole('button', { name: '#book' }).first().click()
  await expect(rows(page)).toHaveCount(2)
  await expect(filter(page)).toHaveValue('#book')
  await page.goBack()
  await expect(rows(page)).toHaveCount(5)
  await expect(filter(page)).toHaveValue('')
  await page.goForward()
  await expect(rows(page)).toHaveCount(2)

  // A press on a session opens its editor.
  await rows(page).first().click()
  await expect(page.getByRole('dialog', { name: 'Edit session' })).toBeVisible()
  await page.keyboard.press('Escape')

  await filter(page).fill('nothing like it')
  await press(page, 'Clear filter')
  await expect(rows(page)).toHaveCount(5)
})

test('a filter is saved under a name, which every device offers, and each step can be undone @long', async ({
  page,
  user,
  openDevice,
}) => {
  await open(page, user, WEEK)
  const pins = page.getByRole('list', { name: 'Saved filters' })
  const pin = (name: string) => pins.getByRole('button', { name, exact: true })
  const saving = page.getByRole('dialog', { name: 'Save filter' })
  const editing = page.getByRole('dialog', { name: 'Edit filter' })
  await expect(page.getByRole('button', { name: 'Save filter' })).toHaveCount(0)
  await filter(page).fill('#acme this week')
  await press(page, 'Save filter')
  await expect(saving.getByLabel('Name')).toBeFocused()
  await expect(saving.getByLabel('Filter')).toHaveValue('#acme this week')
  await expect(saving).toContainText('#acme, 15–21 Nov 2026')
  await page.keyboard.press('Enter')
  await expect(saving.getByRole('alert').first()).toHaveText('Enter a name.')
  await saving.getByLabel('Name').fill('Acme this week')
  await saving.getByLabel('Filter').fill('""')
  await page.keyboard.press('Enter')
  await expect(saving.getByRole('alert').last()).toHaveText('Enter a filter.')
  // A category and a tag are completed as in the box, and Escape closes the list alone.
  const typed = saving.getByLabel('Filter')
  await typed.fill('')
  await typed.pressSequentially('-@me')
  await expect(page.getByRole('option')).toHaveText(['@Meetings'])
  await expect(typed).toHaveAttribute('aria-autocomplete', 'list')
  await expectClear(page, 'filter-completed', [390, 1280])
  await page.keyboard.press('Enter')
  await expect(typed).toHaveValue('-@Meetings ')
  await typed.pressSequentially('-#ac')
  await expect(page.getByRole('option')).toHaveText(['#acme'])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await typed.pressSequentially('m')
  await page.keyboard.press('Tab')
  await expect(typed).toHaveValue('-@Meetings -#acme ')
  await expect(typed).toBeFocused()
  await typed.fill('#acme this week')
  await expectClear(page, 'filter-dialog', [320, 390, 1280])
  await page.keyboard.press('Enter')
  await expect(pin('Acme this week')).toHaveAttribute('aria-pressed', 'true')

  await filter(page).fill('>1h')
  await expect(rows(page)).toHaveCount(2)
  await press(page, 'Save filter')
  await saving.getByLabel('Name').fill('ACME this week')
  await page.keyboard.press('Enter')
  await expect(saving.getByRole('alert').first()).toHaveText(
    'You already have a filter “Acme this week”.',
  )
  await saving.getByLabel('Name').fill('Long')
  await page.keyboard.press('Enter')
  await expect(pinned(page)).toHaveText(['Acme this week', 'Long'])
  await expectClear(page, 'sessions-filters', [320, 390, 768, 1280])

  await pin('Acme this week').click()
  await expect(filter(page)).toHaveValue('#acme this week')
  await expect(rows(page)).toHaveCount(2)
  await pin('Acme this week').click()
  await expect(filter(page)).toHaveValue('')
  await expect(rows(page)).toHaveCount(5)

  const other = await openDevice('/sessions?filter=long')
  await expect(filter(other)).toHaveValue('>1h')
  await expect(rows(other)).toHaveCount(2)
  await pin('Long').click()
  await press(page, 'Edit filter Long')
  await editing.getByLabel('Name').fill('Over an hour')
  await press(page, 'Save')
  await expect(pin('Over an hour')).toBeVisible()
  await expect(pinned(other)).toHaveText(['Acme this week', 'Over an hour'])
  await press(page, 'Undo')
  await expect(pin('Long')).toBeVisible()
  await press(page, 'Edit filter Long')
  await press(page, 'Remove')
  await expect(pinned(page)).toHaveText(['Acme this week'])
  await expect(pinned(other)).toHaveText(['Acme this week'])
  await page.keyboard.press('Control+z')
  await expect(pinned(page)).toHaveText(['Acme this week', 'Long'])

  await page.goto('/dashboard')
  await press(page, 'Search')
  await expect(page.getByRole('group', { name: 'Saved filters' }).getByRole('option')).toHaveText([
    'Acme this week',
    'Long',
  ])
  await page.keyboard.type('acme week')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/sessions?filter=Acme+this+week')
  await expect(filter(page)).toHaveValue('#acme this week')
  await expect(rows(page)).toHaveCount(2)
})

test('sessions are selected by mouse, edited together, and given back by one Undo @long', async ({
  page,
  user,
  openDevice,
}) => {
  await open(page, user, WEEK)
  const before = await user.stored('time_entries')
  const phone = await openDevice('/sessions', { viewport: { width: 390, height: 800 } })
  await expect(rows(phone)).toHaveCount(5)

  // A click, and with Shift a range.
  await row(page, 'Write, 13:00 – 14:00').click()
  await row(page, 'Hiring, 09:00 – 09:45').click({ modifiers: ['Shift'] })
  await expect(page.getByText('4 selected, 3h 45m')).toBeVisible()

  await press(page, 'Change task')
  await page.getByRole('combobox', { name: 'Task' }).selectOption('Hiring')
  await page.getByRole('dialog').getByRole('button', { name: 'Change task' }).click()
  await expect(page.getByText('2 sessions moved to Hiring')).toBeVisible()
  await expect(rows(phone).filter({ hasText: 'Hiring' })).toHaveCount(4)
  await press(page, 'Undo')
  await expect(rows(page).filter({ hasText: 'Write' })).toHaveCount(3)
  await expect(rows(phone).filter({ hasText: 'Write' })).toHaveCount(3)

  await press(page, 'Add tag')
  await page.getByRole('combobox', { name: 'Tag' }).fill('#Q4 plan')
  await page.getByRole('dialog').getByRole('button', { name: 'Add tag' }).click()
  await expect(page.getByText('#Q4-plan added to 4 sessions')).toBeVisible()
  await expect(page.getByRole('button', { name: '#Q4-plan' })).toHaveCount(4)
  await press(page, 'Remove tag')
  await page.getByRole('dialog').getByLabel('Tag').selectOption('#acme')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove tag' }).click()
  await expect(page.getByText('#acme removed from 2 sessions')).toBeVisible()
  await expect(page.getByRole('button', { name: '#acme' })).toHaveCount(0)

  // No session can end in the future.
  await press(page, 'Move earlier or later')
  await page.getByLabel('Move by').fill('2h')
  await expect(page.getByText('1 session would end in the future.')).toBeVisible()
  await press(page, 'Earlier')
  await expect(page.getByText('13:00 – 14:00 becomes 11:00 – 12:00')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
  await expect(row(page, 'Write, 11:00 – 12:00')).toBeChecked()
  await expect(row(phone, 'Write, 11:00 – 12:00')).toBeVisible()

  // The file has the selected sessions.
  const downloading = page.waitForEvent('download')
  await press(page, 'Export CSV')
  const download = await downloading
  expect(download.suggestedFilename()).toBe('stint-2026-11-17-to-2026-11-18-selection.csv')

  await press(page, 'Delete')
  await expect(page.getByText('4 sessions deleted')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(phone)).toHaveCount(1)
  await page.keyboard.press('Control+z')
  await expect(rows(page)).toHaveCount(5)
  await expect(rows(phone)).toHaveCount(5)

  // Each edit before it goes back in one step, the last first.
  await page.keyboard.press('Control+z')
  await expect(row(page, 'Write, 13:00 – 14:00')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('button', { name: '#acme' })).toHaveCount(2)
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('button', { name: '#Q4-plan' })).toHaveCount(0)
  await expect
    .poll(async () => {
      const stored = await user.stored('time_entries')
      return stored.map(contentOf)
    })
    .toEqual(before.map(contentOf))
})

test('sessions are selected and edited by keyboard alone @long', async ({ page, user }) => {
  await open(page, user, WEEK)
  await page.keyboard.press('/')
  await expect(filter(page)).toBeFocused()
  await page.keyboard.type('hiring')
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(rows(page)).toHaveCount(5)

  // The list is one stop of Tab: the total of the active day, its checkbox, its button, its tags.
  await row(page, 'Write, 13:00 – 14:00').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Edit Write, 13:00 – 14:00' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: '#book' }).first()).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'Hiring, 09:00 – 09:30')).toBeFocused()

  await page.keyboard.press('Space')
  await expect(page.getByText('1 selected, 30m')).toBeVisible()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.getByText('3 selected, 2h 45m')).toBeVisible()
  await page.keyboard.press('Shift+ArrowUp')
  await expect(page.getByText('2 selected, 2h 0m')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Select all')).toBeVisible()
  await page.keyboard.press('Control+a')
  await expect(page.getByText('5 selected, 5h 45m')).toBeVisible()

  // Shift+Tab leads to the edits of the selected sessions, which keep the focus.
  const move = page.getByRole('button', { name: 'Change task', exact: true })
  await expect(async () => {
    await page.keyboard.press('Shift+Tab')
    await expect(move).toBeFocused({ timeout: 100 })
  }).toPass()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Hiring')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('3 sessions moved to Hiring')).toBeVisible()
  await expect(move).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(rows(page).filter({ hasText: 'Write' })).toHaveCount(3)

  // Delete in the list: the row in the place of the deleted ones has the focus.
  await row(page, 'Write, 14:00 – 15:30').focus()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Space')
  await page.keyboard.press('Delete')
  await expect(page.getByText('1 session deleted')).toBeVisible()
  await expect(row(page, 'Hiring, 09:00 – 09:45')).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(rows(page)).toHaveCount(5)
  await page.keyboard.press('End')
  await expect(row(page, 'Write, 10:00 – 12:00')).toBeFocused()
})

test('years of sessions are one list, of which only the part in sight is drawn @long', async ({
  page,
  user,
}) => {
  // One a week, for almost three years.
  const count = 150
  const given = Array.from({ length: count }, (_, week): Given => {
    const day = new Date(Date.parse('2026-11-18') - week * 7 * 86_400_000)
    const start = `${day.toISOString().slice(0, 10)}T09:00`
    return { task: 'Write', start, minutes: 60, note: `week ${week}` }
  })
  await open(page, user, given)
  await expect(page.getByRole('button', { name: `${count} sessions` })).toBeVisible()
  const boxes = page.getByRole('checkbox', { name: /^Select Write/ })
  await expect(boxes.first()).toBeVisible()
  expect(await boxes.count()).toBeLessThan(50)

  const oldest = page.getByRole('region', { name: 'Wed 10 Jan 2024' })
  await expect(oldest).toHaveCount(0)
  await expect(async () => {
    await page.mouse.wheel(0, 5000)
    await expect(oldest.getByText('week 149')).toBeInViewport({ timeout: 100 })
  }).toPass()
  await expect(page.getByText('week 0', { exact: true })).toHaveCount(1)
  expect(await boxes.count()).toBeLessThan(50)

  // A range over rows that are not drawn, by keys and by mouse.
  await oldest.getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+Home')
  await expect(page.getByText(`${count} selected, ${count}h 0m`)).toBeVisible()
  await expect(boxes.first()).toBeFocused()
  await expect(boxes.first()).toBeInViewport()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Space')
  await page.keyboard.press('End')
  await expect(oldest.getByRole('checkbox')).toBeFocused()
  await expect(oldest.getByRole('checkbox')).toBeInViewport()
  await expect(page.getByText('1 selected, 1h 0m')).toBeVisible()
})

test('every session is found, selected and edited by touch @long', async ({
  browser,
  server,
  user,
}) => {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 320, height: 740 },
    hasTouch: true,
  })
  const page = await context.newPage()
  await open(page, personOn(page, server, user), WEEK)
  await page.goto('/reports')
  await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).tap()
  await expect(rows(page)).toHaveCount(5)
  await expectClear(page, 'sessions-touched', [320, 390])
  await row(page, 'Write, 13:00 – 14:00').tap()
  await expect(page.getByText('1 selected, 1h 0m')).toBeVisible()
  await expectClear(page, 'sessions-selected', [320, 390])
  await page.getByRole('button', { name: 'Remove tag' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove tag' }).tap()
  await expect(page.getByText('#book removed from 1 session')).toBeVisible()
  await context.close()
})

test('every state of the page is accessible @long', async ({ page, user }) => {
  await open(page, user, WEEK)
  await expect(rows(page)).toHaveCount(5)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await expectClear(page, 'sessions')
  for (const action of ['Change task', 'Add tag', 'Remove tag', 'Move earlier or later']) {
    await press(page, action)
    await expectClear(page, `sessions-${action.toLowerCase().replaceAll(' ', '-')}`, [390])
    await page.keyboard.press('Escape')
  }
  await filter(page).fill('nothing like it')
  await expect(page.getByText('No sessions match')).toBeVisible()
  await expectClear(page, 'sessions-none')
})

test.describe('at noon by the clock of the server', () => {
  // The answer to a start tells the page the real time.
  test.use({ timezoneId: noonZone() })

  test('a running session is on top, and totals count it as the dashboard does @long', async ({
    page,
    user,
  }) => {
    const [write] = await user.openWithTasks(['Write', 'Hiring'])
    const startedAt = Date.now() - 3 * 3_600_000
    await user.create('time_entries', {
      taskId: write,
      startTime: new Date(startedAt).toISOString(),
      endTime: new Date(startedAt + 1_800_000).toISOString(),
      durationSeconds: 1800,
    })
    await page.goto('/sessions')
    await expect(page.getByRole('button', { name: '1 session', exact: true })).toBeVisible()
    await page.keyboard.press('n')
    const line = page.getByRole('dialog').getByRole('combobox')
    await expect(line).toBeFocused()
    await line.fill('hiring 20m ago')
    await page.keyboard.press('Enter')
    const running = page.getByRole('main').getByRole('region', { name: 'Timer' })
    await expect(running).toContainText('Hiring')
    await expect(page.getByRole('button', { name: '1 session + running' })).toBeVisible()
    const today = page.getByRole('region', { name: 'Today' }).getByRole('button').first()
    await expect(today).toHaveText(/^5[01]m$/)
    await today.click()
    await expect(page.getByRole('dialog', { name: 'Today' })).toContainText('running')
    await page.keyboard.press('Escape')
    await expect(running.getByRole('checkbox')).toHaveCount(0)
    await running.getByRole('button', { name: 'Edit Hiring' }).click()
    await expect(page.getByRole('dialog', { name: 'Edit timer' })).toBeVisible()
    await page.keyboard.press('Escape')
    await filter(page).fill('#book')
    await expect(running).toHaveCount(0)
  })
})

test('the selection stays when a new day begins, and goes with another filter @long', async ({
  page,
  user,
}) => {
  await open(page, user, WEEK)
  await expect(rows(page)).toHaveCount(5)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.clock.fastForward('09:00:30')
  await expect(page.getByRole('region', { name: 'Today' })).toHaveCount(0)
  await expect(page.getByText('5 selected, 5h 45m')).toBeVisible()
  await filter(page).fill('#acme')
  await expect(rows(page)).toHaveCount(2)
  await filter(page).fill('')
  await expect(rows(page)).toHaveCount(5)
  await expect(page.getByText('selected')).toHaveCount(0)
})

test('while the history is loading, nothing is shown as a fact @long', async ({
  page,
  user,
  openDevice,
}) => {
  await open(page, user, WEEK)
  const other = await openDevice('/terms')
  const held = Promise.withResolvers<void>()
  await other.route('**/time_entries/documents**', async (route) => {
    await held.promise
    await route.continue()
  })
  await other.goto('/sessions')
  await expect(other.getByText('Loading sessions...')).toBeVisible()
  await expect(other.getByRole('button', { name: /session/ })).toHaveCount(0)
  await expect(other.getByText('Finished sessions appear here.')).toHaveCount(0)
  held.resolve()
  await expect(rows(other)).toHaveCount(5)
  await expect(other.getByRole('button', { name: '5 sessions' })).toBeVisible()
})
