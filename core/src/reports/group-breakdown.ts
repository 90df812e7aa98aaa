/** The work of a period divided among categories or tags. */
import type { DateRange } from '#time/calendar.ts'
import { dayNumber, intervalOfDates } from '#time/calendar.ts'
import { hasTag, tagKey, tagsByKey } from '#record/tags.ts'
import {
  categoriesOf,
  categoryKey,
  colorOfName,
  givenColor,
  NO_CATEGORY_COLORS,
} from '#record/category.ts'
import { colorsApart, nameInReports } from '#record/task.ts'
import type { Task, TaskColor } from '#record/task.ts'
import type { Period } from '#time/period.ts'
import { periodDates } from '#time/period.ts'
import { t } from '#text.ts'
import { liveSeconds, secondsByTaskWithin, trackedTime } from './report-input.ts'
import type { ReportInput, TrackedTime } from './report-input.ts'
import { divided, ranked } from './task-breakdown.ts'
import type { Amount, BreakdownRow, TaskBreakdown } from './task-breakdown.ts'
import { entriesTouching } from './worked-days.ts'
import type { WorkedDays } from './worked-days.ts'
import { secondsWorkedWithin } from './worked-time.ts'

/** What a period can be divided by other than its tasks. */
export const GROUPS = ['category', 'tag'] as const
export type Group = (typeof GROUPS)[number]

export interface GroupBreakdown extends Pick<TaskBreakdown, 'squares'> {
  /** All work of the period. */
  readonly totalSeconds: number
  /**
   * What the rows and the rest add up to, which the shares are of. Above the total if a session has
   * several tags, as it counts in each.
   */
  readonly sumSeconds: number
  /** The ten groups with the most time, in that order. */
  readonly rows: readonly GroupRow[]
  /** The other groups together; null if there are none. A session counts once in it. */
  readonly rest:
    | (Pick<BreakdownRow, 'seconds' | 'percent' | 'percentLabel'> & {
        readonly groups: number
        readonly counted: Counted
      })
    | null
}

export interface GroupRow extends Omit<BreakdownRow, 'taskId' | 'isDeleted'> {
  readonly key: string
  /** The sessions that it counts. */
  readonly counted: Counted
}

/** The sessions that a row counts: of these tasks, or with any of these tags ('' is no tag). */
export interface Counted {
  readonly taskIds?: readonly string[]
  readonly tags?: readonly string[]
}

/** Divides the work of a period among the categories of its tasks, or among the tags of its notes. */
export function groupBreakdown(input: ReportInput, period: Period, by: Group): GroupBreakdown {
  const time = trackedTime(input)
  const dates = periodDates(period)
  return by === 'tag' ? byTag(time, dates) : byCategory(time, dates, input)
}

/** The work of one group in some days. */
export interface GroupTotal {
  /** The category, or the key of the tag; '' is no category, or no tag. */
  readonly key: string
  readonly name: string
  readonly seconds: number
}

/** Returns the work of every group in the days, the one with the most time first. */
export function groupTotals(input: ReportInput, dates: DateRange, by: Group): GroupTotal[] {
  const time = trackedTime(input)
  const { seconds, nameOf, writtenOf } =
    by === 'tag' ? tagTotals(time, dates) : categorySums(time, dates, input.tasks)
  const { top, others } = ranked(seconds)
  return [...top, ...others].map(([key, each]) => {
    return { key: writtenOf(key), name: nameOf(key), seconds: each }
  })
}

/** How many tags `groupTotals` names, those of the earliest sessions. The others are one group. */
const MAX_NAMED_TAGS = 10_000

/** The key of the tags that are not named. No tag has it. */
const OTHER_TAGS = '#'

function tagTotals(time: TrackedTime, dates: DateRange) {
  const seconds = new Map<string, number>()
  const names = new Map([['', '']])
  const add = (key: string, each: number) => seconds.set(key, (seconds.get(key) ?? 0) + each)
  const count = (note: string | null, each: number) => {
    let hasOthers = false
    for (const [key, name] of tagsOrNone(note)) {
      if (!names.has(key) && names.size > MAX_NAMED_TAGS) {
        hasOthers = true
        continue
      }
      names.set(key, name)
      add(key, each)
    }
    if (hasOthers) add(OTHER_TAGS, each)
  }
  eachNote(time.worked, dates, count)
  const { live } = time
  if (live) count(live.note, liveSeconds(time, dayNumber(dates.from), dayNumber(dates.to)))
  const nameOf = (key: string) =>
    key === OTHER_TAGS ? t('Other tags') : nameOfTag(key, names.get(key))
  return { seconds, nameOf, writtenOf: (key: string) => key }
}

function categorySums(time: TrackedTime, dates: DateRange, tasks: readonly Task[]) {
  const categories = new Map(tasks.map(({ id, category }) => [id, categoryKey(category)]))
  const seconds = new Map<string, number>()
  const taskIds = new Map<string, string[]>()
  for (const [taskId, ofTask] of secondsByTaskWithin(time, dates)) {
    const key = categories.get(taskId) ?? UNKNOWN
    seconds.set(key, (seconds.get(key) ?? 0) + ofTask)
    const ofCategory = taskIds.get(key)
    if (ofCategory) ofCategory.push(taskId)
    else taskIds.set(key, [taskId])
  }
  const names = new Map(categoriesOf(tasks).map(({ key, name }) => [key, name]))
  const nameOf = (key: string) => {
    if (key === UNKNOWN) return nameInReports(undefined)
    return key === '' ? t('No category') : writtenOf(key)
  }
  const writtenOf = (key: string) => names.get(key) ?? key
  return { seconds, taskIds, nameOf, writtenOf }
}

function byCategory(
  time: TrackedTime,
  dates: DateRange,
  { tasks, categoryColors = NO_CATEGORY_COLORS }: ReportInput,
): GroupBreakdown {
  const { seconds, taskIds, nameOf, writtenOf } = categorySums(time, dates, tasks)
  const { top, others } = ranked(seconds)
  const restSeconds = others.reduce((sum, [, each]) => sum + each, 0)
  const { totalSeconds, rows, rest, squares } = divided(top, restSeconds, others.length > 0)
  const colors = colorsOf(
    top.map(([key]) => key),
    (key) => givenColor(key, categoryColors),
  )
  return {
    totalSeconds,
    sumSeconds: totalSeconds,
    rows: rows.map((row) => ({
      ...row,
      key: writtenOf(row.key),
      name: nameOf(row.key),
      color: colors.get(row.key) ?? 'slate',
      counted: { taskIds: taskIds.get(row.key) ?? [] },
    })),
    rest: rest && {
      ...rest,
      groups: others.length,
      counted: { taskIds: others.flatMap(([key]) => taskIds.get(key) ?? []) },
    },
    squares,
  }
}

/** The key of tasks that are missing. A stored category is never this. */
const UNKNOWN = ' '

function byTag(time: TrackedTime, dates: DateRange): GroupBreakdown {
  const { sets, tags } = tagSums(time, dates)
  const totalSeconds = [...sets.values()].reduce((sum, set) => sum + set.seconds, 0)
  const { top, others } = ranked(secondsOf(tags))
  const otherKeys = new Set(others.map(([key]) => key))
  const restSeconds = [...sets.values()]
    .filter(({ keys }) => keys.some((key) => otherKeys.has(key)))
    .reduce((sum, set) => sum + set.seconds, 0)
  const { rows, rest, squares, ...sums } = divided(top, restSeconds, others.length > 0)
  const colors = colorsOf(
    top.map(([key]) => key),
    (key) => (key === '' ? 'slate' : undefined),
  )
  return {
    totalSeconds,
    sumSeconds: sums.totalSeconds,
    rows: rows.map((row) => ({
      ...row,
      name: nameOfTag(row.key, tags.get(row.key)?.name),
      color: colors.get(row.key) ?? 'slate',
      counted: { tags: [row.key] },
    })),
    rest: rest && { ...rest, groups: others.length, counted: { tags: [...otherKeys] } },
    squares,
  }
}

/** The seconds of the sessions with the same tags in the same order. */
interface TagSet {
  readonly keys: readonly string[]
  readonly seconds: number
}

/** The seconds of a tag, and how it was written last. */
interface TagTotal {
  readonly name: string
  readonly seconds: number
}

interface TagSums {
  readonly sets: ReadonlyMap<string, TagSet>
  /** By the key of the tag. */
  readonly tags: ReadonlyMap<string, TagTotal>
}

/** Returns the work of the days by tags, that of the running timer included. */
function tagSums(time: TrackedTime, dates: DateRange): TagSums {
  const saved = savedTags(time.worked, dates)
  if (!time.live) return saved
  const sums = { sets: new Map(saved.sets), tags: new Map(saved.tags) }
  const seconds = liveSeconds(time, dayNumber(dates.from), dayNumber(dates.to))
  addTo(sums, time.live.note, seconds)
  return sums
}

/**
 * Returns the saved work of the days by tags. The last results are kept, as they are asked for again at
 * each second of a running timer.
 */
function savedTags(worked: WorkedDays, { from, to }: DateRange): TagSums {
  const kept = keptTags.get(worked) ?? []
  const known = kept.find(({ dates }) => dates.from === from && dates.to === to)
  if (known) return known.sums
  const sums = { sets: new Map<string, TagSet>(), tags: new Map<string, TagTotal>() }
  eachNote(worked, { from, to }, (note, seconds) => addTo(sums, note, seconds))
  keptTags.set(worked, [...kept.slice(1 - MAX_KEPT), { dates: { from, to }, sums }])
  return sums
}

/** A report's period, and the day, week and month of targets. */
const MAX_KEPT = 4
const keptTags = new WeakMap<WorkedDays, readonly { dates: DateRange; sums: TagSums }[]>()

/** Returns the work with a tag in a range of days, that of the running timer included. */
export function secondsOfTag(time: TrackedTime, dates: DateRange, tag: string): number {
  const key = tagKey(tag)
  const saved = savedTags(time.worked, dates).tags.get(key)?.seconds ?? 0
  if (!time.live || !hasTag(time.live.note, tag)) return saved
  return saved + liveSeconds(time, dayNumber(dates.from), dayNumber(dates.to))
}

function addTo(
  { sets, tags }: { sets: Map<string, TagSet>; tags: Map<string, TagTotal> },
  note: string | null,
  seconds: number,
): void {
  if (seconds === 0) return
  const byKey = tagsOrNone(note)
  const keys = [...byKey.keys()]
  const set = keys.join(' ')
  sets.set(set, { keys, seconds: seconds + (sets.get(set)?.seconds ?? 0) })
  for (const [key, name] of byKey) {
    tags.set(key, { name, seconds: seconds + (tags.get(key)?.seconds ?? 0) })
  }
}

/** Calls `count` with the note of each entry that has work in the days, and the seconds of that work. */
function eachNote(
  worked: WorkedDays,
  dates: DateRange,
  count: (note: string | null, seconds: number) => void,
): void {
  const { start, end } = intervalOfDates(dates, worked.dayRule)
  for (const entry of entriesTouching(worked, { start, end })) {
    const seconds = secondsWorkedWithin(entry, start, end)
    if (seconds > 0) count(entry.note, seconds)
  }
}

/** Returns the tags of a note by their keys; '' alone if it has none. */
function tagsOrNone(note: string | null): ReadonlyMap<string, string> {
  const tags = tagsByKey(note)
  return tags.size === 0 ? NO_TAG : tags
}

const NO_TAG: ReadonlyMap<string, string> = new Map([['', '']])

function secondsOf(tags: TagSums['tags']): Amount[] {
  return Array.from(tags, ([key, { seconds }]) => [key, seconds] as const)
}

function nameOfTag(key: string, written: string = key): string {
  return key === '' ? t('No tag') : `#${written}`
}

/**
 * Returns colours for groups side by side. Groups with a colour of their own keep it; the others
 * have one that follows from the name, so that it is the same in every period where it is free.
 */
function colorsOf(
  keys: readonly string[],
  own: (key: string) => TaskColor | undefined,
): Map<string, TaskColor> {
  const wanted = keys.toSorted().map((key) => ({ key, color: own(key) }))
  return colorsApart([
    ...wanted.flatMap(({ key, color }) => (color ? [[key, color] as const] : [])),
    ...wanted.flatMap(({ key, color }) => (color ? [] : [[key, colorOfName(key)] as const])),
  ])
}
