/** The input of the report pages, kept up to date, and whether it is complete. */
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { t } from '@stint/core/text.ts'
import { useMemo, useState } from 'react'

import { useEntries, useLiveEntry } from './use-entries.ts'
import { useCategoryColors } from './use-categories.ts'
import { useDayRule } from './use-settings.ts'
import { useSettings } from './use-settings.ts'
import { useTasks } from './use-tasks.ts'
import { useNow } from './use-now.ts'
import { useConnection } from './use-connection.ts'

export type Report = ReportState & ReportFields

type ReportState =
  /**
   * 'loading': nothing is loaded. 'arriving': the history is partly loaded, so any total would be
   * wrong.
   */
  | { readonly status: 'loading' | 'arriving'; readonly error: null }
  /** Nothing is loaded, and the last load failed. */
  | { readonly status: 'failed'; readonly error: string }
  /** The figures can be shown. `error` is why the last load failed, shown as a notice. */
  | { readonly status: 'ready'; readonly error: string | null }

interface ReportFields {
  /**
   * `entries` keeps its reference while no entry changes; the other fields change every second while
   * the timer runs.
   */
  readonly input: ReportInput
  /** True when the figures cover only a part of the history and the rest failed to load. */
  readonly isPartial: boolean
  readonly online: boolean
  readonly retry: () => void
}

/**
 * Returns the input of every figure. Re-renders every second while the timer runs. `failure` is the
 * text of a failed load without a known reason.
 */
export function useReport(failure = DEFAULT_FAILURE): Report {
  const { status: entriesStatus, entries, complete, error: entriesError } = useEntries()
  const { status: tasksStatus, allTasks, error: tasksError, reload } = useTasks()
  const { online } = useConnection()
  const now = useNow()
  const dayRule = useDayRule()
  const { weekStart, hourCycle } = useSettings()
  const live = useLiveEntry(now)
  const categoryColors = useCategoryColors()
  const input = useMemo(
    () => ({ entries, live, tasks: allTasks, categoryColors, dayRule, weekStart, hourCycle, now }),
    [entries, live, allTasks, categoryColors, dayRule, weekStart, hourCycle, now],
  )
  const error = entriesError === DEFAULT_FAILURE ? failure : (entriesError ?? tasksError)
  return {
    ...stateOf(entriesStatus === 'ready' && tasksStatus === 'ready', complete, error),
    input,
    isPartial: !complete && error !== null,
    online,
    retry: reload,
  }
}

const DEFAULT_FAILURE = t('Failed to load time entries')

function stateOf(known: boolean, complete: boolean, error: string | null): ReportState {
  if (known && (complete || error !== null)) return { status: 'ready', error }
  if (error !== null) return { status: 'failed', error }
  return { status: known ? 'arriving' : 'loading', error }
}

/**
 * Returns the same input until something other than the seconds changes. For charts that show minutes,
 * so that a running timer does not recalculate them every second.
 */
export function useMinuteInput(input: ReportInput): ReportInput {
  const [kept, setKept] = useState(input)
  if (isSameMinute(kept, input)) return kept
  setKept(input)
  return input
}

/**
 * Returns the displayed minutes of the running timer, which change at another second than the clock's.
 */
function minutesOf(live: TimeEntry | null): number {
  return Math.floor((live?.durationSeconds ?? 0) / 60)
}

/** Whether each field of the input shows the same. A new field does not compile without it. */
const IS_SAME: {
  readonly [K in keyof ReportInput]-?: (a: ReportInput, b: ReportInput) => boolean
} = {
  entries: (a, b) => a.entries === b.entries,
  tasks: (a, b) => a.tasks === b.tasks,
  dayRule: (a, b) => a.dayRule === b.dayRule,
  weekStart: (a, b) => a.weekStart === b.weekStart,
  categoryColors: (a, b) => a.categoryColors === b.categoryColors,
  hourCycle: (a, b) => a.hourCycle === b.hourCycle,
  live: (a, b) =>
    a.live?.id === b.live?.id &&
    a.live?.startedAt === b.live?.startedAt &&
    a.live?.taskId === b.live?.taskId &&
    a.live?.pauses.intervals.length === b.live?.pauses.intervals.length &&
    minutesOf(a.live) === minutesOf(b.live),
  now: (a, b) => Math.floor(a.now / 60_000) === Math.floor(b.now / 60_000),
}

function isSameMinute(a: ReportInput, b: ReportInput): boolean {
  return Object.values(IS_SAME).every((isSame) => isSame(a, b))
}
