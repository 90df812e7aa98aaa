/** New passwords that the server would refuse: each form says why and submits nothing. */
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { renderApp } from '#test/render-app.tsx'
import type { RenderedApp } from '#test/render-app.tsx'

const COMMON = /on a list of commonly used passwords/
const PERSONAL = /little more than your name/

let app: RenderedApp

beforeEach(async () => {
  // From here on, the list loads at once.
  await import('./password-check.ts')
})
afterEach(() => app.close())

test('The sign-up form says what is wrong with a password and accepts a better one', async () => {
  app = await renderApp('/signup')
  const { person } = app
  await person.type(await screen.findByLabelText('Full Name'), 'Ada Lovelace')
  await person.type(screen.getByLabelText('Email Address'), 'ada.king@example.com')
  await person.click(screen.getByRole('checkbox'))
  const sent = countSent('POST', '/account')
  for (const [password, reason] of [
    ['password1', COMMON],
    ['Lovelace-1815', PERSONAL],
  ] as const) {
    await fill('Password', password)
    await fill('Confirm Password', password)
    await person.click(screen.getByRole('button', { name: 'Create Account' }))
    expect(await screen.findByText(reason)).toBeTruthy()
  }
  expect(sent()).toBe(0)

  await fill('Password', 'correct horse 7')
  await fill('Confirm Password', 'correct horse 7')
  await person.click(screen.getByRole('button', { name: 'Create Account' }))
  await waitFor(() => expect(app.path()).toBe('/dashboard'))
  expect(sent()).toBe(1)
})

test('The recovery form says what is wrong with a password and does not call its link expired', async () => {
  app = await renderApp('/recovery?userId=ada&secret=secret')
  const sent = countSent('PUT', '/account/recovery')
  await screen.findByLabelText('Password')
  await fill('Password', 'password1')
  await fill('Confirm Password', 'password1')
  await app.person.click(screen.getByRole('button', { name: 'Set password' }))
  expect(await screen.findByText(COMMON)).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Request a new link' })).toBeNull()
  expect(sent()).toBe(0)

  await fill('Password', 'correct horse 7')
  await fill('Confirm Password', 'correct horse 7')
  await app.person.click(screen.getByRole('button', { name: 'Set password' }))
  expect(await screen.findByRole('link', { name: 'Request a new link' })).toBeTruthy()
  expect(sent()).toBe(1)
})

async function fill(label: string, text: string): Promise<void> {
  const field = screen.getByLabelText(label)
  await app.person.clear(field)
  await app.person.type(field, text)
}

/** Counts matching requests from now on. */
function countSent(method: string, path: string): () => number {
  let count = 0
  app.intercept((request, send) => {
    if (request.method === method && new URL(request.url).pathname === `/v1${path}`) count++
    return send()
  })
  return () => count
}
