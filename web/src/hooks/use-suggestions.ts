import { decidedGapsFromPrefs } from '@stint/core/record/decided-gaps.ts'
import { activeTasks, nameInReports } from '@stint/core/record/task.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { addDays, intervalOfDates } from '@stint/core/time/calendar.ts'
import type { CalendarDate } from '@stint/core/time/calendar.ts'
import type { Ghost } from '@stint/core/traces/ghosts.ts'
import { useEffect, useMemo, useState } from 'react'

import { useValue } from '#session/signed-in.ts'
import { useTraces } from './use-traces.ts'

export interface SuggestedDay {
  readonly date: CalendarDate
  /** At least one, in the order of the day. */
  readonly ghosts: readonly Ghost[]
}

/** Returns the days up to `last` that have suggestions, newest first; null until they are known. */
export function useSuggestions(
  { entries, live, tasks, dayRule, now }: ReportInput,
  last: CalendarDate,
  count: number,
): readonly SuggestedDay[] | null {
  const { traces } = useTraces()
  const prefs = useValue('settings')?.prefs
  const [days, setDays] = useState<readonly SuggestedDay[] | null>(null)
  const request = useMemo(() => {
    const dates = Array.from({ length: count }, (_, ago) => addDays(last, -ago))
    const range = { from: addDays(last, 1 - count), to: addDays(last, 1) }
    const { start: first, end } = intervalOfDates(range, dayRule)
    const tracked = [...entries, ...(live ? [live] : [])]
      .filter(
        ({ startedAt, endedAt, deletedAt }) =>
          deletedAt === null && endedAt > first && startedAt < end,
      )
      .map(({ startedAt, endedAt }) => ({ start: startedAt, end: endedAt }))
    return {
      dates,
      days: dates.map((date) => {
        const { start, end } = intervalOfDates({ from: date, to: addDays(date, 1) }, dayRule)
        return { start, end: Math.min(end, Math.max(start, now)) }
      }),
      // A break and an ignored gap are no free time.
      busy: [...tracked, ...decidedGapsFromPrefs(prefs ?? {})],
      tasks: activeTasks(tasks).map((task) => ({ id: task.id, name: nameInReports(task) })),
    }
  }, [entries, live, tasks, dayRule, now, last, count, prefs])

  useEffect(() => {
    let isCurrent = true
    const { dates, ...wanted } = request
    async function look(): Promise<void> {
      const found = await traces.ask('suggest', wanted)
      if (!isCurrent) return
      const all = dates.map((date, at) => ({ date, ghosts: found[at] ?? [] }))
      setDays(all.filter(({ ghosts }) => ghosts.length > 0))
    }
    void look()
    const unsubscribe = traces.kept.subscribe(() => void look())
    return () => {
      isCurrent = false
      unsubscribe()
    }
  }, [request, traces])
  return days
}
