import type { APIRequestContext } from '@playwright/test'

import { API_CALL } from './backend.ts'
import { expect, startTimer, test } from './fixtures.ts'
import { expectAccessible, sidewaysOverflow } from './looks.ts'

/** Programs with a personal key, and the app beside them. */

test('the link of a total opens the sessions that it counts, with the same sum @long', async ({
  page,
  server,
  user,
}) => {
  await user.open('/dashboard')
  await user.setPrefs({ timeZone: 'UTC' })
  const program = await programOf(page.request, server.url)
  // One session is cut at midnight, one has no tag, and one is on another day.
  for (const [start, end, note] of [
    ['2026-03-01T23:00:00Z', '2026-03-02T00:30:00Z', '#acme'],
    ['2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z', '#acme offer'],
    ['2026-03-02T11:00:00Z', '2026-03-02T12:00:00Z', 'other'],
    ['2026-03-03T09:00:00Z', '2026-03-03T10:00:00Z', '#acme'],
  ]) {
    await program('sessions', { newTask: 'Write', start, end, note })
  }
  const total = await program('total?period=2026-03-02&filter=%23acme')
  expect(total).toMatchObject({ seconds: 5400, sessions: { begun: 1, earlier: 1 } })

  const { pathname, search } = new URL(String(total['explain']))
  await page.goto(pathname + search)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await expect(dialog.getByText('1h 30m').first()).toBeVisible()
  await expect(dialog).toContainText('2 Mar 2026, #acme')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL('/sessions?q=%23acme')
  await page.reload()
  await expect(page.getByRole('searchbox', { name: 'Filter sessions' })).toHaveValue('#acme')
  await expect(dialog).toHaveCount(0)

  // A link can also name sessions, and the running timer.
  const { timer } = await program('start', { task: 'Write' })
  const { sessions } = await program('sessions?filter=other')
  await page.goto(`/sessions?explain=${Object(sessions)[0].id},${Object(timer).id}`)
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await expect(dialog).toContainText('1h 0m')
  await expect(page).toHaveURL('/sessions')
})

test('a timesheet that a program seals is on screen as one that the app seals, with the same hash @long', async ({
  page,
  server,
  user,
}) => {
  await user.open('/dashboard')
  await user.setPrefs({
    timeZone: 'UTC',
    timesheet: '15 up line day',
    'rate:category:Development:2026-01-01': '90 EUR',
  })
  const program = await programOf(page.request, server.url)
  await program('sessions', {
    newTask: 'Write',
    start: '2026-03-02T09:00:00Z',
    end: '2026-03-02T10:10:00Z',
    note: '#acme offer',
  })
  // A session of a timer has a log, which the mark becomes a part of.
  await startTimer(page, 'Write')
  await user.ageTimer(10)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.poll(async () => (await user.stored('time_entries')).length).toBe(2)

  const { sheet, explain } = await program('timesheets', { from: '2026-01-01', to: '2026-12-31' })
  const { pathname, search } = new URL(String(explain))
  await page.goto(pathname + search)
  const seal = page.getByRole('article').getByText(/^[0-9a-f]{64}$/)
  await expect(seal).toHaveText(String(Object(sheet).sha256))
  await expect(page.getByRole('list', { name: 'Differences to the seal' })).toHaveCount(0)

  // The app seals the same sheet: it says what it says twice, and the hash is the same.
  await page.goto('/timesheet?from=2026-01-01&to=2026-12-31')
  const lines = page.getByRole('table', { name: 'Lines' }).getByRole('row')
  await expect(lines).not.toHaveCount(0)
  const inApp = await lines.allTextContents()
  await page.getByRole('button', { name: 'Seal', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Seal this timesheet?' })
  await expect(dialog).toContainText(
    '2 sessions are on a sealed timesheet with these days already.',
  )
  await dialog.getByRole('button', { name: 'Seal', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sealed timesheet' })).toBeVisible()
  await expect(seal).toHaveText(String(Object(sheet).sha256))
  await page.goto(pathname + search)
  await expect(seal).toHaveText(String(Object(sheet).sha256))
  await expect(lines).toHaveText(inApp)
})

test('the page of the API is readable at every width, in light and dark @long', async ({
  page,
}) => {
  await page.goto('/docs/api')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The API of Stint')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await expectAccessible(page)
      expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
    }
  }
})

/** Creates a key of the signed-in user. Returns calls with it: those with a body are writes. */
async function programOf(request: APIRequestContext, url: string) {
  const created = await request.post(`${url}/v1/stint/keys`, {
    ...API_CALL,
    data: { name: 'Shell', access: 'write' },
  })
  const { secret } = await created.json()
  const headers = { Authorization: `Bearer ${String(secret)}` }
  return async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const to = `${url}/v1/stint/${path}`
    const isRead = path.includes('?')
    const reply = await (isRead
      ? request.get(to, { ...API_CALL, headers })
      : request.post(to, { ...API_CALL, headers, data: body ?? {} }))
    if (!reply.ok()) throw new Error(`${path}: ${await reply.text()}`)
    return reply.json()
  }
}
