import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { RenderedApp } from '#test/render-app.tsx'
import { noteNotifications, renderWithTimer, wakeAfter } from '#test/running-timer.ts'

const MINUTE = 60_000

let app: RenderedApp
let notified: readonly string[]

beforeEach(() => {
  notified = noteNotifications()
})

afterEach(() => app.close())

/** Starts a timer now; returns the instant. */
async function startTimer(prefs: Readonly<Record<string, unknown>>): Promise<number> {
  app = await renderWithTimer({ pomodoroMode: true, ...prefs })
  await act(() => import('./break-watch.tsx'))
  return app.server.clock.now()
}

describe('automatic breaks', () => {
  test('An automatic break starts at the exact time, however late the tab wakes, and work resumes after it', async () => {
    const start = await startTimer({ autoBreak: true })
    await wakeAfter(app, 24 * MINUTE + 59_000)
    await screen.findByText('0:01 of focus left')

    // Asleep for 40 minutes: the break started on time, and nobody has come back from it.
    await wakeAfter(app, 40 * MINUTE)
    await screen.findByText('The break is over', { selector: 'p' })
    await screen.findByRole('heading', { name: 'The break is over' })
    expect(screen.getByRole('timer').textContent).toBe('25:00')
    await waitFor(async () => {
      const [session] = await app.stored('timer_sessions')
      expect(Date.parse(String(session?.['currentPauseStart']))).toBe(start + 25 * MINUTE)
    })

    const resumedAt = app.server.clock.now()
    const [resume] = screen.getAllByRole('button', { name: 'Resume' })
    if (resume) await app.person.click(resume)
    await screen.findByText('25:00 of focus left')
    expect(screen.queryByRole('heading', { name: 'The break is over' })).toBeNull()

    // This time the person is present: pause and resume happen automatically and on time.
    await wakeAfter(app, 25 * MINUTE + 45_000)
    await screen.findByText('4:15 of break left')
    await wakeAfter(app, 5 * MINUTE)
    await screen.findByText('24:15 of focus left')
    expect(screen.getByRole('timer').textContent).toBe('50:45')
    await app.person.click(screen.getByRole('button', { name: 'Stop' }))
    await waitFor(async () => {
      const entries = await app.stored('time_entries')
      expect(entries.map((entry) => entry['durationSeconds'])).toEqual([50 * 60 + 45])
      expect(JSON.parse(String(entries[0]?.['pauses']))).toEqual(
        [
          [start + 25 * MINUTE, resumedAt],
          [resumedAt + 25 * MINUTE, resumedAt + 30 * MINUTE],
        ].map((pause) => pause.map((instant) => new Date(instant).toISOString())),
      )
    })
  })

  test('Turning pomodoro on removes no time that was worked before', async () => {
    await startTimer({ pomodoroMode: false })
    await wakeAfter(app, 90 * MINUTE)
    await waitFor(() => expect(screen.getByRole('timer').textContent).toBe('01:30:00'))
    await app.setPrefs({ pomodoroMode: true, autoBreak: true })
    await wakeAfter(app, 0)
    await screen.findByRole('heading', { name: 'Time for a break' })
    expect(screen.getByRole('button', { name: 'Pause' })).toBeTruthy()
    expect(screen.getByRole('timer').textContent).toBe('01:30:00')
  })
})

describe('offered breaks', () => {
  test('An offered break is taken on request, and then resuming is offered', async () => {
    await startTimer({})
    await wakeAfter(app, 26 * MINUTE)
    await screen.findByText('Time for a break', { selector: 'p' })
    await screen.findByRole('heading', { name: 'Time for a break' })
    expect(screen.getByRole('timer').textContent).toBe('26:00')
    await app.person.click(screen.getByRole('button', { name: 'Take a break' }))
    await screen.findByText('5:00 of break left')
    await wakeAfter(app, 6 * MINUTE)
    await screen.findByRole('heading', { name: 'The break is over' })
    expect(screen.getByRole('timer').textContent).toBe('26:00')
  })

  test('Skipping a break starts the next focus session, and each nudge is shown once', async () => {
    await startTimer({})
    // Set only now, because the previous test's app could still show its nudges here.
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await wakeAfter(app, 25 * MINUTE)
    await screen.findByRole('heading', { name: 'Time for a break' })
    await waitFor(() => expect(notified).toEqual(['Time for a break']))
    await app.person.click(screen.getByRole('button', { name: 'Skip' }))
    await screen.findByText('25:00 of focus left')
    expect(screen.queryByRole('heading', { name: 'Time for a break' })).toBeNull()
    await wakeAfter(app, 25 * MINUTE)
    await waitFor(() => expect(notified).toHaveLength(2))
    await wakeAfter(app, MINUTE)
    expect(notified).toEqual(['Time for a break', 'Time for a break'])
  })

  test('The countdown continues while the person pauses in between', async () => {
    await startTimer({})
    await wakeAfter(app, 10 * MINUTE)
    await app.person.click(screen.getByRole('button', { name: 'Pause' }))
    await screen.findByRole('button', { name: 'Resume' })
    await wakeAfter(app, 2 * MINUTE)
    await screen.findByText('15:00 of focus left')
    await app.person.click(screen.getByRole('button', { name: 'Resume' }))
    await screen.findByRole('button', { name: 'Pause' })
    await wakeAfter(app, MINUTE)
    await screen.findByText('14:00 of focus left')
    expect(screen.getByRole('timer').textContent).toBe('11:00')
  })
})
