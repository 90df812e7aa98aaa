import { elapsedSeconds } from '@stint/core/timer/timer.ts'
import { runsOf } from '@stint/testing/size.ts'
import { TEST_PASSWORD } from '@stint/testing/test-app.ts'
import type { TestApp } from '@stint/testing/test-app.ts'
import { MAX_TEST } from '@stint/testing/waits.ts'
import * as fc from 'fast-check'
import { deleteDB } from 'idb'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { allEntries, createWorld, offline, unsentCount } from '#test/devices.ts'
import type { Device, World } from '#test/devices.ts'
import { isRunning, ModelDevice, secondsOf, TimerModel } from '#test/timer-model.ts'
import { serverOfFile } from '#test/server-of-file.ts'
import * as store from '@stint/core/device/timer.ts'

/**
 * The number of runs and their seed. The everyday suite always tries the same runs, so that it
 * fails only because of a change. Set MODEL_RUNS=10000 and another MODEL_SEED to search further.
 */
const RUNS = runsOf('MODEL_RUNS', 40, 120)
const SEED = Number(process.env['MODEL_SEED'] ?? 1)

const DEVICES = ['laptop', 'phone'] as const
type DeviceName = (typeof DEVICES)[number]
const TASKS = ['Write', 'Plan'] as const
type TaskName = (typeof TASKS)[number]

/** The true state of the world and the state that the product should show. */
interface Model {
  readonly timer: TimerModel
  readonly devices: Readonly<Record<DeviceName, ModelDevice>>
  starts: number
}

interface Real {
  readonly world: World
  readonly tasks: Readonly<Record<TaskName, string>>
  readonly devices: Record<DeviceName, Device>
}

let server: TestApp

beforeAll(async () => {
  server = await serverOfFile()
  // Nothing happens automatically, because every request to the server is a command.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterAll(() => void vi.useRealTimers())

describe('any sequence of what people and their devices do', () => {
  test(
    'Any sequence of user and device actions shows and saves what a model of sixty lines says',
    async () => {
      const runs = fc.assert(fc.asyncProperty(fc.array(anyStep(), { maxLength: 15 }), runSteps), {
        numRuns: RUNS,
        seed: SEED,
      })
      await expect(runs).resolves.toBeUndefined()
    },
    MAX_TEST + RUNS * 1000,
  )
})

async function runSteps(steps: readonly Step[]): Promise<void> {
  const world = await createWorld()
  try {
    const model: Model = {
      timer: new TimerModel(server.clock.now()),
      devices: { laptop: new ModelDevice(), phone: new ModelDevice() },
      starts: 0,
    }
    const tasks = { Write: await world.createTask('Write'), Plan: await world.createTask('Plan') }
    const devices = { laptop: await world.device('laptop'), phone: await world.device('phone') }
    const real: Real = { world, tasks, devices }
    for (const { at, canHappen, happens } of steps) {
      if (canHappen && !canHappen(model.devices[at])) continue
      // No two presses happen at the same moment.
      pass(model, real, 1)
      await happens({ model, real, device: devices[at], expected: model.devices[at], at })
      await expectAgreement(model, real, at)
    }
    await expectConvergence(model, real)
  } finally {
    await world.close()
  }
}

/** What happens on a device, in the model and in reality. */
interface Action {
  readonly name: string
  readonly canHappen?: (device: ModelDevice) => boolean
  readonly happens: (context: Context) => Promise<void>
}

interface Step extends Action {
  readonly at: DeviceName
  readonly [fc.toStringMethod]: () => string
}

interface Context {
  readonly model: Model
  readonly real: Real
  readonly device: Device
  readonly expected: ModelDevice
  readonly at: DeviceName
}

const isOnline = ({ online }: ModelDevice) => online

function pass(model: Model, { world }: Real, milliseconds: number): void {
  world.server.clock.advance(milliseconds)
  model.timer.now += milliseconds
}

type PressName = 'start Write' | 'start Plan' | 'pause' | 'resume' | 'stop'

function anyStep(): fc.Arbitrary<Step> {
  const press = fc.constantFrom<PressName[]>('start Write', 'start Plan', 'pause', 'resume', 'stop')
  const action = fc.oneof(
    // All of them together are shorter than what counts as sleep of a device.
    fc.integer({ min: 1, max: 100_000 }).map(tick),
    fc.integer({ min: 1, max: 1500 }).map(tick),
    press.map(pressOnce),
    press.map(pressOnce),
    press.map(pressInSecondTab),
    fc
      .tuple(press, fc.integer({ min: 1, max: 6 }), fc.boolean())
      .map(([what, request, reaches]) => crashDuring(what, request, reaches)),
    press.map(pressSignedOut),
    fc.constantFrom(...TASKS).map(trackOffline),
    fc.integer({ min: -100_000, max: 100_000 }).map(setClock),
    fc.constantFrom(goOffline, goOnline, look, reload, signOutAndIn),
  )
  return fc.tuple(fc.constantFrom(...DEVICES), action).map(([at, done]) => {
    const step = { at, ...done, [fc.toStringMethod]: () => `${at}: ${done.name}` }
    return step
  })
}

function tick(milliseconds: number): Action {
  const name = `${milliseconds} ms pass`
  return { name, happens: async ({ model, real }) => pass(model, real, milliseconds) }
}

function pressOnce(what: PressName): Action {
  return {
    name: what,
    async happens({ model, real, device, expected }) {
      await pressAndSend(device, what, pressInModel(model, expected, what), real)
      await device.sync.refresh()
    },
  }
}

/** A press in another tab of the same browser is a press on this device as well. */
function pressInSecondTab(what: PressName): Action {
  return {
    name: `${what} in a second tab`,
    async happens({ model, real, device, expected }) {
      const tab = await device.openTab()
      await tab.sync.refresh()
      model.timer.sync(expected)
      await pressAndSend(tab, what, pressInModel(model, expected, what), real)
      await tab.sync.refresh()
      tab.kill()
    },
  }
}

/** The browser is killed while a request or its answer is on its way, and is opened again. */
function crashDuring(what: PressName, request: number, reaches: boolean): Action {
  return {
    name: `crash at request ${request}${reaches ? '' : ' before it arrives'} of ${what}`,
    canHappen: isOnline,
    async happens({ model, real, device, expected, at }) {
      await press(device, what, pressInModel(model, expected, what), real)
      const died = Promise.withResolvers<void>()
      let requests = 0
      device.intercept(async (_request, send) => {
        requests += 1
        if (requests < request) return send()
        if (reaches) await send()
        device.kill()
        died.resolve()
        return new Promise(() => undefined)
      })
      const sent = device.sync
        .flush()
        .then(() => device.sync.refresh())
        .catch(() => undefined)
      await Promise.race([sent, died.promise])
      real.devices[at] = await device.reopen()
    },
  }
}

/** Every sign-in of the user ends elsewhere. Afterwards the user signs in again on this device. */
function pressSignedOut(what: PressName): Action {
  return {
    name: `${what} while signed out elsewhere, then signed in`,
    canHappen: isOnline,
    async happens({ model, real, device, expected, at }) {
      await real.world.user.call('DELETE', '/account/sessions')
      expected.online = false
      await pressAndSend(device, what, pressInModel(model, expected, what), real)
      await device.sync.refresh()
      await signIn(real)
      expected.online = true
      model.timer.sync(expected)
      real.devices[at] = await device.reopen()
    },
  }
}

function trackOffline(task: TaskName): Action {
  return {
    name: `track ${task} offline`,
    canHappen: ({ online }) => !online,
    async happens({ model, real, device, expected, at }) {
      const sessionId = nextId(model)
      model.timer.start(expected, sessionId, task, true)
      if (!device.record.value('timer')) {
        const input = { sessionId, taskId: real.tasks[task], device: at }
        await device.press((draft, now) => store.start(draft, { ...input, now }))
        await device.sync.flush()
        await device.press((draft, now) => store.trackOffline(draft, { sessionId, now }))
      }
      await device.sync.refresh()
    },
  }
}

/**
 * Someone sets the device's clock. A clock that is set back is noticed at once. Only the server can
 * distinguish a clock that is set ahead from sleep.
 */
function setClock(seconds: number): Action {
  return {
    name: seconds < 0 ? `clock ${-seconds} s back` : `clock ${seconds} s ahead`,
    canHappen: ({ online }) => online || seconds < -2,
    async happens({ model, device, expected }) {
      device.moveClock(seconds * 1000)
      device.record.clock.now()
      await device.sync.refresh()
      model.timer.sync(expected)
    },
  }
}

const goOffline: Action = {
  name: 'offline',
  async happens({ device, expected }) {
    expected.online = false
    device.intercept(offline())
  },
}

const goOnline: Action = {
  name: 'online',
  async happens({ model, device, expected }) {
    expected.online = true
    model.timer.sync(expected)
    device.intercept(undefined)
    await device.sync.refresh()
  },
}

const look: Action = {
  name: 'look',
  async happens({ model, device, expected }) {
    model.timer.sync(expected)
    await device.sync.refresh()
  },
}

const reload: Action = {
  name: 'reload',
  async happens({ model, real, device, expected, at }) {
    model.timer.sync(expected)
    real.devices[at] = await device.reopen(expected.online ? undefined : offline())
  },
}

/** Signing out deletes the local record. All its changes are sent before that. */
const signOutAndIn: Action = {
  name: 'sign out and in',
  canHappen: isOnline,
  async happens({ model, real, device, expected, at }) {
    await device.sync.flush()
    await device.sync.close()
    await real.world.user.call('DELETE', '/account/sessions')
    device.record.close()
    await deleteDB(device.database)
    await signIn(real)
    model.timer.signOutAndIn(expected)
    real.devices[at] = await device.reopen()
  },
}

function pressInModel(model: Model, expected: ModelDevice, what: PressName): string {
  const id = nextId(model)
  switch (what) {
    case 'start Write':
    case 'start Plan':
      model.timer.start(expected, id, what === 'start Write' ? 'Write' : 'Plan', false)
      break
    case 'pause':
      model.timer.change(expected, 'paused')
      break
    case 'resume':
      model.timer.change(expected, 'running')
      break
    case 'stop':
      model.timer.stop(expected)
  }
  return id
}

async function pressAndSend(device: Device, what: PressName, id: string, real: Real) {
  await press(device, what, id, real)
  await device.sync.flush()
}

async function press(device: Device, what: PressName, id: string, { tasks }: Real): Promise<void> {
  switch (what) {
    case 'start Write':
    case 'start Plan': {
      const taskId = what === 'start Write' ? tasks.Write : tasks.Plan
      const input = { sessionId: id, taskId, device: device.record.device }
      await device.press((draft, now) => store.start(draft, { ...input, now }))
      break
    }
    case 'pause':
      await device.press(store.pause)
      break
    case 'resume':
      await device.press(store.resume)
      break
    case 'stop':
      await device.press(store.stop)
  }
}

function nextId(model: Model): string {
  model.starts += 1
  return `run-${String(model.starts).padStart(3, '0')}`
}

async function signIn({ world }: Real): Promise<void> {
  const { email } = world.user
  const answer = await world.user.call('POST', '/account/sessions/email', {
    email,
    password: TEST_PASSWORD,
  })
  expect(answer.status).toBe(201)
}

async function expectAgreement(model: Model, real: Real, at: DeviceName): Promise<void> {
  const { now, current, saved } = model.timer
  const expected = model.devices[at]
  const { record } = real.devices[at]
  const active = record.value('timer')
  const sessions = await real.world.stored('timer_sessions')
  const stored = await real.world.stored('time_entries')
  // A session of zero length leaves a deleted entry.
  const entries = stored.filter((entry) => entry['deletedAt'] === null)
  const unsaved = unsentCount(record)
  expect({
    shown: active ? shownBy(active.timer, record.clock.now()) : null,
    isAllSaved: unsaved === 0,
    sessions: sessions.map(({ $id, isRunning, isPaused }) => ({ $id, isRunning, isPaused })),
    entries: new Map(entries.map((entry) => [entry.$id, entry['durationSeconds']])),
  }).toEqual({
    shown: expected.timer && {
      id: expected.timer.id,
      isRunning: isRunning(expected.timer),
      seconds: secondsOf(expected.timer, now),
    },
    isAllSaved: expected.online || unsaved === 0,
    sessions: current
      ? [{ $id: current.id, isRunning: isRunning(current), isPaused: !isRunning(current) }]
      : [],
    entries: saved,
  })
}

function shownBy(timer: Parameters<typeof elapsedSeconds>[0] & { sessionId: string }, now: number) {
  return {
    id: timer.sessionId,
    isRunning: timer.status === 'running',
    seconds: elapsedSeconds(timer, now),
  }
}

/** Checks that at the end, with every device online, all devices agree and have every entry. */
async function expectConvergence(model: Model, real: Real): Promise<void> {
  for (const at of [...DEVICES, ...DEVICES]) {
    model.devices[at].online = true
    real.devices[at].intercept(undefined)
    model.timer.sync(model.devices[at])
    await real.devices[at].sync.refresh()
    await expectAgreement(model, real, at)
  }
  for (const at of DEVICES) {
    const all = allEntries(real.devices[at].record)
    const entries = all.filter(({ deletedAt }) => deletedAt === null)
    expect(new Map(entries.map((entry) => [entry.id, entry.durationSeconds]))).toEqual(
      model.timer.saved,
    )
  }
}
