/** Corrects instants that were written before the server had confirmed the device's clock. */
import { entryFromStopped } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { stoppedBetween } from '@stint/core/timer/timer.ts'
import type { StoppedTimer } from '@stint/core/timer/timer.ts'

import { editKey } from '#record/draft.ts'
import type { Draft } from '#record/draft.ts'
import type { Operation, QueuedOperation } from '#record/stored.ts'
import type { ClockReading } from '#record/unsure-clock.ts'

/** A smaller error is not worth a change of what the screen shows. */
const MIN_CORRECTION_MILLISECONDS = 1000

/** Once the clock is known, moves all instants that it had written wrongly to where they belong. */
export function correctInstants(draft: Draft, { offset, isSure }: ClockReading, now: number): void {
  const noted = draft.value('clock')
  if (!noted || !isSure) return
  draft.values.remove('clock')
  const { from } = noted
  const latest = Math.max(
    from,
    ...draft.operations.all().map(({ operation }) => pressedAt(operation)),
  )
  // Set right in between, it was ahead by more than it is now: nothing was pressed later than now.
  const least = Math.min(offset - noted.offset, now - latest)
  // It leapt again in between when that lies before what was pressed by a known clock: then the last press is just over.
  const isTooMuch = from + least < lastBefore(draft, from) - MIN_CORRECTION_MILLISECONDS
  const by = isTooMuch ? Math.min(0, now - latest) : least
  if (Math.abs(by) < MIN_CORRECTION_MILLISECONDS) return

  const timer = draft.value('timer')
  if (timer) draft.putValue({ ...timer, timer: moved(timer.timer) })
  const banner = draft.value('banner')
  if (banner) draft.putValue(moved(banner))
  const offers = draft.value('offers')
  if (offers) {
    const all = offers.offers.map((offer) => ({ ...offer, worked: movedStop(offer.worked) }))
    draft.putValue({ ...offers, offers: all })
  }
  const gaps = draft.value('gaps')
  if (gaps) draft.putValue(moved(gaps))
  const seen = draft.value('seen')
  if (seen) draft.putValue(moved(seen))
  for (const edit of draft.edits.all()) {
    draft.edits.put({ ...edit, changedAt: moved(edit.changedAt), refused: null })
  }
  for (const { operation } of draft.operations.all()) {
    if (operation.kind === 'stop' && operation.stopped.endedAt >= from)
      moveEdited(operation.stopped)
  }
  for (const queued of draft.operations.all()) {
    const operation = movedOperation(queued.operation)
    // What was refused for its time gets another chance.
    draft.operations.put({ ...queued, operation, refused: null })
    if (operation.kind === 'stop') putUnsaved(draft, operation.stopped)
  }

  /** The same with every instant from then on where it belongs; other numbers are smaller. */
  function moved<T>(value: T): T {
    const text = JSON.stringify(value)
    return JSON.parse(text, (_key, part: unknown) =>
      typeof part === 'number' && part >= from ? part + by : part,
    )
  }

  function movedStop(stopped: StoppedTimer): StoppedTimer {
    const { sessionId, taskId, startedAt, endedAt, pauses } = moved(stopped)
    return stoppedBetween(sessionId, taskId, startedAt, Math.max(startedAt, endedAt), pauses)
  }

  /** What its owner has made of an unsent stop: the entry, and others that were split from it. None ends after the stop. */
  function moveEdited(stopped: StoppedTimer): void {
    const { startedAt: earliest, endedAt: last } = movedStop(stopped)
    for (const edit of draft.edits.all()) {
      const entry = edit.kind === 'entry' ? draft.entries.get(edit.id) : undefined
      const isWhole = edit.id === stopped.sessionId
      if (!entry || !(isWhole || (edit.base === null && isPartOf(entry, stopped)))) continue
      const end = placed(entry.endedAt)
      const start = Math.min(placed(entry.startedAt), end)
      const { id, taskId, pauses } = entry
      const times = stoppedBetween(id, taskId, start, end, moved(pauses))
      if (times.durationSeconds === 0 && !isWhole) {
        draft.entries.remove(id)
        draft.edits.remove(editKey(edit))
      } else {
        const { durationSeconds } = times
        draft.entries.put({
          ...entry,
          startedAt: start,
          endedAt: end,
          pauses: times.pauses,
          durationSeconds,
        })
      }
    }

    /** A cut may lie between what was pressed by a known clock and by this one: where nothing was, in truth. */
    function placed(instant: number): number {
      if (instant < from && instant <= last) return instant
      return instant >= from || instant + by >= earliest ? instant + by : last
    }
  }

  /** A base is the server's, and right. */
  function movedOperation(operation: Operation): Operation {
    switch (operation.kind) {
      case 'start':
        return {
          ...operation,
          timer: moved(operation.timer),
          pressedAt: moved(operation.pressedAt),
        }
      case 'press':
        return { ...operation, press: moved(operation.press) }
      case 'stop':
        return { ...operation, stopped: movedStop(operation.stopped) }
      case 'discard':
        return { ...operation, timer: moved(operation.timer) }
    }
  }
}

/** The entry that an unsent stop will become, if its owner has not changed it since. */
function putUnsaved(draft: Draft, stopped: StoppedTimer): void {
  if (draft.edit('entry', stopped.sessionId)) return
  if (stopped.durationSeconds > 0) draft.entries.put(entryFromStopped(stopped))
  else draft.entries.remove(stopped.sessionId)
}

function isPartOf({ startedAt, endedAt }: TimeEntry, stopped: StoppedTimer): boolean {
  return startedAt >= stopped.startedAt && endedAt <= stopped.endedAt
}

/** The latest instant of the timers before another instant. */
function lastBefore(draft: Draft, instant: number): number {
  let last = -Infinity
  const timers = [draft.value('timer')?.timer, ...draft.operations.all().map(timerOf)]
  JSON.stringify(timers, (_key, part: unknown) => {
    if (typeof part === 'number' && part < instant) last = Math.max(last, part)
    return part
  })
  return last
}

function timerOf({ operation }: QueuedOperation): unknown {
  if (operation.kind === 'press') return operation.press
  return operation.kind === 'stop' ? operation.stopped : operation.timer
}

function pressedAt(operation: Operation): number {
  switch (operation.kind) {
    case 'start':
      return operation.pressedAt
    case 'press':
      return operation.press.kind === 'move' ? 0 : operation.press.at
    case 'stop':
      return operation.stopped.endedAt
    case 'discard':
      return 0
  }
}
