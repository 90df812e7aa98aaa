import { amountsOf, savedAmounts } from '@stint/core/timesheet/amounts.ts'
import type { Amounts } from '@stint/core/timesheet/amounts.ts'
import { moneyText } from '@stint/core/timesheet/money.ts'
import { t } from '@stint/core/text.ts'
import { formatParts } from '@stint/core/time/duration-sum.ts'
import { periodDates } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { useMemo } from 'react'

import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { ChartSection } from '#ui/chart-section.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { usePricing } from './use-pricing.ts'

/** What the work of the period costs, by task. It is loaded for people who have rates. */
export function AmountsSection({ input, period }: { input: ReportInput; period: Period }) {
  const pricing = usePricing()
  const { entries, tasks: allTasks, dayRule, live } = input
  const { durationFormat } = useSettings()
  const { duration } = useFormats()
  // The seconds of a running timer change the lines of its task alone.
  const saved = useMemo(
    () => savedAmounts({ entries, tasks: allTasks, dayRule }, periodDates(period), pricing),
    [entries, allTasks, dayRule, period, pricing],
  )
  const { tasks, all } = amountsOf(input, periodDates(period), pricing, saved)
  const times = formatParts(
    tasks.map(({ seconds }) => seconds),
    durationFormat,
    tasks.findIndex(({ taskId }) => taskId === live?.taskId),
  )
  return (
    <ChartSection title={t('Amounts')} table={null}>
      {tasks.length === 0 ? (
        <p className="text-sm text-quiet">{t('No billable sessions in this period.')}</p>
      ) : (
        <>
          <DataTable
            caption={t('Amounts by task')}
            columns={[
              { name: t('Task'), isFigure: false },
              { name: t('Billable'), isFigure: true },
              { name: t('Amount'), isFigure: true },
              { name: t('Not invoiced'), isFigure: true },
            ]}
            rows={tasks.map((row, index) => [row.taskName, times[index] ?? '', ...cells(row)])}
            sum={[t('Sum'), duration(all.seconds), ...cells(all)]}
          />
          <p className="text-xs text-quiet">
            {t(
              'Exact times at the rates of their days, the running timer included. A timesheet rounds.',
            )}
          </p>
        </>
      )}
    </ChartSection>
  )
}

/** Returns both amounts, those of several currencies in one cell. */
function cells({ amounts, open }: Amounts): string[] {
  return [amounts, open].map((each) => each.map(moneyText).join(', '))
}
