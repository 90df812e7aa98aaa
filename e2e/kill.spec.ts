import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { chromium } from '@playwright/test'
import type { BrowserContext, Cookie, Page } from '@playwright/test'

import { CHROMIUM_ARGUMENTS } from '../scripts/chromium-arguments.ts'
import { createDocument, listDocuments, signInThroughApi } from './backend.ts'
import { startFaultProxy } from './fault-proxy.ts'
import type { Call, Fault, FaultProxy } from './fault-proxy.ts'
import { expect, RUNNING_FOR_TWO, startTimer, test } from './fixtures.ts'

/** How often each point is tried; set KILL_ROUNDS=30 for a long run. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 1)

interface Point {
  readonly name: string
  /** The call at which the browser is killed, and whether the server has received it. */
  readonly at: ((call: Call) => boolean) | null
  readonly fault: Fault
  readonly press: 'start' | 'pause' | 'stop'
  readonly found: 'running' | 'paused' | 'saved'
}

const isStart = ({ method, collection }: Call) =>
  method === 'POST' && collection === 'timer_sessions'
const isChange = ({ method, collection, body }: Call) =>
  method === 'PATCH' && collection === 'timer_sessions' && body !== ''
const isEntry = ({ method, collection }: Call) => method === 'POST' && collection === 'time_entries'
const isSweep = ({ method, collection }: Call) =>
  method === 'DELETE' && collection === 'timer_sessions'

const POINTS: readonly Point[] = [
  {
    name: 'the start was not heard',
    at: isStart,
    fault: 'hold the request',
    press: 'start',
    found: 'running',
  },
  {
    name: 'the start was not answered',
    at: isStart,
    fault: 'hold the reply',
    press: 'start',
    found: 'running',
  },
  { name: 'it ran', at: null, fault: 'hold the reply', press: 'start', found: 'running' },
  {
    name: 'the pause was not answered',
    at: isChange,
    fault: 'hold the reply',
    press: 'pause',
    found: 'paused',
  },
  {
    name: 'the stop was not answered',
    at: isChange,
    fault: 'hold the reply',
    press: 'stop',
    found: 'saved',
  },
  {
    name: 'the entry was not answered',
    at: isEntry,
    fault: 'hold the reply',
    press: 'stop',
    found: 'saved',
  },
  {
    name: 'the sweep was not answered',
    at: isSweep,
    fault: 'hold the reply',
    press: 'stop',
    found: 'saved',
  },
]

for (const point of POINTS) {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const title = `a browser killed when ${point.name} finds the timer ${point.found} when it is back @long`
    test(ROUNDS === 1 ? title : `${title}, round ${round}`, async ({ request, server, user }) => {
      const proxy = await startFaultProxy(server.url)
      const profile = mkdtempSync(join(tmpdir(), 'stint-profile-'))
      let browser = await startBrowser(profile)
      try {
        await signInThroughApi(request, server.url, user)
        await createDocument(request, server.url, 'tasks', { name: 'Write', userId: user.id })
        const { cookies } = await request.storageState()
        const page = await openDashboard(browser.context, cookies, proxy.url)
        const pressed = await pressAndReach(page, proxy, point)
        await browser.kill()

        proxy.harm(() => null)
        browser = await startBrowser(profile)
        const back = await openDashboard(browser.context, cookies, proxy.url)
        await expectThatNothingIsLost(back, point, pressed)
        const isActive = point.found !== 'saved'
        if (isActive) await back.getByRole('button', { name: 'Stop', exact: true }).click()
        await expect.poll(() => listDocuments(request, server.url, 'timer_sessions')).toEqual([])
        const entries = await listDocuments(request, server.url, 'time_entries')
        expect(entries).toHaveLength(1)
        const start = Date.parse(String(entries[0]?.['startTime']))
        expect(Math.abs(start - pressed.startedAt)).toBeLessThanOrEqual(1000)
        if (point.found === 'saved') {
          const seconds = Number(entries[0]?.['durationSeconds'])
          expect(seconds).toBeGreaterThanOrEqual(pressed.seconds - 1)
          expect(seconds).toBeLessThanOrEqual(pressed.atMost + 1)
        }
      } finally {
        await browser.kill()
        await proxy.close()
        rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
      }
    })
  }
}

interface Pressed {
  /** The seconds on the timer before it was pressed, and at most when the page handled it. */
  readonly seconds: number
  readonly atMost: number
  /** When Start was clicked, in epoch milliseconds. */
  readonly startedAt: number
}

/** Performs the steps up to the point; resolves when the proxy has the call. */
async function pressAndReach(page: Page, proxy: FaultProxy, point: Point): Promise<Pressed> {
  const reached = Promise.withResolvers<void>()
  const arm = () =>
    proxy.harm((call) => {
      if (point.at?.(call) !== true) return null
      reached.resolve()
      return point.fault
    })
  const timer = page.getByRole('timer')
  // On a loaded machine, the page handles a click long after the test has asked for it.
  await page.evaluate(() =>
    addEventListener(
      'click',
      () => void (document.documentElement.dataset['startedAt'] = String(Date.now())),
      { capture: true, once: true },
    ),
  )
  if (point.press === 'start' && point.at) {
    arm()
    await page.getByRole('button', { name: 'Start Write' }).click()
    await expect(timer).toHaveText(RUNNING_FOR_TWO)
  } else {
    await startTimer(page, 'Write')
    await expect(timer).toHaveText(RUNNING_FOR_TWO)
    arm()
    if (point.press === 'pause') await page.getByRole('button', { name: 'Pause' }).click()
  }
  const startedAt = Number(await page.evaluate(() => document.documentElement.dataset['startedAt']))
  const seconds = secondsOn(await timer.textContent())
  if (point.press === 'stop') await page.getByRole('button', { name: 'Stop', exact: true }).click()
  if (point.at) await reached.promise
  return { seconds, atMost: (Date.now() - startedAt) / 1000, startedAt }
}

async function expectThatNothingIsLost(page: Page, point: Point, pressed: Pressed): Promise<void> {
  const timer = page.getByRole('timer')
  switch (point.found) {
    case 'running': {
      await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
      await expect(page.getByText('Creating...')).toHaveCount(0)
      // Both are whole seconds of the clock, read one after the other.
      await expect(async () => {
        const shown = secondsOn(await timer.textContent())
        expect(Math.abs(shown - (Date.now() - pressed.startedAt) / 1000)).toBeLessThanOrEqual(2)
      }).toPass()
      return
    }
    case 'paused':
      await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible()
      expect(Math.abs(secondsOn(await timer.textContent()) - pressed.seconds)).toBeLessThanOrEqual(
        1,
      )
      return
    case 'saved':
      await expect(page.getByText('Select a task below to start timing')).toBeVisible()
  }
}

/** Starts a Chromium as a process group that can be killed at once. */
async function startBrowser(profile: string): Promise<{
  readonly context: BrowserContext
  kill(): Promise<void>
}> {
  const path = process.env['CHROMIUM'] ?? chromium.executablePath()
  const child = spawn(
    path,
    [
      ...CHROMIUM_ARGUMENTS,
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const exited = once(child, 'exit')
  const endpoint = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString()
      const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.once('exit', () => reject(new Error(`Chromium ended: ${said}`)))
  })
  const browser = await chromium.connectOverCDP(endpoint)
  const context = browser.contexts()[0]
  if (!context) throw new Error('Chromium has no window')
  return {
    context,
    async kill() {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
        process.kill(-child.pid, 'SIGKILL')
      }
      await exited
      await browser.close().catch(() => undefined)
    },
  }
}

/** Restores the earlier sign-in, since Chromium writes cookies to disk with a delay. */
async function openDashboard(
  context: BrowserContext,
  cookies: readonly Cookie[],
  url: string,
): Promise<Page> {
  await context.addCookies([...cookies])
  const page = await context.newPage()
  await page.goto(`${url}/dashboard`)
  return page
}

function secondsOn(clock: string | null): number {
  const [minutes = '0', seconds = '0'] = (clock ?? '').split(':')
  return Number(minutes) * 60 + Number(seconds)
}
