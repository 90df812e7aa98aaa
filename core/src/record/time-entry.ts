/** A saved stretch of work (spec 3: time entry), in Stint's terms and on the wire. */
import type { NewAttributes, TimeEntryDocument } from '#collections.ts'
import { instantFromWire, instantToWire } from '#time/instant.ts'
import { clipPauses, pausesFromWire, pausesToWire } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'
import type { ActiveTimer, StoppedTimer } from '#timer/timer.ts'
import { stopTimer, workedSeconds } from '#timer/timer.ts'

export interface TimeEntry {
  /** The session's id as well: a repeated save meets itself (S1). */
  readonly id: string
  readonly taskId: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
  /** Whole seconds of work; equals floor((end − start − pauses) / 1000). */
  readonly durationSeconds: number
  readonly pauses: Pauses
  /** 'timer', 'manual', 'import' … */
  readonly entryType: string
  readonly sessionId: string | null
  readonly note: string | null
  /** Set when the user deleted it: kept, but counted nowhere. */
  readonly deletedAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Reads an entry document; unreadable instants become an entry of no length, never NaN. */
export function entryFromDocument(document: TimeEntryDocument): TimeEntry {
  const createdAt = instantFromWire(document.$createdAt) ?? 0
  const startedAt = instantFromWire(document.startTime) ?? createdAt
  const endedAt = Math.max(startedAt, instantFromWire(document.endTime) ?? startedAt)
  const durationSeconds = Math.max(0, Math.floor(document.durationSeconds))
  const { intervals } = clipPauses(pausesFromWire(document.pauses, 0), startedAt, endedAt)
  const unpausedSeconds = workedSeconds(startedAt, endedAt, { intervals, unplacedSeconds: 0 })
  return {
    id: document.$id,
    taskId: document.taskId,
    startedAt,
    endedAt,
    durationSeconds,
    // What the span has more than the work and the known pauses was paused at some time as well.
    pauses: { intervals, unplacedSeconds: Math.max(0, unpausedSeconds - durationSeconds) },
    entryType: document.entryType,
    sessionId: document.sessionId,
    note: document.note,
    deletedAt: instantFromWire(document.deletedAt),
    createdAt,
    updatedAt: instantFromWire(document.$updatedAt) ?? createdAt,
  }
}

/** The attributes to send for an entry. `date` is the ISO text of the session's start (spec 3). */
export function entryAttributes(entry: TimeEntry, userId: string): NewAttributes<'time_entries'> {
  return {
    taskId: entry.taskId,
    userId,
    startTime: instantToWire(entry.startedAt),
    endTime: instantToWire(entry.endedAt),
    entryType: entry.entryType,
    durationSeconds: entry.durationSeconds,
    date: instantToWire(entry.startedAt),
    sessionId: entry.sessionId,
    pauses: pausesToWire(entry.pauses),
    note: entry.note,
    deletedAt: entry.deletedAt === null ? null : instantToWire(entry.deletedAt),
  }
}

/** The entry of a finished timer. Its id is the session's (S1). */
export function entryFromStopped(stopped: StoppedTimer): TimeEntry {
  return {
    id: stopped.sessionId,
    taskId: stopped.taskId,
    startedAt: stopped.startedAt,
    endedAt: stopped.endedAt,
    durationSeconds: stopped.durationSeconds,
    pauses: stopped.pauses,
    entryType: 'timer',
    sessionId: stopped.sessionId,
    note: null,
    deletedAt: null,
    createdAt: stopped.endedAt,
    updatedAt: stopped.endedAt,
  }
}

/** The running timer as the entry it would be if it stopped now: counts live in totals (S32). */
export function entryFromTimer(timer: ActiveTimer, now: number): TimeEntry {
  return entryFromStopped(stopTimer(timer, now))
}
