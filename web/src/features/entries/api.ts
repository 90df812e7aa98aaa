/** The user's time entries and the totals that follow from them (spec 2; S5–S8, S32). */
import { knownTimeZone, nextMidnight, startOfDay } from '@stint/core/calendar.ts'
import { entryFromTimer } from '@stint/core/time-entry.ts'
import type { TimeEntry } from '@stint/core/time-entry.ts'
import { secondsWorkedWithin } from '@stint/core/worked-time.ts'
import { useMemo } from 'react'

import { useNow } from '#features/timer/api.ts'
import {
  useLocalEntries,
  usePullRecords,
  useSync,
  useSyncStatusOf,
  useTimerRecord,
} from '#sync/session-context.ts'

/** The zone that decides days: the browser's (S9). */
export function useTimeZone(): string {
  return knownTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone)
}

export interface EntriesView {
  readonly status: 'loading' | 'ready'
  /** Entries that are not deleted, by start. */
  readonly entries: readonly TimeEntry[]
  /** False while history is still on its way: no total of it may be shown as final (S5). */
  readonly complete: boolean
  /** Why the last refresh failed (spec 8): a notice over the figures that are there. */
  readonly error: string | null
}

const NONE: readonly TimeEntry[] = []

/** The user's entries, live. */
export function useEntries(): EntriesView {
  const stored = useLocalEntries()
  const pulled = usePullRecords().entries
  const { entriesError } = useSyncStatusOf(useSync())
  const complete = pulled?.complete === true
  const known = stored !== undefined && pulled !== undefined
  return {
    status: known && (complete || stored.length > 0) ? 'ready' : 'loading',
    entries: stored ?? NONE,
    complete,
    error: entriesError,
  }
}

/** The running timer as the entry it would be if it stopped now; null when idle (S32). */
export function useLiveEntry(now: number): TimeEntry | null {
  const record = useTimerRecord()
  return record ? entryFromTimer(record.timer, now) : null
}

export interface TaskTotals {
  readonly todaySeconds: number
  readonly totalSeconds: number
}

export interface TotalsView {
  readonly status: 'loading' | 'ready'
  readonly totals: ReadonlyMap<string, TaskTotals>
  readonly todaySeconds: number
  /** Tasks with time today (design 6). */
  readonly tasksWorkedOn: number
  readonly complete: boolean
}

/** Today's and all time per task, live, the running timer included. */
export function useTaskTotals(): TotalsView {
  const { status, entries, complete } = useEntries()
  const now = useNow()
  const zone = useTimeZone()
  const live = useLiveEntry(now)
  const dayStart = startOfDay(now, zone)
  const saved = useMemo(
    () => totalsOf(entries, dayStart, nextMidnight(dayStart, zone)),
    [entries, dayStart, zone],
  )
  const totals = live ? withLive(saved, live, dayStart, nextMidnight(dayStart, zone)) : saved
  const worked = [...totals.values()].filter((total) => total.todaySeconds > 0)
  return {
    status,
    totals,
    todaySeconds: worked.reduce((sum, total) => sum + total.todaySeconds, 0),
    tasksWorkedOn: worked.length,
    complete,
  }
}

const NO_TIME: TaskTotals = { todaySeconds: 0, totalSeconds: 0 }

function totalsOf(
  entries: readonly TimeEntry[],
  dayStart: number,
  dayEnd: number,
): Map<string, TaskTotals> {
  const totals = new Map<string, TaskTotals>()
  for (const entry of entries) addTo(totals, entry, dayStart, dayEnd)
  return totals
}

function withLive(
  saved: ReadonlyMap<string, TaskTotals>,
  live: TimeEntry,
  dayStart: number,
  dayEnd: number,
): Map<string, TaskTotals> {
  const totals = new Map(saved)
  addTo(totals, live, dayStart, dayEnd)
  return totals
}

function addTo(
  totals: Map<string, TaskTotals>,
  entry: TimeEntry,
  dayStart: number,
  dayEnd: number,
): void {
  const { todaySeconds, totalSeconds } = totals.get(entry.taskId) ?? NO_TIME
  const today = entry.endedAt > dayStart ? secondsWorkedWithin(entry, dayStart, dayEnd) : 0
  totals.set(entry.taskId, {
    todaySeconds: todaySeconds + today,
    totalSeconds: totalSeconds + entry.durationSeconds,
  })
}
