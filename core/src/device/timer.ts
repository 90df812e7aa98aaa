/** The presses on the timer. Each appends events to the log of its session (session-log.ts). */
import { stopActions } from '#log/edit.ts'
import { eventsOf, idOf, isOf } from '#log/event.ts'
import type { Log, LogEvent } from '#log/event.ts'
import { foldState } from '#log/fold.ts'
import { countingEvents } from '#log/order.ts'
import type { Settings } from '#settings.ts'
import { intervalsBetween } from '#time/instant.ts'
import { endTimer, notBefore, stopTimer } from '#timer/timer.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import { cutGaps } from './awake.ts'
import type { Draft } from './draft.ts'
import { append, isUntried, logOf, newSession, settle } from './session-log.ts'
import type { Append } from './session-log.ts'
import { showTimers } from './shown-timer.ts'
import type { Awaited, ValueOf } from './stored.ts'
import { NO_ACTIVE_SESSION } from './timer-texts.ts'

export interface Start {
  readonly sessionId: string
  readonly taskId: string
  /** The name of this device. */
  readonly device: string
  /** When the timer begins, if that is before the press. */
  readonly startedAt?: number | undefined
  readonly note?: string | null | undefined
}

/**
 * Starts timing a task under a new session id. An active timer is stopped first and returned. Starting the task
 * that is being timed changes nothing: it was a double click.
 */
export function start(draft: Draft, input: Start): StoppedTimer | null {
  const { sessionId, taskId, device: deviceName, note = null } = input
  const startedAt = Math.min(draft.now, input.startedAt ?? draft.now)
  if (draft.value('timer')?.timer.taskId === taskId) return null
  clearBanner(draft, startedAt)
  const stopped = stopActive(draft, startedAt)
  const awaited = isTrackedOffline(draft) ? null : 'start'
  draft.sessions.put({ ...newSession(sessionId), awaited })
  const action = { kind: 'start', task: taskId, note: note || null, deviceName } as const
  pressOn(draft, sessionId, [{ action, at: startedAt }])
  // A crash within the first minute leaves a gap as well.
  draft.putValue({ key: 'seen', sessionId, at: draft.now })
  return stopped
}

/**
 * Continues a timer offline after its start failed: its time counts. If another timer is active meanwhile, that one
 * goes on, and the time of the failed start stays a question.
 */
export function trackOffline(draft: Draft, sessionId: string): void {
  if (draft.value('timer')) return clearBanner(draft)
  draft.values.remove('banner')
  const undo: Append = { action: { kind: 'undo', of: failuresOf(draft, sessionId) } }
  pressOn(draft, sessionId, [undo], { wanted: sessionId })
  if (draft.value('timer')) draft.putValue({ key: 'seen', sessionId, at: draft.now })
}

/** Pauses the running timer. Returns an error text when no timer is running. */
export function pause(draft: Draft): string | null {
  return turn(draft, 'pause')
}

/** Resumes the paused timer. Returns an error text when no timer is paused. */
export function resume(draft: Draft): string | null {
  return turn(draft, 'resume')
}

/**
 * Begins an automatic break at `at` (a pause), or ends it, also if the page notices later. Its owner may be absent,
 * so it never fails as a press does.
 */
export function turnForBreak(draft: Draft, kind: 'pause' | 'resume', at: number): void {
  draft.now = at
  turn(draft, kind, true)
}

/** Stops the active timer at `at`, which may lie before the press, and returns it. */
export function stop(draft: Draft, at = draft.now): StoppedTimer | null {
  clearBanner(draft, at)
  return stopActive(draft, at)
}

export interface Resumption {
  /** The id of a new session, if the stopped one is not known any more. */
  readonly sessionId: string
  readonly stopped: StoppedTimer
  /** What the time since the stop is. After Undo, the timer goes on as it was. */
  readonly gap: 'pause' | 'work' | 'undo'
  readonly device: string
}

/**
 * Continues a stopped timer: Undo of a stop, and Resume in the message of a pause or a resume that failed. Every
 * stop that is known is undone, and the session goes on under its id. A timer that runs meanwhile is stopped and
 * keeps its time, which the continued one leaves out. A session that was deleted or discarded since stays so: after
 * a failed press its task is timed anew.
 */
export function resumeStopped(draft: Draft, input: Resumption): void {
  const { stopped, gap } = input
  const { sessionId, taskId, note, endedAt } = stopped
  draft.values.remove('banner')
  if (draft.value('timer')?.timer.sessionId === sessionId) return
  const log = logOf(draft, sessionId)
  const undone = stopsOf(log)
  const isDeleted = undone.length === 0 || foldState(log)?.parts[0]?.deletion !== null
  if (isDeleted && gap === 'undo' && log.length > 0) return
  if (isDeleted) {
    const startedAt = log.length === 0 ? stopped.startedAt : gap === 'work' ? endedAt : draft.now
    start(draft, { ...input, taskId, note, startedAt })
    return
  }
  const events: Append[] = [{ action: { kind: 'undo', of: undone.map(idOf) } }]
  const other = stopActive(draft)
  const spans = other ? timedSince(other, endedAt) : []
  if (spans.length > 0)
    events.push({ action: { kind: 'count', boundary: null, spans, isWork: false } })
  if (gap === 'pause') events.push({ action: { kind: 'resume' } })
  pressOn(draft, sessionId, events, { wanted: sessionId })
  if (draft.value('timer')?.timer.status === 'running')
    draft.putValue({ key: 'seen', sessionId, at: draft.now })
}

function timedSince({ startedAt, endedAt, pauses }: StoppedTimer, from: number) {
  const span = { start: Math.max(startedAt, from), end: endedAt }
  return span.start < span.end ? intervalsBetween(pauses.intervals, span) : []
}

/** Returns the stops that count, each with the event that leaves out the time since it. */
function stopsOf(log: Log): readonly LogEvent[] {
  const counting = countingEvents(log)
  const stops = eventsOf(counting, 'stop')
  const left = eventsOf(counting, 'count').filter(({ device, seq, action }) => {
    const stop = stops.find((each) => idOf(each) === idOf({ device, seq: seq + 1 }))
    return stop !== undefined && stop.at === action.spans[0]?.start
  })
  return [...stops, ...left]
}

export function showBanner(draft: Draft, banner: Pick<ValueOf<'banner'>, 'text' | 'action'>): void {
  draft.putValue({ key: 'banner', ...banner })
}

/** Removes the banner. The time up to `until` of a failed start, which it offered to continue, is asked about. */
export function clearBanner(draft: Draft, until = draft.now): void {
  const action = draft.value('banner')?.action
  draft.values.remove('banner')
  if (action?.kind !== 'track-offline') return
  const { sessionId } = action
  const failures = failuresOf(draft, sessionId)
  if (failures.length === 0) return
  const again: Append = { action: { kind: 'fail' }, at: until }
  pressOn(draft, sessionId, [{ action: { kind: 'undo', of: failures } }, again])
}

function failuresOf(draft: Draft, sessionId: string): readonly string[] {
  return eventsOf(countingEvents(logOf(draft, sessionId)), 'fail').map(idOf)
}

/** Removes the banner. With `text`, removes it only if it shows that text. */
export function dismissBanner(draft: Draft, text?: string): void {
  const banner = draft.value('banner')
  if (banner && (text === undefined || banner.text === text)) draft.values.remove('banner')
}

/**
 * Appends events to the log of a session, shows what they mean, and returns their ids. `awaited` is a press that
 * fails if the backend cannot be reached, `wanted` the session that its owner continues.
 */
export function pressOn(
  draft: Draft,
  sessionId: string,
  events: readonly Append[],
  { awaited = null, wanted }: { awaited?: Awaited | null; wanted?: string } = {},
): readonly string[] {
  const ids = append(draft, sessionId, events)
  const session = draft.sessions.get(sessionId)
  if (session && awaited && !session.awaited) draft.sessions.put({ ...session, awaited })
  showTimers(draft, wanted)
  return ids
}

/** Stops the active timer at `at`, and leaves out the time since. Returns it as it was stopped, or null. */
export function stopActive(draft: Draft, at = draft.now): StoppedTimer | null {
  const timer = draft.value('timer')?.timer
  if (!timer) return null
  pressOn(draft, timer.sessionId, stopActions(timer, at, draft.now))
  draft.values.remove('seen')
  return at < draft.now ? endTimer(timer, at) : stopTimer(timer, at)
}

/** Returns whether presses without the backend succeed. */
function isTrackedOffline(draft: Draft): boolean {
  const offline: keyof Settings = 'trackOffline'
  return draft.value('settings')?.prefs[offline] === true
}

/** Pauses or resumes the timer, unless another tab has done so. Returns an error text if no timer is active. */
function turn(
  draft: Draft,
  kind: 'pause' | 'resume',
  keepTrying = isTrackedOffline(draft),
): string | null {
  const shown = draft.value('timer')
  if (!shown) return NO_ACTIVE_SESSION
  const { timer, phase } = shown
  if (timer.status === (kind === 'pause' ? 'paused' : 'running')) return null
  const { sessionId } = timer
  const pressedAt = notBefore(timer, draft.now)
  const awaited = keepTrying || phase === 'offline' ? null : kind
  pressOn(draft, sessionId, [{ action: { kind }, at: pressedAt }], { awaited })
  if (kind === 'resume') draft.putValue({ key: 'seen', sessionId, at: draft.now })
  else {
    draft.values.remove('seen')
    // After the begin of a pause there is no gap.
    cutGaps(draft, sessionId, pressedAt)
  }
  return null
}

/** Changes the note of the timer, if it is of that session. Following inputs are one event until it is sent. */
export function setNote(draft: Draft, sessionId: string, note: string): void {
  const timer = draft.value('timer')?.timer
  if (timer?.sessionId !== sessionId || note === (timer.note ?? '')) return
  const action = { kind: 'set', field: 'note', value: note, boundary: 'start' } as const
  const log = logOf(draft, sessionId)
  const last = log.at(-1)
  const isNote = last && isOf(last, 'set') && last.action.field === 'note'
  if (isNote && isUntried(draft, sessionId, last)) settle(draft, sessionId, log.slice(0, -1))
  pressOn(draft, sessionId, [{ action }])
}
