/** Tests the processor time of the largest logs: a request has 64 KiB. Only their owner can write them. */
import { expect, test } from 'vitest'

import { processorTime } from '#test/processor-time.ts'

import { encodeLog } from './codec.ts'
import type { Action, LogEvent } from './event.ts'
import { foldSession } from './asked.ts'
import { foldState } from './fold.ts'
import { join } from './join.ts'
import { at, PAUSE, RESUME, START, STOP } from './test/devices.ts'

const SECOND = 1 / 60
/** How many bytes of text the log of the largest document has at most. */
const MAX_BYTES = 64_000

/**
 * Returns a log of the largest size by devices that all know the start, and press in turn without hearing of
 * each other.
 */
function logOf(devices: number, first: readonly Action[], actionAt: (turn: number) => Action) {
  const log: LogEvent[] = []
  const add = (device: string, action: Action, minutes: number) => {
    const own = log.filter((each) => each.device === device)
    const seen: Record<string, number> = device === 'a' ? {} : { a: first.length }
    if (own.length > 0) seen[device] = own.length
    const stamp = { milliseconds: at(minutes), count: 0 }
    log.push({ device, seq: own.length + 1, stamp, seen, also: [], at: at(minutes), action })
  }
  for (const [turn, action] of first.entries()) add('a', action, turn * 600)
  // An event has at least 25 bytes.
  for (let turn = 0; turn < MAX_BYTES / 25; turn += 1)
    add(`d${turn % devices}`, actionAt(turn), (first.length - 1) * 600 + turn * SECOND)
  let size = log.length
  while (encodeLog(log.slice(0, size)).length > MAX_BYTES) size = Math.floor(size * 0.98)
  return join([], log.slice(0, size))
}

const cutAt = (turn: number): Action => ({ kind: 'cut', to: at(1) + turn * 1000 })
const noteOn = (turn: number, boundary: string): Action => {
  return { kind: 'set', field: 'note', value: String(turn), boundary }
}
const countAt = (turn: number): Action => {
  const start = at(1) + ((turn * 37) % 500) * 60_000
  const spans = [{ start, end: start + 1_200_000 }]
  return { kind: 'count', boundary: null, spans, isWork: turn % 2 === 0 }
}

/** The bounds are wide, since a busy machine takes several times as long as a quiet one. */
const MAX_STATE_MILLISECONDS = 500
const MAX_QUESTIONS_MILLISECONDS = 3000

test.each([
  ['presses of two devices', logOf(2, [START], (turn) => (turn % 4 < 2 ? PAUSE : RESUME))],
  ['presses of many devices', logOf(200, [START], (turn) => (turn % 3 < 2 ? PAUSE : RESUME))],
  ['stops', logOf(2, [START], () => STOP)],
  [
    'cuts and notes',
    logOf(2, [START, STOP], (turn) => (turn % 2 === 0 ? cutAt(turn) : noteOn(turn, 'start'))),
  ],
  [
    'cuts and notes of their parts',
    logOf(1, [START, STOP], (turn) => (turn % 2 === 0 ? cutAt(turn) : noteOn(turn, `d0.${turn}`))),
  ],
  ['counts in a timer', logOf(2, [START], countAt)],
  [
    'counts and cuts',
    logOf(2, [START, STOP], (turn) => (turn % 3 === 0 ? cutAt(turn) : countAt(turn))),
  ],
])('A log of the largest size with %s takes no more than a bounded processor time.', (_, log) => {
  // A copy: the state of a log is kept.
  const state = processorTime(MAX_STATE_MILLISECONDS, () => foldState([...log]))
  const questions = processorTime(MAX_QUESTIONS_MILLISECONDS, () => foldSession([...log]))
  expect(state).toBeLessThanOrEqual(MAX_STATE_MILLISECONDS)
  expect(questions).toBeLessThanOrEqual(MAX_QUESTIONS_MILLISECONDS)
})
