/** 'Still working?' and reminders by push, and the answers. What is due when is in core/src/focus/while-closed.test.ts. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { instantOfClock, localDate } from '@stint/core/time/calendar.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { openTestDatabase } from '@stint/testing/databases.ts'
import { startPushService } from '@stint/testing/push-service.ts'
import type { PushService, TestSubscription } from '@stint/testing/push-service.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import type { Program, TestApp, TestUser } from '@stint/testing/test-app.ts'
import type { Database } from '#storage/database.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LONG = 8 * HOUR
const GRACE = 10 * MINUTE
const ALLOWED = { config: { webhooksAllowPrivate: true } }
const BERLIN = 'Europe/Berlin'
const COLLECTIONS = '/databases/stint/collections'

let db: Database
let server: TestApp
let service: PushService
let ann: TestUser
/** Has a device that is told nothing. */
let bob: TestUser
let program: Program
let began: number
/** How many messages were looked at. */
let seen: number

// A server is for all tests; a person and a push service for each.
beforeAll(async () => {
  db = await openTestDatabase()
  server = await createTestApp({ db, ...ALLOWED })
})
beforeEach(async () => {
  service = await startPushService()
  seen = 0
  server.clock.set(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 9 * HOUR)
  ann = await server.signedInUser()
  program = await server.program(ann)
  bob = await server.signedInUser()
  const device = { ...service.subscribe(), withNames: false }
  await bob.call('PUT', '/stint/push', device)
})
afterEach(() => service.close())
afterAll(async () => {
  await server.close()
  await db.close()
})

describe('the question', () => {
  test('is asked once, on every device that wants it, and an answer on one ends it on all', async () => {
    const laptop = await subscribed()
    const phone = await subscribed(await signedInAgain())
    const { session } = await started()
    await arrived(2)
    const from = await asked()
    expect(await question()).toBe(`${session} ${from} ${from}`)
    const shown = await arrived(2)
    for (const each of shown) {
      expect(each).toMatchObject({ state: 'running', question: wire(from), reminder: null })
    }
    expect(
      service.received
        .slice(2)
        .map(({ endpoint }) => endpoint)
        .toSorted(),
    ).toEqual([laptop.endpoint, phone.endpoint].toSorted())
    server.clock.advance(5 * MINUTE)
    const kept = server.clock.now()
    expect(await answer('keep', { session, from })).toMatchObject({
      body: { outcome: 'done', timer: { state: 'running', question: null } },
    })
    expect(await question()).toBe(`${session} ${from} ${from} ${kept}`)
    for (const each of await arrived(2)) expect(each).toMatchObject({ question: null })
    // Whoever keeps it is asked again after eight hours.
    await asked(LONG)
    expect(await question()).toBe(`${session} ${kept} ${kept + LONG}`)
  })

  test('is asked once by two servers at once, and shown after a restart', async () => {
    await subscribed()
    await subscribed(await signedInAgain())
    const { session } = await started()
    await arrived(2)
    const other = await createTestApp({ db, now: server.clock.now() + 1, ...ALLOWED })
    const otherBob = { ...bob, ...browserOf(bob.cookies, other) }
    other.clock.advance(LONG)
    server.clock.advance(LONG)
    await Promise.all([wake(bob), wake(otherBob)])
    await vi.waitFor(async () => expect(await question()).toBeDefined())
    const once = await question()
    const from = began + LONG
    // The other clock is a millisecond ahead.
    expect([`${session} ${from} ${from}`, `${session} ${from} ${from + 1}`]).toContain(once)
    await other.close()
    await server.close()
    server = await createTestApp({ db, now: from + GRACE + 1, ...ALLOWED })
    ann = { ...ann, ...browserOf(ann.cookies) }
    for (const each of await arrived(2)) expect(each).toMatchObject({ question: wire(from) })
    await vi.waitFor(async () => expect(await due()).toBeNull())
    expect(await question()).toBe(once)
  })

  test.each<[what: string, end: (at: { session: string; from: number }) => Promise<unknown>]>([
    ['is answered', ({ session, from }) => keepOnPage(session, from)],
    ['stops the timer', () => program('POST', '/stop', {})],
    ['pauses it', () => program('POST', '/pause', {})],
  ])('is not shown where somebody %s on an open device', async (_, end) => {
    await subscribed()
    const { session } = await started()
    await arrived()
    const from = await asked(LONG, 0)
    server.clock.advance(GRACE - MINUTE)
    await end({ session, from })
    await vi.waitFor(async () => expect(await due()).not.toBe(stored(from + GRACE)))
    server.clock.advance(2 * MINUTE)
    await program('POST', '/start', { task: 'Read' })
    await vi.waitFor(() =>
      expect(last()).toMatchObject({ state: 'running', since: wire(server.clock.now()) }),
    )
    for (const { text } of service.received) expect(JSON.parse(text).question).toBeNull()
  })

  test.each<
    [what: string, state: string, end: (at: { session: string; from: number }) => Promise<unknown>]
  >([
    ['answered', 'running', ({ session, from }) => keepOnPage(session, from)],
    ['stopped', 'stopped', () => program('POST', '/stop', {})],
    ['paused', 'paused', () => program('POST', '/pause', {})],
  ])('is replaced when the timer is %s elsewhere', async (_, state, end) => {
    const { session, from } = await shownQuestion()
    await end({ session, from })
    expect(await arrived()).toMatchObject([{ state, question: null }])
  })

  test('of an open device is shown to the others as well, once it stays unanswered', async () => {
    await subscribed()
    const { session } = await started()
    await arrived()
    server.clock.advance(HOUR)
    const from = server.clock.now() - 20 * MINUTE
    await changePrefs({ stillWorking: `${session} ${from} ${server.clock.now()}` })
    await vi.waitFor(async () => expect(await due()).toBe(stored(server.clock.now() + GRACE)))
    await pass(GRACE)
    expect(await arrived()).toMatchObject([{ question: wire(from) }])
  })

  test.each<[what: string, prepare: () => Promise<unknown>]>([
    ['of a device that only shows the timer', () => subscribed(ann, null)],
    [
      'where notifications are off',
      async () => {
        await changePrefs({ notifications: false })
        await subscribed()
      },
    ],
  ])('is not asked %s', async (_, prepare) => {
    await prepare()
    await started()
    await arrived()
    await vi.waitFor(async () => expect(await due()).toBeNull())
    server.clock.advance(LONG + GRACE)
    await program('POST', '/stop', {})
    expect(await arrived()).toMatchObject([{ state: 'stopped' }])
    expect(await question()).toBeUndefined()
  })

  test('is not asked of a timer that was pressed within eight hours', async () => {
    await subscribed()
    await started()
    await arrived()
    server.clock.advance(LONG - MINUTE)
    await program('POST', '/pause', {})
    await program('POST', '/resume', {})
    await vi.waitFor(async () => expect(await due()).toBe(stored(server.clock.now() + LONG)))
    server.clock.advance(2 * MINUTE)
    await program('POST', '/stop', {})
    await vi.waitFor(() => expect(last()).toMatchObject({ state: 'stopped' }))
    expect(await question()).toBeUndefined()
  })

  test('is about the usual end of a day, where that is known', async () => {
    await changePrefs({ usualEnd: true, timeZone: 'UTC' })
    const today = server.clock.now() - 9 * HOUR
    for (let day = 1; day <= 5; day++) {
      const [start, end] = [9, 15].map((hour) => wire(today - day * 24 * HOUR + hour * HOUR))
      const saved = await program('POST', '/sessions', { task: 'Write', start, end })
      expect(saved.status).toBe(201)
    }
    await subscribed()
    const { session } = await started()
    const from = today + 15 * HOUR
    await vi.waitFor(async () => expect(await due()).toBe(stored(from + HOUR)))
    await pass(from + HOUR - server.clock.now())
    await vi.waitFor(async () => expect(await question()).toBe(`${session} ${from} ${from + HOUR}`))
  })

  test('is told no device whose address is gone', async () => {
    await subscribed()
    await started()
    await arrived()
    service.answerWith(410)
    await asked()
    await vi.waitFor(async () =>
      expect((await ann.call('GET', '/stint/push')).body.devices).toEqual([]),
    )
  })
})

describe('an answer', () => {
  test('stops the timer when nothing was seen any more, however late it arrives, and once', async () => {
    const { session, from } = await shownQuestion()
    server.clock.advance(5 * HOUR)
    const sent = { session, from, age: 4 * HOUR, id: 'same-press' }
    const answers = await Promise.all([1, 2, 3].map(() => answer('stop-at', sent)))
    for (const { body } of answers) {
      expect(body).toMatchObject({
        outcome: 'done',
        timer: { state: 'stopped', since: wire(from), seconds: LONG / 1000 },
      })
    }
    expect((await answer('stop-at', sent)).body.outcome).toBe('done')
    expect(await saved()).toEqual([{ start: wire(began), end: wire(from), seconds: LONG / 1000 }])
  })

  test.each<[what: string, age: number, outcome: string]>([
    ['after it was answered', 0, 'answered'],
    ['before it was answered', 30 * MINUTE, 'answered'],
  ])('that was pressed %s elsewhere changes nothing', async (_, age, outcome) => {
    const { session, from } = await shownQuestion()
    server.clock.advance(20 * MINUTE)
    await keepOnPage(session, from)
    server.clock.advance(20 * MINUTE)
    const before = await record()
    expect((await answer('stop-at', { session, from, age })).body).toMatchObject({
      outcome,
      timer: { state: 'running' },
    })
    expect(await record()).toEqual(before)
    expect((await answer('keep', { session, from, age })).body.outcome).toBe('done')
    expect(await record()).toEqual(before)
  })

  test('to another question than the open one changes nothing', async () => {
    const { session, from } = await shownQuestion()
    const before = await record()
    expect((await answer('stop-at', { session, from: from - HOUR })).body.outcome).toBe('answered')
    expect((await answer('keep', { session, from: from - HOUR })).body).toMatchObject({
      outcome: 'done',
      timer: { question: wire(from) },
    })
    expect(await record()).toEqual(before)
  })

  test.each(['keep', 'stop-at'] as const)(
    '%s to a timer that was stopped elsewhere says so',
    async (press) => {
      const { session, from } = await shownQuestion()
      await program('POST', '/stop', {})
      const before = await record()
      server.clock.advance(HOUR)
      expect((await answer(press, { session, from, age: HOUR + MINUTE })).body).toMatchObject({
        outcome: 'ended',
        timer: { state: 'stopped' },
      })
      expect(await record()).toEqual(before)
    },
  )

  test('that was pressed after a pause elsewhere changes nothing', async () => {
    const { session, from } = await shownQuestion()
    await program('POST', '/pause', {})
    server.clock.advance(HOUR)
    const before = await record()
    expect((await answer('stop-at', { session, from, age: MINUTE })).body).toMatchObject({
      outcome: 'answered',
      timer: { state: 'paused' },
    })
    expect(await record()).toEqual(before)
  })

  test('that was pressed before a pause elsewhere counts, as on a device that was offline', async () => {
    const { session, from } = await shownQuestion()
    server.clock.advance(10 * MINUTE)
    await program('POST', '/pause', {})
    server.clock.advance(HOUR)
    const late = { session, from, age: HOUR + 5 * MINUTE }
    expect((await answer('stop-at', late)).body).toMatchObject({
      outcome: 'done',
      timer: { state: 'stopped' },
    })
    expect(await saved()).toEqual([{ start: wire(began), end: wire(from), seconds: LONG / 1000 }])
  })

  test('of another person finds no question', async () => {
    const { session, from } = await shownQuestion()
    const bob = await server.signedInUser()
    const before = await record()
    for (const press of ['keep', 'stop-at'] as const) {
      expect((await answer(press, { session, from }, bob)).body).toMatchObject({
        outcome: 'ended',
        timer: { state: 'none' },
      })
    }
    expect(await record()).toEqual(before)
  })

  test.each([{ from: undefined }, { from: 'yesterday' }])(
    'without its question is refused: %j',
    async (wrong) => {
      const body = { id: 'some-press', session: 'abc', press: 'keep', age: 0, ...wrong }
      expect(await ann.call('POST', '/stint/push/presses', body)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('`from`') },
      })
    },
  )
})

describe('a reminder', () => {
  test('comes once, with no name, in the zone of the device', async () => {
    await changePrefs({ longRunningHours: 4, eveningHour: 18 })
    await subscribed(ann, BERLIN)
    await started('Secret plan')
    await arrived()
    await lookAt(began + 4 * HOUR)
    const four = { kind: 'long', hours: 4, at: wire(began + 4 * HOUR) }
    expect(await arrived()).toMatchObject([{ state: 'running', reminder: four }])
    await lookAt(instantOfClock(localDate(began, dayRuleOf(BERLIN)), 18 * 3600, BERLIN))
    expect(await arrived()).toMatchObject([{ reminder: { kind: 'evening', hours: 18 } }])
    await program('POST', '/stop', {})
    expect(await arrived()).toMatchObject([{ state: 'stopped', reminder: null }])
    for (const { text } of service.received) expect(text).not.toContain('Secret')
  })

  test('says that a goal is reached', async () => {
    await changePrefs({ goalReached: true })
    const { task } = await started()
    await ann.call('PATCH', `${COLLECTIONS}/tasks/documents/${task}`, { data: { goalHours: 2 } })
    await subscribed()
    await arrived()
    await lookAt(began + 2 * HOUR)
    expect(await arrived()).toMatchObject([{ reminder: { kind: 'goal', hours: 2 } }])
  })

  test('is sent again where the push service failed, and not after half an hour', async () => {
    await changePrefs({ longRunningHours: 2 })
    await subscribed()
    await started()
    await arrived()
    service.answerWith(503)
    await lookAt(began + 2 * HOUR)
    await arrived()
    await lookAt(began + 2 * HOUR + MINUTE / 2)
    await arrived()
    service.answerWith(201)
    await lookAt(began + 2 * HOUR + MINUTE / 2 + 5 * MINUTE)
    expect(await arrived()).toMatchObject([{ reminder: { hours: 2 } }])
    await vi.waitFor(async () => expect(await due()).toBe(stored(began + 4 * HOUR)))
    await pass(3 * HOUR)
    await vi.waitFor(async () => expect(await due()).toBe(stored(began + LONG)))
    expect(service.received).toHaveLength(seen)
  })
})

test('the zone of a device must be one', async () => {
  const device = { ...service.subscribe(), withNames: false }
  expect(await ann.call('PUT', '/stint/push', { ...device, timeZone: 'Atlantis' })).toMatchObject({
    status: 400,
  })
  expect((await ann.call('PUT', '/stint/push', { ...device, timeZone: null })).status).toBe(204)
  const told = async () => (await ann.call('GET', '/stint/push')).body.devices
  expect(await told()).toMatchObject([{ isAsked: false }])
  expect((await ann.call('PUT', '/stint/push', { ...device, timeZone: 'UTC' })).status).toBe(204)
  expect(await told()).toMatchObject([{ isAsked: true }])
})

/** Has a device of Ann show the question about a timer that has run for eight hours. */
async function shownQuestion(): Promise<{ session: string; from: number }> {
  await subscribed()
  const { session } = await started()
  await arrived()
  const from = await asked()
  expect(await arrived()).toMatchObject([{ question: wire(from) }])
  server.clock.advance(MINUTE)
  return { session, from }
}

/** Lets time pass until the account is asked and, after the grace, devices are. Returns when it was asked. */
async function asked(wait = LONG, grace = GRACE): Promise<number> {
  const before = await question()
  // The device is due when it looks next, and no earlier.
  await vi.waitFor(async () =>
    expect(Date.parse(String(await due()))).toBeGreaterThan(server.clock.now()),
  )
  await pass(wait)
  await vi.waitFor(async () => expect(await question()).not.toBe(before))
  const at = server.clock.now()
  await vi.waitFor(async () => expect(await due()).toBe(stored(at + GRACE)))
  await pass(grace)
  return at
}

/** Moves the clock to when the device looks next. */
async function lookAt(at: number): Promise<void> {
  await vi.waitFor(async () => expect(await due()).toBe(stored(at)))
  await pass(at - server.clock.now())
}

/** Lets time pass, after which the server looks at what is due at once: what another person does wakes it. */
async function pass(wait: number): Promise<void> {
  server.clock.advance(wait)
  await wake(bob)
}

async function wake(person: TestUser): Promise<void> {
  const data = { name: 'Wake', userId: person.id }
  const task = { documentId: 'unique()', data }
  const { status } = await person.call('POST', `${COLLECTIONS}/tasks/documents`, task)
  expect(status).toBe(201)
}

async function subscribed(user = ann, timeZone: string | null = 'UTC'): Promise<TestSubscription> {
  const device = service.subscribe()
  const body = { ...device, withNames: false, timeZone }
  expect((await user.call('PUT', '/stint/push', body)).status).toBe(204)
  return device
}

async function started(task = 'Write'): Promise<{ session: string; task: string }> {
  began = server.clock.now()
  const { timer } = (await program('POST', '/start', { task })).body
  return { session: timer.id, task: timer.task.id }
}

/** Waits until so many more messages have arrived, and no other one. */
async function arrived(count = 1) {
  await vi.waitFor(() => expect(service.received.length).toBeGreaterThanOrEqual(seen + count))
  expect(service.received).toHaveLength(seen + count)
  seen += count
  return service.received.slice(-count).map(({ text }) => JSON.parse(text))
}

/** Returns the last message. */
function last() {
  return JSON.parse(service.received.at(-1)?.text ?? 'null')
}

let presses = 0

function answer(
  press: 'keep' | 'stop-at',
  {
    session,
    from,
    age = 0,
    id = `answer-${++presses}`,
  }: { session: string; from: number; age?: number; id?: string },
  user = ann,
) {
  const body = { id, session, press, from: wire(from), age }
  return user.call('POST', '/stint/push/presses', body)
}

/** Answers as an open page does. */
function keepOnPage(session: string, from: number) {
  return changePrefs({ stillWorking: `${session} ${from} ${from} ${server.clock.now()}` })
}

async function changePrefs(changes: object): Promise<void> {
  const prefs = { ...(await ann.call('GET', '/account/prefs')).body, ...changes }
  expect((await ann.call('PATCH', '/account/prefs', { prefs })).status).toBe(200)
}

async function question(): Promise<string | undefined> {
  return (await ann.call('GET', '/account/prefs')).body.stillWorking
}

async function saved() {
  const { documents } = (await ann.call('GET', `${COLLECTIONS}/time_entries/documents`)).body
  return documents.map((each: { startTime: string; endTime: string; durationSeconds: number }) => ({
    start: new Date(each.startTime).toISOString(),
    end: new Date(each.endTime).toISOString(),
    seconds: each.durationSeconds,
  }))
}

/** Returns everything that an answer could change. */
async function record() {
  const sessions = await ann.call('GET', `${COLLECTIONS}/timer_sessions/documents`)
  const entries = await ann.call('GET', `${COLLECTIONS}/time_entries/documents`)
  return [sessions.body.documents, entries.body.documents, await question()]
}

async function due(): Promise<string | null | undefined> {
  const { build } = db
  const [device] = await db.read(
    build.selectFrom('push_subscriptions').select('due_at').where('user_id', '=', ann.id),
  )
  return device?.due_at
}

async function signedInAgain(): Promise<TestUser> {
  const { email, password } = ann
  const browser = server.newBrowser()
  const { status } = await browser.call('POST', '/account/sessions/email', { email, password })
  expect(status).toBe(201)
  return { ...ann, ...browser }
}

/** Returns a browser with the same cookies. */
function browserOf(cookies: TestUser['cookies'], app = server) {
  const browser = app.newBrowser()
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return browser
}

function wire(at: number): string {
  return new Date(at).toISOString()
}

function stored(at: number): string {
  return wire(at).replace('Z', '+00:00')
}
