import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'

import { addTask, renderApp } from '#test/render-app.tsx'
import type { RenderedApp } from '#test/render-app.tsx'

let app: RenderedApp

afterEach(() => app.close())

it('an address that acts does so at once when the app itself goes there', async () => {
  app = await renderApp('/tasks', { signedIn: true })
  await screen.findByText('No tasks yet')
  await addTask(app.person, 'Write')
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Write' })
  const taskId = link.pathname.split('/').at(-1)

  await app.go(`/dashboard?start=${taskId}`)
  await screen.findByRole('button', { name: 'Running Write' })
  expect(screen.queryByRole('dialog')).toBeNull()
  await waitFor(() => expect(app.search()).toBe(''))

  await app.go('/dashboard?stop')
  await screen.findByText('Select a task below to start timing')
  await waitFor(() => expect(app.search()).toBe(''))
})
