/**
 * What makes a task, a session or an entry true, beyond the types of its attributes: the rules
 * of design 4 and 5 that no client, ours or another, may break.
 */
import type { CollectionId } from '@stint/core/collections.ts'
import { ApiError } from '#errors.ts'
import { epochMilliseconds } from '#instant.ts'
import type { AttributeValues } from './document.ts'
import { invalid } from './structure.ts'

/** How far a client's clock may be ahead of ours. */
const CLOCK_TOLERANCE = 5 * 60_000

/**
 * @throws ApiError document_invalid_structure when the attributes say something impossible.
 * @param now epoch milliseconds.
 */
export function checkRules(
  collection: CollectionId,
  attributes: AttributeValues,
  now: number,
): void {
  switch (collection) {
    case 'tasks':
      return checkTask(attributes)
    case 'timer_sessions':
      return checkSession(attributes, now)
    case 'time_entries':
      return checkEntry(attributes, now)
  }
}

/**
 * The fence (reliability 4.1): a stopped session is a fact, and what arrives late (an old resume,
 * a second stop) must not rewrite it. Only its deletion, or the same stop again, is accepted.
 * @throws ApiError document_update_conflict.
 */
export function checkFence(
  collection: CollectionId,
  before: AttributeValues,
  after: AttributeValues,
): void {
  if (collection !== 'timer_sessions' || before['endTime'] === null) return
  if (Object.keys(after).some((name) => after[name] !== before[name])) {
    throw new ApiError('document_update_conflict', 'The session has ended: it can only be deleted.')
  }
}

function checkTask(task: AttributeValues): void {
  if (String(task['name']).trim() === '') {
    throw invalid('Attribute "name" has invalid format. Value must not be blank')
  }
}

function checkSession(session: AttributeValues, now: number): void {
  const startedAt = instantOf(session, 'startTime')
  const endedAt = instantOf(session, 'endTime')
  if (session['isRunning'] === true && session['isPaused'] === true) {
    throw invalid('A session cannot be running and paused at the same time')
  }
  refuseFuture('startTime', startedAt, now)
  refuseFuture('currentPauseStart', instantOf(session, 'currentPauseStart'), now)
  refuseFuture('endTime', endedAt, now)
  if (startedAt !== null && endedAt !== null && endedAt < startedAt) {
    throw invalid('Attribute "endTime" has invalid format. Value must not be before "startTime"')
  }
}

function checkEntry(entry: AttributeValues, now: number): void {
  const startedAt = instantOf(entry, 'startTime') ?? 0
  const endedAt = instantOf(entry, 'endTime') ?? 0
  refuseFuture('endTime', endedAt, now)
  if (endedAt < startedAt) {
    throw invalid('Attribute "endTime" has invalid format. Value must not be before "startTime"')
  }
  // A second of grace: clients round in their own ways.
  if (Number(entry['durationSeconds']) * 1000 > endedAt - startedAt + 1000) {
    throw invalid(
      'Attribute "durationSeconds" has invalid format. Value must not exceed the time between "startTime" and "endTime"',
    )
  }
}

function refuseFuture(name: string, instant: number | null, now: number): void {
  if (instant !== null && instant > now + CLOCK_TOLERANCE) {
    throw invalid(`Attribute "${name}" has invalid format. Value must not be in the future`)
  }
}

function instantOf(attributes: AttributeValues, name: string): number | null {
  const value = attributes[name]
  return typeof value === 'string' ? epochMilliseconds(value) : null
}
