import type { ReactNode } from 'react'
import { t } from '@stint/core/text.ts'
import { formatDuration } from '@stint/core/time/duration.ts'
import { recentSessions, taskStats } from '@stint/core/reports/task-report.ts'
import { Panel } from '#ui/row.tsx'
import { StatCard, StatCards } from '#ui/stat-card.tsx'
import { SAMPLE, SAMPLE_TASK_ID, SAMPLE_TASKS } from './sample.ts'

/** A panel of the product with its heading. */
export function Picture({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel className="flex flex-col gap-4 p-4 md:p-5">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </Panel>
  )
}

/** The analytics of the sample task: figures, the week's chart and recent sessions. */
export function SampleTask({ title, bars }: { title: string; bars: ReactNode }) {
  const task = SAMPLE_TASKS.find(({ id }) => id === SAMPLE_TASK_ID)
  if (!task) return null
  const stats = taskStats(SAMPLE, task)
  return (
    <div className="flex flex-col gap-3">
      <StatCards>
        <StatCard label={t('Total Time')} value={formatDuration(stats.totalSeconds)} />
        <StatCard label={t('Sessions')} value={stats.sessions} />
        <StatCard label={t('Avg Session')} value={formatDuration(stats.averageSeconds)} />
        <StatCard label={t('Today')} value={formatDuration(stats.todaySeconds)} />
      </StatCards>
      <Picture title={title}>{bars}</Picture>
      <Picture title={t('Recent Sessions')}>
        <ul className="-mt-2 text-sm">
          {recentSessions(SAMPLE, task.id, 3).map((session) => (
            <li
              key={session.entry.id}
              className="figures flex h-10 items-center gap-4 border-t border-line first:border-t-0"
            >
              <span className="w-20">{session.day}</span>
              <span className="grow text-quiet">
                {session.startTime} – {session.endTime}
              </span>
              {formatDuration(session.durationSeconds)}
              <span className="text-quiet max-md:hidden">{session.label}</span>
            </li>
          ))}
        </ul>
      </Picture>
    </div>
  )
}
