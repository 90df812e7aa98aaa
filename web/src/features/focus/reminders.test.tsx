import { storedGoal } from '@stint/core/record/task.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { RenderedApp } from '#test/render-app.tsx'
import { noteNotifications, renderWithTimer, wakeAfter } from '#test/running-timer.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let app: RenderedApp
let notified: readonly string[]

beforeEach(() => {
  localStorage.clear()
  notified = noteNotifications()
})

afterEach(() => app.close())

/** Starts a timer now, at seven in the morning; returns the instant. */
async function startTimer(prefs: Readonly<Record<string, unknown>>): Promise<number> {
  app = await renderWithTimer(prefs)
  await act(() => import('./reminder-watch.tsx'))
  return app.server.clock.now()
}

const question = () => screen.queryByRole('heading', { name: 'Still working on Write?' })

test('A long-running timer is asked about after two hours and again after four, and keeps running', async () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await startTimer({ longRunningHours: 2 })
  await wakeAfter(app, 2 * HOUR - 1000)
  expect(question()).toBeNull()
  await wakeAfter(app, 2000)
  await waitFor(() => expect(question()).toBeTruthy())
  await app.person.click(screen.getByRole('button', { name: 'Keep' }))
  expect(question()).toBeNull()

  await wakeAfter(app, HOUR)
  expect(question()).toBeNull()
  await wakeAfter(app, HOUR)
  await waitFor(() => expect(question()).toBeTruthy())
  expect(screen.getByText(/^The timer has been running for 4 hours/)).toBeTruthy()
  expect(screen.getByRole('timer').textContent).toBe('04:00:01')
  expect(notified).toEqual(['Still working on Write?', 'Still working on Write?'])
})

test('The question is shown on the screen when the notification fails', async () => {
  vi.stubGlobal(
    'Notification',
    // A phone's Notification, without a service worker.
    class {
      static readonly permission = 'granted'
      constructor() {
        throw new TypeError('Illegal constructor')
      }
    },
  )
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await startTimer({ longRunningHours: 2 })
  await wakeAfter(app, 2 * HOUR + 1000)
  await waitFor(() => expect(question()).toBeTruthy())
})

test('The timer can be stopped at the last activity', async () => {
  const start = await startTimer({ longRunningHours: 2 })
  app.server.clock.advance(40 * MINUTE)
  await app.person.keyboard('x')
  await wakeAfter(app, 100 * MINUTE)
  // 7:40 in New York.
  await screen.findByText(
    'The timer has been running for 2 hours. Last activity on this device: 07:40.',
  )
  await app.person.click(screen.getByRole('button', { name: 'Stop at last activity' }))
  await screen.findByText('Select a task below to start timing')
  expect(question()).toBeNull()
  await waitFor(async () => {
    const [entry] = await app.stored('time_entries')
    expect(Date.parse(String(entry?.['endTime']))).toBe(start + 40 * MINUTE)
    expect(entry?.['durationSeconds']).toBe(40 * 60)
  })
})

test('A running timer is asked about in the evening and can be stopped', async () => {
  await startTimer({ eveningHour: 18 })
  await wakeAfter(app, 11 * HOUR + MINUTE)
  await screen.findByText(/^It’s past 18:00 and the timer is still running\./)
  const [stop] = screen.getAllByRole('button', { name: 'Stop' })
  if (stop) await app.person.click(stop)
  await screen.findByText('Select a task below to start timing')
  await waitFor(() => expect(question()).toBeNull())
})

test('The default of eight hours is no goal, so nothing is announced', async () => {
  await startTimer({ goalReached: true })
  await wakeAfter(app, 8 * HOUR - 1000)
  await wakeAfter(app, 1000)
  await wakeAfter(app, MINUTE)
  expect(screen.getByRole('timer').textContent).toBe('08:01:00')
  expect(screen.queryByText(/^Goal reached/)).toBeNull()
})

test('A reached daily goal is announced once', async () => {
  await startTimer({ goalReached: true })
  const [task] = await app.stored('tasks')
  const path = `/v1/databases/stint/collections/tasks/documents/${String(task?.['$id'])}`
  const patched = await fetch(`${location.origin}${path}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-appwrite-project': 'stint' },
    body: JSON.stringify({ data: { goalHours: storedGoal(8) } }),
  })
  expect(await patched.text()).toContain('goalHours')
  await app.go('/tasks')
  await wakeAfter(app, MINUTE)
  await act(async () => void window.dispatchEvent(new Event('focus')))
  await screen.findByRole('img', { name: '1m of 8h 0m today' })
  await wakeAfter(app, 8 * HOUR - MINUTE - 1000)
  await wakeAfter(app, 1000)
  await screen.findByText('Goal reached. 8h on Write today.')
  await wakeAfter(app, MINUTE)
  await wakeAfter(app, MINUTE)
  expect(screen.getAllByText('Goal reached. 8h on Write today.')).toHaveLength(1)
})
