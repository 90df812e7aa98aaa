/** The tasks to pick one of, by a part of its name, those worked on last first. */
import { bestChoices } from '@stint/core/fuzzy-search.ts'
import { categorySign, fieldsInCategory, tasksInCategory } from '@stint/core/record/category.ts'
import { byLastWorked } from '@stint/core/record/recent.ts'
import { nameAndCategory } from '@stint/core/record/start-line.ts'
import { taskNamed, taskNameProblem } from '@stint/core/record/task-name.ts'
import { isCategorised, nameInReports, newTask } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { useMemo } from 'react'

import type { Choice } from '#ui/choice-field.tsx'
import { useCategories } from './use-categories.ts'
import { useEntries } from './use-entries.ts'
import { useRecordCommands } from './use-record-commands.ts'
import { useTasks } from './use-tasks.ts'

export interface TaskChoices {
  readonly choices: readonly Choice[]
  /** Returns the choices for a text, best first; after them to create a task of that name. */
  readonly find: (text: string) => readonly Choice[]
  /** Returns the task that a choice creates; null if it is one that exists. */
  readonly createdBy: (choice: Choice) => Task | null
}

const CREATE = 'create'

/** Returns the active tasks as choices, with the task `taskId` and `added`, which is not saved yet. */
export function useTaskChoices(taskId: string | null, added: Task | null): TaskChoices {
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
  return {
    choices,
    find(text) {
      const found = bestChoices(choices, text)
      const { name, category } = nameAndCategory(text, tasks)
      if (taskNameProblem(name) !== null || taskNamed(tasksInCategory(tasks, category), name))
        return found
      const action = t('Create “{task}”', { task: name })
      const aside = category === null ? undefined : `@${category}`
      return [...found, { id: CREATE, label: text.trim(), tintName: undefined, action, aside }]
    },
    createdBy({ id, label }) {
      if (id !== CREATE) return null
      const { name, category } = nameAndCategory(label, tasks)
      const fields = category === null ? {} : fieldsInCategory(category, categories.colors)
      return newTask(newId(), name, now(), fields)
    },
  }
}
