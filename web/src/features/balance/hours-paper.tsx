import { datesOfBalance, payPeriodOf } from '@stint/core/balance/balance.ts'
import type { HoursBalance } from '@stint/core/balance/balance.ts'
import { hoursSheet } from '@stint/core/balance/hours-sheet.ts'
import type { HoursSheet, SheetDay } from '@stint/core/balance/hours-sheet.ts'
import { partsText, signedHours } from '@stint/core/balance/item-text.ts'
import { signed } from '@stint/core/balance/signed.ts'
import { t } from '@stint/core/text.ts'
import {
  addDays,
  endClockTime,
  formatFullDate,
  formatFullDates,
  lastDay,
  localDate,
  monthAndYear,
  shortWeekdayName,
  startOfMonth,
} from '@stint/core/time/calendar.ts'
import type { CalendarDate, DateRange } from '@stint/core/time/calendar.ts'
import { formatDuration } from '@stint/core/time/duration.ts'
import { CSV_FORM, csvDuration } from '@stint/core/transfer/csv-form.ts'
import { ChevronLeft, ChevronRight, Printer } from 'lucide-react'
import { useMemo } from 'react'

import { useAuth } from '#hooks/use-auth.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { Button } from '#ui/button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Icon } from '#ui/icon.tsx'
import { useSearchParams } from '#ui/navigation.tsx'
import { Figure, PAPER_CLASSES, Table, Words } from '#ui/paper.tsx'
import { Scroller } from '#ui/scroller.tsx'
import { PART_NAMES } from './balance-words.ts'

/** The record of hours of the month or pay period that a day is in, on one page for two signatures. */
export function HoursPaper({ balance, date }: { balance: HoursBalance; date: CalendarDate }) {
  const dates = useMemo(() => payPeriodOf(balance.account, date), [balance.account, date])
  const sheet = useMemo(() => hoursSheet(balance, dates), [balance, dates])
  return (
    <>
      <Controls balance={balance} dates={dates} isEmpty={sheet === null} />
      <article aria-labelledby="hours-title" className={`${PAPER_CLASSES} gap-4!`}>
        <Head dates={dates} sheet={sheet} />
        {sheet ? (
          <>
            <Days sheet={sheet} balance={balance} />
            <Foot balance={balance} />
          </>
        ) : (
          <p>{t('The account has no days here.')}</p>
        )}
      </article>
    </>
  )
}

function Controls({
  balance,
  dates,
  isEmpty,
}: {
  balance: HoursBalance
  dates: DateRange
  isEmpty: boolean
}) {
  const [, setParameters] = useSearchParams()
  const all = datesOfBalance(balance)
  const show = (date: CalendarDate) => setParameters({ month: date }, { replace: true })
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <IconButton
        icon={ChevronLeft}
        label={t('The period before')}
        disabled={dates.from <= all.from}
        onClick={() => show(addDays(dates.from, -1))}
      />
      <IconButton
        icon={ChevronRight}
        label={t('The next period')}
        disabled={dates.to >= all.to}
        onClick={() => show(dates.to)}
      />
      <Button variant="primary" disabled={isEmpty} onClick={() => window.print()}>
        <Icon of={Printer} />
        {t('Print')}
      </Button>
    </div>
  )
}

/** Returns 'November 2026', or the dates of a pay period. */
function titleOf(dates: DateRange): string {
  const isMonth = dates.from === startOfMonth(dates.from) && dates.to === startOfMonth(dates.to)
  const isOne = isMonth && startOfMonth(lastDay(dates)) === dates.from
  return isOne ? monthAndYear(dates.from) : formatFullDates(dates)
}

/** Whose hours, of which days, by which contract. */
function Head({ dates, sheet }: { dates: DateRange; sheet: HoursSheet | null }) {
  const auth = useAuth()
  return (
    <header>
      <p className="text-quiet">{t('Record of hours')}</p>
      <h2 id="hours-title" className="text-lg font-semibold tracking-tight">
        {titleOf(dates)}
      </h2>
      <p dir="auto" className="wrap-anywhere">
        {auth.status === 'signed-in' && auth.user.name}
      </p>
      {sheet?.contracts.map(({ from, parts }) => (
        <p key={from} className="text-quiet">
          {t('balance|{hours} since {date}', {
            hours: partsText(parts),
            date: formatFullDate(from),
          })}
        </p>
      ))}
    </header>
  )
}

const DENSE =
  'overflow-x-auto rounded-control leading-tight print:overflow-visible max-md:[&_table]:w-2xl [&_td]:py-0.5 [&_th]:py-0.5'

function Days({ sheet, balance }: { sheet: HoursSheet; balance: HoursBalance }) {
  const write = writerOf(sheet)
  const { breaks, worked, owed, other, balance: after } = sheet.sum
  const title = t('Days')
  return (
    <Scroller label={title} className={DENSE}>
      <Table
        title={title}
        showsTitle={false}
        words={1}
        lastWords={1}
        headings={[
          t('Day'),
          t('paper|Begin'),
          t('paper|End'),
          t('paper|Breaks'),
          t('balance|Worked'),
          t('balance|Owed'),
          t('paper|Difference'),
          t('balance|Balance'),
          t('paper|Remarks'),
        ]}
      >
        <tr>
          <Words isRowHead className="whitespace-nowrap">
            {t('Carried forward')}
          </Words>
          <Figures values={['', '', '', '', '', '', signed(sheet.before, write)]} />
          <Words className="ps-3">{''}</Words>
        </tr>
        {sheet.days.map((day) => (
          <DayRow key={day.date} day={day} write={write} balance={balance} />
        ))}
        <tr className="font-semibold [&_th]:font-semibold!">
          <Words isRowHead>{t('Sum')}</Words>
          <Figures
            values={[
              '',
              '',
              write(breaks),
              write(worked),
              write(owed),
              signed(worked - owed + other, write),
              signed(after, write),
            ]}
          />
          <Words className="ps-3">{''}</Words>
        </tr>
      </Table>
    </Scroller>
  )
}

/** Whole minutes are written without seconds, as long as all of the sheet are, so that it adds up. */
function writerOf({ days, before }: HoursSheet): (seconds: number) => string {
  const all = [before, ...days.flatMap((day) => [day.breaks, day.worked, day.owed, day.balance])]
  return all.every((seconds) => seconds % 60 === 0)
    ? (seconds) => formatDuration(seconds, 'h:mm')
    : (seconds) => csvDuration(seconds, CSV_FORM)
}

function DayRow({
  day,
  write,
  balance,
}: {
  day: SheetDay
  write: (seconds: number) => string
  balance: HoursBalance
}) {
  const { hourCycle } = useSettings()
  const { timeInRange } = useFormats()
  const { timeZone } = balance.input.dayRule
  const { date, work, breaks, worked, owed, other } = day
  const end = work && endClockTime(work.start, work.end, timeZone, hourCycle)
  const isFree = owed === 0 && work === null
  return (
    <tr className={isFree ? 'text-quiet' : ''}>
      <Words isRowHead className="whitespace-nowrap">
        {shortWeekdayName(date)} {Number(date.slice(8))}
      </Words>
      <Figures
        values={[
          work ? timeInRange(work.start, timeZone) : '',
          end === '00:00 +1' ? '24:00' : (end ?? ''),
          work ? write(breaks) : '',
          work ? write(worked) : '',
          isFree ? '' : write(owed),
          isFree && other === 0 ? '' : signed(worked - owed + other, write),
          signed(day.balance, write),
        ]}
      />
      <Words className="ps-3">{remarksOf(day).join(', ')}</Words>
    </tr>
  )
}

function remarksOf({ reasons, opening, lapsed }: SheetDay): string[] {
  return [
    ...(opening === 0 ? [] : [PART_NAMES.opening]),
    ...reasons.map(reasonText),
    ...(lapsed === 0 ? [] : [PART_NAMES.lapsed]),
  ]
}

/** Returns why less is owed, without the day. */
function reasonText(item: SheetDay['reasons'][number]): string {
  switch (item.kind) {
    case 'holiday':
      return item.name === '' ? t('Public holiday') : item.name
    case 'dayoff':
      return ABSENCE_NAMES[item.absence]
    case 'correction':
      return `${signedHours(item.seconds)} ${item.note}`.trimEnd()
  }
}

const ABSENCE_NAMES = {
  vacation: t('Vacation'),
  sick: t('Sick'),
  other: t('Day off'),
} as const

function Figures({ values }: { values: readonly string[] }) {
  return values.map((value, index) => <Figure key={index}>{value}</Figure>)
}

/** When it was made, and the places for two signatures. */
function Foot({ balance: { input } }: { balance: HoursBalance }) {
  const line = 'w-full border-t border-edge pt-1 text-quiet'
  return (
    <footer className="paper-foot flex flex-col gap-10">
      <p className="text-quiet">
        {t('{date}, times in {zone}', {
          date: formatFullDate(localDate(input.now, input.dayRule)),
          zone: input.dayRule.timeZone,
        })}
      </p>
      <div className="grid grid-cols-2 gap-8">
        <p className={line}>{t('Date, signature of the employee')}</p>
        <p className={line}>{t('Date, signature of the employer')}</p>
      </div>
    </footer>
  )
}
