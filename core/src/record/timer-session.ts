/**
 * The session on the backend: its stored form, what presses send, and which sessions a fresh load
 * restores.
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
  readonly log: string | null
}
type SessionPart = 'task' | 'start' | 'state' | 'end' | 'note' | 'log'

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
  log: { attribute: 'log', type: OPTIONAL_TEXT, part: 'log', default: null },
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
  /** The text of its log (docs/log.md), or null of a session that an app without logs has made. */
  readonly log: string | null
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
  const { taskId, isRunning, isPaused, pausedAt, endedAt, device, note, log } = content
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
    log,
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
 * Returns all attributes but the end, of a session that is created.
 *
 * @param log the text of its log
 * @param by the account, and the name of the device
 */
export function newSessionAttributes(
  timer: ActiveTimer,
  log: string,
  { userId, device }: { readonly userId: string; readonly device: string },
): Required<Omit<NewAttributes<'timer_sessions'>, 'endTime' | 'note'>> & { note?: string } {
  const content = { ...contentOf(timer), device, log }
  const { endTime: _none, note, ...others } = FORMS.toAttributes(content)
  return { ...others, ...(note === null ? {} : { note }), userId }
}

/** Returns the patch of each press except stop: the whole present state of the timer, with its log. */
export function timerAttributes(timer: ActiveTimer, log: string): Partial<SessionAttributes> {
  const parts = ['task', 'start', 'state', 'note', 'log']
  return FORMS.partAttributes({ ...contentOf(timer), log }, parts)
}

/**
 * Returns the patch of stop: not running, not paused, the open pause added, endTime set. The patch
 * also contains the start and the task, because the client that finishes the session may not know
 * of a change.
 */
export function stopAttributes(stopped: StoppedTimer, log: string): Partial<SessionAttributes> {
  const parts = ['task', 'start', 'state', 'end', 'note', 'log']
  return FORMS.partAttributes({ ...contentOf(stopped), log }, parts)
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

/** Returns whether the session was created at most 4 hours ago. */
export function isRestorable(session: TimerSession, now: number): boolean {
  return now - session.createdAt <= RESTORE_WINDOW_MILLISECONDS
}
