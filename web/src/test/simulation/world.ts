/**
 * Three devices of one person with the real record and the real sync, in virtual time: against the real server
 * in memory with the real SDK and a fake IndexedDB, or against stand-ins of them. Presses are written into the
 * ledger.
 */
import type { TestApp } from '@stint/testing/test-app.ts'
import { vi } from 'vitest'

import { newDocumentId } from '#record/document-id.ts'

import { silenceChannels } from '../silent-channel.ts'
import { createBooks } from './books.ts'
import type { Books } from './books.ts'
import { Device, stubWindows } from './device.ts'
import type { DeviceOptions } from './device.ts'
import { chooseDisks } from './disks.ts'
import { judge } from './judge.ts'
import type { Verdict } from './judge.ts'
import { createNetwork } from './network.ts'
import type { Line, Network, Write } from './network.ts'
import { clearStorage, watchStorage } from './power.ts'
import { eventOf } from './product.ts'
import type { Press } from './product.ts'
import { createRandom } from './random.ts'
import { realServer } from './real-server.ts'
import type { Random } from './random.ts'
import { DEVICES, TASKS } from './schedule.ts'
import type { PressStep, Step } from './schedule.ts'
import type { Server } from './servers.ts'
import { standInServer } from './stand-in.ts'
import { createVirtualTime, stubTimers } from './virtual-time.ts'
import type { VirtualTime } from './virtual-time.ts'

export interface Outcome extends Verdict {
  /** The number of presses that had an effect. */
  readonly presses: number
  readonly requests: number
  /** The events in words, for finding the cause of a violation. */
  readonly log: readonly string[]
}

export interface WorldOptions extends DeviceOptions {
  /** Returns whether a violation is known and therefore ignored. */
  readonly isKnown?: (violation: string) => boolean
  /**
   * Whether devices receive the changes of others at once. Otherwise they receive them only when
   * they are looked at.
   */
  readonly hasRealtime: boolean
  /** Whether the server, the SDK and IndexedDB are the real ones. */
  readonly isReal: boolean
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/**
 * Each run begins on a day of its own, in the year before the sign-ins, because an unused sign-in
 * lasts a day.
 */
const FIRST_START = Date.parse('2026-02-01T00:00:00.000Z')
const MAX_STARTS = 300
const FIRST_SIGN_IN = FIRST_START + MAX_STARTS * DAY
const EVENT_MILLISECONDS = [40, 200] as const
/** How often the devices are looked at in the end. The rounds give everything time to settle. */
const MAX_ROUNDS = 8
const ROUND_MILLISECONDS = 6000
const LOOK_MILLISECONDS = 1500
/** Work at the real server and in IndexedDB takes so many turns of the event loop at most without a sign. */
const REAL_TURNS = 3

let current: VirtualTime | null = null
let chances: Random = createRandom(0)

/**
 * Replaces the page's time, windows and random numbers by virtual time, separate windows and seeded
 * chances. Returns a function that restores them.
 */
export function prepareSimulation(): () => void {
  const { random } = Math
  const restoreTimers = stubTimers(() => {
    if (!current) throw new Error('No simulation runs')
    return current
  })
  Math.random = () => chances.next()
  const endWatch = watchStorage()
  stubWindows()
  silenceChannels()
  // The log of events, which nobody reads here.
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => undefined,
    removeItem: () => undefined,
  })
  return () => {
    Math.random = random
    restoreTimers()
    endWatch()
    vi.unstubAllGlobals()
  }
}

/**
 * Runs all of a schedule, opens every device again, and judges. The same seed gives the same run.
 */
export async function simulate(
  server: TestApp,
  steps: readonly Step[],
  seed: number,
  options: WorldOptions,
): Promise<Outcome> {
  const world = await World.open(server, seed, options)
  try {
    for (const step of steps) await world.take(step)
    return await world.end()
  } finally {
    world.close()
    clearStorage()
  }
}

let users = 0

class World {
  readonly #server: Server
  readonly #options: WorldOptions
  readonly #time: VirtualTime
  readonly #random: Random
  readonly #network: Network
  readonly #books: Books
  readonly #devices: Device[]
  readonly #log: string[] = []
  /** What requests have done that none may do. */
  readonly #violations: string[] = []
  readonly #start: number
  readonly #seed: number
  #presses = 0
  /**
   * Counts failed presses too, because an id that was written but not shown must not be used twice.
   */
  #tries = 0
  #requests = 0
  #writes = 0
  #restore: (() => Promise<void>) | null = null

  static async open(server: TestApp, seed: number, options: WorldOptions): Promise<World> {
    users += 1
    chooseDisks(!options.isReal)
    // Ids are derived from the time, and the time of a run must not depend on earlier runs.
    const start = FIRST_START + (seed % MAX_STARTS) * DAY
    const world = options.isReal
      ? await World.#withReal(server, seed, options, start)
      : new World((network) => standInServer(`user-${users}`, network), seed, options, start)
    for (const name of TASKS) await world.#server.addTask(name)
    for (const device of world.#devices) await device.open()
    await world.#time.pass(5000)
    return world
  }

  static async #withReal(
    server: TestApp,
    seed: number,
    options: WorldOptions,
    start: number,
  ): Promise<World> {
    // Signing in is not simulated, but the server limits sign-ins an hour.
    server.clock.set(FIRST_SIGN_IN + users * HOUR)
    const user = await server.signedInUser(`Simulated ${users}`)
    server.clock.set(start)
    const serve = (network: Network) => realServer(server, user, network)
    return new World(serve, seed, options, start, server.clock.set)
  }

  private constructor(
    serve: (network: Network) => Server,
    seed: number,
    options: WorldOptions,
    start: number,
    onNow: (now: number) => void = () => undefined,
  ) {
    this.#options = options
    this.#time = createVirtualTime(start, onNow, options.isReal ? REAL_TURNS : 1)
    current = this.#time
    this.#start = start
    this.#seed = seed
    this.#random = createRandom(seed)
    chances = this.#random
    const writers = createRandom(seed + 1)
    this.#books = createBooks(DEVICES.length)
    this.#network = createNetwork({
      time: this.#time,
      random: this.#random,
      onWrite: (from, write) => this.#wrote(from, write),
      onViolation: (violation) => void this.#violations.push(violation),
      onRequest: (from, said) => {
        this.#requests += 1
        this.#note(`${DEVICES[this.#indexOf(from)] ?? ''}: ${said}`)
      },
    })
    this.#server = serve(this.#network)
    this.#devices = DEVICES.map(
      (name, index) =>
        new Device({
          name,
          index,
          host: `${name}-${users}.localhost:3000`,
          server: this.#server,
          newWriter: () => writers.next().toString(36).slice(2, 8),
          time: this.#time,
          network: this.#network,
          books: this.#books,
          options,
          note: (what) => this.#note(what),
        }),
    )
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'time':
        return this.#time.pass(step.milliseconds)
      case 'backup':
        this.#restore = await this.#server.backUp()
        return
      case 'restore': {
        if (!this.#restore) return
        this.#note('the server comes back')
        this.#network.forgetAnswers()
        return this.#restore()
      }
      case 'press': {
        // Two presses never share a millisecond.
        await this.#time.pass(20)
        const device = await this.#openDevice(step.device)
        // When the button is not on the screen, the button in its place is pressed.
        for (const what of [step.what, ...insteadOf(step)]) {
          if (!(await device.press(this.#pressOf(what), this.#presses))) continue
          this.#presses += 1
          break
        }
        break
      }
      case 'network':
        this.#deviceAt(step.device).setOnline(step.isOnline)
        break
      case 'request':
        this.#deviceAt(step.device).line.faults.set(step.nth, step.fault)
        break
      case 'write':
        this.#deviceAt(step.device).dieAtNextWrite(step.isLost)
        break
      case 'kill':
        this.#deviceAt(step.device).die('is killed')
        break
      case 'open':
        await this.#deviceAt(step.device).open()
        break
      case 'focus':
        this.#deviceAt(step.device).focus()
        break
      case 'clock':
        this.#deviceAt(step.device).moveClock(step.minutes * 60_000)
        break
    }
    await this.#time.settle()
  }

  /** Ends all faults. Every device is opened and looked at until none has work left. */
  async end(): Promise<Outcome> {
    this.#note('everything works again')
    for (const device of this.#devices) {
      device.spare()
      device.setOnline(true)
      await device.open()
    }
    const verdict = await this.#judge()
    const violations = [...verdict.violations, ...(await this.#violationsOfAnswers(verdict))]
    const { isKnown = () => false } = this.#options
    return {
      ...verdict,
      violations: violations.filter((each) => !isKnown(each)),
      presses: this.#presses,
      requests: this.#requests,
      log: this.#log,
    }
  }

  /** Answers every question, and returns what is wrong then. */
  async #violationsOfAnswers({ violations }: Verdict): Promise<string[]> {
    const asked = () =>
      this.#devices.flatMap((device) => device.shows().questions.filter(({ span }) => span))
    // It takes a third of a schedule, so every fourth has it.
    const isTried = this.#seed % 4 === 0
    if (!isTried || violations.length > 0 || asked().length === 0) return []
    await this.#devices[0]?.answerAll()
    const verdict = await this.#judge(true)
    const again = asked().map(({ id }) => `asked again: ${id}`)
    return [...verdict.violations, ...again].map((each) => `after the answers, ${each}`)
  }

  async #judge(isAnswered = false): Promise<Verdict> {
    await this.#lookUntilQuiet()
    const at = this.#time.now()
    const devices = this.#devices.map((device) => device.shows())
    const rows = await this.#server.rows()
    for (const session of rows.sessions) this.#note(`session ${JSON.stringify(session)}`)
    for (const entry of rows.entries) this.#note(`entry ${JSON.stringify(entry)}`)
    for (const { questions } of devices)
      for (const question of questions) this.#note(`question ${JSON.stringify(question)}`)
    const ending = { at, devices, rows, isAnswered }
    return this.#books.best((ledger) => {
      const found = judge(ledger, ending)
      return { ...found, violations: [...this.#violations, ...found.violations] }
    })
  }

  close(): void {
    for (const device of this.#devices) device.die('is closed')
    this.#time.clear()
  }

  /** Looks at all devices until they have sent everything, and none has written since the first look. */
  async #lookUntilQuiet(): Promise<void> {
    await this.#time.pass(Math.max(0, this.#network.lateUntil() - this.#time.now()))
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await this.#time.pass(ROUND_MILLISECONDS)
      const writes = this.#writes
      for (const device of this.#devices) {
        device.focus()
        await this.#time.pass(LOOK_MILLISECONDS)
        await this.#untilNoRequests()
      }
      const isSent = this.#devices.every((device) => device.shows().unsent.length === 0)
      if (isSent && this.#writes === writes) break
    }
  }

  /** What is missing is found with the last requests of a look, and is sent after them. */
  async #untilNoRequests(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const requests = this.#requests
      await this.#time.pass(LOOK_MILLISECONDS)
      if (this.#requests === requests) break
    }
  }

  /** Returns the device, or the next one that is open. If none is, the device is opened. */
  async #openDevice(index: number): Promise<Device> {
    const devices = this.#devices.map((_, by) => this.#deviceAt((index + by) % DEVICES.length))
    const open = devices.find((device) => device.line.isOn())
    if (open) return open
    const device = this.#deviceAt(index)
    await device.open()
    return device
  }

  #deviceAt(index: number): Device {
    const device = this.#devices[index]
    if (!device) throw new RangeError(`There is no device ${index}`)
    return device
  }

  #indexOf(line: Line): number {
    return this.#devices.findIndex((device) => device.line === line)
  }

  #pressOf(what: PressStep): Press {
    this.#tries += 1
    // The product's ids begin with the time of the press.
    const time = newDocumentId(this.#time.now()).slice(0, 13)
    const id = `${time}-${what.press.replaceAll(/[^a-z]/g, '-')}-${this.#tries}`
    switch (what.press) {
      case 'start':
        return { kind: 'start', taskId: this.#taskAt(what.task), id, ago: what.agoSeconds * 1000 }
      case 'move':
        return { kind: 'move', ago: what.agoSeconds * 1000 }
      case 'delete task':
        return { kind: 'delete task', taskId: this.#taskAt(what.task) }
      case 'trim':
        return { kind: 'trim', share: what.share }
      case 'split':
        return { kind: 'split', share: what.share }
      case 'card':
        return { kind: 'card', answer: what.answer }
      case 'gap':
        return { kind: 'gap', answer: what.answer }
      case 'banner':
      case 'undo stop':
        return { kind: what.press, id }
      case 'note':
      case 'timer note':
        return { kind: what.press, text: `note ${this.#presses}` }
      default:
        return { kind: what.press }
    }
  }

  #taskAt(index: number): string {
    return TASKS[index] ?? ''
  }

  /** Sends the events of one device's write to the other devices. */
  #wrote(from: Line, { method, collection, documents }: Write) {
    this.#writes += 1
    if (!this.#options.hasRealtime) return
    const action = method === 'DELETE' ? 'delete' : 'upsert'
    for (const device of this.#devices) {
      if (device.line === from) continue
      for (const { id, document } of documents) {
        const event = eventOf(collection, action, action === 'delete' ? deleted(id) : document)
        if (!event) continue
        this.#time.schedule(() => device.hear(event), this.#random.between(...EVENT_MILLISECONDS))
      }
    }
  }

  #note(what: string): void {
    this.#log.push(`${((this.#time.now() - this.#start) / 1000).toFixed(2)} ${what}`)
  }
}

/** Returns the presses of which one is always possible, while a device runs. */
function insteadOf({ what: { press }, task }: Extract<Step, { kind: 'press' }>): PressStep[] {
  const turns: PressStep[] = [{ press: 'pause' }, { press: 'resume' }]
  const start: PressStep = { press: 'start', task, agoSeconds: 0 }
  return press === 'pause' || press === 'resume' ? [...turns, start] : [start, ...turns]
}

/**
 * Returns the event of a deletion. Such an event carries the document, but its readers use only its
 * id.
 */
function deleted(id: string): object {
  const instant = '2026-01-01T00:00:00.000+00:00'
  const text = { taskId: 'x', name: 'x', userId: 'x', startTime: instant, endTime: instant }
  return { $id: id, $createdAt: instant, $updatedAt: instant, ...text, durationSeconds: 0 }
}
