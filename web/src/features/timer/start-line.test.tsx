/** The field 'What are you working on?' with the real server in memory. */
import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'

import { renderApp } from '#test/render-app.tsx'
import type { RenderedApp } from '#test/render-app.tsx'

let app: RenderedApp

afterEach(() => app.close())

const field = () => screen.findByRole('combobox', { name: 'What are you working on?' })

test('Enter before the tasks are loaded counts when they are', async () => {
  const tasks = Promise.withResolvers<void>()
  app = await renderApp('/dashboard', { signedIn: true })
  app.intercept(async (request, send) => {
    if (request.method === 'GET' && request.url.includes('/tasks/')) await tasks.promise
    return send()
  })
  await app.person.type(await field(), 'Write')
  // In the list of tasks and below the field.
  await waitFor(() =>
    expect(screen.getAllByText('Loading your tasks...').length).toBeGreaterThan(1),
  )
  await app.person.keyboard('{Enter}')
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
  tasks.resolve()
  await screen.findByRole('button', { name: 'Running Write' })
  await waitFor(async () => expect(await app.stored('timer_sessions')).toHaveLength(1))
  expect(await app.stored('tasks')).toHaveLength(1)
})

test('The first stop of all says what it was, the next one names its task, and each replaces the message before', async () => {
  app = await renderApp('/dashboard', { signedIn: true })
  await app.person.type(await field(), 'Write{Enter}')
  await screen.findByText('Created and started Write')
  await waitFor(() => expect(screen.queryByText('Creating...')).toBeNull())
  app.server.clock.advance(61_000)
  await app.person.click(screen.getByRole('button', { name: 'Stop' }))
  await screen.findByText('Your first minute.')
  expect(screen.queryByText('Created and started Write')).toBeNull()
  await app.person.click(await screen.findByRole('button', { name: 'Start Write' }))
  app.server.clock.advance(121_000)
  await app.person.click(await screen.findByRole('button', { name: 'Stop' }))
  await screen.findByText('Stopped after 2m · Write')
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1)
})

test('Enter pressed twice adds time once and starts nothing', async () => {
  app = await renderApp('/dashboard', { signedIn: true })
  const line = await field()
  await app.person.type(line, 'yesterday 9-10 hiring')
  await screen.findByRole('option', { name: /Create “hiring” and add 1h/ })
  await app.person.keyboard('{Enter}{Enter}')
  await screen.findByText('Added 1h to hiring')
  await waitFor(() => expect(line).toHaveProperty('value', ''))
  await app.person.keyboard('{Enter}')
  await screen.findByRole('option', { name: 'Create and start “Untitled”' })
  await waitFor(async () => expect(await app.stored('time_entries')).toHaveLength(1))
  expect(await app.stored('timer_sessions')).toEqual([])
})
