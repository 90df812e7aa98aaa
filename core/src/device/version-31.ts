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

import { editKey } from './draft.ts'
import type { Draft } from './draft.ts'
import { isEditOf } from './edits.ts'
import { logOf, newSession, settle } from './session-log.ts'
import { showTimers } from './shown-timer.ts'
import { isActiveTimer, isLocalSession, isStoppedTimer, isValue } from './stored.ts'
import type { ValueOf } from './stored.ts'

/** What the version before held beside what is read as it is. */
interface OldRecord {
  /** The queue, in order. */
  readonly operations: readonly unknown[]
  readonly values: ReadonlyMap<string, unknown>
}

type OldSession = Omit<TimerSession, 'log'>
const isOldSession = (value: unknown): value is OldSession =>
  isFields(value) && isLocalSession({ ...newSession('any'), base: { ...value, log: null } })
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
const isOldClock = isObject({ from: isNumber })

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
    for (const session of sessions) putKnown(takeover, session)
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
  const known = base
    ? putKnown(takeover, base)
    : (queuedStart(takeover, sessionId) ?? logOfTimer(timer))
  const log = withTimer(withTurns(takeover, sessionId, known), timer, by)
  if (!base) draft.sessions.put({ ...newSession(sessionId), isTried: true })
  settle(draft, sessionId, log)
  draft.putValue({ key: 'timer', timer, phase: base ? 'confirmed' : 'offline', device: null })
}

/** Puts a session as the backend has it, and returns its log: what its fields mean. */
function putKnown({ draft }: Takeover, session: OldSession): Log {
  const log = logOfSession({ ...session, log: null })
  const base = { ...session, log: encodeLog(log) }
  draft.sessions.put({ ...newSession(session.id), base, isTried: true })
  settle(draft, session.id, log)
  return log
}

/** A stop, with the edits of its entry since. */
function takeOverStop(
  takeover: Takeover,
  { stopped, base: there, isDiscarded }: Shaped<typeof STOP>,
): void {
  const { draft, by } = takeover
  const { sessionId } = stopped
  const saved = entryFromStopped(stopped)
  const here = draft.entries.get(sessionId)
  const edit = draft.edit('entry', sessionId)
  const base = there && { ...there, log: null }
  const known = base ? logOfSession(base) : queuedStart(takeover, sessionId)
  let log = logOfEntry(saved)
  if (known && base?.state.kind !== 'stopped') {
    const turned = withTurns(takeover, sessionId, known)
    const ended = appended(turned, by, { kind: 'stop' }, stopped.endedAt)
    log = withEntry(ended, 'start', saved, by)
  }
  if (here && edit) log = withEntry(log, 'start', here, by)
  if (isDiscarded) log = appended(log, by, { kind: 'discard' })
  draft.entries.remove(sessionId)
  if (edit) draft.edits.remove(editKey(edit))
  draft.sessions.put({ ...newSession(sessionId), base, isTried: true })
  settle(draft, sessionId, log)
}

/** Returns the log of a start that is queued. A request with it may have been answered. */
function queuedStart({ queue }: Takeover, id: string): Log | undefined {
  const started = queue.filter((each) => each.kind === 'start')
  const start = started.find(({ timer }) => timer.sessionId === id)
  return start && logOfTimer(start.timer)
}

/** Appends the queued pauses and resumes. The other presses are in what the screen shows. */
function withTurns({ queue, by }: Takeover, id: string, log: Log): Log {
  return queue
    .flatMap((each) => (each.kind === 'press' && each.sessionId === id ? each.press : []))
    .filter((press) => isTurn(press))
    .reduce((turned, { kind, at }) => appended(turned, by, { kind }, at), log)
}

/** Puts a start that has failed. An offer or the banner has its time. */
function putFailed({ draft, by }: Takeover, timer: ActiveTimer): void {
  const { sessionId, startedAt } = timer
  draft.sessions.put({ ...newSession(sessionId), isTried: true })
  settle(draft, sessionId, appended(logOfTimer(timer), by, { kind: 'fail' }, startedAt))
}

function takeOverBanner(takeover: Takeover, banner: Guarded<typeof isOldBanner>): void {
  const { draft } = takeover
  if (!isFailedStart(banner)) return draft.putValue(banner)
  const { timer } = banner.action
  const { sessionId } = timer
  if (!draft.sessions.get(sessionId)) putFailed(takeover, timer)
  const action = { kind: 'track-offline', sessionId } as const
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
function takeOverClock(draft: Draft, clock: Guarded<typeof isOldClock>): void {
  const changed = [...draft.sessions.changed.keys(), ...draft.entries.changed.keys()]
  const events = changed.map((sessionId) => {
    const own = logOf(draft, sessionId).filter(
      (event) => event.device === draft.writer || (isOf(event, 'base') && event.at >= clock.from),
    )
    return [sessionId, own.map(idOf)] as const
  })
  const value = { ...clock, key: 'clock', events: Object.fromEntries(events) }
  if (isValue(value) && value.key === 'clock') draft.putValue(value)
}

function workOf({ startedAt, endedAt, pauses }: StoppedTimer): readonly Interval[] {
  return intervalsBetween(pauses.intervals, { start: startedAt, end: endedAt })
}

/** Returns the log of a timer of that version. */
function logOfTimer(timer: ActiveTimer): Log {
  const { sessionId: id, startedAt } = timer
  const stamps = { createdAt: startedAt, updatedAt: startedAt }
  return logOfSession({ id, ...stamps, device: null, log: null, state: { kind: 'active', timer } })
}
