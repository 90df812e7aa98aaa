import { flushSync } from 'react-dom'
import { deleteEntry } from '@stint/core/record/entry-change.ts'
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { duplicateEntry, entryProblem, mergeEntries } from '@stint/core/record/entry-edit.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { Button } from '#ui/button.tsx'
import { keepPlace } from '#ui/keep-place.ts'
import type { RecordCommands } from './record-commands.ts'

/** What else can be done with a saved session than to edit it: split, merge, duplicate, delete. */
export function OtherActions({
  entry,
  entries,
  commands,
  onSplit,
  onDone,
}: {
  entry: TimeEntry
  entries: readonly TimeEntry[]
  commands: RecordCommands
  onSplit: () => void
  onDone: () => void
}) {
  const { before, after } = neighboursOf(entry, entries)
  const { newId, now } = commands
  const act = (
    label: string,
    said: string,
    changes: () => readonly EntryChange[] | null,
    className?: string,
  ) => (
    <Button
      variant="quiet"
      size="small"
      className={className}
      onClick={() => {
        // At once: the row that opened this has its focus back before it may go.
        flushSync(onDone)
        keepPlace()
        void commands.change({ entries: changes() ?? [] }, said)
      }}
    >
      {label}
    </Button>
  )
  /** Null where it would be no session that can be saved: months lie between them. */
  const merged = (...some: TimeEntry[]) => {
    const changes = mergeEntries(some, now())
    return changes[0] && entryProblem(changes[0].after, now()) === null ? changes : null
  }
  const merge = (label: string, ...some: TimeEntry[]) =>
    merged(...some) && act(label, 'Sessions merged', () => merged(...some))

  return (
    <fieldset
      aria-label="More"
      className="-mx-2 flex flex-wrap gap-x-1 border-t border-line pt-3 *:px-2"
    >
      {entry.durationSeconds > 1 && (
        <Button variant="quiet" size="small" onClick={onSplit}>
          Split
        </Button>
      )}
      {before && merge('Merge with previous', before, entry)}
      {after && merge('Merge with next', entry, after)}
      {act('Duplicate', 'Session duplicated', () => [duplicateEntry(entry, newId(), now())])}
      {act('Delete', 'Session deleted', () => [deleteEntry(entry, now())], 'text-danger!')}
    </fieldset>
  )
}

/** The task's sessions just before and after it. */
function neighboursOf(entry: TimeEntry, entries: readonly TimeEntry[]) {
  const ofTask = entries.filter(({ taskId }) => taskId === entry.taskId)
  const place = ofTask.findIndex(({ id }) => id === entry.id)
  return { before: ofTask[place - 1], after: place === -1 ? undefined : ofTask[place + 1] }
}
