/**
 * The stored shape of each kind of data in the record: a guard, from which its type follows. A stored record may
 * come from another version, a broken disk or a person. Unreadable records are put aside, and the rest is used.
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
  isUndefinedOr,
} from '#guards.ts'
import type { Guard, Guarded, Shaped, Tagged } from '#guards.ts'
import { completed, PAUSES } from '#record/fields.ts'
import { isTask, TASK_FIELDS } from '#record/task.ts'
import { ENTRY_FIELDS, isEntry } from '#record/time-entry.ts'
import type { Prefs } from '#settings.ts'
import type { Interval } from '#time/instant.ts'
import type { TimerSession } from '#record/timer-session.ts'
import type { ActiveTimer, StoppedTimer } from '#timer/timer.ts'

const TIMER = {
  sessionId: isId,
  taskId: isId,
  startedAt: isNumber,
  pauses: PAUSES.is,
  note: isUndefinedOr(isText),
}

export const isActiveTimer: Guard<ActiveTimer> = isTagged('status', {
  running: TIMER,
  paused: { ...TIMER, pausedAt: isNumber },
})

export const isStoppedTimer: Guard<StoppedTimer> = isObject({
  ...TIMER,
  endedAt: isNumber,
  durationSeconds: isNumber,
})

export const isSession: Guard<TimerSession> = isObject({
  id: isId,
  createdAt: isNumber,
  updatedAt: isNumber,
  device: isNullOr(isText),
  log: isNullOr(isText),
  state: isTagged('kind', {
    active: { timer: isActiveTimer },
    unclear: { timer: isActiveTimer },
    stopped: { stopped: isStoppedTimer },
  }),
})

const isTimerPhase = isOneOf('creating', 'confirmed', 'offline')
/** Whether the backend has the timer. While it is 'creating', its owner waits for that. */
export type TimerPhase = Guarded<typeof isTimerPhase>

const isGap = isObject({ sessionId: isId, start: isNumber, end: isNumber })
/** While the timer ran, this device was closed or asleep. */
export interface Gap extends Guarded<typeof isGap> {}

const isLeap = isObject({ at: isNumber, by: isNumber })
/**
 * A leap of the clock: the instant at which it began, and by how many milliseconds it went ahead, because the clock was
 * set or the device slept. Zero: the clock was set back while the app was closed, for an unknown time.
 */
export interface Leap extends Guarded<typeof isLeap> {}

const isQuestion = isObject({
  sessionId: isId,
  taskId: isText,
  spans: isListOf<Interval>(isObject({ start: isNumber, end: isNumber })),
})
/** What the owner of a session is asked: whether time counts, sorted spans, that a screen showed as worked. */
export interface Question extends Guarded<typeof isQuestion> {}

const isPrefs: Guard<Prefs> = isFields

const PULL = {
  /** Whether all documents are here, apart from changes after `since`, an ISO text of server time. */
  complete: isBoolean,
  since: isText,
}

const VALUES = {
  timer: {
    timer: isActiveTimer,
    phase: isTimerPhase,
    /** The device on which the timer was started, from its session, or null when it is unknown. */
    device: isNullOr(isText),
  },
  /** The text of the red banner and the action of its button. */
  banner: {
    text: isText,
    action: isNullOr(
      isTagged('kind', {
        /** The session whose start failed. */
        'track-offline': { sessionId: isId },
        resume: {
          stopped: isStoppedTimer,
          /** How the time since the stop counts: as it did before the press that failed. */
          gap: isOneOf('pause', 'work'),
        },
      }),
    ),
  },
  /** Presses from this instant on were timed by a clock that the server had not confirmed. */
  clock: {
    from: isNumber,
    /** By how many milliseconds the server had corrected the clock at that time. */
    offset: isNumber,
    /** The ids of the events since then that no request has had, by session. */
    events: isMapOf(isListOf(isText)),
    /** The leaps and the gaps since then, or undefined if an earlier version wrote this. */
    leaps: isUndefinedOr(isListOf<Leap>(isLeap)),
    gaps: isUndefinedOr(isListOf<Gap>(isGap)),
  },
  /** What the owner is asked about sessions. */
  asked: { questions: isListOf<Question>(isQuestion) },
  /** Unfinished sessions that are not restored automatically, shown on recovery cards. */
  unfinished: { sessions: isListOf(isSession) },
  'pull:tasks': PULL,
  'pull:time_entries': PULL,
  /** When this device last knew that the timer ran. A crash or a sleep leaves a gap after it. */
  seen: { sessionId: isId, at: isNumber },
  /** Gaps that their owner has not decided about. */
  gaps: { gaps: isListOf<Gap>(isGap) },
  /** The attributes that the backend's project lacks, by collection. */
  schema: { missing: isMapOf(isListOf(isText)) },
  /** Pairs of entry ids. The two entries share time, and their owner has not decided about them. */
  overlaps: { pairs: isListOf(isListOf(isText)) },
  settings: {
    /** The account's preferences on this device, including unsent changes. */
    prefs: isPrefs,
    /** The number of saved changes. An answer to a request from before the last one is outdated. */
    saves: isNumber,
  },
  nudges: {
    /** The names of what this device has announced and must not announce again, oldest first. */
    said: isListOf(isText),
    /** When breaks were skipped, in epoch milliseconds. */
    skips: isListOf(isNumber),
  },
}
/** A value that exists once per record, by its key. */
export type Value = Tagged<'key', typeof VALUES>
export const isValue: Guard<Value> = isTagged('key', VALUES)
export type ValueKey = Value['key']
export type ValueOf<K extends ValueKey> = Extract<Value, { readonly key: K }>

const isRefusal = isObject({
  message: isText,
  /** Whether the storage on the server is used up. */
  isOverQuota: isBoolean,
  /** The owner pressed Retry: it is sent again, and counts as refused until the answer arrives. */
  isRetried: isBoolean,
})
/** Why the backend will never accept an item. */
export interface Refusal extends Guarded<typeof isRefusal> {}

const isAwaited = isOneOf('start', 'pause', 'resume')
/** A press that its owner waits for. It fails with a text when the backend cannot be reached. */
export type Awaited = Guarded<typeof isAwaited>

const SESSION = {
  id: isId,
  /** The text of everything that is known here of the session (docs/log.md). */
  log: isText,
  /** The session as the backend last had it, or null while it has none. */
  base: isNullOr(isSession),
  /** A request was made that may have created the session at the backend. */
  isTried: isBoolean,
  /**
   * By the name of each page here that has appended events: the number of the last one in a request, or 0. Events
   * up to it never change any more.
   */
  tried: isMapOf(isNumber),
  awaited: isNullOr<Awaited>(isAwaited),
  refused: isNullOr<Refusal>(isRefusal),
}
export const isLocalSession = isObject(SESSION)
/** A session that is active, or that has ended and of which the backend still has the document. */
export interface LocalSession extends Guarded<typeof isLocalSession> {}

const EDITABLE = { task: isTask, entry: isEntry, settings: isPrefs }
export type Kind = keyof typeof EDITABLE
export type Editable = { readonly [K in Kind]: Guarded<(typeof EDITABLE)[K]> }

const editShape = <T>(isThing: Guard<T>) => ({
  id: isId,
  /** The thing as the backend last had it, or null when the backend has none. */
  base: isNullOr(isThing),
  /** Every sent version of the thing whose answer is pending or was lost. */
  sent: isListOf(isThing),
  /** When each part was last changed here, in server time. */
  changedAt: isMapOf(isNumber),
  refused: isNullOr<Refusal>(isRefusal),
  /** The form that made the thing is still open. It is not listed until the backend has it. */
  isHidden: isBoolean,
})

export const isEdit: Guard<Edit> = isTagged('kind', {
  task: editShape(EDITABLE.task),
  entry: editShape(EDITABLE.entry),
  settings: editShape(EDITABLE.settings),
})
/** What the backend lacks of a thing: the difference between `base` and the thing, which is stored apart. */
export interface Edit<K extends Kind = Kind> extends Shaped<
  ReturnType<typeof editShape<Editable[K]>>
> {
  readonly kind: K
}

/** Returns a stored task, also of an earlier version, with every field. */
export function completedTask(stored: unknown): unknown {
  return completed(TASK_FIELDS, stored)
}

const FIELDS = { task: TASK_FIELDS, entry: ENTRY_FIELDS, settings: {} }
const isEditOfAnyVersion = isObject({
  kind: isOneOf('task', 'entry', 'settings'),
  base: isNullOr(isFields),
  sent: isListOf(isFields),
})

export function completedEdit(stored: unknown): unknown {
  if (!isEditOfAnyVersion(stored)) return stored
  const complete = (thing: unknown) => completed(FIELDS[stored.kind], thing)
  return { ...stored, base: complete(stored.base), sent: stored.sent.map(complete) }
}

export const isProgress = isObject({
  key: isOneOf('progress'),
  /** The number of writes, in all tabs. */
  revision: isNumber,
  /** When the last write happened, unless an earlier version made it. */
  at: isUndefinedOr(isNumber),
  /** How often a sign-out has emptied the record. */
  generation: isUndefinedOr(isNumber),
})
export interface Progress extends Guarded<typeof isProgress> {}

/** An unreadable record, which is put aside. */
export interface Unreadable {
  readonly from: string
  readonly record: unknown
  readonly putAsideAt: number
}
