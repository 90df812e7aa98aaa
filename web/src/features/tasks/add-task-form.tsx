import { useId, useState } from 'react'
import { Link } from '#ui/navigation.tsx'
import { categoryProblem, fieldsInCategory, spelledCategory } from '@stint/core/record/category.ts'
import { taskNamed, taskNameProblem } from '@stint/core/record/task-name.ts'
import { DEFAULT_CATEGORY, isCategorised, TASK_NAME_MAX_LENGTH } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { Button, buttonClasses } from '#ui/button.tsx'
import { Form } from '#ui/form.tsx'
import { later } from '#ui/later.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { TextField } from '#ui/text-field.tsx'
import { showToast } from '#ui/toast.tsx'
import { useCategories } from '#hooks/use-categories.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useTimerCommands } from '#hooks/use-timer-commands.ts'
import { useTaskCommands } from './use-task-commands.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { SameName } from './same-name.tsx'

/** Loaded for those who use categories. */
const CategoryField = later(async () => (await import('./category-field.tsx')).CategoryField)

/**
 * The form that adds a task. The page keeps the typed name while the form is closed. When adding fails,
 * the form stays open without an error text; the sync status shows what is unsaved. A name that exists
 * is added only by 'Add anyway'.
 */
export function AddTaskForm({
  name,
  onNameChange,
  onClose,
}: {
  name: string
  onNameChange: (name: string) => void
  onClose: () => void
}) {
  const { add } = useTaskCommands()
  const titleId = useId()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { tasks } = useTasks()
  const { names, colors, areUsed } = useCategories()
  const [category, setCategory] = useState<string>(DEFAULT_CATEGORY)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const isGoodCategory = categoryProblem(category) === null
  const { timer } = useTimer()
  const { start } = useTimerCommands()
  const [refused, setRefused] = useState<string | null>(null)
  const same = refused === name ? taskNamed(tasks, name) : undefined

  async function send(insists = false) {
    const problem = taskNameProblem(name)
    setError(problem)
    setIsSubmitted(true)
    if (problem !== null || !isGoodCategory) return
    if (!insists && taskNamed(tasks, name)) return setRefused(name)
    setBusy(true)
    try {
      const known = spelledCategory(category, names)
      const isDefault = !isCategorised({ category: known })
      const id = await add(name, isDefault ? {} : fieldsInCategory(known, colors))
      if (id !== null) {
        onNameChange('')
        onClose()
        const action = { label: t('Start'), run: () => start(id) }
        showToast({
          text: t('Created {task}', { task: name.trim() }),
          ...(timer.status === 'idle' && { action }),
        })
      }
    } finally {
      setBusy(false)
    }
  }

  return (
    <section
      aria-labelledby={titleId}
      className="animate-appear rounded-panel border border-line bg-surface p-4 md:p-5"
    >
      <h2 id={titleId} className="mb-3 text-base font-semibold">
        {t('Add New Task')}
      </h2>
      <Form onSend={() => send()} className="flex flex-col gap-4">
        <TextField
          label={t('Task Name')}
          name="taskName"
          placeholder={t('Enter task name')}
          autoComplete="off"
          required
          ref={takeFocus}
          value={name}
          error={
            error ?? (name.trim().length > TASK_NAME_MAX_LENGTH ? taskNameProblem(name) : null)
          }
          onChange={(event) => {
            setError(null)
            onNameChange(event.target.value)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !event.nativeEvent.isComposing) onClose()
          }}
        />
        {areUsed && (
          <CategoryField
            value={category}
            isChecked={isSubmitted && !isGoodCategory}
            onChange={setCategory}
          />
        )}
        {same && (
          <SameName name={same.name} insist={t('Add anyway')} onInsist={() => void send(true)}>
            <Link to={`/tasks/${same.id}`} className={buttonClasses('secondary', 'small')}>
              {t('Open it')}
            </Link>
          </SameName>
        )}
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={busy}>
            {t('Add Task')}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
        </div>
      </Form>
    </section>
  )
}
