import { flushSync } from 'react-dom'
import { deleteEntry } from '@stint/core/record/entry-change.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { duplicateEntry, entryProblem, mergeEntries } from '@stint/core/record/entry-edit.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { timeBetween } from '@stint/core/reports/day-gaps.ts'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'
import { keepFocusInList } from '#ui/keep-focus-in-list.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useTimerCommands } from '#hooks/use-timer-commands.ts'
import type { Merge } from './editor-state.ts'

/** The other actions on a saved session: continue, split, merge, duplicate and delete. */
export function OtherActions({
  entry,
  entries,
  onSplit,
  onMerge,
  onDone,
}: {
  entry: TimeEntry
  entries: readonly TimeEntry[]
  onSplit: () => void
  /** Asks before sessions that do not follow each other are merged. */
  onMerge: (merge: Merge) => void
  onDone: () => void
}) {
  const { change, newId, now } = useRecordCommands()
  const { tasks } = useTasks()
  const { timer } = useTimer()
  const { start } = useTimerCommands()
  const { before, after } = neighboursOf(entry, entries)
  const act = (
    label: string,
    message: string,
    changes: () => readonly EntryChange[],
    { className, undone }: { className?: string; undone?: string } = {},
  ) => (
    <Button
      variant="quiet"
      size="small"
      className={className}
      onClick={() => {
        // Closed synchronously, so that the row has the focus again before the change may remove it.
        flushSync(onDone)
        keepFocusInList()
        void change({ entries: changes() }, message, undone)
      }}
    >
      {label}
    </Button>
  )
  const merge = (label: string, neighbour: TimeEntry | undefined) => {
    if (!neighbour) return null
    const merged = () => mergeEntries([entry, neighbour], now())
    // Sessions that are months apart would merge into one that is too long to save.
    const canMerge = merged().every(
      ({ after }) => after.deletedAt !== null || entryProblem(after, now()) === null,
    )
    if (!canMerge) return null
    const between = timeBetween(entry, neighbour, entries)
    if (!between) return act(label, t('Sessions merged'), merged)
    return (
      <Button variant="quiet" size="small" onClick={() => onMerge({ entry, neighbour, between })}>
        {label}
      </Button>
    )
  }

  return (
    <fieldset
      aria-label={t('More')}
      className="-mx-2 flex flex-wrap gap-x-1 border-t border-line pt-3 *:px-2"
    >
      {tasks.some(({ id }) => id === entry.taskId) && (
        <Button
          variant="quiet"
          size="small"
          disabled={timer.status !== 'idle'}
          onClick={() => {
            onDone()
            void start(entry.taskId, entry.note ?? undefined)
          }}
        >
          {t('Continue')}
        </Button>
      )}
      {entry.durationSeconds > 1 && (
        <Button variant="quiet" size="small" onClick={onSplit}>
          {t('Split session')}
        </Button>
      )}
      {merge(t('Merge with previous'), before)}
      {merge(t('Merge with next'), after)}
      {act(t('Duplicate'), t('Session duplicated'), () => [duplicateEntry(entry, newId(), now())])}
      {act(t('Delete'), t('Session deleted'), () => [deleteEntry(entry, now())], {
        className: 'text-danger!',
        undone: t('Session restored'),
      })}
    </fieldset>
  )
}

/** Returns the previous and the next session of the same task. */
function neighboursOf(entry: TimeEntry, entries: readonly TimeEntry[]) {
  const ofTask = entries.filter(({ taskId }) => taskId === entry.taskId)
  const place = ofTask.findIndex(({ id }) => id === entry.id)
  return { before: ofTask[place - 1], after: place === -1 ? undefined : ofTask[place + 1] }
}
