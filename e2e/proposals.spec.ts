/** What an assistant proposes, from its call to the owner's Undo. */
import type { APIRequestContext } from '@playwright/test'

import { API_CALL } from './backend.ts'
import { expect, test } from './fixtures.ts'
import { expectClear } from './looks.ts'

const DAY = '2026-03-02'

test('what an assistant proposes is reviewed, accepted in part and undone @long', async ({
  page,
  server,
  user,
}) => {
  const [write = ''] = await user.openWithTasks(['Write'])
  for (const [start, end, note] of [
    ['09:00', '10:00', '#acme'],
    ['12:00', '13:00', null],
    ['15:00', '16:00', null],
  ]) {
    await user.create('time_entries', {
      taskId: write,
      startTime: `${DAY}T${start}:00.000Z`,
      endTime: `${DAY}T${end}:00.000Z`,
      durationSeconds: 3600,
      note,
    })
  }
  const stored = async () =>
    (await user.stored('time_entries'))
      .filter(({ deletedAt }) => deletedAt === null)
      .map(({ startTime, durationSeconds, note }) =>
        [startTime, durationSeconds, note].map(String).join(' '),
      )
      .toSorted()
  const before = await stored()
  const sessions = await user.stored('time_entries')
  const idAt = (time: string) =>
    sessions.find(({ startTime }) => String(startTime).includes(time))?.$id

  const propose = await assistantOf(page.request, server.url)
  await propose('From your calendar', [
    { newTask: 'Plan', start: `${DAY}T12:30:00Z`, end: `${DAY}T14:00:00Z`, note: 'with Ann' },
    { id: idAt('T09:00'), end: `${DAY}T11:00:00Z`, note: '' },
    { id: idAt('T12:00'), delete: true },
    { id: idAt('T15:00'), note: 'review' },
  ])
  // Its owner changes one of them meanwhile.
  await page.request.patch(
    `${server.url}/v1/databases/stint/collections/time_entries/documents/${idAt('T15:00')}`,
    { ...API_CALL, data: { data: { note: 'own words' } } },
  )
  const meant = await stored()
  expect(meant).not.toEqual(before)

  await page.goto('/data')
  const section = page.getByRole('region', { name: 'Proposed changes' })
  await expect(section).toContainText('Assistant')
  await expect(section).toContainText('From your calendar')
  const change = (text: string) => section.getByRole('listitem').filter({ hasText: text })
  await expect(change('with Ann').getByRole('checkbox')).toBeChecked()
  await expect(change('Changed session').first().getByRole('checkbox')).toBeChecked()
  await expect(change('Changed session').first()).toContainText('#acme')
  await expect(change('Deleted session').getByRole('checkbox')).toBeChecked()
  const changed = change('This session was changed after the proposal.')
  await expect(changed.getByRole('checkbox')).not.toBeChecked()
  await expectClear(page, 'proposals')

  // Without the deletion, the new session would overlap.
  await change('Deleted session').getByRole('checkbox').uncheck()
  await section.getByRole('button', { name: 'Accept 2 changes' }).click()
  await expect(section).toHaveCount(0)
  await expect
    .poll(stored)
    .toEqual([
      `${DAY}T09:00:00.000+00:00 7200 null`,
      `${DAY}T12:00:00.000+00:00 3600 null`,
      `${DAY}T12:30:00.000+00:00 5400 with Ann`,
      `${DAY}T15:00:00.000+00:00 3600 own words`,
    ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(stored).toEqual(meant)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Import' })).toBeVisible()
  await expect(section).toHaveCount(0)

  // A dismissed one changes nothing. It waits where forgotten time is added, too.
  await propose('Again', [{ id: idAt('T12:00'), delete: true }])
  await page.goto('/rebuild')
  await expect(section).toContainText('Again')
  await expectClear(page, 'proposals-rebuild')
  await section.getByRole('button', { name: 'Dismiss' }).click()
  await expect(section).toHaveCount(0)
  expect(await stored()).toEqual(meant)
})

/** Creates a key of the signed-in user. Returns the tool that proposes changes. */
async function assistantOf(request: APIRequestContext, url: string) {
  const created = await request.post(`${url}/v1/stint/keys`, {
    ...API_CALL,
    data: { name: 'Assistant', access: 'write' },
  })
  const { secret } = await created.json()
  return async (reason: string, changes: readonly object[]) => {
    const reply = await request.post(`${url}/mcp`, {
      ...API_CALL,
      headers: {
        Authorization: `Bearer ${String(secret)}`,
        Accept: 'application/json, text/event-stream',
      },
      data: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'propose_changes', arguments: { reason, changes, timeZone: 'UTC' } },
      },
    })
    const text = await reply.text()
    if (!reply.ok() || text.includes('isError')) throw new Error(text)
  }
}
