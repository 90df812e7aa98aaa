/**
 * Targets: at least, or at most, so many hours a day, week or month, of all work, a category, a tag or a
 * task. Each is a preference of the account of its own, so that targets of two devices are both kept
 * (docs/decisions/0049-targets.md). 'At least N hours a day' of a task is the task's daily goal and kept there.
 */
import { folded } from '#folded.ts'
import { categoryKey } from '#record/category.ts'
import { tagKey } from '#record/tags.ts'
import { goalOf, nameInReports, storedGoal } from '#record/task.ts'
import type { Task } from '#record/task.ts'
import type { Prefs } from '#settings.ts'
import { t } from '#text.ts'
import { TARGET_PREFERENCE } from './has-targets.ts'

export const BOUNDS = ['least', 'most'] as const
export type Bound = (typeof BOUNDS)[number]

export const TARGET_SPANS = ['day', 'week', 'month'] as const
export type TargetSpan = (typeof TARGET_SPANS)[number]

/** Which work counts. `name` is a category or a tag as it is written, or the id of a task. */
export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'category' | 'tag' | 'task'; readonly name: string }

export interface Target {
  readonly bound: Bound
  readonly span: TargetSpan
  readonly scope: Scope
  /** Whole seconds, above 0. */
  readonly seconds: number
}

/** How many can be kept in the preferences, and how long a name may be: a tenth of the preferences. */
export const MAX_TARGETS = 50
export const MAX_TARGET_NAME = 100

const DAY_SECONDS = 86_400
/** The longest target: the hours that a span has. */
export const MAX_TARGET_SECONDS: Readonly<Record<TargetSpan, number>> = {
  day: DAY_SECONDS,
  week: 7 * DAY_SECONDS,
  month: 31 * DAY_SECONDS,
}

/** Returns what two targets have in common that exclude each other, as one text. */
export function identityOf({ bound, span, scope }: Omit<Target, 'seconds'>): string {
  return `${bound} ${span} ${scopeKey(scope)}`
}

/** Returns what two spellings of a scope have in common. */
export function scopeKey(scope: Scope): string {
  switch (scope.kind) {
    case 'all':
      return scope.kind
    case 'category':
      return `category ${categoryKey(scope.name)}`
    case 'tag':
      return `tag ${tagKey(scope.name)}`
    case 'task':
      return `task ${scope.name}`
  }
}

// Preferences

const NAME = /^(least|most):(day|week|month):(all|category|tag|task)(?::(.+))?$/s

/**
 * Reads the target of a preference; null if it is none. Never throws: what a newer version has written is not
 * counted, and not changed.
 */
export function targetOf(key: string, value: unknown): Target | null {
  if (!key.startsWith(TARGET_PREFERENCE)) return null
  const [, bound, span, kind, name] = NAME.exec(key.slice(TARGET_PREFERENCE.length)) ?? []
  const scope = scopeOf(kind, name)
  const [known, knownSpan] = [
    BOUNDS.find((each) => each === bound),
    TARGET_SPANS.find((each) => each === span),
  ]
  if (!scope || !known || !knownSpan || !Number.isSafeInteger(value)) return null
  const seconds = Number(value)
  if (seconds <= 0 || seconds > MAX_TARGET_SECONDS[knownSpan]) return null
  const target = { bound: known, span: knownSpan, scope, seconds }
  return isGoal(target) ? null : target
}

function scopeOf(kind: string | undefined, name: string | undefined): Scope | null {
  if (kind === 'all') return name === undefined ? { kind } : null
  if (kind !== 'category' && kind !== 'tag' && kind !== 'task') return null
  return name === undefined || name.length > MAX_TARGET_NAME ? null : { kind, name }
}

function keyOf({ bound, span, scope }: Target): string {
  const name = scope.kind === 'all' ? '' : `:${scope.name}`
  return `${TARGET_PREFERENCE}${bound}:${span}:${scope.kind}${name}`
}

/** Returns the targets that the preferences keep. Never throws: what is none, or beyond `MAX_TARGETS`, is not counted. */
export function storedTargets(prefs: Prefs): Target[] {
  const byIdentity = new Map<string, Target>()
  // The names of preferences are in no order.
  for (const [key, value] of Object.entries(prefs).toSorted(([a], [b]) => compare(a, b))) {
    const target = targetOf(key, value)
    if (target && !byIdentity.has(identityOf(target))) byIdentity.set(identityOf(target), target)
  }
  return [...byIdentity.values()].slice(0, MAX_TARGETS)
}

/** Returns the targets of the preferences and the daily goals of active tasks, in the order of the overview. */
export function targetsOf(prefs: Prefs, tasks: readonly Task[]): Target[] {
  const place = placeReader(tasks)
  return [...storedTargets(prefs), ...goalsOf(tasks)]
    .map((target) => ({ target, place: place(target) }))
    .toSorted((a, b) => compare(a.place, b.place))
    .map(({ target }) => target)
}

function goalsOf(tasks: readonly Task[]): Target[] {
  return tasks.flatMap((task) => {
    const seconds = Math.min(Math.round(goalOf(task) * 3600), MAX_TARGET_SECONDS.day)
    if (!task.isActive || !(seconds > 0)) return []
    return { bound: 'least', span: 'day', scope: { kind: 'task', name: task.id }, seconds }
  })
}

/** Returns whether a target is the daily goal of its task. */
export function isGoal({ bound, span, scope }: Omit<Target, 'seconds'>): boolean {
  return bound === 'least' && span === 'day' && scope.kind === 'task'
}

const KINDS: readonly Scope['kind'][] = ['all', 'category', 'tag', 'task']

/** Returns a function that returns a text by which targets are sorted: all work, categories, tags, tasks. */
function placeReader(tasks: readonly Task[]): (target: Target) => string {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  return ({ bound, span, scope }) => {
    const name = scope.kind === 'task' ? (byId.get(scope.name)?.name ?? '') : scopeKey(scope)
    return [
      KINDS.indexOf(scope.kind),
      folded(name),
      scopeKey(scope),
      TARGET_SPANS.indexOf(span),
      BOUNDS.indexOf(bound),
    ].join('\n')
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

// Changes

/** What a change of targets changes, as a change of the record has it. */
export interface TargetChanges {
  /** Undefined removes a preference. Missing: none changes. */
  readonly prefs?: { readonly changes: Prefs }
  readonly tasks: readonly {
    readonly taskId: string
    readonly changes: { readonly goalHours: number }
  }[]
}

/**
 * Returns the changes that save a target in place of another one, or that remove one. A daily goal of a task
 * is changed in the task.
 */
export function changesWithTarget(
  prefs: Prefs,
  saved: Target | null,
  instead: Target | null,
): TargetChanges {
  const removed = instead && !isGoal(instead) ? keysOf(prefs, instead) : []
  const hours = new Map<string, number>()
  if (instead && isGoal(instead)) hours.set(taskIdOf(instead), 0)
  if (saved && isGoal(saved)) hours.set(taskIdOf(saved), saved.seconds / 3600)
  const changes = {
    ...Object.fromEntries(removed.map((key) => [key, undefined])),
    ...(saved && !isGoal(saved) && { [keyOf(saved)]: saved.seconds }),
  }
  return {
    ...(Object.keys(changes).length > 0 && { prefs: { changes } }),
    tasks: Array.from(hours, ([taskId, goalHours]) => ({
      taskId,
      changes: { goalHours: storedGoal(goalHours) },
    })),
  }
}

function taskIdOf({ scope }: Target): string {
  return scope.kind === 'all' ? '' : scope.name
}

/** Returns the names of all preferences that keep the target: two devices may have written its name differently. */
function keysOf(prefs: Prefs, target: Target): string[] {
  const identity = identityOf(target)
  return Object.entries(prefs).flatMap(([key, value]) => {
    const other = targetOf(key, value)
    return other && identityOf(other) === identity ? [key] : []
  })
}

/**
 * Returns the preferences with which targets of a category, a tag or a task follow it under another name: after it
 * was renamed, or merged into another one. A target that the other one has already stays as it is. Undefined
 * removes a preference.
 */
export function prefsWithMovedTargets(
  prefs: Prefs,
  kind: 'category' | 'tag' | 'task',
  from: string,
  to: string,
): Prefs {
  const moved: Record<string, unknown> = {}
  const source = scopeKey({ kind, name: from })
  const known = Object.entries(prefs).flatMap(([key, value]) => {
    const target = targetOf(key, value)
    return target ? [{ key, target }] : []
  })
  const taken = new Set(
    known.flatMap(({ target }) => (scopeKey(target.scope) === source ? [] : [identityOf(target)])),
  )
  for (const { key, target } of known) {
    if (scopeKey(target.scope) !== source) continue
    const next: Target = { ...target, scope: { kind, name: to } }
    moved[key] = undefined
    if (!taken.has(identityOf(next))) moved[keyOf(next)] = target.seconds
    taken.add(identityOf(next))
  }
  return moved
}

// Names

/** Returns the name of a scope: 'All work', 'Meetings', '#acme', 'Write report (deleted)'. */
export function scopeName(scope: Scope, tasks: readonly Task[]): string {
  switch (scope.kind) {
    case 'all':
      return t('All work')
    case 'category':
      return scope.name
    case 'tag':
      return `#${scope.name}`
    case 'task':
      return nameInReports(tasks.find(({ id }) => id === scope.name))
  }
}
