/** What a notification shows of the timer of its owner. */
import { taskFromDocument } from '@stint/core/record/task.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'
import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'
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
    asOf: utcInstant,
  },
  'shownTimer',
)
export type ShownTimer = Static<typeof SHOWN_TIMER>

/**
 * Returns what a notification shows at `now`.
 * @param told the session that it has shown, of which it tells the end.
 */
export type ReadShownTimer = (
  owner: string,
  told: string | null,
  withName: boolean,
  now: number,
) => Promise<ShownTimer>

/** Prepares the reading of timers. */
export function shownTimerReader(db: Database): ReadShownTimer {
  const { tasks, timer_sessions: sessions, time_entries: entries } = documentStores(db)
  const findActive = activeSessionFinder(db)
  return async (owner, told, withName, now) => {
    const asOf = instantToWire(now)
    const active = await findActive(null, owner)
    if (active !== undefined) {
      const { state } = sessionFromDocument(parsed<'timer_sessions'>(active))
      if (state.kind === 'active')
        return { ...(await activeTimer(owner, state.timer, withName)), asOf }
    }
    const ended = told === null ? null : await endOf(owner, told)
    if (ended === null) return { state: 'none', ...NOTHING, session: told, asOf }
    const { taskId, endedAt, durationSeconds: seconds } = ended
    const task = withName ? await nameOf(owner, taskId) : null
    return { state: 'stopped', session: told, since: instantToWire(endedAt), seconds, task, asOf }
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
export function toldOf({ state, session, since, task }: ShownTimer): string | null {
  if (state !== 'running' && state !== 'paused') return null
  return JSON.stringify([session, state, since, task])
}

/** Returns the session of a note of `toldOf`; null: none. */
export function sessionTold(told: string | null): string | null {
  if (told === null) return null
  const noted: unknown = JSON.parse(told)
  return Array.isArray(noted) ? String(noted[0]) : null
}
