/** In which order events count, which of them count, and which had heard of which. */
import { eventsOf, idOf, isOf } from './event.ts'
import type { Action, Knowledge, Log, LogEvent, Stamp } from './event.ts'

/** What a device has heard of before the first event. */
export const NO_KNOWLEDGE: Knowledge = { seen: {}, also: [] }

/** Compares two events for sorting: by stamp, then by device and number. No two are equal. */
export function compareEvents(one: LogEvent, other: LogEvent): number {
  const byDevice = one.device < other.device ? -1 : 1
  const last = one.device === other.device ? one.seq - other.seq : byDevice
  return compareStamps(one.stamp, other.stamp) || last
}

export function compareStamps(one: Stamp, other: Stamp): number {
  return one.milliseconds - other.milliseconds || one.count - other.count
}

/** Returns whether the device of an event had heard of the other event when it made it. */
export function hadHeardOf({ seen, also }: Knowledge, other: LogEvent): boolean {
  if ((seen[other.device] ?? 0) >= other.seq) return true
  return also.length > 0 && also.includes(idOf(other))
}

/** Returns what a device with these events has heard of. */
export function knowledgeOf(log: Log): Knowledge {
  return log.reduce(withHeard, NO_KNOWLEDGE)
}

/** Returns what a device has heard of with one more event. */
export function withHeard({ seen, also }: Knowledge, { device, seq }: LogEvent): Knowledge {
  const known = seen[device] ?? 0
  if (seq > known + 1) {
    const id = idOf({ device, seq })
    const place = also.findLastIndex((each) => each <= id) + 1
    return { seen, also: also[place - 1] === id ? also : also.toSpliced(place, 0, id) }
  }
  let last = Math.max(known, seq)
  const left = new Set(also)
  while (left.delete(idOf({ device, seq: last + 1 }))) last += 1
  return { seen: { ...seen, [device]: last }, also: [...left] }
}

/** Returns whether two devices have heard of the same events. */
export function isSameKnowledge(one: Knowledge, other: Knowledge): boolean {
  const devices = Object.keys(one.seen)
  return (
    devices.length === Object.keys(other.seen).length &&
    devices.every((device) => one.seen[device] === other.seen[device]) &&
    String(one.also) === String(other.also)
  )
}

/** Returns whether every event has heard of exactly those before it: no two were made apart. */
export function isLinear(log: Log): boolean {
  let before = NO_KNOWLEDGE
  return log.every((event) => {
    const isOfAll = isSameKnowledge(event, before)
    before = withHeard(before, event)
    return isOfAll
  })
}

/**
 * Returns the events that count: those that no event that counts has undone (an undo comes after what it
 * undoes) and, over a base, those that have heard of the last one, because it may hold the others already. A
 * failed start does not count where somebody has pressed on its timer and neither had heard of the other (rule 7 in
 * fold.ts).
 */
export function countingEvents(log: Log): Log {
  const undone = new Set<string>()
  const counting: LogEvent[] = []
  for (const event of log.toReversed()) {
    if (undone.size > 0 && undone.has(idOf(event))) continue
    if (event.action.kind === 'undo') for (const id of event.action.of) undone.add(id)
    counting.push(event)
  }
  counting.reverse()
  const base = eventsOf(counting, 'base').at(-1)
  const overBase = base
    ? counting.filter((event) => event === base || hadHeardOf(event, base))
    : counting
  return hasFailed(overBase) ? overBase : overBase.filter((event) => !isOf(event, 'fail'))
}

/**
 * Returns whether a failed start counts: it and every press on its timer had heard of each other, one way or the other. A
 * press that it had heard of may be of an earlier page of its browser, which has another name.
 */
function hasFailed(counting: Log): boolean {
  const failed = eventsOf(counting, 'fail').at(-1)
  if (!failed) return false
  const pressed = eventsOf(counting, 'pause', 'resume', 'stop', 'move', 'set', 'discard')
  return pressed.every((event) => hadHeardOf(failed, event) || hadHeardOf(event, failed))
}

/**
 * Returns the next event of a device, after everything that the log has.
 *
 * @param press takes effect at `at` and is made at `now`, in epoch milliseconds; fractions are rounded
 * @param heard the latest stamp that the device knows in any session
 */
export function nextEvent(
  log: Log,
  device: string,
  press: { readonly action: Action; readonly at: number; readonly now: number },
  heard: Stamp = FIRST_STAMP,
): LogEvent {
  const { action, at, now } = press
  const seq = Math.max(0, ...log.filter((each) => each.device === device).map((each) => each.seq))
  const stamp = stampAfter([heard, ...log.map((each) => each.stamp)], Math.round(now))
  return { device, seq: seq + 1, stamp, ...knowledgeOf(log), at: Math.round(at), action }
}

/** Returns a stamp for an instant, after all of these stamps. */
export function stampAfter(stamps: readonly Stamp[], now: number): Stamp {
  const last = stamps.toSorted(compareStamps).at(-1) ?? FIRST_STAMP
  if (now > last.milliseconds) return { milliseconds: now, count: 0 }
  return { milliseconds: last.milliseconds, count: last.count + 1 }
}

const FIRST_STAMP: Stamp = { milliseconds: 0, count: 0 }
