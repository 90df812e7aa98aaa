import { ArrowRight } from 'lucide-react'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { nameInReports } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { Button } from '#ui/button.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Name } from '#ui/name.tsx'
import { Dot } from '#ui/row.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import type { Clock } from './time-texts.ts'

/**
 * Asks whether to trim the sessions that overlap the entry, with a preview. The answer that changes nothing is the first.
 */
export function OverlapChoice({
  entry,
  overlapped,
  trims,
  clock: { timeZone, hourCycle },
  onSave,
  onCancel,
}: {
  entry: TimeEntry
  overlapped: readonly TimeEntry[]
  trims: readonly EntryChange[]
  clock: Clock
  onSave: (trims: readonly EntryChange[]) => void
  onCancel: () => void
}) {
  const { allTasks, colors } = useTasks()
  const spanOf = (entry: TimeEntry) => sessionTimes(entry, timeZone, hourCycle)
  const timesOf = (entry: TimeEntry) => `${spanOf(entry)} (${exactDuration(entry.durationSeconds)})`
  const deletions = trims.filter(({ after }) => after.deletedAt !== null).length
  return (
    <>
      <p className="text-sm">
        {t(
          '{count, plural, one {{times} overlaps another session. Trimming would change:} other {{times} overlaps {count} other sessions. Trimming would change:}}',
          { times: spanOf(entry), count: overlapped.length },
        )}
      </p>
      <ul
        aria-label={t('What trimming does')}
        className="flex flex-col divide-y divide-line text-sm"
      >
        {trims.map(({ before, after }) => (
          <li key={after.id} className="flex flex-col gap-0.5 py-2">
            <span className="flex min-w-0 items-center gap-2 text-ink">
              <Dot tintName={colors.get(after.taskId)} />
              <Name text={nameInReports(allTasks.find(({ id }) => id === after.taskId))} />
            </span>
            <span className="figures flex flex-wrap items-center gap-x-2 ps-4.5">
              <span>{before ? timesOf(before) : t('a second part')}</span>
              <ArrowRight aria-label={t('becomes')} className="size-3.5 shrink-0" />
              <span className="text-ink">
                {after.deletedAt === null ? timesOf(after) : t('deleted (fully covered)')}
              </span>
            </span>
          </li>
        ))}
      </ul>
      <FormActions>
        <Button variant="primary" ref={takeFocus} onClick={() => onSave([])}>
          {overlapped.length > 1 ? t('Keep all') : t('Keep both')}
        </Button>
        <Button variant={deletions > 0 ? 'danger' : 'secondary'} onClick={() => onSave(trims)}>
          {trimLabel(trims.length, deletions)}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </FormActions>
    </>
  )
}

/** Returns the label of a button that trims: it says how many sessions it deletes. */
function trimLabel(changes: number, count: number): string {
  if (count === 0) return t('Trim overlaps')
  return count === changes
    ? t('{count, plural, one {Delete # session} other {Delete # sessions}}', { count })
    : t('{count, plural, one {Trim, and delete # session} other {Trim, and delete # sessions}}', {
        count,
      })
}
