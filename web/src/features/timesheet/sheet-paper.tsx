import { useState } from 'react'
import type { ReactNode } from 'react'
import type { SessionFilter } from '@stint/core/record/session-filter.ts'
import { sessionCountText } from '@stint/core/reports/session-count.ts'
import { t } from '@stint/core/text.ts'
import { formatFullDate, localDate } from '@stint/core/time/calendar.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { periodLabel } from '@stint/core/time/period.ts'
import type { Period } from '@stint/core/time/period.ts'
import { moneyText } from '@stint/core/timesheet/money.ts'
import { roundingSentence, sheetDuration } from '@stint/core/timesheet/rounding.ts'
import type { Timesheet } from '@stint/core/timesheet/timesheet.ts'
import { useAuth } from '#hooks/use-auth.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useDayRule, useSettings } from '#hooks/use-settings.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { PAPER_CLASSES } from '#ui/paper.tsx'
import { SheetLines } from './sheet-lines.tsx'
import type { ShownChoices } from './sheet-lines.tsx'

/** How many lines are listed at once: some twenty pages. */
const MAX_LISTED = 1000

/** A timesheet as it is printed. */
export function SheetPaper({
  sheet,
  period,
  filter,
  choices,
  seal,
}: {
  sheet: Timesheet
  period: Period
  filter: SessionFilter
  choices: ShownChoices
  /** What stands beside the signature of a sealed sheet. */
  seal?: ReactNode
}) {
  return (
    <article aria-labelledby="sheet-title" className={PAPER_CLASSES}>
      <Head sheet={sheet} period={period} filter={filter} choices={choices} />
      {sheet.lines.length === 0 ? (
        <EmptyState drawing="clock">
          {filter.problem ??
            (filter.parts.length > 0
              ? t('No sessions match in this range.')
              : t('No tracked time in this range.'))}
        </EmptyState>
      ) : (
        <>
          <Lines sheet={sheet} choices={choices} />
          <Foot seal={seal} />
        </>
      )}
    </article>
  )
}

/** What the sheet is about: whose, which days, which sessions, by which rule. */
function Head({
  sheet,
  period,
  filter,
  choices,
}: {
  sheet: Timesheet
  period: Period
  filter: SessionFilter
  choices: ShownChoices
}) {
  const auth = useAuth()
  const { durationFormat } = useSettings()
  const { rounding, showsExact, hasAmounts } = choices
  const about = [
    ...(auth.status === 'signed-in' ? [auth.user.name] : []),
    ...filter.parts.map(({ meaning }) => meaning),
  ]
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
      <div className="min-w-0">
        <p className="hidden text-quiet print:block">{t('Timesheet')}</p>
        <h2 id="sheet-title" className="text-lg font-semibold tracking-tight">
          {periodLabel(period)}
        </h2>
        <p dir="auto" className="wrap-anywhere">
          {about.join(' · ')}
        </p>
        <p className="max-w-prose text-quiet text-pretty">
          {roundingSentence(rounding)}
          {hasAmounts &&
            ` ${t('The amount of a line is its time at the rate of its day, rounded to the smallest coin.')}`}
        </p>
      </div>
      <p className="figures lg:text-end print:text-end">
        <span className="block text-xl font-semibold">
          {sheetDuration(sheet.seconds, rounding, durationFormat)}
        </span>
        {hasAmounts &&
          sheet.amounts.map((amount) => (
            <span key={amount.currency} className="block text-lg font-semibold">
              {moneyText(amount)}
            </span>
          ))}
        {t('in {sessions}', {
          sessions: sessionCountText({ begun: sheet.sessionCount, earlier: 0, hasLive: false }),
        })}
        {showsExact && rounding.step > 0 && (
          <span className="block text-quiet">
            {t('exactly {duration}', { duration: exactDuration(sheet.exactSeconds) })}
          </span>
        )}
      </p>
    </header>
  )
}

function Lines({ sheet, choices }: { sheet: Timesheet; choices: ShownChoices }) {
  const [listsAll, setListsAll] = useState(false)
  if (sheet.lines.length <= MAX_LISTED || listsAll)
    return <SheetLines sheet={sheet} choices={choices} />
  return (
    <div className="flex flex-col items-start gap-2 print:hidden">
      <p>
        {t('{count, number} lines aren’t listed, as they would fill many pages.', {
          count: sheet.lines.length,
        })}
      </p>
      <Button onClick={() => setListsAll(true)}>{t('List all lines')}</Button>
    </div>
  )
}

/** When the sheet was made, its seal, and the place for a signature. */
function Foot({ seal }: { seal: ReactNode }) {
  const dayRule = useDayRule()
  const [now] = useState(useRecordCommands().now)
  const line = 'w-full border-t border-edge pt-1 text-quiet'
  return (
    <footer className="paper-foot flex flex-col gap-12">
      <p className="text-quiet">
        {t('{date}, times in {zone}', {
          date: formatFullDate(localDate(now, dayRule)),
          zone: dayRule.timeZone,
        })}
      </p>
      {seal}
      <div className="grid grid-cols-2 gap-8">
        <p className={line}>{t('paper|Date')}</p>
        <p className={line}>{t('Signature')}</p>
      </div>
    </footer>
  )
}
