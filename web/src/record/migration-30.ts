/**
 * Takes over what version 30 of the database kept: it queued the timer as it was after each press. What it had queued
 * becomes presses; its timer has no base, so that the session is read before anything is written over it. To be removed when nobody
 * can have that version any more.
 */
import { isBoolean, isFields, isId, isNumber, isTagged } from '@stint/core/guards.ts'
import type { Guarded } from '@stint/core/guards.ts'
import type { Press } from '@stint/core/timer/presses.ts'
import { startTimer } from '@stint/core/timer/timer.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'
import type { IDBPTransaction } from 'idb'

import { quietly, storeIn } from './database.ts'
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
    if (value !== undefined) quietly(values.put(currentValue(value), key))
  }
  const shown: unknown = await values.get('timer')
  const timer = isFields(shown) && isActiveTimer(shown['timer']) ? shown['timer'] : undefined
  const operations = storeIn(transaction, 'operations')
  const queued: unknown[] = await operations.getAll()
  quietly(operations.clear())
  let sequence = 0
  for (const each of queued) {
    const old: unknown = isFields(each) ? each['operation'] : null
    const current = isOldOperation(old) ? pressesFrom(old, timer) : [old]
    for (const operation of current) {
      sequence += 1
      const next = { ...(isFields(each) ? each : {}), sequence, operation }
      const aside: Unreadable = { from: 'operations', record: each, putAsideAt: Date.now() }
      if (isQueuedOperation(next)) quietly(operations.put(next, sequence))
      else quietly(storeIn(transaction, 'unreadable').put(aside))
    }
  }
  const progress: unknown = await values.get('progress')
  if (isFields(progress)) quietly(values.put({ ...progress, sequence }, 'progress'))
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

/** What was queued, as presses; `shown` is the timer that is shown. */
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
      return [stated(old.stopped), { ...old, base: null, isDiscarded: false }]
    case 'restate':
      return shown?.sessionId === old.sessionId ? [stated(shown)] : []
    case 'discard':
      return [{ ...old, timer: startTimer(old.sessionId, 'unknown', Date.now()) }]
  }
}

/** Start, task and pauses as they were stated in one piece: they count, whatever the session says. */
function stated({ sessionId, taskId, startedAt, pauses }: ActiveTimer | StoppedTimer): Operation {
  const press: Press = {
    kind: 'move',
    at: Number.MAX_SAFE_INTEGER,
    from: { startedAt: 0, taskId: 'unknown' },
    to: { startedAt, taskId },
    pauses: pauses.intervals,
  }
  return { kind: 'press', sessionId, press, keepTrying: true }
}

/** The timer gets a base, and the banner a timer where it had a task. */
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
