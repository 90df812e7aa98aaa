import type { HoursAccount } from '@stint/core/balance/account.ts'
import { balanceSum, balanceSums } from '@stint/core/balance/balance.ts'
import type { BalancePeriod, BalanceSum, HoursBalance } from '@stint/core/balance/balance.ts'
import { BALANCE_PARTS } from '@stint/core/balance/balance-parts.ts'
import { itemText } from '@stint/core/balance/item-text.ts'
import { owedReader } from '@stint/core/balance/owed.ts'
import { t } from '@stint/core/text.ts'
import { dayNumber, daysBetween } from '@stint/core/time/calendar.ts'
import type { CalendarDate, DateRange } from '@stint/core/time/calendar.ts'
import { datesText } from '@stint/core/time/date-text.ts'
import { useState } from 'react'
import type { ReactNode } from 'react'

import { useExplain } from '#hooks/use-explain.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { Button } from '#ui/button.tsx'
import { FigureButton } from '#ui/chart-section.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { exactSigned, monthlyUnit, PART_NAMES, periodName } from './balance-words.ts'

/** The longest ranges that are listed by day and by week. */
const MAX_DAYS = 31
const MAX_WEEK_DAYS = 184

/**
 * Explains what days add to the balance: what it was, each reason, and what it is, then each day, week or
 * month. A press on one of them explains it, down to the sessions of a day.
 */
export function BalanceExplanation({
  balance: now,
  dates: first,
  onClose,
}: {
  balance: HoursBalance
  dates: DateRange
  onClose: () => void
}) {
  // As it was when it was asked for, so that it adds up while a timer runs.
  const [balance] = useState(now)
  const [path, setPath] = useState<readonly DateRange[]>([first])
  const dates = path.at(-1) ?? first
  const sum = balanceSum(balance, dates)
  return (
    <Dialog open wide title={t('Balance')} onClose={onClose}>
      <p className="text-sm">{datesText(dates)}</p>
      {sum && (
        <>
          <SumList balance={balance} sum={sum} />
          {daysBetween(dates.from, dates.to) > 1 ? (
            <Parts balance={balance} dates={dates} onExplain={(part) => setPath([...path, part])} />
          ) : (
            <Reasons balance={balance} date={dates.from} />
          )}
        </>
      )}
      {path.length > 1 && (
        <Button className="self-start" onClick={() => setPath(path.slice(0, -1))}>
          {t('Back')}
        </Button>
      )}
    </Dialog>
  )
}

/** What it was, what was added, what it is. */
function SumList({ balance, sum }: { balance: HoursBalance; sum: BalanceSum }) {
  const explain = useExplain()
  const { entries, live } = balance.input
  const worked = () =>
    explain({
      title: PART_NAMES.worked,
      about: datesText(sum.dates),
      dates: sum.dates,
      only: new Set([...entries, ...(live ? [live] : [])].map(({ id }) => id)),
    })
  const parts = BALANCE_PARTS.filter(
    (part) => sum[part] !== 0 || part === 'worked' || part === 'owed',
  )
  return (
    <dl className="flex flex-col divide-y divide-line text-sm">
      <Line name={t('balance|Before')}>{exactSigned(sum.before)}</Line>
      {parts.map((part) => (
        <Line key={part} name={PART_NAMES[part]}>
          {part === 'worked' && sum.worked !== 0 ? (
            <FigureButton onExplain={worked}>{exactSigned(sum.worked)}</FigureButton>
          ) : (
            exactSigned(sum[part])
          )}
        </Line>
      ))}
      <Line name={t('balance|Balance')} isTotal>
        {exactSigned(sum.after)}
      </Line>
    </dl>
  )
}

function Line({
  name,
  isTotal = false,
  children,
}: {
  name: string
  isTotal?: boolean
  children: ReactNode
}) {
  return (
    <div
      className={`flex items-center justify-between gap-4 py-1 ${isTotal ? 'font-semibold text-ink' : ''}`}
    >
      <dt>{name}</dt>
      <dd className="figures text-ink">{children}</dd>
    </div>
  )
}

function unitOf(dates: DateRange, account: HoursAccount): BalancePeriod {
  const days = daysBetween(dates.from, dates.to)
  return days <= MAX_DAYS ? 'day' : days <= MAX_WEEK_DAYS ? 'week' : monthlyUnit(account)
}

/** The days of the range, or its weeks, months or pay periods. */
function Parts({
  balance,
  dates,
  onExplain,
}: {
  balance: HoursBalance
  dates: DateRange
  onExplain: (dates: DateRange) => void
}) {
  const { weekStart } = useSettings()
  const unit = unitOf(dates, balance.account)
  const rows = balanceSums(balance, unit, dates, weekStart)
  return (
    <DataTable
      caption={t('What adds up to the balance')}
      columns={[
        { name: UNIT_NAMES[unit], isFigure: false },
        { name: t('balance|Balance'), isFigure: true },
        { name: PART_NAMES.worked, isFigure: true },
        { name: PART_NAMES.owed, isFigure: true },
        { name: t('balance|Other'), isFigure: true },
      ]}
      rows={rows.map((row) => [
        periodName(unit, row.dates, weekStart),
        { text: exactSigned(row.after), onExplain: () => onExplain(row.dates) },
        exactSigned(row.worked),
        exactSigned(row.owed),
        exactSigned(row.after - row.before - row.worked - row.owed),
      ])}
    />
  )
}

const UNIT_NAMES: Readonly<Record<BalancePeriod, string>> = {
  day: t('Day'),
  week: t('Week'),
  month: t('Month'),
  period: t('Pay period'),
  year: t('Year'),
}

/** The lines that say what is owed on a day, and what is not. */
function Reasons({ balance, date }: { balance: HoursBalance; date: CalendarDate }) {
  const { contract, holiday, taken } = owedReader(balance.account)(dayNumber(date))
  const corrections = balance.account.corrections.filter(({ from }) => from === date)
  const items = [contract, holiday, ...taken.map(({ dayOff }) => dayOff), ...corrections]
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {items
        .filter((item) => item !== null)
        .map((item) => (
          <li key={itemText(item)} dir="auto" className="wrap-anywhere">
            {itemText(item)}
          </li>
        ))}
    </ul>
  )
}
