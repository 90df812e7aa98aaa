/** The parts of a session that has ended: its boundaries, and what each part holds. */
import { clipIntervals } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'

import { eventsOf, idOf } from './event.ts'
import type { Action, BoundaryId, EventOf, Log, LogEvent } from './event.ts'
import { compareEvents, hadHeardOf } from './order.ts'
import type { Run } from './run.ts'
import type { SetValues } from './set-values.ts'
import { union, without } from './spans.ts'

/** A part of a session, which is an entry. Instants are epoch milliseconds of server time. */
export interface Part {
  /** The boundary at its start: 'start' for the part that keeps the session's id. */
  readonly boundary: BoundaryId
  /** The boundary at its end. */
  readonly endBoundary: BoundaryId
  readonly values: SetValues
  readonly startedAt: number
  readonly endedAt: number
  readonly worked: readonly Interval[]
  /** The events that delete it, and the latest of them, or null. */
  readonly deletions: Log
  readonly deletion: LogEvent | null
}

/** A start, a cut or an end. */
interface Boundary {
  /** Its names, the first of which names the part that begins there. */
  readonly ids: readonly BoundaryId[]
  /** The cuts that made it. Two devices may cut at the same instant. */
  readonly cuts: readonly LogEvent[]
  /** Where it was pressed. The start and the end are no limit to what is counted later. */
  readonly limit: number
  /** Where the part before it ends, and the part after it begins. */
  readonly before: Side
  readonly after: Side
}
interface Side {
  readonly at: number
  /** The last change of the side. */
  readonly bound: EventOf<'bound'> | undefined
}
/** What was pressed between two boundaries. */
interface Piece {
  readonly begin: Boundary
  readonly end: Boundary
  readonly pressed: readonly Interval[]
}

/** Returns the parts of a session that ended at `end.at`, in order of time. */
export function partsOf(run: Run, end: NonNullable<Run['stop']>, counting: Log): readonly Part[] {
  const pieces = piecesOf(run, end, counting)
  const said = saidOf(pieces, counting)
  const parts = pieces.map((piece, index) => partOf(piece, said[index] ?? [], run))
  return [...parts, ...keptParts(pieces, parts, run, counting)]
}

/** Returns what lies between the start, the cuts and the end, in order of time. */
function piecesOf(
  run: Run,
  { id, at: endedAt }: NonNullable<Run['stop']>,
  counting: Log,
): readonly Piece[] {
  const boundaryAt = boundariesBy(counting)
  const start = boundaryAt(['start'], run.startedAt, -Infinity)
  // The earliest of several stops ends the session. What an event says of the end by another stop's id holds for it.
  const ends = new Set([id, ...eventsOf(counting, 'stop').map(idOf)])
  const typed = boundaryAt([...ends], endedAt, Infinity)
  const { at, bound } = typed.before
  const isOfOther = bound && bound.action.boundary !== id && isNarrower(bound.action)
  const end = isOfOther ? { ...typed, before: { at: Math.min(at, endedAt), bound } } : typed
  const counts = eventsOf(counting, 'count').filter(({ action }) => action.isWork)
  const added = counts.flatMap(({ action }) => action.spans)
  const earliest = Math.min(run.startedAt, start.after.at, ...added.map((span) => span.start))
  const latest = Math.max(endedAt, end.before.at, ...added.map((span) => span.end))
  const all = eventsOf(counting, 'cut')
  // A start or an end that was moved past a cut, unheard of it, leaves the cut out.
  const isBefore = (cut: EventOf<'cut'>) =>
    cut.action.to <= earliest || (cut.action.to <= start.after.at && isUnheardBy(start.after, cut))
  const isAfter = (cut: EventOf<'cut'>) =>
    latest <= cut.action.to || (end.before.at <= cut.action.to && isUnheardBy(end.before, cut))
  const cuts = all.filter((cut) => !isBefore(cut) && !isAfter(cut))
  const places = [...Map.groupBy(cuts, ({ action }) => action.to)].sort(([a], [b]) => a - b)
  const between = places.map(([to, made]) => boundaryAt(made.map(idOf), to, to, made))
  // What was said of the part after such a cut holds for the first part, which has its time.
  const first = { ...start, ids: [...start.ids, ...all.filter(isBefore).map(idOf)] }
  return [first, ...between].map((begin, index) => {
    return { begin, end: between[index] ?? end, pressed: run.worked }
  })
}

/** Returns whether a side was changed by somebody who had not heard of a cut. */
function isUnheardBy({ bound }: Side, cut: LogEvent): boolean {
  return bound !== undefined && !hadHeardOf(bound, cut)
}

/** Returns a function that makes a boundary with the last changes of its sides. */
function boundariesBy(counting: Log) {
  const last = new Map<string, EventOf<'bound'>>()
  for (const event of eventsOf(counting, 'bound'))
    last.set(`${event.action.side} ${event.action.boundary}`, event)
  return (ids: readonly BoundaryId[], at: number, limit: number, cuts: Log = []): Boundary => {
    const side = (name: 'before' | 'after'): Side => {
      const bounds = ids.flatMap((id) => last.get(`${name} ${id}`) ?? [])
      const bound = bounds.sort(compareEvents).at(-1)
      return { at: bound?.action.to ?? at, bound }
    }
    return { ids, cuts, limit, before: side('before'), after: side('after') }
  }
}

/**
 * Returns the events about each piece. An event about a part whose device had not heard of the cut at its end holds for
 * both sides of that cut.
 */
function saidOf(pieces: readonly Piece[], counting: Log): readonly Log[] {
  const places = new Map(
    pieces.flatMap(({ begin }, index) => begin.ids.map((id) => [id, index] as const)),
  )
  const said = pieces.map((): LogEvent[] => [])
  const events = eventsOf(counting, 'set', 'count', 'delete', 'restore', 'base', 'discard', 'fail')
  for (const event of events) {
    const { action } = event
    // An action without a boundary is about all pieces.
    const named = 'boundary' in action ? action.boundary : null
    const boundary = action.kind === 'base' ? 'start' : named
    const first = boundary === null ? 0 : (places.get(boundary) ?? Infinity)
    for (let index = first; index < pieces.length; index += 1) {
      const cuts = boundary === null || index === first ? [] : (pieces[index]?.begin.cuts ?? [])
      if (cuts.some((cut) => hadHeardOf(event, cut))) break
      said[index]?.push(event)
    }
  }
  return said
}

/** Returns the part that a piece becomes by the events about it. */
function partOf(piece: Piece, said: Log, run: Pick<Run, 'values'>): Part {
  const { begin, end, pressed } = piece
  const { after } = begin
  const { before } = end
  const own = clipIntervals(pressed, after.at, before.at)
  const earliest = Math.min(after.at, begin.limit)
  const latest = Math.max(before.at, end.limit)
  let { values } = run
  let worked: readonly Interval[] = own
  const deletions: LogEvent[] = []
  for (const event of said) {
    const { action } = event
    if (action.kind === 'set') {
      values = { ...values, [action.field]: action.value }
    } else if (action.kind === 'count') {
      const { spans } = action
      if (spans.every((span) => span.end <= earliest || latest <= span.start)) continue
      // A later change of a boundary leaves out what was counted before it.
      const from = isEarlier(event, after) ? Math.max(begin.limit, after.at) : begin.limit
      const to = isEarlier(event, before) ? Math.min(end.limit, before.at) : end.limit
      const counted = [
        ...clipIntervals(spans, after.at, before.at),
        ...clipIntervals(spans, from, to),
      ]
      worked = action.isWork ? union(worked, counted) : without(worked, counted)
    } else if (action.kind === 'restore') {
      deletions.length = 0
    } else if (isDeletion(action, own)) {
      deletions.push(event)
    }
  }
  // A part without pressed time begins with what was counted later.
  const isEmpty = after.at >= before.at && worked.length > 0
  const extent = isEmpty ? [] : [{ start: after.at, end: Math.max(after.at, before.at) }]
  const times = [...extent, ...worked]
  return {
    boundary: begin.ids[0] ?? 'start',
    endBoundary: end.ids[0] ?? 'end',
    values,
    startedAt: Math.min(...times.map(({ start }) => start)),
    endedAt: Math.max(...times.map((span) => span.end)),
    worked,
    deletions,
    deletion: deletions.at(-1) ?? null,
  }
}

/** Returns whether an action deletes a part. A part that has grown since, as a stop or cut was undone, is not deleted. */
function isDeletion(action: Action, own: readonly Interval[]): boolean {
  if (action.kind === 'delete') return without(own, [action.span]).length === 0
  return action.kind === 'base' ? action.base.deletedAt !== null : isEnd(action)
}

function isEnd({ kind }: Action): boolean {
  return kind === 'discard' || kind === 'fail'
}

function isEarlier(event: LogEvent, { bound }: Side): boolean {
  return bound !== undefined && compareEvents(event, bound) < 0
}

function isNarrower({ side, to, span }: EventOf<'bound'>['action']): boolean {
  return side === 'before' ? to < span.end : to > span.start
}

/** Returns time of deleted parts that answers have counted, although they had heard of the deletion, as new parts. */
function keptParts(
  pieces: readonly Piece[],
  parts: readonly Part[],
  run: Run,
  counting: Log,
): readonly Part[] {
  const boundaryAt = boundariesBy(counting)
  let counted = countedIn(parts)
  return eventsOf(counting, 'count').flatMap((event): readonly Part[] => {
    const { isWork, spans, boundary } = event.action
    if (!isWork || boundary !== null) return []
    const heard = pieces.filter((_, index) =>
      parts[index]?.deletions.some((each) => hadHeardOf(event, each)),
    )
    const lost = heard.flatMap(({ begin, end }) => clipIntervals(spans, begin.limit, end.limit))
    const pressed = without(lost, counted)
    const [first, last] = [pressed[0], pressed.at(-1)]
    if (!first || !last) return []
    const id = [idOf(event)]
    const begin = boundaryAt(id, first.start, first.start)
    const piece = { begin, end: boundaryAt(id, last.end, last.end), pressed }
    const [said = []] = saidOf([piece], counting)
    const since = said.filter((each) => compareEvents(event, each) < 0 && !isEnd(each.action))
    const part = partOf(piece, since, run)
    counted = union(counted, countedIn([part]))
    return [part]
  })
}

/** Returns the time that an action leaves out: the span that its owner saw when trimming, deleting or answering. */
export function leftOutBy(action: Action): readonly Interval[] {
  const { kind } = action
  if (kind === 'discard') return [{ start: -Infinity, end: Infinity }]
  if (kind === 'count') return action.isWork ? [] : action.spans
  const isLeftOut = kind === 'delete' || (kind === 'bound' && isNarrower(action))
  return isLeftOut ? [action.span] : []
}

/** Returns what parts count as worked, without deleted ones. */
export function countedIn(parts: readonly Part[]): readonly Interval[] {
  return union(...parts.map(({ deletion, worked }) => (deletion === null ? worked : [])))
}
