/**
 * What the record keeps of each kind, as it is stored. Each shape is written once, as the guard that says
 * which stored records can be used; its type follows from it. Another version, a broken disk or a person
 * may have written them: what cannot be read is put aside, and the rest is used.
 */
import {
  isBoolean,
  isFields,
  isId,
  isListOf,
  isMapOf,
  isNullOr,
  isNumber,
  isObject,
  isOneOf,
  isTagged,
  isText,
} from '@stint/core/guards.ts'
import type { Guard, Guarded, Shaped, Tagged } from '@stint/core/guards.ts'
import { completed, PAUSES } from '@stint/core/record/fields.ts'
import { isTask, TASK_FIELDS } from '@stint/core/record/task.ts'
import { ENTRY_FIELDS, isEntry } from '@stint/core/record/time-entry.ts'
import type { Prefs } from '@stint/core/settings.ts'
import type { Press } from '@stint/core/timer/presses.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

const TIMER = { sessionId: isId, taskId: isId, startedAt: isNumber, pauses: PAUSES.is }

export const isActiveTimer: Guard<ActiveTimer> = isTagged('status', {
  running: TIMER,
  paused: { ...TIMER, pausedAt: isNumber },
})

export const isStoppedTimer: Guard<StoppedTimer> = isObject({
  ...TIMER,
  endedAt: isNumber,
  durationSeconds: isNumber,
})

const isSession: Guard<TimerSession> = isObject({
  id: isId,
  createdAt: isNumber,
  updatedAt: isNumber,
  device: isNullOr(isText),
  state: isTagged('kind', {
    active: { timer: isActiveTimer },
    unclear: { timer: isActiveTimer },
    stopped: { stopped: isStoppedTimer },
  }),
})

const isTimerPhase = isOneOf(
  /** Its session is being created; the panel says 'Creating...'. */
  'creating',
  'confirmed',
  /** The user chose to track offline: the session is sent whenever the backend can be reached. */
  'offline',
)
/** Where a running timer stands with the backend. */
export type TimerPhase = Guarded<typeof isTimerPhase>

const isGap = isObject({ sessionId: isId, start: isNumber, end: isNumber })
/** A stretch in which the timer ran and this device was closed or asleep. */
export interface Gap extends Guarded<typeof isGap> {}

const isOffer = isObject({
  why: isOneOf(
    /** The timer went on here after it had been stopped elsewhere. */
    'went-on',
    /** It was stopped here and its times changed; it had run on elsewhere. */
    'ran-on',
    /** The session was thrown away elsewhere while the timer went on here. */
    'discarded',
    /** The start had failed, and something else was started since. */
    'not-started',
    /** What was pressed here was put into the session after it had been saved elsewhere: it can be taken back. */
    'counted',
    /** The same, but somebody has changed the session since: nothing was done, and it can be. */
    'not-counted',
    /** It was stopped here before the stop elsewhere that was saved first: it can be shortened to this one. */
    'not-stopped',
  ),
  /** The stretch of work, or the session as the button makes it. Its session is the one it belongs to. */
  worked: isStoppedTimer,
  /** The session as it is without the button: of what was pressed too late. */
  instead: (value): value is StoppedTimer | undefined =>
    value === undefined || isStoppedTimer(value),
})
/** A stretch of work, or a change of a session, about which its owner decides. */
export interface Offer extends Omit<Guarded<typeof isOffer>, 'instead'> {
  readonly instead?: StoppedTimer | undefined
}

export const isPrefs: Guard<Prefs> = isFields

/** How far the pull of a collection has come. */
const PULL = {
  /** All documents are here, up to the changes after `since`. */
  complete: isBoolean,
  /** Server time (ISO text) from which on changes must be asked for. */
  since: isText,
}

const VALUES = {
  timer: {
    timer: isActiveTimer,
    phase: isTimerPhase,
    /** The device it was started on, as its session says; null when unknown. */
    device: isNullOr(isText),
    /** The session as the backend last had it; null while it has none, or none is known. */
    base: isNullOr(isSession),
  },
  /** What the red banner says, and what its button does. */
  banner: {
    text: isText,
    action: isNullOr(
      isTagged('kind', {
        /** The timer whose start failed, with all that was pressed on it. */
        'track-offline': { timer: isActiveTimer },
        resume: {
          stopped: isStoppedTimer,
          /** What lies between counts as a pause after a failed pause, and as work after a failed resume. */
          gap: isOneOf('pause', 'work'),
        },
      }),
    ),
  },
  /** From this instant on, what was pressed was written by a clock that the server had not confirmed. */
  clock: {
    from: isNumber,
    /** What was added to the device's clock then, in milliseconds. */
    offset: isNumber,
  },
  /** Work of this device that is not saved until its owner says so. */
  offers: { offers: isListOf<Offer>(isOffer) },
  /** Unfinished sessions that are not restored by themselves: the recovery cards. */
  unfinished: { sessions: isListOf(isSession) },
  'pull:tasks': PULL,
  'pull:time_entries': PULL,
  /** When this device last knew that the timer ran: a crash or a sleep leaves a gap after it. */
  seen: { sessionId: isId, at: isNumber },
  /** Gaps its owner has not decided about. */
  gaps: { gaps: isListOf<Gap>(isGap) },
  /** Pairs of entries, by their ids, that share time and that its owner has not decided about. */
  overlaps: { pairs: isListOf(isListOf(isText)) },
  settings: {
    /** The account's preferences as they are here: what is not sent yet is in them already. */
    prefs: isPrefs,
    /** Grows whenever a change was saved: an answer that was asked for before is older. */
    saves: isNumber,
  },
  nudges: {
    /** What this device has said once and must not say again: names of events, the oldest first. */
    said: isListOf(isText),
    /** When breaks were not taken. */
    skips: isListOf(isNumber),
  },
}
/** What there is one of, by its key. */
export type Value = Tagged<'key', typeof VALUES>
export const isValue: Guard<Value> = isTagged('key', VALUES)
export type ValueKey = Value['key']
export type ValueOf<K extends ValueKey> = Extract<Value, { readonly key: K }>

export interface TimerValue extends ValueOf<'timer'> {}
export interface BannerValue extends ValueOf<'banner'> {}
export interface SettingsValue extends ValueOf<'settings'> {}
export interface NudgesValue extends ValueOf<'nudges'> {}

const isRefusal = isObject({
  message: isText,
  /** The storage on the server is used up. */
  isOverQuota: isBoolean,
  /** Its owner pressed Retry: it is sent again, and counts as refused until that is answered. */
  isRetried: isBoolean,
})
/** Why the backend will never accept something: it is kept and counted, and not sent by itself. */
export interface Refusal extends Guarded<typeof isRefusal> {}

const INTERVAL = { start: isNumber, end: isNumber }
const isOrigin = isObject({ startedAt: isNumber, taskId: isId })

const isPress: Guard<Press> = isTagged('kind', {
  pause: { at: isNumber },
  resume: { at: isNumber },
  stop: { at: isNumber },
  move: { at: isNumber, from: isOrigin, to: isOrigin, pauses: isListOf(isObject(INTERVAL)) },
  'take-out': { at: isNumber, away: isObject(INTERVAL) },
})

const OPERATIONS = {
  start: {
    /** As it was when it was started. */
    timer: isActiveTimer,
    /** When it was pressed: of two timers the one that was pressed last goes on. */
    pressedAt: isNumber,
    /** False: when the backend cannot be told of it, the timer stops and says so. */
    keepTrying: isBoolean,
  },
  /** Any other press but a stop; `keepTrying` as of a start. */
  press: { sessionId: isId, press: isPress, keepTrying: isBoolean },
  stop: {
    /** The timer as this device knew it. */
    stopped: isStoppedTimer,
    /** The session as the backend last had it; null when none is known. */
    base: isNullOr(isSession),
    /** Its owner threw it away: it is saved as deleted. */
    isDiscarded: (value: unknown): value is boolean | undefined =>
      value === undefined || isBoolean(value),
  },
  /** Throws away the session of a start that failed: the answer may be all that was lost. */
  discard: { sessionId: isId, timer: isActiveTimer },
}
/** Something that was done with the timer and that the backend must hear of, in order. */
export type Operation = Tagged<'kind', typeof OPERATIONS>
const isOperation: Guard<Operation> = isTagged('kind', OPERATIONS)

export const isQueuedOperation = isObject({
  sequence: isNumber,
  operation: isOperation,
  attempts: isNumber,
  refused: isNullOr<Refusal>(isRefusal),
})
export interface QueuedOperation extends Guarded<typeof isQueuedOperation> {}

const EDITABLE = { task: isTask, entry: isEntry, settings: isPrefs }
export type Kind = keyof typeof EDITABLE
/** What can be edited, and what it is. */
export type Editable = { readonly [K in Kind]: Guarded<(typeof EDITABLE)[K]> }

const editShape = <T>(isThing: Guard<T>) => ({
  id: isId,
  /** The thing as the backend last had it; null: the backend has none. */
  base: isNullOr(isThing),
  /** The thing as it was sent, each time, while the answer is out or was lost. */
  sent: isListOf(isThing),
  /** When each part was changed here last, server time. */
  changedAt: isMapOf(isNumber),
  refused: isNullOr<Refusal>(isRefusal),
  /** The form that made it is still open: not listed before the backend has it. */
  isHidden: isBoolean,
})

/** An edit of any kind. */
export const isEdit: Guard<Edit> = isTagged('kind', {
  task: editShape(EDITABLE.task),
  entry: editShape(EDITABLE.entry),
  settings: editShape(EDITABLE.settings),
})
/**
 * A thing that the backend does not have as it is here. The thing itself is kept where all of its kind
 * are; what must be sent is its difference to `base`.
 */
export interface Edit<K extends Kind = Kind> extends Shaped<
  ReturnType<typeof editShape<Editable[K]>>
> {
  readonly kind: K
}

/** A stored task with every field of this version. */
export function completedTask(stored: unknown): unknown {
  return completed(TASK_FIELDS, stored)
}

const FIELDS = { task: TASK_FIELDS, entry: ENTRY_FIELDS, settings: {} }
const isEditOfAnyVersion = isObject({
  kind: isOneOf('task', 'entry', 'settings'),
  base: isNullOr(isFields),
  sent: isListOf(isFields),
})

/** A stored edit whose things have every field of this version. */
export function completedEdit(stored: unknown): unknown {
  if (!isEditOfAnyVersion(stored)) return stored
  const complete = (thing: unknown) => completed(FIELDS[stored.kind], thing)
  return { ...stored, base: complete(stored.base), sent: stored.sent.map(complete) }
}

export const isEntryPage = isObject({ page: isNumber, rows: isText })
/** Some of the entries (see entry-pages.ts). */
export interface EntryPage extends Guarded<typeof isEntryPage> {}

export const isProgress = isObject({
  key: isOneOf('progress'),
  /** Grows with every write, in whichever tab. */
  revision: isNumber,
  /** The last number that an operation was given. */
  sequence: isNumber,
  /** When it was written last; not there if an earlier version wrote it. */
  at: (value): value is number | undefined => value === undefined || isNumber(value),
})
/** How far this copy of the record has come (see record.ts). */
export interface Progress extends Guarded<typeof isProgress> {}

/** A record that could not be read: put aside, never thrown away. */
export interface Unreadable {
  readonly from: string
  readonly record: unknown
  readonly putAsideAt: number
}
