/**
 * By https in a real browser: the session's cookie is bound to its host, and everything works with
 * it.
 */
import type { BrowserContext } from '@playwright/test'

import { freePort } from '@stint/testing/free-port.ts'

import { createDocument, createUser } from './backend.ts'
import { expect, FAILED_REQUEST, signIn, test } from './fixtures.ts'
import { startServer } from './server.ts'
import { startTlsFront } from './tls-front.ts'

test.describe('by https', () => {
  test.use({ ignoreHTTPSErrors: true })

  test('signing in, a reload, live updates and signing out work with a cookie bound to its host @long', async ({
    page,
    context,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    const port = await freePort()
    const server = await startServer({ PUBLIC_URL: `https://localhost:${port}` })
    const front = await startTlsFront(port, server.url)
    try {
      const user = await createUser(page.request, front.url)
      const opened = await page.goto(`${front.url}/login`)
      expect(opened?.headers()['strict-transport-security']).toBe('max-age=31536000')
      const socket = page.waitForEvent('websocket')
      await signIn(page, user, front.url)
      expect((await socket).url()).toMatch(`wss://localhost:${port}/v1/realtime`)
      const session = {
        name: '__Host-a_session_stint',
        domain: 'localhost',
        path: '/',
        secure: true,
        httpOnly: true,
        sameSite: 'Lax',
      }
      expect(await sessionCookies(context)).toEqual([expect.objectContaining(session)])

      const task = { name: 'Write', userId: user.id }
      await createDocument(page.request, front.url, 'tasks', task)
      await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

      // An update from a release without the prefix.
      await server.stop()
      const cookies = await sessionCookies(context)
      await context.clearCookies({ name: session.name })
      await context.addCookies(cookies.map((cookie) => ({ ...cookie, name: 'a_session_stint' })))
      await server.start()
      await page.reload()
      await expect
        .poll(async () => (await sessionCookies(context)).map(({ name }) => name))
        .toEqual([session.name])

      await page.getByRole('navigation').getByText('Sign Out').locator('visible=true').click()
      await expect(page).toHaveURL(`${front.url}/login`)
      // The screen closes at once; the request follows in the background.
      await expect.poll(() => sessionCookies(context)).toEqual([])
      await page.goto(`${front.url}/dashboard`)
      await expect(page).toHaveURL(`${front.url}/login`)
    } finally {
      await front.close()
      await server.remove()
    }
  })
})

async function sessionCookies(context: BrowserContext) {
  return (await context.cookies()).filter(({ name }) => name.includes('a_session'))
}
