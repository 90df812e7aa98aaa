/**
 * Tests two devices that press and edit at random and exchange documents in any order. That no worked second is lost
 * is judged with the real sync (web/src/sync/simulation.test.ts).
 */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { union } from '#log/spans.ts'
import { deleteEntry } from '#record/entry-change.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { editEntry, mergeEntries, newEntry, splitEntry } from '#record/entry-edit.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { intervalsBetween, totalMilliseconds } from '#time/instant.ts'
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
const UNDONE = anySteps(['start', 'pause', 'resume', 'stop', ...EDITS, ...EDITS], 7, 20)
const ALL = anySteps(
  [...PRESSES, ...EARLIER, ...EDITS, ...OTHERS, 'pull', 'send', ...NETWORK],
  7,
  30,
)

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

function play(steps: readonly Step[], isRestored: boolean) {
  let now = NINE
  let backend = new TestBackend()
  let backup = backend.copy()
  const devices = devicesOf(backend)
  const inverses: (RecordChanges | null)[] = [null, null]
  devices[0].start(now)
  exchange(now, ...devices)
  for (const step of steps) {
    const { device: place, kind, minutes } = step
    now += minutes * MINUTE
    const device = devices[place] ?? devices[0]
    const earlier = Math.max(device.timer?.startedAt ?? NINE, now - 5 * MINUTE)
    press(device, step, now)
    if (kind === 'start earlier') device.start(now, taskOf(step), earlier)
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
  }
  now += MINUTE
  exchange(now, ...devices)
  return { devices, now }
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
    if (kind === 'answer' && question) answerQuestion(draft, question, minutes % 2 === 0)
    if (!timer) return
    const { sessionId: id, startedAt } = timer
    const session = { id, createdAt: 0, updatedAt: 0, device: null, log: null } as const
    const state = { kind: 'active', timer } as const
    if (kind === 'discard' && minutes > 5) discardSession(draft, { ...session, state })
    const moved = { startedAt: startedAt + (minutes - 4) * MINUTE }
    if (kind === 'move') applyChanges(draft, { timer: { sessionId: id, change: moved } })
    if (kind === 'type') setNote(draft, id, `typed ${minutes}`)
  })
  return back
}

const workOf = ({ startedAt, endedAt, pauses }: TimeEntry) =>
  intervalsBetween(pauses.intervals, { start: startedAt, end: endedAt })
const livingOf = ({ view }: TestDevice) =>
  view.entries.all().filter(({ deletedAt }) => deletedAt === null)

test.each([false, true])(
  'They end alike, no time of a session counts twice, and no question stays (restored backend: %s)',
  (isRestored) => {
    fc.assert(
      fc.property(ALL, fc.boolean(), (steps, isWork) => {
        const { devices, now } = play(steps, isRestored)
        const [one, other] = devices
        agreed(one, other)
        const { entries, there, unsent } = stateOf(one)
        expect([entries, unsent]).toEqual([there, []])
        // Unless its owner has typed so, or has restored what was merged into another part.
        const kinds = new Set(steps.map(({ kind }) => kind))
        const isTyped = kinds.has('begin') || kinds.has('end')
        const timed = livingOf(one).filter(({ entryType }) => entryType === 'timer')
        for (const parts of Map.groupBy(timed, ({ sessionId }) => sessionId).values()) {
          if (isTyped || (kinds.has('merge') && kinds.has('restore'))) continue
          const work = parts.map(workOf)
          expect(totalMilliseconds(union(...work))).toBe(totalMilliseconds(work.flat()))
        }
        one.write(now + MINUTE, (draft) => {
          for (const question of one.questions) answerQuestion(draft, question, isWork)
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
