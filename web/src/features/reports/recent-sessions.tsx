import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { pausedMilliseconds } from '@stint/core/timer/pauses.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { recentSessions } from '@stint/core/reports/task-report.ts'
import { useFormats } from '#features/settings/api.ts'
import { Quiet } from '#ui/quiet.tsx'
import { Icon } from '#ui/icon.tsx'
import { Button } from '#ui/button.tsx'
import { openEditor } from '#features/entries/api.ts'
import { Name } from '#ui/name.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EditSession } from './edit-session.tsx'
import { ChartSection } from './chart-section.tsx'
import { useMinuteInput } from './use-report.ts'

/** The five most recent sessions. */
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
  const sessions = useMemo(() => recentSessions(steady, taskId), [steady, taskId])
  return (
    <ChartSection
      title={t('Recent Sessions')}
      table={null}
      action={
        <Button variant="quiet" size="small" onClick={() => openEditor({ kind: 'add', taskId })}>
          <Icon of={Plus} />
          {t('Add time')}
        </Button>
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
          {sessions.map(({ entry, day, startTime, endTime, durationSeconds, label }) => (
            <li
              key={entry.id}
              className="figures relative grid min-h-14 max-md:pe-10 grid-cols-[1fr_auto] items-center gap-x-4 py-2 md:min-h-10 md:grid-cols-[8rem_9rem_1fr_auto_auto] md:py-0"
            >
              <span>{day}</span>
              <span className="text-quiet max-md:order-last">
                {startTime} – {endTime}
              </span>
              <span className="text-quiet max-md:order-last max-md:text-end">
                {label}
                <Paused milliseconds={pausedMilliseconds(entry.pauses)} />
              </span>
              <span title={exactDuration(durationSeconds)} className="text-end font-semibold">
                {duration(durationSeconds)}
              </span>
              <EditSession
                entryId={entry.id}
                what={`${day}, ${startTime} – ${endTime}`}
                className="max-md:absolute max-md:inset-y-0 max-md:-end-2 max-md:my-auto md:-me-2"
              />
              {entry.note && (
                <Name text={entry.note} className="order-last col-span-full text-quiet md:pb-2" />
              )}
            </li>
          ))}
        </ul>
      )}
    </ChartSection>
  )
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
