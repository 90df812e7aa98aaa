/**
 * Reads a target as people type it: 'at least 10h a week #acme', 'max 2h a day Meetings', '6h a day'. The screen
 * shows how it is read before it is saved (docs/decisions/0003-typed-lines.md); `targetLine` writes what this reads.
 */
import { HOURS, hoursOf, problem } from '#balance/contract-line.ts'
import type { LineProblem } from '#balance/contract-line.ts'
import { hoursText } from '#balance/hours-text.ts'
import { said } from '#balance/line-words.ts'
import { folded } from '#folded.ts'
import { categoryKey, categorySign } from '#record/category.ts'
import { tagsOf } from '#record/tags.ts'
import type { Task } from '#record/task.ts'
import { t } from '#text.ts'
import { plain } from '#time/day-text.ts'
import { boundText, targetText } from './target-text.ts'
import { BETWEEN_WORDS, BOUND_WORDS } from './target-words.ts'
import {
  BOUNDS,
  identityOf,
  isGoal,
  MAX_TARGET_NAME,
  MAX_TARGET_SECONDS,
  MAX_TARGETS,
  scopeKey,
  TARGET_SPANS,
} from './targets.ts'
import type { Bound, Scope, Target, TargetSpan } from './targets.ts'

export type TargetRead =
  | { readonly kind: 'target'; readonly target: Target }
  | { readonly kind: 'empty' }
  | LineProblem

/** What a line can name. */
export interface TargetNames {
  readonly categories: readonly string[]
  /** The active ones. */
  readonly tasks: readonly Pick<Task, 'id' | 'name' | 'category'>[]
}

const MAX_LENGTH = 400
const NOT_UNDERSTOOD = problem(
  t('Not understood. Try at least 10h a week #acme, or at most 2h a day Meetings.'),
)

/** Reads a line by itself; `targetProblem` says what is wrong with it beside the other targets. */
export function readTarget(text: string, names: TargetNames): TargetRead {
  if (text.trim() === '') return { kind: 'empty' }
  if (text.length > MAX_LENGTH)
    return problem(t('Use at most {max} characters.', { max: MAX_LENGTH }))
  const read = tagged(text) ?? named(text, names)
  if (read.kind === 'problem') return read
  const { head, scope } = read
  if (head.seconds === null) return problem(t('Say how many hours, such as 10h a week.'))
  if (head.seconds === 0) return problem(t('A target of 0 hours is none.'))
  if (head.span === null) return problem(t('Say a day, a week or a month, such as 10h a week.'))
  if (head.seconds > MAX_TARGET_SECONDS[head.span]) return problem(TOO_LONG[head.span])
  const { span, seconds, bound } = head
  return { kind: 'target', target: { bound: bound ?? 'least', span, scope, seconds } }
}

const TOO_LONG: Readonly<Record<TargetSpan, string>> = {
  day: t('A day has 24 hours.'),
  week: t('A week has 168 hours.'),
  month: t('A month has at most 744 hours.'),
}

interface Found {
  readonly kind: 'found'
  readonly head: Head
  readonly scope: Scope
}

/** Reads a line with a tag; null if it has none. */
function tagged(text: string): Found | LineProblem | null {
  const words = text.trim().split(/\s+/)
  const place = words.findIndex(
    (word) => word.replace(/[,:]$/, '') === `#${tagsOf(word)[0] ?? ' '}`,
  )
  if (place < 0) return null
  const [tag = ''] = tagsOf(words[place] ?? '')
  if (tag.length > MAX_TARGET_NAME)
    return problem(t('Use at most {max} characters.', { max: MAX_TARGET_NAME }))
  const head = headOf(plain(words.toSpliced(place, 1).join(' '), MAX_LENGTH))
  if (head.rest !== '') return NOT_UNDERSTOOD
  return { kind: 'found', head, scope: { kind: 'tag', name: tag } }
}

/** Reads a line with the name of a category or a task at its end or beginning, or without one. */
function named(text: string, names: TargetNames): Found | LineProblem {
  const line = plain(text, MAX_LENGTH).replaceAll(/[“”„«»]/g, '"')
  const head = headOf(line)
  if (head.rest === '') return { kind: 'found', head, scope: { kind: 'all' } }
  for (const { name, scope } of knownNames(names)) {
    for (const rest of withoutName(line, name)) {
      const other = headOf(rest)
      if (other.rest === '' && other.seconds !== null) return { kind: 'found', head: other, scope }
    }
  }
  if (head.seconds === null || head.rest === line) return NOT_UNDERSTOOD
  const words = head.rest.split(' ').length
  const name = text.trim().split(/\s+/).slice(-words).join(' ')
  return problem(t('You have no task or category “{name}”.', { name }))
}

interface KnownName {
  readonly name: string
  readonly scope: Scope
}

/** What stands before a name that a category and a task have. */
const TASK = prefixes('task', t('filter|task'))
const CATEGORY = prefixes('category', t('filter|category'))

function prefixes(english: string, own: string): readonly string[] {
  return [...new Set([own, english])].flatMap((names) =>
    names.split('/').map((name) => folded(name)),
  )
}

/** Returns the folded names, the longest first; of a name that both have, the category. */
function knownNames({ categories, tasks }: TargetNames): KnownName[] {
  return [
    ...categories.flatMap((name) => {
      return formsOf(categoryKey(name), CATEGORY, signsOf(name), { kind: 'category', name })
    }),
    ...tasks.flatMap(({ id, name, category }) => {
      const behind = signsOf(category).map((sign) => `${sign} ${plain(name, MAX_LENGTH)}`)
      return formsOf(name, TASK, behind, { kind: 'task', name: id })
    }),
  ].toSorted((a, b) => b.name.length - a.name.length)
}

/** @param signed further ways to write it. */
function formsOf(
  name: string,
  before: readonly string[],
  signed: readonly string[],
  scope: Scope,
): KnownName[] {
  const text = plain(name, MAX_LENGTH)
  if (text === '') return []
  const named = before.flatMap((each) => [':', ': ', ' : ', ' '].map((sign) => each + sign + text))
  return [text, ...named, ...signed].map((form) => ({ name: form, scope }))
}

/** Returns a category with its sign, as it is typed. */
function signsOf(category: string): string[] {
  const key = categoryKey(category)
  return key === '' ? [] : [`@${key}`, `@"${key}"`]
}

/** Returns what is left of the line without the name at its end, and at its beginning. */
function withoutName(line: string, name: string): string[] {
  return [
    ...(line.endsWith(` ${name}`) ? [line.slice(0, -name.length - 1)] : []),
    ...(line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []),
  ]
}

// Hours

interface Head {
  readonly bound: Bound | null
  readonly seconds: number | null
  readonly span: TargetSpan | null
  /** What is not understood, and all behind it. */
  readonly rest: string
}

const BETWEEN = new RegExp(`^(?:[ ,:/]+|${BETWEEN_WORDS}(?![a-z]))`)
const HOURS_FIRST = new RegExp(`^${HOURS}`)
const BOUND_FIRST = BOUNDS.map((bound) => [bound, first(BOUND_WORDS[bound])] as const)
const SPAN_FIRST = TARGET_SPANS.map((span) => [span, first(said((of) => of.spans[span]))] as const)

function first(pattern: string): RegExp {
  return new RegExp(`^${pattern}(?![a-z])`)
}

/** Reads bound, hours and span in any order, each once, up to the first word that is none of them. */
function headOf(line: string): Head {
  let head: Head = { bound: null, seconds: null, span: null, rest: line }
  for (;;) {
    const next = withNext(head)
    if (!next) return { ...head, rest: head.rest.trim() }
    head = next
  }
}

/** Returns the head with what the rest begins with; null if that is none of it. */
function withNext(head: Head): Head | null {
  const { bound, seconds, span, rest } = head
  const behind = (pattern: RegExp) => rest.slice(pattern.exec(rest)?.[0].length ?? 0)
  const hours = seconds === null ? HOURS_FIRST.exec(rest)?.[0] : undefined
  if (hours !== undefined) return { ...head, seconds: hoursOf(hours), rest: behind(HOURS_FIRST) }
  const bounded = bound === null && BOUND_FIRST.find(([, pattern]) => pattern.test(rest))
  if (bounded) return { ...head, bound: bounded[0], rest: behind(bounded[1]) }
  const spanned = span === null && SPAN_FIRST.find(([, pattern]) => pattern.test(rest))
  if (spanned) return { ...head, span: spanned[0], rest: behind(spanned[1]) }
  return BETWEEN.test(rest) ? { ...head, rest: behind(BETWEEN) } : null
}

/** Returns the target as a line that `readTarget` reads back. */
export function targetLine(target: Target, names: TargetNames, tasks: readonly Task[]): string {
  const plainly = targetText(target, tasks)
  const exactly = exactNames(target.scope, tasks).map((name) => `${boundText(target)} ${name}`)
  const isRead = (line: string) => {
    const read = readTarget(line, names)
    return read.kind === 'target' && scopeKey(read.target.scope) === scopeKey(target.scope)
  }
  return [plainly, ...exactly].find(isRead) ?? plainly
}

/** Returns ways to write a name that something else has as well. */
function exactNames(scope: Scope, tasks: readonly Task[]): string[] {
  if (scope.kind === 'category') return [categorySign(scope.name)]
  const task = scope.kind === 'task' ? tasks.find(({ id }) => id === scope.name) : undefined
  return task ? [`${TASK[0]}:${task.name}`, `${categorySign(task.category)} ${task.name}`] : []
}

// Beside the other targets

/** Returns why a target cannot be saved beside the others, as a sentence; null if it can. */
export function targetProblem(
  target: Target,
  others: readonly Target[],
  tasks: readonly Task[],
): string | null {
  const same = others.find((other) => identityOf(other) === identityOf(target))
  if (same)
    return t('You already have “{target}”. Edit that one.', { target: targetText(same, tasks) })
  if (!isGoal(target) && others.filter((other) => !isGoal(other)).length >= MAX_TARGETS)
    return t('You can have {max} targets. Remove one first.', { max: MAX_TARGETS })
  const bound = target.bound === 'least' ? 'most' : 'least'
  const opposite = others.find((other) => identityOf(other) === identityOf({ ...target, bound }))
  if (!opposite) return null
  const [least, most] = bound === 'most' ? [target, opposite] : [opposite, target]
  if (least.seconds <= most.seconds) return null
  return t('At least {least} and at most {most} cannot both be met.', {
    least: hoursText(least.seconds),
    most: hoursText(most.seconds),
  })
}
