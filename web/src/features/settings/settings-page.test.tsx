import { appwriteProject } from '@stint/testing/appwrite-project.ts'
import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { addTask, renderApp } from '#test/render-app.tsx'
import type { RenderedApp } from '#test/render-app.tsx'

let app: RenderedApp

beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    // jsdom has no layout, so nothing is observed.
    class {
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(async () => {
  await app.close()
  localStorage.clear()
})

test('The account can be deleted on Stint’s own server', async () => {
  app = await renderApp('/settings', { signedIn: true })
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Delete account' })
  await vi.waitFor(() => expect(button.disabled).toBe(false))
  expect(screen.queryByRole('link', { name: 'Contact Support' })).toBeNull()
})

test('On another backend, which cannot delete an account, the settings link to support', async () => {
  app = await renderApp('/settings', { signedIn: true, ownServer: false })
  const link = await screen.findByRole('link', { name: 'Contact Support' })
  expect(link.getAttribute('href')).toBe('/privacy')
  expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull()
})

test('On another backend the settings have no keys and ask for no route of Stint’s own server', async () => {
  app = await renderApp('/tasks', { signedIn: true, ownServer: false })
  const project = appwriteProject()
  app.intercept(project.intercept)
  await screen.findByText('No tasks yet')
  await app.go('/settings')
  await screen.findByRole('link', { name: 'Contact Support' })
  await screen.findByRole('button', { name: 'Change password' })
  expect(screen.queryByRole('heading', { name: 'Keys' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Keys' })).toBeNull()
  expect(screen.queryByText('Kept on this device only')).toBeNull()
  expect(project.strayed).toEqual([])
})

test('The settings name the attributes that an Appwrite project lacks, and the command that adds them', async () => {
  app = await renderApp('/tasks', { signedIn: true, ownServer: false })
  const project = appwriteProject()
  app.intercept(project.intercept)
  await addTask(app.person, 'Write')
  await app.go('/dashboard')
  await app.person.click(await screen.findByRole('button', { name: 'Start Write' }))
  await vi.waitFor(async () => expect(await app.stored('timer_sessions')).toHaveLength(1))
  await app.go('/settings')
  const row = await screen.findByText('Kept on this device only')
  const attributes = 'timer_sessions: pauses, device, note'
  await vi.waitFor(() => expect(row.parentElement?.textContent).toContain(attributes))
  expect(row.parentElement?.textContent).toContain('appwrite push collections')
})
