/** Devices for examples: each knows what it has pressed and what it has heard of. */
import * as fc from 'fast-check'

import { withEntry } from '#log/edit.ts'
import type { WantedEntry } from '#log/edit.ts'
import { idOf } from '#log/event.ts'
import type { Action, BoundaryId, Log, LogEvent } from '#log/event.ts'
import { foldSession } from '#log/asked.ts'
import type { FoldedSession } from '#log/asked.ts'
import { join, missingIn } from '#log/join.ts'
import { nextEvent } from '#log/order.ts'
import { entryIdOf, projectionOf } from '#log/projection.ts'
import type { Interval } from '#time/instant.ts'

const BEGIN = Date.UTC(2026, 10, 28, 9)
const MINUTE = 60_000

/** Returns the instant so many minutes after nine o'clock. */
export function at(minutes: number): number {
  return BEGIN + minutes * MINUTE
}

function minutesOf(instant: number): number {
  return (instant - BEGIN) / MINUTE
}

/** Returns the span between two instants, in minutes after nine o'clock. */
export function span(start: number, end: number) {
  return { start: at(start), end: at(end) }
}

export const START: Action = { kind: 'start', task: 'write', note: null, deviceName: 'Laptop' }
export const PAUSE: Action = { kind: 'pause' }
export const RESUME: Action = { kind: 'resume' }
export const STOP: Action = { kind: 'stop' }
export const DISCARD: Action = { kind: 'discard' }
export const undo = (...of: readonly string[]): Action => ({ kind: 'undo', of })
export const cut = (to: number): Action => ({ kind: 'cut', to: at(to) })
export const moveTo = (to: number): Action => ({ kind: 'move', to: at(to) })
/** Counts the time between two instants as work, or as none. */
export const count = (start: number, end: number, isWork = true): Action => {
  return { kind: 'count', boundary: null, spans: [span(start, end)], isWork }
}
/** Deletes the part that begins at a boundary, and had this time. */
export const remove = (boundary: BoundaryId, start: number, end: number): Action => {
  return { kind: 'delete', boundary, span: span(start, end) }
}
/** Trims the end that a boundary is, from one instant to an earlier one. */
export const trimEnd = (boundary: BoundaryId, from: number, to: number): Action => {
  return { kind: 'bound', boundary, side: 'before', to: at(to), span: span(to, from) }
}

export class Devices {
  readonly #logs = new Map<string, Log>()

  constructor(...names: readonly string[]) {
    for (const name of names) this.#logs.set(name, [])
  }

  /** Presses something on a device, `minutes` after nine o'clock. Returns the event's id. */
  press(device: string, minutes: number, action: Action, effect = minutes): string {
    const log = this.#logs.get(device) ?? []
    const event = nextEvent(log, device, { action, at: at(effect), now: at(minutes) })
    this.#logs.set(device, join(log, [event]))
    return idOf(event)
  }

  /** Edits the part that begins at a boundary. Returns the ids of the events of this step. */
  edit(
    device: string,
    minutes: number,
    change: Partial<WantedEntry>,
    boundary: BoundaryId = 'start',
  ): readonly string[] {
    const log = this.#logs.get(device) ?? []
    const folded = foldSession(log)
    const entries = folded ? projectionOf('s', folded).entries : []
    const entry = entries.find(({ id }) => id === entryIdOf('s', boundary))
    if (!entry) throw new Error(`The device ${device} has no part that begins at ${boundary}.`)
    const edited = withEntry(log, boundary, { ...entry, ...change }, { device, now: at(minutes) })
    this.#logs.set(device, edited)
    return missingIn(edited, log).map(idOf)
  }

  /** Every device hears of everything. */
  meet(): void {
    const all = this.all()
    for (const device of this.#logs.keys()) this.#logs.set(device, all)
  }

  all(): Log {
    return [...this.#logs.values()].reduce((all, log) => join(all, log), [])
  }

  /** What counts and what is asked once all devices have met. */
  get shown(): string {
    return shownOf(this.folded())
  }

  /** The state once all devices have met. Throws when nothing was started. */
  folded(): FoldedSession {
    const folded = foldSession(this.all())
    if (!folded) throw new Error('Nothing was started.')
    return folded
  }
}

/**
 * Returns what counts and what is asked, in minutes after nine o'clock: '0-20 30-60, 60-80, asks 85-90' has two
 * parts, the first one with a pause. A timer is one part, and runs until Infinity.
 */
export function shownOf({ timer, parts, asked }: FoldedSession): string {
  const living = parts.filter(({ deletion }) => deletion === null)
  const counted = [...(timer ? [timer] : []), ...living].map(({ worked }) => spansOf(worked))
  return [...counted, ...asked.map((each) => `asks ${spansOf([each])}`)].join(', ')
}

function spansOf(spans: readonly Interval[]): string {
  return spans.map(({ start, end }) => `${minutesOf(start)}-${minutesOf(end)}`).join(' ')
}

/** Logs of three devices that press anything, and meet now and then. */
export function anyLog(): fc.Arbitrary<Log> {
  const step = fc.record({
    device: fc.constantFrom('a', 'b', 'c'),
    after: fc.integer({ min: 0, max: 30 }),
    kind: fc.nat({ max: 13 }),
    one: fc.nat({ max: 120 }),
    other: fc.nat({ max: 120 }),
    meets: fc.boolean(),
  })
  return fc.array(step, { maxLength: 14 }).map((steps) => {
    const devices = new Devices('a', 'b', 'c')
    devices.press('a', 0, START)
    devices.meet()
    let now = 0
    for (const { device, after, kind, one, other, meets } of steps) {
      now += after
      const events = devices.all()
      const target = events[one % events.length]
      if (target)
        devices.press(
          device,
          now,
          anyAction(kind, target, span(Math.min(one, other), Math.max(one, other) + 1)),
        )
      if (meets) devices.meet()
    }
    return devices.all()
  })
}

function anyAction(kind: number, target: LogEvent, within: { start: number; end: number }): Action {
  const { start: to, end } = within
  const id = idOf(target)
  const boundary = kind % 2 === 0 ? 'start' : id
  const actions: readonly Action[] = [
    PAUSE,
    RESUME,
    STOP,
    { kind: 'showed' },
    { kind: 'fail' },
    DISCARD,
    { kind: 'move', to },
    { kind: 'set', field: 'note', value: `note ${to}`, boundary },
    { kind: 'cut', to },
    { kind: 'bound', boundary: id, side: 'before', to, span: within },
    { kind: 'bound', boundary: 'start', side: 'after', to, span: { start: to, end } },
    { kind: 'delete', boundary, span: within },
    { kind: 'count', boundary: null, spans: [within], isWork: to % 2 === 0 },
    { kind: 'undo', of: [id] },
  ]
  return actions[kind] ?? { kind: 'restore', boundary }
}
