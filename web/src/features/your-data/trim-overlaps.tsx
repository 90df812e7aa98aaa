import { useMemo, useState } from 'react'
import { sessionDay } from '@stint/core/time/calendar.ts'
import type { Finding } from '@stint/core/record/data-health.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { trimOverlaps } from '@stint/core/record/trim-overlaps.ts'
import type { OverlapTrim, TrimmedEntry } from '@stint/core/record/trim-overlaps.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'
import { Scroller } from '#ui/scroller.tsx'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useDayRule, useSettings } from '#hooks/use-settings.ts'
import { useTasks } from '#hooks/use-tasks.ts'

/** How many sessions are listed at first, and added at a time. */
const PAGE_SIZE = 100

/** Shows what trimming all overlaps would change, and asks. */
export function TrimOverlaps({
  findings,
  accepted,
  entries,
  onTrim,
  onClose,
}: {
  findings: readonly Finding[]
  /** The overlaps that stay. */
  accepted: readonly Finding[]
  entries: readonly TimeEntry[]
  onTrim: (trim: OverlapTrim) => void
  onClose: () => void
}) {
  const { newId, now } = useRecordCommands()
  const [openedAt] = useState(now)
  const trim = useMemo(
    () => trimOverlaps(findings, accepted, newId, openedAt),
    [findings, accepted, newId, openedAt],
  )
  const [listed, setListed] = useState(PAGE_SIZE)
  const before = useMemo(
    () => entries.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0),
    [entries],
  )
  const { trimmed, seconds } = trim
  const deletions = trimmed.filter(({ parts }) => parts.length === 0).length
  return (
    <Dialog
      open
      title={t('Trim all overlaps')}
      onClose={onClose}
      actions={
        <>
          <Button
            variant={deletions > 0 ? 'danger' : 'primary'}
            data-autofocus={deletions > 0 ? undefined : true}
            onClick={() => onTrim(trim)}
          >
            {deletions > 0
              ? t(
                  '{trims, plural, =0 {Delete {deletions, number}} one {Trim # session, delete {deletions, number}} other {Trim # sessions, delete {deletions, number}}}',
                  { trims: trimmed.length - deletions, deletions },
                )
              : t('{count, plural, one {Trim # session} other {Trim # sessions}}', {
                  count: trimmed.length,
                })}
          </Button>
          <Button
            variant="quiet"
            data-autofocus={deletions > 0 ? true : undefined}
            onClick={onClose}
          >
            {t('Cancel')}
          </Button>
        </>
      }
    >
      <p className="text-sm">
        {t(
          'The session that began earlier is cut. If both began together, the longer one is. Duplicates are deleted, and what you kept as is stays.',
        )}
      </p>
      <dl className="figures grid grid-cols-[1fr_auto] gap-x-4 text-sm">
        <Line name={t('Total before')} value={exactDuration(before)} />
        <Line name={t('Total after')} value={exactDuration(before - seconds)} />
        <Line name={t('Difference')} value={`−${exactDuration(seconds)}`} />
      </dl>
      <Scroller
        label={t('Sessions that change')}
        className="-mx-5 max-h-[45dvh] overflow-y-auto border-y border-line px-5"
      >
        <ul className="divide-y divide-line">
          {trimmed.slice(0, listed).map((each) => (
            <TrimmedRow key={each.entry.id} trimmed={each} now={openedAt} />
          ))}
        </ul>
        {trimmed.length > listed && (
          <Button
            variant="quiet"
            size="small"
            className="my-2"
            onClick={() => setListed(listed + PAGE_SIZE)}
          >
            {t('Show {count} more', { count: Math.min(PAGE_SIZE, trimmed.length - listed) })}
          </Button>
        )}
      </Scroller>
    </Dialog>
  )
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="text-end text-ink">{value}</dd>
    </>
  )
}

function TrimmedRow({
  trimmed: { entry, parts, seconds },
  now,
}: {
  trimmed: TrimmedEntry
  now: number
}) {
  const { allTasks, colors } = useTasks()
  const { timeZone, ...rest } = useDayRule()
  const { hourCycle } = useSettings()
  const day = sessionDay(entry.startedAt, now, { timeZone, ...rest })
  const left = parts.map((part) => sessionTimes(part, timeZone, hourCycle)).join(', ')
  return (
    <li className="lazy-row flex items-center gap-3 py-2">
      <Dot tintName={colors.get(entry.taskId)} />
      <div className="flex min-w-0 flex-1 flex-col">
        <Name
          text={nameInReports(allTasks.find(({ id }) => id === entry.taskId))}
          className="text-sm text-ink"
        />
        <span className="figures text-xs">
          {day}, <s>{sessionTimes(entry, timeZone, hourCycle)}</s>
        </span>
        <span className="figures text-xs text-ink">{left || t('session|Deleted')}</span>
      </div>
      <span className="figures shrink-0 text-end text-sm text-ink">{`−${exactDuration(seconds)}`}</span>
    </li>
  )
}
