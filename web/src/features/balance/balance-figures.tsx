import {
  balanceAfter,
  balanceSum,
  balanceSums,
  datesOfBalance,
  payPeriodOf,
  zeroAt,
} from '@stint/core/balance/balance.ts'
import type { BalancePeriod, BalanceSum, HoursBalance } from '@stint/core/balance/balance.ts'
import { signed } from '@stint/core/balance/signed.ts'
import { t } from '@stint/core/text.ts'
import {
  addDays,
  dateOfDay,
  formatFullDate,
  lastDay,
  startOfWeek,
} from '@stint/core/time/calendar.ts'
import type { CalendarDate, DateRange } from '@stint/core/time/calendar.ts'
import { formatChanges } from '@stint/core/time/duration-sum.ts'
import { balanceCsv } from '@stint/core/transfer/balance-csv.ts'
import { exportFileName } from '@stint/core/transfer/export-range.ts'
import { useMemo, useState } from 'react'

import { csvForm } from '#hooks/csv-form.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { Button, buttonClasses } from '#ui/button.tsx'
import { ChartSection, FigureButton } from '#ui/chart-section.tsx'
import { LineChart } from '#ui/chart/line-chart.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { Link } from '#ui/navigation.tsx'
import { Panel } from '#ui/row.tsx'
import { saveFile } from '#ui/save-file.ts'
import { Segmented } from '#ui/segmented.tsx'
import { StatCard } from '#ui/stat-card.tsx'
import { showToast } from '#ui/toast.tsx'
import { exactSigned, monthlyUnit, PART_NAMES, periodName } from './balance-words.ts'
import { ShowAll } from './show-all.tsx'

interface Props {
  balance: HoursBalance
  /** Explains what the days add. */
  onExplain: (dates: DateRange) => void
}

/** The balance now, when it is zero, and what today, this week and this month or pay period add. */
export function BalanceNow({ balance, onExplain }: Props) {
  const { duration } = useFormats()
  const { weekStart } = useSettings()
  const seconds = balanceAfter(balance)
  const dates = datesOfBalance(balance)
  const tomorrow = dates.to
  const today = addDays(tomorrow, -1)
  const since = (from: CalendarDate) => balanceSum(balance, { from, to: tomorrow })
  const isMonthly = monthlyUnit(balance.account) === 'month'
  const [ofDay, ofWeek, ofPeriod] = [
    since(today),
    since(startOfWeek(today, weekStart)),
    since(payPeriodOf(balance.account, today).from),
  ]
  const change = (sum: BalanceSum | null) =>
    sum && (
      <FigureButton
        title={exactSigned(sum.after - sum.before)}
        onExplain={() => onExplain(sum.dates)}
      >
        {signed(sum.after - sum.before, duration)}
      </FigureButton>
    )
  return (
    <Panel>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2 p-4 md:p-5">
        <div>
          <p className="text-xs text-quiet">
            {t('balance|Now, since {date}', { date: formatFullDate(dates.from) })}
          </p>
          <p className="text-2xl font-semibold md:text-3xl">
            <FigureButton title={exactSigned(seconds)} onExplain={() => onExplain(dates)}>
              {signed(seconds, duration)}
            </FigureButton>
          </p>
        </div>
        <ZeroLine balance={balance} />
      </div>
      {/* Under each other on phones, where signs and units leave no room for three. */}
      <dl className="grid gap-px border-t border-line bg-line md:grid-cols-3">
        <StatCard label={t('Today')} value={change(ofDay)} />
        <StatCard label={t('This Week')} value={change(ofWeek)} />
        <StatCard
          label={isMonthly ? t('This Month') : t('This pay period')}
          value={change(ofPeriod)}
        />
      </dl>
    </Panel>
  )
}

/** When to leave for a balance of zero, while a timer runs; else how much is missing. */
export function ZeroLine({ balance }: { balance: HoursBalance }) {
  const { duration, clockTime } = useFormats()
  const { timer } = useTimer()
  const { dayRule } = balance.input
  const at = zeroAt(balance, timer.status === 'running')
  const seconds = balanceAfter(balance)
  if (at !== null) {
    const time = clockTime(at, dayRule.timeZone)
    return <p className="figures">{t('Leave at {time} for a balance of zero', { time })}</p>
  }
  if (seconds >= 0) return null
  return (
    <p className="figures text-quiet">
      {t('{duration} to a balance of zero', { duration: duration(-seconds) })}
    </p>
  )
}

/** More days than pixels cannot be seen. */
const MAX_POINTS = 400

/** The balance at the end of each day, as a line. */
export function BalanceChart({ balance }: { balance: HoursBalance }) {
  const { duration } = useFormats()
  const { values, days } = useMemo(() => pointsOf(balance), [balance])
  const write = (seconds: number) => signed(seconds, duration)
  const dateAt = (place: number) => formatFullDate(dateOfDay(days[place] ?? balance.firstDay))
  const last = values.length - 1
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  return (
    <ChartSection title={t('Balance over time')} table={null}>
      <LineChart
        values={values}
        summary={t(
          'The balance from {from} to {to}: lowest {lowest}, highest {highest}, now {now}',
          {
            from: dateAt(0),
            to: dateAt(last),
            lowest: write(lowest),
            highest: write(highest),
            now: write(values[last] ?? 0),
          },
        )}
        write={write}
        say={(place) => `${dateAt(place)}: ${write(values[place] ?? 0)}`}
        ends={[dateAt(0), dateAt(last)]}
      />
    </ChartSection>
  )
}

function pointsOf({ firstDay, balances }: HoursBalance) {
  const step = Math.ceil(balances.length / MAX_POINTS)
  const last = balances.length - 1
  const places = Array.from(balances.keys()).filter((index) => (last - index) % step === 0)
  return {
    values: places.map((index) => balances[index] ?? 0),
    days: places.map((index) => firstDay + index),
  }
}

/** Saves the balance by day as a file, in the form that Your data exports. */
function download(balance: HoursBalance): void {
  const name = exportFileName(datesOfBalance(balance), 'csv', 'balance')
  // The byte order mark makes spreadsheets read the file as UTF-8.
  saveFile(name, 'text/csv;charset=utf-8', `\uFEFF${balanceCsv(balance, csvForm())}`)
  showToast({ text: t('Downloaded {name}', { name }) })
}

const PERIODS: readonly { value: BalancePeriod; label: string }[] = [
  { value: 'week', label: t('Weeks') },
  { value: 'period', label: t('Pay periods') },
  { value: 'month', label: t('Months') },
  { value: 'year', label: t('Years') },
]
const PAGE_SIZE = 12

/** What leads to the balance of a row. The first two are always there, the others if a row has some of it. */
const COLUMNS: readonly { name: string; of: (sum: BalanceSum) => number }[] = [
  { name: PART_NAMES.worked, of: (sum) => sum.worked },
  { name: PART_NAMES.owed, of: (sum) => sum.owed },
  { name: PART_NAMES.daysOff, of: (sum) => sum.holidays + sum.daysOff },
  { name: t('balance|Other'), of: (sum) => sum.opening + sum.corrections + sum.lapsed },
]

/** The balance at the end of each week, month, pay period or year, with what led to it. */
export function BalanceTable({ balance, onExplain }: Props) {
  const { duration } = useFormats()
  const { weekStart, durationFormat } = useSettings()
  const usual = monthlyUnit(balance.account)
  const periods = PERIODS.filter(({ value }) => value !== 'period' || value === usual)
  const [chosen, setChosen] = useState<BalancePeriod | null>(null)
  const period = periods.find(({ value }) => value === chosen)?.value ?? usual
  const [listed, setListed] = useState(PAGE_SIZE)
  const sums = useMemo(
    () => balanceSums(balance, period, undefined, weekStart),
    [balance, period, weekStart],
  )
  const shown = sums.slice(0, listed)
  const columns = COLUMNS.filter(({ of }, index) => index < 2 || shown.some((sum) => of(sum) !== 0))
  const title = t('Weeks, months and years')
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segmented label={title} options={periods} value={period} onChange={setChosen} />
        <div className="flex flex-wrap items-center">
          <Link
            to={`/balance?month=${lastDay(datesOfBalance(balance))}`}
            className={buttonClasses('quiet', 'small')}
          >
            {t('Record of hours')}
          </Link>
          <Button variant="quiet" size="small" onClick={() => download(balance)}>
            {t('Download CSV')}
          </Button>
        </div>
      </div>
      <Panel className="px-3 py-2 md:px-4">
        <DataTable
          caption={title}
          columns={[
            { name: t('balance|Period'), isFigure: false },
            { name: t('balance|Balance'), isFigure: true },
            ...columns.map(({ name }) => ({ name, isFigure: true })),
          ]}
          rows={shown.map((sum) => [
            periodName(period, sum.dates, weekStart),
            { text: signed(sum.after, duration), onExplain: () => onExplain(sum.dates) },
            ...formatChanges(
              columns.map(({ of }) => of(sum)),
              sum,
              durationFormat,
            ),
          ])}
        />
      </Panel>
      <ShowAll count={sums.length} listed={listed} onShow={setListed} />
    </div>
  )
}
