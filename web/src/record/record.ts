/**
 * What this browser knows of one owner: read into memory once, and from there by the screens. Every
 * change of it is one transaction of the database, in whichever tab: durable before memory and screen
 * show it (docs/decisions/0110-the-record-is-read-into-memory-once.md).
 */
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import { createStore } from './create-store.ts'
import type { Store } from './create-store.ts'
import { beginRead, beginWrite, openDatabase, quietly, storeIn, STORES } from './database.ts'
import type { Database } from './database.ts'
import { Draft, emptyMemory } from './draft.ts'
import type { Changes, Memory, Written } from './draft.ts'
import { countUnsaved } from './edits.ts'
import type { UnreadableRecord } from './put-aside.ts'
import { PROGRESS, putStored, readMemory, readProgress } from './read-memory.ts'
import type { Transaction } from './read-memory.ts'
import { noteClock } from './unsure-clock.ts'
import type { ClockReading } from './unsure-clock.ts'
import type { Edit, Progress, ValueKey, ValueOf } from './stored.ts'

export interface Clock {
  /** Epoch milliseconds of server time. */
  readonly now: () => number
  /** How far the device's clock is known; without it, it is right. */
  readonly reading?: () => ClockReading
  /** It is this late at least. */
  readonly setAtLeast?: (instant: number) => void
}

export interface RecordOptions {
  readonly clock: Clock
  /** How this device is called on the others' panels. */
  readonly device: string
}

/** A change of the record: pure, synchronous, and short. `now` is the moment of the press. */
export type Change<T> = (draft: Draft, now: number) => T

type Tables = 'tasks' | 'entries' | 'edits' | 'operations'
/** The record as it is in memory, to be read. */
export type View = Pick<Draft, 'value' | 'edit'> & {
  readonly [T in Tables]: Pick<Draft[T], 'get' | 'all'>
}

/**
 * What became of the browser's storage: it takes nothing now, so that what is pressed is in memory alone;
 * or the browser had deleted it, and it was written again.
 */
export type StorageProblem = 'unwritten' | 'deleted'

/** What one tab tells the others of a write. */
interface News {
  readonly revision: number
  readonly sequence: number
  readonly written: Written
}

/**
 * Opens a record and reads it. Records that cannot be read are put aside. Rejects when the browser gives
 * no storage.
 */
export async function openRecord(name: string, options: RecordOptions): Promise<LocalRecord> {
  const record = new LocalRecord(name, options)
  await record.open()
  return record
}

export class LocalRecord {
  /** Of its database. */
  readonly name: string
  readonly clock: Clock
  readonly device: string
  readonly #changes = createStore(0)
  readonly #otherTabs: BroadcastChannel
  readonly #workListeners = new Set<() => void>()
  /** What the database holds. */
  #memory: Memory = emptyMemory()
  /** The same, with what could not be written yet over it. */
  #view = new Draft(this.#memory)
  #tasks: readonly Task[] = []
  #entries: readonly TimeEntry[] | null = null
  #problem: StorageProblem | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #unsaved: { readonly all: number; readonly overQuota: number } | null = null
  #opening: Promise<Database> | null = null
  #isClosed = false
  /** The transactions of this tab come one after the other. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(name: string, { clock, device }: RecordOptions) {
    this.name = name
    this.clock = clock
    this.device = device
    this.#otherTabs = new BroadcastChannel(`record ${name}`)
    this.#otherTabs.addEventListener('message', ({ data }: MessageEvent<News>) => {
      void this.#inTurn(async () => this.#hear(data)).catch(() => undefined)
    })
  }

  /** Tells whoever shows something of the record that it has changed. */
  get changes(): Store<number> {
    return this.#changes
  }

  get view(): View {
    return this.#view
  }

  /** What there is one of: the timer, the banner, the settings … */
  value<K extends ValueKey>(key: K): ValueOf<K> | undefined {
    return this.#view.value(key)
  }

  /** All tasks that are listed, deleted ones included: the same list until one of them changes. */
  tasks(): readonly Task[] {
    return this.#tasks
  }

  /** All entries that are not deleted, by start: the same list until one of them changes. */
  entries(): readonly TimeEntry[] {
    this.#entries ??= this.#memory.entries.sorted(this.#view.entries.changed)
    return this.#entries
  }

  /** The ids of all entries, deleted ones included. */
  entryIds(): string[] {
    return this.#view.entries.all().map(({ id }) => id)
  }

  /** How many things of the user's the backend has not acknowledged. */
  unsaved(): number {
    return this.#counts().all
  }

  /** Of these, how many it refused because the storage there is used up. */
  overQuota(): number {
    return this.#counts().overQuota
  }

  /** What is wrong with the browser's storage, or null. */
  storageProblem(): StorageProblem | null {
    return this.#problem
  }

  /** The user has read that the storage was deleted. */
  dismissStorageProblem(): void {
    this.#problem = null
    this.#tell()
  }

  /**
   * Does what was pressed: on the disk, then in memory and in other tabs, and lets sync know. The moment
   * of the call is the moment of the press. What cannot be stored is kept in memory, and is stored with
   * the next write, or a few seconds later (docs/decisions/0114-what-cannot-be-stored-is-kept-in-memory.md).
   * Rejects, and changes nothing, when the change throws or the record is closed.
   */
  async write<T>(change: Change<T>): Promise<T> {
    const { result, hasWork } = await this.#commit(change)
    if (hasWork) for (const listener of this.#workListeners) listener()
    return result
  }

  /** The same for what comes from the backend, or happens by itself: sync need not know. */
  async takeIn<T>(change: Change<T>): Promise<T> {
    return (await this.#commit(change)).result
  }

  /** Calls back when something was pressed that the backend must hear; returns an unsubscribe function. */
  onWork(listener: () => void): () => void {
    this.#workListeners.add(listener)
    return () => this.#workListeners.delete(listener)
  }

  /**
   * Takes in what other tabs have written: afterwards memory is what the database was just now, if that
   * can be read.
   */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
      const transaction = beginRead(await this.#database())
      if (await this.#catchUp(transaction, await readProgress(transaction))) this.#tell()
    }).catch((error: unknown) => {
      if (this.#isClosed) throw error
    })
  }

  /** Opens the database and reads it. */
  open(): Promise<void> {
    return this.#inTurn(async () => {
      const transaction = beginRead(await this.#database())
      const progress = await readProgress(transaction)
      const unreadable = await this.#readAll(transaction, progress)
      // The device's clock may have been set back since.
      if (progress.at !== undefined && !this.value('clock')) this.clock.setAtLeast?.(progress.at)
      if (unreadable.length > 0) {
        const { putAside } = await import('./put-aside.ts')
        await putAside(await this.#database(), this.#memory, unreadable, this.clock.now())
        this.#forward(this.#memory)
      }
      this.#tell()
    })
  }

  /** Nothing can be written any more; what was is kept. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#otherTabs.close()
    this.#workListeners.clear()
    void this.#opening?.then(
      (database) => database.close(),
      () => undefined,
    )
  }

  /** How many records could not be read and were put aside. */
  async unreadableCount(): Promise<number> {
    return storeIn(beginRead(await this.#database()), 'unreadable').count()
  }

  #commit<T>(change: Change<T>): Promise<{ readonly result: T; readonly hasWork: boolean }> {
    const now = this.clock.now()
    return this.#inTurn(async () => {
      const before = this.#view
      const begun = await this.#begin()
      const draft = new Draft(this.#memory, before)
      const result = change(draft, now)
      const reading = this.clock.reading?.()
      if (reading) noteClock(draft, reading, now)
      const changes = draft.changes()
      if (!changes.isEmpty || begun?.isNew) await this.#write(begun, draft, changes)
      if (this.#view !== before) this.#tell()
      return { result, hasWork: changes.hasWork }
    })
  }

  /** From here on nothing that another tab does comes in between. Null when the storage does not work. */
  async #begin(): Promise<Begun | null> {
    try {
      const transaction = beginWrite(await this.#database())
      const progress = await readProgress(transaction)
      await this.#catchUp(transaction, progress)
      return { transaction, isNew: progress.revision < this.#memory.revision }
    } catch (error) {
      if (this.#isClosed) throw error
      this.#tryAgainSoon()
      return null
    }
  }

  /** Writes the changes. If that fails they are shown and sent all the same, and written soon. */
  async #write(begun: Begun | null, draft: Draft, changes: Changes): Promise<void> {
    const isWritten = begun !== null && (await this.#isWritten(begun, changes))
    if (isWritten) {
      this.#apply(changes)
      if (begun.isNew) this.#problem = 'deleted'
      else if (this.#problem === 'unwritten') this.#problem = null
    } else {
      this.#forward(this.#memory, draft)
      this.#problem = 'unwritten'
      this.#tryAgainSoon()
    }
  }

  async #isWritten({ transaction, isNew }: Begun, changes: Changes): Promise<boolean> {
    const { entries, ...memory } = this.#memory
    try {
      // The browser has deleted the database: this tab has everything, and writes it again.
      if (isNew) putAll(transaction, { ...memory, pages: entries.allStored() })
      putAll(transaction, changes.written)
      const { sequence } = changes
      const at = this.clock.now()
      const progress: Progress = { key: PROGRESS, revision: memory.revision + 1, sequence, at }
      quietly(storeIn(transaction, 'values').put(progress, PROGRESS))
      transaction.commit()
      await transaction.done
      return true
    } catch {
      abort(transaction)
      return false
    }
  }

  #tryAgainSoon(): void {
    clearTimeout(this.#retry)
    const write = () => void this.takeIn(() => undefined).catch(() => undefined)
    this.#retry = setTimeout(write, RETRY_MILLISECONDS)
  }

  /** Brings memory to what was just written, and tells the other tabs. */
  #apply({ written, sequence, apply }: Changes): void {
    apply()
    const revision = this.#memory.revision + 1
    this.#forward({ revision, sequence }, null)
    // Written in the last moment, it is in the database: other tabs read what they have missed.
    if (this.#isClosed) return
    const news: News = { revision, sequence, written }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    this.#otherTabs.postMessage(news)
  }

  /** Another tab has written something. What was missed before it is read. */
  async #hear({ revision, sequence, written }: News): Promise<void> {
    if (revision <= this.#memory.revision) return
    if (revision > this.#memory.revision + 1) {
      const transaction = beginRead(await this.#database())
      await this.#catchUp(transaction, await readProgress(transaction))
    } else {
      for (const name of STORES) {
        for (const [key, stored] of written[name]) putStored(this.#memory, name, key, stored)
      }
      this.#forward({ revision, sequence })
    }
    this.#tell()
  }

  /** Memory is as of this write; `unwritten` is shown over it, and written soon. */
  #forward(
    { revision, sequence }: Pick<Progress, 'revision' | 'sequence'>,
    unwritten: Draft | null = this.#view,
  ): void {
    this.#memory.revision = revision
    this.#memory.sequence = sequence
    this.#view = new Draft(this.#memory, unwritten)
    this.#entries = null
    this.#unsaved = null
    const { tasks } = this.#view
    const listed = tasks.all().filter(({ id }) => !this.#view.edit('task', id)?.isHidden)
    const isSame = listed.length === this.#tasks.length
    if (!isSame || listed.some((task, index) => task !== this.#tasks[index])) this.#tasks = listed
  }

  /** Reads everything anew if other tabs have written more than they said; true when they had. */
  async #catchUp(transaction: Transaction, progress: Progress): Promise<boolean> {
    if (progress.revision <= this.#memory.revision) return false
    await this.#readAll(transaction, progress)
    return true
  }

  /** Reads all of it; returns what cannot be read. */
  async #readAll(transaction: Transaction, progress: Progress): Promise<UnreadableRecord[]> {
    const { memory, unreadable } = await readMemory(transaction)
    this.#memory = memory
    this.#forward(progress)
    return unreadable
  }

  #counts() {
    if (this.#unsaved) return this.#unsaved
    const [operations, edits] = [this.#view.operations.all(), this.#view.edits.all()]
    this.#unsaved = {
      all: countUnsaved(operations, edits),
      overQuota: countUnsaved(operations.filter(isFull), edits.filter(isFull)),
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

  /** The connection; when the browser has ended it, another one. */
  #database(): Promise<Database> {
    if (this.#isClosed) return Promise.reject(new Error('The record is closed'))
    this.#opening ??= openDatabase(this.name, ({ isDeleted }) => {
      this.#opening = null
      if (!isDeleted) return this.#tryAgainSoon()
      // Another tab signs out and removes it: opened again it would be there again. Until this tab hears
      // of the sign-out, it goes on in memory.
      this.#opening = Promise.reject(new Error('The database was deleted'))
      quietly(this.#opening)
    }).catch((error: unknown) => {
      this.#opening = null
      throw error
    })
    return this.#opening
  }
}

/** So long after the storage failed it is tried again. */
const RETRY_MILLISECONDS = 3000
/** A transaction that may write. */
interface Begun {
  readonly transaction: ReturnType<typeof beginWrite>
  /** Whether the database is another one than memory was read from. */
  readonly isNew: boolean
}

/** Asks for everything to be written; whether it is, the transaction says. */
function putAll(transaction: ReturnType<typeof beginWrite>, written: Written): void {
  for (const name of STORES) {
    const store = storeIn(transaction, name)
    for (const [key, value] of written[name]) {
      quietly(value === null ? store.delete(key) : store.put(value, key))
    }
  }
}

function isFull({ refused }: Pick<Edit, 'refused'>): boolean {
  return refused?.isOverQuota === true
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort()
  } catch {
    // It is over already.
  }
}
