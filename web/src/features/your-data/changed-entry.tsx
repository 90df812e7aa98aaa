import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import type { ReactNode } from 'react'
import { useDayRule, useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'

/** What a change does: the session before, struck out, and after. */
export function ChangedEntry({
  label,
  change: { before, after },
  newTask,
  now,
  children,
}: {
  label: string
  change: EntryChange
  /** The task of the session, if the change adds it. */
  newTask?: Pick<Task, 'id' | 'name'> | null | undefined
  now: number
  children?: ReactNode
}) {
  const { allTasks, colors } = useTasks()
  const dayRule = useDayRule()
  const { hourCycle } = useSettings()
  const nameOf = ({ taskId }: TimeEntry) =>
    newTask?.id === taskId ? newTask.name : nameInReports(allTasks.find(({ id }) => id === taskId))
  const timesOf = (entry: TimeEntry) =>
    `${sessionDay(entry.startedAt, now, dayRule)}, ${sessionTimes(entry, dayRule.timeZone, hourCycle)}`
  const stays = after.deletedAt === null
  const parts: readonly [was: string | null, is: string | null][] = [
    [before && nameOf(before), nameOf(after)],
    [before && timesOf(before), timesOf(after)],
    [before && before.note, after.note],
  ]
  return (
    <span className="flex min-w-0 flex-1 flex-col text-sm">
      <span className="flex items-center gap-2 text-xs text-quiet">
        <Dot tintName={colors.get(after.taskId)} />
        {label}
      </span>
      {parts.map(([was, is], index) => (
        <span key={index} className="flex flex-wrap gap-x-2">
          {was !== null && (!stays || was !== is) && (
            <s className="min-w-0 text-quiet">
              <Name text={was} />
            </s>
          )}
          {stays && is !== null && (
            <span className="min-w-0 text-ink">
              <Name text={is} />
            </span>
          )}
        </span>
      ))}
      {children}
    </span>
  )
}
