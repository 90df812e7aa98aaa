/**
 * Benchmarks in a real Chromium on the built app: a second of the running timer, storing a page of
 * synced documents in the local database, and the load of each route.
 */
import { chromium } from '@playwright/test'
import type { Browser, BrowserContext, Page } from '@playwright/test'

import { createDocument, createUser, signInThroughApi } from '../e2e/backend.ts'
import { startServer } from '../e2e/server.ts'
import type { RunningServer } from '../e2e/server.ts'
import { CHROMIUM_ARGUMENTS } from '../scripts/chromium-arguments.ts'

export interface BrowserResult {
  readonly tick: TickResult
  readonly apply: ApplyResult
  readonly routes: readonly RouteResult[]
}

interface TickResult {
  /** React components that are rendered in a second of the timer. */
  readonly components: number
  /** Processor time of the page's main thread, painting included. */
  readonly milliseconds: number
}

interface ApplyResult {
  readonly documents: number
  /** The time from the last byte of a page of history to the request of the next one; median. */
  readonly milliseconds: number
}

interface RouteResult {
  readonly path: string
  readonly requests: number
  /** As received over the network, headers included. */
  readonly bytes: number
}

const TICKS = 15
const PAGES = 6
const PAGE = 1000
const ROUTES = ['/', '/login', '/dashboard', '/tasks', '/reports']

/** Runs the benchmarks with the browser at `executablePath` and prints the results. */
export async function benchBrowser(executablePath: string): Promise<BrowserResult> {
  const server = await startServer()
  const browser = await chromium.launch({
    executablePath,
    args: [...CHROMIUM_ARGUMENTS],
  })
  try {
    const tick = {
      components: await withUser(browser, server, countComponents),
      milliseconds: await withUser(browser, server, measureTick),
    }
    console.log(
      `a second of the timer: ${tick.components} components, ${tick.milliseconds.toFixed(2)} ms`,
    )
    const apply = await withUser(browser, server, measureApply)
    console.log(`a page of ${apply.documents} documents: ${apply.milliseconds.toFixed(0)} ms`)
    const routes: RouteResult[] = []
    for (const path of ROUTES) {
      const route = await withUser(
        browser,
        server,
        (page) => measureRoute(page, path),
        !['/', '/login'].includes(path),
      )
      console.log(`${path}: ${route.requests} requests, ${(route.bytes / 1000).toFixed(0)} KB`)
      routes.push(route)
    }
    return { tick, apply, routes }
  } finally {
    await browser.close()
    await server.remove()
  }
}

interface BenchUser {
  readonly context: BrowserContext
  readonly server: RunningServer
  readonly userId: string
}

async function withUser<Result>(
  browser: Browser,
  server: RunningServer,
  work: (page: Page, user: BenchUser) => Promise<Result>,
  isSignedIn = true,
): Promise<Result> {
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
  try {
    const user = await createUser(context.request, server.url)
    if (isSignedIn) await signInThroughApi(context.request, server.url, user)
    return await work(await context.newPage(), { context, server, userId: user.id })
  } finally {
    await context.close()
  }
}

/** Returns the processor time of the main thread for a second of the timer, in milliseconds. */
async function measureTick(page: Page, user: BenchUser): Promise<number> {
  await showTimer(page, user)
  const session = await user.context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const taskSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN
  }
  const before = await taskSeconds()
  await page.waitForTimeout(TICKS * 1000)
  return (((await taskSeconds()) - before) * 1000) / TICKS
}

/**
 * Returns the number of components that are rendered in a second of the timer. Counting takes time,
 * so nothing else is measured.
 */
async function countComponents(page: Page, user: BenchUser): Promise<number> {
  await page.addInitScript(countRenders)
  await showTimer(page, user)
  const renders = () => page.evaluate<number>('window.renders')
  const before = await renders()
  await page.waitForTimeout(TICKS * 1000)
  return Math.round(((await renders()) - before) / TICKS)
}

/** Opens the dashboard with a running timer and waits until it is idle. */
async function showTimer(page: Page, { context, server, userId }: BenchUser): Promise<void> {
  const { request } = context
  const task = await createDocument(request, server.url, 'tasks', { name: 'Write', userId })
  await createDocument(request, server.url, 'timer_sessions', {
    userId,
    taskId: task.$id,
    startTime: new Date(Date.now() - 120_000).toISOString(),
  })
  await page.goto('/dashboard')
  await page
    .getByText(/^02:\d\d$/)
    .first()
    .waitFor()
  // Other work of the page (sync, the service worker) is done by then.
  await page.waitForTimeout(5000)
}

/** Runs in the page before React. Counts components as the developer tools do. */
function countRenders(): void {
  interface Fiber {
    readonly tag: number
    readonly flags: number
    readonly alternate: Fiber | null
    readonly child: Fiber | null
    readonly sibling: Fiber | null
  }
  // The tags of functions, classes, memo and forwardRef.
  const components = new Set([0, 1, 11, 14, 15])
  const counted = { renders: 0 }
  Object.defineProperty(window, 'renders', { get: () => counted.renders })
  const visit = (next: Fiber, previous: Fiber | null): void => {
    if (next === previous) return
    const isRendered = previous === null || (next.flags & 1) === 1
    if (components.has(next.tag) && isRendered) counted.renders += 1
    if (previous !== null && next.child === previous.child) return
    for (let child = next.child; child !== null; child = child.sibling) {
      visit(child, child.alternate)
    }
  }
  const hook = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {},
    onCommitFiberRoot: (_: number, root: { readonly current: Fiber }) => {
      visit(root.current, root.current.alternate)
    },
  }
  Object.defineProperty(window, '__REACT_DEVTOOLS_GLOBAL_HOOK__', { value: hook })
}

/** Measures the pull of a history page by page. Between two pages the app only stores one. */
async function measureApply(page: Page, { context, userId }: BenchUser): Promise<ApplyResult> {
  let served = 0
  await page.route('**/collections/time_entries/documents**', async (route) => {
    const isPage = route
      .request()
      .url()
      .includes(encodeURIComponent(`"values":[${PAGE}]`))
    if (route.request().method() !== 'GET' || served > PAGES * PAGE) return route.continue()
    const count = isPage ? PAGE : 100
    const documents = Array.from({ length: served === PAGES * PAGE ? 0 : count }, (_, index) =>
      entryDocument(served + index, userId),
    )
    served += isPage ? PAGE : 0
    return route.fulfill({ json: { total: PAGES * PAGE, documents } })
  })
  const asked: number[] = []
  const answered: number[] = []
  page.on('request', (request) => {
    if (request.url().includes('time_entries')) asked.push(performance.now())
  })
  page.on('requestfinished', (request) => {
    if (request.url().includes('time_entries')) answered.push(performance.now())
  })
  await page.goto('/dashboard')
  while (answered.length < PAGES) await page.waitForTimeout(100)
  const gaps = answered
    .slice(1, PAGES - 1)
    .flatMap((at) => asked.find((next) => next > at) ?? [])
    .map((next, index) => next - (answered[index + 1] ?? NaN))
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  return {
    documents: PAGE,
    milliseconds: gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? NaN,
  }
}

/** Returns the entry with this index, newest first, an hour apart. */
function entryDocument(index: number, userId: string) {
  const end = Date.now() - index * 3_600_000
  return {
    $sequence: String(1_000_000 - index),
    $id: `page${index}`,
    $createdAt: wireText(end),
    $updatedAt: wireText(end),
    $permissions: [`read("user:${userId}")`],
    $databaseId: 'stint',
    $collectionId: 'time_entries',
    taskId: 'task',
    userId,
    startTime: wireText(end - 1_800_000),
    endTime: wireText(end),
    entryType: 'timer',
    durationSeconds: 1800,
    date: null,
    sessionId: `page${index}`,
    pauses: null,
    note: null,
    deletedAt: null,
  }
}

function wireText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '+00:00')
}

/** Measures everything that a page loads, until no request is left. */
async function measureRoute(page: Page, path: string): Promise<RouteResult> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let [requests, bytes] = [0, 0]
  session.on('Network.requestWillBeSent', () => void (requests += 1))
  session.on(
    'Network.loadingFinished',
    ({ encodedDataLength }) => void (bytes += encodedDataLength),
  )
  await page.goto(path, { waitUntil: 'networkidle' })
  return { path, requests, bytes }
}
