/**
 * Which stored records can be used. Another version, a broken disk or a person may have written them:
 * what cannot be read is put aside, and the rest is used.
 */
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { Prefs } from '@stint/core/settings.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import type { Pauses } from '@stint/core/timer/pauses.ts'
import type { Press } from '@stint/core/timer/presses.ts'
import type { TimerSession } from '@stint/core/timer/timer-session.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

import {
  isBoolean,
  isEither,
  isFields,
  isId,
  isListOf,
  isMapOf,
  isNullOr,
  isNumber,
  isObject,
  isOneOf,
  isText,
} from './guards.ts'
import type { Guard } from './guards.ts'
import type {
  Edit,
  EntryPage,
  Offer,
  Operation,
  QueuedOperation,
  Refusal,
  Value,
  ValueKey,
  ValueOf,
} from './stored.ts'

const isPauses: Guard<Pauses> = isObject({
  intervals: isListOf(isObject({ start: isNumber, end: isNumber })),
  unplacedSeconds: isNumber,
})

const TIMER = { sessionId: isId, taskId: isId, startedAt: isNumber, pauses: isPauses }

export const isActiveTimer: Guard<ActiveTimer> = isEither(
  isObject({ ...TIMER, status: isOneOf('running') }),
  isObject({ ...TIMER, status: isOneOf('paused'), pausedAt: isNumber }),
)

export const isStoppedTimer: Guard<StoppedTimer> = isObject({
  ...TIMER,
  endedAt: isNumber,
  durationSeconds: isNumber,
})

export const isTask: Guard<Task> = isObject({
  id: isId,
  name: isId,
  isActive: isBoolean,
  category: isText,
  goalHours: isNumber,
  color: isText,
  createdAt: isNumber,
  updatedAt: isNumber,
})

export const isEntry: Guard<TimeEntry> = isObject({
  id: isId,
  taskId: isId,
  startedAt: isNumber,
  endedAt: isNumber,
  durationSeconds: isNumber,
  pauses: isPauses,
  entryType: isText,
  sessionId: isNullOr(isText),
  note: isNullOr(isText),
  deletedAt: isNullOr(isNumber),
  createdAt: isNumber,
  updatedAt: isNumber,
})

export const isPrefs: Guard<Prefs> = isFields

const isSession: Guard<TimerSession> = isObject({
  id: isId,
  createdAt: isNumber,
  updatedAt: isNumber,
  device: isNullOr(isText),
  state: isEither(
    isObject({ kind: isOneOf('active', 'unclear'), timer: isActiveTimer }),
    isObject({ kind: isOneOf('stopped'), stopped: isStoppedTimer }),
  ),
})

const isBannerAction = isEither(
  isObject({ kind: isOneOf('track-offline'), timer: isActiveTimer }),
  isObject({ kind: isOneOf('resume'), stopped: isStoppedTimer, gap: isOneOf('pause', 'work') }),
)

const isOffer: Guard<Offer> = isObject({
  why: isOneOf('went-on', 'discarded', 'not-started'),
  worked: isStoppedTimer,
})

const isPull = { complete: isBoolean, since: isText }

const VALUES: { readonly [K in ValueKey]: Guard<ValueOf<K>> } = {
  timer: isObject({
    key: isOneOf('timer'),
    timer: isActiveTimer,
    phase: isOneOf('creating', 'confirmed', 'offline'),
    device: isNullOr(isText),
    base: isNullOr(isSession),
  }),
  offers: isObject({ key: isOneOf('offers'), offers: isListOf(isOffer) }),
  banner: isObject({ key: isOneOf('banner'), text: isText, action: isNullOr(isBannerAction) }),
  unfinished: isObject({ key: isOneOf('unfinished'), sessions: isListOf(isSession) }),
  'pull:tasks': isObject({ key: isOneOf('pull:tasks'), ...isPull }),
  'pull:time_entries': isObject({ key: isOneOf('pull:time_entries'), ...isPull }),
  seen: isObject({ key: isOneOf('seen'), sessionId: isId, at: isNumber }),
  gaps: isObject({
    key: isOneOf('gaps'),
    gaps: isListOf(isObject({ sessionId: isId, start: isNumber, end: isNumber })),
  }),
  settings: isObject({ key: isOneOf('settings'), prefs: isPrefs, saves: isNumber }),
  nudges: isObject({ key: isOneOf('nudges'), said: isListOf(isText), skips: isListOf(isNumber) }),
}

/** A value under a key that this version knows. */
export const isValue: Guard<Value> = (value): value is Value =>
  Object.values(VALUES).some((guard) => guard(value))

const isRefusal: Guard<Refusal> = isObject({
  message: isText,
  isOverQuota: isBoolean,
  isRetried: isBoolean,
})

const isInterval: Guard<Interval> = isObject({ start: isNumber, end: isNumber })
const isOrigin = isObject({ startedAt: isNumber, taskId: isId })

const isPress: Guard<Press> = isEither(
  isObject({ kind: isOneOf('pause', 'resume', 'stop'), at: isNumber }),
  isEither(
    isObject({
      kind: isOneOf('move'),
      at: isNumber,
      from: isOrigin,
      to: isOrigin,
      pauses: isListOf(isInterval),
    }),
    isObject({ kind: isOneOf('take-out'), at: isNumber, away: isInterval }),
  ),
)

export const isOperation: Guard<Operation> = isEither(
  isEither(
    isObject({
      kind: isOneOf('start'),
      timer: isActiveTimer,
      pressedAt: isNumber,
      keepTrying: isBoolean,
    }),
    isObject({
      kind: isOneOf('press'),
      sessionId: isId,
      press: isPress,
      keepTrying: isBoolean,
    }),
  ),
  isEither(
    isObject({ kind: isOneOf('stop'), stopped: isStoppedTimer, base: isNullOr(isSession) }),
    isObject({ kind: isOneOf('discard'), sessionId: isId, timer: isActiveTimer }),
  ),
)

export const isQueuedOperation: Guard<QueuedOperation> = isObject({
  sequence: isNumber,
  operation: isOperation,
  attempts: isNumber,
  refused: isNullOr(isRefusal),
})

const EDIT = {
  id: isId,
  changedAt: isMapOf(isNumber),
  refused: isNullOr(isRefusal),
  isHidden: isBoolean,
}

/** An edit of any kind. */
export const isEdit: Guard<Edit> = isEither(
  isEither(
    isObject({ ...EDIT, kind: isOneOf('task'), base: isNullOr(isTask), sent: isListOf(isTask) }),
    isObject({ ...EDIT, kind: isOneOf('entry'), base: isNullOr(isEntry), sent: isListOf(isEntry) }),
  ),
  isObject({
    ...EDIT,
    kind: isOneOf('settings'),
    base: isNullOr(isPrefs),
    sent: isListOf(isPrefs),
  }),
)

export const isEntryPage: Guard<EntryPage> = isObject({ page: isNumber, rows: isText })

/** How far this copy of the record has come (see record.ts). */
export interface Progress {
  readonly key: 'progress'
  /** Grows with every write, in whichever tab. */
  readonly revision: number
  /** The last number that an operation was given. */
  readonly sequence: number
}

export const isProgress: Guard<Progress> = isObject({
  key: isOneOf('progress'),
  revision: isNumber,
  sequence: isNumber,
})
