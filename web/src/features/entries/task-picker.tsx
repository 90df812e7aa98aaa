import { t } from '@stint/core/text.ts'

import { useTaskChoices } from '#hooks/use-task-choices.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import type { DraftChange, EditorDraft } from './editor-state.ts'

/**
 * Picks the task by a part of its name, those worked on last first, or names a new one, which Save
 * creates.
 */
export function TaskPicker({
  draft: { taskId, newTask: added, isSubmitted },
  onPick,
}: {
  draft: EditorDraft
  onPick: (to: DraftChange) => void
}) {
  const { choices, find, createdBy } = useTaskChoices(taskId, added)
  return (
    <ChoiceField
      label={t('Task')}
      placeholder={t('Pick a task')}
      chosen={choices.find(({ id }) => id === taskId) ?? null}
      error={isSubmitted && taskId === '' ? t('Pick a task.') : null}
      find={find}
      onChoose={(choice) => {
        const task = createdBy(choice)
        onPick(task ? { taskId: task.id, newTask: task } : { taskId: choice.id })
      }}
    />
  )
}
