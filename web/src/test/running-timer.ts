/** The app with a running timer, in a tab that sleeps and wakes. */
import { act, screen, waitFor } from '@testing-library/react'
import { expect, vi } from 'vitest'

import { addTask, renderApp } from './render-app.tsx'
import type { RenderedApp } from './render-app.tsx'

/** Renders the dashboard with a timer of the task 'Write', started now, at seven in the morning. */
export async function renderWithTimer(
  prefs: Readonly<Record<string, unknown>>,
): Promise<RenderedApp> {
  const app = await renderApp('/tasks', { signedIn: true, prefs })
  await screen.findByText('No tasks yet')
  await addTask(app.person, 'Write')
  await screen.findByRole('link', { name: 'Write' })
  await app.go('/dashboard')
  await app.person.click(await screen.findByRole('button', { name: 'Start Write' }))
  await screen.findByRole('button', { name: 'Pause' })
  await waitFor(() => expect(screen.queryByText('Creating...')).toBeNull())
  // The code that watches the timer loads after the screen.
  await screen.findByRole('status', { name: 'Reminders' })
  return app
}

/** Wakes the tab after `milliseconds`. Nothing in the tab ran in the meantime. */
export async function wakeAfter({ server }: RenderedApp, milliseconds: number): Promise<void> {
  server.clock.advance(milliseconds)
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
}

/**
 * Allows the browser to show notifications. Returns the titles of the notifications as they come.
 */
export function noteNotifications(): readonly string[] {
  const titles: string[] = []
  vi.stubGlobal(
    'Notification',
    class {
      static readonly permission = 'granted'
      constructor(title: string) {
        titles.push(title)
      }
      addEventListener() {}
    },
  )
  return titles
}
