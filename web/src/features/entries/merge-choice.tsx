import { flushSync } from 'react-dom'
import { mergeEntries } from '@stint/core/record/entry-edit.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { t } from '@stint/core/text.ts'
import { briefDuration } from '@stint/core/time/duration.ts'
import { Button } from '#ui/button.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { keepFocusInList } from '#ui/keep-focus-in-list.ts'
import { takeFocus } from '#ui/take-focus.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { summaryOf } from './editor-state.ts'
import type { Merge } from './editor-state.ts'
import type { Clock } from './time-texts.ts'

/** Asks whether to merge two sessions with something between them, with a preview. */
export function MergeChoice({
  entry,
  neighbour,
  between,
  clock,
  onDone,
  onCancel,
}: Merge & {
  clock: Clock & { readonly now: number }
  onDone: () => void
  onCancel: () => void
}) {
  const { change, now } = useRecordCommands()
  const changes = () => mergeEntries([entry, neighbour], now())
  const merged = changes().find(({ after }) => after.deletedAt === null)?.after
  const both = [entry, neighbour].toSorted((a, b) => a.startedAt - b.startedAt)
  const line = (label: string, entries: readonly TimeEntry[]) => (
    <div className="flex flex-col gap-1">
      <dt>{label}</dt>
      {entries.map((each) => (
        <dd key={each.id} className="figures text-ink">
          {summaryOf(each, false, clock)}
        </dd>
      ))}
    </div>
  )
  return (
    <>
      <p className="text-sm">
        {t(
          '{count, plural, =0 {Between the two sessions are {gap}, which become a pause.} one {Between the two sessions are {gap}, which become a pause, and another session, which stays.} other {Between the two sessions are {gap}, which become a pause, and {count} other sessions, which stay.}}',
          { count: between.entries.length, gap: briefDuration(between.milliseconds / 1000) },
        )}
      </p>
      <dl className="flex flex-col gap-3 text-sm">
        {line(t('Two sessions'), both)}
        {merged && line(t('become one'), [merged])}
      </dl>
      <FormActions>
        <Button
          variant="primary"
          ref={takeFocus}
          onClick={() => {
            flushSync(onDone)
            keepFocusInList()
            void change({ entries: changes() }, t('Sessions merged'))
          }}
        >
          {t('Merge')}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </FormActions>
    </>
  )
}
