import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { RenderedApp } from '#test/render-app.tsx'
import { noteNotifications, renderWithTimer, wakeAfter } from '#test/running-timer.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let app: RenderedApp
let notified: readonly string[]
let hasFocus = true
let pointer: 'fine' | 'coarse' = 'fine'

beforeEach(() => {
  localStorage.clear()
  notified = noteNotifications()
  hasFocus = true
  vi.spyOn(document, 'hasFocus').mockImplementation(() => hasFocus)
  pointer = 'fine'
  const noQuery = window.matchMedia('(pointer: none)')
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(noQuery, { matches: query === `(pointer: ${pointer})` }),
  )
})

afterEach(() => app.close())

/** Starts a timer now, at seven in the morning; returns the instant. */
async function startTimer(prefs: Readonly<Record<string, unknown>> = {}): Promise<number> {
  app = await renderWithTimer(prefs)
  await act(() => import('./still-working-watch.tsx'))
  return app.server.clock.now()
}

const question = () => screen.queryByRole('heading', { name: 'Still working on Write?' })

/** Somebody presses a key, and leaves the page in view or hidden. */
async function press(): Promise<void> {
  app.server.clock.advance(11_000)
  await app.person.keyboard('x')
}

test('A question is asked after the chosen time, and the timer stops when its person left', async () => {
  const start = await startTimer({ awayMinutes: 30 })
  app.server.clock.advance(20 * MINUTE)
  await press()
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await wakeAfter(app, 29 * MINUTE)
  expect(question()).toBeNull()
  await wakeAfter(app, MINUTE)
  await screen.findByText('No sign of work since 07:20.')
  await waitFor(() => expect(notified).toEqual(['Still working on Write?']))
  expect(screen.queryByText(/^Were you away/)).toBeNull()
  await app.person.click(screen.getByRole('button', { name: 'Stop at 07:20' }))
  await screen.findByText('Select a task below to start timing')
  expect(question()).toBeNull()
  await waitFor(async () => {
    const [entry] = await app.stored('time_entries')
    expect(Date.parse(String(entry?.['endTime']))).toBe(start + 20 * MINUTE + 11_000)
  })
})

test('Without a setting a gap is asked about, and eight hours are one question', async () => {
  await startTimer()
  await press()
  await wakeAfter(app, 6 * HOUR)
  await screen.findByText('Were you away for 6h 0m?')
  expect(question()).toBeNull()
  await app.person.click(screen.getByRole('button', { name: 'Keep' }))
  await press()
  await wakeAfter(app, 9 * HOUR)
  await screen.findByText('No sign of work since 13:00.')
  expect(screen.queryByText(/^Were you away/)).toBeNull()
  await app.person.click(screen.getByRole('button', { name: 'Keep' }))
  await waitFor(() => expect(question()).toBeNull())
  expect(screen.queryByText(/^Were you away/)).toBeNull()
  expect(screen.getByRole('timer').textContent).toMatch(/^15:/)
})

test('Somebody who works in another program is not away, until the device sleeps', async () => {
  await startTimer({ awayMinutes: 15 })
  await press()
  hasFocus = false
  for (let minute = 0; minute < 40; minute += 2) await wakeAfter(app, 2 * MINUTE)
  expect(question()).toBeNull()
  await wakeAfter(app, 16 * MINUTE)
  await screen.findByText('No sign of work since 07:40.')
})

test('Where the browser tells that nobody uses the computer, it counts in every program', async () => {
  const said = { userState: 'active', screenState: 'unlocked', start: () => Promise.resolve() }
  const detectors: EventTarget[] = []
  class FakeDetector extends EventTarget {
    constructor() {
      super()
      detectors.push(Object.assign(this, said))
    }
  }
  vi.stubGlobal('IdleDetector', FakeDetector)
  Object.defineProperty(navigator, 'permissions', {
    configurable: true,
    value: { query: () => Promise.resolve({ state: 'granted' }) },
  })
  await startTimer({ awayMinutes: 15 })
  await waitFor(() => expect(detectors).toHaveLength(1))
  hasFocus = false
  for (let minute = 0; minute < 20; minute += 2) await wakeAfter(app, 2 * MINUTE)
  expect(question()).toBeNull()
  // It says so a minute after the last input.
  app.server.clock.advance(MINUTE)
  await act(async () => {
    for (const detector of detectors)
      Object.assign(detector, { userState: 'idle' }).dispatchEvent(new Event('change'))
  })
  await wakeAfter(app, 14 * MINUTE)
  await screen.findByText('No sign of work since 07:20.')
  Reflect.deleteProperty(navigator, 'permissions')
})

test('A phone that is put away is not asked', async () => {
  pointer = 'coarse'
  await startTimer({ awayMinutes: 15 })
  await press()
  await wakeAfter(app, 20 * MINUTE)
  expect(question()).toBeNull()
})
