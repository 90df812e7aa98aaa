import { useState } from 'react'
import { moveEntry } from '@stint/core/record/entry-edit.ts'
import { taskNamed, taskNameProblem } from '@stint/core/record/task-name.ts'
import {
  CATEGORIES,
  DEFAULT_TASK_COLOR,
  goalOf,
  storedColor,
  storedGoal,
  TASK_COLORS,
  validTaskName,
} from '@stint/core/record/task.ts'
import type { Task, TaskChanges, TaskColor } from '@stint/core/record/task.ts'
import { prefsWithMovedTargets } from '@stint/core/targets/targets.ts'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { Form } from '#ui/form.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { takeFocus } from '#ui/take-focus.ts'
import { TextField } from '#ui/text-field.tsx'
import { tint } from '#ui/tint.ts'
import { useEntries } from '#hooks/use-entries.ts'
import { useRecordCommands } from '#hooks/use-record-commands.ts'
import { useChangeSettings, useSettings } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useTimer } from '#hooks/use-timer.ts'
import { useTasks } from '#hooks/use-tasks.ts'
import { useValue } from '#session/signed-in.ts'
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
  const [category, setCategory] = useState(task.category)
  const [color, setColor] = useState(task.color)
  const [goal, setGoal] = useState(goalOf(task) === 0 ? '' : String(goalOf(task)))
  const [isSubmitted, setIsSubmitted] = useState(false)
  const goalHours = goal.trim() === '' ? 0 : Number(goal.replace(',', '.'))
  const goalProblem =
    goalHours >= 0 && goalHours <= MAX_GOAL_HOURS
      ? null
      : t('Enter 0 to {max} hours. 0 means no goal.', { max: MAX_GOAL_HOURS })
  const known = CATEGORIES.map((each) => each.name)
  const [refused, setRefused] = useState<string | null>(null)
  const others = tasks.filter(({ id }) => id !== task.id)
  const same = refused === name ? taskNamed(others, name) : undefined

  async function save(insists = false) {
    setIsSubmitted(true)
    const newName = validTaskName(name)
    if (newName === null || goalProblem !== null) return
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
        <SelectField
          label={t('Category')}
          value={category}
          onChange={(event) => {
            setCategory(event.target.value)
            // A new category sets its colour, which can still be changed.
            const own = CATEGORIES.find((each) => each.name === event.target.value)
            if (own) setColor(storedColor(own.color))
          }}
        >
          {[...new Set([...known, task.category])].map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
        <TextField
          label={t('Daily goal (hours)')}
          inputMode="decimal"
          value={goal}
          error={goalProblem}
          onChange={(event) => setGoal(event.target.value)}
        />
      </div>
      <Colors value={color} onChange={setColor} />
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

/** The colours and Automatic. */
function Colors({ value, onChange }: { value: string; onChange: (color: string) => void }) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-semibold text-ink">{t('Colour')}</legend>
      <div className="flex flex-wrap items-center gap-1">
        {[DEFAULT_TASK_COLOR, ...TASK_COLORS.map(storedColor)].map((color, index) => {
          const name = TASK_COLORS[index - 1]
          const label = name ? COLOR_NAMES[name] : t('Automatic')
          return (
            <label
              key={color}
              title={label}
              className="relative flex size-11 cursor-pointer items-center justify-center rounded-control hover:bg-wash has-checked:bg-wash md:size-8"
            >
              <input
                type="radio"
                name="color"
                aria-label={label}
                checked={value === color}
                onChange={() => onChange(color)}
                className="peer absolute inset-0 cursor-pointer opacity-0"
              />
              <span
                aria-hidden="true"
                style={name ? { backgroundColor: tint(name) } : {}}
                className="flex size-5 items-center justify-center rounded-full text-xs ring-ink ring-offset-2 ring-offset-raised peer-checked:ring-2 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-4 peer-focus-visible:outline-accent"
              >
                {!name && 'A'}
              </span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}

const COLOR_NAMES: Readonly<Record<TaskColor, string>> = {
  blue: t('blue'),
  orange: t('orange'),
  teal: t('teal'),
  magenta: t('magenta'),
  green: t('green'),
  violet: t('violet'),
  amber: t('amber'),
  red: t('red'),
  sky: t('color|sky'),
  slate: t('color|slate'),
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
