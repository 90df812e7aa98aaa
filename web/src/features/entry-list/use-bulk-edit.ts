/** Edits of many sessions at once, with one Undo for all. */
import { bulkChanges } from '@stint/core/record/bulk-edit.ts'
import type { BulkEdit } from '@stint/core/record/bulk-edit.ts'
import type { Task } from '@stint/core/record/task.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { t } from '@stint/core/text.ts'
import { exactDuration } from '@stint/core/time/duration.ts'
import { useState } from 'react'

import { SAVE_FAILED, useRecordCommands } from '#hooks/use-record-commands.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { showToast } from '#ui/toast.tsx'

/** The number of sessions that one write saves, so that the page stays responsive. */
const SLICE = 2000

export interface BulkEditing {
  /** The share that is saved, from 0 to 1; null when nothing is being saved. */
  readonly progress: number | null
  /** Makes the edit where it fits and says what was done. */
  readonly edit: (entries: readonly TimeEntry[], edit: BulkEdit) => Promise<void>
}

export function useBulkEdit(): BulkEditing {
  const { changeMany, now } = useRecordCommands()
  const { allTasks } = useTasks()
  const [progress, setProgress] = useState<number | null>(null)

  async function edit(entries: readonly TimeEntry[], wanted: BulkEdit) {
    const { changes, unfit } = bulkChanges(entries, wanted, now())
    if (unfit.length > 0) showToast({ text: unfitText(wanted, unfit.length) })
    if (changes.length === 0) {
      if (unfit.length === 0) showToast({ text: t('Nothing to change') })
      return
    }
    const slices = Array.from({ length: Math.ceil(changes.length / SLICE) }, (_, index) => ({
      entries: changes.slice(index * SLICE, (index + 1) * SLICE),
    }))
    setProgress(0)
    try {
      const callbacks = {
        onProgress: (done: number) => setProgress(done / slices.length),
        onUndone: () => undefined,
      }
      const message = messageOf(wanted, changes.length, allTasks)
      await changeMany(slices, message, callbacks, undoneOf(wanted, changes.length))
    } catch {
      showToast({ text: SAVE_FAILED, tone: 'danger' })
    } finally {
      setProgress(null)
    }
  }

  return { progress, edit }
}

/** Returns why the edit does not fit so many sessions. */
export function unfitText(edit: BulkEdit, count: number): string {
  if (edit.kind === 'tag') {
    return t(
      '{count, plural, one {# note has no room for {tag}} other {# notes have no room for {tag}}}',
      { count, tag: `#${edit.tag}` },
    )
  }
  return edit.kind === 'shift' && edit.milliseconds < 0
    ? t('The start is not a time that can be saved.')
    : t(
        '{count, plural, one {# session would end in the future.} other {# sessions would end in the future.}}',
        { count },
      )
}

function messageOf(edit: BulkEdit, count: number, tasks: readonly Task[]): string {
  switch (edit.kind) {
    case 'move':
      return t(
        '{count, plural, one {# session moved to {task}} other {# sessions moved to {task}}}',
        { count, task: tasks.find(({ id }) => id === edit.taskId)?.name ?? '' },
      )
    case 'tag':
      return t(
        '{count, plural, one {{tag} added to # session} other {{tag} added to # sessions}}',
        { count, tag: `#${edit.tag}` },
      )
    case 'untag':
      return t(
        '{count, plural, one {{tag} removed from # session} other {{tag} removed from # sessions}}',
        { count, tag: `#${edit.tag}` },
      )
    case 'shift':
      return edit.milliseconds < 0
        ? t(
            '{count, plural, one {# session moved {duration} earlier} other {# sessions moved {duration} earlier}}',
            { count, duration: exactDuration(-edit.milliseconds / 1000) },
          )
        : t(
            '{count, plural, one {# session moved {duration} later} other {# sessions moved {duration} later}}',
            { count, duration: exactDuration(edit.milliseconds / 1000) },
          )
    case 'delete':
      return t('{count, plural, one {# session deleted} other {# sessions deleted}}', { count })
  }
}

function undoneOf({ kind }: BulkEdit, count: number): string | undefined {
  return kind === 'delete'
    ? t('{count, plural, one {# session restored} other {# sessions restored}}', { count })
    : undefined
}
