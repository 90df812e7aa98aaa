/** The parts of a session that has ended: its boundaries, and what each part holds. */
import { clipIntervals } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'

import { eventsOf, idOf } from './event.ts'
import type { Action, BoundaryId, EventOf, Log, LogEvent } from './event.ts'
import { compareEvents, hadHeardOf } from './order.ts'
import type { Run } from './run.ts'
import { inBoth, union, without } from './spans.ts'

/** A part of a session, which is an entry. Instants are epoch milliseconds of server time. */
export interface Part {
  /** The boundary at its start: 'start' for the part that keeps the session's id. */
  readonly boundary: BoundaryId
  /** The boundary at its end. */
  readonly endBoundary: BoundaryId
  readonly task: string
  readonly note: string | null
  readonly startedAt: number
  readonly endedAt: number
  readonly worked: readonly Interval[]
  /** The latest event that deletes it, or null. */
  readonly deletion: LogEvent | null
}

/** The last change of a side of a boundary. */
type Bound = EventOf<'bound'> | undefined

/** A stretch between two boundaries, of which a part is made. */
interface Piece {
  /** The names of the boundary at its start, the first of which names the part. */
  readonly ids: readonly BoundaryId[]
  readonly endIds: readonly BoundaryId[]
  /** The cuts at its start. Two devices may cut at the same instant. */
  readonly cuts: readonly LogEvent[]
  /** Between the cuts at its sides. The first piece and the last one have no limit outwards. */
  readonly zone: Interval
  /** Where its start and its end were put last. Two devices may put the start behind the end. */
  readonly from: number
  readonly to: number
  readonly after: Bound
  readonly before: Bound
}

/** Returns the parts of a session that ended at `end.at`, in order of time. */
export function partsOf(run: Run, end: NonNullable<Run['stop']>, counting: Log): readonly Part[] {
  const pieces = piecesOf(run, end, counting)
  const said = saidOf(pieces, counting)
  const made = pieces.map((piece, index) => partOf(piece, said[index] ?? [], run, run.worked))
  return [...made.map(({ part }) => part), ...keptParts(made, run, counting)]
}

/** Returns the pieces between the start, the cuts and the end, in order of time. */
function piecesOf(run: Run, end: NonNullable<Run['stop']>, counting: Log): readonly Piece[] {
  const boundAt = lastBounds(counting)
  // Of several stops, the earliest one ends the session. What was said of the end at another one holds.
  const ends = [...new Set([end.id, ...eventsOf(counting, 'stop').map(idOf)])]
  const [first, last] = [boundAt(['start'], 'after'), boundAt(ends, 'before')]
  const isOfOther = last && last.action.boundary !== end.id && isNarrower(last.action)
  const from = first?.action.to ?? run.startedAt
  const to = !last || (isOfOther && last.action.to > end.at) ? end.at : last.action.to
  const added = eventsOf(counting, 'count').flatMap(({ action }) =>
    action.isWork ? action.spans : [],
  )
  const earliest = Math.min(run.startedAt, from, ...added.map((span) => span.start))
  const latest = Math.max(end.at, to, ...added.map((span) => span.end))
  const cuts = eventsOf(counting, 'cut').filter((cut) => {
    const at = cut.action.to
    // Who moved the start or the end past a cut that he had not heard of left it out.
    const isLeftOut =
      (first && at <= from && !hadHeardOf(first, cut)) ||
      (last && at >= to && !hadHeardOf(last, cut))
    return earliest < at && at < latest && !isLeftOut
  })
  const places = [...Map.groupBy(cuts, ({ action }) => action.to)].sort(([a], [b]) => a - b)
  return [null, ...places].map((place, index): Piece => {
    const next = places[index]
    const ids = place?.[1].map(idOf) ?? ['start']
    const endIds = next?.[1].map(idOf) ?? ends
    const after = place ? boundAt(ids, 'after') : first
    const before = next ? boundAt(endIds, 'before') : last
    return {
      ids,
      endIds,
      cuts: place?.[1] ?? [],
      zone: { start: place?.[0] ?? -Infinity, end: next?.[0] ?? Infinity },
      from: place ? (after?.action.to ?? place[0]) : from,
      to: next ? (before?.action.to ?? next[0]) : to,
      after,
      before,
    }
  })
}

/** Returns a function that finds the last change of one side of a boundary by the names of the boundary. */
function lastBounds(counting: Log) {
  const last = new Map<string, EventOf<'bound'>>()
  for (const event of eventsOf(counting, 'bound'))
    last.set(`${event.action.side} ${event.action.boundary}`, event)
  return (ids: readonly BoundaryId[], side: 'before' | 'after'): Bound =>
    ids
      .flatMap((id) => last.get(`${side} ${id}`) ?? [])
      .sort(compareEvents)
      .at(-1)
}

/**
 * Returns the events that say something of each piece. What was said of a part by a device that had not
 * heard of the cut at its end holds for both sides of that cut.
 */
function saidOf(pieces: readonly Piece[], counting: Log): readonly Log[] {
  const places = new Map(pieces.flatMap(({ ids }, index) => ids.map((id) => [id, index])))
  const said = pieces.map((): LogEvent[] => [])
  const events = eventsOf(counting, 'set', 'count', 'delete', 'restore', 'base', 'discard', 'fail')
  for (const event of events) {
    const boundary = boundaryOf(event.action)
    const first = boundary === null ? 0 : (places.get(boundary) ?? Infinity)
    for (let index = first; index < pieces.length; index += 1) {
      const cuts = boundary === null || index === first ? [] : (pieces[index]?.cuts ?? [])
      if (cuts.some((cut) => hadHeardOf(event, cut))) break
      said[index]?.push(event)
    }
  }
  return said
}

/** Returns the part that an action is about, by its boundary, or null when it is about all of them. */
function boundaryOf(action: Action): BoundaryId | null {
  if (action.kind === 'base') return 'start'
  return 'boundary' in action ? (action.boundary ?? null) : null
}

/**
 * Returns the part of a piece, with the deletions that hold for it.
 *
 * @param said what was said of it
 * @param pressed when it was worked before anything was said of it
 */
function partOf(piece: Piece, said: Log, begin: Begin, pressed: readonly Interval[]): Made {
  const { ids, endIds, zone, from, to, after, before } = piece
  const own = clipIntervals(pressed, from, to)
  const reach = { start: Math.min(from, zone.start), end: Math.max(to, zone.end) }
  let { task, note } = begin
  let worked: readonly Interval[] = own
  const deletions: LogEvent[] = []
  for (const event of said) {
    const { action } = event
    if (action.kind === 'set') {
      if (action.field === 'task') task = action.value
      else note = action.value
    } else if (action.kind === 'count') {
      // A later change of a boundary leaves out what was counted before it.
      const start = isEarlier(event, after) ? Math.max(zone.start, from) : zone.start
      const end = isEarlier(event, before) ? Math.min(zone.end, to) : zone.end
      const { spans } = action
      if (spans.every((span) => span.end <= reach.start || reach.end <= span.start)) continue
      const within = [...clipIntervals(spans, from, to), ...clipIntervals(spans, start, end)]
      worked = action.isWork ? union(worked, within) : without(worked, within)
    } else if (action.kind === 'restore') {
      deletions.length = 0
    } else if (isDeletion(action, own)) {
      deletions.push(event)
    }
  }
  // A part that has nothing but what was counted later begins with that.
  const extent = from < to || worked.length === 0 ? [{ start: from, end: Math.max(from, to) }] : []
  const times = [...extent, ...worked]
  const part: Part = {
    boundary: ids[0] ?? 'start',
    endBoundary: endIds[0] ?? 'end',
    task,
    note,
    startedAt: Math.min(...times.map(({ start }) => start)),
    endedAt: Math.max(...times.map((span) => span.end)),
    worked,
    deletion: deletions.at(-1) ?? null,
  }
  return { part, deletions }
}
type Begin = Pick<Run, 'task' | 'note'>
interface Made {
  readonly part: Part
  readonly deletions: Log
}

/** A part that has grown since, because a stop or a cut was undone, comes back. */
function isDeletion(action: Action, own: readonly Interval[]): boolean {
  if (action.kind === 'delete') return without(own, [action.span]).length === 0
  return action.kind === 'base' ? action.base.deletedAt !== null : isEnd(action)
}

function isEnd({ kind }: Action): boolean {
  return kind === 'discard' || kind === 'fail'
}

function isEarlier(event: LogEvent, bound: Bound): boolean {
  return bound !== undefined && compareEvents(event, bound) < 0
}

function isNarrower({ side, to, span }: EventOf<'bound'>['action']): boolean {
  return side === 'before' ? to < span.end : to > span.start
}

/**
 * Returns what answers have counted as work of a deleted part by somebody who had heard of the deletion: a
 * part of its own, which the answer names.
 */
function keptParts(made: readonly Made[], run: Run, counting: Log): readonly Part[] {
  const boundAt = lastBounds(counting)
  let counted = countedIn(made.map(({ part }) => part))
  return eventsOf(counting, 'count').flatMap((event): readonly Part[] => {
    const { isWork, spans, boundary } = event.action
    const isKept = isWork && boundary === undefined
    const heard = made.filter(({ deletions }) => deletions.some((each) => hadHeardOf(event, each)))
    const lost = isKept ? inBoth(spans, union(...heard.map(({ part }) => part.worked))) : []
    const kept = without(lost, counted)
    const [first, last] = [kept[0], kept.at(-1)]
    if (!first || !last) return []
    const ids = [idOf(event)]
    const [after, before] = [boundAt(ids, 'after'), boundAt(ids, 'before')]
    const zone = { start: first.start, end: last.end }
    const times = { zone, from: after?.action.to ?? zone.start, to: before?.action.to ?? zone.end }
    const piece = { ids, endIds: ids, cuts: [], ...times, after, before }
    const [said = []] = saidOf([piece], counting)
    const since = said.filter((each) => compareEvents(event, each) < 0 && !isEnd(each.action))
    const { part } = partOf(piece, since, run, kept)
    counted = union(counted, countedIn([part]))
    return [part]
  })
}

/** Returns the time that an action leaves out: who trims, deletes or answers has seen it. */
export function leftOutBy(action: Action): readonly Interval[] {
  switch (action.kind) {
    case 'discard':
      return [{ start: -Infinity, end: Infinity }]
    case 'bound':
      return isNarrower(action) ? [action.span] : []
    case 'delete':
      return [action.span]
    case 'count':
      return action.isWork ? [] : action.spans
    default:
      return []
  }
}

/** Returns what parts count as worked, without deleted ones. */
export function countedIn(parts: readonly Part[]): readonly Interval[] {
  return union(...parts.map(({ deletion, worked }) => (deletion === null ? worked : [])))
}
