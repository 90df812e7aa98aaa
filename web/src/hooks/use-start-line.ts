/** The typed line that starts a timer, as choices in words, each with what it does. */
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { categoryKey, colorOfCategory, fieldsInCategory } from '@stint/core/record/category.ts'
import { newEntry } from '@stint/core/record/entry-edit.ts'
import { areRoundings, overlapping, trimNeighbours } from '@stint/core/record/overlaps.ts'
import { byLastWorked } from '@stint/core/record/recent.ts'
import { guessedChoice, nameChoices, startChoices } from '@stint/core/record/start-line.ts'
import type { StartChoice } from '@stint/core/record/start-line.ts'
import { completeCategory } from '@stint/core/record/tag-completion.ts'
import { newTask } from '@stint/core/record/task.ts'
import type { Task, TaskColor } from '@stint/core/record/task.ts'
import { sessionTimes } from '@stint/core/reports/explanation.ts'
import { t } from '@stint/core/text.ts'
import { localDate, sessionDay } from '@stint/core/time/calendar.ts'
import { briefDuration } from '@stint/core/time/duration.ts'
import { useMemo } from 'react'

import { isDayFirst } from './day-order.ts'
import { useCategories } from './use-categories.ts'
import { useRecordCommands } from './use-record-commands.ts'
import { openEditor } from './requests.ts'
import { useDayRule } from './use-settings.ts'
import { useEntries } from './use-entries.ts'
import { useFormats } from './use-formats.ts'
import { useSettings } from './use-settings.ts'
import { useTasks } from './use-tasks.ts'
import { wordsAround } from '#ui/words-around.ts'
import type { WordsAround } from '#ui/words-around.ts'

import { useTimer } from './use-timer.ts'

/** A choice in words: 'Start ', 'Write', '' and '#acme · since 10:42'. */
export interface LineChoice extends WordsAround {
  readonly name: string
  /** What was read beside the name, or ''. */
  readonly details: string
  /** The colour of a task that exists. */
  readonly color: TaskColor | undefined
  /** Whether it only starts a task that exists, as a Start button does. */
  readonly isPlainStart: boolean
  /** Whether it leaves the timer as it is: it adds time, or completes the line. */
  readonly leavesTimer: boolean
  /** The line that it completes, in the place of the typed one. Unset: it starts or adds something. */
  readonly completed?: string
  /** Resolves with false when the device could not save it. */
  readonly run: () => Promise<boolean>
}

export interface ReadLine {
  /** The best first. */
  readonly choices: readonly LineChoice[]
  /** Why there is no choice. */
  readonly problem: string | null
}

/** How many tasks the empty line offers. */
const MAX_RECENT = 5
/** How many categories are offered. Another typed letter narrows the list. */
const MAX_COMPLETIONS = 6
const NOTHING_BEGUN = { start: 0, words: [] }

/** Returns a function that reads a line: what it may start, create or add, tasks worked on last first. */
export function useStartLine(): (line: string) => ReadLine {
  const { timer } = useTimer()
  const tasks = useRecentTasks()
  const { status, colors } = useTasks()
  const categories = useCategories()
  const { entries } = useEntries()
  const rule = useDayRule()
  const { timeZone } = rule
  const { hourCycle } = useSettings()
  const { timeInRange } = useFormats()
  const { change, newId, now, start, startNew } = useRecordCommands()
  const active = timer.status === 'idle' ? null : timer

  return (line) => {
    // A known task must not be created again.
    if (status !== 'ready')
      return {
        choices: [],
        problem: status === 'loading' ? t('Loading your tasks...') : t('Error loading tasks'),
      }
    const activeSince = active?.startedAt
    const context = { timeZone, hourCycle, isDayFirst: isDayFirst(), now: now(), activeSince }
    const { choices, problem } = startChoices(line, tasks, context)
    const guess = guessedChoice(line, tasks, context)
    const recent = line.trim() === '' ? recentChoices() : []
    const others = [...choices, ...recent, ...(guess ? [guess] : [])].filter(
      ({ taskId, endedAt }) => endedAt !== null || !active || taskId !== active.taskId,
    )
    return { choices: [...completions(line), ...others.map(inWords)], problem }
  }

  /** The categories that the one at the end of the line may become. */
  function completions(line: string): LineChoice[] {
    const { start, words } = completeCategory(categories.names, line, line.length) ?? NOTHING_BEGUN
    return words.slice(0, MAX_COMPLETIONS).map((sign) => ({
      before: '',
      name: sign,
      after: '',
      details: '',
      color: colorOfCategory(sign.slice(1), categories.colors),
      isPlainStart: false,
      leavesTimer: true,
      completed: `${line.slice(0, start)}${sign} `,
      run: () => Promise.resolve(true),
    }))
  }

  /** The tasks worked on last, for a line that is still empty. */
  function recentChoices(): StartChoice[] {
    return tasks
      .filter(({ name }) => name !== t('Untitled'))
      .slice(0, MAX_RECENT)
      .map(({ id, name }) => {
        const nothing = { category: null, note: null, startedAt: null, endedAt: null }
        return { taskId: id, name, ...nothing }
      })
  }

  function inWords(choice: StartChoice): LineChoice {
    const { taskId, name, note, startedAt, endedAt } = choice
    return {
      ...wordsAround((task) => actionOf(choice, task)),
      name,
      details: [placeOf(choice), note, whenOf(choice)].filter((each) => each !== null).join(' · '),
      color: taskId === null ? undefined : colors.get(taskId),
      isPlainStart: taskId !== null && note === null && startedAt === null,
      leavesTimer: endedAt !== null,
      run: () => run(choice),
    }
  }

  /** The category that was read, or that tells one of several tasks of a name. */
  function placeOf({ taskId, name, category }: StartChoice): string | null {
    if (category !== null) {
      const key = categoryKey(category)
      const isKnown = categories.names.some((each) => categoryKey(each) === key)
      return isKnown ? `@${category}` : t('new category @{name}', { name: category })
    }
    const same = tasks.filter((task) => task.name === name)
    const own = same.find(({ id }) => id === taskId)
    return own && same.length > 1 ? `@${own.category}` : null
  }

  function actionOf({ taskId, startedAt, endedAt }: StartChoice, task: string): string {
    if (startedAt !== null && endedAt !== null) {
      const duration = briefDuration((endedAt - startedAt) / 1000)
      return taskId === null
        ? t('Create “{task}” and add {duration}', { task, duration })
        : t('Add {duration} to {task}', { task, duration })
    }
    if (taskId === null) return t('Create and start “{task}”', { task })
    return active ? t('Switch to {task}', { task }) : t('Start {task}', { task })
  }

  function whenOf({ startedAt, endedAt }: StartChoice): string | null {
    if (startedAt === null) return null
    const isToday = localDate(startedAt, rule) === localDate(now(), rule)
    const day = sessionDay(startedAt, now(), rule)
    if (endedAt !== null) {
      const times = sessionTimes({ startedAt, endedAt }, timeZone, hourCycle)
      return isToday ? times : `${day}, ${times}`
    }
    const time = timeInRange(startedAt, timeZone)
    return isToday ? t('since {time}', { time }) : t('{day}, since {time}', { day, time })
  }

  async function run(choice: StartChoice): Promise<boolean> {
    const { taskId, name, category, note, startedAt, endedAt } = choice
    const fields = category === null ? {} : fieldsInCategory(category, categories.colors)
    const newTasks = taskId === null ? [newTask(newId(), name, now(), fields)] : []
    const id = taskId ?? newTasks[0]?.id ?? ''
    let trims: readonly EntryChange[] = []
    if (startedAt !== null) {
      const times = { startedAt, endedAt: endedAt ?? now() }
      const entry = newEntry({ id: newId(), taskId: id, note, ...times }, now())
      trims = trimNeighbours(entry.after, overlapping(entry.after, entries), newId, now())
      if (!areRoundings(trims)) {
        askAboutOverlap(id, newTasks[0], choice)
        return true
      }
      if (endedAt !== null) {
        const duration = briefDuration((endedAt - startedAt) / 1000)
        const message = t('Added {duration} to {task}', { duration, task: name })
        return change({ newTasks, entries: [entry, ...trims] }, message)
      }
    }
    const options = { startedAt: startedAt ?? undefined, note }
    const isStarted = await (taskId === null
      ? startNew(name, options, fields)
      : start(taskId, options))
    if (!isStarted || trims.length === 0) return isStarted
    return change({ entries: trims }, t('Overlaps trimmed'))
  }
}

/** Opens the editor with what was read. It shows which sessions overlap and offers to trim them. */
function askAboutOverlap(
  taskId: string,
  newTask: Task | undefined,
  { note, startedAt, endedAt }: StartChoice,
): void {
  openEditor({
    kind: 'add',
    taskId,
    newTask,
    startedAt: startedAt ?? undefined,
    endedAt: endedAt ?? undefined,
    note: note ?? undefined,
    isSubmitted: true,
  })
}

/**
 * Returns a function that reads a name for the task 'Untitled' that is being timed: tasks to which
 * the timer may move, and the name itself.
 */
export function useNameLine(): (line: string) => ReadLine {
  const { timer } = useTimer()
  const tasks = useRecentTasks()
  const { colors } = useTasks()
  const { entries } = useEntries()
  const { change, newId, now } = useRecordCommands()

  return (line) => {
    const name = line.trim()
    if (timer.status === 'idle' || name === '') return { choices: [], problem: null }
    const { choices, problem } = nameChoices(name, tasks)
    return {
      choices: choices.filter(({ taskId }) => taskId !== timer.taskId).map(inWords),
      problem,
    }
  }

  function inWords({ taskId, name }: StartChoice): LineChoice {
    return {
      ...wordsAround((task) =>
        taskId === null ? t('Name it “{task}”', { task }) : t('Switch to {task}', { task }),
      ),
      name,
      details: '',
      color: taskId === null ? undefined : colors.get(taskId),
      isPlainStart: false,
      leavesTimer: false,
      run: () => run(taskId, name),
    }
  }

  /** The task is renamed, or deleted, only while it has no other work. */
  async function run(taskId: string | null, name: string): Promise<boolean> {
    if (timer.status === 'idle') return false
    const { sessionId, taskId: unnamed } = timer
    const isWorkedOn = entries.some((entry) => entry.taskId === unnamed)
    const message = t('Named {task}', { task: name })
    if (taskId === null && !isWorkedOn)
      return change({ tasks: [{ taskId: unnamed, changes: { name } }] }, message)
    const newTasks = taskId === null ? [newTask(newId(), name, now())] : []
    const id = taskId ?? newTasks[0]?.id
    return change(
      {
        newTasks,
        tasks: isWorkedOn ? [] : [{ taskId: unnamed, changes: { isActive: false } }],
        timer: { sessionId, change: { taskId: id } },
      },
      message,
    )
  }
}

/** Returns the active tasks, those worked on last first. */
function useRecentTasks() {
  const { tasks } = useTasks()
  const { entries } = useEntries()
  return useMemo(() => byLastWorked(tasks, entries), [tasks, entries])
}
