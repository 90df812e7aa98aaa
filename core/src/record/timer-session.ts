/**
 * The session on the backend: its stored form, what presses send, and what a fresh load does with
 * the sessions that it finds.
 */
import type { NewAttributes, TimerSessionDocument } from '#collections.ts'
import { addPause, NO_PAUSES, pauseDurationSeconds, pausesOfSum } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'
import type { ActiveTimer, StoppedTimer } from '#timer/timer.ts'
import { stoppedBetween, withNote } from '#timer/timer.ts'
import {
  FLAG,
  formsOf,
  OPTIONAL_INSTANT,
  OPTIONAL_TEXT,
  PAUSES,
  SECONDS,
  stampsOf,
  TEXT,
} from './fields.ts'
import type { Fields } from './fields.ts'

/** Sessions created longer ago are offered and never restored automatically. */
export const RESTORE_WINDOW_MILLISECONDS = 4 * 60 * 60 * 1000

/** The content of a session's document, field by field. `TimerSession` is derived from it. */
type SessionContent = {
  readonly taskId: string
  /** Epoch milliseconds, like every instant here. */
  readonly startedAt: number | null
  readonly isRunning: boolean
  readonly isPaused: boolean
  /** The start of the open pause. */
  readonly pausedAt: number | null
  /** Whole seconds of all finished pauses, those of unknown time included. */
  readonly pausedSeconds: number
  /** The pauses of known time. */
  readonly pauses: Pauses
  readonly endedAt: number | null
  /** The device on which the timer was started. */
  readonly device: string | null
  readonly note: string | null
}
type SessionPart = 'task' | 'start' | 'state' | 'end' | 'note'

/** Every field of a session. A press changes a part of them. */
export const SESSION_FIELDS = {
  taskId: { attribute: 'taskId', type: TEXT, part: 'task', default: '' },
  startedAt: { attribute: 'startTime', type: OPTIONAL_INSTANT, part: 'start', default: null },
  isRunning: { attribute: 'isRunning', type: FLAG, part: 'state', default: true },
  isPaused: { attribute: 'isPaused', type: FLAG, part: 'state', default: false },
  pausedAt: {
    attribute: 'currentPauseStart',
    type: OPTIONAL_INSTANT,
    part: 'state',
    default: null,
  },
  pausedSeconds: { attribute: 'pauseDurationSeconds', type: SECONDS, part: 'state', default: 0 },
  pauses: { attribute: 'pauses', type: PAUSES, part: 'state', default: NO_PAUSES },
  endedAt: { attribute: 'endTime', type: OPTIONAL_INSTANT, part: 'end', default: null },
  device: { attribute: 'device', type: OPTIONAL_TEXT, part: null, default: null },
  note: { attribute: 'note', type: OPTIONAL_TEXT, part: 'note', default: null },
} as const satisfies Fields<SessionContent, SessionPart>

const FORMS = formsOf<SessionContent, typeof SESSION_FIELDS>(SESSION_FIELDS)
type SessionAttributes = ReturnType<typeof FORMS.toAttributes>

/**
 * A stored session in Stint's terms. A set `endedAt` means that it is stopped but not yet removed.
 */
export interface TimerSession {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly device: string | null
  readonly state:
    | { readonly kind: 'active'; readonly timer: ActiveTimer }
    | { readonly kind: 'stopped'; readonly stopped: StoppedTimer }
    /** Not running, not paused, and without an end: left behind by another client. */
    | { readonly kind: 'unclear'; readonly timer: ActiveTimer }
}

/**
 * Reads a session document. A missing start falls back to the creation. The missing start of an
 * open pause falls back to the last change, because that change was the pause.
 */
export function sessionFromDocument(document: TimerSessionDocument): TimerSession {
  const { createdAt, updatedAt } = stampsOf(document)
  const content = FORMS.fromAttributes(document)
  const { taskId, isRunning, isPaused, pausedAt, endedAt, device, note } = content
  const startedAt = content.startedAt ?? createdAt
  const pauses = pausesOfSum(content.pauses.intervals, content.pausedSeconds)
  const fields = withNote({ sessionId: document.$id, taskId, startedAt, pauses }, note)
  const timer: ActiveTimer =
    isPaused || (pausedAt !== null && !isRunning)
      ? { ...fields, status: 'paused', pausedAt: pausedAt ?? Math.max(startedAt, updatedAt) }
      : { ...fields, status: 'running' }
  return {
    id: document.$id,
    createdAt,
    updatedAt,
    device,
    state: sessionState(),
  }

  function sessionState(): TimerSession['state'] {
    if (endedAt !== null) {
      const { sessionId } = fields
      const all = pausedAt === null ? pauses : addPause(pauses, pausedAt, endedAt)
      return {
        kind: 'stopped',
        stopped: withNote(stoppedBetween(sessionId, taskId, startedAt, endedAt, all), note),
      }
    }
    return isRunning || isPaused ? { kind: 'active', timer } : { kind: 'unclear', timer }
  }
}

/**
 * Returns all attributes but the end, of a session that has just begun or that is sent late after
 * offline tracking. An Appwrite project of an earlier version has no notes on sessions, so the note
 * is sent only when there is one.
 */
export function newSessionAttributes(
  timer: ActiveTimer,
  userId: string,
  device: string,
): Required<Omit<NewAttributes<'timer_sessions'>, 'endTime' | 'note'>> & { note?: string } {
  const { endTime: _none, note, ...others } = FORMS.toAttributes({ ...contentOf(timer), device })
  return { ...others, ...(note === null ? {} : { note }), userId }
}

/**
 * Returns the patch of each press except stop: the whole present state of the timer, with the note
 * if it was changed.
 */
export function timerAttributes(timer: ActiveTimer, isNoted = false): Partial<SessionAttributes> {
  return FORMS.partAttributes(contentOf(timer), ['task', 'start', 'state', ...noteIf(isNoted)])
}

function noteIf(isNoted: boolean): readonly 'note'[] {
  return isNoted ? ['note'] : []
}

/**
 * Returns the patch of stop: not running, not paused, the open pause added, endTime set. The patch
 * also contains the start and the task, because the client that finishes the session may not know
 * of a change. The note is sent if it was changed.
 */
export function stopAttributes(stopped: StoppedTimer, isNoted = false): Partial<SessionAttributes> {
  const parts = ['task', 'start', 'state', 'end', ...noteIf(isNoted)]
  return FORMS.partAttributes(contentOf(stopped), parts)
}

function contentOf(timer: ActiveTimer | StoppedTimer): SessionContent {
  const { taskId, startedAt, pauses } = timer
  const status = 'status' in timer ? timer.status : 'stopped'
  return {
    ...FORMS.defaults,
    taskId,
    startedAt,
    isRunning: status === 'running',
    isPaused: status === 'paused',
    pausedAt: 'pausedAt' in timer ? timer.pausedAt : null,
    pausedSeconds: pauseDurationSeconds(pauses),
    pauses,
    endedAt: 'endedAt' in timer ? timer.endedAt : null,
    note: timer.note ?? null,
  }
}

/** What a fresh load does with the sessions that it finds. */
export interface RestorePlan {
  /** Stopped but not removed: create the entry, delete the session. */
  readonly finish: readonly TimerSession[]
  /** The newest active session created within the window. It becomes the timer. */
  readonly restore: TimerSession | null
  /**
   * Active sessions older than the restored one. Each ends at the start of the next newer one and
   * is saved.
   */
  readonly superseded: readonly { session: TimerSession; endedAt: number }[]
  /** Too old or unclear sessions. They are offered on the recovery card and never dropped. */
  readonly unfinished: readonly TimerSession[]
}

/**
 * Returns when the start was pressed, as far as it is known. An id in the format of the SDK begins
 * with that time, while the start itself may have been set earlier by the owner. For other ids the
 * start counts.
 */
export function pressedAt({ id, createdAt, state }: TimerSession): number {
  const [, seconds = '', milliseconds = ''] = /^([\da-f]{8})([\da-f]{5})/.exec(id) ?? []
  const madeAt = parseInt(seconds, 16) * 1000 + parseInt(milliseconds, 16)
  const { startedAt } = state.kind === 'stopped' ? state.stopped : state.timer
  const isTime = madeAt <= createdAt + MAX_CLOCK_ERROR && madeAt > createdAt - MAX_UNSENT
  return isTime ? Math.max(madeAt, startedAt) : startedAt
}

/**
 * An id whose time is later than its creation by more than this (milliseconds) holds no time,
 * because clocks differ by less.
 */
const MAX_CLOCK_ERROR = 60_000
/**
 * A session that was tracked offline is created within this time (milliseconds) after its start.
 */
const MAX_UNSENT = 31 * 24 * 60 * 60 * 1000

/** Sorts a user's sessions into the actions for them at `now`. */
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

/** Returns whether the session was created at most 4 hours ago. */
export function isRestorable(session: TimerSession, now: number): boolean {
  return now - session.createdAt <= RESTORE_WINDOW_MILLISECONDS
}

/**
 * Returns when an older session ends: at the start of the next newer one. A session that was
 * created later may claim an earlier start, because it was tracked offline and sent late. It must
 * not swallow the older session, which then ends at the creation of the newer one.
 */
function startOfNextNewer(session: TimerSession, newestFirst: readonly TimerSession[]): number {
  const newer = newestFirst
    .slice(0, newestFirst.indexOf(session))
    .findLast((candidate) => candidate.state.kind === 'active')
  if (newer?.state.kind !== 'active' || session.state.kind === 'stopped') return session.updatedAt
  const { startedAt } = newer.state.timer
  return startedAt >= session.state.timer.startedAt ? startedAt : newer.createdAt
}
