/**
 * The data of one owner in this browser. It is read into memory once, and the screens read it from
 * there. Every change is one database transaction, in whichever tab, and is durable before memory
 * and screen show it (docs/decisions/0010-the-record.md).
 */
import { Draft, emptyMemory } from '@stint/core/device/draft.ts'
import type { Changes, Memory, View, Written } from '@stint/core/device/draft.ts'
import { listTasks } from '@stint/core/device/list-tasks.ts'
import type { Progress, ValueKey, ValueOf } from '@stint/core/device/stored.ts'
import { countUnsaved } from '@stint/core/device/unsaved.ts'
import { asKnown, latest, noteClock } from '@stint/core/device/unsure-clock.ts'
import type { ClockReading, CorrectInstants, Moment } from '@stint/core/device/unsure-clock.ts'
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import { untilLoaded } from '#loading/until-loaded.ts'
import { createStore } from './create-store.ts'
import type { Store } from './create-store.ts'
import {
  beginRead,
  beginWrite,
  ignoreRejection,
  openDatabase,
  storeIn,
  STORES,
} from './database.ts'
import type { Database, Transaction } from './database.ts'
import type { UnreadableRecord } from './put-aside.ts'
import { newWriter, PROGRESS, putStored, readMemory, readProgress } from './read-memory.ts'
import { writeChanges } from './write-changes.ts'

/** The delay before a retry after the storage has failed, in milliseconds. */
const RETRY_MILLISECONDS = 3000

export interface Clock {
  /** Returns the server time in epoch milliseconds. */
  readonly now: () => number
  /** Returns how far the device's clock is known. Without this function the clock counts as right. */
  readonly reading?: () => ClockReading
  /** Continues with the correction of stored instants that the server has not confirmed. */
  readonly goOnWith?: (offset: number) => void
  /** Sets a lower bound for the current time, in epoch milliseconds. */
  readonly setAtLeast?: (instant: number) => void
}

export interface RecordOptions {
  readonly clock: Clock
  /** The name of this device on the panels of other devices. */
  readonly device: string
  /** The name of this page in logs. A new random one unless given. */
  readonly writer?: string
}

/** A change of the record: pure, synchronous and short. */
export type Change<T> = (draft: Draft) => T

export type StorageProblem =
  /** The browser's storage accepts no writes. New presses are only in memory. */
  | 'unwritten'
  /** The browser had deleted the storage, and the record was written again. */
  | 'deleted'

/** The message that a tab sends to the other tabs after a write. */
interface News {
  readonly revision: number
  readonly written: Written
}

interface Begun {
  readonly transaction: Transaction<'readwrite'>
  /** As of the last write. */
  readonly progress: Progress
}

/** Opens a record and reads it. Rejects when the browser provides no storage. */
export async function openRecord(name: string, options: RecordOptions): Promise<LocalRecord> {
  const record = new LocalRecord(name, options)
  await record.open()
  return record
}

export class LocalRecord {
  /** The name of the record's database. */
  readonly name: string
  readonly clock: Clock
  readonly device: string
  /** Corrects the instants of an unconfirmed clock before each change. Sync provides it. */
  correct: CorrectInstants | null = null
  /** Notes what is asked after a change. Set when sync, which has its code, has been loaded. */
  ask: ((draft: Draft) => void) | null = null
  readonly #changes = createStore(0)
  /** A counter that changes with every change of the record. */
  readonly changes: Store<number> = this.#changes
  readonly #otherTabs: BroadcastChannel
  readonly #work = createStore(0)
  /** A counter that changes with every change that must be sent. */
  readonly work: Store<number> = this.#work
  /** The contents of the database. */
  #memory: Memory
  /** The memory, overlaid with changes that could not be written yet. */
  #view: Draft
  #tasks: readonly Task[] = []
  #entries: readonly TimeEntry[] | null = null
  #problem: StorageProblem | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #unsaved: { readonly all: number; readonly overQuota: number } | null = null
  #opening: Promise<Database> | null = null
  #isClosed = false
  /** How often a sign-out had emptied the record when it was opened. */
  #generation = 0
  /** The end of the queue of this tab's transactions, which run one after the other. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(name: string, { clock, device, writer = newWriter() }: RecordOptions) {
    this.#memory = emptyMemory(writer)
    this.#view = new Draft(this.#memory)
    this.name = name
    this.clock = clock
    this.device = device
    this.#otherTabs = new BroadcastChannel(`record ${name}`)
    this.#otherTabs.addEventListener('message', ({ data }: MessageEvent<News>) => {
      void this.#inTurn(async () => this.#hear(data)).catch(() => undefined)
    })
  }

  get view(): View {
    return this.#view
  }

  /** Returns a value that exists once per record, such as the timer, the banner or the settings. */
  value<K extends ValueKey>(key: K): ValueOf<K> | undefined {
    return this.#view.value(key)
  }

  /** Returns all listed tasks, including deleted ones: the same list until a task changes. */
  tasks(): readonly Task[] {
    return this.#tasks
  }

  /** Returns the entries that are not deleted, by start: the same list until an entry changes. */
  entries(): readonly TimeEntry[] {
    this.#entries ??= this.#memory.entries.sorted(this.#view.entries.changed)
    return this.#entries
  }

  /** Returns the number of the user's changes that the backend has not acknowledged. */
  unsaved(): number {
    return this.#counts().all
  }

  /** Returns how many unsaved changes the backend refused because its storage is used up. */
  overQuota(): number {
    return this.#counts().overQuota
  }

  /** Returns the problem with the browser's storage, or null. */
  storageProblem(): StorageProblem | null {
    return this.#problem
  }

  /** Clears the storage problem after the user has read it. */
  dismissStorageProblem(): void {
    this.#problem = null
    this.#tell()
  }

  /**
   * Applies a user's change: first on the disk, then in memory and in other tabs. Then notifies
   * sync. The moment of the call is the moment of the press. A change that cannot be stored stays
   * in memory and is stored with the next write, or a few seconds later
   * (docs/decisions/0010-the-record.md). Rejects, without a change, when the change throws
   * or the record is closed.
   */
  async write<T>(change: Change<T>): Promise<T> {
    const { result, hasWork } = await this.#commit(change)
    if (hasWork) this.#work.set(this.#work.get() + 1)
    return result
  }

  /** Applies a change that its owner has not made, like `write` but without notifying sync. */
  async takeIn<T>(change: Change<T>): Promise<T> {
    return (await this.#commit(change)).result
  }

  /** Loads what other tabs have written, and writes what could not be written. */
  refresh(): Promise<void> {
    return this.takeIn(() => undefined)
  }

  /** Opens the database and reads it. Puts records aside that cannot be read. */
  open(): Promise<void> {
    return this.#inTurn(async () => {
      const transaction = beginRead(await this.#database())
      const progress = await readProgress(transaction)
      this.#generation = progress.generation ?? 0
      const unreadable = await this.#readAll(transaction, progress)
      // The device's clock may have been set back since the last write. Each instant from now on is
      // later than those that are written.
      const noted = this.value('clock')
      if (noted) this.clock.goOnWith?.(noted.offset)
      if (progress.at !== undefined) this.clock.setAtLeast?.(progress.at + 1)
      if (unreadable.length > 0) {
        const { putAside } = await untilLoaded(() => import('./put-aside.ts'))
        await putAside(await this.#database(), this.#memory, unreadable, this.clock.now())
        this.#forward(this.#memory)
      }
      this.#tell()
    })
  }

  /** Closes the record. Further writes are rejected, and written data stays. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#otherTabs.close()
    void this.#opening?.then(
      (database) => database.close(),
      () => undefined,
    )
  }

  /** Returns the number of unreadable records that were put aside. */
  async unreadableCount(): Promise<number> {
    return storeIn(beginRead(await this.#database()), 'unreadable').count()
  }

  #moment(): Moment {
    const now = this.clock.now()
    return { now, offset: 0, isSure: true, since: now, leaps: [], ...this.clock.reading?.() }
  }

  #commit<T>(change: Change<T>): Promise<{ readonly result: T; readonly hasWork: boolean }> {
    const pressed = this.#moment()
    return this.#inTurn(async () => {
      const before = this.#view
      const begun = await this.#begin()
      const draft = new Draft(this.#memory, before)
      const moment = asKnown(pressed, this.#moment())
      draft.now = moment.now
      draft.isSure = moment.isSure
      this.correct?.(draft, moment)
      const result = change(draft)
      this.ask?.(draft)
      noteClock(draft, moment)
      const changes = draft.changes()
      if (draft.isChanged || this.#isNew(begun)) await this.#write(begun, draft, changes)
      if (this.#view !== before) this.#tell()
      return { result, hasWork: changes.hasWork }
    })
  }

  /**
   * Begins a write transaction. No other tab can write until it ends. Returns null when the storage
   * does not work.
   */
  async #begin(): Promise<Begun | null> {
    try {
      const transaction = beginWrite(await this.#database())
      const progress = await readProgress(transaction)
      // Another tab has signed out. Until this one learns of it, it goes on in memory and writes nothing.
      if ((progress.generation ?? 0) > this.#generation) throw new Error('The record was emptied')
      // This tab has missed writes of other tabs.
      if (progress.revision > this.#memory.revision) await this.#readAll(transaction, progress)
      return { transaction, progress }
    } catch (error) {
      if (this.#isClosed) throw error
      this.#tryAgainSoon()
      return null
    }
  }

  /** Returns whether the database is not the one that memory was read from: the browser had deleted it. */
  #isNew(begun: Begun | null): boolean {
    return begun !== null && begun.progress.revision < this.#memory.revision
  }

  /** Writes the changes. If that fails, they are still shown and sent, and written soon. */
  async #write(begun: Begun | null, draft: Draft, changes: Changes): Promise<void> {
    const { entries, ...others } = this.#memory
    const isNew = this.#isNew(begun)
    const all = isNew ? [{ ...others, pages: entries.allStored() }] : []
    const progress: Progress = {
      key: PROGRESS,
      revision: this.#memory.revision + 1,
      at: latest(this.clock.now(), begun?.progress.at),
      generation: this.#generation,
    }
    const written = [...all, changes.written]
    if (begun && (await writeChanges(begun.transaction, written, progress))) {
      this.#apply(changes)
      if (isNew) this.#problem = 'deleted'
      else if (this.#problem === 'unwritten') this.#problem = null
    } else {
      this.#forward(this.#memory, draft)
      this.#problem = 'unwritten'
      this.#tryAgainSoon()
    }
  }

  #refreshSoon(): void {
    void this.refresh().catch(() => undefined)
  }

  #tryAgainSoon(): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#refreshSoon(), RETRY_MILLISECONDS)
  }

  /** Applies the written changes to memory and sends them to the other tabs. */
  #apply(changes: Changes): void {
    changes.apply()
    const revision = this.#memory.revision + 1
    this.#forward({ revision }, null)
    // A write just before the close is in the database, and other tabs read it there.
    if (this.#isClosed) return
    const news: News = { revision, written: changes.written }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    this.#otherTabs.postMessage(news)
  }

  /** Applies the write of another tab. If earlier writes were missed, the database is read again. */
  #hear({ revision, written }: News): void {
    if (revision <= this.#memory.revision) return
    if (revision > this.#memory.revision + 1) return this.#refreshSoon()
    for (const name of STORES) {
      for (const [key, stored] of written[name]) putStored(this.#memory, name, key, stored)
    }
    this.#forward({ revision })
    this.#tell()
  }

  /** Sets memory to this write. The changes in `unwritten` are shown over memory and written soon. */
  #forward({ revision }: Pick<Progress, 'revision'>, unwritten: Draft | null = this.#view): void {
    this.#memory.revision = revision
    this.#view = new Draft(this.#memory, unwritten)
    this.#entries = null
    this.#unsaved = null
    const listed = listTasks(this.#view)
    const isSame = listed.length === this.#tasks.length
    if (!isSame || listed.some((task, index) => task !== this.#tasks[index])) this.#tasks = listed
  }

  /** Reads all records and returns those that cannot be read. */
  async #readAll(transaction: Transaction, progress: Progress): Promise<UnreadableRecord[]> {
    const { memory, unreadable } = await readMemory(transaction, this.#memory.writer)
    this.#memory = memory
    this.#forward(progress)
    return unreadable
  }

  #counts() {
    this.#unsaved ??= {
      all: countUnsaved(this.#view, () => true),
      overQuota: countUnsaved(this.#view, ({ refused }) => refused?.isOverQuota === true),
    }
    return this.#unsaved
  }

  #tell(): void {
    this.#changes.set(this.#changes.get() + 1)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** Returns the connection, or opens a new one when the browser has ended the last one. */
  #database(): Promise<Database> {
    if (this.#isClosed) return Promise.reject(new Error('The record is closed'))
    this.#opening ??= openDatabase(this.name, ({ isDeleted }) => {
      this.#opening = null
      if (!isDeleted) return this.#tryAgainSoon()
      // A script deletes the database, as another tab does that resets the storage. Opening it would
      // create it again, so this tab continues in memory.
      this.#opening = Promise.reject(new Error('The database was deleted'))
      ignoreRejection(this.#opening)
    }).catch((error: unknown) => {
      this.#opening = null
      throw error
    })
    return this.#opening
  }
}
