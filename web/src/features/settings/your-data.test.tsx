import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { renderApp } from '#test/render-app.tsx'
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
afterEach(() => app.close())

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
