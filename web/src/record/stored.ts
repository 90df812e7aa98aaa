/** What the record keeps of each kind, as it is stored. */
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { Prefs } from '@stint/core/settings.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import type { Press } from '@stint/core/timer/presses.ts'
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
  /** The session as the backend last had it; null while it has none, or none is known. */
  readonly base: TimerSession | null
}

/** What the red banner says, and what its button does. */
export interface BannerValue {
  readonly key: 'banner'
  readonly text: string
  readonly action:
    | null
    /** The timer whose start failed, with all that was pressed on it. */
    | { readonly kind: 'track-offline'; readonly timer: ActiveTimer }
    /** What lies between counts as a pause after a failed pause, and as work after a failed resume. */
    | { readonly kind: 'resume'; readonly stopped: StoppedTimer; readonly gap: 'pause' | 'work' }
}

/** Work of this device that is not saved until its owner says so. */
export interface Offer {
  readonly why:
    /** The timer went on here after it had been stopped elsewhere. */
    | 'went-on'
    /** The session was thrown away elsewhere while the timer went on here. */
    | 'discarded'
    /** The start had failed, and something else was started since. */
    | 'not-started'
  /** The stretch of work. Its session is the one it belongs to. */
  readonly worked: StoppedTimer
}

export interface OffersValue {
  readonly key: 'offers'
  readonly offers: readonly Offer[]
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
  | OffersValue
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
      /** As it was when it was started. */
      readonly timer: ActiveTimer
      /** When it was pressed: of two timers the one that was pressed last goes on. */
      readonly pressedAt: number
      /** False: when the backend cannot be told of it, the timer stops and says so. */
      readonly keepTrying: boolean
    }
  | {
      readonly kind: 'press'
      readonly sessionId: string
      readonly press: Press
      /** As of a start. */
      readonly keepTrying: boolean
    }
  | {
      readonly kind: 'stop'
      /** The timer as this device knew it. */
      readonly stopped: StoppedTimer
      /** The session as the backend last had it; null when none is known. */
      readonly base: TimerSession | null
    }
  /** Throws away the session of a start that failed: the answer may be all that was lost. */
  | { readonly kind: 'discard'; readonly sessionId: string; readonly timer: ActiveTimer }

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
