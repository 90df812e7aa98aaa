import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { currentBuild } from '../server/src/site/build.ts'
import { expect, FAILED_REQUEST, offlineReady, signIn, startTimer, test } from './fixtures.ts'
import { startFront } from './front.ts'
import { expectClear } from './looks.ts'

const ROOT = join(import.meta.dirname, '..')

test.use({ serviceWorkers: 'allow' })

test('the app has everything that browsers require for installation', async ({ page, request }) => {
  await page.goto('/')
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await request.get(href ?? '')
  const manifest: unknown = await answer.json()
  expect(manifest).toMatchObject({
    id: '/dashboard',
    name: 'Stint',
    start_url: '/dashboard',
    scope: '/',
    display: 'standalone',
    shortcuts: [
      { name: 'Start last task', url: '/dashboard?start=last' },
      { name: 'Stop', url: '/dashboard?stop' },
      { name: 'Tasks', url: '/tasks' },
      { name: 'Reports', url: '/reports' },
    ],
    share_target: {
      action: '/dashboard',
      method: 'GET',
      params: { title: 'title', text: 'text', url: 'url' },
    },
    protocol_handlers: [{ protocol: 'web+stint', url: '/dashboard?link=%s' }],
    launch_handler: { client_mode: ['focus-existing', 'auto'] },
  })
  for (const { src, sizes, type } of picturesOf(manifest)) {
    const picture = await request.get(src)
    expect(picture.headers()['content-type'], src).toContain(type)
    if (type === 'image/png') expect(pngSize(await picture.body()), src).toBe(sizes)
  }
  const purposes = picturesOf(manifest).map(({ purpose }) => purpose)
  expect(purposes).toEqual(expect.arrayContaining(['any', 'maskable', 'monochrome']))
})

test('a known user opens the dashboard and stops a timer with no network at all @long', async ({
  page,
  context,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await signIn(page, user)
  await user.create('tasks', { name: 'Write report' })
  await page.goto('/dashboard')
  await startTimer(page, 'Write report')
  // The badge shows Active until the server has confirmed the session.
  const panel = page.getByRole('region', { name: 'Timer' })
  await expect(panel.getByText('Running', { exact: true })).toBeVisible()
  await offlineReady(page)

  await page.close()
  await context.setOffline(true)
  const later = await context.newPage()
  await later.goto('/dashboard')

  await expect(later.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(later.getByRole('timer')).toHaveText(/^\d\d:\d\d$/)
  await expect(later.getByRole('button', { name: 'Running Write report' })).toBeVisible()
  await later.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(later.getByText('Select a task below to start timing')).toBeVisible()
  await later.goto('/tasks')
  await expect(later.getByText('Write report')).toBeVisible()
})

test('a megabyte that is shared is cut, and a page is shared without a network @long', async ({
  page,
  context,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await signIn(page, user)
  await offlineReady(page)
  await context.setOffline(true)
  const line = page.getByRole('main').getByRole('combobox', { name: 'What are you working on?' })
  await page.goto(`/dashboard?text=${'a'.repeat(1_000_000)}`)
  await expect(line).toHaveValue('a'.repeat(255))
  await expect(
    page.getByText('The shared text was too long. The line has its beginning.'),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expectClear(page, 'shared-line')
  await page.goto('/dashboard?title=Plan&url=https%3A%2F%2Fexample.com%2Fplan.html')
  await expect(line).toHaveValue('Plan https://example.com/plan.html')
})

test('an offline session becomes one entry with the right seconds when the network is back', async ({
  page,
  context,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await signIn(page, user)
  await user.create('tasks', { name: 'Write' })
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
  await offlineReady(page)

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Start Write' }).click()
  await expect(page.getByText('Timer stopped: No internet connection detected')).toBeVisible()
  await page.getByRole('button', { name: 'Track offline' }).click()
  const timer = page.getByRole('timer')
  await expect(timer).toHaveText(/^(?!00:0[012])\d\d:\d\d$/)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible()
  const shown = await timer.textContent()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByText('Select a task below to start timing')).toBeVisible()
  await page.reload()
  await expect(page.getByText(/^(Syncing 1…|1 waiting to sync)$/).first()).toBeVisible()

  await context.setOffline(false)
  await expect.poll(() => user.stored('time_entries')).toHaveLength(1)
  const [entry] = await user.stored('time_entries')
  expect(`00:${String(entry?.['durationSeconds']).padStart(2, '0')}`).toBe(shown)
  await expect(page.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
})

test('each public page opens offline @long', async ({ page, context, user, expectConsole }) => {
  expectConsole(FAILED_REQUEST)
  await user.open()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await offlineReady(page)
  await context.setOffline(true)
  await page.goto('/terms')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms of service')
  await page.goto('/privacy')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy policy')
})

test('the service worker caches no reply of the API @long', async ({ page, user }) => {
  await user.open()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await offlineReady(page)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  const kept = await page.evaluate(async () => {
    const caches = await Promise.all(
      (await window.caches.keys()).map((name) => window.caches.open(name)),
    )
    const requests = await Promise.all(caches.map((cache) => cache.keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept).toContain('/app.html')
  expect(kept.filter((path) => path.startsWith('/v1'))).toEqual([])
})

test('a new version waits in every tab while a timer runs or a form is being filled in @long', async ({
  page,
  context,
  server,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const next = mkdtempSync(join(tmpdir(), 'stint-build-'))
  const front = await startFront(server.url, currentBuild())
  try {
    await user.signInThroughApi()
    await user.create('tasks', { name: 'Write' })
    await page.goto(`${front.url}dashboard`)
    await startTimer(page, 'Write')
    await offlineReady(page)
    await page.reload()
    const other = await context.newPage()
    await other.goto(`${front.url}tasks`)
    await other.getByRole('button', { name: 'Add Task' }).first().click()
    await other.getByLabel('Task Name').fill('Half a na')
    await expect(page.getByText('New version')).toBeHidden()

    buildNextVersion(next)
    front.serve(next)
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      await registration?.update()
    })

    await expect(page.getByText('New version')).toBeVisible()
    await expect(other.getByText('New version')).toBeVisible()
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible()
    await expect(other.getByLabel('Task Name')).toHaveValue('Half a na')

    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByText('New version')).toBeHidden()
    await expect(page.getByText('Running', { exact: true }).first()).toBeVisible()
    await page.goto(`${front.url}terms`)
    await expect(page.getByRole('link', { name: 'next@example.com' }).first()).toBeVisible()

    // The other tab was neither reloaded nor broken, though its files were deleted.
    await expect(other.getByLabel('Task Name')).toHaveValue('Half a na')
    await other.getByLabel('Task Name').press('Enter')
    await other.getByRole('link', { name: 'Reports' }).click()
    await expect(other).toHaveURL(/reports$/)
    await expect(other.getByText('Oops! Something Went Wrong')).toBeHidden()
    await other.getByRole('link', { name: 'Tasks' }).click()
    await expect(other.getByRole('link', { name: 'Half a na', exact: true })).toBeVisible()
  } finally {
    await front.close()
    rmSync(next, { recursive: true, force: true })
  }
})

test('Stint works in a subfolder of a site @long', async ({
  page,
  server,
  user,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const build = mkdtempSync(join(tmpdir(), 'stint-build-'))
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts'), build], {
    env: { ...process.env, STINT_BASE: '/time/' },
  })
  const front = await startFront(server.url, build, '/time/')
  try {
    await page.goto(front.url)
    await expect(page.getByRole('timer')).toHaveText(/^(?!24:37)2[4-9]:\d\d$/)
    await page.getByRole('link', { name: 'Get Started for Free' }).click()
    await expect(page).toHaveURL(`${front.url}signup`)
    await user.signInThroughApi()
    await page.goto(`${front.url}dashboard`)
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await offlineReady(page)
    await page.context().setOffline(true)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  } finally {
    await front.close()
    rmSync(build, { recursive: true, force: true })
  }
})

/** Makes a second build, which differs in the support address of a page. */
function buildNextVersion(folder: string): void {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts'), folder], {
    env: { ...process.env, SUPPORT_EMAIL: 'next@example.com' },
  })
}

interface Picture {
  readonly src: string
  readonly sizes: string
  readonly type: string
  readonly purpose?: string
}

function picturesOf(manifest: unknown): Picture[] {
  // A wrong shape fails the assertions on it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { icons, screenshots } = manifest as { icons: Picture[]; screenshots: Picture[] }
  return [...icons, ...screenshots]
}

/** Returns '192x192' from the header of a PNG. */
function pngSize(png: Buffer): string {
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`
}
