/**
 * Migrates version 30 of the database, which queued the state of the timer after each press. Queued
 * states become presses. The timer gets no base, so that sync reads the session before it writes
 * over it. Remove this file when nobody can have version 30 any more.
 */
import { isActiveTimer, isQueuedOperation } from '@stint/core/device/stored.ts'
import type { Unreadable } from '@stint/core/device/stored.ts'
import { isOldOperation, pressesFrom } from '@stint/core/device/version-30.ts'
import { isFields, isId, isNumber } from '@stint/core/guards.ts'
import { startTimer } from '@stint/core/timer/timer.ts'
import type { IDBPTransaction } from 'idb'

import { ignoreRejection, storeIn } from './database.ts'
import { newDocumentId } from './document-id.ts'

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
    const current = isOldOperation(old) ? pressesFrom(old, timer, Date.now()) : [old]
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
