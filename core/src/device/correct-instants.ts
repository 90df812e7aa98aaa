/** Corrects instants that were written before the server had confirmed the device's clock. */
import { ENTRY, entryFromStopped, stoppedFromEntry, withTimes } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { fold } from '#timer/presses.ts'
import type { Folded, Press } from '#timer/presses.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { clipIntervals } from '#time/instant.ts'
import { mergeIntervals, NO_PAUSES } from '#timer/pauses.ts'
import { stoppedBetween, withNote } from '#timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '#timer/timer.ts'

import { continuingStart } from './correct-continuation.ts'
import { change, isEditOf, sessionOf } from './edits.ts'
import { isGap } from './gaps.ts'
import { editKey } from './draft.ts'
import type { Draft } from './draft.ts'
import { offerWork } from './offers.ts'
import { unsentPresses } from './press.ts'
import { pressesOf } from './sent-again.ts'
import type { Operation, QueuedOperation } from './stored.ts'
import { claimsSince, leapsSince, MIN_CORRECTION_MILLISECONDS, pagesSince } from './unsure-clock.ts'
import type { Moment } from './unsure-clock.ts'

/**
 * Moves all instants that an unconfirmed clock has written to their correct place, as soon as the
 * clock is known.
 */
export function correctInstants(draft: Draft, moment: Moment): void {
  const { offset, isSure, now } = moment
  const noted = draft.value('clock')
  if (!noted || !isSure) return
  const leaps = leapsSince(draft, moment).toReversed()
  const pages = pagesSince(draft, moment)
  const claims = new Map(claimsSince(draft, noted.from).map((each) => [each.startedAt, each.at]))
  draft.values.remove('clock')
  const { from, after = -Infinity } = noted
  const by = offset - noted.offset
  // News from the server may have raised the clock, and then what is left to correct is small.
  const wasRaised = leaps.some((leap) => leap.isLag && leap.by >= MIN_CORRECTION_MILLISECONDS)
  if (Math.abs(by) < MIN_CORRECTION_MILLISECONDS && !wasRaised) return
  const instants = instantsBySession(draft)
  const ofServer = instantsOfServer(draft)
  const cuts = cutsOf(draft)

  const timer = draft.value('timer')
  if (timer) draft.putValue({ ...timer, timer: moved(timer.timer, timer.timer.sessionId) })
  const banner = draft.value('banner')
  if (banner?.action) {
    const { action } = banner
    const { sessionId } = action.kind === 'resume' ? action.stopped : action.timer
    draft.putValue({ ...banner, action: moved(action, sessionId) })
  }
  const offers = draft.value('offers')
  if (offers) {
    const all = offers.offers.map((offer) => ({ ...offer, worked: movedStop(offer.worked) }))
    draft.putValue({ ...offers, offers: all })
  }
  const gaps = draft.value('gaps')
  if (gaps) {
    const all = gaps.gaps.map((gap) => moved(gap, gap.sessionId))
    // The clock was set ahead, and the device did not sleep.
    draft.putValue({ ...gaps, gaps: all.filter(isGap) })
  }
  const seen = draft.value('seen')
  if (seen) draft.putValue(moved(seen, seen.sessionId))
  const resumed = draft.value('resumed')
  if (resumed) draft.putValue(moved(resumed, resumed.sessionId))
  for (const edit of draft.edits.all()) {
    draft.edits.put({ ...edit, changedAt: moved(edit.changedAt, null), refused: null })
    const entry = edit.kind === 'entry' ? draft.entries.get(edit.id) : undefined
    if (entry && 'deletion' in edit.changedAt)
      draft.entries.put({ ...entry, deletedAt: moved(entry.deletedAt, null) })
  }
  for (const { operation } of draft.operations.all()) {
    if (operation.kind === 'stop' && operation.stopped.endedAt >= from)
      moveEdited(operation.stopped)
  }
  for (const queued of draft.operations.all()) {
    const operation = movedOperation(queued.operation)
    // An item that was refused because of its time is tried again.
    draft.operations.put({ ...queued, operation, refused: null })
    if (operation.kind !== 'stop' || queued.operation.kind !== 'stop') continue
    offerUnknown(queued.operation.stopped, operation.stopped)
    // The session may have been discarded.
    const { deletedAt = null } = draft.entries.get(operation.stopped.sessionId) ?? {}
    putUnsaved(draft, operation.stopped, moved(deletedAt, null))
  }
  foldAgain(draft)

  /**
   * Returns a copy in which every instant from `from` on is corrected. A start that was claimed since
   * then is corrected like the claim. The instants of a base are right. Other numbers in the value are
   * smaller than `from`.
   */
  function moved<T>(value: T, sessionId: string | null): T {
    const text = JSON.stringify(value)
    const byThat = byOf(sessionId)
    return JSON.parse(text, (_key, part: unknown) => {
      if (typeof part !== 'number' || ofServer.has(part)) return part
      const at = claims.get(part) ?? part
      return at >= from ? part + byThat(at) : part
    })
  }

  /**
   * Returns the correction of an instant, in milliseconds. A leap after it was no sleep if the clock
   * is known to have been behind, or if the instant is nearer to the truth without it. Before a leap
   * of unknown length, only an instant in the future is known to be wrong. If the leaps that were
   * seen before can have brought it there, they were no sleep.
   */
  function correctionOf(instant: number): number {
    let rest = by
    for (const leap of leaps) {
      if (instant >= leap.at) break
      // The clock never showed a time that a lagging clock left out. Such a time is the server's.
      if (leap.isLag && instant > leap.at - leap.by) return 0
      if (leap.by === 0) rest = rest < 0 ? Math.min(rest, -leaptUntil(leap.at)) : 0
      else if (leap.isLag || Math.abs(rest + leap.by) < Math.abs(rest)) rest += leap.by
    }
    return rest
  }

  /**
   * Returns the correction for the instants of a session. Instants that it would place before what
   * was written with a confirmed clock are of a clock that was set once more while the device was
   * closed. In that case the last of them counts as just made, unless its recorded instant already
   * lies before `now` and before the later ones, or does so without the leaps that were seen, or the
   * clock can have been set after all of them.
   */
  function byOf(sessionId: string | null): (instant: number) => number {
    const all = (sessionId === null ? undefined : instants.get(sessionId)) ?? []
    const unsure = all.flatMap(({ at }) => (at >= from ? at : []))
    const sure = Math.max(...all.flatMap(({ at }) => (at < from && !claims.has(at) ? at : [])))
    // Only a press has to lie after what was written before it.
    const presses = all.flatMap(({ at, isClaimed }) => (at >= from && !isClaimed ? at : []))
    const earliest = Math.max(sure, presses.length > 0 ? after : -Infinity)
    const tooMuch = (presses.length > 0 ? presses : unsure).filter(
      (at) => at + correctionOf(at) < earliest - MIN_CORRECTION_MILLISECONDS,
    )
    // What the same page has written after such a press, without a leap, is of the same clock.
    const pressedAt = Math.max(...tooMuch.filter((at) => !claims.has(at) && !cuts.has(at)))
    const ends = [...pages, ...leaps.map(({ at }) => at)].filter((at) => at > pressedAt)
    const ofSame = unsure.filter((at) => at >= pressedAt && at < Math.min(...ends))
    const last = Math.max(...tooMuch, ...(pressedAt > -Infinity ? ofSame : []))
    const later = unsure.filter((instant) => instant > last)
    const atMost = Math.min(now, ...later.map((at) => Math.max(earliest, at + correctionOf(at))))
    const unleapt = last - leaptUntil(last)
    // The leaps that were seen before it were no sleep, if that gives a time that is possible.
    const isUnleapt = last > atMost && unleapt <= atMost && unleapt >= earliest
    // The clock was set after the last of them, if all are possible as they are, or without the leaps.
    if (last > atMost && !isUnleapt) {
      const uncorrected = [() => 0, (instant: number) => -leaptUntil(instant)]
      const possible = uncorrected.find((each) => unsure.every((at) => at + each(at) <= now))
      if (possible) return possible
    }
    const least = Math.min(0, atMost - last)
    return (instant) => {
      const kept = correctionOf(instant)
      // The correction is not exact. A press stays after the one before it, which it may follow at once. A
      // pause of no length would leave no trace.
      const isSlightlyEarly =
        instant + kept < earliest && instant + kept > earliest - MIN_CORRECTION_MILLISECONDS
      if (instant > last) return isSlightlyEarly ? earliest + 1 - instant : kept
      if (isUnleapt) return -leaptUntil(instant)
      // Before a leap that was no sleep, it would lie before what was written with a confirmed clock.
      return instant + least < earliest ? least + leaptUntil(last) - leaptUntil(instant) : least
    }
  }

  /** Returns by how much the clock was seen to leap ahead until an instant, in milliseconds. */
  function leaptUntil(instant: number): number {
    return leaps.reduce((sum, { at, by, isLag }) => (at <= instant && !isLag ? sum + by : sum), 0)
  }

  /**
   * Offers the time from a stop until now, if nobody can know how long ago it was, because the clock was set
   * before it and again since.
   */
  function offerUnknown(before: StoppedTimer, { sessionId, taskId, endedAt }: StoppedTimer): void {
    const at = before.endedAt
    const isSetAgain = at >= from && at + correctionOf(at) < after - MIN_CORRECTION_MILLISECONDS
    if (!isSetAgain || endedAt >= now) return
    const worked = stoppedBetween(sessionId, taskId, endedAt, now, NO_PAUSES)
    if (worked.durationSeconds > 0) offerWork(draft, 'went-on', worked)
  }

  function movedStop(stopped: StoppedTimer): StoppedTimer {
    const { sessionId, taskId, startedAt, pauses, ...rest } = moved(stopped, stopped.sessionId)
    const endedAt = Math.max(startedAt, rest.endedAt)
    return withNote(stoppedBetween(sessionId, taskId, startedAt, endedAt, pauses), stopped.note)
  }

  /**
   * Moves the entry of an unsent stop that its owner has edited, and the entries that were split
   * from it. None of them ends after the stop.
   */
  function moveEdited(stopped: StoppedTimer): void {
    const { sessionId } = stopped
    const { startedAt: earliest, endedAt: last } = movedStop(stopped)
    const byThat = byOf(sessionId)
    const edited = draft.edits.all().flatMap((edit) => {
      const entry = edit.kind === 'entry' ? draft.entries.get(edit.id) : undefined
      const isWhole = edit.id === sessionId
      const isMadeHere = edit.base === null && edit.changedAt['times'] !== undefined
      const isOfStop = entry && (isWhole || (isMadeHere && isPartOf(entry, stopped)))
      return isOfStop ? { edit, entry, isWhole } : []
    })
    // A cut that would lie before the session, or before this clock was first read, leaves all of it in the
    // first part.
    const ends = edited.map(({ entry }) => entry.endedAt)
    const least = (end: number) => (end < from ? earliest : Math.max(earliest, after))
    const firstEnd = Math.min(...ends.filter((end) => corrected(end) < Math.min(least(end), last)))
    for (const { edit, entry, isWhole } of edited) {
      // The entry was edited as it was stopped here.
      if (isWhole && isEditOf('entry', edit) && edit.base?.endedAt === stopped.endedAt) {
        const base = ENTRY.take(edit.base, entryFromStopped(movedStop(stopped)), ['times'])
        draft.edits.put({ ...edit, base })
      }
      if (isWhole && entry.endedAt >= firstEnd) continueWhole(draft, entry, stopped)
      const end = placed(entry.endedAt)
      // The start may have been claimed, and then it is corrected like the claim.
      const isStart = entry.startedAt === stopped.startedAt
      const start = Math.min(isStart ? earliest : placed(entry.startedAt), end)
      const { id, pauses } = entry
      const intervals = pauses.intervals.map((each) => ({
        start: placed(each.start),
        end: placed(each.end),
      }))
      const cut = withTimes(entry, start, end, { ...pauses, intervals })
      // No edit is left if the correction has removed the cut.
      if (isWhole || cut.durationSeconds > 0)
        change(draft, 'entry', id, cut, edit.changedAt['times'] ?? now)
      else {
        draft.entries.remove(id)
        draft.edits.remove(editKey(edit))
      }
    }

    /**
     * A cut may lie in the apparent time between presses with a confirmed clock and presses with
     * this clock. In truth that time does not exist.
     */
    function placed(instant: number): number {
      return instant < firstEnd ? corrected(instant) : last
    }

    function corrected(instant: number): number {
      if (instant < from && instant <= last) return instant
      return instant + byThat(Math.max(instant, from))
    }
  }

  /** A base comes from the server, so its instants are right. */
  function movedOperation(operation: Operation): Operation {
    switch (operation.kind) {
      case 'start':
        return {
          ...operation,
          timer: moved(operation.timer, operation.timer.sessionId),
          pressedAt: moved(operation.pressedAt, operation.timer.sessionId),
        }
      case 'press':
        return { ...operation, press: moved(operation.press, operation.sessionId) }
      case 'stop':
        return { ...operation, stopped: movedStop(operation.stopped) }
      case 'discard':
        return { ...operation, timer: moved(operation.timer, operation.sessionId) }
    }
  }
}

/**
 * Folds the corrected presses into the shown timer and the unsent stops again. Presses of a clock that was set
 * in between may have cut each other off.
 */
function foldAgain(draft: Draft): void {
  for (const queued of draft.operations.all()) {
    const { operation } = queued
    if (operation.kind !== 'stop') continue
    const { sessionId, endedAt } = operation.stopped
    // Presses that the backend has acknowledged since are in the stopped timer alone.
    const isSent = unsentPresses(draft, sessionId).length === 0
    const end: readonly Press[] = isSent
      ? pressesOf(operation.stopped)
      : [{ kind: 'stop', at: endedAt }]
    const ended = folded(draft, sessionId, operation.base, end)
    if (ended?.kind !== 'stopped') continue
    const stopped = withNote(ended.stopped, operation.stopped.note)
    continueAgain(draft, operation.stopped, stopped)
    draft.operations.put({ ...queued, operation: { ...operation, stopped } })
    putUnsaved(draft, stopped, draft.entries.get(sessionId)?.deletedAt ?? null)
  }
  const shown = draft.value('timer')
  const active = shown && folded(draft, shown.timer.sessionId, shown.base)
  if (shown && active?.kind === 'active') draft.putValue({ ...shown, timer: active.timer })
}

/** Lets what continues the first part of a session continue all of it, because the cut is removed. */
function continueWhole(draft: Draft, first: TimeEntry, { endedAt }: StoppedTimer): void {
  changeContinuation(draft, stoppedFromEntry(first), ({ pauses, ...timer }) => {
    const intervals = pauses.intervals.map(({ start, end }) => ({
      start: start === first.endedAt ? endedAt : start,
      end,
    }))
    return { ...timer, pauses: { ...pauses, intervals } }
  })
}

/**
 * Gives what continues a stop the start and the pauses of that stop as it was folded again. `before` is the
 * stop as it was continued.
 */
function continueAgain(draft: Draft, before: StoppedTimer, stopped: StoppedTimer): void {
  const { startedAt, pauses } = stopped
  changeContinuation(draft, before, (timer) => {
    const since = clipIntervals(timer.pauses.intervals, before.endedAt, Infinity)
    const intervals = mergeIntervals([...pauses.intervals, ...since])
    return { ...timer, startedAt, pauses: { ...pauses, intervals } }
  })
}

/** Changes the unsent timer that continues a stop, if there is one. */
function changeContinuation(
  draft: Draft,
  stopped: StoppedTimer,
  changed: (timer: ActiveTimer) => ActiveTimer,
): void {
  const queued = continuingStart(draft, stopped)
  if (!queued) return
  const { operation } = queued
  draft.operations.put({ ...queued, operation: { ...operation, timer: changed(operation.timer) } })
}

/**
 * Returns the unsent presses of a session folded into the timer that the backend has, or that is to be created
 * there. Returns null if neither is known.
 */
function folded(
  draft: Draft,
  sessionId: string,
  base: TimerSession | null,
  end: readonly Press[] = [],
): Folded | null {
  const presses = [...unsentPresses(draft, sessionId), ...end]
  if (base?.state.kind === 'active') return fold(base.state.timer, presses, base.updatedAt)
  for (const { operation } of draft.operations.all())
    if (operation.kind === 'start' && operation.timer.sessionId === sessionId)
      return fold(operation.timer, presses, -Infinity)
  return null
}

/** Returns the instants of the timers that came from the server, as this device shows or has stopped them. */
function instantsOfServer(draft: Draft): ReadonlySet<number> {
  const stops = draft.operations.all().map(({ operation }) => operation)
  const bases = [
    draft.value('timer')?.base,
    ...stops.map((each) => (each.kind === 'stop' ? each.base : null)),
  ]
  const instants = new Set<number>()
  JSON.stringify(
    bases.map((base) => base?.state),
    (_key, part: unknown) => {
      if (typeof part === 'number') instants.add(part)
      return part
    },
  )
  return instants
}

/** Puts the entry of an unsent stop, unless its owner has edited the entry since. */
function putUnsaved(draft: Draft, stopped: StoppedTimer, deletedAt: number | null): void {
  if (draft.edit('entry', stopped.sessionId)) return
  if (stopped.durationSeconds > 0) draft.entries.put({ ...entryFromStopped(stopped), deletedAt })
  else draft.entries.remove(stopped.sessionId)
}

function isPartOf({ startedAt, endedAt, sessionId }: TimeEntry, stopped: StoppedTimer): boolean {
  return sessionId === null && startedAt >= stopped.startedAt && endedAt <= stopped.endedAt
}

/** An instant of a timer. Its owner may claim a start that lies before the press. */
interface Instant {
  readonly at: number
  readonly isClaimed: boolean
}

/** Returns all numbers that describe the timer of a session, by session id. */
function instantsBySession(draft: Draft): Map<string, Instant[]> {
  const instants = new Map<string, Instant[]>()
  const note = (sessionId: string, thing: unknown) => {
    const known = instants.get(sessionId) ?? []
    instants.set(sessionId, known)
    JSON.stringify(thing, (key, part: unknown) => {
      if (typeof part === 'number') known.push({ at: part, isClaimed: key === 'startedAt' })
      return part
    })
  }
  const timer = draft.value('timer')?.timer
  if (timer) note(timer.sessionId, timer)
  for (const { worked } of draft.value('offers')?.offers ?? []) note(worked.sessionId, worked)
  for (const gap of draft.value('gaps')?.gaps ?? []) note(gap.sessionId, gap)
  const action = draft.value('banner')?.action
  const offered = action?.kind === 'resume' ? action.stopped : action?.timer
  if (offered) note(offered.sessionId, offered)
  for (const queued of draft.operations.all()) note(sessionOf(queued), timesOf(queued))
  return instants
}

/** Returns the instants at which the owner has cut entries here. No press was made then. */
function cutsOf(draft: Draft): ReadonlySet<number> {
  return new Set(
    draft.edits.all().flatMap((edit) => {
      const entry = edit.kind === 'entry' ? draft.entries.get(edit.id) : undefined
      return entry && 'times' in edit.changedAt ? [entry.startedAt, entry.endedAt] : []
    }),
  )
}

/** Returns the times of an operation. The base is omitted, because it comes from the server. */
function timesOf({ operation }: QueuedOperation): unknown {
  switch (operation.kind) {
    case 'start':
      return [operation.timer, operation.pressedAt]
    case 'press':
      return operation.press
    case 'stop':
      return operation.stopped
    case 'discard':
      return operation.timer
  }
}
