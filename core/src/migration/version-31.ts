/**
 * Takes over the record of the version before logs: queued presses, edits, and offers of work become events of
 * their sessions. Remove this file when nobody can have that version any more.
 */
import {
  isBoolean,
  isFields,
  isId,
  isListOf,
  isNullOr,
  isNumber,
  isObject,
  isOneOf,
  isTagged,
  isText,
  isUndefinedOr,
} from '#guards.ts'
import type { Guard, Guarded, Shaped } from '#guards.ts'
import { logOfSession, withTimer } from '#log/adopt-session.ts'
import { logOfEntry } from '#log/adopt.ts'
import { appended, withEntry } from '#log/edit.ts'
import type { Writer } from '#log/edit.ts'
import { encodeLog } from '#log/codec.ts'
import { idOf, isOf } from '#log/event.ts'
import type { Log } from '#log/event.ts'
import { without } from '#log/spans.ts'
import { idFrom } from '#record/split-id.ts'
import { entryFromStopped } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { intervalsBetween } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'
import { startTimer } from '#timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '#timer/timer.ts'

import { editKey } from '#device/draft.ts'
import type { Draft } from '#device/draft.ts'
import { isEditOf } from '#device/edits.ts'
import { logOf, newSession, settle } from '#device/session-log.ts'
import { showTimers } from '#device/shown-timer.ts'
import { isActiveTimer, isSession, isStoppedTimer, isValue } from '#device/stored.ts'
import type { ValueOf } from '#device/stored.ts'

/** What the version before held beside what is read as it is. */
interface OldRecord {
  /** The queue, in order. */
  readonly operations: readonly unknown[]
  readonly values: ReadonlyMap<string, unknown>
}

type OldSession = Omit<TimerSession, 'log'>
const isOldSession = (value: unknown): value is OldSession =>
  isFields(value) && isSession({ ...value, log: null })
const STOP = {
  stopped: isStoppedTimer,
  base: isNullOr(isOldSession),
  isDiscarded: isUndefinedOr(isBoolean),
}
const isOldOperation = isTagged('kind', {
  start: { timer: isActiveTimer },
  press: { sessionId: isId, press: isFields },
  stop: STOP,
  discard: { sessionId: isId, timer: isActiveTimer },
})
const isQueued = isObject({ operation: isOldOperation })
const isTurn = isObject({ kind: isOneOf('pause', 'resume'), at: isNumber })
const isOldTimer = isObject({ timer: isActiveTimer, base: isNullOr(isOldSession) })
const isOldOffer = isObject({
  why: isText,
  worked: isStoppedTimer,
  instead: isUndefinedOr(isStoppedTimer),
})
const isOldOffers = isObject({ offers: isListOf(isOldOffer) })
const isOldUnfinished = isObject({ sessions: isListOf(isOldSession) })
const isFailedStart = isObject({
  text: isText,
  action: isObject({ kind: isOneOf('track-offline'), timer: isActiveTimer }),
})
const isOldBanner = (value: unknown): value is Guarded<typeof isFailedStart> | ValueOf<'banner'> =>
  isFailedStart(value) || (isValue(value) && value.key === 'banner')
type OldClock = Omit<ValueOf<'clock'>, 'events'>
const isOldClock = (value: unknown): value is OldClock =>
  isFields(value) && isValue({ ...value, key: 'clock', events: {} })

/** Where it is taken over to, what was queued, and who appends the events. */
interface Takeover {
  readonly draft: Draft
  readonly queue: readonly Guarded<typeof isOldOperation>[]
  readonly by: Writer
}

/** Turns all that was queued into events of the moment when that version wrote last. Returns what cannot be read. */
export function takeOver(draft: Draft, { operations, values }: OldRecord): readonly unknown[] {
  const queue = operations.filter((each) => isQueued(each)).map(({ operation }) => operation)
  const unreadable = operations.filter((each) => !isQueued(each))
  const takeover = { draft, queue, by: { device: draft.writer, now: draft.now } }
  /** Passes on a value of that version, if it is there and can be read. */
  const read = <T>(key: string, isReadable: Guard<T>, take: (value: T) => void) => {
    const value = values.get(key)
    if (isReadable(value)) take(value)
    else if (value !== undefined) unreadable.push(value)
  }
  read('timer', isOldTimer, (shown) => takeOverTimer(takeover, shown))
  read('unfinished', isOldUnfinished, ({ sessions }) => {
    for (const session of sessions) put(draft, session.id, session, logOfSession(session))
  })
  for (const each of queue) {
    if (each.kind === 'stop') takeOverStop(takeover, each)
    if (each.kind === 'discard') putFailed(takeover, each.timer)
  }
  read('banner', isOldBanner, (banner) => takeOverBanner(takeover, banner))
  for (const edit of draft.edits.all()) if (isEditOf('entry', edit)) takeOverEdit(takeover, edit.id)
  read('offers', isOldOffers, ({ offers }) => {
    for (const offer of offers) takeOverOffer(takeover, offer)
  })
  read('clock', isOldClock, (clock) => takeOverClock(draft, clock))
  showTimers(draft)
  return unreadable
}

function takeOverTimer(takeover: Takeover, { timer, base }: Guarded<typeof isOldTimer>): void {
  const { draft, by } = takeover
  const { sessionId } = timer
  const pressed = pressedOn(takeover, sessionId, base) ?? logOfTimer(timer)
  put(draft, sessionId, base, withTimer(pressed, timer, by))
  draft.putValue({ key: 'timer', timer, phase: base ? 'confirmed' : 'offline', device: null })
}

/** A stop, with the edits of its entry since. */
function takeOverStop(
  takeover: Takeover,
  { stopped, base, isDiscarded }: Shaped<typeof STOP>,
): void {
  const { draft, by } = takeover
  const { sessionId, endedAt } = stopped
  const edit = draft.edit('entry', sessionId)
  const saved = entryFromStopped(stopped)
  const shown = (edit && draft.entries.get(sessionId)) ?? saved
  const pressed = pressedOn(takeover, sessionId, base)
  const ended = pressed ? appended(pressed, by, { kind: 'stop' }, endedAt) : logOfEntry(saved)
  const log = withEntry(ended, 'start', shown, by)
  draft.entries.remove(sessionId)
  if (edit) draft.edits.remove(editKey(edit))
  put(draft, sessionId, base, isDiscarded ? appended(log, by, { kind: 'discard' }) : log)
}

/** Returns the log of a session as the backend has it, or as it was started, with the queued pauses and resumes. */
function pressedOn({ queue, by }: Takeover, id: string, base: OldSession | null): Log | undefined {
  let log = base ? logOfSession(base) : undefined
  for (const each of queue) {
    if (each.kind === 'start' && each.timer.sessionId === id) log ??= logOfTimer(each.timer)
    if (each.kind !== 'press' || each.sessionId !== id || !isTurn(each.press)) continue
    log &&= appended(log, by, { kind: each.press.kind }, each.press.at)
  }
  return log
}

/** Puts a session of which a request may have been answered: with what the backend has of it, and its log. */
function put(draft: Draft, id: string, there: OldSession | null, log: Log): void {
  const base = there && { ...there, log: encodeLog(logOfSession(there)) }
  draft.sessions.put({ ...newSession(id), base, isTried: true })
  settle(draft, id, log)
}

/** Puts a start that has failed. An offer or the banner has its time. */
function putFailed({ draft, by }: Takeover, timer: ActiveTimer): void {
  const failed = appended(logOfTimer(timer), by, { kind: 'fail' }, timer.startedAt)
  put(draft, timer.sessionId, null, failed)
}

function takeOverBanner(takeover: Takeover, banner: Guarded<typeof isOldBanner>): void {
  const { draft } = takeover
  if (!isFailedStart(banner)) return draft.putValue(banner)
  const { timer } = banner.action
  putFailed(takeover, timer)
  const action = { kind: 'track-offline', sessionId: timer.sessionId } as const
  draft.putValue({ key: 'banner', text: banner.text, action })
}

/** The difference to what the backend has becomes events over it. A new entry stays as it is. */
function takeOverEdit({ draft, by }: Takeover, id: string): void {
  const edit = draft.edit('entry', id)
  const here = draft.entries.get(id)
  if (!edit?.base || !here || here.log !== null) return
  const times = Object.values(edit.changedAt)
  const now = times.length > 0 ? Math.max(...times) : by.now
  const log = withEntry(logOfEntry(edit.base), 'start', here, { ...by, now })
  draft.entries.put(edit.base)
  draft.edits.remove(editKey(edit))
  settle(draft, id, log)
}

/** Work that its owner has not decided about becomes a question. A late press that counts stays. */
function takeOverOffer(
  { draft, by }: Takeover,
  { why, worked, instead }: Guarded<typeof isOldOffer>,
): void {
  if (why === 'counted') return
  const spans = without(workOf(worked), instead ? workOf(instead) : [])
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) return
  const id = idFrom(`offer ${worked.sessionId} ${first.start} ${last.end}`)
  const intervals = intervalsBetween(spans, { start: first.start, end: last.end })
  const pauses = { intervals, unplacedSeconds: 0 }
  const timer = { ...startTimer(id, worked.taskId, first.start), pauses }
  settle(draft, id, appended(logOfTimer(timer), by, { kind: 'fail' }, last.end))
}

/** What a clock has timed that the server had not confirmed is placed anew when it has. */
function takeOverClock(draft: Draft, clock: OldClock): void {
  const changed = [...draft.sessions.changed.keys(), ...draft.entries.changed.keys()]
  const events = changed.map((sessionId) => {
    const own = logOf(draft, sessionId).filter(
      (event) => event.device === draft.writer || (isOf(event, 'base') && event.at >= clock.from),
    )
    return [sessionId, own.map(idOf)] as const
  })
  draft.putValue({ ...clock, events: Object.fromEntries(events) })
}

function workOf({ startedAt, endedAt, pauses }: StoppedTimer): readonly Interval[] {
  return intervalsBetween(pauses.intervals, { start: startedAt, end: endedAt })
}

/** Returns the log of a timer of that version. */
function logOfTimer(timer: ActiveTimer): Log {
  const state = { kind: 'active', timer } as const
  return logOfSession({ updatedAt: timer.startedAt, device: null, state })
}
