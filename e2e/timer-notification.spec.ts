/** The running timer as a notification, and presses in it, also while Stint is closed. */
import type { Page } from '@playwright/test'
import { encodeLog } from '@stint/core/log/codec.ts'
import { nextEvent } from '@stint/core/log/order.ts'
import { newSessionAttributes } from '@stint/core/record/timer-session.ts'
import { startTimer } from '@stint/core/timer/timer.ts'

import { expect, FAILED_REQUEST, signIn, test as base } from './fixtures.ts'
import type { Person } from './fixtures.ts'
import { expectClear } from './looks.ts'
import { startServer } from './server.ts'
import type { RunningServer } from './server.ts'
import { toldDevice } from './told-device.ts'
import type { ToldDevice } from './told-device.ts'

declare global {
  /** The answer of the server to a press that was sent again. */
  var again: unknown
  /** Lets the page register its service worker. */
  var allowWorker: () => void
  /** An open page, as a worker sees it. */
  var WindowClient: { readonly prototype: object }
}

const HOUR = 3_600_000
const SWITCH = 'Show the running timer as a notification on this device'

const test = base.extend<{ device: ToldDevice }, { server: RunningServer }>({
  server: [
    async ({}, use) => {
      const server = await startServer({ WEBHOOKS_ALLOW_PRIVATE: 'on' })
      await use(server)
      await server.remove()
    },
    { scope: 'worker' },
  ],
  device: async ({ context, page }, use) => {
    const device = await toldDevice(context, page)
    await use(device)
    device.close()
  },
})
test.use({ serviceWorkers: 'allow' })

test('the timer is a notification without names, and its buttons work while Stint is closed', async ({
  page,
  context,
  user,
  device,
}) => {
  await user.openWithTasks(['Secret plan'])
  await turnOn(page)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Start Secret plan' }).click()
  await device.receive(1)
  await expectShown(device, { title: /^Running since \d\d:\d\d$/, actions: ['Pause', 'Stop'] })
  await user.ageTimer(20)
  await device.receive(2)
  await expectShown(device, { title: /^Running since (\w+ )?\d\d:\d\d$/, body: '' })

  await context.newPage()
  await page.close()
  await device.press('pause')
  await expectShown(device, { title: /^Paused since \d\d:\d\d$/, actions: ['Resume', 'Stop'] })
  await expect
    .poll(async () => (await user.stored('timer_sessions'))[0])
    .toMatchObject({ isPaused: true })
  await device.press('resume')
  await expectShown(device, { title: /^Running since \d\d:\d\d$/, actions: ['Pause', 'Stop'] })
  await device.press('stop')
  await expectShown(device, { title: /^Stopped at \d\d:\d\d · 20m$/, body: '', actions: [] })
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  const [entry] = await user.stored('time_entries')
  expect(entry?.['durationSeconds']).toBeGreaterThanOrEqual(20 * 60)
  for (const { text } of device.service.received) expect(text).not.toContain('Secret')
})

test('who opens the settings first is offered the notification as soon as the worker is there @long', async ({
  page,
  user,
  device,
}) => {
  await page.addInitScript(() => {
    const { serviceWorker } = navigator
    const register = serviceWorker.register.bind(serviceWorker)
    const allowed = new Promise<void>((resolve) => {
      globalThis.allowWorker = resolve
    })
    serviceWorker.register = async (...call) => {
      await allowed
      return register(...call)
    }
  })
  const asked = page.waitForResponse(/stint\/push$/)
  await user.open('/settings#reminders')
  await asked
  await expect(page.getByLabel('Ask an hour after my day usually ends')).toBeVisible()
  await expect(page.getByLabel(SWITCH)).toHaveCount(0)
  await page.evaluate(() => globalThis.allowWorker())
  await expect(page.getByLabel(SWITCH)).toBeVisible()
  await device.ready()
})

test('a press without a network is sent once, at its instant, when Stint is opened @long', async ({
  page,
  user,
  server,
  device,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await runningFor(20, { page, user, device })
  await server.stop()
  const before = Date.now()
  await device.press('pause')
  await expectShown(device, { title: /^Paused since/, body: 'Will be sent' })
  await device.press('resume')
  await expectShown(device, { title: /^Running since/, body: 'Will be sent' })
  await device.press('stop')
  await expectShown(device, { title: /^Stopped at \d\d:\d\d$/, body: 'Will be sent', actions: [] })
  const after = Date.now()
  await server.start()
  await page.goto('/dashboard')
  await expect(page.getByText('Select a task below to start timing')).toBeVisible()
  await expectShown(device, { title: /^Stopped at \d\d:\d\d · 20m$/, body: '' })
  const [entry, ...others] = await user.stored('time_entries')
  expect(others).toEqual([])
  const end = Date.parse(String(entry?.['endTime']))
  expect(end).toBeGreaterThanOrEqual(before)
  // The age of a press is counted until it is sent, and it takes a moment to arrive.
  expect(end).toBeLessThan(after + 5_000)
  expect(entry?.['pauses']).not.toBe('[]')
})

test('a press whose answer is lost is sent again with the next push, and counts once @long', async ({
  page,
  user,
  device,
}) => {
  await runningFor(20, { page, user, device })
  const worker = await device.worker()
  await worker.evaluate(() => {
    const { fetch: own } = globalThis
    let calls = 0
    globalThis.fetch = async (...call) => {
      calls += 1
      const answer = await own(...call)
      if (calls === 1) throw new TypeError('The answer is lost')
      Object.assign(globalThis, { again: await answer.clone().json() })
      return answer
    }
  })
  await device.press('pause')
  await expectShown(device, { title: /^Paused since/, body: 'Will be sent' })
  // The notification shows the press before it is sent.
  await expect.poll(() => user.stored('timer_sessions')).toMatchObject([{ isPaused: true }])
  const paused = await user.stored('timer_sessions')
  await device.receive(3)
  await expectShown(device, { title: /^Paused since/, body: '' })
  // The push is shown before the press is sent again.
  await expect
    .poll(() => worker.evaluate(() => globalThis.again))
    .toMatchObject({ outcome: 'done', timer: { state: 'paused' } })
  expect(await user.stored('timer_sessions')).toEqual(paused)
})

test('where a press cannot be stored nothing is pressed, and the notification says so @long', async ({
  page,
  user,
  device,
}) => {
  await runningFor(20, { page, user, device })
  const before = await user.stored('timer_sessions')
  await (
    await device.worker()
  ).evaluate(() => {
    IDBObjectStore.prototype.add = () => {
      throw new DOMException('Full', 'QuotaExceededError')
    }
  })
  await device.press('stop')
  await expectShown(device, {
    title: /^Running since/,
    body: 'Your press could not be stored on this device. Nothing has changed.',
    actions: ['Pause', 'Stop'],
  })
  expect(await user.stored('timer_sessions')).toEqual(before)
})

test('a press on a timer that has ended elsewhere changes nothing and says so @long', async ({
  page,
  user,
  device,
}) => {
  await runningFor(20, { page, user, device })
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  const saved = await user.stored('time_entries')
  await device.press('pause')
  await expectShown(device, {
    title: /^Stopped at \d\d:\d\d · 20m$/,
    body: 'The timer had already ended. Your press changed nothing.',
  })
  expect(await user.stored('time_entries')).toEqual(saved)
})

test('an older push does not replace what is shown, and the name of the task is a choice @long', async ({
  page,
  user,
  device,
}) => {
  await user.openWithTasks(['Write'])
  await turnOn(page)
  await page.getByLabel('With the task’s name').check()
  await expect(page.getByLabel('With the task’s name')).toBeEnabled()
  await expectClear(page, 'timer-notification')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Start Write' }).click()
  await device.receive(1)
  await expectShown(device, { title: /^Running since/, body: 'Write' })
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await device.receive(2)
  await expectShown(device, { title: /^Paused since/, body: 'Write' })
  await device.deliver(device.service.received[0]?.text ?? '')
  await expectShown(device, { title: /^Paused since/, body: 'Write' })
})

test('a sign-out closes the notification and leaves nothing of it in the browser @long', async ({
  page,
  user,
  device,
}) => {
  await runningFor(20, { page, user, device })
  await page.goto('/settings#devices')
  await page.getByRole('button', { name: 'Sign out this device only' }).click()
  const dialog = page.getByRole('dialog', { name: 'A timer is still running' })
  await dialog.getByRole('button', { name: 'Keep it running and sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => device.shown()).toEqual([])
  const left = () =>
    page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  await expect.poll(left).not.toContain('stint-timer notification')
  expect(await page.evaluate(() => localStorage.getItem('stint-told'))).toBeNull()
})

test('the switch turns it off again, and the server tells the device nothing more @long', async ({
  page,
  user,
  device,
}) => {
  await runningFor(20, { page, user, device })
  await page.goto('/settings#reminders')
  await page.getByLabel(SWITCH).uncheck()
  await expect(page.getByLabel('With the task’s name')).toHaveCount(0)
  await expect.poll(() => device.shown()).toEqual([])
  const headers = { 'X-Appwrite-Project': 'stint' }
  const told = async () => (await page.request.get('/v1/stint/push', { headers })).json()
  await expect.poll(told).toMatchObject({ devices: [] })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  expect(device.service.received).toHaveLength(2)
})

test('an iPhone in a tab is told to install, and a browser that blocks how to allow @long', async ({
  page,
  user,
}) => {
  await page.addInitScript(() => {
    if (sessionStorage.getItem('blocks') === 'yes') {
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' })
      Notification.requestPermission = async () => 'denied'
      return
    }
    Reflect.deleteProperty(ServiceWorkerRegistration.prototype, 'pushManager')
    Object.defineProperty(navigator, 'standalone', { value: false })
  })
  await user.open('/settings#reminders')
  await expect(
    page.getByText('On an iPhone or iPad, add Stint to the home screen first.'),
  ).toBeVisible()
  await expectClear(page, 'timer-notification-not-installed')
  await page.evaluate(() => sessionStorage.setItem('blocks', 'yes'))
  await page.reload()
  await expect(page.getByLabel(SWITCH)).toHaveAccessibleDescription(
    'Your browser blocks notifications from this site. Allow them in its site settings.',
  )
  await page.getByLabel(SWITCH).click()
  await expect(page.getByText('Your browser didn’t allow notifications.')).toBeVisible()
  await expect(page.getByLabel(SWITCH)).not.toBeChecked()
})

test('where the push service of the browser refuses, the switch stays off and says so @long', async ({
  page,
  user,
  device,
}) => {
  await user.open('/settings#reminders')
  await page.evaluate(() => {
    PushManager.prototype.subscribe = async () => {
      throw new DOMException('Registration failed', 'AbortError')
    }
  })
  await page.getByLabel(SWITCH).click()
  await expect(
    page.getByText('Couldn’t change the notification. Your browser’s push service refused.'),
  ).toBeVisible()
  await expect(page.getByLabel(SWITCH)).not.toBeChecked()
  expect(await page.evaluate(() => localStorage.getItem('stint-told'))).toBeNull()
  expect(device.service.received).toEqual([])
})

test('a press after the sign-in has ended is kept until the next one @long', async ({
  page,
  context,
  user,
  device,
}) => {
  await runningFor(20, { page, user, device })
  await context.newPage()
  await page.close()
  await context.clearCookies()
  await device.press('pause')
  await expectShown(device, {
    title: /^Paused since/,
    body: 'Your press is sent when you sign in to Stint again.',
  })
  const later = await context.newPage()
  await signIn(later, user)
  await expect(later.getByRole('button', { name: 'Resume', exact: true })).toBeVisible()
  await expectShown(device, { title: /^Paused since/, body: '' })
})

test('a press that is unsent at a sign-out is sent after the next sign-in, and nothing is shown @long', async ({
  page,
  user,
  server,
  device,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  await runningFor(20, { page, user, device })
  await page.goto('/settings#devices')
  await server.stop()
  await device.press('stop')
  await expectShown(device, { title: /^Stopped at/, body: 'Will be sent' })
  await page.getByRole('button', { name: 'Sign out this device only' }).click()
  const dialog = page.getByRole('dialog', { name: 'A timer is still running' })
  await dialog.getByRole('button', { name: 'Keep it running and sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => device.shown()).toEqual([])
  await server.start()
  await signIn(page, user)
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  const [entry] = await user.stored('time_entries')
  expect(Math.floor(Number(entry?.['durationSeconds']) / 60)).toBe(20)
  expect(await device.shown()).toEqual([])
  await page.goto('/settings#reminders')
  await expect(page.getByLabel(SWITCH)).not.toBeChecked()
})

test('who has closed Stint is asked whether they still work, and one press stops the timer then @long', async ({
  page,
  user,
  device,
}) => {
  const from = await askedAbout({ page, user, device })
  await expectAsked(device, from)
  await device.press('stop-at')
  await expectShown(device, { title: /^Stopped at .+ · 3h 0m$/, body: '', actions: [] })
  await expect.poll(() => user.stored('timer_sessions')).toEqual([])
  const [entry] = await user.stored('time_entries')
  expect(Date.parse(String(entry?.['endTime']))).toBe(from)
  for (const { text } of device.service.received) expect(text).not.toContain('Secret')
})

test('an answer without a network is kept and sent later, and the time counts @long', async ({
  page,
  user,
  server,
  device,
  expectConsole,
}) => {
  expectConsole(FAILED_REQUEST)
  const from = await askedAbout({ page, user, device })
  await expectAsked(device, from)
  await server.stop()
  const before = Date.now()
  await device.press('keep')
  await expectShown(device, {
    title: /^Running since/,
    body: 'Will be sent',
    actions: ['Pause', 'Stop'],
  })
  const after = Date.now()
  await server.start()
  await page.goto('/dashboard')
  await expectShown(device, { title: /^Running since/, body: '', actions: ['Pause', 'Stop'] })
  await expect(page.getByRole('timer')).toHaveText(/^12:/)
  await expect(page.getByRole('region', { name: 'Still working on' })).toHaveCount(0)
  const until = Number((await questionOf(page)).split(' ')[3])
  expect(until).toBeGreaterThanOrEqual(before - 1000)
  // The age of a press is counted until it is sent, and it takes a moment to arrive.
  expect(until).toBeLessThan(after + 5_000)
})

test('Stint has all answers when it is opened, and the notification follows @long', async ({
  page,
  user,
  device,
}) => {
  const from = await askedAbout({ page, user, device })
  await expectAsked(device, from)
  await page.goto('/dashboard')
  const card = page.getByRole('region', { name: 'Still working on Secret plan?' })
  await expect(card.getByRole('button', { name: /^Stop at / })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Continue from now' })).toBeVisible()
  await card.getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(card).toHaveCount(0)
  await device.receive(3)
  await expectShown(device, { title: /^Running since/, body: '', actions: ['Pause', 'Stop'] })
})

test('a page that is seen asks by itself, and reminders are quiet @long', async ({
  page,
  user,
  device,
}) => {
  await runningFor(20, { page, user, device })
  const [running = ''] = device.service.received.slice(-1).map(({ text }) => text)
  const said = (change: object) => JSON.stringify({ ...JSON.parse(running), ...change })
  const asOf = new Date(Date.now() + 60_000).toISOString()
  const question = new Date(Date.now() - 10 * 60_000).toISOString()
  await device.deliver(said({ asOf, question }))
  await expectShown(device, { title: /^Running since/, actions: ['Pause', 'Stop'] })
  await (
    await device.worker()
  ).evaluate(() => {
    Object.defineProperty(WindowClient.prototype, 'visibilityState', { get: () => 'hidden' })
  })
  const evening = { kind: 'evening', hours: 18, at: question }
  await device.deliver(said({ asOf, reminder: evening }))
  await expectShown(device, {
    title: /^Still working on the task\?$/,
    body: /^It’s past (\w+ )?\d\d:\d\d and the timer is still running\.$/,
    actions: ['Keep', 'Stop'],
  })
  await device.press('keep')
  await expectShown(device, { title: /^Running since/, body: '', actions: ['Pause', 'Stop'] })
  expect(await user.stored('timer_sessions')).toMatchObject([{ isRunning: true }])
  const long = { kind: 'long', hours: 4, at: question }
  await device.deliver(said({ asOf, reminder: long, task: 'Write' }))
  await expectShown(device, {
    title: /^Still working on Write\?$/,
    body: 'The timer has been running for 4 hours.',
    actions: ['Keep', 'Stop'],
  })
  const goal = { kind: 'goal', hours: 2.5, at: question }
  await device.deliver(said({ asOf, reminder: goal }))
  await expectShown(device, {
    title: /^Goal reached\.$/,
    body: '2.5h on the task today.',
    actions: ['Pause', 'Stop'],
  })
})

/** Turns the notification on in the settings. */
async function turnOn(page: Page): Promise<void> {
  await page.goto('/settings#reminders')
  const shows = page.getByLabel(SWITCH)
  await expect(shows).not.toBeChecked()
  await shows.check()
  await expect(page.getByLabel('With the task’s name')).not.toBeChecked()
}

/** Starts a timer that has run for so many minutes, and shows it as a notification. */
async function runningFor(
  minutes: number,
  { page, user, device }: { page: Page; user: Person; device: ToldDevice },
): Promise<void> {
  await user.openWithTasks(['Write'])
  await turnOn(page)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Start Write' }).click()
  await device.receive(1)
  await user.ageTimer(minutes)
  await device.receive(2)
  await expectShown(device, { title: /^Running since/, actions: ['Pause', 'Stop'] })
}

/**
 * Leaves Stint while a timer runs that another device has started: nine hours ago, as of twelve hours ago. Lets ten minutes
 * pass after the server has asked. Returns since when nothing was pressed.
 */
async function askedAbout({
  page,
  user,
  device,
}: {
  page: Page
  user: Person
  device: ToldDevice
}): Promise<number> {
  const [task = ''] = await user.openWithTasks(['Secret plan'])
  await turnOn(page)
  const asks = page.getByLabel('Also ask if I’m still working, and remind me')
  await asks.check()
  const headers = { 'X-Appwrite-Project': 'stint' }
  const told = async () => (await page.request.get('/v1/stint/push', { headers })).json()
  await expect.poll(told).toMatchObject({ devices: [{ isAsked: true }] })
  await device.ready()
  await page.goto('about:blank')
  const now = Date.now()
  const [at, from] = [now - 12 * HOUR, now - 9 * HOUR]
  const action = { kind: 'start', task, note: null, deviceName: 'Elsewhere' } as const
  const log = encodeLog([nextEvent([], 'elsewhere', { action, at, now: from })])
  const owner = { userId: user.id, device: 'Elsewhere' }
  await user.create('timer_sessions', newSessionAttributes(startTimer('', task, at), log, owner))
  await expect.poll(() => questionOf(page)).toMatch(/^\w+ \d+ \d+$/)
  const [session, since, asked] = (await questionOf(page)).split(' ')
  expect(Number(since)).toBe(from)
  await user.setPrefs({ stillWorking: `${session} ${from} ${Number(asked) - 10 * 60_000}` })
  await expect
    .poll(() => JSON.parse(device.service.received.at(-1)?.text ?? '{}').question)
    .toBe(new Date(from).toISOString())
  await device.receive(device.service.received.length)
  return from
}

async function expectAsked(device: ToldDevice, from: number): Promise<void> {
  const clock = new Date(from).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'America/New_York',
  })
  await expectShown(device, {
    title: /^Still working on the task\?$/,
    body: new RegExp(`^No sign of work since (\\w+ )?${clock}\\.$`),
    actions: ['Keep', expect.stringMatching(new RegExp(`^Stop at (\\w+ )?${clock}$`))],
    silent: false,
  })
}

/** Returns the last question of the account. */
async function questionOf(page: Page): Promise<string> {
  const headers = { 'X-Appwrite-Project': 'stint' }
  const prefs = await (await page.request.get('/v1/account/prefs', { headers })).json()
  return String(prefs.stillWorking)
}

interface Expected {
  readonly title: RegExp
  readonly body?: string | RegExp
  /** Texts, or what matches them. */
  readonly actions?: readonly unknown[]
  readonly silent?: boolean
}

/** Waits until exactly one notification is shown, without a sound unless it asks. */
async function expectShown(
  device: ToldDevice,
  { title, body, actions, silent = true }: Expected,
): Promise<void> {
  await expect
    .poll(() => device.shown())
    .toEqual([
      {
        title: expect.stringMatching(title),
        body: body instanceof RegExp ? expect.stringMatching(body) : (body ?? expect.any(String)),
        actions: actions ?? expect.any(Array),
        silent,
      },
    ])
}
