/** Targets as texts, in the language of the build. */
import { hoursText } from '#balance/hours-text.ts'
import type { Task } from '#record/task.ts'
import { t } from '#text.ts'
import type { TargetProgress } from './progress.ts'
import { scopeName } from './targets.ts'
import type { Bound, Target, TargetSpan } from './targets.ts'

const BOUND_TEXTS: Readonly<
  Record<Bound, Readonly<Record<TargetSpan, (hours: string) => string>>>
> = {
  least: {
    day: (hours) => t('target|at least {hours} a day', { hours }),
    week: (hours) => t('target|at least {hours} a week', { hours }),
    month: (hours) => t('target|at least {hours} a month', { hours }),
  },
  most: {
    day: (hours) => t('target|at most {hours} a day', { hours }),
    week: (hours) => t('target|at most {hours} a week', { hours }),
    month: (hours) => t('target|at most {hours} a month', { hours }),
  },
}

/** Returns 'at least 10h a week'. */
export function boundText({ bound, span, seconds }: Omit<Target, 'scope'>): string {
  return BOUND_TEXTS[bound][span](hoursText(seconds))
}

/** Returns 'at least 10h a week #acme', 'at most 2h a day Meetings' or, of all work, 'at least 6h a day'. */
export function targetText(target: Target, tasks: readonly Task[]): string {
  const { scope } = target
  return scope.kind === 'all'
    ? boundText(target)
    : `${boundText(target)} ${scopeName(scope, tasks)}`
}

/** How durations and times are written where a sentence stands. */
export interface PaceForms {
  readonly duration: (seconds: number) => string
  /** Writes an instant as the time of a clock. */
  readonly clockTime: (instant: number) => string
}

/** Returns how a target stands, as a sentence: 'On track: 2h 10m a day to go'. */
export function paceText(progress: TargetProgress, { duration, clockTime }: PaceForms): string {
  const { target, state, leftSeconds, overSeconds, daysLeft, perDaySeconds, reachedAt } = progress
  const left = duration(leftSeconds)
  const isMost = target.bound === 'most'
  switch (state) {
    case 'reached':
      return duration(overSeconds) === duration(0)
        ? t('target|Reached')
        : t('target|Reached, and {duration} more', { duration: duration(overSeconds) })
    case 'over':
      return t('target|Over by {duration}', { duration: duration(overSeconds) })
    case 'onTrack':
    case 'behind':
    case 'fast':
  }
  if (reachedAt !== null) {
    const time = clockTime(reachedAt)
    return isMost
      ? t('target|{left} left, until {time}', { left, time })
      : t('target|{left} to go, until {time}', { left, time })
  }
  if (target.span === 'day')
    return isMost ? t('target|{left} left', { left }) : t('target|{left} to go', { left })
  const isLast = perDaySeconds === null || daysLeft === 1
  const perDay = duration(perDaySeconds ?? leftSeconds)
  switch (state) {
    case 'behind':
      return isLast
        ? t('target|Behind: {left} to go', { left })
        : t('target|Behind: {perDay} a day to go', { perDay })
    case 'fast':
      return isLast
        ? t('target|Too fast: {left} left', { left })
        : t('target|Too fast: {perDay} a day left', { perDay })
    case 'onTrack':
  }
  if (isMost) {
    return isLast
      ? t('target|On track: {left} left', { left })
      : t('target|On track: {perDay} a day left', { perDay })
  }
  return isLast
    ? t('target|On track: {left} to go', { left })
    : t('target|On track: {perDay} a day to go', { perDay })
}
