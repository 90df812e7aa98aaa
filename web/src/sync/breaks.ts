/**
 * Breaks that come by themselves. Nobody pressed them, and perhaps nobody is there to read an error:
 * they are sent whenever they can be, and never fail as a pressed Pause does (spec 4).
 */
import { pauseTimer, resumeTimer } from '@stint/core/timer/timer.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import type { LocalDb, OutboxWork } from './local-db.ts'
import { change } from './timer-store.ts'

/** Pauses the running timer as of `at`, epoch milliseconds. */
export async function beginBreak(db: LocalDb, at: number): Promise<void> {
  await change(db, (timer) => pauseTimer(timer, at), at, restated)
}

/** Resumes the paused timer as of `at`, epoch milliseconds. */
export async function endBreak(db: LocalDb, at: number): Promise<void> {
  await change(db, (timer) => resumeTimer(timer, at), at, restated)
}

function restated({ sessionId }: ActiveTimer): OutboxWork {
  return { kind: 'restate', sessionId }
}
