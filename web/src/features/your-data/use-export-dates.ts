/** The dates to export. They are in the URL, so that Back from the printable report restores them. */
import { lastDay, localDate } from '@stint/core/time/calendar.ts'
import type { DateRange } from '@stint/core/time/calendar.ts'
import { chosenDates, exportDates, readExportRange } from '@stint/core/transfer/export-range.ts'
import type { ExportRange } from '@stint/core/transfer/export-range.ts'

import { useSearchParams } from '#ui/navigation.tsx'
import { useSettings, useDayRule } from '#hooks/use-settings.ts'
import { useNow } from '#hooks/use-now.ts'

export interface ExportDates {
  readonly range: ExportRange
  /** Null: all time. Undefined: the custom dates are invalid. */
  readonly dates: DateRange | null | undefined
  /** The values of the custom date fields. */
  readonly first: string
  readonly last: string
  /** What is wrong with them, as a sentence for the form. */
  readonly problem: string | null
  readonly choose: (range: ExportRange) => void
  readonly chooseDays: (first: string, last: string) => void
}

/** Reads `?range=custom&from=2026-01-01&to=2026-03-31`; without parameters, all time. */
export function useExportDates(): ExportDates {
  const [parameters, setParameters] = useSearchParams()
  const now = useNow()
  const dayRule = useDayRule()
  const { weekStart } = useSettings()
  const range = readExportRange(parameters.get('range'))
  const first = parameters.get('from') ?? ''
  const last = parameters.get('to') ?? ''
  const chosen = chosenDates(first, last)
  const problem = range === 'custom' && chosen.kind === 'problem' ? chosen.message : null
  const days = chosen.kind === 'dates' ? chosen.dates : null
  const dates = exportDates(range, { now, dayRule, weekStart }, days)
  const show = (next: Record<string, string>) => setParameters(next, { replace: true })
  return {
    range,
    dates: problem === null ? dates : undefined,
    first,
    last,
    problem,
    choose(next) {
      if (next !== 'custom') return show({ range: next })
      // A custom range starts with the dates shown before, or with this month.
      const from = dates ?? exportDates('month', { now, dayRule, weekStart })
      if (!from) return
      const today = localDate(now, dayRule)
      const to = lastDay(from)
      show({ range: next, from: from.from, to: to > today && from.from <= today ? today : to })
    },
    chooseDays: (from, to) => show({ range: 'custom', from, to }),
  }
}
