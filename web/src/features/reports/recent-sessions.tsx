import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from '#ui/navigation.tsx'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { pausedMilliseconds } from '@stint/core/timer/pauses.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import type { Task } from '@stint/core/record/task.ts'
import { recentSessions } from '@stint/core/reports/task-report.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { Quiet } from '#ui/quiet.tsx'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { Button, buttonClasses } from '#ui/button.tsx'
import { openEditor } from '#hooks/requests.ts'
import { ContinueSession } from '#hooks/continue-session.tsx'
import { NoteText } from '#hooks/note-text.tsx'
import { Name } from '#ui/name.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EditSession } from './edit-session.tsx'
import { ChartSection } from '#ui/chart-section.tsx'
import { useMinuteInput } from '#hooks/use-report.ts'

/** The five most recent sessions. A task that is not deleted can be continued from each. */
export function RecentSessions({
  input,
  taskId,
  pending,
}: {
  input: ReportInput
  taskId: string
  pending: boolean
}) {
  const steady = useMinuteInput(input)
  const { duration } = useFormats()
  const task = input.tasks.find(({ id }) => id === taskId)
  const sessions = useMemo(() => recentSessions(steady, taskId), [steady, taskId])
  return (
    <ChartSection
      title={t('Recent Sessions')}
      table={null}
      action={
        <div className="flex items-center">
          {task && (
            <Link to={sessionsPath(task)} className={buttonClasses('quiet', 'small')}>
              {t('Show all')}
            </Link>
          )}
          <Button variant="quiet" size="small" onClick={() => openEditor({ kind: 'add', taskId })}>
            <Icon of={Plus} />
            {t('Add time')}
          </Button>
        </div>
      }
    >
      {pending ? (
        <div aria-hidden="true" className="flex flex-col gap-4 pb-2">
          <Skeleton className="h-4 w-4/5" />
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      ) : sessions.length === 0 ? (
        <Quiet>{t('Finished sessions appear here.')}</Quiet>
      ) : (
        <ul className="-mt-1 divide-y divide-line text-sm">
          {sessions.map(({ entry, day, startTime, endTime, durationSeconds, label }) => {
            const what = `${day}, ${startTime} – ${endTime}`
            return (
              <li
                key={entry.id}
                className={classNames(
                  'figures relative grid min-h-14 grid-cols-[1fr_auto] items-center gap-x-2 py-2 wide:min-h-10 wide:gap-x-4 wide:py-0',
                  task?.isActive
                    ? 'max-wide:pe-17 wide:grid-cols-[8rem_9rem_1fr_auto_auto_auto]'
                    : 'max-wide:pe-10 wide:grid-cols-[8rem_9rem_1fr_auto_auto]',
                )}
              >
                <span>{day}</span>
                <span className="text-quiet max-wide:order-last">
                  {startTime} – {endTime}
                </span>
                <span className="text-quiet max-wide:order-last max-wide:text-end">
                  {label}
                  <Paused milliseconds={pausedMilliseconds(entry.pauses)} />
                </span>
                <span title={exactDuration(durationSeconds)} className="text-end font-semibold">
                  {duration(durationSeconds)}
                </span>
                {task?.isActive && (
                  <ContinueSession
                    taskId={taskId}
                    note={entry.note}
                    what={what}
                    className="max-wide:absolute max-wide:inset-y-0 max-wide:end-7 max-wide:my-auto wide:-me-4 print:hidden"
                  />
                )}
                <EditSession
                  entryId={entry.id}
                  what={what}
                  className="max-wide:absolute max-wide:inset-y-0 max-wide:-end-2 max-wide:my-auto wide:-me-2"
                />
                {entry.note && (
                  <Name text={entry.note} className="order-last col-span-full text-quiet wide:pb-2">
                    <NoteText note={entry.note} />
                  </Name>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </ChartSection>
  )
}

/** Returns the address of the sessions of a task. Quotes end a part of the filter, so they cannot be in it. */
function sessionsPath({ name }: Task): string {
  const [longest = ''] = name.split(/["“”„«»]/u).toSorted((a, b) => b.length - a.length)
  return `/sessions?${new URLSearchParams({ q: `task:"${longest.trim()}"` }).toString()}`
}

/** Shows the paused time when it is at least a minute. */
function Paused({ milliseconds }: { milliseconds: number }) {
  const { duration } = useFormats()
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 60) return null
  return (
    <span className="whitespace-nowrap max-md:hidden">
      {' '}
      · {t('{duration} paused', { duration: duration(seconds) })}
    </span>
  )
}
