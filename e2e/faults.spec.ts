import type { Page } from '@playwright/test'

import { startFaultProxy } from './fault-proxy.ts'
import type { Call, Fault, FaultProxy } from './fault-proxy.ts'
import { expect, FAILED_REQUEST, RUNNING_FOR_TWO, test } from './fixtures.ts'

/**
 * A bad network: the first try of every call of a session is disturbed, and no time may be lost.
 */
const FAULTS: readonly Fault[] = [
  'drop the request',
  'drop the reply',
  'delay',
  'duplicate',
  'truncate the reply',
]

for (const fault of FAULTS) {
  test(`no second is lost if the network does "${fault}" to the first try of every call @long`, async ({
    page,
    server,
    user,
    expectConsole,
  }) => {
    expectConsole(FAILED_REQUEST)
    const proxy = await startFaultProxy(server.url)
    try {
      await user.signInThroughApi()
      await user.create('tasks', { name: 'Write' })
      await page.goto(`${proxy.url}/dashboard`)
      await expect(page.getByRole('button', { name: 'Start Write' })).toBeEnabled()
      const tried = new Set<string>()
      proxy.harm((call) => {
        const step = stepOf(call)
        if (tried.has(step)) return null
        tried.add(step)
        return fault
      })

      const [least, most] = await stint(page, proxy)

      await expect.poll(() => user.stored('timer_sessions')).toEqual([])
      // A failed start leaves a deleted session.
      const all = await user.stored('time_entries')
      const entries = all.filter((entry) => entry['deletedAt'] === null)
      expect(entries).toHaveLength(1)
      const saved = Number(entries[0]?.['durationSeconds'])
      expect(saved).toBeGreaterThanOrEqual(least)
      expect(saved).toBeLessThanOrEqual(most + 2)
      await expect(page.getByText(/^Syncing|waiting to sync$/)).toHaveCount(0)
    } finally {
      await proxy.close()
    }
  })
}

/** Returns the step of a call: a pause, a resume and a stop change the same session. */
function stepOf({ method, collection, body }: Call): string {
  const change = body.includes('"endTime"')
    ? 'stop'
    : body.includes('"isPaused":true')
      ? 'pause'
      : ''
  return `${method} ${collection} ${method === 'PATCH' ? change : ''}`
}

/**
 * Starts, pauses, resumes and stops, and uses what the banner offers. Returns the shown
 * seconds before Stop, and those when it was done at the latest.
 */
async function stint(page: Page, proxy: FaultProxy): Promise<[number, number]> {
  const timer = page.getByRole('timer')
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  const pause = page.getByRole('button', { name: 'Pause', exact: true })
  const resume = page.getByRole('button', { name: 'Resume', exact: true })
  const trackOffline = page.getByRole('button', { name: 'Track offline' })
  await page.getByRole('button', { name: 'Start Write' }).click()
  // The first try is either confirmed, or it fails and the timer continues offline.
  const running = page.getByRole('region', { name: 'Timer' }).getByText('Running', { exact: true })
  await expect(trackOffline.or(running)).toBeVisible()
  if (await trackOffline.isVisible()) await trackOffline.click()
  await expect(running).toBeVisible()
  await expect(timer).toHaveText(RUNNING_FOR_TWO)
  proxy.cutSockets()
  await pause.click()
  await expect(resume).toBeVisible()
  const paused = secondsOn(await timer.textContent())
  await resume.click()
  await expect(pause).toBeVisible()
  proxy.cutSockets()
  await expect.poll(async () => secondsOn(await timer.textContent())).toBeGreaterThan(paused + 1)
  const shown = secondsOn(await timer.textContent())
  const shownAt = Date.now()
  await stop.click()
  await expect(page.getByText('Select a task below to start timing')).toBeVisible()
  return [shown, shown + (Date.now() - shownAt) / 1000]
}

function secondsOn(clock: string | null): number {
  const [minutes = '0', seconds = '0'] = (clock ?? '').split(':')
  return Number(minutes) * 60 + Number(seconds)
}
