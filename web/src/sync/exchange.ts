/** Rounds of sending and of pulling, their result as the status, and when one that failed is repeated. */
import { t } from '@stint/core/text.ts'

import { millisecondsToWait } from '#backend/pace.ts'
import { asBackendError } from '#backend/errors.ts'
import type { BackendError } from '#backend/errors.ts'
import { codesOf, noteEvent } from '#diagnostics/event-log.ts'
import type { WritableStore } from '#record/create-store.ts'

import type { SyncContext, WithLock } from './context.ts'
import { pullCollection, pullSettings, requireSamePerson } from './pull.ts'
import type { Schedule } from './schedule.ts'
import { sendAll, sendAndReconcile } from './send.ts'
import type { SyncStatus } from './status.ts'

const FIRST_RETRY_MILLISECONDS = 1000
const LAST_RETRY_MILLISECONDS = 60_000

export type Exchange = ReturnType<typeof createExchange>

interface Means {
  readonly withLock: WithLock
  readonly schedule: Schedule
  readonly status: WritableStore<SyncStatus>
}

/** Returns the exchange of a record with its backend. It ends with the schedule. */
export function createExchange(context: SyncContext, { withLock, status, schedule }: Means) {
  const { round, signal, later } = schedule
  const lock = `sync:${context.userId}`
  const isSignedOut = () => status.get().signedOut
  /** The number of failures in a row. */
  let failures = 0
  let cancelRetry: (() => void) | undefined
  const sending = (send: typeof sendAll) =>
    round(async () => report(await failureOf(() => withLock(lock, () => send(context)))))
  const flush = sending(sendAll)
  const settle = sending(sendAndReconcile)
  const pull = round(pullAll)
  const bringSettings = round(async () => void (await failureOf(() => pullSettings(context))))
  /** Asks who is signed in, and pulls the settings. */
  const askAccount = round(async () => {
    if (!(await failureOf(() => requireSamePerson(context)))) await bringSettings()
  })
  return { status, setStatus, flush, refresh, pull, askAccount, forgetFailures }

  /** Sends, reconciles the timer and pulls. */
  async function refresh(): Promise<void> {
    await settle()
    await pull()
    setStatus({ isRefreshed: true })
  }

  function report(error: BackendError | null): void {
    if (!error) {
      forgetFailures()
      setStatus({ online: true, signedOut: false, entriesPerMinute: null })
    } else if (error.kind !== 'signed-out') {
      setStatus({ entriesPerMinute: context.pace.perMinute() })
      comeBackLater(error, 'sending')
    }
  }

  async function pullAll(): Promise<void> {
    if (isSignedOut()) return
    const [tasksError] = await Promise.all([
      failureOf(() => pullCollection(context, 'tasks')),
      bringSettings(),
    ])
    const entriesError = isSignedOut()
      ? null
      : await failureOf(() => pullCollection(context, 'time_entries'))
    if (isSignedOut()) return
    setStatus({
      tasksError: tasksError && (tasksError.message || t('Failed to load tasks')),
      entriesError: entriesError && (entriesError.message || t('Failed to load time entries')),
    })
    const error = tasksError ?? entriesError
    if (error) comeBackLater(error, 'fetching')
    else setStatus({ online: true })
  }

  /** Does the work, and returns its error or null. The status tells when the sign-in has ended. */
  async function failureOf(work: () => Promise<void>): Promise<BackendError | null> {
    const error = await work().then(() => null, asBackendError)
    if (error?.kind === 'signed-out') setStatus({ signedOut: true })
    return error
  }

  /** Refreshes again after a failure, the later the more failures there were in a row. */
  function comeBackLater(error: BackendError, what: 'sending' | 'fetching'): void {
    noteEvent(`${what} failed: ${codesOf(error)}`)
    if (error.kind === 'unreachable') setStatus({ online: false })
    failures += 1
    cancelRetry?.()
    const wait = waitAfter(error, failures, context.record.clock.now())
    cancelRetry = later(wait, () => void refresh())
  }

  function forgetFailures(): void {
    failures = 0
  }

  function setStatus(change: Partial<SyncStatus>): void {
    if (!signal.aborted) put(status, change)
  }
}

/** Returns how long to wait after so many failures in a row, in milliseconds. */
function waitAfter({ kind, rateLimit }: BackendError, failures: number, now: number): number {
  if (kind === 'rate-limited')
    return millisecondsToWait(rateLimit, now) + Math.random() * FIRST_RETRY_MILLISECONDS
  const longest = Math.min(LAST_RETRY_MILLISECONDS, FIRST_RETRY_MILLISECONDS * 2 ** (failures - 1))
  return longest * (0.5 + Math.random() / 2)
}

function put(status: WritableStore<SyncStatus>, change: Partial<SyncStatus>): void {
  const known = status.get()
  const next = { ...known, ...change }
  if (next.online !== known.online) noteEvent(next.online ? 'online' : 'offline')
  if (next.signedOut && !known.signedOut) noteEvent('signed out by the server')
  status.set(next)
}
