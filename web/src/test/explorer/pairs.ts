/** Every pair of operations on two devices that do not know of each other's presses. */
import { NO_PAUSES } from '@stint/core/timer/pauses.ts'
import { pauseTimer, startTimer } from '@stint/core/timer/timer.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'
import { NEW_ENTRY } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import { judgeOfPair } from './pair-judge.ts'
import type { Operation, Press, Scenario } from './scenario.ts'

/** A start that is pressed is at no whole second. */
const START = Date.UTC(2026, 0, 15, 12, 0, 0, 321)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/**
 * The seconds at which the devices press. Undo follows soon, and before the other device presses.
 */
const SECONDS = [60, 80, 100]
const UNDO_AFTER = 6

const SAVED: TimeEntry = {
  ...NEW_ENTRY,
  id: 'saved',
  taskId: 'plan',
  startedAt: START - 9 * HOUR,
  endedAt: START - 8 * HOUR,
  durationSeconds: 3600,
  pauses: NO_PAUSES,
  entryType: 'timer',
  sessionId: 'saved',
  createdAt: START - 8 * HOUR,
  updatedAt: START - 8 * HOUR,
}

/** The presses of each operation on a device, in order. */
const OPERATIONS = {
  start: (client) => [
    {
      action: 'start',
      sessionId: `next ${client}`,
      taskId: ['plan', 'read', 'sort'][client] ?? 'plan',
    },
  ],
  pause: () => [{ action: 'pause' }],
  resume: () => [{ action: 'resume' }],
  stop: () => [{ action: 'stop' }],
  move: (client) => [{ action: 'move', startedAt: START - (client + 1) * 10 * MINUTE }],
  discard: () => [{ action: 'discard' }],
  'delete task': () => [{ action: 'delete task', taskId: 'write' }],
  edit: (client) => [
    {
      action: 'edit',
      entryId: SAVED.id,
      startedAt: SAVED.startedAt - (client + 1) * 10 * MINUTE,
      note: `of ${client}`,
    },
  ],
  split: (client) => [{ action: 'split', entryId: SAVED.id, share: (client + 1) / 4 }],
  undo: (client) => [{ action: 'stop' }, { action: 'undo', sessionId: `again ${client}` }],
} as const satisfies Record<string, (client: number) => readonly Operation[]>

export type OperationName = keyof typeof OPERATIONS
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are its keys
export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[]

/** Returns whether a device must fetch entries and tasks to see the changes of the others. */
export function concernsEntries(names: readonly OperationName[]): boolean {
  return names.some((name) => ['edit', 'split', 'delete task', 'discard', 'undo'].includes(name))
}

/**
 * Returns the operations, each on a device of its own, in this order of time. A last device only
 * looks.
 */
export function scenarioOf(names: readonly OperationName[]): Scenario {
  const running = timerFor(names)
  const offeredBy = names.flatMap((name, client) => (name === 'discard' ? [client] : []))
  return {
    clients: names.length + 1,
    running,
    offeredBy,
    saved: SAVED,
    presses: names.flatMap(pressesOf),
    judge: judgeOfPair(running, SAVED),
  }
}

/** Returns a forgotten timer for Discard and a paused timer for Resume. */
function timerFor(names: readonly OperationName[]): ActiveTimer {
  const isForgotten = names.includes('discard')
  const timer = startTimer('session', 'write', isForgotten ? START - 5 * HOUR : START)
  return names.includes('resume') ? pauseTimer(timer, timer.startedAt + 30_000) : timer
}

function pressesOf(name: OperationName, client: number): readonly Press[] {
  const second = SECONDS[client] ?? 60
  return OPERATIONS[name](client).map((operation, index) => ({
    ...operation,
    client,
    at: START + (second + index * UNDO_AFTER) * 1000,
  }))
}
