/** What the explorer is given and what it answers: scenarios, presses, the code of a client, endings. */
import type { ActiveTimer } from '@stint/core/timer/timer.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import type { SyncContext } from '#sync/context.ts'

import type { StandInDocument } from '../stand-in-server.ts'
import type { Storage } from './storage.ts'

/** What a person presses, in the order of a scenario; `at` is epoch milliseconds. */
export type Press = { readonly client: number; readonly at: number } & Operation

export type Operation =
  | { readonly action: 'start'; readonly sessionId: string; readonly taskId: string }
  | { readonly action: 'pause' | 'resume' | 'stop' }
  /** The button of the red banner, under which a new session would begin. */
  | { readonly action: 'banner'; readonly sessionId: string }
  /** 'Started earlier': the active timer began at another moment. */
  | { readonly action: 'move'; readonly startedAt: number }
  /** Discard on the recovery card. */
  | { readonly action: 'discard' }
  | { readonly action: 'delete task'; readonly taskId: string }
  /** Another start and another note. */
  | {
      readonly action: 'edit'
      readonly entryId: string
      readonly startedAt: number
      readonly note: string
    }
  /** `share`: where between its start and its end the entry is divided. */
  | { readonly action: 'split'; readonly entryId: string; readonly share: number }
  /** Takes back what this client did last; a stop under a new session. */
  | { readonly action: 'undo'; readonly sessionId: string }

/** What was pressed, and what that client showed then. */
export interface Pressed {
  readonly press: Press
  readonly timer: ActiveTimer | null
  /** The entry that is edited or divided. */
  readonly entry: TimeEntry | null
  /** What the server said of that entry in this moment. */
  readonly there: Readonly<Record<'note' | 'endTime', unknown>> | null
  /** The recovery cards, by the ids of their sessions. */
  readonly cards: readonly string[]
  /** What Undo would have taken back, as JSON. */
  readonly undo: string | null
}

/** The code of a client. `context.record` is its storage; nothing else of it survives a kill. */
export interface Program {
  /**
   * What is done at once when something is pressed. `undo` is what was last answered here, or null after a kill: what
   * Undo takes back, as JSON.
   */
  press(context: SyncContext, press: Press, undo: string | null): Promise<string | null>
  /** What is sent after it. */
  flush(context: SyncContext): Promise<void>
  /** What is done at load, after an error, and when another device changed something. */
  refresh(context: SyncContext): Promise<void>
  /** A refresh that also brings the entries and tasks. */
  reopen(context: SyncContext): Promise<void>
}

export interface Scenario {
  readonly clients: number
  /** A timer that runs on the server before anything is pressed. */
  readonly running: ActiveTimer | null
  /** The clients that show it; all of them unless said. */
  readonly shownBy?: readonly number[]
  /** The clients that offer it on a recovery card. */
  readonly offeredBy?: readonly number[]
  /** An entry that is saved, and known to all clients. */
  readonly saved?: TimeEntry
  readonly presses: readonly Press[]
  /** Everything is pressed before the first call is answered: what clients do alone needs no order. */
  readonly isPressedTogether?: boolean
  /** Answers what is wrong with an ending, or null. */
  readonly judge: (ending: Ending) => string | null
}

export interface Limits {
  readonly faults: number
  /** How often a client may look at the server for no reason of its own: a focus, an event. */
  readonly looks: number
}

/** What is left when every client was opened again without any fault, until nothing changes. */
export interface Ending {
  readonly now: number
  readonly tasks: readonly StandInDocument[]
  readonly sessions: readonly StandInDocument[]
  readonly entries: readonly StandInDocument[]
  readonly clients: readonly Storage[]
  /** What was pressed, in order. */
  readonly pressed: readonly Pressed[]
  /** False: the last of several rounds still changed something. */
  readonly isSettled: boolean
  /** The same after the timer that still ran was stopped; null when none did. */
  readonly afterStop: Ending | null
}

export interface Exploration {
  readonly states: number
  readonly endings: number
  /** A shortest schedule for each kind of violation. */
  readonly violations: Readonly<Record<string, readonly string[]>>
}
