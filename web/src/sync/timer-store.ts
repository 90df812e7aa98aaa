/**
 * The transitions of the timer, each one transaction of the local database: durable before the
 * screen changes, and one after the other across tabs, because the database makes them so
 * (design 5.2, 5.7). What the backend must hear of them goes into the outbox in the same step.
 */
import { clipIntervals } from '@stint/core/time/instant.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import { addPause, mergeIntervals } from '@stint/core/timer/pauses.ts'
import type { TimerSession } from '@stint/core/timer/timer-session.ts'
import { entryFromStopped } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import {
  endTimer,
  moveStart,
  pauseTimer,
  reopenPause,
  resumeTimer,
  startTimer,
  stopTimer,
  takeOut,
} from '@stint/core/timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

import { cutGaps } from './gaps.ts'
import { addToOutbox, putEntries, readState, unsentWork } from './local-records.ts'
import type { BannerRecord, LocalDb, OutboxWork, TimerPhase } from './local-db.ts'
import { NO_ACTIVE_SESSION, SAVE_FAILED } from './session-errors.ts'

/** How the active timer is changed after the fact. */
export interface TimerChange {
  readonly startedAt?: number | undefined
  readonly taskId?: string | undefined
  /** Pauses that it has again. */
  readonly pauses?: readonly Interval[]
}

/** Runs one transition: everything in it is written together, or nothing is. */
async function transition<T>(db: LocalDb, work: () => Promise<T>): Promise<T> {
  return db.transaction('rw', db.state, db.outbox, db.entries, work)
}

/**
 * Starts timing a task under a new session id. A timer that is active is stopped first, and saved
 * (spec 4). The session is created by the outbox; until then the phase is 'creating'. Starting the
 * task that is being timed changes nothing: it was a double click. `startedAt` may lie before `now`.
 */
export async function start(
  db: LocalDb,
  input: { sessionId: string; taskId: string; device: string; now: number; startedAt?: number },
): Promise<void> {
  const { sessionId, taskId, now } = input
  const startedAt = Math.min(now, input.startedAt ?? now)
  await transition(db, async () => {
    const record = await readState(db, 'timer')
    if (record?.timer.taskId === taskId) return
    await stopActive(db, startedAt, input.startedAt === undefined ? stopTimer : endTimer)
    await begin(db, startTimer(sessionId, taskId, startedAt), 'creating', input)
  })
}

/**
 * Changes when the active timer began, or what it times, and answers what takes it back. Without
 * that timer, does nothing and answers null.
 */
export async function changeTimer(
  db: LocalDb,
  sessionId: string,
  change: TimerChange,
  now: number,
): Promise<TimerChange | null> {
  return transition(db, async () => {
    const record = await readState(db, 'timer')
    if (record?.timer.sessionId !== sessionId) return null
    const { startedAt, taskId, pauses = [] } = change
    const before = record.timer
    const moved = moveStart(before, Math.min(startedAt ?? before.startedAt, now))
    const intervals = mergeIntervals([...moved.pauses.intervals, ...pauses])
    const timer = {
      ...moved,
      taskId: taskId ?? before.taskId,
      pauses: { ...moved.pauses, intervals },
    }
    await db.state.put({ ...record, timer })
    await addToOutbox(db, { kind: 'restate', sessionId }, now)
    return {
      startedAt: startedAt && before.startedAt,
      taskId: taskId && before.taskId,
      // A start that moves later cuts off what was paused before it.
      pauses: clipIntervals(before.pauses.intervals, before.startedAt, timer.startedAt),
    }
  })
}

/**
 * Goes on with what a failed start began, without the backend: the seconds since are kept, and the
 * session is sent once it can be (design 5.4, S14).
 */
export async function trackOffline(
  db: LocalDb,
  input: { sessionId: string; taskId: string; startedAt: number; device: string; now: number },
): Promise<void> {
  await transition(db, async () => {
    await db.state.delete('banner')
    if (await readState(db, 'timer')) return
    await begin(db, startTimer(input.sessionId, input.taskId, input.startedAt), 'offline', input)
  })
}

/**
 * Takes a stopped timer up again under a new session id, and takes its entry back. What lies
 * between counts as a pause (after a failed pause or resume: S4) or as work (Undo Stop). A timer
 * that runs meanwhile is stopped, and keeps its time.
 */
export async function resumeStopped(
  db: LocalDb,
  input: {
    sessionId: string
    stopped: StoppedTimer
    gap: 'pause' | 'work'
    device: string
    now: number
  },
): Promise<void> {
  const { stopped, gap, now } = input
  await transition(db, async () => {
    await db.state.delete('banner')
    const entry = await db.entries.get(stopped.sessionId)
    // It was taken up again already: a second click must not count its time twice.
    if (entry && entry.deletedAt !== null) return
    // What its owner has made of it since is what goes on.
    const { taskId, startedAt, endedAt, pauses } = entry ?? stopped
    const other = await stopActive(db, now)
    if (entry) {
      await putEntries(db, [{ ...entry, deletedAt: now, updatedAt: now }])
    }
    if (stopped.durationSeconds > 0) {
      await addToOutbox(
        db,
        { kind: 'delete-entry', entryId: stopped.sessionId, deletedAt: now },
        now,
      )
    }
    const timer = {
      ...startTimer(input.sessionId, taskId, startedAt),
      pauses: addPause(pauses, endedAt, gap === 'pause' ? now : stopped.endedAt),
    }
    // Stopped in a pause, it is in that pause again, unless its owner has taken that out.
    const wasPaused =
      gap === 'work' &&
      [stopped, timer].every((each) => each.pauses.intervals.at(-1)?.end === stopped.endedAt)
    const goesOn = wasPaused ? reopenPause(timer) : takeOut(timer, other?.startedAt ?? now, now)
    await begin(db, goesOn, 'offline', input)
  })
}

/** Pauses the running timer. Answers an error text when there is none to pause (spec 8). */
export async function pause(db: LocalDb, now: number): Promise<string | null> {
  return change(db, (timer) => pauseTimer(timer, now), now, pressed('pause'))
}

/** Resumes the paused timer. Answers an error text when there is none to resume (spec 8). */
export async function resume(db: LocalDb, now: number): Promise<string | null> {
  return change(db, (timer) => resumeTimer(timer, now), now, pressed('resume'))
}

/** What the backend must hear of a press: it may refuse it (spec 4). */
function pressed(action: 'pause' | 'resume') {
  return (timer: ActiveTimer): OutboxWork => ({ kind: 'update', action, timer })
}

/** Stops the active timer and writes down what is to be saved. Without one, does nothing. */
export async function stop(db: LocalDb, now: number): Promise<StoppedTimer | null> {
  return transition(db, async () => {
    await db.state.delete('banner')
    return stopActive(db, now)
  })
}

/**
 * Stops the timer if it times this task: its hours are saved before the task goes (S15). Answers what
 * was stopped.
 */
export async function stopTask(
  db: LocalDb,
  taskId: string,
  now: number,
): Promise<StoppedTimer | null> {
  return transition(db, async () => {
    const record = await readState(db, 'timer')
    return record?.timer.taskId === taskId ? stopActive(db, now) : null
  })
}

/** The backend has the session: 'Creating...' is over. */
export async function confirmStart(db: LocalDb, sessionId: string): Promise<void> {
  await transition(db, async () => {
    const record = await readState(db, 'timer')
    if (record?.timer.sessionId !== sessionId) return
    await db.state.put({ ...record, phase: 'confirmed' })
  })
}

/**
 * The session could not be created: the timer stops with `text` (spec 4), the id is thrown away
 * (the reply may be all that was lost: S11), and the banner offers to track offline.
 */
export async function failStart(
  db: LocalDb,
  timer: ActiveTimer,
  text: string,
  now: number,
): Promise<void> {
  await transition(db, async () => {
    const record = await readState(db, 'timer')
    // Stopped in the meantime: the stop behind this start saves it and sweeps the session.
    if (record?.timer.sessionId !== timer.sessionId) return
    await db.state.delete('timer')
    await addToOutbox(db, { kind: 'discard', sessionId: timer.sessionId }, now)
    const { taskId, startedAt } = timer
    await showBanner(db, { text, action: { kind: 'track-offline', taskId, startedAt } })
  })
}

/**
 * A pause or resume did not reach the backend: the timer stops with `text` (spec 4), the time up
 * to then is saved, and the banner offers to resume (S4).
 */
export async function failChange(
  db: LocalDb,
  timer: ActiveTimer,
  text: string,
  now: number,
): Promise<void> {
  await transition(db, async () => {
    const record = await readState(db, 'timer')
    if (record?.timer.sessionId !== timer.sessionId) return
    const changedAt = record.timer.status === 'paused' ? record.timer.pausedAt : now
    const stopped = await stopActive(db, changedAt)
    if (stopped) await showBanner(db, { text, action: { kind: 'resume', stopped } })
  })
}

/**
 * The timer as another device left it. While something waits in the outbox, what is here is newer,
 * and nothing changes.
 */
export async function adopt(db: LocalDb, session: TimerSession): Promise<void> {
  const { state, device } = session
  if (state.kind !== 'active') return
  await transition(db, async () => {
    if ((await unsentWork(db)).length > 0) return
    await db.state.put({ key: 'timer', timer: state.timer, phase: 'confirmed', device })
  })
}

/** The session of this timer was ended elsewhere, but is not saved yet: it ends here as well. */
export async function endAsElsewhere(
  db: LocalDb,
  stopped: StoppedTimer,
  now: number,
): Promise<void> {
  await transition(db, async () => {
    const record = await readState(db, 'timer')
    if (record?.timer.sessionId !== stopped.sessionId) return
    await db.state.delete('timer')
    await save(db, stopped, now)
  })
}

/** The timer is no longer shown; its session stays, to be offered on a recovery card. */
export async function putAside(db: LocalDb, sessionId: string): Promise<void> {
  await transition(db, async () => {
    const record = await readState(db, 'timer')
    if (record?.timer.sessionId === sessionId) await db.state.delete('timer')
  })
}

/**
 * A timer that was started later runs elsewhere: this one ends at that start and is saved, and the
 * newer one is shown (design 5.7).
 */
export async function giveWay(
  db: LocalDb,
  sessionId: string,
  newer: TimerSession,
  now: number,
): Promise<void> {
  const { state, device } = newer
  if (state.kind !== 'active') return
  await transition(db, async () => {
    const record = await readState(db, 'timer')
    if (record?.timer.sessionId !== sessionId) return
    await db.state.delete('timer')
    await save(db, stopTimer(record.timer, state.timer.startedAt), now)
    await db.state.put({ key: 'timer', timer: state.timer, phase: 'confirmed', device })
  })
}

/** The session was stopped elsewhere and its entry is saved: this device goes idle, and says so. */
export async function adoptStop(
  db: LocalDb,
  entry: TimeEntry,
  notice: string | null,
): Promise<void> {
  await transition(db, async () => {
    const record = await readState(db, 'timer')
    if (record?.timer.sessionId !== entry.id) return
    await db.state.delete('timer')
    await putEntries(db, [entry])
    if (notice !== null) await showBanner(db, { text: notice, action: null })
  })
}

/**
 * The session is gone from the backend and left no entry: it is made again, so that the time goes
 * on and its owner decides.
 */
export async function recreateSession(db: LocalDb, sessionId: string, now: number): Promise<void> {
  await transition(db, async () => {
    const record = await readState(db, 'timer')
    if (record?.timer.sessionId !== sessionId) return
    await db.state.put({ ...record, phase: 'offline' })
    const { timer } = record
    // It is not pressed now: what was started since is newer.
    const work = { kind: 'start', timer, pressedAt: timer.startedAt, keepTrying: true } as const
    await addToOutbox(db, work, now)
  })
}

/** Saves a session found on the backend as if it had been stopped at `endedAt`. */
export async function finishSession(
  db: LocalDb,
  session: TimerSession,
  endedAt: number,
  now: number,
): Promise<void> {
  await transition(db, async () => {
    await save(db, stoppedAt(session, endedAt), now)
    await forgetUnfinished(db, session.id)
  })
}

/**
 * Throws a session away. Its entry is kept as deleted, so that another device that still shows the
 * timer learns what happened to it.
 */
export async function discardSession(
  db: LocalDb,
  session: TimerSession,
  now: number,
): Promise<void> {
  await transition(db, async () => {
    const stopped = stoppedAt(session, now)
    await save(db, stopped, now)
    if (stopped.durationSeconds > 0) {
      await putEntries(db, [{ ...entryFromStopped(stopped), deletedAt: now }])
      await addToOutbox(db, { kind: 'delete-entry', entryId: session.id, deletedAt: now }, now)
    }
    await forgetUnfinished(db, session.id)
  })
}

/**
 * Takes an unfinished session up again as it is; an active timer is stopped first, and so is one
 * that was started elsewhere.
 */
export async function resumeSession(
  db: LocalDb,
  session: TimerSession,
  now: number,
): Promise<void> {
  if (session.state.kind === 'stopped') return
  const { timer } = session.state
  await transition(db, async () => {
    await stopActive(db, now)
    await db.state.put({ key: 'timer', timer, phase: 'offline', device: session.device })
    await addToOutbox(db, { kind: 'start', timer, pressedAt: now, keepTrying: true }, now)
    await forgetUnfinished(db, session.id)
  })
}

/** Puts the recovery cards' sessions away for the screen. */
export async function setUnfinished(db: LocalDb, sessions: readonly TimerSession[]): Promise<void> {
  if (sessions.length === 0) await db.state.delete('unfinished')
  else await db.state.put({ key: 'unfinished', sessions })
}

/** Shows a text in the red banner. */
export async function showBanner(
  db: LocalDb,
  banner: Pick<BannerRecord, 'text' | 'action'>,
): Promise<void> {
  await db.state.put({ key: 'banner', ...banner })
}

/**
 * Says that a stop could not be saved yet, unless the banner already offers a way on (Track
 * offline, Resume): the chip counts what is unsaved in any case.
 */
export async function showSaveFailed(db: LocalDb): Promise<void> {
  await db.transaction('rw', db.state, async () => {
    const banner = await readState(db, 'banner')
    if (!banner?.action) await showBanner(db, { text: SAVE_FAILED, action: null })
  })
}

/** Takes the banner away, or only if it says `text`. */
export async function dismissBanner(db: LocalDb, text?: string): Promise<void> {
  await db.transaction('rw', db.state, async () => {
    const banner = await readState(db, 'banner')
    if (banner && (text === undefined || banner.text === text)) await db.state.delete('banner')
  })
}

async function begin(
  db: LocalDb,
  timer: ActiveTimer,
  phase: Exclude<TimerPhase, 'confirmed'>,
  { device, now }: { device: string; now: number },
): Promise<void> {
  await db.state.put({ key: 'timer', timer, phase, device })
  // A crash before the first minute is over leaves a gap as well (S3).
  await db.state.put({ key: 'seen', sessionId: timer.sessionId, at: now })
  await db.state.delete('banner')
  const work = { kind: 'start', timer, pressedAt: now, keepTrying: phase === 'offline' } as const
  await addToOutbox(db, work, now)
}

/**
 * Changes the active timer; `workOf` says what the backend must hear of it. Answers an error text
 * when there is none (spec 8).
 */
export async function change(
  db: LocalDb,
  apply: (timer: ActiveTimer) => ActiveTimer,
  now: number,
  workOf: (timer: ActiveTimer) => OutboxWork,
): Promise<string | null> {
  return transition(db, async () => {
    const record = await readState(db, 'timer')
    if (!record) return NO_ACTIVE_SESSION
    const timer = apply(record.timer)
    if (timer === record.timer) return null
    await db.state.put({ ...record, timer })
    if (timer.status === 'paused') {
      await db.state.delete('seen')
      // What lies after a pause that is written down afterwards is taken out already.
      await cutGaps(db, timer.sessionId, timer.pausedAt)
    }
    if (timer.status === 'running') {
      await db.state.put({ key: 'seen', sessionId: timer.sessionId, at: now })
    }
    // Tracked offline: the start that still waits sends the timer as it then is.
    if (record.phase !== 'offline') await addToOutbox(db, workOf(timer), now)
    return null
  })
}

async function stopActive(
  db: LocalDb,
  now: number,
  end: typeof stopTimer = stopTimer,
): Promise<StoppedTimer | null> {
  const record = await readState(db, 'timer')
  if (!record) return null
  await db.state.delete('timer')
  const stopped = end(record.timer, now)
  await save(db, stopped, now)
  return stopped
}

/** The intent of a stop, whole, and the entry it will become (design 5.2). */
async function save(db: LocalDb, stopped: StoppedTimer, now: number): Promise<void> {
  const work: OutboxWork = { kind: 'stop', stopped }
  await addToOutbox(db, work, now)
  if (stopped.durationSeconds === 0) return
  const known = await db.entries.get(stopped.sessionId)
  if (!known) await putEntries(db, [entryFromStopped(stopped)])
}

/** The session as if stopped at `endedAt`, which may lie before a pause it is still in. */
function stoppedAt(session: TimerSession, endedAt: number): StoppedTimer {
  const { state } = session
  return state.kind === 'stopped' ? state.stopped : endTimer(state.timer, endedAt)
}

async function forgetUnfinished(db: LocalDb, sessionId: string): Promise<void> {
  const record = await readState(db, 'unfinished')
  const left = record?.sessions.filter((session) => session.id !== sessionId) ?? []
  await setUnfinished(db, left)
}
