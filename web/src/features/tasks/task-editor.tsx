import { useState } from 'react'
import { moveEntry } from '@stint/core/record/entry-edit.ts'
import { taskNamed, taskNameProblem } from '@stint/core/record/task-name.ts'
import { categoryProblem, fieldsInCategory, spelledCategory } from '@stint/core/record/category.ts'
import { goalOf, storedGoal, validTaskName } from '@stint/core/record/task.ts'
import type { Task, TaskChanges } from '@stint/core/record/task.ts'
import { prefsWithMovedTargets } from '@stint/core/targets/targets.ts'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Form } from '#ui/form.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { TextField } from '#ui/text-field.tsx'
import { useCategories } from '#hooks/use-categories.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useChangeSettings, useSettings } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useValue } from '#session/signed-in.ts'
import { CategoryField } from './category-field.tsx'
import { Colors } from './colors.tsx'
import { SameName } from './same-name.tsx'

/** The hours of a day. */
const MAX_GOAL_HOURS = 24

/** Edits a task's name, category, colour and goal, pins it, or merges it into another task. */
export function TaskEditor({ taskId, onClose }: { taskId: string; onClose: () => void }) {
  const { allTasks } = useTasks()
  const [task] = useState(() => allTasks.find(({ id }) => id === taskId))
  /** The id of the task to merge into, '' while it is not picked; null while not merging. */
  const [mergeInto, setMergeInto] = useState<string | null>(null)
  const merging = mergeInto !== null
  return (
    <Dialog open title={merging ? t('Merge task') : t('Edit task')} onClose={onClose}>
      {!task && <p>{t('This task no longer exists.')}</p>}
      {task && !merging && <TaskForm task={task} onMerge={setMergeInto} onClose={onClose} />}
      {task && merging && (
        <MergeForm
          task={task}
          into={mergeInto}
          onCancel={() => setMergeInto(null)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

function TaskForm({
  task,
  onMerge,
  onClose,
}: {
  task: Task
  onMerge: (targetId: string) => void
  onClose: () => void
}) {
  const { tasks } = useTasks()
  const { change } = useRecordCommands()
  const [name, setName] = useState(task.name)
  const { names, colors } = useCategories()
  const [typed, setTyped] = useState(task.category)
  // What was stored before is kept, whatever it is.
  const isSameCategory = typed === task.category
  const isGoodCategory = isSameCategory || categoryProblem(typed) === null
  const category = isSameCategory ? typed : spelledCategory(typed, names)
  const [chosenColor, setColor] = useState<string | null>(null)
  // Another category sets its colour, unless one is chosen.
  const ownColor =
    isSameCategory || !isGoodCategory ? task.color : fieldsInCategory(category, colors).color
  const color = chosenColor ?? ownColor
  const [goal, setGoal] = useState(goalOf(task) === 0 ? '' : String(goalOf(task)))
  const [isSubmitted, setIsSubmitted] = useState(false)
  const goalHours = goal.trim() === '' ? 0 : Number(goal.replace(',', '.'))
  const goalProblem =
    goalHours >= 0 && goalHours <= MAX_GOAL_HOURS
      ? null
      : t('Enter 0 to {max} hours. 0 means no goal.', { max: MAX_GOAL_HOURS })
  const [refused, setRefused] = useState<string | null>(null)
  const others = tasks.filter(({ id }) => id !== task.id)
  const same = refused === name ? taskNamed(others, name) : undefined

  async function save(insists = false) {
    setIsSubmitted(true)
    const newName = validTaskName(name)
    if (newName === null || goalProblem !== null || !isGoodCategory) return
    const changes = changesOf(task, { name: newName, category, color, goalHours })
    if (!insists && changes.name !== undefined && taskNamed(others, newName)) {
      return setRefused(name)
    }
    const isSame = Object.keys(changes).length === 0
    if (isSame || (await change({ tasks: [{ taskId: task.id, changes }] }, t('Task changed')))) {
      onClose()
    }
  }

  return (
    <Form noValidate className="flex flex-col gap-4" onSend={() => save()}>
      <TextField
        label={t('Task Name')}
        required
        data-autofocus=""
        ref={takeFocus}
        autoComplete="off"
        value={name}
        error={isSubmitted ? taskNameProblem(name) : null}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="grid grid-cols-2 gap-3">
        <CategoryField
          value={typed}
          isChecked={isSubmitted && !isGoodCategory}
          onChange={setTyped}
        />
        <TextField
          label={t('Daily goal (hours)')}
          inputMode="decimal"
          value={goal}
          error={goalProblem}
          onChange={(event) => setGoal(event.target.value)}
        />
      </div>
      <Colors value={color} hasAutomatic onChange={setColor} />
      {same && (
        <SameName name={same.name} insist={t('Save anyway')} onInsist={() => void save(true)}>
          <Button size="small" onClick={() => onMerge(same.id)}>
            {t('Merge with it')}
          </Button>
        </SameName>
      )}
      <FormActions>
        <Button type="submit" variant="primary">
          {t('Save')}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </FormActions>
      <fieldset
        aria-label={t('More')}
        className="-mx-2 flex flex-wrap gap-x-1 border-t border-line pt-3 *:px-2"
      >
        <Pin taskId={task.id} />
        {others.length > 0 && (
          <Button variant="quiet" size="small" onClick={() => onMerge('')}>
            {t('Merge into another task')}
          </Button>
        )}
      </fieldset>
    </Form>
  )
}

function Pin({ taskId }: { taskId: string }) {
  const { pinnedTasks } = useSettings()
  const changeSettings = useChangeSettings()
  const isPinned = pinnedTasks.includes(taskId)
  return (
    <Button
      variant="quiet"
      size="small"
      aria-pressed={isPinned}
      onClick={() =>
        changeSettings({
          pinnedTasks: isPinned
            ? pinnedTasks.filter((id) => id !== taskId)
            : [taskId, ...pinnedTasks],
        })
      }
    >
      {isPinned ? t('Unpin from Quick Start') : t('Pin to Quick Start')}
    </Button>
  )
}

/**
 * Moves all sessions to another task and deletes this one. A timer on it continues on the other task.
 */
function MergeForm({
  task,
  into,
  onCancel,
  onClose,
}: {
  task: Task
  /** The id of the task that is picked at first. */
  into: string
  onCancel: () => void
  onClose: () => void
}) {
  const { tasks } = useTasks()
  const { entries, complete } = useEntries()
  const { timer } = useTimer()
  const { duration } = useFormats()
  const commands = useRecordCommands()
  const prefs = useValue('settings')?.prefs ?? {}
  const [targetId, setTargetId] = useState(into)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const moved = entries.filter(({ taskId }) => taskId === task.id)
  const seconds = moved.reduce((sum, entry) => sum + entry.durationSeconds, 0)
  const target = tasks.find(({ id }) => id === targetId)

  return (
    <Form
      noValidate
      className="flex flex-col gap-4"
      onSend={async () => {
        setIsSubmitted(true)
        // Sessions that are not loaded yet would stay on the deleted task.
        if (!target || !complete) return
        onClose()
        const now = commands.now()
        const moves = prefsWithMovedTargets(prefs, 'task', task.id, target.id)
        const isTimed = timer.status !== 'idle' && timer.taskId === task.id
        await commands.change(
          {
            tasks: [{ taskId: task.id, changes: { isActive: false } }],
            entries: moved.map((entry) => moveEntry(entry, target.id, now)),
            ...(Object.keys(moves).length > 0 ? { prefs: { changes: moves } } : {}),
            ...(isTimed
              ? { timer: { sessionId: timer.sessionId, change: { taskId: target.id } } }
              : {}),
          },
          t('Merged into {task}', { task: target.name }),
        )
      }}
    >
      {!complete && (
        <p className="text-sm">
          {t('Still loading your history. You can merge once it has loaded.')}
        </p>
      )}
      <p className="text-sm">
        {t(
          '{count, plural, one {The session of “{task}” ({duration}) moves to the other task, and “{task}” is deleted.} other {The {count} sessions of “{task}” ({duration}) move to the other task, and “{task}” is deleted.}}',
          { count: moved.length, task: task.name, duration: duration(seconds) },
        )}
      </p>
      <SelectField
        label={t('Merge into')}
        ref={takeFocus}
        required
        value={targetId}
        error={isSubmitted && !target ? t('Pick a task.') : null}
        onChange={(event) => setTargetId(event.target.value)}
      >
        <option value="" disabled>
          {t('Pick a task')}
        </option>
        {tasks
          .filter(({ id }) => id !== task.id)
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </SelectField>
      <FormActions>
        <Button type="submit" variant="primary" disabled={!complete}>
          {t('Merge')}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </FormActions>
    </Form>
  )
}

/** Returns only the changed fields, as another device may have changed the others. */
function changesOf(task: Task, wanted: Required<Omit<TaskChanges, 'isActive'>>): TaskChanges {
  return {
    ...(wanted.name !== task.name && { name: wanted.name }),
    ...(wanted.category !== task.category && { category: wanted.category }),
    ...(wanted.color !== task.color && { color: wanted.color }),
    ...(wanted.goalHours !== goalOf(task) && { goalHours: storedGoal(wanted.goalHours) }),
  }
}
