/** An entry in Stint's terms and on the wire. */
import type { NewAttributes, TimeEntryDocument } from '#collections.ts'
import type { Guard } from '#guards.ts'
import { instantToWire } from '#time/instant.ts'
import { clipPauses, NO_PAUSES } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'
import type { ActiveTimer, StoppedTimer } from '#timer/timer.ts'
import { stopTimer, workedSeconds } from '#timer/timer.ts'
import {
  formsOf,
  INSTANT,
  isRecordOf,
  OPTIONAL_FLAG,
  OPTIONAL_INSTANT,
  OPTIONAL_TEXT,
  OPTIONAL_ID,
  partsOf,
  PAUSES,
  SECONDS,
  stampsOf,
  TEXT,
} from './fields.ts'
import type { Fields, Stamped } from './fields.ts'
import type { Parts } from './unsent.ts'

export interface TimeEntry {
  /** Also the session's id, so that a repeated save finds the existing entry. */
  readonly id: string
  readonly taskId: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
  /** Whole seconds of work, equal to floor((end − start − pauses) / 1000). */
  readonly durationSeconds: number
  readonly pauses: Pauses
  /** 'timer', 'manual', 'import' … */
  readonly entryType: string
  /** The session that it was saved from. */
  readonly sessionId: string | null
  readonly note: string | null
  /** Set when the user deleted it. A deleted entry is kept but counts nowhere. */
  readonly deletedAt: number | null
  /**
   * The log of its session (docs/log.md), or the seal of a part that was cut off (log/seal.ts), or
   * null of an entry that was never timed or edited by an app that knows logs.
   */
  readonly log: string | null
  /** Whether it is billed; null: as its category is (timesheet/rates.ts). */
  readonly billable: boolean | null
  /** What sealed timesheets have of it (timesheet/seals.ts), or null. */
  readonly invoiced: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export type EntryPart =
  | 'times'
  | 'task'
  | 'note'
  | 'type'
  | 'deletion'
  | 'log'
  | 'billable'
  | 'invoiced'
type EntryContent = Omit<TimeEntry, keyof Stamped>

/**
 * Every field of an entry. Two devices may each change another part of one entry, and both changes
 * are kept. Start, end, pauses and seconds are one part, because they must agree. A new field comes
 * last, because rows that were stored earlier do not have it.
 *
 * `set` is the name under which an event `set` of the log gives the field another value, as a text
 * that is empty for the default. Null: people cannot change it, or the log says it otherwise.
 */
export const ENTRY_FIELDS = {
  taskId: { attribute: 'taskId', type: TEXT, part: 'task', default: '', set: 'task' },
  startedAt: { attribute: 'startTime', type: INSTANT, part: 'times', default: NaN, set: null },
  endedAt: { attribute: 'endTime', type: INSTANT, part: 'times', default: NaN, set: null },
  durationSeconds: {
    attribute: 'durationSeconds',
    type: SECONDS,
    part: 'times',
    default: 0,
    set: null,
  },
  pauses: { attribute: 'pauses', type: PAUSES, part: 'times', default: NO_PAUSES, set: null },
  note: { attribute: 'note', type: OPTIONAL_TEXT, part: 'note', default: null, set: 'note' },
  entryType: { attribute: 'entryType', type: TEXT, part: 'type', default: 'timer', set: null },
  sessionId: {
    attribute: 'sessionId',
    type: OPTIONAL_ID,
    part: 'deletion',
    default: null,
    set: null,
  },
  deletedAt: {
    attribute: 'deletedAt',
    type: OPTIONAL_INSTANT,
    part: 'deletion',
    default: null,
    set: null,
  },
  log: { attribute: 'log', type: OPTIONAL_TEXT, part: 'log', default: null, set: null },
  billable: {
    attribute: 'billable',
    type: OPTIONAL_FLAG,
    part: 'billable',
    default: null,
    set: 'billable',
  },
  invoiced: {
    attribute: 'invoiced',
    type: OPTIONAL_TEXT,
    part: 'invoiced',
    default: null,
    set: 'invoiced',
  },
} as const satisfies Fields<EntryContent, EntryPart> & {
  readonly [K in keyof EntryContent]: { readonly set: string | null }
}

type EntryFields = typeof ENTRY_FIELDS
type SetField = {
  [K in keyof EntryFields]: EntryFields[K]['set'] extends null ? never : K
}[keyof EntryFields]
/** The fields that an edit changes beside the times, each with a value of its own in the log. */
export type SetFields = Pick<TimeEntry, SetField>
/** Their names in the log. */
export type SetName = EntryFields[SetField]['set']

/** Returns the fields that an edit sets, without the others. */
export function setFieldsOf(entry: SetFields): SetFields {
  const described: Readonly<Record<string, { readonly set: string | null }>> = ENTRY_FIELDS
  const set = Object.entries(entry).filter(([key]) => (described[key]?.set ?? null) !== null)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entry has each of them
  return Object.fromEntries(set) as unknown as SetFields
}

export const isEntry: Guard<TimeEntry> = /* @__PURE__ */ isRecordOf<TimeEntry>(ENTRY_FIELDS)

const FORMS = formsOf<EntryContent, typeof ENTRY_FIELDS>(ENTRY_FIELDS)

export const NEW_ENTRY: EntryContent = FORMS.defaults

/** How `rebase` compares and merges entries. */
export const ENTRY: Parts<TimeEntry, EntryPart> = partsOf<TimeEntry, EntryPart>(ENTRY_FIELDS)

/** Reads an entry document. Unreadable instants give an entry of no length, never NaN. */
export function entryFromDocument(document: TimeEntryDocument): TimeEntry {
  const stamps = stampsOf(document)
  const content = FORMS.fromAttributes(document)
  const startedAt = Number.isNaN(content.startedAt) ? stamps.createdAt : content.startedAt
  const endedAt = Math.max(startedAt, Number.isNaN(content.endedAt) ? startedAt : content.endedAt)
  return {
    id: document.$id,
    ...content,
    startedAt,
    endedAt,
    pauses: pausesLeaving(content.pauses, startedAt, endedAt, content.durationSeconds),
    ...stamps,
  }
}

/**
 * Returns the pauses of a span with `durationSeconds` of work. The part of the span that is neither
 * work nor known pauses was paused at an unknown time.
 */
export function pausesLeaving(
  pauses: Pauses,
  startedAt: number,
  endedAt: number,
  durationSeconds: number,
): Pauses {
  const { intervals } = clipPauses(pauses, startedAt, endedAt)
  const unpausedSeconds = workedSeconds(startedAt, endedAt, { intervals, unplacedSeconds: 0 })
  return { intervals, unplacedSeconds: Math.max(0, unpausedSeconds - durationSeconds) }
}

/**
 * Returns the attributes to send for an entry. Each belongs to a field, or is derived here from
 * others.
 */
export function entryAttributes(
  entry: TimeEntry,
  userId: string,
): Required<NewAttributes<'time_entries'>> {
  // The `date` is the ISO text of the entry's start.
  return {
    ...FORMS.toAttributes(entry),
    userId,
    date: instantToWire(entry.startedAt),
  }
}

/** Returns the attributes to send when only these parts changed. */
export function partAttributes(
  entry: TimeEntry,
  parts: readonly string[],
): Partial<NewAttributes<'time_entries'>> {
  const attributes = FORMS.partAttributes(entry, parts)
  const { startTime } = attributes
  return startTime === undefined ? attributes : { ...attributes, date: startTime }
}

/**
 * Returns the entry of a finished timer. Its id is the session's, so that two saves make one entry.
 */
export function entryFromStopped({ sessionId, ...worked }: StoppedTimer): TimeEntry {
  const { endedAt } = worked
  return {
    ...NEW_ENTRY,
    ...worked,
    note: worked.note ?? null,
    id: sessionId,
    sessionId,
    createdAt: endedAt,
    updatedAt: endedAt,
  }
}

/**
 * Returns whether the entry is of a stop from here that the backend has not confirmed. Until then it is
 * as old as its end.
 */
export function isUnconfirmed({ createdAt, endedAt }: TimeEntry): boolean {
  return createdAt === endedAt
}

/** Returns the entry with these times. The pauses are cut to them. */
export function withTimes(
  entry: TimeEntry,
  startedAt: number,
  endedAt: number,
  pauses: Pauses,
): TimeEntry {
  const within = clipPauses(pauses, startedAt, endedAt)
  const durationSeconds = workedSeconds(startedAt, endedAt, within)
  return { ...entry, startedAt, endedAt, pauses: within, durationSeconds }
}

/** Returns the times of the entry as a finished timer, without the note. */
export function stoppedFromEntry(entry: TimeEntry): StoppedTimer {
  const { id, taskId, startedAt, endedAt, pauses, durationSeconds } = entry
  return { sessionId: id, taskId, startedAt, endedAt, pauses, durationSeconds }
}

/**
 * Returns the running timer as the entry that it would leave if it stopped now. Totals count it.
 */
export function entryFromTimer(timer: ActiveTimer, now: number): TimeEntry {
  return entryFromStopped(stopTimer(timer, now))
}
