/** The sessions that the text of a filter box finds. */
import { parseFilter } from '@stint/core/record/session-filter.ts'
import type { SessionFilter } from '@stint/core/record/session-filter.ts'
import { findSessions } from '@stint/core/reports/found-sessions.ts'
import type { FoundSessions } from '@stint/core/reports/found-sessions.ts'
import { startOfDay } from '@stint/core/time/calendar.ts'
import { useDeferredValue, useMemo } from 'react'

import { isDayFirst } from './day-order.ts'
import { useEntries } from './use-entries.ts'
import { useNow } from './use-now.ts'
import { useDayRule, useSettings, useUnbilled } from './use-settings.ts'
import { useTasks } from './use-tasks.ts'

export interface SessionSearch {
  /** The text that was searched: for a moment, what was typed before. */
  readonly wanted: string
  readonly filter: SessionFilter
  readonly found: FoundSessions
  /** When the viewer's today began, in epoch milliseconds. */
  readonly today: number
}

/** Returns what the text finds. Typing does not wait for it, and a running timer does not search again. */
export function useFoundSessions(text: string): SessionSearch {
  const { weekStart, hourCycle } = useSettings()
  const unbilled = useUnbilled()
  const dayRule = useDayRule()
  const { entries } = useEntries()
  const { allTasks } = useTasks()
  // The same instant all day, so that a running timer does not search again every second.
  const today = startOfDay(useNow(), dayRule)
  const wanted = useDeferredValue(text)
  const filter = useMemo(
    () =>
      parseFilter(wanted, {
        now: today,
        dayRule,
        weekStart,
        hourCycle,
        isDayFirst: isDayFirst(),
        unbilled,
      }),
    [wanted, today, dayRule, weekStart, hourCycle, unbilled],
  )
  const found = useMemo(() => findSessions(filter, entries, allTasks), [filter, entries, allTasks])
  return { wanted, filter, found, today }
}
