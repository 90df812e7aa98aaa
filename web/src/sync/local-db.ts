/**
 * The local database (design 1, 5.2): what every screen reads, and where each transition of the
 * timer is written before the screen changes. One database per user id, so that another user of
 * the same browser never sees, and never sends, the first one's data.
 */
import type { Interval } from '@stint/core/time/instant.ts'
import type { Prefs } from '@stint/core/settings.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { Task, TaskChanges } from '@stint/core/record/task.ts'
import type { EntryPart } from '@stint/core/record/entry-parts.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'
import type { TimerSession } from '@stint/core/timer/timer-session.ts'
import { Dexie } from 'dexie'
import type { DexieOptions, EntityTable, Table } from 'dexie'

import { localDbName } from './local-records.ts'

/** The entry as kept here. `revision` grows with every write, so that readers can ask "what is new". */
export interface LocalEntry extends TimeEntry {
  readonly revision: number
}

/** Where a running timer stands with the backend. */
export type TimerPhase =
  /** Its session is being created; the panel says 'Creating...'. */
  | 'creating'
  | 'confirmed'
  /** The user chose to track offline: the session is sent whenever the backend can be reached. */
  | 'offline'

export interface TimerRecord {
  readonly key: 'timer'
  readonly timer: ActiveTimer
  readonly phase: TimerPhase
  /** The device it was started on, as its session says; null when unknown. */
  readonly device: string | null
}

/** What the red banner says, and what its button does (spec 8; design 5.4, 5.5). */
export interface BannerRecord {
  readonly key: 'banner'
  readonly text: string
  readonly action:
    | null
    | { readonly kind: 'track-offline'; readonly taskId: string; readonly startedAt: number }
    | { readonly kind: 'resume'; readonly stopped: StoppedTimer }
}

/** Unfinished sessions that are not restored by themselves: the recovery cards (design 5.6). */
export interface UnfinishedRecord {
  readonly key: 'unfinished'
  readonly sessions: readonly TimerSession[]
}

/** How far the pull of a collection has come. */
export interface PullRecord {
  readonly key: 'pull:tasks' | 'pull:time_entries'
  /** All documents are here, up to the changes after `since`. */
  readonly complete: boolean
  /** Server time (ISO text) from which on changes must be asked for. */
  readonly since: string
}

export interface RevisionRecord {
  readonly key: 'revision'
  readonly last: number
  /** Grows when entries are removed for good, which no revision shows: readers start over. */
  readonly generation: number
}

/** When this device last knew that the timer ran: a crash or a sleep leaves a gap after it. */
export interface SeenRecord {
  readonly key: 'seen'
  readonly sessionId: string
  readonly at: number
}

/** A stretch in which the timer ran and this device was closed or asleep (S3, S18). */
export interface Gap extends Interval {
  readonly sessionId: string
}

/** Gaps its owner has not decided about. */
export interface GapsRecord {
  readonly key: 'gaps'
  readonly gaps: readonly Gap[]
}

/** What the packed copy of the entries holds: everything up to `revision`. */
export interface PacksRecord {
  readonly key: 'packs'
  readonly form: number
  readonly revision: number
  readonly generation: number
}

/** Some of the packed entries (see packed-entries.ts). */
export interface EntryPack {
  readonly position: number
  readonly rows: string
}

/** The account's preferences as they are here: what waits to be sent is in them already. */
export interface SettingsRecord {
  readonly key: 'settings'
  readonly prefs: Prefs
  /** Grows whenever a change was saved: an answer that was asked for before is older. */
  readonly saves: number
}

/** What this device has said once and must not say again, and which breaks were not taken. */
export interface NudgesRecord {
  readonly key: 'nudges'
  /** Names of events, the oldest first. */
  readonly said: readonly string[]
  /** Instants. */
  readonly skips: readonly number[]
}

export type StateRecord =
  | NudgesRecord
  | SettingsRecord
  | SeenRecord
  | GapsRecord
  | TimerRecord
  | BannerRecord
  | UnfinishedRecord
  | PullRecord
  | RevisionRecord
  | PacksRecord

/** A change on its way to the backend. Each can be repeated any number of times (design 5.1). */
export type OutboxWork =
  | {
      readonly kind: 'start'
      readonly timer: ActiveTimer
      /** When it was pressed: of two timers the one that was pressed last goes on (S12). */
      readonly pressedAt: number
      /** Tracked offline: keep trying. Otherwise failure stops the timer (spec 4). */
      readonly keepTrying: boolean
    }
  | { readonly kind: 'update'; readonly action: 'pause' | 'resume'; readonly timer: ActiveTimer }
  | { readonly kind: 'stop'; readonly stopped: StoppedTimer }
  /** The session as the timer now is: its pauses were changed afterwards. */
  | { readonly kind: 'restate'; readonly sessionId: string }
  /** Throws a session away: a start whose reply was lost, a recovery card's Discard. */
  | { readonly kind: 'discard'; readonly sessionId: string }
  | { readonly kind: 'delete-entry'; readonly entryId: string; readonly deletedAt: number }
  /** Entries that were added or changed by hand, as they then are here. */
  | { readonly kind: 'save-entries'; readonly entries: readonly UnsavedEntry[] }
  | { readonly kind: 'create-task'; readonly taskId: string; readonly name: string }
  | {
      readonly kind: 'update-task'
      readonly taskId: string
      readonly changes: TaskChanges
      /** The same as it was before; what earlier versions wrote down has none, nor has what is new. */
      readonly before?: TaskChanges
    }
  /** How earlier versions wrote down that a task was deleted or restored. */
  | { readonly kind: 'set-task-active'; readonly taskId: string; readonly isActive: boolean }
  /** Preferences that were changed here; the others stay as the backend has them. */
  | { readonly kind: 'save-prefs'; readonly changes: Prefs }

/** What the backend has not heard of an entry. */
export interface UnsavedEntry {
  readonly id: string
  /** The parts that changed: another device may have changed the others. */
  readonly parts: 'new' | readonly EntryPart[]
  /** As it was before the change; what earlier versions wrote down has none, nor has what is new. */
  readonly before?: TimeEntry
}

export interface OutboxItem {
  readonly sequence: number
  readonly work: OutboxWork
  readonly addedAt: number
  readonly attempts: number
  /** Set when the backend will never accept it: kept and counted, but no longer sent by itself. */
  readonly refused: string | null
  /** It was refused because the storage on the server is used up. */
  readonly isOverQuota?: boolean
}

export interface QuarantinedRecord {
  readonly id: number
  readonly from: string
  readonly record: unknown
  readonly quarantinedAt: number
}

/** Another implementation of IndexedDB: a test has several devices in one process. */
export type LocalStorageApi = Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>

export class LocalDb extends Dexie {
  declare readonly tasks: EntityTable<Task, 'id'>
  declare readonly entries: EntityTable<LocalEntry, 'id'>
  declare readonly state: Table<StateRecord, StateRecord['key']>
  declare readonly outbox: EntityTable<OutboxItem, 'sequence'>
  declare readonly packs: EntityTable<EntryPack, 'position'>
  /** Records that could not be read: put aside, never thrown away. */
  declare readonly quarantine: EntityTable<QuarantinedRecord, 'id'>

  readonly userId: string

  /** `storage` is where it is kept; the browser's own IndexedDB unless given. */
  constructor(userId: string, storage: LocalStorageApi = {}) {
    // 'strict': a write is on the disk before the screen says so (design 5.2; M2, B5).
    super(localDbName(userId), { chromeTransactionDurability: 'strict', ...storage })
    this.userId = userId
    this.version(1).stores({
      tasks: 'id',
      entries: 'id, revision, [taskId+startedAt]',
      state: 'key',
      outbox: '++sequence',
      quarantine: '++id',
    })
    this.version(2).stores({ packs: 'position' })
  }
}
