/** Tests two devices that press at random and exchange documents in any order. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { foldSession } from '#log/asked.ts'
import { union, without } from '#log/spans.ts'
import { totalMilliseconds, intervalsBetween } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { exchange, MINUTE, NINE, TestBackend, TestDevice } from '#test/devices.ts'
import { stateOf } from '#test/shown.ts'

import { readLog } from '#log/documents.ts'

/** DEVICE_RUNS=100000 runs a long test. */
const RUNS = Number(process.env['DEVICE_RUNS'] ?? 200)

const PRESSES = [
  'start',
  'pause',
  'resume',
  'stop',
  'undo',
  'stop earlier',
  'start earlier',
] as const
const STEP = fc.record({
  device: fc.nat({ max: 1 }),
  kind: fc.constantFrom(
    ...PRESSES,
    'pause',
    'resume',
    'pull',
    'send',
    'lose',
    'restore',
    'back up',
  ),
  taskId: fc.constantFrom('write', 'read'),
  /** All of them together are less than four hours, after which an unknown timer is only offered. */
  minutes: fc.integer({ min: 1, max: 9 }),
})
/** Most schedules are long: faults need several presses and exchanges. */
const STEPS = fc.array(STEP, { maxLength: 25, size: 'max' })
type Step = ReturnType<(typeof STEP)['generate']>['value']

/** What the screen of a device has shown as worked, in the end and so far. */
class Screen {
  claimed: readonly Interval[] = []
  #run: { readonly id: string; readonly shown: readonly Interval[] } | null = null
  #since = NINE
  readonly device: TestDevice

  constructor(device: TestDevice) {
    this.device = device
  }

  /** Notes what was shown up to now. */
  look(now: number): void {
    if (this.#run)
      this.#run = {
        ...this.#run,
        shown: union(this.#run.shown, [{ start: this.#since, end: now }]),
      }
    this.#since = now
  }

  /**
   * Notes what is shown after a press or after news. News of a pause that has ended takes nothing from the
   * screen, which shows the timer with that pause then.
   */
  show(now: number, isPress: boolean): void {
    const { timer } = this.device
    const goesOn = timer?.status === 'running' && timer.sessionId === this.#run?.id
    if (isPress || !goesOn) this.claimed = union(this.claimed, this.#run?.shown ?? [])
    const worked = timer
      ? intervalsBetween(timer.pauses.intervals, { start: timer.startedAt, end: now })
      : []
    this.#run = timer?.status === 'running' ? { id: timer.sessionId, shown: worked } : null
  }

  /** The owner says here that since then there was no work. */
  leaveOut(from: number): void {
    const since = [{ start: from, end: Infinity }]
    this.claimed = without(this.claimed, since)
    if (this.#run) this.#run = { ...this.#run, shown: without(this.#run.shown, since) }
  }
}

function play(steps: readonly Step[], isRestored: boolean) {
  let now = NINE
  let backend = new TestBackend()
  let backup = backend.copy()
  const devices = [new TestDevice('a', backend), new TestDevice('b', backend)] as const
  const screens = devices.map((device) => new Screen(device))
  devices[0].start(now)
  exchange(now, ...devices)
  for (const screen of screens) screen.show(now, false)
  // Who says that there was no work decides for other screens too that showed it.
  const decided: Interval[] = []
  for (const { device: place, kind, taskId, minutes } of steps) {
    now += minutes * MINUTE
    const [device, screen] = [devices[place], screens[place]]
    if (!device || !screen) continue
    screen.look(now)
    const running = device.timer
    const earlier = Math.max(running?.startedAt ?? NINE, now - 5 * MINUTE)
    const isEarlier = kind === 'stop earlier' ? running : running?.taskId !== taskId
    if (kind === 'start') device.start(now, taskId)
    if (kind.endsWith('earlier') && running && isEarlier) {
      screen.leaveOut(earlier)
      decided.push({ start: earlier, end: now })
    }
    if (kind === 'start earlier') device.start(now, taskId, earlier)
    if (kind === 'pause') device.pause(now)
    if (kind === 'resume') device.resume(now)
    if (kind === 'stop') device.stop(now)
    if (kind === 'stop earlier') device.stop(now, earlier)
    if (kind === 'undo') device.undoStop(now)
    if (kind === 'pull') device.pull(now)
    if (kind === 'send') device.send(now)
    if (kind === 'lose') device.send(now, 'answer')
    if (kind === 'back up') backup = backend.copy()
    if (kind === 'restore' && isRestored) {
      backend = backup.copy()
      for (const each of devices) each.backend = backend
    }
    // Starting the task that is timed already, for example, is no press.
    const isPressed = JSON.stringify(device.timer) !== JSON.stringify(running)
    screen.show(now, isPressed && PRESSES.some((press) => press === kind))
  }
  now += MINUTE
  for (const screen of screens) screen.look(now)
  // News of a pause may arrive before news of the end.
  for (const screen of [...screens, ...screens, ...screens]) {
    screen.device.pull(now)
    screen.show(now, false)
    screen.device.send(now)
  }
  exchange(now, ...devices)
  for (const screen of screens) screen.show(now, false)
  return { devices, now, shown: screens.map(({ claimed }) => without(claimed, decided)) }
}

/** Returns what counts on a device, and what it asks about. */
function kept(device: TestDevice, now: number): readonly Interval[] {
  const { view, questions, timer } = device
  const entries = view.entries.all().filter(({ deletedAt }) => deletedAt === null)
  const active = [
    ...(timer ? [timer] : []),
    ...(view.value('unfinished')?.sessions ?? []).flatMap(({ state }) =>
      state.kind === 'stopped' ? [] : state.timer,
    ),
  ]
  return union(
    ...entries.map(({ startedAt, endedAt, pauses }) =>
      intervalsBetween(pauses.intervals, { start: startedAt, end: endedAt }),
    ),
    ...active.map((each) =>
      intervalsBetween(each.pauses.intervals, {
        start: each.startedAt,
        end: each.status === 'paused' ? each.pausedAt : now,
      }),
    ),
    ...questions.map(({ spans }) => spans),
  )
}

test.each([false, true])(
  'Two devices that press at random and exchange documents end alike, with nothing lost (restored backend: %s)',
  (isRestored) => {
    fc.assert(
      fc.property(STEPS, (steps) => {
        const { devices, now, shown } = play(steps, isRestored)
        const [one, other] = devices.map(stateOf)
        expect(one).toEqual(other)
        expect(one?.entries).toEqual(one?.there)
        expect(one?.unsent).toEqual([])
        for (const [place, device] of devices.entries()) {
          const lost = without(shown[place] ?? [], kept(device, now))
          expect(totalMilliseconds(lost) / MINUTE).toBe(0)
        }
        for (const { log } of one?.entries ?? [])
          expect(foldSession(readLog(log) ?? []) ?? log).not.toBeNull()
      }),
      { numRuns: RUNS },
    )
  },
)
