/** What a notification shows of the timer of its owner. */
import { taskFromDocument } from '@stint/core/record/task.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'
import { readLog } from '@stint/core/log/documents.ts'
import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import type { ActiveTimer, RunningTimer } from '@stint/core/timer/timer.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { parsed } from '#documents/document.ts'
import { activeSessionFinder, documentStores } from '#documents/store.ts'
import { answer, utcInstant } from '#http/answers.ts'
import type { Database } from '#storage/database.ts'

const orNull = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/** The timer as a notification shows it; also what is sent to devices. */
export const SHOWN_TIMER = answer(
  {
    state: Type.Enum(['running', 'paused', 'stopped', 'none'], {
      description: '`none`: no timer runs, and the last one was discarded or is unknown',
    }),
    session: orNull(Type.String()),
    /** Of a running timer the last resume or the start, of a paused one the pause, else the stop. */
    since: orNull(utcInstant),
    seconds: orNull(Type.Integer({ description: 'of a stopped timer' })),
    task: orNull(Type.String({ description: 'its name, if the device wants it' })),
    question: Type.Union([utcInstant, Type.Null()], {
      description: 'since when nothing was seen of its owner, who is asked whether they still work',
    }),
    asOf: utcInstant,
  },
  'shownTimer',
)
export type ShownTimer = Static<typeof SHOWN_TIMER>

/** A timer that runs. */
export interface Running {
  readonly timer: RunningTimer
  /** When something was pressed on it last, in epoch milliseconds. */
  readonly pressedAt: number
}

/**
 * Returns what a notification shows at `now`, but for a question, and the timer that runs, if one does.
 * @param told the session that it has shown, of which it tells the end.
 */
export type ReadShownTimer = (
  owner: string,
  told: string | null,
  withName: boolean,
  now: number,
) => Promise<{ readonly shown: ShownTimer; readonly running: Running | null }>

/** Prepares the reading of timers. */
export function shownTimerReader(db: Database): ReadShownTimer {
  const { tasks, timer_sessions: sessions, time_entries: entries } = documentStores(db)
  const findActive = activeSessionFinder(db)
  return async (owner, told, withName, now) => {
    const rest = { question: null, asOf: instantToWire(now) }
    const active = await findActive(null, owner)
    if (active !== undefined) {
      const { state, log, updatedAt } = sessionFromDocument(parsed<'timer_sessions'>(active))
      if (state.kind === 'active') {
        const { timer } = state
        const stamps = (readLog(log) ?? []).map(({ stamp }) => stamp.milliseconds)
        const pressedAt = stamps.length > 0 ? Math.max(...stamps) : updatedAt
        return {
          shown: { ...(await activeTimer(owner, timer, withName)), ...rest },
          running: timer.status === 'running' ? { timer, pressedAt } : null,
        }
      }
    }
    return { shown: { ...(await endedTimer(owner, told, withName)), ...rest }, running: null }
  }

  async function endedTimer(owner: string, told: string | null, withName: boolean) {
    const ended = told === null ? null : await endOf(owner, told)
    if (ended === null) return { state: 'none', ...NOTHING, session: told } as const
    const { taskId, endedAt, durationSeconds: seconds } = ended
    const task = withName ? await nameOf(owner, taskId) : null
    const since = instantToWire(endedAt)
    return { state: 'stopped', session: told, since, seconds, task } as const
  }

  async function activeTimer(owner: string, timer: ActiveTimer, withName: boolean) {
    const task = withName ? await nameOf(owner, timer.taskId) : null
    const since = instantToWire(sinceOf(timer))
    return { state: timer.status, session: timer.sessionId, since, seconds: null, task }
  }

  async function nameOf(owner: string, taskId: string): Promise<string | null> {
    const found = await tasks.find(owner, taskId)
    return found ? taskFromDocument(parsed<'tasks'>(found)).name : null
  }

  /** Returns how a session ended; null: without an entry. */
  async function endOf(owner: string, id: string) {
    // A device has stopped it, and is still to save it: anew after the undo of a stop, whose entry is deleted.
    const session = await sessions.find(owner, id)
    if (session !== undefined) {
      const { state } = sessionFromDocument(parsed<'timer_sessions'>(session))
      return state.kind === 'stopped' ? state.stopped : null
    }
    const found = await entries.find(owner, id)
    const entry = found && entryFromDocument(parsed<'time_entries'>(found))
    return entry?.deletedAt === null ? entry : null
  }
}

const NOTHING = { since: null, seconds: null, task: null } as const

function sinceOf(timer: ActiveTimer): number {
  if (timer.status === 'paused') return timer.pausedAt
  return timer.pauses.intervals.at(-1)?.end ?? timer.startedAt
}

/** Returns how it is noted that a device was told of a timer; null: nothing runs. */
export function toldOf({ state, session, since, task, question }: ShownTimer): string | null {
  if (state !== 'running' && state !== 'paused') return null
  return JSON.stringify([session, state, since, task, ...(question === null ? [] : [question])])
}

/** Returns how it is noted that a device may have been told of a timer, which it is then told again; null: nothing runs. */
export function maybeToldOf(shown: ShownTimer): string | null {
  return toldOf(shown) && JSON.stringify([shown.session])
}

/** Returns the session of a note of `toldOf`; null: none. */
export function sessionTold(told: string | null): string | null {
  return notedIn(told, 0)
}

/** Returns the question of a note of `toldOf`; null: none. */
export function questionTold(told: string | null): string | null {
  return notedIn(told, 4)
}

function notedIn(told: string | null, index: number): string | null {
  if (told === null) return null
  const noted: unknown = JSON.parse(told)
  return Array.isArray(noted) && index in noted ? String(noted[index]) : null
}
