/** Finds the columns of a table: by the headings of a format, or by a guess that its owner can change. */
import { columnsByContent, namesByContent } from './import-contents.ts'
import { readImportedDuration } from './import-durations.ts'
import type { ColumnMapping, ColumnName } from './import-headings.ts'
import {
  AMBIGUOUS,
  breakBound,
  countHeadings,
  HEADINGS,
  headingWords,
  isBreakHeading,
  plainHeading,
  unitOfHeading,
  withoutUnit,
} from './import-headings.ts'
import { dateAndTime, readTime } from './import-moments.ts'
import { timesOfSpan } from './import-row-reader.ts'
import type { TableFormat } from './import-table.ts'
import { readZone } from './import-zones.ts'

/** How many rows at the beginning of a file may be the headings. */
const MAX_ROWS_ABOVE = 20
/** How many rows show what a column has. */
const SAMPLE_ROWS = 20

/**
 * Returns the index of the row with the headings: of the first rows the one with the most known
 * headings, two at least; else the first row.
 */
export function headingRow(rows: readonly (readonly string[])[]): number {
  const counts = rows.slice(0, MAX_ROWS_ABOVE).map(countHeadings)
  const most = Math.max(0, ...counts)
  return most < 2 ? 0 : counts.indexOf(most)
}

/**
 * Returns the mapping that the headings and the contents of the first rows suggest, in four
 * languages; see `isUsable`.
 */
export function guessMapping(
  headings: readonly string[],
  samples: readonly (readonly string[])[] = [],
): ColumnMapping {
  const guess = mappingByHeadings(headings, samples)
  const { project, task, note, client, category, tags } = guess
  const isNamed = [project, task, note].some((column) => column !== null)
  const isCalled = isNamed || [client, category, tags].some((column) => column !== null)
  if (isUsable(guess) && isCalled) return guess
  const rows = (guess.hasHeadings ? samples : [headings, ...samples]).slice(0, SAMPLE_ROWS)
  if (isUsable(guess)) return { ...guess, ...namesByContent(rows, columnsOf(guess)) }
  const contents = columnsByContent(rows)
  const names = isNamed ? { task, note } : {}
  const made = { ...guess, ...contents, ...names }
  return isUsable(made) ? made : guess
}

function columnsOf(mapping: ColumnMapping): ReadonlySet<number> {
  return new Set(
    Object.values(mapping)
      .flat()
      .filter((column) => typeof column === 'number'),
  )
}

function mappingByHeadings(
  headings: readonly string[],
  samples: readonly (readonly string[])[],
): ColumnMapping {
  const names = headings.map(headingWords)
  const taken = new Set<number>()
  const take = (column: number | null) => {
    if (column !== null) taken.add(column)
    return column
  }
  const breaks = headings.flatMap((heading, index) => (isBreakHeading(heading) ? index : []))
  const pairs = pairedTimes(names, samples)
  const pauseStart = pairs?.pauseStart ?? indexOf(headings, (text) => breakBound(text) === 'start')
  const pauseEnd = pairs?.pauseEnd ?? indexOf(headings, (text) => breakBound(text) === 'end')
  for (const column of breaks) taken.add(column)
  for (const column of [...Object.values(pairs ?? {}), pauseStart, pauseEnd]) take(column)
  const find = (field: keyof typeof HEADINGS): number | null => {
    let best: { readonly column: number; readonly share: number } | null = null
    for (const name of HEADINGS[field]) {
      const exact = names.findIndex((each, index) => each === name && !taken.has(index))
      const column =
        exact < 0 && field === 'duration'
          ? names.findIndex((each, index) => withoutUnit(each) === name && !taken.has(index))
          : exact
      if (column < 0) continue
      const share = shareThatFits(field, column, samples)
      if (share === 0 && (AMBIGUOUS.has(name) || hasSpans(column, samples))) continue
      if (best === null || share > best.share) best = { column, share }
    }
    return take(best?.column ?? null)
  }
  const date = find('date')
  const duration = find('duration')
  const start = pairs?.start ?? find('start')
  // A column of '09:00 – 12:30' has both.
  const end = pairs?.end ?? (start !== null && hasSpans(start, samples) ? start : find('end'))
  return {
    hasHeadings: !headings.some((text) => dateAndTime(text) !== null),
    date,
    start,
    endDate: find('endDate'),
    end,
    duration,
    zone: find('zone'),
    project: find('project'),
    task: find('task'),
    details: null,
    note: find('note'),
    client: find('client'),
    category: find('category'),
    kind: find('kind'),
    tags: find('tags'),
    person: [find('person')].filter((column) => column !== null),
    pause: breaks[0] ?? null,
    secondPause: breaks[1] ?? null,
    pauseStart: pauseEnd === null ? null : pauseStart,
    pauseEnd: pauseStart === null ? null : pauseEnd,
    durationUnit: duration === null ? null : unitOfHeading(headings[duration] ?? ''),
  }
}

function indexOf(headings: readonly string[], is: (heading: string) => boolean): number | null {
  const at = headings.findIndex(is)
  return at < 0 ? null : at
}

/** Returns the columns of a table with two pairs of times a row: 'In, Out, In, Out'; else null. */
function pairedTimes(names: readonly string[], samples: readonly (readonly string[])[]) {
  const plain = names.map((name) => name.replace(/ ?\d$/, ''))
  // '7.25' of a column 'Hours' can be read as a time.
  const times = plain.map((name) => (HEADINGS.duration.includes(name) ? '' : name))
  const columnsOf = (field: 'start' | 'end') =>
    times.flatMap((name, index) =>
      HEADINGS[field].includes(name) && shareThatFits(field, index, samples) > 0 ? index : [],
    )
  const [start, pauseEnd, ...moreStarts] = columnsOf('start')
  const [pauseStart, end, ...moreEnds] = columnsOf('end')
  if (start === undefined || pauseEnd === undefined || moreStarts.length > 0) return null
  if (pauseStart === undefined || end === undefined || moreEnds.length > 0) return null
  if (!(start < pauseStart && pauseStart < pauseEnd && pauseEnd < end)) return null
  return { start, pauseStart, pauseEnd, end }
}

/** Returns whether most of a column are two times, as '09:00 – 12:30'. */
function hasSpans(column: number, samples: readonly (readonly string[])[]): boolean {
  const texts = samples.slice(0, SAMPLE_ROWS).flatMap((row) => row[column]?.trim() || [])
  return texts.filter((text) => timesOfSpan(text) !== null).length * 2 > texts.length
}

/** Returns the share of the samples that may be a value of the field; 1 without samples. */
function shareThatFits(
  field: keyof typeof HEADINGS,
  column: number,
  samples: readonly (readonly string[])[],
): number {
  const fits = FITS[field]
  const texts = samples.slice(0, SAMPLE_ROWS).flatMap((row) => row[column]?.trim() || [])
  if (fits === undefined || texts.length === 0) return fits === undefined ? 1 : 0.5
  return texts.filter(fits).length / texts.length
}

const FITS: Partial<Record<keyof typeof HEADINGS, (text: string) => boolean>> = {
  date: (text) => dateAndTime(text) !== null,
  endDate: (text) => dateAndTime(text) !== null,
  start: (text) => isMoment(text) || timesOfSpan(text) !== null,
  end: isMoment,
  duration: (text) => readImportedDuration(text, 'hours') !== null,
  zone: (text) => readZone(text, '') !== null,
}

function isMoment(text: string): boolean {
  return dateAndTime(text) !== null || readTime(text, '') !== null
}

/** Returns the columns of a format. Times that it has under another heading are found as in any table. */
export function mappingOf(
  { columns, durationUnit = 'hours' }: Pick<TableFormat, 'columns' | 'durationUnit'>,
  headings: readonly string[],
  samples: readonly (readonly string[])[],
): ColumnMapping {
  const present = headings.map(plainHeading)
  const find = (field: ColumnName) => {
    const column = (columns[field] ?? []).map((name) => present.indexOf(name)).find((at) => at >= 0)
    return column ?? null
  }
  const guess = guessMapping(headings, samples)
  return {
    hasHeadings: true,
    project: find('project'),
    task: find('task'),
    details: find('details'),
    note: find('note'),
    tags: find('tags'),
    client: find('client'),
    category: find('category'),
    date: find('date'),
    start: find('start') ?? guess.start,
    endDate: find('endDate'),
    end: find('end') ?? guess.end,
    duration: find('duration'),
    zone: find('zone'),
    kind: find('kind'),
    person: (columns.person ?? []).flatMap((name) => {
      const column = present.indexOf(name)
      return column < 0 ? [] : column
    }),
    pause: guess.pause,
    secondPause: guess.secondPause,
    pauseStart: guess.pauseStart,
    pauseEnd: guess.pauseEnd,
    durationUnit,
  }
}

/** Returns whether the mapping contains when the work was done and how long it took. */
export function isUsable({ date, start, end, duration }: ColumnMapping): boolean {
  return (date !== null && duration !== null) || (start !== null && (end ?? duration) !== null)
}
