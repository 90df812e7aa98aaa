/** The documents that a folded session means: its fields as any client of the API reads them. */
import { idFrom } from '#record/split-id.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { clipIntervals, intervalsBetween, totalMilliseconds } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import type { Pauses } from '#timer/pauses.ts'
import { workedSeconds, withNote } from '#timer/timer.ts'
import type { ActiveTimer } from '#timer/timer.ts'

import type { Base, BoundaryId } from './event.ts'
import type { SessionState } from './fold.ts'
import type { Part } from './parts.ts'
import { without } from './spans.ts'

/** An entry without what the backend adds. */
export type ProjectedEntry = Omit<TimeEntry, 'createdAt' | 'updatedAt' | 'log'>

/** Either the session is active and has one document, or it has ended and has entries. */
export interface Projection {
  readonly session: Exclude<TimerSession['state'], { kind: 'stopped' }> | null
  readonly entries: readonly ProjectedEntry[]
}

/** Returns the documents of the session with this id. */
export function projectionOf(id: string, folded: SessionState): Projection {
  const session = activeOf(id, folded)
  return { session, entries: folded.parts.map((part) => entryOf(id, part, folded)) }
}

/** Returns the id of the entry of a part. The first part has the id of the session. */
export function entryIdOf(session: string, boundary: BoundaryId): string {
  return boundary === 'start' ? session : idFrom(`part ${session} ${boundary}`)
}

function activeOf(id: string, { timer, origin }: SessionState): Projection['session'] {
  if (!timer) return null
  const base = origin.action.kind === 'base' ? origin.action.base : null
  const { task: taskId, startedAt, pausedAt, worked } = timer
  const until = pausedAt ?? worked.at(-1)?.start ?? startedAt
  const unplacedSeconds = base?.unplacedSeconds ?? 0
  const isAsBase =
    base !== null &&
    base.startedAt === startedAt &&
    base.endedAt === pausedAt &&
    isSame(worked, clipIntervals(baseWork(base, pausedAt ?? Infinity), startedAt, Infinity))
  const intervals = isAsBase
    ? base.pauses
    : intervalsBetween(worked, { start: startedAt, end: until })
  const pauses = { intervals, unplacedSeconds }
  const fields = withNote({ sessionId: id, taskId, startedAt, pauses }, timer.note)
  const active: ActiveTimer =
    pausedAt === null ? { ...fields, status: 'running' } : { ...fields, status: 'paused', pausedAt }
  return { kind: isAsBase && base.status === 'unclear' ? 'unclear' : 'active', timer: active }
}

function entryOf(id: string, part: Part, { origin, parts }: SessionState): ProjectedEntry {
  const base = origin.action.kind === 'base' ? origin.action.base : null
  const { startedAt, endedAt, worked, deletion } = part
  const isFirst = part.boundary === 'start'
  const isBaseDeletion = deletion?.action.kind === 'base'
  const entry = {
    id: entryIdOf(id, part.boundary),
    taskId: part.task,
    startedAt,
    endedAt,
    durationSeconds: 0,
    pauses: {
      intervals: intervalsBetween(worked, { start: startedAt, end: endedAt }),
      unplacedSeconds: 0,
    },
    entryType: base?.type ?? 'timer',
    sessionId: isFirst && base ? base.session : id,
    note: part.note || null,
    deletedAt: isBaseDeletion ? (base?.deletedAt ?? null) : (deletion?.at ?? null),
  }
  if (!base) return timed(entry, 0)
  const isAsBase =
    base.startedAt === startedAt &&
    base.endedAt === endedAt &&
    isSame(worked, baseWork(base, endedAt))
  if (isAsBase && base.seconds !== null) {
    const { pauses: intervals, unplacedSeconds, seconds } = base
    return { ...entry, durationSeconds: seconds, pauses: { intervals, unplacedSeconds } }
  }
  return timed(entry, unplacedIn(part, parts.length === 1, base))
}

function timed(entry: ProjectedEntry, unplacedSeconds: number): ProjectedEntry {
  const pauses: Pauses = { ...entry.pauses, unplacedSeconds }
  const durationSeconds = workedSeconds(entry.startedAt, entry.endedAt, pauses)
  return { ...entry, pauses, durationSeconds }
}

/**
 * Returns the seconds of a part that were paused at an unknown time: all of them while they leave
 * work, otherwise their share.
 */
function unplacedIn({ worked }: Part, isOnly: boolean, base: Base): number {
  const milliseconds = totalMilliseconds(worked)
  const isKept = isOnly && milliseconds > base.unplacedSeconds * 1000
  const all = totalMilliseconds(baseWork(base, base.endedAt ?? base.startedAt))
  const share = all > 0 ? Math.min(1, milliseconds / all) : 0
  return isKept ? base.unplacedSeconds : Math.floor(base.unplacedSeconds * share)
}

function baseWork({ startedAt, pauses }: Base, until: number): readonly Interval[] {
  return without([{ start: startedAt, end: until }], pauses)
}

function isSame(some: readonly Interval[], others: readonly Interval[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others)
}
