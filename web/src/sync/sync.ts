/**
 * Sync: everything between the record and the backend for one account. It sends what the backend
 * lacks, restores and reconciles the timer, pulls changes, and listens to other devices. Screens
 * never wait for sync, because they read the record.
 */
import { t } from '@stint/core/text.ts'
import type { Store } from '#record/create-store.ts'
import { codesOf, noteEvent } from '#diagnostics/event-log.ts'
import { noteAwake } from '@stint/core/device/awake.ts'
import { isBeingTyped } from '@stint/core/device/unsaved.ts'
import { nextSession, retryRefused } from '@stint/core/device/unsent-sessions.ts'
import type { LocalRecord } from '#record/record.ts'
import type { Backend, DocumentEvent, DocumentOf } from '#backend/backend.ts'
import { asBackendError } from '#backend/errors.ts'
import type { BackendError } from '#backend/errors.ts'
import { ownDocuments } from '#backend/own-documents.ts'
import { createPace, millisecondsToWait } from '#backend/pace.ts'
import type { ServerClock } from '#backend/server-clock.ts'

import type { SyncContext, WithLock } from './context.ts'
import { correctInstants } from '@stint/core/device/correct-instants.ts'
import { pullEntries, pullSettings, pullTasks, storeEntries, storeTasks } from './pull.ts'
import { reconcile } from './reconcile.ts'
import { adaptToSchema } from './schema-adapter.ts'
import { requireSamePerson } from './same-person.ts'
import { sendAll } from './send.ts'
import type { SendResult } from './send.ts'
import { createStatus } from './status.ts'
import type { SyncStatus } from './status.ts'

const FIRST_RETRY_MILLISECONDS = 1000
const LAST_RETRY_MILLISECONDS = 60_000
/** The delay between the end of the timer and a refresh of the entries, in milliseconds. */
const REFRESH_AFTER_STOP_MILLISECONDS = 5000
/**
 * The longest time between two requests for the server's clock and for changes, in milliseconds.
 */
const RENEW_MILLISECONDS = 15 * 60 * 1000
/** The longest time that closing waits for pending requests, in milliseconds. */
const CLOSE_TIMEOUT_MILLISECONDS = 2000
/**
 * How often this device records that the timer runs, in milliseconds. A sleeping device records
 * nothing.
 */
const AWAKE_MILLISECONDS = 60_000
/**
 * The delay before a second pull, in milliseconds. The first pull can be faster than the
 * subscription and miss an event.
 */
const SECOND_LOOK_MILLISECONDS = 2000
/** The time in which the inputs of a note are collected into one request, in milliseconds. */
const NOTE_PAUSE_MILLISECONDS = 1500
/** The time in which events are collected into one batch, in milliseconds. */
const EVENT_PAUSE_MILLISECONDS = 100

export interface SyncDependencies {
  readonly backend: Backend
  readonly clock: ServerClock
  readonly withLock: WithLock
  /** Waits between tries. Uses real time unless given. */
  readonly wait?: (milliseconds: number) => Promise<void>
}

export interface Sync {
  readonly status: Store<SyncStatus>
  /** Sends the queue. Resolves when it is empty, or when sending is blocked or paused. */
  flush(): Promise<void>
  /** Sends, restores, reconciles and pulls, as a load does. */
  refresh(): Promise<void>
  /** Refreshes after the user has pressed Retry or Try Again. Sends refused items again as well. */
  retry(): Promise<void>
  /**
   * Ends all activity. Resolves when the pending requests have been answered, or after a short
   * wait. The record stays open.
   */
  close(): Promise<void>
}

/** Starts syncing a record with the account `userId`. Writes the status of sync into `status`. */
export function startSync(
  record: LocalRecord,
  userId: string,
  dependencies: SyncDependencies,
  status = createStatus(),
): Sync {
  const { clock, withLock, wait = waitHere } = dependencies
  const backend = adaptToSchema(ownDocuments(dependencies.backend, userId), record)
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const closing = new AbortController()
  const { signal } = closing
  const rounds = new Set<Promise<void>>()
  const arriving: DocumentOf<'time_entries'>[] = []
  let isTakingIn = false
  let failures = 0
  let retryTimer: ReturnType<typeof setTimeout> | null = null
  let noteTimer: ReturnType<typeof setTimeout> | null = null
  let wasActive = record.value('timer') !== undefined
  /** When the entry of the shown timer was last changed, or undefined when there is none. */
  let endedAt: number | undefined

  record.correct = correctInstants
  const pace = createPace(clock.now)
  const context: SyncContext = { record, backend, userId, wait, pace }
  const lock = `sync:${userId}`
  const flush = round(() => settled(() => withLock(lock, () => sendAll(context))))
  const settle = round(() => settled(() => withLock(lock, () => sendAndReconcile(context))))
  const pull = round(pullAll)
  const bringSettings = round(async () => {
    const error = await failureOf(() => pullSettings(context))
    if (error?.kind === 'signed-out') setStatus({ signedOut: true })
  })

  const askAccount = round(async () => {
    const error = await failureOf(() => requireSamePerson(context))
    if (error?.kind === 'signed-out') return setStatus({ signedOut: true })
    await bringSettings()
  })

  addEventListener('online', onComeBack, { signal })
  addEventListener('focus', onComeBack, { signal })
  addEventListener('offline', () => setStatus({ online: false }), { signal })
  document.addEventListener('visibilitychange', onVisibilityChange, { signal })
  const stopListening = [
    clock.onChange(({ isSure }) => void (isSure ? correctNow() : refresh())),
    record.onWork(onWork),
    record.changes.subscribe(onRecordChanged),
  ]
  every(RENEW_MILLISECONDS, () => void refresh())
  every(AWAKE_MILLISECONDS, stayAwake)
  stayAwake()
  const subscription = backend.subscribe({ onEvent, onAccountChanged, onOpen: onSocketOpen })
  void refresh()

  return {
    status,
    flush,
    refresh,
    async retry() {
      failures = 0
      await record.takeIn(retryRefused)
      await refresh()
    },
    async close() {
      closing.abort()
      subscription.close()
      for (const timer of timers) clearTimeout(timer)
      for (const stop of stopListening) stop()
      await Promise.race([Promise.allSettled(rounds), closeTimeout()])
    },
  }

  /**
   * Returns a function that runs this kind of round once at a time. Closing waits for the round.
   */
  function round(work: () => Promise<void>): () => Promise<void> {
    return oneAtATime(async () => {
      // After a sign-out, every call would be refused.
      if (signal.aborted) return
      const done = work().finally(() => rounds.delete(done))
      rounds.add(done)
      await done
    })
  }

  async function refresh(): Promise<void> {
    await settle()
    await pull()
    setStatus({ isRefreshed: true })
  }

  /** Runs a round of sending and turns its result into the status. */
  async function settled(round: () => Promise<SendResult>): Promise<void> {
    const result = await round().catch((error: unknown): SendResult => blockedBy(error))
    if (result.status === 'signed-out') return setStatus({ signedOut: true })
    if (result.status === 'blocked') return comeBackLater(result.error, 'sending')
    failures = 0
    setStatus({ online: true, signedOut: false, entriesPerMinute: null })
  }

  async function pullAll(): Promise<void> {
    if (status.get().signedOut) return
    const [tasksError] = await Promise.all([failureOf(() => pullTasks(context)), bringSettings()])
    if (tasksError?.kind === 'signed-out') setStatus({ signedOut: true })
    if (status.get().signedOut) return
    const entriesError = await failureOf(() => pullEntries(context))
    if (entriesError?.kind === 'signed-out') return setStatus({ signedOut: true })
    setStatus({
      tasksError: tasksError && (tasksError.message || t('Failed to load tasks')),
      entriesError: entriesError && (entriesError.message || t('Failed to load time entries')),
    })
    const error = tasksError ?? entriesError
    if (error) comeBackLater(error, 'fetching')
    else setStatus({ online: true })
  }

  function comeBackLater(error: BackendError, what: 'sending' | 'fetching'): void {
    noteEvent(`${what} failed: ${codesOf(error)}`)
    if (error.kind === 'unreachable') setStatus({ online: false })
    if (what === 'sending') setStatus({ entriesPerMinute: pace.perMinute() })
    failures += 1
    if (retryTimer !== null) clearTimeout(retryTimer)
    retryTimer = schedule(() => void refresh(), waitAfter(error))
  }

  function waitAfter({ kind, rateLimit }: BackendError): number {
    if (kind === 'rate-limited') {
      return millisecondsToWait(rateLimit, clock.now()) + Math.random() * FIRST_RETRY_MILLISECONDS
    }
    const longest = Math.min(
      LAST_RETRY_MILLISECONDS,
      FIRST_RETRY_MILLISECONDS * 2 ** (failures - 1),
    )
    return longest * (0.5 + Math.random() / 2)
  }

  function stayAwake(): void {
    void record.takeIn(noteAwake).catch(() => undefined)
  }

  function onWork(): void {
    const next = nextSession(record.view)
    if (!next || !isBeingTyped(record.view, next.session)) return void flush()
    noteTimer ??= schedule(() => {
      noteTimer = null
      // Otherwise it waits for the next round. A try would only delay that round.
      if (status.get().online) void flush()
    }, NOTE_PAUSE_MILLISECONDS)
  }

  /** Any write corrects the instants of an unconfirmed clock, which is confirmed now. */
  function correctNow(): void {
    if (record.value('clock')) void record.takeIn(() => undefined).catch(() => undefined)
  }

  function onRecordChanged(): void {
    // A pull may show that another device has ended the timer before the sessions show it.
    const shown = record.value('timer')?.timer.sessionId ?? ''
    const known = endedAt
    endedAt = record.view.entries.get(shown)?.updatedAt
    if (endedAt !== undefined && endedAt !== known) void settle()
    const isActive = record.value('timer') !== undefined
    if (wasActive && !isActive) schedule(() => void pull(), REFRESH_AFTER_STOP_MILLISECONDS)
    wasActive = isActive
  }

  function onComeBack(): void {
    stayAwake()
    if (!navigator.onLine) return
    failures = 0
    void refresh()
  }

  function onVisibilityChange(): void {
    if (document.visibilityState === 'visible') onComeBack()
    // The page may be closed before a note is due.
    else if (noteTimer !== null) void flush()
  }

  function onSocketOpen(): void {
    noteEvent('socket open')
    void refresh()
    schedule(() => void refresh(), SECOND_LOOK_MILLISECONDS)
  }

  function onEvent(event: DocumentEvent): void {
    if (event.action === 'delete' || event.collection === 'timer_sessions') {
      schedule(() => void refresh(), EVENT_PAUSE_MILLISECONDS)
    } else if (event.collection === 'tasks') {
      void storeTasks(record, [event.document]).catch(() => refresh())
    } else {
      arriving.push(event.document)
      void takeIn()
    }
  }

  /**
   * Takes in entry events. Events that arrive faster than they can be written, as during an import
   * on another device, are written together.
   */
  async function takeIn(): Promise<void> {
    if (isTakingIn) return
    isTakingIn = true
    try {
      while (arriving.length > 0) await storeEntries(record, arriving.splice(0))
    } catch {
      void refresh()
    } finally {
      isTakingIn = false
    }
  }

  /**
   * A password change on another device may have ended this sign-in. A list request alone would not
   * show that.
   */
  function onAccountChanged(): void {
    schedule(() => void askAccount(), EVENT_PAUSE_MILLISECONDS)
  }

  function setStatus(change: Partial<SyncStatus>): void {
    if (signal.aborted) return
    const known = status.get()
    const next = { ...known, ...change }
    if (next.online !== known.online) noteEvent(next.online ? 'online' : 'offline')
    if (next.signedOut && !known.signedOut) noteEvent('signed out by the server')
    status.set(next)
  }

  function every(milliseconds: number, work: () => void): void {
    schedule(() => {
      work()
      every(milliseconds, work)
    }, milliseconds)
  }

  function schedule(work: () => void, milliseconds: number): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (!signal.aborted) work()
    }, milliseconds)
    timers.add(timer)
    return timer
  }

  /** Rejects when sync is closed: a round that never ended would keep the lock. */
  async function waitHere(milliseconds: number): Promise<void> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      schedule(resolve, milliseconds)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }
}

/**
 * Sends the queue and then reconciles the timer with the sessions, until neither adds work. Must
 * run under the sync lock. Rejects with BackendError when reconciling fails.
 */
export async function sendAndReconcile(context: SyncContext): Promise<SendResult> {
  // The clock is requested first, so that times are right from the first Start on. A missing answer
  // changes nothing.
  await context.backend.serverInfo().catch(() => null)
  for (;;) {
    const result = await sendAll(context)
    if (result.status !== 'empty') return result
    const hasMore = await reconcile(context)
    if (!hasMore) return result
  }
}

/**
 * Returns a function that runs `work` once at a time. Calls during a run share one more run after
 * it.
 */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = () => {
    next = null
    const run = work().finally(() => {
      if (running === run) running = null
    })
    running = run
    return run
  }
  return () => {
    if (!running) return begin()
    next ??= running.then(begin, begin)
    return next
  }
}

async function closeTimeout(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, CLOSE_TIMEOUT_MILLISECONDS)
  })
}

async function failureOf(work: () => Promise<void>): Promise<BackendError | null> {
  try {
    await work()
    return null
  } catch (error) {
    return asBackendError(error)
  }
}

function blockedBy(thrown: unknown): SendResult {
  const error = asBackendError(thrown)
  return error.kind === 'signed-out' ? { status: 'signed-out' } : { status: 'blocked', error }
}
