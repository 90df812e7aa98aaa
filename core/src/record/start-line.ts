/**
 * The line that starts a timer: 'call Ann #acme 10m ago' is a task, a tag and a start, '9-10 hiring' is
 * an hour to add, and 'fix login @acme' a task of a category. What is none of these is the name of the task.
 */
import { searchOf, wordsOf } from '#fuzzy-search.ts'
import type { Search } from '#fuzzy-search.ts'
import { t } from '#text.ts'
import { addDays, clockSeconds, instantOfClock, localDate, skippedSince } from '#time/calendar.ts'
import type { HourCycle } from '#time/calendar.ts'
import { dayRuleOf } from '#time/day-rule.ts'
import type { MomentRead, ReadingProblem, SpanRead } from '#time/time-span-input.ts'
import { readMoment, readTimeWords } from '#time/time-span-input.ts'
import { NO_PAUSES } from '#timer/pauses.ts'
import { categoryKey, categoryProblem } from './category.ts'
import { entryProblem } from './entry-edit.ts'
import { tagsOf, withTag } from './tags.ts'
import { taskNamed, taskNameProblem } from './task-name.ts'

export interface StartLineContext {
  readonly timeZone: string
  /** Epoch milliseconds. */
  readonly now: number
  /** When the active timer began. An earlier start would leave nothing of it. */
  readonly activeSince?: number | undefined
  /** Whether '3/11' is in November. Default: true. */
  readonly isDayFirst?: boolean
  /** The clock that problems are written for. Default: 24 hours. */
  readonly hourCycle?: HourCycle
}

/** One thing that a line may mean. */
export interface StartChoice {
  /** The task to start, or null to create one of that name. */
  readonly taskId: string | null
  readonly name: string
  /** The category that was named: of the task, or to create it in; null: none was. */
  readonly category: string | null
  /** The tags as a note: '#acme #call'. */
  readonly note: string | null
  /** Epoch milliseconds, or null to start now. */
  readonly startedAt: number | null
  /** Epoch milliseconds for work to add, or null for a timer to start. */
  readonly endedAt: number | null
}

export interface StartChoices {
  /** The best first. */
  readonly choices: readonly StartChoice[]
  /** Why there is no choice, as a sentence for the form. */
  readonly problem: string | null
}

interface NamedTask {
  readonly id: string
  readonly name: string
  readonly category?: string
}

/** One way to read a line. */
interface Reading {
  readonly name: string
  readonly category: string | null
  readonly tags: readonly string[]
  readonly time: MomentRead | SpanRead | ReadingProblem | null
}

type Times = Pick<StartChoice, 'startedAt' | 'endedAt'>

/** More tasks are never read. Another typed letter narrows the list. */
const MAX_TASKS = 5
/** 'vor 2 Stunden und 15 Minuten' has six. */
const MAX_TIME_WORDS = 8
const HALF_DAY_MILLISECONDS = 43_200_000

const START_NOW: Times = { startedAt: null, endedAt: null }

/**
 * Returns what a line may mean, the best first: the task of exactly that name, even if the name
 * looks like a time or has a tag, then the tasks that match, then a new task. The whole line as the
 * name of a new task comes last, if a part of it was read as a time, a tag or a category. A line without a name
 * means the task 'Untitled'; with a category its tasks come first. Tasks that match equally well keep their order. Pass the same list of
 * tasks while nothing has changed: their names are prepared once.
 */
export function startChoices(
  line: string,
  tasks: readonly NamedTask[],
  context: StartLineContext,
): StartChoices {
  const whole = line.trim()
  const { name, category, tags, time } = readingOf(whole, tasks, context)
  const times = timesOf(time, context)
  if (typeof times === 'string') return { choices: [], problem: times }

  const note = tags.reduce<string | null>(withTag, null)
  const { choices, problem } = choicesIn(category, name, tasks)
  const isRead = tags.length > 0 || time !== null || category !== null
  const isNamed = taskNamed(tasksIn(category, tasks), name) !== undefined
  const literal = isRead && !isNamed && taskNameProblem(whole) === null ? [newTask(whole)] : []
  return {
    choices: [...choices.map((each) => ({ ...each, note, ...times })), ...literal],
    problem,
  }
}

/** Returns the tasks of a category that a name may mean, and a new one in it; without a category all. */
function choicesIn(
  category: string | null,
  name: string,
  tasks: readonly NamedTask[],
): StartChoices {
  const members = tasksIn(category, tasks)
  const { choices, problem } = nameChoices(name === '' ? t('Untitled') : name, members)
  if (category === null) return { choices, problem }
  const all =
    name === ''
      ? [
          ...members
            .filter(({ name }) => name !== t('Untitled'))
            .slice(0, MAX_TASKS)
            .map(known),
          ...choices,
        ]
      : choices
  return { choices: all.map((each) => ({ ...each, category })), problem }
}

/** Returns the tasks of a category, the same list for the same tasks; without a category all. */
function tasksIn(category: string | null, tasks: readonly NamedTask[]): readonly NamedTask[] {
  if (category === null) return tasks
  return membersOf(tasks).get(categoryKey(category)) ?? NO_TASKS
}

const NO_TASKS: readonly NamedTask[] = []

function membersOf(tasks: readonly NamedTask[]): ReadonlyMap<string, readonly NamedTask[]> {
  const members =
    memberLists.get(tasks) ?? Map.groupBy(tasks, ({ category = '' }) => categoryKey(category))
  memberLists.set(tasks, members)
  return members
}

const memberLists = new WeakMap<readonly NamedTask[], ReadonlyMap<string, readonly NamedTask[]>>()

/**
 * Returns the tasks that a name may mean, the best first, and a new task of that name unless there
 * is one of exactly that name. 'Untitled' means only itself. Pass the same list of tasks while
 * nothing has changed: their names are prepared once.
 */
export function nameChoices(name: string, tasks: readonly NamedTask[]): StartChoices {
  const exact = taskNamed(tasks, name)
  const isWord = wordsOf(name) !== '' && name !== t('Untitled')
  const similar = isWord ? tasksLike(tasks, name) : []
  const found = exact ? [exact, ...similar.filter((task) => task !== exact)] : similar
  const choices = found.slice(0, MAX_TASKS).map(known)
  if (exact) return { choices, problem: null }
  const problem = taskNameProblem(name)
  if (problem === null) return { choices: [...choices, newTask(name)], problem }
  return { choices, problem: choices.length === 0 ? problem : null }
}

/**
 * Returns what a line may mean that is not said clearly enough to be read: 'call 9am' since 9:00, '23-24 x'
 * at 15:00 the evening before, '9-10 x' at 9:30 a timer since 9:00. A person sees it before it is taken; nobody
 * else gets it.
 */
export function guessedChoice(
  line: string,
  tasks: readonly NamedTask[],
  context: StartLineContext,
): StartChoice | null {
  const { name, category, tags, time } = readingOf(line.trim(), tasks, context)
  if (taskNamed(tasksIn(category, tasks), name) && time === null) return null
  const guess = time === null ? clockAtEnd(name, context) : passedTimes(name, time, context)
  if (!guess) return null
  const { name: named, ...times } = guess
  const { now, activeSince = -Infinity } = context
  const isTimer = times.endedAt === null
  if (isTimer && times.startedAt <= activeSince) return null
  if (problemOf(times.startedAt, times.endedAt ?? now, now) !== null) return null
  const [first] = choicesIn(category, named, tasks).choices
  return first ? { ...first, note: tags.reduce<string | null>(withTag, null), ...times } : null
}

interface Guess {
  readonly name: string
  readonly startedAt: number
  readonly endedAt: number | null
}

/** A clock time after a name: '9am', 'at 9:30', '9h30'. A bare number is more often a part of the name. */
const CLOCK =
  /^(?:(?:at|um|à|a las?) )?(?:\d{1,2}(?::\d{2}| ?h(?: ?\d{2})?)(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?)$/i

/** Returns the clock time at the end of a name, and the rest of it. */
function clockAtEnd(name: string, context: StartLineContext): Guess | null {
  const { timeZone, now } = context
  const words = name.split(' ')
  for (const count of [3, 2, 1]) {
    const text = words.slice(-count).join(' ')
    if (words.length <= count || !CLOCK.test(text)) continue
    const date = localDate(now, dayRuleOf(timeZone))
    const read = readMoment(text, { ...context, date })
    if (read.kind !== 'moment') return null
    return { name: words.slice(0, -count).join(' '), startedAt: read.at, endedAt: null }
  }
  return null
}

/** Returns a time that lies ahead as one that has passed: a timer since its start, or the day before's. */
function passedTimes(
  name: string,
  time: MomentRead | SpanRead | ReadingProblem,
  { now, timeZone }: StartLineContext,
): Guess | null {
  if (time.kind !== 'span' || time.endedAt <= now) return null
  const { startedAt, endedAt } = time
  if (startedAt < now) return { name, startedAt, endedAt: null }
  const rule = dayRuleOf(timeZone)
  const [start, end] = [startedAt, endedAt].map((instant) => {
    const clock = [addDays(localDate(instant, rule), -1), clockSeconds(instant, timeZone)] as const
    return skippedSince(...clock, timeZone) === null ? instantOfClock(...clock, timeZone) : null
  })
  return start && end ? { name, startedAt: start, endedAt: end } : null
}

/** Returns a bound on the work of `nameChoices` for a name that no task has exactly: see `Search`. */
export function nameEffort(name: string, tasks: readonly NamedTask[]): number {
  return searchOfTasks(tasks).effort(name)
}

/** Returns the tasks that match the name, the best first. */
function tasksLike(tasks: readonly NamedTask[], name: string): NamedTask[] {
  return searchOfTasks(tasks)
    .find(name)
    .map(({ task }) => task)
}

const searches = new WeakMap<readonly NamedTask[], Search<{ task: NamedTask; label: string }>>()

function searchOfTasks(tasks: readonly NamedTask[]): Search<{ task: NamedTask; label: string }> {
  const search = searches.get(tasks) ?? searchOf(tasks.map((task) => ({ task, label: task.name })))
  searches.set(tasks, search)
  return search
}

function newTask(name: string): StartChoice {
  return { taskId: null, name, category: null, note: null, ...START_NOW }
}

function known({ id, name }: NamedTask): StartChoice {
  return { taskId: id, name, category: null, note: null, ...START_NOW }
}

/**
 * Returns the first reading that names a task exactly, or else the one with times, tags and a category. What
 * looks like a category may be a part of a name too.
 */
function readingOf(whole: string, tasks: readonly NamedTask[], context: StartLineContext): Reading {
  const found = categoryOf(whole, tasks)
  const readings: [Reading, ...Reading[]] = [
    { name: whole, category: null, tags: [], time: null },
    ...readingsOf(wordsIn(whole), null, context),
    ...(found ? readingsOf(found.words, found.category, context) : []),
  ]
  const named = readings.find(({ name, category }) => taskNamed(tasksIn(category, tasks), name))
  return named ?? readings.at(-1) ?? readings[0]
}

/** Returns the readings of words: with a time or tags in the name, and last with both read. */
function readingsOf(
  words: readonly string[],
  category: string | null,
  context: StartLineContext,
): Reading[] {
  const untagged = words.filter((word) => tagOf(word) === null)
  const tags = words.flatMap((word) => tagOf(word) ?? [])
  return [
    { name: words.join(' '), category, tags: [], time: null },
    { name: untagged.join(' '), category, tags, time: null },
    { ...withoutTime(words, context), category, tags: [] },
    { ...withoutTime(untagged, context), category, tags },
  ]
}

/** Returns the name of a new task, and the category that a text names beside it: 'fix' and 'acme' for 'fix @acme'. */
export function nameAndCategory(
  text: string,
  tasks: readonly NamedTask[],
): Pick<StartChoice, 'name' | 'category'> {
  const found = taskNamed(tasks, text) ? null : categoryOf(text.trim(), tasks)
  const name = found?.words.join(' ') ?? ''
  return name === ''
    ? { name: text.trim(), category: null }
    : { name, category: found?.category ?? null }
}

/** More words of a known category are never read after its sign. */
const MAX_CATEGORY_WORDS = 8
/** '@acme' and '@"Big Corp"' at the beginning of a word. Quotes that do not close reach to the end. */
const CATEGORY = /(?<!\S)@(?:["“”„«»]([^"“”„«»]+)(?:["“”„«»](?!\S)|$)|([^\s"“”„«»@]\S*))/u

/**
 * Returns the category that a line names, as the tasks write it, and the other words; null without one. The name of
 * a category that tasks have needs no quotes.
 */
function categoryOf(
  whole: string,
  tasks: readonly NamedTask[],
): { readonly category: string; readonly words: readonly string[] } | null {
  const found = CATEGORY.exec(whole)
  if (!found) return null
  const [sign, quoted, word = ''] = found
  const before = wordsIn(whole.slice(0, found.index))
  const after = wordsIn(whole.slice(found.index + sign.length))
  for (let more = quoted === undefined ? MAX_CATEGORY_WORDS - 1 : 0; more >= 0; more -= 1) {
    if (more > after.length) continue
    const name = [quoted ?? word, ...after.slice(0, more)].join(' ')
    const category = spelling(withoutMarks(name), tasks)
    if (category !== null) return { category, words: [...before, ...after.slice(more)] }
  }
  const name = quoted?.trim() ?? withoutMarks(word)
  if (!/[\p{L}\p{N}]/u.test(name) || categoryProblem(name) !== null) return null
  return { category: name, words: [...before, ...after] }
}

function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** Returns a word without the marks that follow it in a sentence. */
function withoutMarks(word: string): string {
  return word.replace(/[,;.]+$/, '')
}

/** Returns how the first task of a category writes it; null if no task has it. */
function spelling(name: string, tasks: readonly NamedTask[]): string | null {
  const [first] = membersOf(tasks).get(categoryKey(name)) ?? []
  return first?.category?.trim() || null
}

/** Returns the tag that the word is, or null: 'acme' for '#acme' and '#acme,'. */
function tagOf(word: string): string | null {
  const [tag] = tagsOf(word)
  return tag !== undefined && word.replace(/[,;.]+$/, '') === `#${tag}` ? tag : null
}

/** Returns the longest time at the end or the beginning of the words, and the other words. */
function withoutTime(
  words: readonly string[],
  context: StartLineContext,
): Pick<Reading, 'name' | 'time'> {
  for (let count = Math.min(words.length, MAX_TIME_WORDS); count > 0; count -= 1) {
    const atEnd = timeOf(words.slice(-count), context)
    if (atEnd) return { name: words.slice(0, -count).join(' '), time: atEnd }
    const atStart = timeOf(words.slice(0, count), context)
    if (atStart) return { name: words.slice(count).join(' '), time: atStart }
  }
  return { name: words.join(' '), time: null }
}

/** Returns the time that the words are. After midnight, '23-0:30' and 'since 23' are yesterday's. */
function timeOf(words: readonly string[], context: StartLineContext): Reading['time'] {
  const text = words.join(' ')
  const { timeZone, now } = context
  const date = localDate(now, dayRuleOf(timeZone))
  const read = readTimeWords(text, { ...context, date })
  if (!read || read.kind === 'problem' || lastOf(read) <= now) return read
  const before = readTimeWords(text, { ...context, date: addDays(date, -1) })
  if (!before || before.kind === 'problem') return read
  const isRecent = lastOf(before) <= now && lastOf(before) > now - HALF_DAY_MILLISECONDS
  return isRecent ? before : read
}

function lastOf(read: MomentRead | SpanRead): number {
  return read.kind === 'moment' ? read.at : read.endedAt
}

/** Returns the times of a choice, or the problem of the read time as a sentence. */
function timesOf(
  time: Reading['time'],
  { now, activeSince = -Infinity }: StartLineContext,
): Times | string {
  if (!time) return START_NOW
  if (time.kind === 'problem') return time.message
  if (time.kind === 'span') {
    const { startedAt, endedAt } = time
    return problemOf(startedAt, endedAt, now) ?? { startedAt, endedAt }
  }
  const { at } = time
  if (at <= now && now - at < 1000) return START_NOW
  if (at <= activeSince) return t('The running timer began after that.')
  return problemOf(at, Math.max(now, at + 1000), now) ?? { startedAt: at, endedAt: null }
}

function problemOf(startedAt: number, endedAt: number, now: number): string | null {
  return entryProblem({ startedAt, endedAt, pauses: NO_PAUSES }, now)?.message ?? null
}
