import type { DayRule } from '@stint/core/time/day-rule.ts'
import { ArrowRight } from 'lucide-react'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'
import { useTasks } from '#features/tasks/api.ts'
import { useSettings } from '#features/settings/api.ts'
import { useDayRule } from './api.ts'

/** What trimming would do to each session that shares time with the new one. */
export function TrimPreview({ trims }: { trims: readonly EntryChange[] }) {
  const { allTasks, colors } = useTasks()
  const dayRule = useDayRule()
  const nameOf = (taskId: string) => nameInReports(allTasks.find((task) => task.id === taskId))
  return (
    <ul aria-label="What trimming does" className="flex flex-col divide-y divide-line text-sm">
      {trims.map(({ before, after }) => (
        <li key={after.id} className="flex flex-col gap-0.5 py-2">
          <span className="flex min-w-0 items-center gap-2 text-ink">
            <Dot tintName={colors.get(after.taskId)} />
            <Name text={nameOf(after.taskId)} />
          </span>
          <span className="figures flex flex-wrap items-center gap-x-2 pl-4.5">
            {before ? <Times entry={before} dayRule={dayRule} /> : <span>a second part</span>}
            <ArrowRight aria-label="becomes" className="size-3.5 shrink-0" />
            {after.deletedAt === null ? (
              <span className="text-ink">
                <Times entry={after} dayRule={dayRule} />
              </span>
            ) : (
              <span className="text-ink">deleted, as it lies wholly within</span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Times({ entry, dayRule }: { entry: TimeEntry; dayRule: DayRule }) {
  const { hourCycle } = useSettings()
  return (
    <span>
      {sessionTimes(entry, dayRule.timeZone, hourCycle)} ({exactDuration(entry.durationSeconds)})
    </span>
  )
}
