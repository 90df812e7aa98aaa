import { useMemo } from 'react'
import { Link, useSearchParams } from '#ui/navigation.tsx'
import { categorySign } from '@stint/core/record/category.ts'
import { tagKeysOf } from '@stint/core/record/tags.ts'
import type { Task } from '@stint/core/record/task.ts'
import { GROUPS, groupBreakdown } from '@stint/core/reports/group-breakdown.ts'
import type { Group } from '@stint/core/reports/group-breakdown.ts'
import { t } from '@stint/core/text.ts'
import { formatParts } from '@stint/core/time/duration-sum.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import type { DateRange } from '@stint/core/time/calendar.ts'
import { datesLabel, periodDates, periodLabel } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'
import { taskBreakdown } from '@stint/core/reports/task-breakdown.ts'
import type { TaskBreakdown } from '@stint/core/reports/task-breakdown.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { buttonClasses } from '#ui/button.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ChartSection } from '#ui/chart-section.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { useExplain } from '#hooks/use-explain.ts'
import { breakdownParts, REST, TaskBreakdownGrid } from './task-breakdown-grid.tsx'
import type { BreakdownPart, PartLink } from './task-breakdown-grid.tsx'

/** Task Breakdown: the share of each task, category or tag in the period. */
export function TaskBreakdownSection({
  input,
  period,
  pending,
}: {
  input: ReportInput
  period: Period
  pending: boolean
}) {
  const [by, setBy] = useBy()
  const breakdown = useMemo(() => breakdownBy(by, input, period), [by, input, period])
  const explain = useExplain()
  const { duration } = useFormats()
  const { durationFormat } = useSettings()
  const about = periodLabel(period)
  const dates = periodDates(period)
  const { tasks, live, entries } = input
  const { parts, squares, totalSeconds, sumSeconds } = breakdown
  const isEmpty = totalSeconds === 0
  // Nobody has to see that all is of the default category.
  const hasCategories = new Set(tasks.map(({ category }) => category)).size > 1
  const isLive = ({ counted: { taskIds, tags } }: BreakdownPart) =>
    live !== null &&
    (taskIds?.includes(live.taskId) ??
      tagKeysOf(live.note).some((tag) => tags?.includes(tag) === true))
  const durations = formatParts(
    parts.map(({ seconds }) => seconds),
    durationFormat,
    parts.findIndex(isLive),
  )

  const choice = (
    <div className="-mt-1 print:hidden">
      <Segmented
        label={t('Break down by')}
        options={CHOICES.filter(
          ({ value }) => value !== 'category' || by === value || hasCategories,
        )}
        value={by}
        onChange={setBy}
      />
    </div>
  )

  if (pending) return <PendingBreakdown />
  return (
    <ChartSection
      title={t('Task Breakdown')}
      table={
        isEmpty ? null : (
          <>
            {choice}
            <BreakdownTable by={by} breakdown={breakdown} about={about} />
          </>
        )
      }
    >
      {!isEmpty && choice}
      <TaskBreakdownGrid
        parts={parts}
        squares={squares}
        durations={durations}
        isLive={isLive}
        linkOf={(part) => linkOf(by, part, tasks, dates)}
        onExplain={({ name, counted }) => explain({ title: name, about, dates, ...counted })}
      />
      {by === 'tag' && !isEmpty && (
        <p className="figures -mt-2 text-xs text-quiet">
          {sumSeconds === totalSeconds
            ? t('A session with several tags counts in each of them.')
            : t(
                'A session with several tags counts in each of them. Together the tags have {sum}, and the shares are of that.',
                { sum: duration(sumSeconds) },
              )}
        </p>
      )}
      {isEmpty && (
        <div className="flex flex-col items-center gap-4 py-6 text-center text-quiet">
          <p>{t('No task data available')}</p>
          {entries.length === 0 && (
            <Link to="/dashboard" className={buttonClasses('primary')}>
              {t('Start your first session')}
            </Link>
          )}
        </div>
      )}
    </ChartSection>
  )
}

/** Returns the page of a task, or the sessions of a category in the period; null without one. */
function linkOf(
  by: By,
  { key, name }: BreakdownPart,
  tasks: readonly Task[],
  dates: DateRange,
): PartLink | null {
  if (by === 'task' && tasks.some(({ id }) => id === key)) {
    return {
      path: `/tasks/${key}`,
      title: t('Open task analytics'),
      label: t('Open task analytics of {task}', { task: name }),
    }
  }
  if (by !== 'category' || key.trim() === '' || key === REST.key) return null
  const filter = new URLSearchParams({ q: `${categorySign(name)} ${datesLabel(dates)}` })
  return {
    path: `/sessions?${filter.toString()}`,
    title: t('Show its sessions'),
    label: t('Show the sessions of {name}', { name }),
  }
}

type By = 'task' | Group

const CHOICES: readonly { value: By; label: string }[] = [
  { value: 'task', label: t('Task') },
  { value: 'category', label: t('Category') },
  { value: 'tag', label: t('Tag') },
]

/** Returns what the address asks for, `?by=tag`, and a function that changes it. */
function useBy(): [By, (by: By) => void] {
  const [parameters, setParameters] = useSearchParams()
  const by = GROUPS.find((group) => group === parameters.get('by')) ?? 'task'
  const change = (next: By) => {
    const others = new URLSearchParams(parameters)
    if (next === 'task') others.delete('by')
    else others.set('by', next)
    setParameters(others)
  }
  return [by, change]
}

interface ShownBreakdown {
  readonly parts: readonly BreakdownPart[]
  readonly squares: TaskBreakdown['squares']
  readonly totalSeconds: number
  /** What the parts add up to: more than the total if sessions have several tags. */
  readonly sumSeconds: number
}

function breakdownBy(by: By, input: ReportInput, period: Period): ShownBreakdown {
  if (by === 'task') {
    const breakdown = taskBreakdown(input, period)
    const { squares, totalSeconds } = breakdown
    return { parts: breakdownParts(breakdown), squares, totalSeconds, sumSeconds: totalSeconds }
  }
  const { rows, rest, ...shown } = groupBreakdown(input, period, by)
  if (!rest) return { ...shown, parts: rows }
  const { groups: count, ...others } = rest
  const name =
    by === 'tag'
      ? t('{count, plural, one {{count} other tag} other {{count} other tags}}', { count })
      : t('{count, plural, one {{count} other category} other {{count} other categories}}', {
          count,
        })
  return { ...shown, parts: [...rows, { ...others, ...REST, name }] }
}

function BreakdownTable({
  by,
  breakdown: { parts, sumSeconds },
  about,
}: {
  by: By
  breakdown: ShownBreakdown
  about: string
}) {
  return (
    <DataTable
      caption={t('Task Breakdown, {period}', { period: about })}
      columns={[
        { name: CHOICES.find(({ value }) => value === by)?.label ?? '', isFigure: false },
        { name: t('Time'), isFigure: true },
        { name: t('column|Share'), isFigure: true },
      ]}
      rows={parts.map(({ name, seconds, percentLabel }) => [
        name,
        exactDuration(seconds),
        percentLabel,
      ])}
      sum={[ALL[by], exactDuration(sumSeconds), t('{percent}%', { percent: 100 })]}
    />
  )
}

const ALL: Readonly<Record<By, string>> = {
  task: t('All tasks'),
  category: t('All categories'),
  tag: t('All tags'),
}

/** The placeholder of the chart. */
function PendingBreakdown() {
  return (
    <ChartSection title={t('Task Breakdown')} table={null}>
      <div aria-hidden="true" className="flex flex-col gap-5">
        <Skeleton className="h-14 w-full md:h-9" />
        <div className="flex flex-col gap-4">
          {['w-52', 'w-36', 'w-44'].map((width) => (
            <div key={width} className="flex justify-between">
              <Skeleton className={`h-3 ${width}`} />
              <Skeleton className="h-3 w-20" />
            </div>
          ))}
        </div>
      </div>
    </ChartSection>
  )
}
