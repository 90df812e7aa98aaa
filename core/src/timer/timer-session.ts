/**
 * The timer as it is stored on the backend, the patches that pause,
 * resume and stop send, and what a fresh load does with the sessions it finds.
 */
import type { NewAttributes, TimerSessionDocument } from '#collections.ts'
import { instantFromWire, instantToWire } from '#time/instant.ts'
import { addPause, pauseDurationSeconds, pausesFromWire, pausesToWire } from './pauses.ts'
import type { ActiveTimer, StoppedTimer } from './timer.ts'
import { stoppedBetween } from './timer.ts'

/** Sessions created longer ago are offered, never restored by themselves. */
export const RESTORE_WINDOW_MILLISECONDS = 4 * 60 * 60 * 1000

/** Every attribute: each patch below names those that it leaves out, so that none is forgotten. */
type SessionAttributes = Required<NewAttributes<'timer_sessions'>>

/** A stored session in Stint's terms. `endedAt` set means: stopped, but not yet swept away. */
export interface TimerSession {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly device: string | null
  readonly state:
    | { readonly kind: 'active'; readonly timer: ActiveTimer }
    | { readonly kind: 'stopped'; readonly stopped: StoppedTimer }
    /** Neither running nor paused, and no end: another client's leftovers. */
    | { readonly kind: 'unclear'; readonly timer: ActiveTimer }
}

/**
 * Reads a session document. A missing start falls back to its creation, the missing start of an
 * open pause to its last change: that is when it was paused.
 */
export function sessionFromDocument(document: TimerSessionDocument): TimerSession {
  const createdAt = instantFromWire(document.$createdAt) ?? 0
  const updatedAt = instantFromWire(document.$updatedAt) ?? createdAt
  const startedAt = instantFromWire(document.startTime) ?? createdAt
  const pauses = pausesFromWire(document.pauses, document.pauseDurationSeconds)
  const fields = { sessionId: document.$id, taskId: document.taskId, startedAt, pauses }
  const pausedAt = instantFromWire(document.currentPauseStart)
  const endedAt = instantFromWire(document.endTime)
  const timer: ActiveTimer =
    document.isPaused || (pausedAt !== null && !document.isRunning)
      ? { ...fields, status: 'paused', pausedAt: pausedAt ?? Math.max(startedAt, updatedAt) }
      : { ...fields, status: 'running' }
  return {
    id: document.$id,
    createdAt,
    updatedAt,
    device: document.device,
    state: sessionState(),
  }

  function sessionState(): TimerSession['state'] {
    if (endedAt !== null) {
      const { sessionId, taskId } = fields
      const all = pausedAt === null ? pauses : addPause(pauses, pausedAt, endedAt)
      return {
        kind: 'stopped',
        stopped: stoppedBetween(sessionId, taskId, startedAt, endedAt, all),
      }
    }
    return document.isRunning || document.isPaused
      ? { kind: 'active', timer }
      : { kind: 'unclear', timer }
  }
}

/** The attributes of a session that has just begun, or is sent late after offline tracking. */
export function newSessionAttributes(
  timer: ActiveTimer,
  userId: string,
  device: string,
): Omit<SessionAttributes, 'endTime'> {
  return {
    taskId: timer.taskId,
    userId,
    startTime: instantToWire(timer.startedAt),
    device,
    ...activeAttributes(timer),
  }
}

/** The patch of action pause and of action resume: both state the timer as it now is. */
export function activeAttributes(
  timer: ActiveTimer,
): Omit<SessionAttributes, 'taskId' | 'userId' | 'startTime' | 'endTime' | 'device'> {
  return {
    isRunning: timer.status === 'running',
    isPaused: timer.status === 'paused',
    currentPauseStart: timer.status === 'paused' ? instantToWire(timer.pausedAt) : null,
    pauseDurationSeconds: pauseDurationSeconds(timer.pauses),
    pauses: pausesToWire(timer.pauses),
  }
}

/** The whole timer, after its owner changed when it began, what it is about or its pauses. */
export function restatedAttributes(
  timer: ActiveTimer,
): Omit<SessionAttributes, 'userId' | 'endTime' | 'device'> {
  return {
    taskId: timer.taskId,
    startTime: instantToWire(timer.startedAt),
    ...activeAttributes(timer),
  }
}

/**
 * The patch of action stop: not running, not paused, open pause added, endTime set. Says
 * when it began and what it is about as well: whoever finishes it may not have heard of a change.
 */
export function stopAttributes(
  stopped: StoppedTimer,
): Omit<SessionAttributes, 'userId' | 'device'> {
  return {
    taskId: stopped.taskId,
    startTime: instantToWire(stopped.startedAt),
    isRunning: false,
    isPaused: false,
    currentPauseStart: null,
    pauseDurationSeconds: pauseDurationSeconds(stopped.pauses),
    pauses: pausesToWire(stopped.pauses),
    endTime: instantToWire(stopped.endedAt),
  }
}

/** What a load does with the sessions it finds. */
export interface RestorePlan {
  /** Stopped but not swept: create the entry, delete the session. */
  readonly finish: readonly TimerSession[]
  /** The newest active session created within the window: becomes the timer. */
  readonly restore: TimerSession | null
  /** Older active ones beside the restored: ended at the start of the next newer one, saved. */
  readonly superseded: readonly { session: TimerSession; endedAt: number }[]
  /** Too old or unclear: offered on the recovery card, never dropped. */
  readonly unfinished: readonly TimerSession[]
}

/**
 * When its start was pressed, as far as that is known. An id that was made as the SDK makes them begins with that time:
 * its owner may have said that it began earlier. Else it was pressed when it says that it began.
 */
export function pressedAt({ id, createdAt, state }: TimerSession): number {
  const [, seconds = '', milliseconds = ''] = /^([\da-f]{8})([\da-f]{5})/.exec(id) ?? []
  const madeAt = parseInt(seconds, 16) * 1000 + parseInt(milliseconds, 16)
  const { startedAt } = state.kind === 'stopped' ? state.stopped : state.timer
  const isTime = madeAt <= createdAt + MAX_CLOCK_ERROR && madeAt > createdAt - MAX_UNSENT
  return isTime ? Math.max(madeAt, startedAt) : startedAt
}

/** An id whose time is later than its creation is no time: clocks differ by less. */
const MAX_CLOCK_ERROR = 60_000
/** A session that was tracked offline is created no later than this after its start. */
const MAX_UNSENT = 31 * 24 * 60 * 60 * 1000

/** Sorts a user's sessions into what is to be done with them at `now`. */
export function planRestore(sessions: readonly TimerSession[], now: number): RestorePlan {
  const newestFirst = sessions.toSorted(
    (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
  )
  const finish = newestFirst.filter((session) => session.state.kind === 'stopped')
  const open = newestFirst.filter((session) => session.state.kind !== 'stopped')
  const restore =
    open.find((session) => session.state.kind === 'active' && isRestorable(session, now)) ?? null
  if (!restore) return { finish, restore, superseded: [], unfinished: open }

  const others = open.filter((session) => session !== restore)
  const superseded = others.filter(
    (session) => session.state.kind === 'active' && isRestorable(session, now),
  )
  return {
    finish,
    restore,
    superseded: superseded.map((session) => ({
      session,
      endedAt: startOfNextNewer(session, newestFirst),
    })),
    unfinished: others.filter((session) => !superseded.includes(session)),
  }
}

/** Created no more than 4 hours ago. */
export function isRestorable(session: TimerSession, now: number): boolean {
  return now - session.createdAt <= RESTORE_WINDOW_MILLISECONDS
}

/**
 * When an older session ends: at the start of the next newer one. One created later that claims an
 * earlier start (tracked offline, sent late) must not swallow it: then it ends at that creation.
 */
function startOfNextNewer(session: TimerSession, newestFirst: readonly TimerSession[]): number {
  const newer = newestFirst
    .slice(0, newestFirst.indexOf(session))
    .findLast((candidate) => candidate.state.kind === 'active')
  if (newer?.state.kind !== 'active' || session.state.kind === 'stopped') return session.updatedAt
  const { startedAt } = newer.state.timer
  return startedAt >= session.state.timer.startedAt ? startedAt : newer.createdAt
}
