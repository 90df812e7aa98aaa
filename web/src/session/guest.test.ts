/**
 * A record without an account, and what becomes of it at a sign-up and at a sign-in, against the real server in memory.
 */
import { pause, resume, start, stop } from '@stint/core/device/timer.ts'
import { addTask } from '@stint/core/device/tasks.ts'
import { changePrefs } from '@stint/core/device/edits.ts'
import { runsOf } from '@stint/testing/size.ts'
import { createTestApp, TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'
import { MAX_TEST } from '@stint/testing/waits.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { createAppwriteBackend } from '#backend/appwrite-backend.ts'
import { emptyRecord } from '#record/empty-record.ts'
import { openRecord } from '#record/record.ts'
import type { LocalRecord } from '#record/record.ts'
import { queueLocks } from '#session/locks.ts'
import type { WithLock } from '#sync/context.ts'
import { rightClock } from '#test/right-clock.ts'

import { createSession } from './session.ts'
import type { GuestOffer } from './session-state.ts'
import type { Session } from './session.ts'

vi.mock(import('#record/empty-record.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return { ...original, emptyRecord: vi.fn<typeof emptyRecord>(original.emptyRecord) }
})

const MINUTE = 60_000

let server: TestApp
let tabs: Session[]
let withLock: WithLock
let people = 0

beforeAll(async () => {
  server = await createTestApp()
})

afterAll(() => server.close())

beforeEach(() => {
  tabs = []
  withLock = queueLocks()
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) =>
    server.browser.fetch(input, init),
  )
})

afterEach(async () => {
  for (const tab of tabs) tab.close()
  await openTab().resetStorage()
  for (const tab of tabs) tab.close()
  sessionStorage.clear()
  await server.browser.call('DELETE', '/account/sessions')
  vi.unstubAllGlobals()
})

describe('without an account', () => {
  test('presses are kept, and the record is there again when the app is opened', async () => {
    const tab = await tryOut()
    await track(tab, 'Write', 25)
    await startOn(tab, 'Read')
    expect(stateOf(tab)).toMatchObject({ isGuest: true, user: { name: '', email: '' } })
    expect(stateOf(tab).record.value('banner')).toBeUndefined()
    tab.close()

    const later = openTab()
    await later.start(true)
    const { record } = stateOf(later)
    expect(record.entries()).toMatchObject([{ durationSeconds: 1500 }])
    expect(record.value('timer')?.timer.status).toBe('running')
  })

  test('a visitor of a public page, and somebody with a sign-in, do not get it', async () => {
    const tab = await tryOut()
    tab.close()
    const visitor = openTab()
    await visitor.start(false)
    expect(visitor.state.get().status).toBe('signed-out')
    const ada = openTab()
    await ada.signUp(person())
    ada.close()
    const again = openTab()
    await again.start(true, true)
    expect(stateOf(again).isGuest).toBeUndefined()
  })

  test('leaving keeps it, and deleting it ends it in every tab', async () => {
    const tab = await tryOut()
    await track(tab, 'Write', 5)
    await tab.leaveGuest({ deletes: false })
    expect(tab.state.get().status).toBe('signed-out')
    const again = openTab()
    await again.start(true)
    const other = openTab()
    await other.start(true)
    expect(stateOf(other).record.entries()).toHaveLength(1)

    await again.leaveGuest({ deletes: true })
    await vi.waitFor(() => expect(other.state.get().status).toBe('signed-out'), { interval: 1 })
    const last = openTab()
    await last.start(true)
    expect(last.state.get().status).toBe('signed-out')
    await last.tryOut()
    expect(stateOf(last).record.entries()).toEqual([])
  })
})

describe('a sign-up', () => {
  test('adopts tasks, sessions, settings and the running timer, and the guest is gone', async () => {
    const tab = await tryOut()
    await track(tab, 'Write', 25)
    await stateOf(tab).record.write((draft) => changePrefs(draft, { durationFormat: 'decimal' }))
    await startOn(tab, 'Read')
    await tab.signUp(person())

    const { record, isGuest } = stateOf(tab)
    expect(isGuest).toBeUndefined()
    expect(record.value('timer')?.timer.status).toBe('running')
    await sent(record)
    expect(await documents('time_entries')).toMatchObject([{ durationSeconds: 1500 }])
    expect(await documents('timer_sessions')).toMatchObject([{ isRunning: true }])
    expect((await documents('tasks')).map(({ name }) => name)).toEqual(['Write', 'Read'])
    const { body } = await server.browser.call('GET', '/account/prefs')
    expect(body).toEqual({ durationFormat: 'decimal' })
    expect(await tab.hasGuest()).toBe(false)
  })

  test('in two tabs at once adds everything once', async () => {
    const tab = await tryOut()
    await track(tab, 'Write', 25)
    const other = openTab()
    await other.start(true)
    await track(other, 'Read', 10)
    await tab.signUp(person())
    await vi.waitFor(() => expect(stateOf(other).isGuest).toBeUndefined(), { interval: 1 })
    const offers = await Promise.all([tab.guestOffer(), other.guestOffer()])
    await Promise.all(offers.map(async (offer) => offer?.add({ withSettings: false })))
    await sent(stateOf(tab).record)
    await sent(stateOf(other).record)
    expect((await documents('time_entries')).map(seconds).toSorted(ascending)).toEqual([600, 1500])
  })

  test('counts a stop that another window presses meanwhile', async () => {
    const ada = person()
    const tab = openTab()
    await tab.signUp(ada)
    await tab.signOut()
    await tab.tryOut()
    const { name, clock } = stateOf(tab).record
    await startOn(tab, 'Write')
    await tab.signIn({ ...ada, rememberMe: true })
    const { record } = stateOf(tab)
    const window = await openRecord(name, { clock, device: 'test' })
    const offer = await offerOf(tab)
    const write = record.write.bind(record)
    let isPressed = false
    vi.spyOn(record, 'write').mockImplementation(async (change) => {
      const result = await write(change)
      if (isPressed || !record.value('timer')) return result
      isPressed = true
      server.clock.advance(25 * MINUTE)
      await window.write((draft) => stop(draft))
      return result
    })
    await offer.add({ withSettings: true })
    expect(isPressed).toBe(true)
    window.close()
    await sent(record)
    expect(record.value('timer')).toBeUndefined()
    expect((await documents('time_entries')).map(seconds)).toEqual([1500])
    expect(await documents('timer_sessions')).toEqual([])
  })

  test('whose browser takes no more data leaves everything where it was', async () => {
    const tab = await tryOut()
    await track(tab, 'Write', 25)
    const { value: put } = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'put') ?? {}
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function refuse(
      this: IDBObjectStore,
      value: unknown,
    ) {
      if (!this.transaction.db.name.startsWith('stint-guest') && this.name !== 'records')
        throw new DOMException('full', 'QuotaExceededError')
      return Reflect.apply(put, this, [value])
    })
    await tab.signUp(person())
    expect(stateOf(tab).record.storageProblem()).toBe('unwritten')
    expect(await tab.hasGuest()).toBe(true)
    full.mockRestore()
    expect(await (await offerOf(tab)).add({ withSettings: true })).toBe(true)
    await sent(stateOf(tab).record)
    expect((await documents('time_entries')).map(seconds)).toEqual([1500])
  })
})

describe('a sign-in', () => {
  test('offers what was tracked here: added once, or left here for good', async () => {
    const ada = person()
    const first = openTab()
    await first.signUp(ada)
    await track(first, 'Plan', 30)
    await sent(stateOf(first).record)
    await first.signOut()
    await first.tryOut()
    await track(first, 'Write', 25)
    await startOn(first, 'Read')

    await first.signIn({ ...ada, rememberMe: true })
    const refused = await offerOf(first)
    expect(refused).toMatchObject({ sessions: 2, tasks: 2 })
    await refused.refuse()
    expect(await first.guestOffer()).toBeNull()
    await first.signOut()
    await first.start(true)
    expect(stateOf(first).record.entries()).toHaveLength(1)

    const bea = person()
    const second = openTab()
    await second.signUp(bea)
    await sent(stateOf(second).record)
    expect((await documents('time_entries')).map(seconds)).toEqual([1500])
    expect(await documents('timer_sessions')).toHaveLength(1)
  })

  test('by somebody who settled things elsewhere keeps the settings of the account', async () => {
    const ada = person()
    const tab = openTab()
    await tab.signUp(ada)
    await stateOf(tab).record.write((draft) => changePrefs(draft, { weekStart: 1 }))
    await sent(stateOf(tab).record)
    await tab.signOut()
    await tab.tryOut()
    await stateOf(tab).record.write((draft) => changePrefs(draft, { weekStart: 3 }))
    await tab.signIn({ ...ada, rememberMe: true })
    await (await offerOf(tab)).add({ withSettings: false })
    await sent(stateOf(tab).record)
    const { body } = await server.browser.call('GET', '/account/prefs')
    expect(body).toEqual({ weekStart: 1 })
  })
})

const ROUNDS = runsOf('ADOPT_ROUNDS', 10, 200)

test(
  `adopting that is killed, repeated and done in two tabs loses and doubles nothing, ${ROUNDS} times`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tab = openTab()
      await tab.tryOut()
      const random = randomOf(round)
      const ledger: number[] = []
      for (let index = 0; index <= random(4); index += 1) {
        const minutes = 1 + random(50)
        await startOn(tab, `Task ${random(3)}`)
        server.clock.advance(minutes * MINUTE)
        const isPaused = random(2) === 0
        if (isPaused) {
          await stateOf(tab).record.write(pause)
          server.clock.advance(random(10) * MINUTE)
          if (random(2) === 0) await stateOf(tab).record.write(resume)
        }
        await stateOf(tab).record.write((draft) => stop(draft))
        ledger.push(minutes * 60)
      }
      const isKilled = random(2) === 0
      if (isKilled) vi.mocked(emptyRecord).mockRejectedValueOnce(new Error('killed'))
      await tab.signUp(person())
      const again = openTab()
      await again.start(true)
      const offers = await Promise.all([again.guestOffer(), again.guestOffer()])
      // Everything was added before, and only the guest is still there.
      const left = { tasks: 0, sessions: 0 }
      expect(offers).toMatchObject(isKilled ? [left, left] : [null, null])
      await Promise.all(offers.map(async (offer) => offer?.add({ withSettings: true })))
      await sent(stateOf(again).record)
      const counted = (await documents('time_entries')).map(seconds)
      expect(counted.toSorted(ascending), `round ${round}`).toEqual(ledger.toSorted(ascending))
      expect(await documents('timer_sessions')).toEqual([])
      expect(await again.hasGuest()).toBe(false)
      tab.close()
      await again.signOut()
      again.close()
    }
  },
  MAX_TEST * 10,
)

const ascending = (a: number, b: number) => a - b
const seconds = ({ durationSeconds }: Record<string, unknown>) => Number(durationSeconds)

function openTab(): Session {
  const backend = createAppwriteBackend({
    endpoint: `${location.origin}/v1`,
    projectId: 'stint',
    databaseId: 'stint',
    ownServer: true,
  })
  const tab = createSession({
    // The in-memory server has no socket. Realtime has its own tests.
    backend: { ...backend, subscribe: () => ({ close: () => undefined }) },
    clock: rightClock(server.clock.now),
    withLock,
    device: 'test',
  })
  tabs.push(tab)
  return tab
}

async function tryOut(): Promise<Session> {
  const tab = openTab()
  await tab.start(false)
  await tab.tryOut()
  return tab
}

function person() {
  people += 1
  return { name: 'Ada', email: `ada${people}@example.org`, password: TEST_PASSWORD }
}

function stateOf(tab: Session) {
  const state = tab.state.get()
  if (state.status !== 'signed-in') throw new Error(`It is ${state.status}`)
  return state
}

async function offerOf(tab: Session): Promise<GuestOffer> {
  const offer = await tab.guestOffer()
  if (!offer) throw new Error('Nothing is offered')
  return offer
}

async function startOn(tab: Session, name: string): Promise<void> {
  const id = name.toLowerCase().replace(' ', '-') + String(people)
  await stateOf(tab).record.write((draft) => {
    if (!draft.tasks.get(id)) addTask(draft, { id, name, isHidden: false })
    const sessionId = crypto.randomUUID().replaceAll('-', '')
    start(draft, { sessionId, taskId: id, device: 'test' })
  })
}

async function track(tab: Session, name: string, minutes: number): Promise<void> {
  await startOn(tab, name)
  server.clock.advance(minutes * MINUTE)
  await stateOf(tab).record.write((draft) => stop(draft))
}

async function sent(record: LocalRecord): Promise<void> {
  await vi.waitFor(() => expect(record.unsaved()).toBe(0), { interval: 5, timeout: MAX_TEST })
}

async function documents(collection: string): Promise<Record<string, unknown>[]> {
  const { body } = await server.browser.call(
    'GET',
    `/databases/stint/collections/${collection}/documents`,
  )
  return body.documents
}

/** Returns a function that returns whole numbers below a bound, the same ones for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed + 1
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}
