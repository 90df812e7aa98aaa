/** Reads the rows of a table by the mapping of its columns. */
import type { ColumnMapping } from './import-headings.ts'
import type { DurationUnit } from './import-durations.ts'
import { unitOfHeading } from './import-headings.ts'
import { dateAndTime, readTime } from './import-moments.ts'
import { noWorkReason } from './import-no-work.ts'
import type { BreakCell, CategorySource, ImportRow } from './import-table.ts'
import { namedAfterProject } from './import-table.ts'

/** What people write where there is no time. */
const DASHES = /^\p{Pd}+$/u

const SPAN = /^(\d[^-–—]*?)(?:\s*[-–—]\s*|\s+(?:to|bis|à|a|until|hasta)\s+)(\d.*)$/i
const BETWEEN_SPANS = /\s*(?:[,;+&]|\s(?:and|und|et|y)\s)\s*/

const NO_CATEGORIES = { source: 'none' as const, projects: new Set<string>() }

/** The times of a session in one field, with those of the break between two parts. */
export interface TimesOfSpan {
  readonly start: string
  readonly end: string
  /** '' without a break. */
  readonly pauseStart: string
  readonly pauseEnd: string
}

/** Reads '09:00 – 12:30', '8-12 Uhr' and '8:00-12:00, 13:00-17:00'; null for anything else. */
export function timesOfSpan(text: string): TimesOfSpan | null {
  const [first, second, ...more] = text.split(BETWEEN_SPANS).map(plainSpan)
  if (!first || second === null || more.length > 0) return null
  const [start, pauseStart] = first
  if (second === undefined) return { start, end: pauseStart, pauseStart: '', pauseEnd: '' }
  const [pauseEnd, end] = second
  return { start, end, pauseStart, pauseEnd }
}

function plainSpan(text: string): readonly [string, string] | null {
  const [, ...parts] = SPAN.exec(text) ?? []
  const [start = '', end = ''] = parts.map((part) => (/^\d{1,2}$/.test(part) ? `${part}:00` : part))
  return readTime(start, '') !== null && readTime(end, '') !== null ? [start, end] : null
}

/** Returns the times of a break that is written as '12:00-12:30', null for anything else. */
function pauseOfCell(text: string): Pick<TimesOfSpan, 'pauseStart' | 'pauseEnd'> | null {
  const span = plainSpan(text)
  return span && { pauseStart: span[0], pauseEnd: span[1] }
}

/** Returns the projects that have tasks in rows of a table. */
export function projectsWithTasks(
  rows: readonly (readonly string[])[],
  { project, task }: Pick<ColumnMapping, 'project' | 'task'>,
  nothing = '',
): ReadonlySet<string> {
  if (project === null || task === null) return new Set()
  const found = rows.flatMap((fields) => {
    const [name = '', own = ''] = [fields[project]?.trim(), fields[task]?.trim()]
    const isBeside = own !== '' && own !== nothing && own !== name
    return isBeside && name !== '' && name !== nothing ? name : []
  })
  return new Set(found)
}

/**
 * Returns the reader of the rows of a table.
 * @param nothing what stands for an empty field.
 * @param categories what becomes a category, and the projects that have tasks.
 */
export function rowReader(
  headings: readonly string[],
  mapping: ColumnMapping,
  nothing = '',
  categories: {
    readonly source: CategorySource
    readonly projects: ReadonlySet<string>
  } = NO_CATEGORIES,
): (fields: readonly string[], line: number) => ImportRow {
  const breakColumns = [mapping.pause, mapping.secondPause].flatMap((column) => {
    if (column === null) return []
    const unit = mapping.hasHeadings ? breakUnitOf(headings[column] ?? '') : null
    return { column, unit }
  })
  return (fields, line) => {
    const value = (column: number | null) => {
      const text = column === null ? '' : (fields[column]?.trim() ?? '')
      return text === nothing ? '' : text
    }
    const moment = (column: number | null) => {
      const text = value(column)
      return DASHES.test(text) ? '' : text
    }
    const texts = {
      client: value(mapping.client),
      project: value(mapping.project),
      task: value(mapping.task),
      details: value(mapping.details),
      note: value(mapping.note),
      tags: value(mapping.tags),
    }
    const isSpan = mapping.start !== null && mapping.start === mapping.end
    const span = isSpan ? timesOfSpan(moment(mapping.start)) : null
    const startText = span?.start ?? moment(mapping.start)
    const endText = span?.end ?? (isSpan ? '' : moment(mapping.end))
    const breaks = breakColumns.map(({ column, unit }): BreakCell => ({
      text: value(column),
      unit,
    }))
    const ownPause = span?.pauseStart ? span : null
    const hasPause = ownPause !== null || moment(mapping.pauseStart) !== ''
    const placed = hasPause ? -1 : breaks.findIndex(({ text }) => pauseOfCell(text) !== null)
    const pause = ownPause ?? pauseOfCell(breaks[placed]?.text ?? '')
    const pauseStart = pause?.pauseStart ?? moment(mapping.pauseStart)
    const pauseEnd = pause?.pauseEnd ?? moment(mapping.pauseEnd)
    // Of two pairs of times the second may be empty: then the first end is the end.
    const isHalf = endText === '' && pauseEnd === ''
    const start = parted(moment(mapping.date), startText)
    const end = parted(moment(mapping.endDate), isHalf ? pauseStart : endText)
    const own = value(mapping.category)
    const { source, projects } = categories
    const isSource = own === '' && (source !== 'project' || projects.has(texts.project))
    const named = namedAfterProject(texts, isSource ? source : 'none')
    return {
      ...named,
      line,
      fields,
      category: own || named.category,
      startDate: start.date,
      startTime: start.time,
      endDate: end.date,
      endTime: end.time,
      duration: moment(mapping.duration),
      breaks: breaks.filter((_, index) => index !== placed),
      pauseStart: isHalf ? '' : pauseStart,
      pauseEnd,
      zone: value(mapping.zone),
      person: mapping.person.map(value).join(' ').trim(),
      passedOver: noWorkReason([value(mapping.kind), texts.project, texts.task, named.task]),
    }
  }
}

/**
 * Returns the rows of a table in which each day is written once: those with times and no day get the
 * day of the row above. `filled` is how many these are. In any other table a missing day is a mistake.
 */
export function withDaysFromAbove(rows: readonly ImportRow[]): {
  readonly rows: readonly ImportRow[]
  readonly filled: number
} {
  const days = rows.flatMap(({ startDate }) => (startDate === '' ? [] : startDate))
  if (days.length < 2 || new Set(days).size < days.length) return { rows, filled: 0 }
  let above = ''
  let filled = 0
  const complete = rows.map((row) => {
    if (row.startDate !== '') above = dateAndTime(row.startDate) ? row.startDate : ''
    else if (above !== '' && readTime(row.startTime, '') !== null) {
      filled++
      return { ...row, startDate: above }
    }
    return row
  })
  return { rows: complete, filled }
}

function breakUnitOf(heading: string): DurationUnit | null {
  return unitOfHeading(heading.replace(/\b(?:lunch|meal)\b/i, ''))
}

/** Returns the day and the time of a moment that is written in one column or in two. */
function parted(date: string, time: string): { readonly date: string; readonly time: string } {
  if (time === '') return dateAndTime(date) ?? { date, time }
  const moment = date === '' || time.length > 8 ? dateAndTime(time) : null
  // A start with a day of its own is that moment, whatever another column has.
  return moment && (date === '' || moment.time !== '') ? moment : { date, time }
}
