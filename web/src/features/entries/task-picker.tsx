import { bestChoices } from '@stint/core/fuzzy-search.ts'
import { categorySign, fieldsInCategory, tasksInCategory } from '@stint/core/record/category.ts'
import { byLastWorked } from '@stint/core/record/recent.ts'
import { nameAndCategory } from '@stint/core/record/start-line.ts'
import { taskNamed, taskNameProblem } from '@stint/core/record/task-name.ts'
import { isCategorised, nameInReports, newTask } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { useMemo } from 'react'

import { useCategories } from '#hooks/use-categories.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import type { Choice } from '#ui/choice-field.tsx'
import type { DraftChange, EditorDraft } from './editor-state.ts'

const CREATE = 'create'

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
  const { allTasks, colors } = useTasks()
  const { entries } = useEntries()
  const { newId, now } = useRecordCommands()
  const categories = useCategories()
  const tasks = useMemo(
    () =>
      byLastWorked([...allTasks, ...(added ? [added] : [])], entries)
        .filter(({ id, isActive }) => isActive || id === taskId)
        .map((task) => ({ ...task, name: nameInReports(task) })),
    [allTasks, added, entries, taskId],
  )
  const choices = useMemo(
    () =>
      tasks.map((task) => ({
        id: task.id,
        label: task.name,
        tintName: colors.get(task.id),
        // By its category too, with the sign and without.
        keywords: isCategorised(task) ? `${categorySign(task.category)} ${task.category}` : '',
        aside: isCategorised(task) ? task.category : undefined,
      })),
    [tasks, colors],
  )

  function find(text: string): Choice[] {
    const found = bestChoices(choices, text)
    const { name, category } = nameAndCategory(text, tasks)
    if (taskNameProblem(name) !== null || taskNamed(tasksInCategory(tasks, category), name))
      return found
    const action = t('Create “{task}”', { task: name })
    const aside = category === null ? undefined : `@${category}`
    return [...found, { id: CREATE, label: text.trim(), tintName: undefined, action, aside }]
  }

  return (
    <ChoiceField
      label={t('Task')}
      placeholder={t('Pick a task')}
      chosen={choices.find(({ id }) => id === taskId) ?? null}
      error={isSubmitted && taskId === '' ? t('Pick a task.') : null}
      find={find}
      onChoose={({ id, label }) => {
        if (id !== CREATE) return onPick({ taskId: id })
        const { name, category } = nameAndCategory(label, tasks)
        const fields = category === null ? {} : fieldsInCategory(category, categories.colors)
        const task = newTask(newId(), name, now(), fields)
        onPick({ taskId: task.id, newTask: task })
      }}
    />
  )
}
