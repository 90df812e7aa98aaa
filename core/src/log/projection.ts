/** The documents that a folded session means: its fields as any client of the API reads them. */
import { idFrom } from '#record/split-id.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { intervalsBetween, totalMilliseconds } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { workedSeconds, withNote } from '#timer/timer.ts'
import type { ActiveTimer } from '#timer/timer.ts'

import type { Base, BoundaryId } from './event.ts'
import type { SessionState } from './fold.ts'
import type { Part } from './parts.ts'
import { fieldsFrom } from './set-values.ts'
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

/** Returns the boundary of the part that an entry of a session is, or an empty text. */
export function boundaryOf(session: string, entry: string, state: SessionState | null): BoundaryId {
  const isOf = ({ boundary }: Part) => entryIdOf(session, boundary) === entry
  return state?.parts.find(isOf)?.boundary ?? ''
}

function activeOf(id: string, { timer, base }: SessionState): Projection['session'] {
  if (!timer) return null
  const { values, startedAt, pausedAt, worked } = timer
  const { taskId, note } = fieldsFrom(values)
  const same = sameBase(base, { ...timer, endedAt: pausedAt })
  const until = pausedAt ?? worked.at(-1)?.start ?? startedAt
  const intervals = same?.pauses ?? intervalsBetween(worked, { start: startedAt, end: until })
  const pauses = { intervals, unplacedSeconds: base?.unplacedSeconds ?? 0 }
  const fields = withNote({ sessionId: id, taskId, startedAt, pauses }, note)
  const active: ActiveTimer =
    pausedAt === null ? { ...fields, status: 'running' } : { ...fields, status: 'paused', pausedAt }
  return { kind: same?.status === 'unclear' ? 'unclear' : 'active', timer: active }
}

function entryOf(id: string, part: Part, { base, parts }: SessionState): ProjectedEntry {
  const { startedAt, endedAt, worked, deletion } = part
  const isFirst = part.boundary === 'start'
  const isBaseDeletion = deletion?.action.kind === 'base'
  const same = base?.seconds === null ? null : sameBase(base, part)
  const pauses = same
    ? { intervals: same.pauses, unplacedSeconds: same.unplacedSeconds }
    : {
        intervals: intervalsBetween(worked, { start: startedAt, end: endedAt }),
        unplacedSeconds: base ? unplacedIn(part, parts.length === 1, base) : 0,
      }
  return {
    id: entryIdOf(id, part.boundary),
    ...fieldsFrom(part.values),
    startedAt,
    endedAt,
    durationSeconds: same?.seconds ?? workedSeconds(startedAt, endedAt, pauses),
    pauses,
    entryType: base?.type ?? 'timer',
    sessionId: isFirst && base ? base.session : id,
    deletedAt: isBaseDeletion ? (base?.deletedAt ?? null) : (deletion?.at ?? null),
  }
}

/** Returns the base when these times still are what it says. */
function sameBase(
  base: Base | null,
  { startedAt, endedAt, worked }: Pick<Part, 'startedAt' | 'worked'> & { endedAt: number | null },
): Base | null {
  if (base?.startedAt !== startedAt || base.endedAt !== endedAt) return null
  return JSON.stringify(worked) === JSON.stringify(baseWork(base)) ? base : null
}

/** Returns the seconds that were paused at an unknown time: all while they leave work, otherwise a share. */
function unplacedIn({ worked }: Part, isOnly: boolean, base: Base): number {
  const milliseconds = totalMilliseconds(worked)
  if (isOnly && milliseconds > base.unplacedSeconds * 1000) return base.unplacedSeconds
  const all = base.endedAt === null ? 0 : totalMilliseconds(baseWork(base))
  const share = all > 0 ? Math.min(1, milliseconds / all) : 0
  return Math.floor(base.unplacedSeconds * share)
}

function baseWork({ startedAt, endedAt, pauses }: Base): readonly Interval[] {
  return without([{ start: startedAt, end: endedAt ?? Infinity }], pauses)
}
