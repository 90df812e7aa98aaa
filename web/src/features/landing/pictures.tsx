import type { ReactNode } from 'react'
import { formatDuration, spokenDuration } from '@stint/core/duration.ts'
import { periodOf } from '@stint/core/period.ts'
import { periodBars, taskBreakdown } from '@stint/core/report.ts'
import { activityPattern, recentSessions, taskStats } from '@stint/core/task-report.ts'
import { Dot, Panel } from '#ui/row.tsx'
import { StatCard, StatCards } from '#ui/stat-card.tsx'
import { tint } from '#ui/tint.ts'
import { SAMPLE, SAMPLE_TASK_ID, SAMPLE_TASKS } from './sample.ts'

const MONTH = periodOf('monthly', SAMPLE.now, SAMPLE.zone)
const WEEK = periodOf('weekly', SAMPLE.now, SAMPLE.zone)

/** The 100 squares of the sample's month. */
export function SampleBreakdown() {
  const { rows, squares } = taskBreakdown(SAMPLE, MONTH)
  return (
    <Panel className="flex flex-col gap-5 p-5">
      <div aria-hidden="true" className="grid grid-cols-25 gap-1 md:grid-cols-50">
        {squares.map((row, square) => (
          <span
            // A square is its place.
            // oxlint-disable-next-line react/no-array-index-key
            key={square}
            className="aspect-square rounded-square bg-empty"
            style={row === null ? {} : { backgroundColor: tint(rows[row]?.color ?? 'slate') }}
          />
        ))}
      </div>
      <ul className="text-sm">
        {rows.map((row) => (
          <li key={row.taskId} className="flex h-9 items-center gap-2.5">
            <Dot tintName={row.color} />
            <span className="grow">{row.name}</span>
            <span className="figures w-20 text-right text-quiet">
              {formatDuration(row.seconds)}
            </span>
            <span className="figures w-12 text-right">{row.percentLabel}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Seven days of 24 hours of the sample task. */
export function SampleActivity() {
  const days = activityPattern(SAMPLE, SAMPLE_TASK_ID, WEEK)
  const taskColor = tint('violet')
  return (
    <Panel className="flex flex-col gap-1 p-5 text-xs text-quiet">
      {days.map((day) => (
        <div key={day.date} className="flex items-center gap-3">
          <span className="w-8">{day.label}</span>
          <span className="sr-only">
            {day.sessions
              .map(({ startTime, endTime }) => `${startTime} to ${endTime}`)
              .join(', ') || 'nothing'}
          </span>
          <div
            aria-hidden="true"
            className="grid h-6 grow grid-cols-24 divide-x divide-line border-x border-line"
          >
            {day.cells.map(({ hour, segments }) => (
              <span key={hour} className="relative">
                {segments
                  .filter(({ kind }) => kind === 'work')
                  .map((segment) => (
                    <span
                      key={segment.startPercent}
                      className="absolute inset-y-1"
                      style={{
                        left: `${Math.round(segment.startPercent)}%`,
                        width: `${Math.round(segment.durationPercent)}%`,
                        backgroundColor: taskColor,
                      }}
                    />
                  ))}
              </span>
            ))}
          </div>
        </div>
      ))}
      <div aria-hidden="true" className="figures flex pl-11">
        {['00', '06', '12', '18'].map((hour) => (
          <span key={hour} className="grow basis-0">
            {hour}
          </span>
        ))}
      </div>
    </Panel>
  )
}

/** The figures, bars and last sessions of the sample task. */
export function SampleTask() {
  const task = SAMPLE_TASKS[0]
  if (!task) return null
  const stats = taskStats(SAMPLE, task)
  const { bars, title } = periodBars(SAMPLE, WEEK, task.id)
  return (
    <div className="flex flex-col gap-3">
      <StatCards>
        <StatCard label="Total Time" value={formatDuration(stats.totalSeconds)} />
        <StatCard label="Sessions" value={stats.sessions} />
        <StatCard label="Avg Session" value={formatDuration(stats.averageSeconds)} />
        <StatCard label="Today" value={formatDuration(stats.todaySeconds)} />
      </StatCards>
      <Titled title={title}>
        {bars.map((bar) => (
          <div key={bar.label} className="flex h-8 items-center gap-3 text-sm">
            <span className="w-8 text-quiet">{bar.label}</span>
            <span className="sr-only">{spokenDuration(bar.seconds)}</span>
            <span aria-hidden="true" className="flex h-full grow items-center gap-2">
              <span
                className="h-3.5 rounded-square"
                style={{
                  width: `${Math.round(0.85 * bar.widthPercent)}%`,
                  backgroundColor: tint('violet'),
                }}
              />
              <span className="figures text-xs text-quiet">{bar.hoursLabel}</span>
            </span>
          </div>
        ))}
      </Titled>
      <Titled title="Recent Sessions">
        {recentSessions(SAMPLE, task.id, 3).map((session) => (
          <div key={session.entry.id} className="figures flex h-9 items-center gap-4 text-sm">
            <span className="w-20">{session.day}</span>
            <span className="grow text-quiet">
              {session.startTime} – {session.endTime}
            </span>
            {formatDuration(session.durationSeconds)}
            <span className="text-quiet max-md:hidden">{session.label}</span>
          </div>
        ))}
      </Titled>
    </div>
  )
}

function Titled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel className="flex flex-col p-5">
      <h3 className="pb-2 text-sm font-semibold">{title}</h3>
      {children}
    </Panel>
  )
}
