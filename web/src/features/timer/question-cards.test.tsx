/** Cards that ask whether time counts, as a user sees and answers them. */
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'

import { refusal } from '@stint/testing/appwrite-project.ts'
import { addTask, renderApp } from '#test/render-app.tsx'
import type { RenderedApp } from '#test/render-app.tsx'

let app: RenderedApp

afterEach(() => app.close())

/** Presses Start, and the server refuses it 90 seconds later. The banner is dismissed. */
async function failStart(): Promise<void> {
  app = await renderApp('/tasks', { signedIn: true })
  await screen.findByText('No tasks yet')
  await addTask(app.person, 'Write')
  await app.go('/dashboard')
  const late = Promise.withResolvers<void>()
  app.intercept(async (request, send) => {
    if (request.method !== 'POST' || !request.url.includes('/timer_sessions/')) return send()
    await late.promise
    return refusal(403, 'stint_quota_exceeded', 'Your account’s storage is full.')
  })
  await app.person.click(await screen.findByRole('button', { name: 'Start Write' }))
  await screen.findByText('Creating...')
  app.server.clock.advance(90_000)
  late.resolve()
  const text = await screen.findByText('Timer stopped: Storage on the server is used up')
  expect(screen.queryByText(/^Did you work/)).toBeNull()
  app.intercept(undefined)
  const banner = text.closest('[role=alert]')
  if (!(banner instanceof HTMLElement)) throw new Error('The banner is no alert')
  await app.person.click(within(banner).getByRole('button', { name: 'Dismiss' }))
}

const findCard = () =>
  screen.findByRole('region', { name: /^Did you work for 1m\? Write Today \S+ – \S+\.$/ })

const savedSeconds = async () =>
  (await app.stored('time_entries'))
    .filter(({ deletedAt }) => deletedAt === null)
    .map(({ durationSeconds }) => durationSeconds)

test('The time of a start that failed is asked about, and counts when its owner says so', async () => {
  await failStart()
  const card = await findCard()
  expect(card.textContent).toContain('Write')
  expect(card.textContent).toMatch(
    /Today \S+ – \S+\. A timer ran on one of your devices, but this time isn’t counted yet\./,
  )
  expect(await savedSeconds()).toEqual([])

  await app.person.click(within(card).getByRole('button', { name: 'Count 1m' }))
  await waitFor(() => expect(screen.queryByText(/^Did you work/)).toBeNull())
  await waitFor(async () => expect(await savedSeconds()).toEqual([90]))
})

test('Time that its owner leaves out is not asked about again and does not count', async () => {
  await failStart()
  await app.person.click(within(await findCard()).getByRole('button', { name: 'Leave out' }))
  await waitFor(() => expect(screen.queryByText(/^Did you work/)).toBeNull())
  await waitFor(async () => expect(await app.stored('time_entries')).toHaveLength(1))
  expect(await savedSeconds()).toEqual([])
})
