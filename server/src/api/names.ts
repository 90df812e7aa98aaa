/** The task that a program names. */
import { folded } from '@stint/core/folded.ts'
import { categoryProblem, spelledCategory, tasksInCategory } from '@stint/core/record/category.ts'
import { entryProblem } from '@stint/core/record/entry-edit.ts'
import { byLastWorked } from '@stint/core/record/recent.ts'
import { nameChoices, startChoices } from '@stint/core/record/start-line.ts'
import type { StartChoice } from '@stint/core/record/start-line.ts'
import { activeTasks } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import { taskNamed, taskNameProblem } from '@stint/core/record/task-name.ts'
import type { SetFields, TimeEntry } from '@stint/core/record/time-entry.ts'
import { NO_PAUSES } from '@stint/core/timer/pauses.ts'
import type { Static } from 'typebox'
import { ambiguousTask, apiError, description } from '#errors.ts'
import { invalidParam } from '#http/params.ts'
import type { NEW_SESSION, START } from './params.ts'
import { dayRuleFor, momentOf } from './person.ts'
import type { Person } from './person.ts'
import type { Start, WantedTask } from './timer.ts'

/** A session to add: what can be set of it, and its times in epoch milliseconds. */
export interface WantedSession extends Pick<Start, 'task'>, Omit<SetFields, 'taskId' | 'invoiced'> {
  readonly startedAt: number
  readonly endedAt: number
}

/** Returns the active tasks, those worked on last first. `entries` are sorted by start. */
export function tasksByUse(tasks: readonly Task[], entries: readonly TimeEntry[]): Task[] {
  return byLastWorked(activeTasks(tasks), entries)
}

/**
 * Reads what a call wants to start.
 * @param tasks the active ones, those worked on last first.
 * @throws ApiError general_argument_invalid, stint_task_ambiguous, stint_time_zone_missing.
 */
export function startWanted(
  sent: Static<typeof START>,
  person: Person,
  tasks: readonly Task[],
): Start {
  const { line, at } = sent
  refuseAllButOne(sent)
  const given = at ? momentOf(person, 'at', at) : null
  const { task, note, startedAt, endedAt } = line
    ? readLine(line, person, tasks)
    : { ...NOTHING_READ, task: taskWanted(sent, tasks) }
  if (endedAt !== null) throw invalidParam('line', description('no_end'))
  if (startedAt !== null && given !== null)
    throw apiError('general_argument_invalid.one_param', { names: '`at` and a time in `line`' })
  const start = startedAt ?? given
  if (start !== null) refuseTimes('at', start, Math.max(person.now, start + 1000), person.now)
  return { task, at: start, note: joined(note, sent.note) }
}

/** Reads the session that a call wants to add. Throws as `startWanted` does. */
export function sessionWanted(
  sent: Static<typeof NEW_SESSION>,
  person: Person,
  tasks: readonly Task[],
): WantedSession {
  const { line, start, end } = sent
  const billable = sent.billable ?? null
  refuseAllButOne(sent)
  if (line) {
    const { task, note, startedAt, endedAt } = readLine(line, person, tasks)
    if (startedAt === null || endedAt === null) throw invalidParam('line', description('no_span'))
    return { task, startedAt, endedAt, note: joined(note, sent.note), billable }
  }
  const task = taskWanted(sent, tasks)
  if (!start) throw apiError('general_argument_invalid.missing_param', { name: 'start' })
  if (!end) throw apiError('general_argument_invalid.missing_param', { name: 'end' })
  const [startedAt, endedAt] = [momentOf(person, 'start', start), momentOf(person, 'end', end)]
  refuseTimes('end', startedAt, endedAt, person.now)
  return { task, startedAt, endedAt, note: sent.note ?? null, billable }
}

/** What was read beside the name of a task: nothing. */
const NOTHING_READ = { note: null, startedAt: null, endedAt: null }

/** The ways to name a task. */
type NamedTask = Pick<Static<typeof START>, 'task' | 'taskId' | 'newTask' | 'line' | 'category'>

function refuseAllButOne({ task, taskId, newTask, line, category }: NamedTask): void {
  const other = line ? 'line' : taskId ? 'taskId' : null
  if (category && other !== null)
    throw apiError('general_argument_invalid.one_param', { names: `\`category\` and \`${other}\`` })
  const sent = [task, taskId, newTask, line].filter((each) => typeof each === 'string')
  if (sent.length === 1) return
  const names = '`task`, `taskId`, `newTask` and `line`'
  throw apiError('general_argument_invalid.one_param', { names })
}

/** Returns the task that is named by exactly one of the three. Throws as `taskOfName` does. */
export function taskWanted(
  { task, taskId, newTask, category: named }: NamedTask,
  tasks: readonly Task[],
): WantedTask {
  if (taskId) return { id: taskId }
  const category = named ? categoryWanted(named, tasks) : null
  if (typeof newTask !== 'string') return taskOfName(task ?? '', category, tasks)
  const problem = taskNameProblem(newTask)
  if (problem !== null) throw invalidParam('newTask', problem)
  return { newName: newTask.trim(), category }
}

/** Returns the category as tasks write it. @throws ApiError general_argument_invalid. */
function categoryWanted(name: string, tasks: readonly Task[]): string {
  const problem = categoryProblem(name)
  if (problem !== null) throw invalidParam('category', problem)
  return spelledCategory(
    name,
    tasks.map(({ category }) => category),
  )
}

/** @throws ApiError general_argument_invalid with what the app's editor says of such times. */
export function refuseTimes(name: string, startedAt: number, endedAt: number, now: number): void {
  const problem = entryProblem({ startedAt, endedAt, pauses: NO_PAUSES }, Math.max(now, endedAt))
  if (problem !== null) throw invalidParam(name, problem.message)
}

/** Returns the tags of a line and the note beside it as one note. */
function joined(tags: string | null, note: string | null | undefined): string | null {
  return [tags, note].filter((each) => each).join(' ') || null
}

/**
 * Returns the task of that name, found as in the field 'What are you working on?'.
 * @throws ApiError stint_task_ambiguous when several fit and none has exactly that name; general_argument_invalid.
 */
function taskOfName(name: string, category: string | null, all: readonly Task[]): WantedTask {
  const tasks = tasksInCategory(all, category)
  // Whatever else fits, the task of exactly that name is meant.
  const exact = taskNamed(tasks, name)
  if (exact) return { id: exact.id }
  const { choices, problem } = nameChoices(name.trim(), tasks)
  return wantedOf({ ...theOne(choices, 'task', problem), category })
}

/**
 * Reads 'call Ann @acme 10m ago' as that field does.
 * @throws ApiError stint_task_ambiguous, general_argument_invalid; stint_time_zone_missing.
 */
function readLine(
  line: string,
  person: Person,
  tasks: readonly Task[],
): Pick<StartChoice, 'note' | 'startedAt' | 'endedAt'> & { readonly task: WantedTask } {
  const { timeZone } = dayRuleFor(person)
  const { choices, problem } = startChoices(line, tasks, { timeZone, now: person.now })
  const { note, startedAt, endedAt, ...choice } = theOne(choices, 'line', problem)
  return { task: wantedOf(choice), note, startedAt, endedAt }
}

type NamedChoice = Pick<StartChoice, 'taskId' | 'name' | 'category'>

function wantedOf({ taskId, name, category }: NamedChoice): WantedTask {
  return taskId === null ? { newName: name, category } : { id: taskId }
}

/**
 * Returns the choice that is meant. A new task is offered unless one has exactly the name; a task that differs only in
 * accents counts as exact too.
 */
function theOne(
  choices: readonly StartChoice[],
  parameter: string,
  problem: string | null,
): StartChoice {
  const [first] = choices
  if (first === undefined) throw invalidParam(parameter, problem ?? '')
  const made = choices.find(({ taskId }) => taskId === null)
  if (made === undefined) return first
  const fitting = choices.filter(({ taskId }) => taskId !== null)
  const exact = fitting.filter(({ name }) => folded(name).trim() === folded(made.name).trim())
  const [one = made, ...others] = exact.length > 0 ? exact : fitting
  if (others.length === 0) return one
  throw ambiguousTask([one, ...others].map(({ taskId, name }) => ({ id: taskId ?? '', name })))
}
