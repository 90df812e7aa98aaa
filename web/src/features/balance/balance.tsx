import type { HoursAccount } from '@stint/core/balance/account.ts'
import { hundredthsText } from '@stint/core/balance/item-text.ts'
import { vacationYears } from '@stint/core/balance/vacation.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { parseFilter } from '@stint/core/record/session-filter.ts'
import { t } from '@stint/core/text.ts'
import { formatFullDate, localDate } from '@stint/core/time/calendar.ts'
import type { CalendarDate, DateRange } from '@stint/core/time/calendar.ts'
import { useState } from 'react'

import { isDayFirst } from '#hooks/day-order.ts'
import { FilterField } from '#hooks/filter-field.tsx'
import { useMinuteInput } from '#hooks/use-report.ts'
import { useStoredSettings } from '#hooks/use-settings.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Form } from '#ui/form.tsx'
import { later } from '#ui/later.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { BalanceExplanation } from './balance-explanation.tsx'
import { BalanceChart, BalanceNow, BalanceTable } from './balance-figures.tsx'
import { ItemsSection } from './items-section.tsx'
import { LineForm } from './line-form.tsx'
import { useBalance, useBalanceCommands, useHoursAccount } from './use-balance.ts'

const HoursPaper = later(async () => (await import('./hours-paper.tsx')).HoursPaper)
const YearCalendar = later(async () => (await import('./year-calendar.tsx')).YearCalendar)
const HolidaysDialog = later(async () => (await import('./holidays-dialog.tsx')).HolidaysDialog)

/** The hours account: its figures, and the lines that it is made of. */
export function Balance({
  input: given,
  pending,
  month,
}: {
  input: ReportInput
  pending: boolean
  /** A day of the month or pay period whose record of hours is shown instead. */
  month: CalendarDate | null
}) {
  const input = useMinuteInput(given)
  const account = useHoursAccount()
  const balance = useBalance(input, account)
  const [explained, setExplained] = useState<DateRange | null>(null)
  const { known } = useStoredSettings()
  const [first] = account.contracts
  if (!known) return <Skeleton className="h-40 w-full" />
  if (!first) return <NoAccount />
  if (month !== null && balance && !pending) return <HoursPaper balance={balance} date={month} />
  return (
    <div className="flex flex-col gap-6">
      {pending ? (
        <Skeleton className="h-40 w-full" />
      ) : balance ? (
        <>
          <BalanceNow balance={balance} onExplain={setExplained} />
          <AddLine />
          {balance.balances.length > 1 && <BalanceChart balance={balance} />}
          <BalanceTable balance={balance} onExplain={setExplained} />
        </>
      ) : (
        <>
          <p>{t('The balance counts from {date}.', { date: formatFullDate(first.from) })}</p>
          <AddLine />
        </>
      )}
      <Lines account={account} input={input} />
      {balance && explained && (
        <BalanceExplanation
          balance={balance}
          dates={explained}
          onClose={() => setExplained(null)}
        />
      )}
    </div>
  )
}

function NoAccount() {
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col gap-2">
      <EmptyState drawing="clock">
        {t('Say what you owe, and the balance shows your overtime to the second.')}
      </EmptyState>
      <LineForm
        label={t('Contract')}
        placeholder={t('38.5h Mon–Fri since 1 March, starting at +12h')}
        instead={null}
      >
        <Button type="submit" variant="primary" className="self-start">
          {t('Start the account')}
        </Button>
      </LineForm>
    </div>
  )
}

function AddLine() {
  return (
    <LineForm
      label={t('Days off, contract or correction')}
      placeholder={t('vacation 3–14 Aug, sick today pm, -8h paid out 31 May')}
      instead={null}
      isInline
    >
      <Button type="submit" className="self-start md:mt-6.5 md:h-10">
        {t('balance|Add')}
      </Button>
    </LineForm>
  )
}

function Lines({ account, input }: { account: HoursAccount; input: ReportInput }) {
  const { contracts, daysOff, holidays, corrections, caps, allowances, periods } = account
  const [isChoosing, setIsChoosing] = useState(false)
  const [drawsYear, setDrawsYear] = useState(false)
  return (
    <>
      <ItemsSection title={t('Contracts')} items={[...periods, ...contracts]} />
      <ItemsSection
        title={t('balance|Days off')}
        about={<VacationLeft account={account} input={input} />}
        items={[...allowances, ...daysOff]}
        action={
          <Button size="small" aria-expanded={drawsYear} onClick={() => setDrawsYear(!drawsYear)}>
            {t('Year calendar')}
          </Button>
        }
        above={
          drawsYear && (
            <YearCalendar account={account} today={localDate(input.now, input.dayRule)} />
          )
        }
      />
      <ItemsSection
        title={t('Public holidays')}
        items={holidays}
        action={
          <Button size="small" aria-haspopup="dialog" onClick={() => setIsChoosing(true)}>
            {t('Choose by country')}
          </Button>
        }
      />
      {isChoosing && (
        <HolidaysDialog
          account={account}
          year={Number(localDate(input.now, input.dayRule).slice(0, 4))}
          onClose={() => setIsChoosing(false)}
        />
      )}
      {corrections.length + caps.length > 0 && (
        <ItemsSection title={t('Corrections and limits')} items={[...caps, ...corrections]} />
      )}
      <CountedSessions account={account} input={input} />
    </>
  )
}

/** What is left of this year's vacation. */
function VacationLeft({ account, input }: { account: HoursAccount; input: ReportInput }) {
  const today = localDate(input.now, input.dayRule)
  const year = vacationYears(account, today).at(-1)
  if (!year) {
    return (
      <p className="text-sm text-quiet">
        {t('To see how many days are left, add a line such as “30 days a year since 2026”.')}
      </p>
    )
  }
  const { allowed, carried, expired, taken, planned, left, carriedUntil } = year
  const days = hundredthsText
  return (
    <p className="figures text-sm">
      <span className="font-semibold">
        {t('{left} of {allowed} days left in {year}', {
          left: days(left),
          allowed: days(allowed),
          year: String(year.year),
        })}
      </span>{' '}
      <span className="text-quiet">
        {t('taken {taken}, planned {planned}, carried over {carried}', {
          taken: days(taken),
          planned: days(planned),
          carried: days(carried - expired),
        })}
        {carriedUntil !== null && carried > 0 && expired === 0 && (
          <> {t('until {date}', { date: formatFullDate(carriedUntil) })}</>
        )}
      </span>
    </p>
  )
}

/** Which sessions count, as a filter. */
function CountedSessions({ account, input }: { account: HoursAccount; input: ReportInput }) {
  const { saveFilter } = useBalanceCommands()
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const text = typed ?? account.filter
  const { weekStart, ...context } = input
  const read = parseFilter(text, {
    ...context,
    weekStart: weekStart ?? 0,
    isDayFirst: isDayFirst(),
    unbilled: account.unbilled,
  })
  const meaning = read.parts.map((part) => part.meaning).join(', ')

  async function send() {
    const hasDates = read.parts.some(({ condition }) => condition.kind === 'dates')
    const found = hasDates
      ? t('Leave out the dates: the contract says from when on.')
      : read.problem
    setProblem(found)
    if (found !== null) return
    await saveFilter(text.trim())
    setTyped(null)
  }

  return (
    <section aria-label={t('Sessions that count')}>
      <Form noValidate onSend={send} className="flex flex-col gap-3">
        <FilterField
          label={t('Sessions that count')}
          placeholder={t('All, or for example: -#private')}
          value={text}
          hint={meaning === '' ? t('All sessions count.') : meaning}
          error={problem}
          onChange={({ target }) => {
            setTyped(target.value)
            setProblem(null)
          }}
        />
        {typed !== null && typed.trim() !== account.filter && (
          <Button type="submit" className="self-start">
            {t('Save')}
          </Button>
        )}
      </Form>
    </section>
  )
}
