/** Applies a session filter to all entries between two keystrokes. */
import { folded } from '#folded.ts'
import { billedBy } from '#record/billable.ts'
import { categoryKey } from '#record/category.ts'
import type { FilterPart, SessionFilter } from '#record/session-filter.ts'
import { tagKey, tagsOf } from '#record/tags.ts'
import { nameInReports } from '#record/task.ts'
import type { Task } from '#record/task.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { dayNumber, zoneClock } from '#time/calendar.ts'
import type { DayRule } from '#time/day-rule.ts'
import type { ReportInput } from './report-input.ts'
import type { WorkedDays } from './worked-days.ts'
import { prepareEntries } from './worked-days.ts'

/** The sessions that a filter finds. */
export interface FoundSessions {
  readonly worked: WorkedDays
  /** Their indexes in the columns of `worked`, in order. */
  readonly indexes: Int32Array
}

/**
 * Finds the entries that meet every part of the filter; deleted ones are ignored. A filter with a
 * problem finds none. A session over midnight belongs to the day of its start. Pass the same lists while nothing has changed: notes are
 * then folded once, a text that was typed on is searched only in what was found before, and the
 * same object is returned if that is all found again.
 * @param tasks all tasks, deleted ones too
 */
export function findSessions(
  filter: SessionFilter,
  entries: readonly TimeEntry[],
  tasks: readonly Task[],
): FoundSessions {
  const worked = prepareEntries(entries, filter.dayRule)
  if (filter.problem !== null) return { worked, indexes: new Int32Array(0) }
  const last = lastFound.get(worked)
  const wider = last?.tasks === tasks && narrows(filter, last.filter) ? last : null
  let indexes = wider?.found.indexes ?? allIndexes(worked.entries.length)
  for (const part of cheapestFirst(filter.parts)) {
    if (wider?.filter.parts.some((other) => isSame(part, other))) continue
    indexes = indexesWith(indexes, part.excludes, testOf(part, worked, tasks))
  }
  const isAll = indexes.length === wider?.found.indexes.length
  const found = isAll ? wider.found : { worked, indexes }
  lastFound.set(worked, { tasks, filter, found })
  return found
}

/**
 * Returns the input without what does not meet the filter. The same list of entries is returned while
 * the same sessions are found.
 */
export function filteredInput(input: ReportInput, filter: SessionFilter): ReportInput {
  if (filter.parts.length === 0 && filter.problem === null) return input
  const { entries, live, tasks } = input
  return {
    ...input,
    entries: entriesFound(findSessions(filter, entries, tasks)),
    live: live && findSessions(filter, [live], tasks).indexes.length > 0 ? live : null,
  }
}

function entriesFound(found: FoundSessions): readonly TimeEntry[] {
  const kept = foundEntries.get(found)
  if (kept) return kept
  const { worked, indexes } = found
  const entries = Array.from(indexes, (index) => worked.entries[index]).filter(
    (entry) => entry !== undefined,
  )
  foundEntries.set(found, entries)
  return entries
}

const foundEntries = new WeakMap<FoundSessions, readonly TimeEntry[]>()

function allIndexes(length: number): Int32Array {
  const indexes = new Int32Array(length)
  for (let index = 0; index < length; index++) indexes[index] = index
  return indexes
}

function indexesWith(indexes: Int32Array, excludes: boolean, meets: Test): Int32Array {
  const kept = new Int32Array(indexes.length)
  let count = 0
  for (const index of indexes) {
    if (meets(index) !== excludes) kept[count++] = index
  }
  return kept.subarray(0, count)
}

/**
 * Prepares the notes for `findSessions`, as long as `mayContinue` returns true. Returns whether all
 * are prepared. 100,000 notes take longer than a keystroke may: call it again and again while the
 * browser is idle. What is not prepared, the first search for words or tags prepares.
 */
export function prepareNotes(
  entries: readonly TimeEntry[],
  dayRule: DayRule,
  mayContinue: () => boolean,
): boolean {
  return fillNotes(prepareEntries(entries, dayRule), mayContinue)
}

interface Search {
  readonly tasks: readonly Task[]
  readonly filter: SessionFilter
  readonly found: FoundSessions
}

const lastFound = new WeakMap<WorkedDays, Search>()

/** Returns whether all that meets `filter` also meets `before`. */
function narrows(filter: SessionFilter, before: SessionFilter): boolean {
  return before.parts.every((part) => filter.parts.some((other) => implies(other, part)))
}

function implies(part: FilterPart, other: FilterPart): boolean {
  const [a, b] = [part.condition, other.condition]
  const isLonger = 'text' in a && 'text' in b && a.kind === b.kind && a.text.includes(b.text)
  return (isLonger && !part.excludes && !other.excludes) || isSame(part, other)
}

function isSame(part: FilterPart, other: FilterPart): boolean {
  return (
    part.excludes === other.excludes &&
    JSON.stringify(part.condition) === JSON.stringify(other.condition)
  )
}

function cheapestFirst(parts: readonly FilterPart[]): FilterPart[] {
  return parts.toSorted((a, b) => COSTS.indexOf(a.condition.kind) - COSTS.indexOf(b.condition.kind))
}

/** The kinds of conditions in the order of their cost. */
const COSTS = [
  'dates',
  'invoiced',
  'task',
  'category',
  'exactCategory',
  'billable',
  'length',
  'clock',
  'tag',
  'words',
]

type Test = (index: number) => boolean

function testOf({ condition }: FilterPart, worked: WorkedDays, tasks: readonly Task[]): Test {
  const { startDays, startedAt, durations, entryTasks } = worked
  switch (condition.kind) {
    case 'dates': {
      const from = dayNumber(condition.dates.from)
      const to = dayNumber(condition.dates.to)
      return (index) => {
        const day = startDays[index] ?? 0
        return day >= from && day < to
      }
    }
    case 'task': {
      const isWanted = tasksWith(condition.text, 'name', worked, tasks)
      return (index) => isWanted[entryTasks[index] ?? 0] === true
    }
    case 'category': {
      const isWanted = tasksWith(condition.text, 'category', worked, tasks)
      return (index) => isWanted[entryTasks[index] ?? 0] === true
    }
    case 'exactCategory': {
      const isWanted = searchedTasks(worked, tasks).category.map((key) => key === condition.key)
      return (index) => isWanted[entryTasks[index] ?? 0] === true
    }
    case 'length': {
      const { from, to } = condition
      return (index) => {
        const seconds = durations[index] ?? 0
        return seconds >= from && seconds < to
      }
    }
    case 'clock': {
      const { from, to } = condition
      const clock = zoneClock(worked.dayRule.timeZone)
      return (index) => {
        const seconds = clock.secondsOfDay(startedAt[index] ?? 0)
        return seconds >= from && seconds < to
      }
    }
    case 'billable': {
      const isBilled = billedBy(tasks, new Set(condition.unbilled))
      return (index) => {
        const entry = worked.entries[index]
        return entry !== undefined && isBilled(entry)
      }
    }
    case 'invoiced':
      return (index) => (worked.entries[index]?.invoiced ?? null) !== null
    case 'words': {
      const { text } = condition
      const isWanted = tasksWith(text, 'name', worked, tasks)
      const notes = notesOf(worked)
      return (index) =>
        isWanted[entryTasks[index] ?? 0] === true || notes[index]?.text.includes(text) === true
    }
    case 'tag': {
      const key = `#${tagKey(condition.tag)}#`
      const notes = notesOf(worked)
      return (index) => notes[index]?.tags.includes(key) === true
    }
  }
}

/** Returns for each task of the entries whether its text contains the wanted one. */
function tasksWith(
  wanted: string,
  text: keyof SearchedTasks,
  worked: WorkedDays,
  tasks: readonly Task[],
): boolean[] {
  return searchedTasks(worked, tasks)[text].map((each) => each.includes(wanted))
}

/** The folded names of the tasks of the entries and the keys of their categories, in the order of their ids. */
interface SearchedTasks {
  readonly name: readonly string[]
  readonly category: readonly string[]
}

function searchedTasks(worked: WorkedDays, tasks: readonly Task[]): SearchedTasks {
  const kept = keptTasks.get(worked)
  if (kept?.tasks === tasks) return kept.searched
  const byId = new Map(tasks.map((task) => [task.id, task] as const))
  const known = worked.taskIds.map((id) => byId.get(id))
  const unknown = folded(nameInReports(undefined))
  const searched = {
    name: known.map((task) => (task ? folded(nameInReports(task)) : unknown)),
    category: known.map((task) => categoryKey(task?.category ?? '')),
  }
  keptTasks.set(worked, { tasks, searched })
  return searched
}

const keptTasks = new WeakMap<
  WorkedDays,
  { readonly tasks: readonly Task[]; readonly searched: SearchedTasks }
>()

/** A note as it is searched. */
interface SearchedNote {
  /** Folded. */
  readonly text: string
  /** '#acme#big#' for two tags; empty without one. */
  readonly tags: string
}

/** Returns the note of each entry. */
function notesOf(worked: WorkedDays): readonly SearchedNote[] {
  fillNotes(worked, () => true)
  return noteColumns.get(worked) ?? []
}

function fillNotes(worked: WorkedDays, mayContinue: () => boolean): boolean {
  let column = noteColumns.get(worked)
  if (!column) noteColumns.set(worked, (column = []))
  for (let index = column.length; index < worked.entries.length; index++) {
    if (index % NOTES_AT_ONCE === 0 && !mayContinue()) return false
    const entry = worked.entries[index]
    if (entry) column.push(noteOf(entry))
  }
  return true
}

/** A hundred notes take far less than a millisecond. */
const NOTES_AT_ONCE = 100

function noteOf(entry: TimeEntry): SearchedNote {
  if (entry.note === null) return NO_NOTE
  // Kept by entry: in a list in which one entry changed, only its note is new.
  const kept = notes.get(entry)
  if (kept) return kept
  const tags = tagsOf(entry.note).map((tag) => `#${tagKey(tag)}`)
  const note = {
    text: folded(entry.note),
    tags: tags.length > 0 ? `${tags.join('')}#` : '',
  }
  notes.set(entry, note)
  return note
}

const NO_NOTE: SearchedNote = { text: '', tags: '' }
const noteColumns = new WeakMap<WorkedDays, SearchedNote[]>()
const notes = new WeakMap<TimeEntry, SearchedNote>()
