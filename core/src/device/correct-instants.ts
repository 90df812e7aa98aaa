/** Corrects unsent instants that a clock gave before the server confirmed it (unsure-clock.ts). */
import { entryIdsOf } from '#log/documents.ts'
import { eventsOf, idOf, isOf } from '#log/event.ts'
import type { Action, Base, Log, LogEvent, Stamp } from '#log/event.ts'
import { foldState } from '#log/fold.ts'
import { compareEvents, hadHeardOf, nextEvent, stampAfter, withHeard } from '#log/order.ts'
import { RESTORE_WINDOW_MILLISECONDS } from '#record/timer-session.ts'
import type { Interval } from '#time/instant.ts'

import { gapsOf, isGap } from './awake.ts'
import { editKey } from './draft.ts'
import type { Draft } from './draft.ts'
import { logOf, settle } from './session-log.ts'
import { showTimers } from './shown-timer.ts'
import type { Gap, Leap } from './stored.ts'
import { gapsSince, leapsSince, MIN_CORRECTION_MILLISECONDS } from './unsure-clock.ts'
import type { Moment } from './unsure-clock.ts'

/** How many leaps before a page may be taken for settings of the clock. */
const MAX_LEAPS = 6

/** Corrects what an unconfirmed clock has timed, once the clock is known. */
export function correctInstants(draft: Draft, moment: Moment): void {
  const { offset, isSure } = moment
  const noted = draft.value('clock')
  if (!noted || !isSure) return
  const leaps = leapsSince(draft, moment)
  const gaps = gapsSince(draft)
  draft.values.remove('clock')
  const by = offset - noted.offset
  if (Math.abs(by) < MIN_CORRECTION_MILLISECONDS) return
  const clock = clockOf(noted.from, by, leaps, moment)
  // Gaps that were no sleep: the clock was set ahead.
  const awake = gaps.filter((gap) => !isGap(gapMoved(gap, clock)))
  correctValues(draft, clock)
  placeAnew(draft, noted.events, awake, clock)
  showTimers(draft)
}

/** Returns how to correct what the clock has shown since `from`, after an answer of the server. */
function clockOf(from: number, by: number, leaps: readonly Leap[], moment: Moment) {
  const { leaps: ofPage, now, since } = moment
  const { stretches, ...begins } = stretchesOf(by, from, leaps)
  const ahead = ofPage.filter((leap) => leap.by > 0)
  /** By how much an earlier page may have been too early: the clock was set back while the app was closed. */
  const rest = Math.max(0, stretchesOf(by, from, ahead).stretches.at(-1)?.by ?? 0)
  /** Returns when an instant was shown. A log with fractions of milliseconds cannot be read. */
  const corrected = (instant: number) =>
    Math.round(instant + (stretches.find((stretch) => instant >= stretch.from)?.by ?? 0))
  // An instant in the future was shown by this clock itself, and is no lower bound.
  const floor = from <= now ? Math.ceil(from) : -Infinity
  const moved = (at: number, late = 0) =>
    at < from ? at : Math.max(floor, Math.min(now, corrected(at) + late))
  /** By how much an earlier page may have been less ahead: the clock was set ahead while the app was closed. */
  const lead = Math.max(0, -(stretches.at(-1)?.by ?? 0))
  /** Returns the latest instant at which the device may have been awake. A gap begins after it. */
  const seen = (at: number) => moved(at, at < since ? lead : 0)
  const isSureBefore = isFirstAhead(leaps, from)
  /**
   * As `corrected`, for a page whose clock was sure before. It moves an instant back by no more than the page's leaps
   * ahead: the rest was set while the app was closed.
   */
  const correctedOnSure = (instant: number) => {
    const ahead = leaps.filter(({ at, by: each }) => each > 0 && at <= instant)
    const earliest = Math.round(instant - ahead.reduce((sum, each) => sum + each.by, 0))
    return isSureBefore ? Math.max(earliest, corrected(instant)) : corrected(instant)
  }
  return { ...begins, from, floor, rest, corrected, correctedOnSure, moved, seen, now }
}

/**
 * Returns the stretches between the leaps of a clock, the last one first. Each has its start, and by how many
 * milliseconds the clock was behind in it. `by` is the correction of the last one.
 *
 * A leap ahead was a setting of the clock, and no sleep, in two cases: the time before it is nearer to the truth without
 * the leap, or its page began with a clock that was behind and would otherwise begin before `from`.
 *
 * `unknown` has the starts of pages before which the app was closed for an unknown time. Before the pages that start at
 * `unmeasured` it may have been closed for a part of a time that is known of a later page.
 */
function stretchesOf(by: number, from: number, leaps: readonly Leap[]) {
  const stretches: { readonly from: number; readonly by: number }[] = []
  const unknown: number[] = []
  const unmeasured: number[] = []
  let rest = by
  for (const [index, leap] of [...leaps.entries()].toReversed()) {
    stretches.push({ from: leap.at, by: rest })
    if (leap.by > 0) {
      const begin = leaps[index - 1]
      const isTooEarly = begin?.by === 0 && begin.at + rest < from - MIN_CORRECTION_MILLISECONDS
      if (isTooEarly || Math.abs(rest + leap.by) < Math.abs(rest)) rest += leap.by
      continue
    }
    // The earlier pages began with a clock that was right, as far as is known. It was ahead by some of their leaps.
    const earlier = leaps.slice(0, index)
    const ahead = earlier.slice(-MAX_LEAPS).map((each) => each.by)
    const set = leastSum(ahead, -rest - MIN_CORRECTION_MILLISECONDS)
    if (set === undefined) unknown.push(leap.at)
    else {
      // The app may have been closed before an earlier page.
      const isClosed = rest + set >= MIN_CORRECTION_MILLISECONDS
      if (isClosed) unmeasured.push(...earlier.filter((each) => each.by <= 0).map(({ at }) => at))
      rest = -set
    }
  }
  return { stretches: [...stretches, { from, by: rest }], unknown, unmeasured }
}

/** Returns whether the clock was sure until it leapt ahead. */
function isFirstAhead([first]: readonly Leap[], from: number): boolean {
  return first !== undefined && first.at === from && first.by > 0
}

/** Returns the smallest sum of any of the numbers that is at least `least`, or undefined. The sum of none is 0. */
function leastSum(numbers: readonly number[], least: number): number | undefined {
  const sums = numbers.reduce((all, each) => [...all, ...all.map((sum) => sum + each)], [0])
  return sums.toSorted((a, b) => a - b).find((sum) => sum >= least)
}

function correctValues(draft: Draft, clock: ReturnType<typeof clockOf>): void {
  const { moved } = clock
  const seen = draft.value('seen')
  if (seen) draft.putValue({ ...seen, at: clock.seen(seen.at) })
  const gaps = gapsOf(draft).map((gap) => gapMoved(gap, clock))
  if (gaps.length > 0) draft.putValue({ key: 'gaps', gaps: gaps.filter(isGap) })
  // What was refused because of its time is tried again.
  for (const edit of draft.edits.all()) {
    const times = Object.entries(edit.changedAt).map(([part, at]) => [part, moved(at)] as const)
    draft.edits.put({ ...edit, changedAt: Object.fromEntries(times), refused: null })
  }
  for (const session of draft.sessions.all()) draft.sessions.put({ ...session, refused: null })
}

/**
 * Places events in the order in which they were made, and never before what their device had heard of.
 *
 * If the corrected clock would place an event earlier than that, the clock was set once more. The presses of that page
 * then keep their distances. How long after the previous press they were made is unknown, so the owner is asked about
 * what the screen showed as worked up to now. A press of an earlier page may be as late as that page showed.
 */
function placeAnew(
  draft: Draft,
  events: Readonly<Record<string, readonly string[]>>,
  awake: readonly Gap[],
  clock: ReturnType<typeof clockOf>,
): void {
  const { from, floor, unknown, unmeasured, rest, now } = clock
  const placed = new Map<string, LogEvent[]>()
  const unsure: { readonly log: LogEvent[]; readonly event: LogEvent; readonly known: Log }[] = []
  /** The pages that have pressed while the clock was sure. */
  const sure = new Set<string>()
  for (const [sessionId, ids] of Object.entries(events)) {
    const known = logOf(draft, sessionId)
    const { tried = {} } = draft.sessions.get(sessionId) ?? {}
    const isUnsure = (event: LogEvent) =>
      ids.includes(idOf(event)) && (tried[event.device] ?? 0) < event.seq
    const log = known.filter((event) => !isUnsure(event))
    placed.set(sessionId, log)
    for (const { device } of log) sure.add(device)
    for (const event of known.filter(isUnsure)) {
      // A stop where a sleep seemed to begin takes effect at its press: the device did not sleep.
      const ranOn = awake.some((gap) => gap.sessionId === sessionId && gap.start === event.at)
      unsure.push({ log, known, event: ranOn ? { ...event, at: event.stamp.milliseconds } : event })
    }
  }
  /** By how much the answer would place the presses of a page too early. */
  const lateBy = new Map<string, number>()
  const doubtful = new Map<LogEvent[], { readonly press: LogEvent; readonly until: number }>()
  const begun: { log: LogEvent[]; event: LogEvent; span: Interval }[] = []
  for (const { log, known, event } of unsure.sort((a, b) => compareEvents(a.event, b.event))) {
    const { device } = event
    const corrected = sure.has(device) ? clock.correctedOnSure : clock.corrected
    const heard = log.filter((other) => hadHeardOf(event, other))
    const pressedAt = corrected(event.stamp.milliseconds)
    const before = lateBy.get(device) ?? 0
    const stamps = heard.map((other) => other.stamp)
    const stamp = stampAfter(stamps, Math.min(now, Math.max(floor, pressedAt + before)))
    const late = Math.min(stamp.milliseconds, now) - pressedAt
    const by = late < MIN_CORRECTION_MILLISECONDS ? before : Math.max(before, late)
    lateBy.set(device, by)
    // An edit is about time that was on the screen, so it is not placed before `floor`. A start may be.
    const earliest = isOf(event, 'cut', 'bound', 'count', 'delete') ? floor : -Infinity
    const moved = movedTo(stamp, event, (at) =>
      at < from ? at : Math.max(earliest, Math.min(now, corrected(at) + by)),
    )
    // A press stays after the starts, pauses and resumes that its device had heard of.
    const isNow = event.at === event.stamp.milliseconds
    const isAfter = isNow || turnsBefore(known, event).every(({ at }) => at <= event.at)
    const turnedAt = isAfter ? Math.max(...turnsBefore(log, event).map(({ at }) => at)) : -Infinity
    const placedAt = Math.max(moved.at, turnedAt)
    log.push({ ...moved, at: placedAt })
    if (isBegunUnknown(known, event, unknown)) {
      const earliest = Math.max(floor, turnedAt, placedAt - RESTORE_WINDOW_MILLISECONDS)
      begun.push({ log, event, span: { start: earliest, end: placedAt } })
    }
    if (!isOf(event, 'pause', 'stop', 'fail', 'showed')) continue
    const isHeld = turnedAt - moved.at >= MIN_CORRECTION_MILLISECONDS
    const isOfOther = heard.some((other) => other.device !== device)
    const isLate = (by > 0 || isHeld) && isOfOther
    const isUnknown = [...unknown, ...unmeasured].some((begin) => isBefore(known, event, begin))
    const isEarlier = isOfOther && device !== draft.writer
    const until = isLate || isUnknown ? now : isEarlier ? Math.min(now, event.at + rest) : -Infinity
    if (until > (doubtful.get(log)?.until ?? moved.at)) doubtful.set(log, { press: event, until })
  }
  for (const each of begun) askAbout(draft.writer, each, now)
  for (const [sessionId, log] of placed) {
    const doubt = doubtful.get(log)
    if (doubt) {
      // Until then a screen may have gone on showing what it showed before the press.
      const showed = { action: { kind: 'showed' }, at: doubt.until, now } as const
      const { seen, also } = doubt.press
      log.push({ ...nextEvent(log, draft.writer, showed), seen, also })
    }
    for (const id of entryIdsOf(sessionId, log)) forgetEdit(draft, id)
    settle(draft, sessionId, log.sort(compareEvents))
  }
}

/** Returns the starts, pauses and resumes of which the device of an event had heard. */
function turnsBefore(log: Log, event: LogEvent): Log {
  return eventsOf(log, 'start', 'pause', 'resume').filter((other) => hadHeardOf(event, other))
}

/** Returns whether a page began between an event and something that its device had heard of. */
function isBefore(known: Log, event: LogEvent, begin: number): boolean {
  if (event.stamp.milliseconds < begin) return false
  return known.some((other) => hadHeardOf(event, other) && other.stamp.milliseconds < begin)
}

/**
 * Returns whether this event made the timer run, and it still ran at the start of a page before which the app was closed
 * for an unknown time. The event is then placed as late as it can have been.
 */
function isBegunUnknown(known: Log, event: LogEvent, unknown: readonly number[]): boolean {
  if (!isOf(event, 'start', 'resume')) return false
  if (turnsBefore(known, event).some(({ device }) => device === event.device)) return false
  return unknown.some((begin) => {
    if (event.stamp.milliseconds >= begin) return false
    const before = known.filter(({ stamp }) => stamp.milliseconds < begin)
    return foldState(before)?.timer?.pausedAt === null
  })
}

/** Asks about a span before a press, by two events unheard of each other: one counts it, the other does not. */
function askAbout(
  writer: string,
  { log, event, span }: { log: LogEvent[]; event: LogEvent; span: Interval },
  now: number,
): void {
  if (span.end - span.start < MIN_CORRECTION_MILLISECONDS) return
  const heard = withHeard(event, event)
  for (const isWork of [true, false]) {
    const action = { kind: 'count', spans: [span], boundary: null, isWork } as const
    log.push({ ...nextEvent(log, writer, { action, at: now, now }), ...heard })
  }
}

/** Forgets the edit of an entry whose events are placed anew: its log says it again. */
function forgetEdit(draft: Draft, id: string): void {
  const edit = draft.edit('entry', id)
  if (!edit || edit.sent.length > 0) return
  draft.edits.remove(editKey(edit))
  if (edit.base) draft.entries.put(edit.base)
  else draft.entries.remove(id)
}

/**
 * Moves an event. A start stays as long before its press as it was. A stamp with a count is not the time of the press: the
 * device had heard of something later.
 */
function movedTo(stamp: Stamp, event: LogEvent, moved: (instant: number) => number): LogEvent {
  const { at, action } = event
  const { milliseconds: pressedAt, count } = event.stamp
  const isTimed = isOf(event, 'start') && count === 0
  const placedAt = isTimed ? moved(pressedAt) - (pressedAt - at) : moved(at)
  return { ...event, stamp, at: placedAt, action: actionMoved(action, moved) }
}

function actionMoved(action: Action, moved: (instant: number) => number): Action {
  const spanMoved = (span: Interval) => spanOf(span, moved)
  return {
    ...action,
    ...('to' in action && { to: moved(action.to) }),
    ...('span' in action && { span: spanMoved(action.span) }),
    ...('spans' in action && { spans: action.spans.map(spanMoved) }),
    ...('base' in action && { base: baseMoved(action.base, moved) }),
  }
}

/** Moves the base of an unsent session from the version before logs. */
function baseMoved(base: Base, moved: (instant: number) => number): Base {
  const { startedAt, endedAt, pauses } = base
  return {
    ...base,
    startedAt: moved(startedAt),
    endedAt: endedAt === null ? null : moved(endedAt),
    pauses: pauses.map((span) => spanOf(span, moved)),
  }
}

/** Returns the part of a gap that was certainly sleep. */
function gapMoved(gap: Gap, { moved, seen }: ReturnType<typeof clockOf>): Gap {
  const start = seen(gap.start)
  return { ...gap, start, end: Math.max(start, moved(gap.end)) }
}

function spanOf({ start, end }: Interval, moved: (instant: number) => number): Interval {
  return { start: moved(start), end: Math.max(moved(start), moved(end)) }
}
