import { useId, useState } from 'react'
import { TASK_NAME_MAX_LENGTH } from '@stint/core/record/task.ts'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'
import { Form } from '#ui/form.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { TextField } from '#ui/text-field.tsx'
import { useTaskCommands } from './api.ts'

/**
 * The form that adds a task. The page keeps the typed name while the form is closed. When adding fails,
 * the form stays open without an error text; the sync status shows what is unsaved.
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

  async function send() {
    const problem = nameProblem(name)
    setError(problem)
    if (problem !== null) return
    setBusy(true)
    try {
      if (await add(name)) {
        onNameChange('')
        onClose()
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
      <Form onSend={send} className="flex flex-col gap-4">
        <TextField
          label={t('Task Name')}
          name="taskName"
          placeholder={t('Enter task name')}
          autoComplete="off"
          required
          ref={takeFocus}
          value={name}
          error={error ?? (name.trim().length > TASK_NAME_MAX_LENGTH ? nameProblem(name) : null)}
          onChange={(event) => {
            setError(null)
            onNameChange(event.target.value)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !event.nativeEvent.isComposing) onClose()
          }}
        />
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={busy}>
            {t('Add Task')}
          </Button>
          <Button onClick={onClose}>{t('Cancel')}</Button>
        </div>
      </Form>
    </section>
  )
}

/** Returns the problem of a name as a text, or null. */
export function nameProblem(name: string): string | null {
  const length = name.trim().length
  if (length === 0) return t('Enter a task name.')
  if (length <= TASK_NAME_MAX_LENGTH) return null
  return t('Use at most {max} characters (currently {length}).', {
    max: TASK_NAME_MAX_LENGTH,
    length,
  })
}
