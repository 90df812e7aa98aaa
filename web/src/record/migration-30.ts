/**
 * Migrates version 30 of the database, which queued the state of the timer after each press. Queued
 * states become presses. The timer gets no base, so that sync reads the session before it writes
 * over it. Remove this file when nobody can have version 30 any more.
 */
import { isBoolean, isFields, isId, isNumber, isTagged } from '@stint/core/guards.ts'
import type { Guarded } from '@stint/core/guards.ts'
import type { Press } from '@stint/core/timer/presses.ts'
import { startTimer } from '@stint/core/timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'
import type { IDBPTransaction } from 'idb'

import { ignoreRejection, storeIn } from './database.ts'
import { newDocumentId } from './document-id.ts'
import { isActiveTimer, isQueuedOperation, isStoppedTimer } from './stored.ts'
import type { Operation, Unreadable } from './stored.ts'

/** Rewrites the queue, the timer and the banner within the upgrade. */
export async function moveFromVersion30(
  transaction: IDBPTransaction<unknown, string[], 'versionchange'>,
): Promise<void> {
  const values = storeIn(transaction, 'values')
  for (const key of ['timer', 'banner']) {
    const value: unknown = await values.get(key)
    if (value !== undefined) ignoreRejection(values.put(currentValue(value), key))
  }
  const shown: unknown = await values.get('timer')
  const timer = isFields(shown) && isActiveTimer(shown['timer']) ? shown['timer'] : undefined
  const operations = storeIn(transaction, 'operations')
  const queued: unknown[] = await operations.getAll()
  ignoreRejection(operations.clear())
  let sequence = 0
  for (const each of queued) {
    const old: unknown = isFields(each) ? each['operation'] : null
    const current = isOldOperation(old) ? pressesFrom(old, timer) : [old]
    for (const operation of current) {
      sequence += 1
      const next = { ...(isFields(each) ? each : {}), sequence, operation }
      const aside: Unreadable = { from: 'operations', record: each, putAsideAt: Date.now() }
      if (isQueuedOperation(next)) ignoreRejection(operations.put(next, sequence))
      else ignoreRejection(storeIn(transaction, 'unreadable').put(aside))
    }
  }
  const progress: unknown = await values.get('progress')
  if (isFields(progress)) ignoreRejection(values.put({ ...progress, sequence }, 'progress'))
}

/** An operation of the timer as versions 2 and 30 queued it. */
export const isOldOperation = isTagged('kind', {
  start: { timer: isActiveTimer, pressedAt: isNumber, keepTrying: isBoolean },
  pause: { timer: isActiveTimer },
  resume: { timer: isActiveTimer },
  stop: { stopped: isStoppedTimer },
  restate: { sessionId: isId },
  discard: { sessionId: isId },
})

/** Returns a queued operation as presses. `shown` is the shown timer. */
export function pressesFrom(
  old: Guarded<typeof isOldOperation>,
  shown: ActiveTimer | undefined,
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
      return [{ ...old, timer: startTimer(old.sessionId, 'unknown', Date.now()) }]
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

/** Adds a base to the timer, and a timer to a banner that has a task and a start. */
export function currentValue(value: unknown): unknown {
  if (!isFields(value)) return value
  if (value['key'] === 'timer') return { base: null, ...value }
  const action = value['action']
  if (value['key'] !== 'banner' || !isFields(action)) return value
  const { taskId, startedAt } = action
  const isStart = isId(taskId) && isNumber(startedAt)
  const timer = isStart ? { timer: startTimer(newDocumentId(), taskId, startedAt) } : {}
  return { ...value, action: { gap: 'pause', ...action, ...timer } }
}
