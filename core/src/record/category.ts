/**
 * Categories: the level above tasks, such as a client, a project or a subject. A category is a text of its tasks and
 * exists while one of them has it. Case, accents and quotation marks do not distinguish two of them. A colour that
 * its owner chose is a preference of its own, so that those of two devices are both kept
 * (docs/decisions/0018-preferences.md).
 */
import { COLLECTIONS } from '#collections.ts'
import { folded } from '#folded.ts'
import type { Prefs } from '#settings.ts'
import { t } from '#text.ts'
import { CATEGORIES, isCategorised, searchTasks, storedColor, TASK_COLORS } from './task.ts'
import type { Task, TaskColor } from './task.ts'

export const CATEGORY_MAX_LENGTH = COLLECTIONS.tasks.category.size

const QUOTE = /["“”„«»]/
const QUOTES = new RegExp(QUOTE, 'g')

/** Returns what the spellings of one category have in common; '' of a blank one. */
export function categoryKey(name: string): string {
  const plain = folded(name)
  return (QUOTE.test(plain) ? folded(plain.replaceAll(QUOTES, ' ')) : plain).trim()
}

/** Returns the problem of a typed category as a sentence for the form, or null. */
export function categoryProblem(text: string): string | null {
  const name = text.trim()
  if (categoryKey(name) === '') return t('Enter a category.')
  if (/\p{Cc}/u.test(name)) return t('A category can’t contain control characters.')
  if (name.length <= CATEGORY_MAX_LENGTH) return null
  return t('Use at most {max} characters (currently {length}).', {
    max: CATEGORY_MAX_LENGTH,
    length: name.length,
  })
}

/** A category that tasks have. */
export interface Category {
  readonly key: string
  /** As its newest task writes it; '' of tasks without one. */
  readonly name: string
  /** Of those tasks that were passed. */
  readonly tasks: readonly Task[]
}

type Categorised = Pick<Task, 'category' | 'createdAt' | 'id'>

/** Returns the categories of the tasks, sorted by name. The same list of tasks returns the same categories. */
export function categoriesOf(tasks: readonly Task[]): readonly Category[] {
  const known = categories.get(tasks)
  if (known) return known
  const byKey = Map.groupBy(tasks, ({ category }) => categoryKey(category))
  const found = [...byKey]
    .map(([key, members]) => ({ key, name: spellingOf(members), tasks: members }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
  categories.set(tasks, found)
  return found
}

const categories = new WeakMap<readonly Task[], readonly Category[]>()

/** Returns the name as the newest of the tasks has it, which any device tells alike. */
function spellingOf(tasks: readonly Categorised[]): string {
  const newest = tasks.reduce((last, task) =>
    task.createdAt > last.createdAt || (task.createdAt === last.createdAt && task.id > last.id)
      ? task
      : last,
  )
  return newest.category.trim()
}

/** Returns the tasks of a category; null: all. */
export function tasksInCategory<T extends Pick<Task, 'category'>>(
  tasks: readonly T[],
  category: string | null,
): readonly T[] {
  if (category === null) return tasks
  const key = categoryKey(category)
  return tasks.filter((task) => categoryKey(task.category) === key)
}

/** Returns the names that a field offers: those in use, then the other defaults. */
export function knownCategories(tasks: readonly Task[]): string[] {
  const used = categoriesOf(tasks).filter(({ key }) => key !== '')
  const keys = new Set(used.map(({ key }) => key))
  const others = CATEGORIES.filter(({ name }) => !keys.has(categoryKey(name)))
  return [...used, ...others].map(({ name }) => name)
}

/** Returns the name as it is known, or as it is typed, without spaces around it. */
export function spelledCategory(name: string, known: readonly string[]): string {
  const key = categoryKey(name)
  return known.find((each) => categoryKey(each) === key) ?? name.trim()
}

/** Returns whether somebody uses categories. To anybody else, screens say nothing of them. */
export function usesCategories(tasks: readonly Pick<Task, 'category'>[]): boolean {
  return tasks.some(isCategorised)
}

// Colours

/** The colours that were chosen, by the keys of their categories. */
export type CategoryColors = ReadonlyMap<string, TaskColor>

export const NO_CATEGORY_COLORS: CategoryColors = new Map()

/** How many colours can be chosen: a fifth of the preferences. */
export const MAX_CATEGORY_COLORS = 100

const PREFERENCE = 'category:'

/** Reads the chosen colours. Never throws: what is none is ignored. The same preferences return the same map. */
export function categoryColors(prefs: Prefs): CategoryColors {
  const known = chosenColors.get(prefs)
  if (known) return known
  const chosen = new Map(
    Object.entries(prefs).flatMap(([name, value]) => {
      const color = TASK_COLORS.find((each) => each === value)
      return name.startsWith(PREFERENCE) && color
        ? [[name.slice(PREFERENCE.length), color] as const]
        : []
    }),
  )
  chosenColors.set(prefs, chosen)
  return chosen
}

const chosenColors = new WeakMap<Prefs, CategoryColors>()

/** Returns the colour of a category: the chosen one, that of a default category, or one that follows from its name. */
export function colorOfCategory(name: string, chosen: CategoryColors): TaskColor {
  const key = categoryKey(name)
  return givenColor(key, chosen) ?? colorOfName(key)
}

/** Returns the colour that was given to the category of a key, by its owner or as a default; undefined without one. */
export function givenColor(key: string, chosen: CategoryColors): TaskColor | undefined {
  return chosen.get(key) ?? CATEGORIES.find(({ name }) => categoryKey(name) === key)?.color
}

/** Returns a colour that follows from a name, so that it is the same everywhere. */
export function colorOfName(name: string): TaskColor {
  const codes = Array.from(name, (letter) => letter.codePointAt(0) ?? 0)
  const sum = codes.reduce((hash, code) => (hash * 31 + code) % 997, 7)
  return TASK_COLORS[sum % TASK_COLORS.length] ?? 'slate'
}

/** Returns the preferences that give a category its colour. The one that it has by itself is not kept. */
export function prefsWithCategoryColor(name: string, color: TaskColor): Prefs {
  const key = categoryKey(name)
  return {
    [PREFERENCE + key]: color === colorOfCategory(key, NO_CATEGORY_COLORS) ? undefined : color,
  }
}

/** Returns the preferences without the colour of a category. */
export function prefsWithoutCategoryColor(name: string): Prefs {
  return { [PREFERENCE + categoryKey(name)]: undefined }
}

/** Returns the fields of a new task for which a category was named: it has its colour. */
export function fieldsInCategory(
  name: string,
  chosen: CategoryColors,
): Pick<Task, 'category' | 'color'> {
  return { category: name, color: storedColor(colorOfCategory(name, chosen)) }
}

// The sign

const SEARCH = /^@(?:["“”„«»]([^"“”„«»]*)["“”„«»]?|(\S*))\s*(.*)$/u

/**
 * Finds tasks by a part of the name, as `searchTasks` does. '@acme' also finds those of that category, and while
 * there is none of exactly this name, those of which the category begins so; a part of the name may follow.
 */
export function searchTasksIn<T extends Pick<Task, 'name' | 'category'>>(
  tasks: readonly T[],
  text: string,
): readonly T[] {
  const byName = searchTasks(tasks, text)
  const [, quoted, word = '', name = ''] = SEARCH.exec(text.trim()) ?? []
  const wanted = categoryKey(quoted ?? word)
  if (wanted === '') return byName
  const keyOf = ({ category }: T) => categoryKey(category)
  const isExact = tasks.some((task) => keyOf(task) === wanted)
  const members = tasks.filter((task) =>
    isExact ? keyOf(task) === wanted : keyOf(task).startsWith(wanted),
  )
  const found = new Set([...byName, ...searchTasks(members, name)])
  return tasks.filter((task) => found.has(task))
}

/** Returns the category as it is typed in a line and in a filter: '@Acme', '@"Big Corp"'. */
export function categorySign(name: string): string {
  const plain = name.replaceAll(QUOTES, ' ').replaceAll(/\s+/g, ' ').trim()
  return /^[^\s@]\S*$/u.test(plain) && !/[,;.]$/.test(plain) ? `@${plain}` : `@"${plain}"`
}
