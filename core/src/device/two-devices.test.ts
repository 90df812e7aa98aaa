/** Tests two devices that press and edit at random and exchange documents in any order. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { union, without } from '#log/spans.ts'
import { deleteEntry } from '#record/entry-change.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { editEntry, mergeEntries, newEntry, splitEntry } from '#record/entry-edit.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { intervalsBetween, totalMilliseconds } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { exchange, MINUTE, NINE, TestBackend, TestDevice } from '#test/devices.ts'
import { agreed, shown, stateOf } from '#test/shown.ts'

import { applyChanges, isChangedSince } from './changes.ts'
import type { RecordChanges } from './changes.ts'
import { answerQuestion, discardSession } from './questions.ts'
import { setNote } from './timer.ts'

/** DEVICE_RUNS=100000 runs a long test. */
const RUNS = Number(process.env['DEVICE_RUNS'] ?? 150)

const PRESSES = 'start pause resume stop undo'.split(' ')
const EARLIER = ['stop earlier', 'start earlier']
const EDITS = 'note end begin pauses task split merge delete restore add'.split(' ')
const OTHERS = ['take back', 'answer', 'move', 'type', 'discard']
const NETWORK = ['pull', 'send', 'lose', 'restore backup', 'back up']

interface Step {
  /** The place of the device. */
  readonly device: number
  readonly kind: string
  readonly which: number
  readonly minutes: number
}
/** Most schedules are long: faults need several presses and exchanges. */
function anySteps(kinds: readonly string[], minutes: number, maxLength: number) {
  const step = fc.record({
    device: fc.nat({ max: 1 }),
    kind: fc.constantFrom(...kinds),
    which: fc.nat({ max: 4 }),
    /** All of them together are less than four hours, after which an unknown timer is only offered. */
    minutes: fc.integer({ min: 1, max: minutes }),
  })
  return fc.array(step, { maxLength, size: 'max' })
}
const ONLY_PRESSES = anySteps([...PRESSES, ...EARLIER, 'pause', 'resume', ...NETWORK], 9, 25)
const UNDONE = anySteps(['start', 'pause', 'resume', 'stop', ...EDITS, ...EDITS], 7, 20)
const ALL = anySteps([...PRESSES, ...EDITS, ...OTHERS, 'pull', 'send', ...NETWORK], 7, 30)

let idsMade = 0

function changesOf(
  { kind, which, minutes }: Step,
  entries: readonly TimeEntry[],
  now: number,
): readonly EntryChange[] {
  idsMade += 1
  const id = `new-${idsMade}`
  if (kind === 'add') {
    const times = { startedAt: now - minutes * MINUTE, endedAt: now }
    return [newEntry({ id, taskId: 'call', ...times }, now)]
  }
  const living = entries.filter(({ deletedAt }) => deletedAt === null)
  const entry = kind === 'restore' ? entries[which % entries.length] : living[which % living.length]
  if (!entry) return []
  const { startedAt, endedAt } = entry
  const middle = Math.round((startedAt + endedAt) / 2 / MINUTE) * MINUTE
  const by = (minutes - 4) * MINUTE
  const edited = (change: Parameters<typeof editEntry>[1]) => [editEntry(entry, change, now)]
  switch (kind) {
    case 'note':
      return edited({ note: `note ${minutes}` })
    case 'end':
      return edited({ endedAt: Math.max(startedAt + MINUTE, endedAt + by) })
    case 'begin':
      return edited({ startedAt: Math.min(endedAt - MINUTE, startedAt + by) })
    case 'pauses':
      return edited({ pauses: middle > startedAt ? [{ start: startedAt, end: middle }] : [] })
    case 'task':
      return edited({ taskId: minutes % 2 === 0 ? 'read' : 'call' })
    case 'split':
      return startedAt < middle && middle < endedAt && entry.durationSeconds > 1
        ? splitEntry(entry, middle, id, now)
        : []
    case 'merge': {
      const other = living.find((each) => each.taskId === entry.taskId)
      return mergeEntries([...new Set(other ? [entry, other] : [entry])], now)
    }
    case 'delete':
      return [deleteEntry(entry, now)]
    case 'restore':
      return [{ before: entry, after: { ...entry, deletedAt: null, updatedAt: now } }]
    default:
      return []
  }
}

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
  const devices = devicesOf(backend)
  const screens = devices.map((device) => new Screen(device))
  const inverses: (RecordChanges | null)[] = [null, null]
  devices[0].start(now)
  exchange(now, ...devices)
  for (const screen of screens) screen.show(now, false)
  // Who says that there was no work decides for other screens too that showed it.
  const decided: Interval[] = []
  for (const step of steps) {
    const { device: place, kind, minutes } = step
    now += minutes * MINUTE
    const [device, screen] = [devices[place], screens[place]]
    if (!device || !screen) continue
    screen.look(now)
    const running = device.timer
    const taskId = taskOf(step)
    const earlier = Math.max(running?.startedAt ?? NINE, now - 5 * MINUTE)
    const isEarlier = kind === 'stop earlier' ? running : running?.taskId !== taskId
    if (EARLIER.includes(kind) && running && isEarlier) {
      screen.leaveOut(earlier)
      decided.push({ start: earlier, end: now })
    }
    press(device, step, now)
    if (kind === 'start earlier') device.start(now, taskId, earlier)
    if (kind === 'stop earlier') device.stop(now, earlier)
    if (EDITS.includes(kind) || OTHERS.includes(kind))
      inverses[place] = edit(device, step, inverses[place] ?? null, now)
    if (kind === 'pull') device.pull(now)
    if (kind === 'send') device.send(now)
    if (kind === 'lose') device.send(now, 'answer')
    if (kind === 'back up') backup = backend.copy()
    if (kind === 'restore backup' && isRestored) {
      backend = backup.copy()
      for (const each of devices) each.backend = backend
    }
    // Starting the task that is timed already, for example, is no press.
    const isPressed = JSON.stringify(device.timer) !== JSON.stringify(running)
    screen.show(now, isPressed && !NETWORK.includes(kind))
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

const taskOf = ({ which }: Step) => (which % 2 === 0 ? 'write' : 'read')
const devicesOf = (backend: TestBackend) =>
  [new TestDevice('a', backend), new TestDevice('b', backend)] as const

function press(device: TestDevice, step: Step, now: number): void {
  const { kind } = step
  if (kind === 'start') device.start(now, taskOf(step))
  if (kind === 'pause') device.pause(now)
  if (kind === 'resume') device.resume(now)
  if (kind === 'stop') device.stop(now)
  if (kind === 'undo') device.undoStop(now)
}

/** Makes any step but a press. Returns what undoes the last edit. */
function edit(device: TestDevice, step: Step, back: RecordChanges | null, now: number) {
  const { kind, minutes } = step
  const { view, timer } = device
  const entries = view.entries.all().toSorted((a, b) => a.startedAt - b.startedAt)
  const edits = EDITS.includes(kind) ? changesOf(step, entries, now) : []
  if (edits.length > 0) return device.change(now, { entries: edits })
  if (kind === 'take back' && back && !isChangedSince(view, back)) return device.change(now, back)
  const [question] = device.questions
  device.write(now, (draft) => {
    if (kind === 'answer' && question) answerQuestion(draft, question, minutes % 2 === 0, now)
    if (!timer) return
    const { sessionId: id, startedAt } = timer
    const session = { id, createdAt: 0, updatedAt: 0, device: null, log: null } as const
    const state = { kind: 'active', timer } as const
    if (kind === 'discard' && minutes > 5) discardSession(draft, { ...session, state }, now)
    const moved = { startedAt: startedAt + (minutes - 4) * MINUTE }
    if (kind === 'move') applyChanges(draft, { timer: { sessionId: id, change: moved } }, now)
    if (kind === 'type') setNote(draft, id, `typed ${minutes}`, now)
  })
  return back
}

const workOf = ({ startedAt, endedAt, pauses }: TimeEntry) =>
  intervalsBetween(pauses.intervals, { start: startedAt, end: endedAt })
const livingOf = ({ view }: TestDevice) =>
  view.entries.all().filter(({ deletedAt }) => deletedAt === null)

/** Returns what counts on a device, and what it asks about. */
function kept(device: TestDevice, now: number): readonly Interval[] {
  const { view, questions, timer } = device
  const unfinished = view.value('unfinished')?.sessions ?? []
  const offered = unfinished.flatMap(({ state }) => (state.kind === 'stopped' ? [] : state.timer))
  const active = [...(timer ? [timer] : []), ...offered].map((each) => {
    const end = each.status === 'paused' ? each.pausedAt : now
    return intervalsBetween(each.pauses.intervals, { start: each.startedAt, end })
  })
  return union(...livingOf(device).map(workOf), ...active, ...questions.map(({ spans }) => spans))
}

function expectToAgree([one, other]: readonly [TestDevice, TestDevice]): void {
  agreed(one, other)
  const { entries, there, unsent } = stateOf(one)
  expect([entries, unsent]).toEqual([there, []])
}

describe.each([false, true])(
  'Two devices exchange documents (restored backend: %s)',
  (isRestored) => {
    test('They press at random and end alike, with nothing lost', () => {
      fc.assert(
        fc.property(ONLY_PRESSES, (steps) => {
          const { devices, now, shown } = play(steps, isRestored)
          expectToAgree(devices)
          for (const [place, device] of devices.entries()) {
            const lost = without(shown[place] ?? [], kept(device, now))
            expect(totalMilliseconds(lost) / MINUTE).toBe(0)
          }
        }),
        { numRuns: RUNS },
      )
    })

    test('They time and edit at random and end alike, and no time of a session counts twice', () => {
      fc.assert(
        fc.property(ALL, (steps) => {
          const { devices } = play(steps, isRestored)
          expectToAgree(devices)
          // Unless its owner has typed so, or has restored what was merged into another part.
          const kinds = new Set(steps.map(({ kind }) => kind))
          if (kinds.has('begin') || kinds.has('end')) return
          if (kinds.has('merge') && kinds.has('restore')) return
          const timed = livingOf(devices[0]).filter(({ entryType }) => entryType === 'timer')
          for (const parts of Map.groupBy(timed, ({ sessionId }) => sessionId).values()) {
            const work = parts.map(workOf)
            expect(totalMilliseconds(union(...work))).toBe(totalMilliseconds(work.flat()))
          }
        }),
        { numRuns: RUNS },
      )
    })
  },
)

test.each([false, true])(
  'A device that answers every question is asked no more on either device (answer: %s)',
  (isWork) => {
    fc.assert(
      fc.property(ALL, (steps) => {
        const { devices, now } = play(steps, true)
        const [one, other] = devices
        one.write(now + MINUTE, (draft) => {
          for (const question of one.questions)
            answerQuestion(draft, question, isWork, now + MINUTE)
        })
        exchange(now + 2 * MINUTE, one, other)
        agreed(one, other)
        expect(one.questions).toEqual([])
      }),
      { numRuns: RUNS },
    )
  },
)

test('An edit that is undone, before or after it is sent, leaves all as it was', () => {
  fc.assert(
    fc.property(UNDONE, (steps) => {
      const [device, fresh] = devicesOf(new TestBackend())
      let now = NINE
      for (const step of steps) {
        now += step.minutes * MINUTE
        press(device, step, now)
        if (!EDITS.includes(step.kind)) continue
        const before = shown(device)
        const back = edit(device, step, null, now)
        if (step.device === 1) device.send(now)
        if (!back || step.which < 2) continue
        device.change(now + 1, back)
        expect(shown(device)).toBe(before)
      }
      exchange(now + MINUTE, device, fresh)
      agreed(device, fresh)
    }),
    { numRuns: RUNS },
  )
})
