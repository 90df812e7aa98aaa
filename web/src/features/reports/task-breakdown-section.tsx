import { useMemo } from 'react'
import { Link } from 'react-router'
import { t } from '@stint/core/text.ts'
import { sumAsShown } from '@stint/core/time/duration-sum.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { periodDates, periodLabel } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'
import { taskBreakdown } from '@stint/core/reports/task-breakdown.ts'
import type { TaskBreakdown } from '@stint/core/reports/task-breakdown.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { useFormats, useSettings } from '#features/settings/api.ts'
import { buttonClasses } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ChartSection, FigureButton } from './chart-section.tsx'
import { DataTable } from './data-table.tsx'
import { useExplain } from './explanation-provider.tsx'
import { RoundedSum } from './rounded-sum.tsx'
import { breakdownParts, TaskBreakdownGrid } from './task-breakdown-grid.tsx'

/** Task Breakdown: the share of each task in the period. */
export function TaskBreakdownSection({
  input,
  period,
  pending,
}: {
  input: ReportInput
  period: Period
  pending: boolean
}) {
  const breakdown = useMemo(() => taskBreakdown(input, period), [input, period])
  const explain = useExplain()
  const { duration } = useFormats()
  const { durationFormat } = useSettings()
  const about = periodLabel(period)
  const dates = periodDates(period)
  const { tasks, live, entries } = input
  const isEmpty = breakdown.totalSeconds === 0

  if (pending) return <PendingBreakdown />
  return (
    <ChartSection
      title={t('Task Breakdown')}
      figure={
        !isEmpty && (
          <FigureButton
            title={exactDuration(breakdown.totalSeconds)}
            onExplain={() => explain({ title: t('Task Breakdown'), about, dates })}
          >
            {duration(breakdown.totalSeconds)}
          </FigureButton>
        )
      }
      table={isEmpty ? null : <BreakdownTable breakdown={breakdown} about={about} />}
    >
      <TaskBreakdownGrid
        breakdown={breakdown}
        liveTaskId={live?.taskId ?? null}
        pathOf={(taskId) => (tasks.some((task) => task.id === taskId) ? `/tasks/${taskId}` : null)}
        onExplain={({ name, taskIds }) => explain({ title: name, about, dates, taskIds })}
      />
      <RoundedSum
        sum={sumAsShown(
          breakdown.totalSeconds,
          { parts: breakdownParts(breakdown).map(({ seconds }) => seconds) },
          durationFormat,
        )}
        text={(sum) =>
          durationFormat === 'decimal'
            ? t('Rounded, the tasks add up to {sum}.', { sum })
            : t('Rounded down to minutes, the tasks add up to {sum}.', { sum })
        }
        keepsLine={live !== null && !isEmpty}
      />
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

function BreakdownTable({ breakdown, about }: { breakdown: TaskBreakdown; about: string }) {
  return (
    <DataTable
      caption={t('Task Breakdown, {period}', { period: about })}
      columns={[
        { name: t('Task'), isFigure: false },
        { name: t('Time'), isFigure: true },
        { name: t('column|Share'), isFigure: true },
      ]}
      rows={breakdownParts(breakdown).map(({ name, seconds, percentLabel }) => [
        name,
        exactDuration(seconds),
        percentLabel,
      ])}
      sum={[
        t('All tasks'),
        exactDuration(breakdown.totalSeconds),
        t('{percent}%', { percent: 100 }),
      ]}
    />
  )
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
