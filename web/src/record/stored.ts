/** What the record keeps of each kind, as it is stored. */
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { Prefs } from '@stint/core/settings.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import type { TimerSession } from '@stint/core/timer/timer-session.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

/** Where a running timer stands with the backend. */
export type TimerPhase =
  /** Its session is being created; the panel says 'Creating...'. */
  | 'creating'
  | 'confirmed'
  /** The user chose to track offline: the session is sent whenever the backend can be reached. */
  | 'offline'

export interface TimerValue {
  readonly key: 'timer'
  readonly timer: ActiveTimer
  readonly phase: TimerPhase
  /** The device it was started on, as its session says; null when unknown. */
  readonly device: string | null
}

/** What the red banner says, and what its button does. */
export interface BannerValue {
  readonly key: 'banner'
  readonly text: string
  readonly action:
    | null
    | { readonly kind: 'track-offline'; readonly taskId: string; readonly startedAt: number }
    | { readonly kind: 'resume'; readonly stopped: StoppedTimer }
}

/** Unfinished sessions that are not restored by themselves: the recovery cards. */
export interface UnfinishedValue {
  readonly key: 'unfinished'
  readonly sessions: readonly TimerSession[]
}

/** How far the pull of a collection has come. */
export interface PullValue {
  readonly key: 'pull:tasks' | 'pull:time_entries'
  /** All documents are here, up to the changes after `since`. */
  readonly complete: boolean
  /** Server time (ISO text) from which on changes must be asked for. */
  readonly since: string
}

/** When this device last knew that the timer ran: a crash or a sleep leaves a gap after it. */
export interface SeenValue {
  readonly key: 'seen'
  readonly sessionId: string
  readonly at: number
}

/** A stretch in which the timer ran and this device was closed or asleep. */
export interface Gap extends Interval {
  readonly sessionId: string
}

/** Gaps its owner has not decided about. */
export interface GapsValue {
  readonly key: 'gaps'
  readonly gaps: readonly Gap[]
}

/** The account's preferences as they are here: what is not sent yet is in them already. */
export interface SettingsValue {
  readonly key: 'settings'
  readonly prefs: Prefs
  /** Grows whenever a change was saved: an answer that was asked for before is older. */
  readonly saves: number
}

/** What this device has said once and must not say again, and which breaks were not taken. */
export interface NudgesValue {
  readonly key: 'nudges'
  /** Names of events, the oldest first. */
  readonly said: readonly string[]
  /** Instants. */
  readonly skips: readonly number[]
}

/** What there is one of, by its key. */
export type Value =
  | TimerValue
  | BannerValue
  | UnfinishedValue
  | PullValue
  | SeenValue
  | GapsValue
  | SettingsValue
  | NudgesValue

export type ValueKey = Value['key']
export type ValueOf<K extends ValueKey> = Value & { readonly key: K }

/** Something that was done with the timer and that the backend must hear of, in order. */
export type Operation =
  | {
      readonly kind: 'start'
      readonly timer: ActiveTimer
      /** When it was pressed: of two timers the one that was pressed last goes on. */
      readonly pressedAt: number
      /** Tracked offline: keep trying. Otherwise failure stops the timer. */
      readonly keepTrying: boolean
    }
  | { readonly kind: 'pause' | 'resume'; readonly timer: ActiveTimer }
  | { readonly kind: 'stop'; readonly stopped: StoppedTimer }
  /** The session as the timer now is: its start, task or pauses were changed afterwards. */
  | { readonly kind: 'restate'; readonly sessionId: string }
  /** Throws a session away: a start whose reply was lost. */
  | { readonly kind: 'discard'; readonly sessionId: string }

export interface QueuedOperation {
  readonly sequence: number
  readonly operation: Operation
  readonly attempts: number
  readonly refused: Refusal | null
}

/** Why the backend will never accept something: it is kept and counted, and not sent by itself. */
export interface Refusal {
  readonly message: string
  /** The storage on the server is used up. */
  readonly isOverQuota: boolean
  /** Its owner pressed Retry: it is sent again, and counts as refused until that is answered. */
  readonly isRetried: boolean
}

/** What can be edited, and what it is. */
export interface Editable {
  readonly task: Task
  readonly entry: TimeEntry
  readonly settings: Prefs
}
export type Kind = keyof Editable

/**
 * A thing that the backend does not have as it is here. The thing itself is kept where all of its kind
 * are; what must be sent is its difference to `base`.
 */
export interface Edit<K extends Kind = Kind> {
  readonly kind: K
  readonly id: string
  /** The thing as the backend last had it; null: the backend has none. */
  readonly base: Editable[K] | null
  /** The thing as it was sent, each time, while the answer is out or was lost. */
  readonly sent: readonly Editable[K][]
  /** When each part was changed here last, server time. */
  readonly changedAt: Readonly<Record<string, number>>
  readonly refused: Refusal | null
  /** The form that made it is still open: not listed before the backend has it. */
  readonly isHidden: boolean
}

/** Some of the entries (see entry-pages.ts). */
export interface EntryPage {
  readonly page: number
  readonly rows: string
}

/** A record that could not be read: put aside, never thrown away. */
export interface Unreadable {
  readonly from: string
  readonly record: unknown
  readonly putAsideAt: number
}
