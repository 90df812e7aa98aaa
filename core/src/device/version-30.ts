/**
 * The timer operations of versions 2 and 30 of the database, which queued the state of the timer after
 * each press. Remove this file when nobody can have these versions any more.
 */
import { isBoolean, isId, isNumber, isTagged } from '#guards.ts'
import type { Guarded } from '#guards.ts'
import type { Press } from '#timer/presses.ts'
import { startTimer } from '#timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '#timer/timer.ts'

import { isActiveTimer, isStoppedTimer } from './stored.ts'
import type { Operation } from './stored.ts'

/** An operation of the timer as versions 2 and 30 queued it. */
export const isOldOperation = isTagged('kind', {
  start: { timer: isActiveTimer, pressedAt: isNumber, keepTrying: isBoolean },
  pause: { timer: isActiveTimer },
  resume: { timer: isActiveTimer },
  stop: { stopped: isStoppedTimer },
  restate: { sessionId: isId },
  discard: { sessionId: isId },
})

/**
 * Returns a queued operation as presses. `shown` is the shown timer. `now` is the current time in epoch
 * milliseconds.
 */
export function pressesFrom(
  old: Guarded<typeof isOldOperation>,
  shown: ActiveTimer | undefined,
  now: number,
): Operation[] {
  switch (old.kind) {
    case 'start':
      return [old]
    case 'pause':
    case 'resume': {
      const { timer } = old
      const resumedAt = timer.pauses.intervals.at(-1)?.end ?? timer.startedAt
      const at = timer.status === 'paused' ? timer.pausedAt : resumedAt
      const { sessionId } = timer
      return [{ kind: 'press', sessionId, press: { kind: old.kind, at }, keepTrying: false }]
    }
    case 'stop':
      return [overridingPress(old.stopped), { ...old, base: null, isDiscarded: false }]
    case 'restate':
      return shown?.sessionId === old.sessionId ? [overridingPress(shown)] : []
    case 'discard':
      return [{ ...old, timer: startTimer(old.sessionId, 'unknown', now) }]
  }
}

/**
 * Returns a press that sets start, task and pauses at once. It overrides whatever the session has.
 */
function overridingPress({
  sessionId,
  taskId,
  startedAt,
  pauses,
}: ActiveTimer | StoppedTimer): Operation {
  const press: Press = {
    kind: 'move',
    at: Number.MAX_SAFE_INTEGER,
    from: { startedAt: 0, taskId: 'unknown' },
    to: { startedAt, taskId },
    pauses: pauses.intervals,
  }
  return { kind: 'press', sessionId, press, keepTrying: true }
}
