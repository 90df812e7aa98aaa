/** The rules of a task, a timer session or an entry beyond the types of its attributes. */
import type { CollectionId } from '@stint/core/collections.ts'
import { decodeLog } from '@stint/core/log/codec.ts'
import { apiError } from '#errors.ts'
import { epochMilliseconds } from '#instant.ts'
import type { AttributeValues } from './document.ts'

/** How far a client's clock may be ahead of the server's, in milliseconds. */
export const MAX_CLOCK_LEAD = 5 * 60_000

/** How many tasks and timers a person may have whose programs read them all. */
export const MAX_READ_TOGETHER = 10_000

/** @throws ApiError stint_quota_exceeded. */
export function refuseTooMany(count: number): void {
  if (count <= MAX_READ_TOGETHER) return
  throw apiError('stint_quota_exceeded.programs', { max: MAX_READ_TOGETHER })
}

/**
 * @throws ApiError document_invalid_structure when the attributes contradict each other or the clock.
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
 * Refuses a change of a timer session that has ended, but for its log: a call that arrives late (an old resume, a
 * second stop) must not overwrite it. Repeating the same stop is no change, and the session can be
 * deleted.
 * @throws ApiError document_update_conflict.
 */
export function refuseChangeOfStopped(
  collection: CollectionId,
  before: AttributeValues,
  after: AttributeValues,
): void {
  if (collection !== 'timer_sessions' || before['endTime'] === null) return
  // What devices pressed late is added to its log.
  const names = Object.keys(after).filter((name) => name !== 'log')
  if (names.some((name) => after[name] !== before[name])) {
    throw apiError('document_update_conflict.ended')
  }
}

function checkTask(task: AttributeValues): void {
  if (String(task['name']).trim() === '') {
    throw apiError('document_invalid_structure.blank', { name: 'name' })
  }
}

/**
 * Refuses a log with an event at an instant that nobody can have pressed at. Any other text is kept:
 * a later version of the app may have written it.
 */
function checkLog(log: AttributeValues[string] | undefined): void {
  const decoded = typeof log === 'string' ? decodeLog(log) : null
  if (decoded?.kind === 'impossible') {
    throw apiError('document_invalid_structure.log', { event: decoded.id })
  }
}

function checkSession(session: AttributeValues, now: number): void {
  checkLog(session['log'])
  const startedAt = instantOf(session, 'startTime')
  const endedAt = instantOf(session, 'endTime')
  if (session['isRunning'] === true && session['isPaused'] === true) {
    throw apiError('document_invalid_structure.running_and_paused')
  }
  refuseFuture('startTime', startedAt, now)
  refuseFuture('currentPauseStart', instantOf(session, 'currentPauseStart'), now)
  refuseFuture('endTime', endedAt, now)
  if (startedAt !== null && endedAt !== null && endedAt < startedAt) {
    throw apiError('document_invalid_structure.end')
  }
}

function checkEntry(entry: AttributeValues, now: number): void {
  checkLog(entry['log'])
  const startedAt = instantOf(entry, 'startTime') ?? 0
  const endedAt = instantOf(entry, 'endTime') ?? 0
  refuseFuture('endTime', endedAt, now)
  if (endedAt < startedAt) {
    throw apiError('document_invalid_structure.end')
  }
  // Clients round differently, so one second is tolerated.
  if (Number(entry['durationSeconds']) * 1000 > endedAt - startedAt + 1000) {
    throw apiError('document_invalid_structure.duration')
  }
}

function refuseFuture(name: string, instant: number | null, now: number): void {
  if (instant !== null && instant > now + MAX_CLOCK_LEAD) {
    throw apiError('document_invalid_structure.future', { name })
  }
}

function instantOf(attributes: AttributeValues, name: string): number | null {
  const value = attributes[name]
  return typeof value === 'string' ? epochMilliseconds(value) : null
}
