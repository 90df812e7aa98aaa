/**
 * Renames and merges categories. A category has no record of its own, so all that names one changes in one step, which
 * one undo takes back: its tasks, deleted ones too, and the preferences (docs/decisions/0050-categories.md). Sealed
 * timesheets stay what they were.
 */
import { BALANCE_FILTER } from '@stint/core/balance/account.ts'
import { prefsWithCategory, unbilledNames } from '@stint/core/record/billable.ts'
import {
  categoriesOf,
  categoryColors,
  categoryKey,
  colorOfCategory,
  prefsWithCategoryColor,
  prefsWithoutCategoryColor,
} from '@stint/core/record/category.ts'
import { MAX_FILTER_TEXT, prefsWithFilter, savedFilters } from '@stint/core/record/saved-filters.ts'
import { filterWithCategory } from '@stint/core/record/session-filter.ts'
import { chosenColor, storedColor } from '@stint/core/record/task.ts'
import type { Task, TaskChanges, TaskColor } from '@stint/core/record/task.ts'
import type { Prefs } from '@stint/core/settings.ts'
import { prefsWithMovedTargets } from '@stint/core/targets/targets.ts'
import { prefsWithRate, ratesOf } from '@stint/core/timesheet/rates.ts'
import type { RecordChanges, TaskChange } from '@stint/core/device/changes.ts'

/** All tasks, deleted ones too, and the preferences. */
export interface Categorised {
  readonly tasks: readonly Task[]
  readonly prefs: Prefs
}

export type CategoryChanges = Required<Pick<RecordChanges, 'tasks' | 'prefs'>>

/** A name that takes the place of another one. */
interface Renaming {
  readonly from: string
  readonly to: string
  /** Whether tasks have the new name already. What is set for it stays. */
  readonly isMerge: boolean
  /** The colour that it has afterwards. */
  readonly color: TaskColor
}

/** Each returns the preferences that a renaming changes; undefined removes one. */
const CARRIERS: readonly ((prefs: Prefs, renaming: Renaming) => Prefs)[] = [
  carryColor,
  carryRates,
  carryBillable,
  carrySavedFilters,
  carryBalanceFilter,
  carryTargets,
]

/** Returns whether a category of another name than `from` has the name, so that renaming merges both. */
export function mergesInto(tasks: readonly Task[], from: string, to: string): boolean {
  const key = categoryKey(to)
  return key !== categoryKey(from) && categoriesOf(tasks).some((each) => each.key === key)
}

/**
 * Returns all changes that give the tasks of one category another name, and carry what names it. If other tasks have
 * that name, both are one afterwards: with its spelling, its colour, and its rates if it has any.
 * @param to what `categoryProblem` has no problem with.
 * @param color another colour; null: the one that it has. A merge ignores it.
 */
export function renameCategory(
  { tasks, prefs }: Categorised,
  from: string,
  to: string,
  color: TaskColor | null = null,
): CategoryChanges {
  const isMerge = mergesInto(tasks, from, to)
  const known = categoriesOf(tasks).find(({ key }) => key === categoryKey(to))
  const name = isMerge && known ? known.name : to.trim()
  const colors = categoryColors(prefs)
  const before = colorOfCategory(from, colors)
  const after = isMerge ? colorOfCategory(name, colors) : (color ?? before)
  const renaming = { from, to: name, isMerge, color: after }
  const changes = CARRIERS.reduce<Prefs>(
    (sum, carry) => ({ ...sum, ...carry(prefs, renaming) }),
    {},
  )
  return {
    tasks: changed(membersOf(tasks, from), (task) => ({
      category: name,
      ...recolored(task, before, after),
    })),
    prefs: { changes },
  }
}

/** Returns the changes that give a category a colour, and its tasks that have the colour of the category. */
export function recolorCategory(
  { tasks, prefs }: Categorised,
  name: string,
  color: TaskColor,
): CategoryChanges {
  const before = colorOfCategory(name, categoryColors(prefs))
  return {
    tasks: changed(membersOf(tasks, name), (task) => recolored(task, before, color)),
    prefs: { changes: prefsWithCategoryColor(name, color) },
  }
}

function membersOf(tasks: readonly Task[], name: string): readonly Task[] {
  const key = categoryKey(name)
  return categoriesOf(tasks).find((each) => each.key === key)?.tasks ?? []
}

/** Returns only what differs, as another device may have changed the rest. */
function changed(tasks: readonly Task[], change: (task: Task) => TaskChanges): TaskChange[] {
  return tasks.flatMap((task) => {
    const { category, color } = { ...task, ...change(task) }
    const changes = {
      ...(category !== task.category && { category }),
      ...(color !== task.color && { color }),
    }
    return Object.keys(changes).length > 0 ? [{ taskId: task.id, changes }] : []
  })
}

function recolored(task: Task, before: TaskColor, after: TaskColor): TaskChanges {
  return before !== after && chosenColor(task) === before ? { color: storedColor(after) } : {}
}

// What names a category

function carryColor(_: Prefs, { from, to, isMerge, color }: Renaming): Prefs {
  return {
    ...(categoryKey(from) !== categoryKey(to) && prefsWithoutCategoryColor(from)),
    ...(!isMerge && prefsWithCategoryColor(to, color)),
  }
}

function carryRates(prefs: Prefs, { from, to, isMerge }: Renaming): Prefs {
  const of = (name: string) =>
    ratesOf(prefs).filter(
      ({ target }) => target.kind === 'category' && categoryKey(target.name) === categoryKey(name),
    )
  const rates = of(from)
  const keepsOthers = isMerge && of(to).length > 0
  const moved = keepsOthers
    ? []
    : rates.map((rate) => ({ ...rate, target: { ...rate.target, name: to } }))
  return {
    ...Object.assign({}, ...rates.map((rate) => prefsWithRate(rate, false))),
    // Of two spellings with a rate from one day on, the first one counts.
    ...Object.assign({}, ...moved.toReversed().map((rate) => prefsWithRate(rate, true))),
  }
}

function carryBillable(prefs: Prefs, { from, to, isMerge }: Renaming): Prefs {
  const names = unbilledNames(prefs).filter((name) => categoryKey(name) === categoryKey(from))
  if (names.length === 0) return {}
  return {
    ...Object.assign({}, ...names.map((name) => prefsWithCategory(name, true))),
    ...(!isMerge && prefsWithCategory(to, false)),
  }
}

function carrySavedFilters(prefs: Prefs, { from, to }: Renaming): Prefs {
  return Object.assign(
    {},
    ...savedFilters(prefs).map((saved) => {
      const text = carriedFilter(saved.text, from, to)
      return text === saved.text ? {} : prefsWithFilter({ ...saved, text }, null)
    }),
  )
}

function carryBalanceFilter(prefs: Prefs, { from, to }: Renaming): Prefs {
  const filter = prefs[BALANCE_FILTER]
  if (typeof filter !== 'string') return {}
  const text = carriedFilter(filter, from, to)
  return text === filter ? {} : { [BALANCE_FILTER]: text }
}

function carryTargets(prefs: Prefs, { from, to }: Renaming): Prefs {
  return prefsWithMovedTargets(prefs, 'category', from, to)
}

/** Returns the filter with the other name. One that would be too long to be kept stays as it is. */
function carriedFilter(text: string, from: string, to: string): string {
  const carried = filterWithCategory(text, from, to)
  return carried.length <= MAX_FILTER_TEXT ? carried : text
}
