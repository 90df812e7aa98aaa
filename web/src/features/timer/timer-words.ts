/** The texts about the timer: badge, tab title and live region. */
import { t } from '@stint/core/text.ts'
import { formatTimer } from '@stint/core/time/duration.ts'
import type { Timer } from '@stint/core/timer/timer.ts'

export interface TimerState {
  word: string
  tone: 'live' | 'held'
}

/**
 * Returns the badge of an active timer; null when idle. It is 'Active' until the backend has confirmed
 * the session: the time counts, but other devices do not see it yet
 * (docs/decisions/0001-colours-and-names.md).
 */
export function timerState(timer: Timer, creating: boolean): TimerState | null {
  switch (timer.status) {
    case 'idle':
      return null
    case 'running':
      return { word: creating ? t('Active') : t('Running'), tone: 'live' }
    case 'paused':
      return { word: t('Paused'), tone: 'held' }
  }
}

/** Returns '▶ 01:23:45 · Write report' while a timer is active, else 'Dashboard · Stint'. */
export function windowTitle(
  page: string,
  timer: Timer,
  taskName: string | null,
  elapsed: number,
): string {
  if (timer.status === 'idle') return `${page} · Stint`
  const sign = timer.status === 'running' ? '▶' : '❚❚'
  return `${sign} ${formatTimer(elapsed)} · ${taskName ?? 'Stint'}`
}

/**
 * Returns the live region's text for a change of the timer: start, pause, resume and stop. Null for
 * other changes, as a clock that is announced every second is unusable.
 */
export function announcement(before: Timer, after: Timer, taskName: string | null): string | null {
  const task = taskName ?? t('the task')
  if (after.status === 'idle') return before.status === 'idle' ? null : t('Timer stopped')
  const isOther = before.status === 'idle' || before.sessionId !== after.sessionId
  if (!isOther && before.status === after.status) return null
  if (after.status === 'paused') return t('Timer paused: {task}', { task })
  return isOther ? t('Timer started: {task}', { task }) : t('Timer resumed: {task}', { task })
}
