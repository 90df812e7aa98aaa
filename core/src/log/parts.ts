/** The parts of a session that has ended: its boundaries, and what each part holds. */
import { clipIntervals } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'

import { eventsOf, idOf, isOf } from './event.ts'
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

interface Boundary {
  /** Its names, the first of which is the boundary of the part. */
  readonly ids: readonly BoundaryId[]
  readonly at: number
  /** The cuts that made it. Two devices may cut at the same instant. */
  readonly cuts: readonly LogEvent[]
}

/** Returns the parts of a session that ended at `end.at`, in order of time. */
export function partsOf(run: Run, end: NonNullable<Run['stop']>, counting: Log): readonly Part[] {
  // Of several stops, the earliest one ends the session. What was said of the end at another one holds.
  const ends = [...new Set([end.id, ...eventsOf(counting, 'stop').map(idOf)])]
  const [starts, stops] = [
    boundsOf(['start'], 'after', counting),
    boundsOf(ends, 'before', counting),
  ]
  const bound = stops.at(-1)?.action
  const isOther = bound !== undefined && bound.boundary !== end.id && isNarrower(bound)
  const from = starts.at(-1)?.action.to ?? run.startedAt
  const to = bound === undefined || (isOther && bound.to > end.at) ? end.at : bound.to
  const boundaries = boundariesOf({ from, to, ends }, counting)
  // Time that a changed boundary has added counts as work.
  const widened = [...starts, ...stops].flatMap(({ action }) =>
    isNarrower(action) ? [] : action.span,
  )
  const available = clipIntervals(union(run.worked, widened), from, to)
  const parts = boundaries
    .slice(0, -1)
    .map((_, index) =>
      partAt(boundaries, index, { run, available, range: { start: from, end: to }, counting }),
    )
  return [...parts, ...keptParts(parts, run, counting)]
}

/** Returns the boundaries in order of time: the start, the cuts between, and the end. */
function boundariesOf(
  { from, to, ends }: { from: number; to: number; ends: readonly BoundaryId[] },
  counting: Log,
): Boundary[] {
  const counts = eventsOf(counting, 'count').map(({ action }) => action)
  const added = counts.flatMap(({ isWork, spans }) => (isWork ? spans : []))
  const earliest = Math.min(from, ...added.map(({ start }) => start))
  const latest = Math.max(to, ...added.map((span) => span.end))
  const cuts = eventsOf(counting, 'cut')
    .filter(({ action }) => earliest < action.to && action.to < latest)
    .sort((a, b) => a.action.to - b.action.to || compareEvents(a, b))
  const boundaries: Boundary[] = [{ ids: ['start'], at: Math.min(from, to), cuts: [] }]
  for (const cut of cuts) {
    const last = boundaries.at(-1)
    const isSame = last !== undefined && last.cuts.length > 0 && last.at === cut.action.to
    const cuts = isSame ? [...last.cuts, cut] : [cut]
    if (isSame) boundaries.pop()
    boundaries.push({ ids: cuts.map(idOf), at: cut.action.to, cuts })
  }
  return [...boundaries, { ids: ends, at: to, cuts: [] }]
}

interface Source {
  readonly run: Run
  readonly available: readonly Interval[]
  /** From the start to the end as they were set last. */
  readonly range: Interval
  readonly counting: Log
}

function partAt(boundaries: readonly Boundary[], index: number, source: Source): Part {
  const { run, available, range, counting } = source
  const [begin, next] = [boundaries[index], boundaries[index + 1]]
  if (!begin || !next) throw new RangeError('A part lies between two boundaries.')
  const [isFirst, isLast] = [index === 0, index === boundaries.length - 2]
  const after = boundsOf(begin.ids, 'after', counting).at(-1)
  const before = boundsOf(next.ids, 'before', counting).at(-1)
  const from = isFirst ? range.start : (after?.action.to ?? Math.max(begin.at, range.start))
  const to = isLast ? range.end : (before?.action.to ?? Math.min(next.at, range.end))
  const hasOwn = from < to
  let worked = clipIntervals(available, from, to)
  for (const event of eventsOf(counting, 'count')) {
    const { spans, isWork } = event.action
    // A later change of a boundary leaves out what was counted before it.
    const start = after && compareEvents(event, after) < 0 ? from : isFirst ? -Infinity : begin.at
    const end = before && compareEvents(event, before) < 0 ? to : isLast ? Infinity : next.at
    const zone = hasOwn ? { start: Math.min(start, from), end: Math.max(end, to) } : { start, end }
    const within = clipIntervals(spans, zone.start, zone.end)
    worked = isWork ? union(worked, within) : without(worked, within)
  }
  // A part that has nothing but what was counted later begins with that.
  const own = hasOwn || worked.length === 0 ? [{ start: from, end: Math.max(from, to) }] : []
  const startedAt = Math.min(...[...own, ...worked].map(({ start }) => start))
  const endedAt = Math.max(...[...own, ...worked].map((span) => span.end))
  return {
    boundary: begin.ids[0] ?? 'start',
    endBoundary: next.ids[0] ?? 'end',
    task: fieldAt('task') ?? run.task,
    note: fieldAt('note') ?? run.note,
    startedAt,
    endedAt,
    worked,
    // What was counted since does not bring a deleted part back. It is a part of its own (keptParts).
    deletion: deletionAt(hasOwn ? { start: from, end: to } : { start: startedAt, end: endedAt }),
  }

  function fieldAt(field: 'task' | 'note'): string | null {
    const set = eventsOf(counting, 'set').findLast(
      (each) => each.action.field === field && isAbout(boundaries, index, each),
    )
    return set ? set.action.value : null
  }

  function deletionAt(part: Interval): LogEvent | null {
    const restored = eventsOf(counting, 'restore').findLast((each) =>
      isAbout(boundaries, index, each),
    )
    const deletions = counting.filter((each) => {
      if (isOf(each, 'base')) return isFirst && each.action.base.deletedAt !== null
      if (!isOf(each, 'delete')) return isOf(each, 'discard', 'fail')
      const { span } = each.action
      // A part that has grown since, because a stop or a cut was undone, comes back.
      return isAbout(boundaries, index, each) && span.start <= part.start && part.end <= span.end
    })
    return deletions.findLast((each) => !restored || compareEvents(restored, each) < 0) ?? null
  }
}

/**
 * Returns whether an event is about a part. What was said of a part by a device that had not heard
 * of the cut at its start holds for both sides of that cut.
 */
function isAbout(
  boundaries: readonly Boundary[],
  index: number,
  event: EventOf<'set' | 'delete' | 'restore'>,
): boolean {
  const boundary = boundaries[index]
  if (!boundary) return false
  const { ids, cuts } = boundary
  if (ids.includes(event.action.boundary)) return true
  return !cuts.some((cut) => hadHeardOf(event, cut)) && isAbout(boundaries, index - 1, event)
}

/** Returns the changes of one side of a boundary, the last one last. */
function boundsOf(ids: readonly BoundaryId[], side: 'before' | 'after', counting: Log) {
  return eventsOf(counting, 'bound').filter(
    ({ action }) => ids.includes(action.boundary) && action.side === side,
  )
}

function isNarrower({ side, to, span }: EventOf<'bound'>['action']): boolean {
  return to === (side === 'before' ? span.start : span.end)
}

/**
 * Returns what was counted of a deleted part by somebody whose answer the deletion had not heard of:
 * a part of its own, which the answer names.
 */
function keptParts(parts: readonly Part[], run: Run, counting: Log): readonly Part[] {
  const living = parts.filter(({ deletion }) => deletion === null)
  const deleted = parts.filter(({ deletion }) => deletion !== null)
  let counted = union(...living.map(({ worked }) => worked))
  return eventsOf(counting, 'count').flatMap((event): Part[] => {
    const unheard = deleted.filter(({ deletion }) => deletion && !hadHeardOf(deletion, event))
    const lost = inBoth(event.action.spans, union(...unheard.map(({ worked }) => worked)))
    const worked = without(event.action.isWork ? lost : [], counted)
    const [first, last] = [worked[0], worked.at(-1)]
    if (!first || !last) return []
    counted = union(counted, worked)
    const id = idOf(event)
    const deletion =
      eventsOf(counting, 'delete').findLast(({ action }) => action.boundary === id) ?? null
    const times = { startedAt: first.start, endedAt: last.end, worked, deletion }
    return [{ boundary: id, endBoundary: id, task: run.task, note: run.note, ...times }]
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
