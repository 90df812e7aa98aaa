/** The search for sessions. It is loaded when a text is typed into the palette. */
import { parseFilter } from '@stint/core/record/session-filter.ts'
import type { FilterContext } from '@stint/core/record/session-filter.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { findSessions, prepareNotes } from '@stint/core/reports/found-sessions.ts'
import { endClockTime, localDate, sessionDay, timeInRange } from '@stint/core/time/calendar.ts'
import { briefDuration } from '@stint/core/time/duration.ts'

const MAX_SESSIONS = 5
/** As long as the search may hold up a keystroke. */
const SLICE_MILLISECONDS = 8

export interface SearchInput extends FilterContext {
  /** Ordered by start. */
  readonly entries: readonly TimeEntry[]
  /** All tasks, deleted ones too. */
  readonly tasks: readonly Task[]
}

/** A session as the palette shows it. */
export interface FoundSession {
  readonly id: string
  readonly taskId: string
  readonly name: string
  /** Its day, its times, its length and its note. */
  readonly detail: string
  /** The address of its day. */
  readonly path: string
}

/** Returns the last five sessions that the text finds, newest first. Typing comes before each step. */
export async function latestSessions(
  text: string,
  input: SearchInput,
  signal: AbortSignal,
): Promise<readonly FoundSession[]> {
  const { entries, tasks, dayRule } = input
  let until = 0
  do {
    await nextTask()
    if (signal.aborted) return []
    until = performance.now() + SLICE_MILLISECONDS
  } while (!prepareNotes(entries, dayRule, () => performance.now() < until))
  const { worked, indexes } = findSessions(parseFilter(text, input), entries, tasks)
  return Array.from(indexes.subarray(-MAX_SESSIONS))
    .toReversed()
    .flatMap((index) => {
      const entry = worked.entries[index]
      return entry ? [shown(entry, input)] : []
    })
}

function shown(entry: TimeEntry, { tasks, dayRule, hourCycle, now }: SearchInput): FoundSession {
  const { id, taskId, startedAt, endedAt, durationSeconds, note } = entry
  const start = timeInRange(startedAt, dayRule.timeZone, hourCycle)
  const end = endClockTime(startedAt, endedAt, dayRule.timeZone, hourCycle)
  const day = sessionDay(startedAt, now, dayRule)
  const times = `${day}, ${start} – ${end} · ${briefDuration(durationSeconds)}`
  return {
    id,
    taskId,
    name: nameInReports(tasks.find((task) => task.id === taskId)),
    detail: note === null || note === '' ? times : `${times} · ${note}`,
    path: `/reports?day=${localDate(startedAt, dayRule)}`,
  }
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve)
  })
}
