/** The targets of a person, with core's functions as the app calls them. */
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { targetDates, targetsProgress } from '@stint/core/targets/progress.ts'
import type { TargetProgress } from '@stint/core/targets/progress.ts'
import { scopeName } from '@stint/core/targets/targets.ts'
import type { Target } from '@stint/core/targets/targets.ts'
import type { Task } from '@stint/core/record/task.ts'
import { lastDay, startOfDate } from '@stint/core/time/calendar.ts'
import { instantToWire } from '@stint/core/time/instant.ts'
import type { Static } from 'typebox'
import type { TARGET, TARGETS } from './answers.ts'
import { dayRuleFor } from './person.ts'
import type { Person } from './person.ts'

/** Returns the instant from which on sessions count, the present without targets. @throws ApiError stint_time_zone_missing. */
export function beginningOfTargets(targets: readonly Target[], person: Person): number {
  const { now, settings } = person
  const dayRule = dayRuleFor(person)
  const input = { entries: [], live: null, tasks: [], dayRule, weekStart: settings.weekStart, now }
  const starts = targets.map(({ span }) => startOfDate(targetDates(input, span).from, dayRule))
  return Math.min(now, ...starts)
}

/**
 * Returns how far the targets are.
 * @param isRunning whether a timer runs.
 * @param publicUrl the address of the app.
 */
export function targetsAnswer(
  input: ReportInput,
  { account }: Person,
  targets: readonly Target[],
  { isRunning, publicUrl }: { readonly isRunning: boolean; readonly publicUrl: string },
): Static<typeof TARGETS> {
  return {
    timeZone: input.dayRule.timeZone,
    targets: targetsProgress(input, account, targets, isRunning).map((progress) =>
      targetAnswer(progress, input.tasks),
    ),
    explain: `${publicUrl}/targets`,
  }
}

function targetAnswer(progress: TargetProgress, tasks: readonly Task[]): Static<typeof TARGET> {
  const { target, dates, reachedAt } = progress
  const { bound, span, scope, seconds } = target
  return {
    bound,
    span,
    of: {
      kind: scope.kind,
      id: scope.kind === 'task' ? scope.name : null,
      name: scopeName(scope, tasks),
    },
    seconds,
    from: dates.from,
    to: lastDay(dates),
    worked: progress.workedSeconds,
    percent: progress.percent,
    state: progress.state,
    left: progress.leftSeconds,
    over: progress.overSeconds,
    daysLeft: progress.daysLeft,
    perDay: progress.perDaySeconds,
    reachedAt: reachedAt === null ? null : instantToWire(reachedAt),
  }
}
