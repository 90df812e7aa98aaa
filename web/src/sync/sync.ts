/**
 * Sync: everything between the record and the backend of one account. Screens read the record, and
 * never wait for sync.
 */
import { noteAwake } from '@stint/core/device/awake.ts'
import { correctInstants } from '@stint/core/device/correct-instants.ts'
import { noteAllQuestions, noteQuestions } from '@stint/core/device/note-asked.ts'
import { isTypedOn } from '@stint/core/device/unsaved.ts'
import { nextSession, retryRefused } from '@stint/core/device/unsent-sessions.ts'

import type { Backend, DocumentEvent, DocumentOf, EventHandlers } from '#backend/backend.ts'
import { ownDocuments } from '#backend/own-documents.ts'
import { createPace } from '#backend/pace.ts'
import type { ServerClock } from '#backend/server-clock.ts'
import { noteEvent } from '#diagnostics/event-log.ts'
import type { Store } from '#record/create-store.ts'
import type { Change, LocalRecord } from '#record/record.ts'

import type { SyncContext, WithLock } from './context.ts'
import { createExchange } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { storeDocuments } from './pull.ts'
import { createSchedule } from './schedule.ts'
import type { Schedule } from './schedule.ts'
import { adaptToSchema } from '#appwrite-project/schema-adapter.ts'
import { createStatus } from './status.ts'
import type { SyncStatus } from './status.ts'

/** The delay between the end of the timer and a refresh of the entries, in milliseconds. */
const REFRESH_AFTER_STOP_MILLISECONDS = 5000
/** The longest time between two requests for the server's clock and for changes, in milliseconds. */
const RENEW_MILLISECONDS = 15 * 60 * 1000
/** How often this device records that the timer runs, in milliseconds. A sleeping device records nothing. */
const AWAKE_MILLISECONDS = 60_000
/** The delay before a second pull, in milliseconds. The first one may miss what came before the events. */
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
  /** Sends what the backend lacks. Resolves when it has all, or when sending is blocked or paused. */
  flush(): Promise<void>
  /** Sends, restores, reconciles and pulls, as a load does. */
  refresh(): Promise<void>
  /** Refreshes after the user has pressed Retry or Try Again. Sends refused items again as well. */
  retry(): Promise<void>
  /** Ends all activity but not the record. Resolves after the pending requests, or a short wait. */
  close(): Promise<void>
}

/** Starts syncing a record with the account `userId`. Writes the status of sync into `status`. */
export function startSync(
  record: LocalRecord,
  userId: string,
  { backend: source, clock, withLock, wait }: SyncDependencies,
  status = createStatus(),
): Sync {
  const closing = new AbortController()
  const schedule = createSchedule(closing.signal)
  const backend = adaptToSchema(ownDocuments(source, userId), record)
  const pace = createPace(clock.now)
  const context: SyncContext = { record, backend, userId, wait: wait ?? schedule.wait, pace }
  const exchange = createExchange(context, { withLock, status, schedule })
  const { flush, refresh, forgetFailures } = exchange
  record.correct = correctInstants
  record.ask = noteQuestions
  changeSoon(record, noteAllQuestions)
  const stopListening = [
    clock.onChange(({ isSure }) => {
      if (!isSure) void refresh()
      // Any change corrects the instants of a clock that was not confirmed before.
      else if (record.value('clock')) void record.refresh().catch(() => undefined)
    }),
    ...listenToRecord(context, exchange, schedule),
  ]
  listenToBrowser(context, exchange, schedule)
  const subscription = backend.subscribe(listeners(context, exchange, schedule))
  void refresh()

  return {
    status,
    flush,
    refresh,
    async retry() {
      forgetFailures()
      await record.takeIn(retryRefused)
      await refresh()
    },
    async close() {
      closing.abort()
      subscription.close()
      for (const stop of stopListening) stop()
      await schedule.ended()
    },
  }
}

/** Makes an automatic change. Where the record is closed, nothing is left to change. */
function changeSoon(record: LocalRecord, change: Change<unknown>): void {
  void record.takeIn(change).catch(() => undefined)
}

/** Sends what is pressed, and pulls after a stop. Returns functions that end this. */
function listenToRecord(
  { record }: SyncContext,
  { status, flush, pull }: Exchange,
  { later, signal }: Schedule,
): (() => void)[] {
  let isNoteWaiting = false
  let wasActive = record.value('timer') !== undefined

  // The page may be closed before a note is due.
  document.addEventListener('visibilitychange', () => void (isNoteWaiting && flush()), { signal })
  return [
    record.work.subscribe(onWork),
    record.changes.subscribe(() => {
      const isActive = record.value('timer') !== undefined
      if (wasActive && !isActive) later(REFRESH_AFTER_STOP_MILLISECONDS, () => void pull())
      wasActive = isActive
    }),
  ]

  function onWork(): void {
    const next = nextSession(record.view)
    if (!next || !isTypedOn(record.view, next.session)) return void flush()
    if (isNoteWaiting) return
    isNoteWaiting = true
    later(NOTE_PAUSE_MILLISECONDS, () => {
      isNoteWaiting = false
      // Otherwise it waits for the next round. A try would only delay that round.
      if (status.get().online) void flush()
    })
  }
}

/** Refreshes when the network or the page comes back, and from time to time. */
function listenToBrowser(
  { record }: SyncContext,
  { setStatus, refresh, forgetFailures }: Exchange,
  { every, signal }: Schedule,
): void {
  addEventListener('online', onComeBack, { signal })
  addEventListener('focus', onComeBack, { signal })
  addEventListener('offline', () => setStatus({ online: false }), { signal })
  document.addEventListener(
    'visibilitychange',
    () => void (document.visibilityState === 'visible' && onComeBack()),
    { signal },
  )
  every(RENEW_MILLISECONDS, () => void refresh())
  every(AWAKE_MILLISECONDS, () => changeSoon(record, noteAwake))
  changeSoon(record, noteAwake)

  function onComeBack(): void {
    changeSoon(record, noteAwake)
    if (!navigator.onLine) return
    forgetFailures()
    void refresh()
  }
}

/** Returns what happens with the news of the backend. */
function listeners(
  { record }: SyncContext,
  { refresh, askAccount }: Exchange,
  { later, round }: Schedule,
): EventHandlers {
  const arriving: DocumentOf<'time_entries'>[] = []
  /**
   * Takes in entry events. Those that arrive faster than they can be written, as during an import on
   * another device, are written together.
   */
  const takeInArrived = round(() =>
    storeDocuments(record, 'time_entries', arriving.splice(0)).catch(() => void refresh()),
  )

  return {
    onEvent,
    // A password change on another device may have ended this sign-in. A list request alone would not show that.
    onAccountChanged: () => void later(EVENT_PAUSE_MILLISECONDS, () => void askAccount()),
    onOpen() {
      noteEvent('socket open')
      void refresh()
      later(SECOND_LOOK_MILLISECONDS, () => void refresh())
    },
  }

  function onEvent(event: DocumentEvent): void {
    if (event.action === 'delete' || event.collection === 'timer_sessions') {
      later(EVENT_PAUSE_MILLISECONDS, () => void refresh())
    } else if (event.collection === 'tasks') {
      void storeDocuments(record, 'tasks', [event.document]).catch(() => refresh())
    } else {
      arriving.push(event.document)
      void takeInArrived()
    }
  }
}
