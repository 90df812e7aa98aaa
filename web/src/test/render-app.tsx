/** The whole app, as a person sees it, against the real server in memory. */
import type { Prefs } from '@stint/core/settings.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { Intercept, TestApp } from '@stint/testing/test-app.ts'
import { getConfig, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { UserEvent } from '@testing-library/user-event'
import { expect, vi } from 'vitest'

import { App } from '#app/app.tsx'
import { needsSignIn } from '#app/router.tsx'
import { createAppwriteBackend } from '#backend/appwrite-backend.ts'
import { takeMailLink } from '#features/auth/mail-link.ts'
import { queueLocks } from '#session/locks.ts'
import { createSession } from '#session/session.ts'

import { createAddressBar } from './address-bar.tsx'
import { rightClock } from './right-clock.ts'

export interface RenderedApp {
  readonly server: TestApp
  readonly person: UserEvent
  /** Stands between the app and the server. */
  readonly intercept: (onRequest: Intercept | undefined) => void
  /** The browser's cookies: without them nobody is signed in. */
  readonly cookies: Map<string, string>
  /** The password of the user who is signed in at first. */
  readonly password: string
  /** The address the app is at. */
  readonly path: () => string
  /** What follows the path. */
  readonly search: () => string
  /** Goes to another address, as a link of the app does. */
  readonly go: (to: string) => Promise<void>
  /** Goes to an address as a link from elsewhere does, out of a mail for example. */
  readonly open: (path: string) => Promise<void>
  /** Changes the user's settings elsewhere. */
  readonly setPrefs: (prefs: Prefs) => Promise<void>
  /** The user's documents of a collection on the server. */
  readonly stored: (collection: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
  readonly close: () => Promise<void>
}

/**
 * Opens the app at `path`; with `signedIn`, as a new user who is known to the server, with `prefs`.
 * Without `ownServer` the app takes the server for a real Appwrite.
 */
export async function renderApp(
  path: string,
  {
    signedIn = false,
    ownServer = true,
    prefs = {},
  }: { signedIn?: boolean; ownServer?: boolean; prefs?: Prefs } = {},
): Promise<RenderedApp> {
  const server = await createTestApp()
  const browser = signedIn ? await server.signedInUser('Ada') : server.browser
  if (signedIn) await browser.call('PATCH', '/account/prefs', { prefs })
  let onRequest: Intercept | undefined
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const send = () => browser.fetch(input, init)
    return onRequest ? onRequest(new Request(input, init), send) : send()
  })
  const backend = createAppwriteBackend({
    endpoint: `${location.origin}/v1`,
    projectId: 'stint',
    databaseId: 'stint',
    ownServer,
  })
  const session = createSession({
    // No socket reaches a server in memory; its part has tests of its own.
    backend: { ...backend, subscribe: () => ({ close: () => undefined }) },
    clock: rightClock(server.clock.now),
    withLock: queueLocks(),
    device: 'test',
  })
  const address = createAddressBar(path)
  takeMailLink()
  void session.start(needsSignIn(address.path()))
  const view = render(address.router(<App session={session} />))
  // Not within `act`: a screen that takes the focus in an effect would flush within the flush.
  const go = (to: string) => getConfig().asyncWrapper(async () => address.go(to))
  return {
    server,
    person: userEvent.setup(),
    intercept: (next) => {
      onRequest = next
    },
    cookies: browser.cookies,
    password: TEST_PASSWORD,
    path: address.path,
    search: address.search,
    go,
    async open(to) {
      await getConfig().asyncWrapper(async () => {
        address.go(to)
        takeMailLink()
      })
    },
    async setPrefs(next) {
      await browser.call('PATCH', '/account/prefs', { prefs: next })
    },
    async stored(collection) {
      const path = `/databases/stint/collections/${collection}/documents`
      return (await browser.call('GET', path)).body.documents
    },
    async close() {
      view.unmount()
      await session.resetStorage()
      sessionStorage.clear()
      vi.unstubAllGlobals()
      await server.close()
    },
  }
}

/** Adds a task through the form of /tasks, and waits until the form is gone. */
export async function addTask(person: UserEvent, name: string): Promise<void> {
  const [open] = await screen.findAllByRole('button', { name: /^(Add|Create your first task)/ })
  if (open) await person.click(open)
  await person.type(await screen.findByLabelText('Task Name'), name)
  const buttons = screen.getAllByRole('button', { name: 'Add Task' })
  const submit = buttons.at(-1)
  if (submit) await person.click(submit)
  await waitFor(() => expect(screen.queryByLabelText('Task Name')).toBeNull())
}
