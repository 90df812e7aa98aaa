/** What a user sees when the server refuses: a full quota, an invalid response, an ended sign-in. */
import type { Intercept } from '@stint/testing/test-app.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'

import { refusal } from '@stint/testing/appwrite-project.ts'
import { likeAppwrite } from '#test/like-appwrite.ts'
import { addTask, renderApp } from '#test/render-app.tsx'
import type { RenderedApp } from '#test/render-app.tsx'

let app: RenderedApp

afterEach(() => app.close())

const noRoom = (isRefused: (request: Request) => boolean): Intercept => {
  return async (request, send) =>
    isRefused(request)
      ? refusal(403, 'stint_quota_exceeded', 'Your account’s storage is full.')
      : send()
}

const appwrite = () => likeAppwrite({ now: app.server.clock.now }).intercept

async function openWithTask(path = '/dashboard') {
  app = await renderApp('/tasks', { signedIn: true })
  await screen.findByText('No tasks yet')
  await addTask(app.person, 'Write')
  await screen.findByRole('link', { name: /Write/ })
  await app.go(path)
}

describe('over the storage quota', () => {
  test('A stop over the quota is kept and explained, and Retry saves it once there is room', async () => {
    await openWithTask()
    await app.person.click(await screen.findByRole('button', { name: 'Start Write' }))
    await screen.findByRole('button', { name: 'Pause' })
    await waitFor(() => expect(screen.queryByText('Creating...')).toBeNull())
    app.server.clock.advance(61_000)
    let refused = 0
    app.intercept(
      noRoom((request) => {
        const isCreate = request.method === 'POST' && request.url.includes('/time_entries/')
        refused += isCreate ? 1 : 0
        return isCreate
      }),
    )
    await app.person.click(screen.getByRole('button', { name: 'Stop' }))
    const banner = await screen.findByText(/Your storage on this server is used up/)
    expect(banner.textContent).toBe(
      'Your storage on this server is used up. 1 change is kept on this device only. Export your data and ask your administrator for more storage. Then press Retry.',
    )
    expect(screen.getAllByText('Syncing 1…').length).toBeGreaterThan(0)
    await screen.findByText('Timer stopped, but failed to save data')
    expect(screen.getAllByText('1m').length).toBeGreaterThan(0)

    // A focus triggers no second attempt.
    window.dispatchEvent(new Event('focus'))
    await app.go('/reports')
    await screen.findByText(/Your storage on this server is used up/)
    expect(refused).toBe(1)

    app.intercept(undefined)
    const alert = screen.getByText(/Your storage on this server/).closest('[role=alert]')
    if (!(alert instanceof HTMLElement)) throw new Error('The banner is no alert')
    await app.person.click(within(alert).getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(screen.queryByText(/Your storage on this server/)).toBeNull())
    await waitFor(async () => expect(await app.stored('time_entries')).toHaveLength(1))
  })

  test('A start over the quota is explained and can be tracked offline', async () => {
    await openWithTask()
    app.intercept(noRoom(({ method }) => method === 'POST'))
    await app.person.click(await screen.findByRole('button', { name: 'Start Write' }))
    await screen.findByText('Timer stopped: Storage on the server is used up')
    await app.person.click(screen.getByRole('button', { name: 'Track offline' }))
    await screen.findByText(/1 change is kept on this device only/)
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()
  })
})

test('A pause that fails says that the time until then is saved', async () => {
  await openWithTask()
  await app.person.click(await screen.findByRole('button', { name: 'Start Write' }))
  await screen.findByRole('button', { name: 'Pause' })
  await waitFor(() => expect(screen.queryByText('Creating...')).toBeNull())
  app.server.clock.advance(61_000)
  app.intercept(async (request, send) => {
    if (request.method === 'PATCH') throw new TypeError('Failed to fetch')
    return send()
  })
  await app.person.click(screen.getByRole('button', { name: 'Pause' }))
  await screen.findByText('Failed to pause timer')
  await screen.findByText('The time until then is saved.')
  expect(screen.getAllByText('1m').length).toBeGreaterThan(0)
})

test('A session created without an id is not reported as a missing connection', async () => {
  await openWithTask()
  app.intercept(async (request, send) => {
    const isCreate = request.method === 'POST' && request.url.includes('/timer_sessions/')
    if (!isCreate) return send()
    const body: unknown = await (await send()).json()
    return Response.json({ ...Object(body), $id: undefined }, { status: 201 })
  })
  await app.person.click(await screen.findByRole('button', { name: 'Start Write' }))
  await screen.findByText('Timer stopped: Could not create session')
  app.intercept(undefined)
  // The document that was created anyway is deleted again.
  await waitFor(async () => expect(await app.stored('timer_sessions')).toEqual([]))
})

test('A portal page in place of the response is reported as a missing connection', async () => {
  await openWithTask()
  app.intercept(async (request, send) => {
    if (request.method !== 'POST') return send()
    return new Response('<html>Sign in to this network</html>', {
      headers: { 'Content-Type': 'text/html' },
    })
  })
  await app.person.click(await screen.findByRole('button', { name: 'Start Write' }))
  await screen.findByText('Timer stopped: No internet connection detected')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull())
})

describe('on Appwrite', () => {
  test('A user whom the server signs out is sent to the sign-in and has the record again afterwards', async () => {
    app = await renderApp('/tasks', { signedIn: true, ownServer: false })
    await screen.findByText('No tasks yet')
    app.intercept(appwrite())
    await addTask(app.person, 'Write')
    await screen.findByRole('link', { name: /Write/ })
    await waitFor(() => expect(screen.queryByText(/Syncing/)).toBeNull())
    const cookies = new Map(app.cookies)
    app.cookies.clear()
    window.dispatchEvent(new Event('focus'))
    await screen.findByRole('button', { name: 'Sign In' })
    expect(app.path()).toBe('/login')

    // The next lists would be empty too, so what is shown comes from this device.
    for (const [name, value] of cookies) app.cookies.set(name, value)
    await app.person.type(screen.getByLabelText('Email Address'), 'ada@example.com')
    await app.person.type(screen.getByLabelText('Password'), app.password)
    app.intercept(async (request, send) =>
      request.url.includes('/databases/') ? refusal(503, 'general_unknown', 'Away') : send(),
    )
    await app.person.click(screen.getByRole('button', { name: 'Sign In' }))
    await waitFor(() => expect(app.path()).toBe('/dashboard'))
    await app.go('/tasks')
    await screen.findByRole('link', { name: /Write/ })
  })

  test('Forgot password? requests an email, with the same confirmation for an unknown address', async () => {
    app = await renderApp('/login', { ownServer: false })
    app.intercept(async (request, send) =>
      request.url.endsWith('/account/recovery')
        ? refusal(404, 'user_not_found', 'User with the requested ID could not be found.')
        : send(),
    )
    await app.person.click(await screen.findByRole('button', { name: 'Forgot password?' }))
    await screen.findByRole('heading', { name: 'Forgot your password?' })
    expect(app.path()).toBe('/recovery')
    await app.person.type(screen.getByLabelText('Email Address'), 'nobody@example.com')
    await app.person.click(screen.getByRole('button', { name: 'Send link' }))
    await screen.findByText(/If nobody@example.com has an account, a reset link/)
  })

  test('Forgot password? requests an email where the server has no public information', async () => {
    app = await renderApp('/login')
    app.intercept(appwrite())
    await app.person.click(await screen.findByRole('button', { name: 'Forgot password?' }))
    await screen.findByRole('heading', { name: 'Forgot your password?' })
    expect(app.path()).toBe('/recovery')
  })
})
