/** What the two report pages count from, live, and whether all of it is here. */
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { useMemo, useState } from 'react'

import { useEntries, useLiveEntry, useDayRule } from '#features/entries/api.ts'
import { useSettings } from '#features/settings/api.ts'
import { useTasks } from '#features/tasks/api.ts'
import { useNow } from '#features/timer/api/use-now.ts'
import { useSyncStatus } from '#features/timer/api/use-sync-status.ts'

export type Report = ReportState & ReportFields

type ReportState =
  /**
   * 'loading': nothing is known yet. 'arriving': part of the history is here and the rest is on its
   * way, so any total would be wrong.
   */
  | { readonly status: 'loading' | 'arriving'; readonly error: null }
  /** Nothing is known, and the last load failed. */
  | { readonly status: 'failed'; readonly error: string }
  /** The figures can be shown. The error is why the last load failed: a notice over them. */
  | { readonly status: 'ready'; readonly error: string | null }

interface ReportFields {
  /** The saved entries are the same list while nothing changed; the rest changes with each second
   * that the timer runs. */
  readonly input: ReportInput
  /** The figures cover only a part of the history, and the rest could not be fetched. */
  readonly isPartial: boolean
  readonly online: boolean
  readonly retry: () => void
}

/**
 * The input of every figure. Renders again each second while the timer runs. `failure` is what a
 * failed load is called when no reason is known.
 */
export function useReport(failure = NAMELESS_FAILURE): Report {
  const { status: entriesStatus, entries, complete, error: entriesError } = useEntries()
  const { status: tasksStatus, allTasks, error: tasksError, reload } = useTasks()
  const { online } = useSyncStatus()
  const now = useNow()
  const dayRule = useDayRule()
  const { weekStart, hourCycle } = useSettings()
  const live = useLiveEntry(now)
  const input = useMemo(
    () => ({ entries, live, tasks: allTasks, dayRule, weekStart, hourCycle, now }),
    [entries, live, allTasks, dayRule, weekStart, hourCycle, now],
  )
  const error = entriesError === NAMELESS_FAILURE ? failure : (entriesError ?? tasksError)
  return {
    ...stateOf(entriesStatus === 'ready' && tasksStatus === 'ready', complete, error),
    input,
    isPartial: !complete && error !== null,
    online,
    retry: reload,
  }
}

const NAMELESS_FAILURE = 'Failed to load time entries'

function stateOf(known: boolean, complete: boolean, error: string | null): ReportState {
  if (known && (complete || error !== null)) return { status: 'ready', error }
  if (error !== null) return { status: 'failed', error }
  return { status: known ? 'arriving' : 'loading', error }
}

/**
 * The same input until something else than the second has changed: for what shows minutes only, so
 * that a running timer does not search the history for it each second.
 */
export function useMinuteInput(input: ReportInput): ReportInput {
  const [kept, setKept] = useState(input)
  if (isSameMinute(kept, input)) return kept
  setKept(input)
  return input
}

/** The running timer's minutes as they are shown: they turn at another second than the clock's. */
function minutesOf(live: TimeEntry | null): number {
  return Math.floor((live?.durationSeconds ?? 0) / 60)
}

function isSameMinute(a: ReportInput, b: ReportInput): boolean {
  return (
    a.entries === b.entries &&
    a.tasks === b.tasks &&
    a.dayRule === b.dayRule &&
    a.weekStart === b.weekStart &&
    a.hourCycle === b.hourCycle &&
    a.live?.id === b.live?.id &&
    a.live?.startedAt === b.live?.startedAt &&
    a.live?.taskId === b.live?.taskId &&
    a.live?.pauses.intervals.length === b.live?.pauses.intervals.length &&
    Math.floor(a.now / 60_000) === Math.floor(b.now / 60_000) &&
    minutesOf(a.live) === minutesOf(b.live)
  )
}
