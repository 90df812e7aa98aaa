import { useEffect } from 'react'
import type { parseFilter } from '@stint/core/record/session-filter.ts'
import { entryList } from '@stint/core/reports/entry-list.ts'
import { findSessions } from '@stint/core/reports/found-sessions.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { t } from '@stint/core/text.ts'
import { addDays, formatFullDates, isCalendarDate } from '@stint/core/time/calendar.ts'
import type { DateRange } from '@stint/core/time/calendar.ts'
import { useSyncStatus } from '#session/signed-in.ts'
import { useSearchParams } from '#ui/navigation.tsx'
import { isDayFirst } from '#hooks/day-order.ts'
import { useExplain } from '#hooks/use-explain.ts'

/**
 * Opens the explanation that the address names, once: `?q=%23acme&explain=2026-03-01..2026-03-31` is
 * the total of those days and of the sessions that the filter finds, and `?explain=id,id` the sum of
 * these sessions. The server writes such links beside the figures that programs and assistants get.
 * It waits for the first refresh, because an open explanation does not change.
 */
export function LinkedExplanation({
  input,
  readFilter,
}: {
  input: ReportInput
  /** From the page that has it, so that other pages of reports do not load it. */
  readFilter: typeof parseFilter
}) {
  const [params, setParams] = useSearchParams()
  const explain = useExplain()
  const { isRefreshed } = useSyncStatus()
  const named = isRefreshed ? params.get('explain') : null
  const text = params.get('q') ?? ''

  useEffect(() => {
    if (named === null) return
    setParams(text === '' ? {} : { q: text }, { replace: true })
    const dates = datesNamed(named)
    const { entries, live, tasks } = input
    if (!dates) {
      const only = new Set(named.split(','))
      return explain({ title: t('Total Time'), about: null, dates, only })
    }
    const filter = readFilter(text, { ...input, isDayFirst: isDayFirst() })
    // The page says what is wrong with the text.
    if (filter.problem !== null) return
    const found = [entries, live ? [live] : []].flatMap(
      (each) => entryList(findSessions(filter, each, tasks)).entries,
    )
    explain({
      title: t('Total Time'),
      about: [formatFullDates(dates), ...filter.parts.map(({ meaning }) => meaning)].join(', '),
      dates,
      only: new Set(found.map(({ id }) => id)),
    })
  }, [named, text, input, readFilter, explain, setParams])
  return null
}

/** Reads '2026-03-01..2026-03-31', the last day included. */
function datesNamed(text: string): DateRange | null {
  const [from = '', to = '', ...more] = text.split('..')
  const isRange = more.length === 0 && isCalendarDate(from) && isCalendarDate(to) && from <= to
  return isRange ? { from, to: addDays(to, 1) } : null
}
