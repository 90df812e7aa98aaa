/** Tasks: defaults, colours, the search. */
import { t } from '#text.ts'
import type { NewAttributes, TaskDocument } from '#collections.ts'
import { COLLECTIONS } from '#collections.ts'
import type { Guard } from '#guards.ts'
import { storedText } from '#stored-text.ts'
import { FLAG, formsOf, isRecordOf, NUMBER, partsOf, stampsOf, TEXT } from './fields.ts'
import type { Fields, Stamped } from './fields.ts'
import type { Parts } from './unsent.ts'

export interface Task {
  readonly id: string
  readonly name: string
  /** False once deleted. A deleted task is kept, so that its hours keep their name. */
  readonly isActive: boolean
  readonly category: string
  readonly goalHours: number
  /** The stored class: see `storedColor`. 'bg-blue-500' means that no colour was chosen. */
  readonly color: string
  readonly createdAt: number
  readonly updatedAt: number
}

export type TaskContent = Omit<Task, keyof Stamped>

/** Every field of a task. Each is a part of its own. New fields come last. */
export const TASK_FIELDS = {
  name: { attribute: 'name', type: TEXT, part: 'name', default: '' },
  isActive: { attribute: 'isActive', type: FLAG, part: 'isActive', default: true },
  category: {
    attribute: 'category',
    type: TEXT,
    part: 'category',
    default: COLLECTIONS.tasks.category.default,
  },
  goalHours: {
    attribute: 'goalHours',
    type: NUMBER,
    part: 'goalHours',
    default: COLLECTIONS.tasks.goalHours.default,
  },
  color: {
    attribute: 'color',
    type: TEXT,
    part: 'color',
    default: COLLECTIONS.tasks.color.default,
  },
} as const satisfies Fields<TaskContent, keyof TaskContent>

export const isTask: Guard<Task> = /* @__PURE__ */ isRecordOf<Task>(TASK_FIELDS)

const FORMS = formsOf<TaskContent, typeof TASK_FIELDS>(TASK_FIELDS)

/** The fields of a task that its owner can change. */
export type TaskChanges = Partial<TaskContent>

/** Returns a task with that name, and every default for which no field is given. */
export function newTask(id: string, name: string, now: number, fields: TaskChanges = {}): Task {
  return { ...FORMS.defaults, ...fields, id, name, createdAt: now, updatedAt: now }
}

/** Returns the task's fields with these names. */
export function fieldsOf(task: Task, names: readonly string[]): TaskChanges {
  return Object.fromEntries(Object.entries(task).filter(([field]) => names.includes(field)))
}

/** How `rebase` compares and merges tasks. */
export const TASK: Parts<Task, keyof TaskContent> = /* @__PURE__ */ partsOf<
  Task,
  keyof TaskContent
>(TASK_FIELDS)

export const TASK_NAME_MAX_LENGTH = COLLECTIONS.tasks.name.size
export const DEFAULT_TASK_COLOR = COLLECTIONS.tasks.color.default

/** The five default categories and their colours. */
export const CATEGORIES = [
  { name: 'Development', color: 'blue' },
  { name: 'Meetings', color: 'violet' },
  { name: 'Design', color: 'teal' },
  { name: 'Research', color: 'green' },
  { name: 'Admin', color: 'orange' },
] as const

export const DEFAULT_CATEGORY = COLLECTIONS.tasks.category.default

/** Returns whether a task is in another category than the one that every task has by itself. */
export function isCategorised({ category }: Pick<Task, 'category'>): boolean {
  return category.trim().toLowerCase() !== DEFAULT_CATEGORY.toLowerCase()
}

/**
 * The task colours, in the order that colour-blind people tell apart best. Each has a tint in the web
 * app's `styles.css`. A task whose colour nobody chose has that of its place among all tasks, so a
 * colour that is added, removed or moved changes the colours of people's tasks.
 */
export const TASK_COLORS = [
  'blue',
  'orange',
  'teal',
  'magenta',
  'green',
  'violet',
  'amber',
  'red',
  'sky',
  'slate',
] as const
export type TaskColor = (typeof TASK_COLORS)[number]

/** Reads the attributes of a task. A missing or unreadable attribute has its default. */
export const taskFromAttributes: (attributes: Readonly<Record<string, unknown>>) => TaskContent =
  FORMS.fromAttributes

export function taskFromDocument(document: TaskDocument): Task {
  return {
    id: document.$id,
    ...FORMS.fromAttributes(document),
    ...stampsOf(document),
  }
}

/**
 * Returns the attributes to send for a task. Its totals are not stored, because reports compute
 * them.
 */
export function taskAttributes(
  task: Task,
  userId: string,
): Required<Omit<NewAttributes<'tasks'>, 'totalTime' | 'todayTime'>> {
  return { ...FORMS.toAttributes(task), userId }
}

/**
 * Returns the name in its stored form: trimmed, or null when it is blank or over 255 characters.
 */
export function validTaskName(text: string): string | null {
  const name = text.trim()
  return name === '' || name.length > TASK_NAME_MAX_LENGTH ? null : name
}

type TextField = {
  [K in keyof TaskContent]: TaskContent[K] extends string ? K : never
}[keyof TaskContent]

/**
 * Returns a task of a file in a form that every backend accepts: with texts that are no longer than
 * their attributes. A new text does not compile without its length.
 */
export function storedTask<T extends TaskContent>(task: T): T {
  const { name, category, color } = COLLECTIONS.tasks
  const texts: Readonly<Record<TextField, string>> = {
    name: storedText(task.name, name.size),
    category: storedText(task.category, category.size),
    color: storedText(task.color, color.size),
  }
  return { ...task, ...texts }
}

/** Returns the active tasks, newest first, as every list shows them. */
export function activeTasks(tasks: readonly Task[]): Task[] {
  return tasks.filter((task) => task.isActive).toSorted(newestFirst)
}

/** Returns the deleted tasks, newest first. */
export function archivedTasks(tasks: readonly Task[]): Task[] {
  return tasks.filter((task) => !task.isActive).toSorted(newestFirst)
}

const DEFAULT_GOAL = COLLECTIONS.tasks.goalHours.default
/** How a chosen goal of 8 hours is stored, as the default means that no goal was chosen. */
const CHOSEN_DEFAULT_GOAL = DEFAULT_GOAL + 1e-6

/** Returns the goal that somebody has set, in hours a day; 0 without one. */
export function goalOf({ goalHours }: Pick<Task, 'goalHours'>): number {
  if (goalHours === DEFAULT_GOAL) return 0
  return goalHours === CHOSEN_DEFAULT_GOAL ? DEFAULT_GOAL : goalHours
}

/** Returns how a goal of so many hours a day is stored. */
export function storedGoal(hours: number): number {
  return hours === DEFAULT_GOAL ? CHOSEN_DEFAULT_GOAL : hours
}

/**
 * Returns the progress of a task's goal of hours a day: 0 … 1, and above 1 when the goal is passed.
 */
export function goalProgress(goalHours: number, todaySeconds: number): number {
  return goalHours > 0 ? todaySeconds / (goalHours * 3600) : 0
}

/** Finds tasks by a case-insensitive substring of the name. An empty text finds all. */
export function searchTasks<T extends { readonly name: string }>(
  tasks: readonly T[],
  text: string,
): T[] {
  const wanted = text.trim().toLowerCase()
  return tasks.filter((task) => task.name.toLowerCase().includes(wanted))
}

/**
 * Returns a permanent colour for each task id: the colour that its owner chose, or else the next of
 * the ten by order of creation, deleted tasks included.
 */
export function taskColors(tasks: readonly Task[]): Map<string, TaskColor> {
  const oldestFirst = tasks.toSorted((a, b) => -newestFirst(a, b))
  return new Map(
    oldestFirst.map((task, index) => [task.id, chosenColor(task) ?? colorAt(index)] as const),
  )
}

/**
 * Returns colours for a few tasks side by side, all different while there are ten tasks or fewer.
 * The oldest task keeps its colour. A newer task with the same colour takes the nearest free one.
 */
export function distinctColors(
  tasks: readonly Task[],
  shownIds: readonly string[],
): Map<string, TaskColor> {
  const own = taskColors(tasks)
  const oldestFirst = [...own].filter(([taskId]) => shownIds.includes(taskId))
  const unknown = shownIds.filter((taskId) => !own.has(taskId))
  return colorsApart([...oldestFirst, ...unknown.map((taskId) => [taskId, 'slate'] as const)])
}

/** Gives each key its colour, or the nearest free one if an earlier key has taken it. */
export function colorsApart(
  wanted: readonly (readonly [key: string, color: TaskColor])[],
): Map<string, TaskColor> {
  const taken = new Map<string, TaskColor>()
  for (const [key, color] of wanted) taken.set(key, nearestFree(color, new Set(taken.values())))
  return taken
}

/** The name of a missing task in files; not translated, so that a file suits every language. */
export const UNKNOWN_TASK_NAME = 'Unknown task'

/**
 * Returns the name that a report shows: 'Name', 'Name (deleted)', or 'Unknown task' when it is
 * missing.
 */
export function nameInReports(task: Task | undefined): string {
  if (!task) return t('Unknown task')
  return task.isActive ? task.name : t('{name} (deleted)', { name: task.name })
}

function nearestFree(color: TaskColor, taken: ReadonlySet<TaskColor>): TaskColor {
  const wanted = TASK_COLORS.indexOf(color)
  const free = TASK_COLORS.filter((candidate) => !taken.has(candidate))
  const byDistance = free.toSorted(
    (a, b) => Math.abs(TASK_COLORS.indexOf(a) - wanted) - Math.abs(TASK_COLORS.indexOf(b) - wanted),
  )
  return byDistance[0] ?? color
}

/**
 * Returns the stored form of a chosen colour, such as 'bg-teal-500'. It is a CSS class, which other
 * clients read too. The default class means that no colour was chosen, so a chosen blue is stored as
 * another shade.
 */
export function storedColor(color: TaskColor): string {
  return color === 'blue' ? 'bg-blue-600' : `bg-${color}-500`
}

/**
 * Returns 'teal' for the stored class 'bg-teal-500', or null for the default and unknown classes.
 */
export function chosenColor(task: Pick<Task, 'color'>): TaskColor | null {
  if (task.color === DEFAULT_TASK_COLOR) return null
  const name = /^bg-([a-z]+)-\d{2,3}$/.exec(task.color)?.[1]
  return TASK_COLORS.find((color) => color === name) ?? null
}

function colorAt(index: number): TaskColor {
  return TASK_COLORS[index % TASK_COLORS.length] ?? 'blue'
}

function newestFirst(a: Task, b: Task): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
}
