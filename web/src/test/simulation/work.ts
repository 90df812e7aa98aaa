/** All work that began with one Start, as the ledger knows it: its presses, pauses and ends. */
import { both, without } from './spans.ts'
import type { Span } from './spans.ts'

export const EVER = { start: 0, end: Number.MAX_SAFE_INTEGER }
/** The precision with which a device learns the error of its clock. */
export const CLOCK_MILLISECONDS = 1000

/** 'again' is an undone stop without any other change. */
export type EventKind = 'start' | 'pause' | 'resume' | 'stop' | 'again'

export interface Event {
  readonly kind: EventKind
  readonly at: number
  readonly device: number
  /** When the device had sent its whole queue, this event included. */
  sentAt: number
  /** The earliest time at which the server may have had the event, whatever became of its answer. */
  storedAt: number
  /** The same, also if a restored server has lost the event since. */
  firstStoredAt: number
  /** Whether a restored server has lost the event, and its device has not sent it again. */
  isLost: boolean
  /** Whether the event was undone. */
  isTakenBack: boolean
  /** Whether its device lost its clock before the server had the event, and cannot know its moment. */
  isUndated: boolean
}

type Split = Pick<Event, 'at' | 'device' | 'sentAt' | 'isLost'>

/** A change of the start, and the earliest time at which the server may have had it. */
export interface Move {
  readonly device: number
  readonly startedAt: number
  storedAt: number
}

/** A stretch in which a device showed a work as running, and the id that it showed. */
export interface ShownSpan extends Span {
  readonly id: string
}

/** All work that began with one Start, under any number of ids. */
export interface Work {
  /** The first id. */
  readonly name: string
  /** The last id, under which the work continues. */
  id: string
  readonly taskId: string
  startedAt: number
  /**
   * When Start was pressed, whatever the start was changed to later, and when the work was
   * continued.
   */
  readonly begun: number[]
  readonly events: Event[]
  /** When each device showed the work as running. */
  readonly shown: ShownSpan[][]
  /** When each device went from running to paused, by a press on that device or not. */
  readonly turnedPaused: number[][]
  /** Spans that the owner decided otherwise: trimmed, deleted, discarded. */
  readonly released: Span[]
  readonly moves: Move[]
  /** When the entry of the work was split. */
  readonly splits: Split[]
  /**
   * Spans in which a restored server may have had the work running, or in which the owner said that
   * it ran.
   */
  readonly again: Span[]
  /** When it was resumed on a recovery card, which ends any other timer. */
  readonly resumedOnCard: Event[]
  /** Spans that the owner has claimed for a timer that continues beside saved parts of the work. */
  readonly claimedTwice: Span[]
  /** A press on the work came from a wrong clock that was never corrected. */
  hasLostClock: boolean
  /** When the device of such a press was closed and its clock was set meanwhile. */
  readonly unmeasured: Span[]
  /** A press on the work came from a wrong clock that was corrected, to a second. */
  isCorrected: boolean
  /** The entry of the work was changed later: split, trimmed. */
  isEdited: boolean
  /** Track offline continued a start that had failed. */
  isTrackedOffline: boolean
  /** A device stopped the work by itself, because it could not tell the backend. */
  hasFailed: boolean
}

/** What a device showed of a work, with the presses on it after the first of the work's ends. */
interface LaterOn {
  readonly device: number
  readonly shown: readonly Span[]
  readonly pressed: readonly Event[]
  readonly ends: readonly Event[]
  /** The first of the ends. */
  readonly cut: number
}

/**
 * Returns when a device worked on after the first end of the work, as its screen showed it.
 */
export function laterOn(
  work: Work,
  end: number,
  { device, shown, pressed, ends, cut }: LaterOn,
): Span[] {
  // Time that another device has paused is not work, even if this device did not know of the pause.
  const isIgnored = (event: Event) => event.kind === 'resume' && isUnsure(work, event)
  const paused = pausesOf(work, end, { isUpToStop: false, isIgnored }).map(({ span }) => span)
  // A resume or stop that reached the server after the work was saved, or after a press of this
  // device, leaves the earlier pause as this device hears of it.
  const isUnheard = (event: Event) =>
    event.kind !== 'pause' &&
    event.device !== device &&
    (isTooLate(event, ends) || pressed.some((press) => pressedBefore(press, event)))
  const heardEnds = ends
    .filter((event) => !isUnheard(event) && !hasNotRun(event))
    .map(({ at }) => at)
  const told = pausesOf(work, end, { isUpToStop: false, isIgnored: isUnheard }).map(
    ({ span: { start, end: until } }) => ({
      start,
      end: Math.min(until, ...heardEnds.filter((at) => at > start)),
    }),
  )
  const pauses = [...paused, ...told, ...pausedElsewhere(work, device)]
  return without(both(shown, [{ start: cut, end }]), pauses)
}

/** Returns whether an event is a start or a continuation that never ran on the server. It has ended nothing. */
function hasNotRun({ kind, storedAt, isLost }: Event): boolean {
  return kind !== 'stop' && storedAt === Infinity && !isLost
}

/**
 * Returns whether a press reached the backend before an event did. One that a restored server has lost did
 * so before.
 */
function pressedBefore({ at, sentAt, storedAt, isLost }: Event, event: Event): boolean {
  // A device that dies at the answer has sent its queue only when it is opened again.
  return (isLost ? at : Math.min(sentAt, storedAt)) < event.sentAt
}

/** Returns whether another device had ended the work before the event reached the backend. */
export function isTooLate({ at, device, sentAt }: Event, ends: readonly Event[]): boolean {
  return ends.some((each) => each.device !== device && each.at > at && each.at < sentAt)
}

/**
 * Returns whether an earlier pause that reaches the backend later pauses the timer again, because no
 * stored field shows the resume.
 */
export function isOverruled(work: Work, { at, device }: Event): boolean {
  return inOrder(work).some(
    (each) => each.kind === 'pause' && each.device !== device && each.at < at && each.sentAt > at,
  )
}

/**
 * Returns when a device kept running before it heard that another device had paused the timer. The
 * device may hear of the pause before it hears of the stop that ended the pause. The device then
 * shows the timer as paused all that time.
 */
function pausedElsewhere(work: Work, device: number): Span[] {
  const events = inOrder(work)
  return (work.turnedPaused[device] ?? []).flatMap((at) => {
    if (events.some((each) => each.kind === 'pause' && each.device === device && each.at === at))
      return []
    const begun = events.findLast((each) => each.kind === 'pause' && each.at < at)
    return begun && begun.device !== device ? [{ start: begun.at, end: at }] : []
  })
}

/**
 * Returns the time since an end, such as a stop, that was not sent when a device first showed the work. The
 * timer of that device includes it.
 */
export function beforeShown(
  ends: readonly Event[],
  device: number,
  [first]: readonly Span[],
): Span[] {
  const unheard = ends.filter(
    (end) => end.device !== device && end.sentAt > (first?.start ?? Infinity),
  )
  if (!first || unheard.length === 0) return []
  return [{ start: Math.min(...unheard.map(({ at }) => at)), end: first.start }]
}

/** Returns when the work was paused or stopped, and only the device of that press knew it. */
export function unheard(work: Work): Span[] {
  return inOrder(work)
    .filter(({ kind }) => kind === 'pause' || kind === 'stop')
    .map(({ at, sentAt }) => ({ start: at, end: Math.min(sentAt, EVER.end) }))
}

export function inOrder(work: Work): Event[] {
  const counting = work.events.filter((event) => !event.isTakenBack && !isVoid(work, event))
  return counting.toSorted((a, b) => a.at - b.at)
}

/**
 * Returns whether another device has moved the start past a pause or resume before the server heard of
 * it. The timer ran there, so the work runs from the moved start.
 */
function isVoid({ moves }: Work, { kind, at, firstStoredAt }: Event): boolean {
  const isTurn = kind === 'pause' || kind === 'resume'
  return isTurn && moves.some((move) => move.startedAt > at && move.storedAt < firstStoredAt)
}

export function stopsOf(work: Work): Event[] {
  return inOrder(work).filter(({ kind }) => kind === 'stop')
}

export function stopOf(work: Work): Event | undefined {
  return stopsOf(work)[0]
}

/**
 * Returns the pauses up to the first stop, or also later ones for devices that continued after it.
 */
export function pausesOf(
  work: Work,
  end: number,
  {
    isUpToStop = true,
    isIgnored = () => false,
  }: { isUpToStop?: boolean; isIgnored?: (event: Event) => boolean } = {},
): { span: Span; begun: Event }[] {
  const pauses: { span: Span; begun: Event }[] = []
  let begun: Event | null = null
  const stops = work.events.filter(({ kind }) => kind === 'stop')
  // Whether the stop reached the server before an earlier stop of another device. Then it ends the
  // pause, even if it was undone since.
  const overtakes = (later: Event, { kind, at, device, sentAt }: Event) =>
    kind === 'stop' && later.device !== device && later.at > at && later.storedAt < sentAt
  const isOvertaken = (event: Event) => stops.some((each) => overtakes(each, event))
  const undone = stops.filter(
    (stop) => stop.isTakenBack && stopsOf(work).some((each) => overtakes(stop, each)),
  )
  // A pause that a stop has ended lasts until the undo on a device that may have heard of it.
  const agains = inOrder(work).filter(({ kind }) => kind === 'again')
  const lastsUntil = (pause: Event, { kind, at }: Event) => {
    const again = agains.find((each) => each.at > at && each.at > pause.storedAt)
    return kind === 'stop' && again ? again.at : at
  }
  const events = [...inOrder(work), ...(isUpToStop ? [] : undone)]
  for (const event of events.toSorted((one, other) => one.at - other.at)) {
    if (isIgnored(event) || (!isUpToStop && isOvertaken(event))) continue
    // Who undoes a stop in a pause of one's own is in that pause again.
    if (event.isTakenBack && begun?.device === event.device) continue
    if (event.kind === 'pause') begun ??= event
    if (begun && (event.kind === 'resume' || event.kind === 'stop')) {
      const until = isUpToStop ? event.at : lastsUntil(begun, event)
      pauses.push({ span: { start: begun.at, end: Math.min(end, until) }, begun })
      begun = null
    }
    if (event.kind === 'stop' && isUpToStop) break
  }
  if (begun) pauses.push({ span: { start: begun.at, end }, begun })
  return pauses.filter(({ span }) => span.end > span.start)
}

/**
 * Returns whether a pause and a resume of another device may have the other order, because a corrected
 * clock is right to a second.
 */
export function isUnsure({ isCorrected, events }: Work, turn: Event): boolean {
  const other = turn.kind === 'pause' ? 'resume' : 'pause'
  const isClose = ({ kind, at, device }: Event) =>
    kind === other && device !== turn.device && Math.abs(at - turn.at) < CLOCK_MILLISECONDS
  return isCorrected && events.some(isClose)
}

/** Enters an event of the work. */
export function add(work: Work, kind: EventKind, device: number, at: number): Event {
  const event = unsentEvent(kind, device, at)
  work.events.push(event)
  return event
}

/** Returns an event of which it is not known yet when the server has it. */
export function unsentEvent(kind: EventKind, device: number, at: number): Event {
  const unsent = { sentAt: Infinity, storedAt: Infinity, firstStoredAt: Infinity, isLost: false }
  return { kind, at, device, ...unsent, isTakenBack: false, isUndated: false }
}

/** Returns when the work runs by the presses in order of time, at most until `end`. */
export function running(
  work: Work,
  end: number,
  isIgnored: (event: Event) => boolean = () => false,
): Span[] {
  return without(
    [{ start: work.startedAt, end: Math.min(end, stopOf(work)?.at ?? end) }],
    pausesOf(work, end, { isIgnored }).map(({ span }) => span),
  )
}

/**
 * Returns when the work runs after an undone stop. Another device may have stopped it a moment
 * before that stop, and is not asked about so little: the undo takes back both.
 */
export function goingOn(work: Work, end: number): Span[] {
  const again = inOrder(work).findLast(({ kind }) => kind === 'again')
  if (!again) return []
  const next = stopsOf(work).find(({ at }) => at > again.at)
  return without(
    [{ start: again.at, end: Math.min(end, next?.at ?? end) }],
    pausesOf(work, end, { isUpToStop: false }).map(({ span }) => span),
  )
}
