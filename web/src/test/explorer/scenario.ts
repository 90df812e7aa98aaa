/** The input and the output of the explorer: scenarios, presses, the code of a client, endings. */
import type { ActiveTimer } from '@stint/core/timer/timer.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'

import type { SyncContext } from '#sync/context.ts'

import type { StandInDocument } from '../stand-in-server.ts'
import type { Storage } from './storage.ts'

/** A press of a person, in the order of a scenario. `at` is epoch milliseconds. */
export type Press = { readonly client: number; readonly at: number } & Operation

export type Operation =
  | { readonly action: 'start'; readonly sessionId: string; readonly taskId: string }
  | { readonly action: 'pause' | 'resume' | 'stop' }
  /** The button of the red banner. `sessionId` is the id of a session that it may have to start. */
  | { readonly action: 'banner'; readonly sessionId: string }
  /** 'Started earlier': the active timer began at another moment. */
  | { readonly action: 'move'; readonly startedAt: number }
  /** Discard on the recovery card. */
  | { readonly action: 'discard' }
  | { readonly action: 'delete task'; readonly taskId: string }
  /** An edit with another start and another note. */
  | {
      readonly action: 'edit'
      readonly entryId: string
      readonly startedAt: number
      readonly note: string
    }
  /** `share` is the place of the split between the start and the end of the entry. */
  | { readonly action: 'split'; readonly entryId: string; readonly share: number }
  /** Undoes the last press of this client. */
  | { readonly action: 'undo'; readonly sessionId: string }

/** A press, and what its client showed at that moment. */
export interface Pressed {
  readonly press: Press
  readonly timer: ActiveTimer | null
  /** What it showed right after a press that continues or moves a timer. */
  readonly after: ActiveTimer | null
  /** Whether there was an entry to edit or to split. */
  readonly hasEntry: boolean
  /** The sessions on the recovery cards, before one of them was discarded. */
  readonly cards: readonly TimerSession[]
}

/**
 * The code of a client. `context.record` is its storage. Nothing else of the client survives a
 * kill.
 */
export interface Program {
  /**
   * Performs the immediate part of a press. `undo` is the last return value on this client, or null
   * after a kill: what Undo reverses, as JSON.
   */
  press(context: SyncContext, press: Press, undo: string | null): Promise<string | null>
  /** Sends what the press left unsent. */
  flush(context: SyncContext): Promise<void>
  /** Runs at load, after an error, and when another device changed something. */
  refresh(context: SyncContext): Promise<void>
  /** A refresh that also fetches the entries and tasks. */
  reopen(context: SyncContext): Promise<void>
}

export interface Scenario {
  readonly clients: number
  /** A timer that runs on the server before the first press. */
  readonly running: ActiveTimer | null
  /** The clients that show the timer. All of them by default. */
  readonly shownBy?: readonly number[]
  /** The clients that offer it on a recovery card. */
  readonly offeredBy?: readonly number[]
  /** A saved entry that all clients know. */
  readonly saved?: TimeEntry
  readonly presses: readonly Press[]
  /** All presses come before the answer to the first call. What clients do alone needs no order. */
  readonly isPressedTogether?: boolean
  /** Returns the violation of an ending, or null. */
  readonly judge: (ending: Ending) => string | null
}

export interface Limits {
  readonly faults: number
  /**
   * How often a client may look at the server without a cause in the scenario: a focus, an event.
   */
  readonly looks: number
  /** How often the server may be restored from a backup that was made at any moment before. */
  readonly restores?: number
}

/** The state after every client was opened again without faults, until nothing changes. */
export interface Ending {
  readonly now: number
  readonly tasks: readonly StandInDocument[]
  readonly sessions: readonly StandInDocument[]
  readonly entries: readonly StandInDocument[]
  readonly clients: readonly Storage[]
  /** The presses, in order. */
  readonly pressed: readonly Pressed[]
  /** The timers that the clients showed until now, by client. */
  readonly shown: readonly (ActiveTimer | null)[]
  /** False when the last of several rounds still changed something. */
  readonly isSettled: boolean
  /** The ending after the running timer was stopped. Null when none ran. */
  readonly afterStop: Ending | null
}

export interface Exploration {
  readonly states: number
  readonly endings: number
  /** A shortest schedule for each kind of violation. */
  readonly violations: Readonly<Record<string, readonly string[]>>
}
