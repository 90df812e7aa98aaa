/** Random schedules: three devices press and sync, with faults, and the ledger judges the end. */
import { encodeLog } from '#log/codec.ts'
import { compareEvents } from '#log/order.ts'
import { foldSession } from '#log/asked.ts'
import { Device, fieldsOf } from './device.ts'
import type { RequestFault } from './device.ts'
import { Ledger } from './ledger.ts'
import type { Outcome, Span } from './ledger.ts'
import { answerQuestion, pressSomething } from './presses.ts'
import { randomFrom } from './random.ts'
import type { Random } from './random.ts'
import { BEGIN, logOf, World } from './world.ts'
import type { Faults } from './world.ts'

export interface Result {
  readonly wrong: readonly string[]
  readonly presses: number
  /** The events at the end, one a line, when something is wrong. */
  readonly events: readonly string[]
}

const NAMES = ['a', 'b', 'c']

/** Runs the schedule of a seed and returns what is wrong at its end. */
export function runSchedule(seed: number, faults: Faults): Result {
  const random = randomFrom(seed)
  const world = new World()
  const ledger = new Ledger()
  const devices = NAMES.map((name) => new Device(name, world, ledger, faults))
  const offline = new Set<Device>()
  for (const device of devices) device.look()
  const faultOf =
    (device: Device): RequestFault =>
    () => {
      if (offline.has(device)) return 'cut before'
      if (!faults.isLossy || random.next() >= 0.08) return null
      return random.chance(0.5) ? 'cut before' : 'cut after'
    }
  const steps = 12 + random.below(40)
  for (let step = 0; step < steps; step += 1) {
    world.now += random.chance(0.3) ? 1 + random.below(1500) : 1000 + random.below(400_000)
    const device = random.pick(devices)
    if (device) takeStep(device)
  }
  settle(devices, world, offline)
  const wrong = [...differences(devices, world, random), ...judge(devices, world, ledger, true)]
  answerAll(devices, ledger, random)
  settle(devices, world, offline)
  const left = [...differences(devices, world, random), ...judge(devices, world, ledger, false)]
  wrong.push(...left.map((each) => `after the answers: ${each}`), ...world.violations)
  const events = wrong.length > 0 ? eventLines(devices) : []
  return { wrong, presses: ledger.presses, events }

  function takeStep(device: Device): void {
    const roll = random.next()
    if (roll < 0.42) syncSome(random.chance(0.5) ? devices : [device])
    else if (roll < 0.5) {
      if (!offline.delete(device)) offline.add(device)
    } else if (roll < 0.55) {
      if (device.isOpen) device.close()
      else device.open()
    } else if (roll < 0.58 && faults.isRestored) {
      if (world.hasBackup && random.chance(0.4)) world.restore()
      else world.backUp()
    } else if (device.isOpen) pressSomething({ device, world, ledger, random })
  }

  function syncSome(some: readonly Device[]): void {
    const requests = 4 + random.below(60)
    for (let request = 0; request < requests; request += 1) {
      const device = random.pick(some)
      if (device?.isOpen) {
        device.sync ??= device.syncOnce(faultOf(device))
        if (device.sync.next().done) device.sync = null
      }
      if (random.chance(0.1)) world.now += random.below(300)
    }
  }
}

function secondsOf(value: unknown): unknown {
  return typeof value === 'number' && value > 1e12 ? (value - BEGIN) / 1000 : value
}

function eventLines([device]: readonly Device[]): string[] {
  return [...(device?.logs ?? [])].flatMap(([session, log]) =>
    log.map(({ device: by, seq, at, action, seen, also }) => {
      const heard = JSON.stringify([seen, also])
      const said = JSON.stringify(action, (_, value: unknown) => secondsOf(value))
      return `${session} ${by}.${seq} at ${(at - BEGIN) / 1000} s: ${said}, heard ${heard}`
    }),
  )
}

/** All devices sync without faults until nothing changes any more. */
function settle(devices: readonly Device[], world: World, offline: Set<Device>): void {
  offline.clear()
  for (const device of devices) if (!device.isOpen) device.open()
  let quiet = 0
  for (let round = 0; round < 40 && quiet < 3; round += 1) {
    const before = stateOf(world)
    for (const device of devices) {
      device.sync = null
      for (const _ of device.syncOnce(() => null)) continue
    }
    quiet = before === stateOf(world) ? quiet + 1 : 0
  }
}

function stateOf(world: World): string {
  return [...world.documents.values()].map(({ session, version }) => `${session} ${version}`).join()
}

/** Returns in what the devices and the documents differ. */
function differences(devices: readonly Device[], world: World, random: Random): string[] {
  const wrong: string[] = []
  const texts = devices.map((device) =>
    [...device.logs]
      .map(([session, log]) => `${session} ${encodeLog(log)}`)
      .sort()
      .join(),
  )
  if (new Set(texts).size > 1) wrong.push('the devices differ')
  for (const { name, unsent } of devices) {
    if (unsent.size > 0) wrong.push(`the device ${name} has not sent ${[...unsent].join()}`)
  }
  for (const document of world.documents.values()) {
    const log = logOf(document)
    if (document.fields !== fieldsOf(document.session, log))
      wrong.push('fields differ from the fold')
    const shuffled = log.toSorted(() => random.next() - 0.5).sort(compareEvents)
    const [one, other] = [foldSession(shuffled), foldSession(log)]
    if (JSON.stringify(one) !== JSON.stringify(other)) wrong.push('the order of arrival matters')
  }
  return wrong
}

function judge(
  devices: readonly Device[],
  world: World,
  ledger: Ledger,
  hasQuestions: boolean,
): string[] {
  const [device] = devices
  if (!device) return []
  const [shown, ...unfinished] = device.active
  const outcomes = [...device.logs.keys()].map((session): Outcome => {
    const folded = device.folded(session)
    const living = folded?.parts.filter(({ deletion }) => deletion === null) ?? []
    const counted = living.map(({ worked }) => endedAt(worked, world.now))
    const active = [shown, ...unfinished].find((each) => each?.session === session)
    const open = unfinished.some((each) => each.session === session) ? active : undefined
    const since = open?.timer.pausedAt ?? open?.timer.worked.at(-1)?.start
    const card = since === undefined ? [] : [{ start: since, end: Infinity }]
    const asked = hasQuestions ? [...(folded?.asked ?? [])] : []
    const timers = active ? [endedAt(active.timer.worked, world.now)] : []
    return { session, counted: [...counted, ...timers], asked: [...asked, ...card] }
  })
  return ledger.judge(outcomes, world.now)
}

function endedAt(spans: readonly Span[], now: number): Span[] {
  return spans.map(({ start, end }) => ({ start, end: end === Infinity ? now : end }))
}

/** Answers every question on some device, with Keep. */
function answerAll(devices: readonly Device[], ledger: Ledger, random: Random): void {
  const [first] = devices
  for (const session of first?.logs.keys() ?? []) {
    const asked = first?.folded(session)?.asked ?? []
    const device = random.pick(devices)
    if (asked.length > 0 && device) answerQuestion(device, ledger, session, asked, true)
  }
}
