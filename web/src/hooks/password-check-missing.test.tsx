/** Without the list of common passwords, the forms submit and show the server's reason. */
import { createHash } from 'node:crypto'

import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'

import { renderApp } from '#test/render-app.tsx'
import type { RenderedApp } from '#test/render-app.tsx'

// As when the connection is lost, or when a new build has replaced the chunk.
vi.mock('./password-check.ts', () => {
  throw new Error('The file could not be loaded')
})

const COMMON = /should not be one of the commonly used password/
const PERSONAL = /contains references to your name/

let app: RenderedApp

afterEach(() => app.close())

test('Signing up shows the server’s reason for each password that it refuses', async () => {
  app = await renderApp('/signup')
  await fill('Full Name', 'Ada Lovelace')
  await fill('Email Address', 'ada@example.com')
  await app.person.click(screen.getByRole('checkbox'))
  for (const [password, reason] of [
    ['password1', COMMON],
    ['ada lovelace', PERSONAL],
  ] as const) {
    await choose(password, 'Create Account')
    expect(await screen.findByText(reason)).toBeTruthy()
  }
})

test('The recovery form shows the server’s reason, and its link still works', async () => {
  app = await renderApp('/login')
  const { server } = app
  const ada = await server.signedInUser('Ada')
  const secret = 'the secret of a mail'
  await server.db.write((tx) =>
    tx.run(
      server.db.build.insertInto('tokens').values({
        id: 'token',
        user_id: ada.id,
        purpose: 'recovery',
        secret_hash: createHash('sha256').update(secret).digest('hex'),
        created_at: '2026-01-15T12:00:00.000+00:00',
        expires_at: '2026-01-15T13:00:00.000+00:00',
      }),
    ),
  )
  await app.open(`/recovery?userId=${ada.id}&secret=${encodeURIComponent(secret)}`)
  await screen.findByRole('heading', { name: 'Choose a new password' })
  for (const [password, reason] of [
    ['password1', COMMON],
    ['ada@example.com', PERSONAL],
  ] as const) {
    await choose(password, 'Set password')
    expect(await screen.findByText(reason)).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Request a new link' })).toBeNull()
  }
  await choose('correct horse 7', 'Set password')
  expect(await screen.findByText(/^Your password was changed/)).toBeTruthy()
})

async function choose(password: string, button: string): Promise<void> {
  await fill('Password', password)
  await fill('Confirm Password', password)
  await app.person.click(screen.getByRole('button', { name: button }))
}

async function fill(label: string, text: string): Promise<void> {
  const field = await screen.findByLabelText(label)
  await app.person.clear(field)
  await app.person.type(field, text)
}
