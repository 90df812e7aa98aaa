/** Reads the table of any other program. Its owner maps the columns, beginning with a guess. */
import { folded } from '#folded.ts'
import type { BreakCell, ImportRow } from './import-table.ts'
import { namesIn, plainHeading } from './import-table.ts'
import type { DurationUnit } from './import-times.ts'
import { readDate } from './import-times.ts'

/** The index of the column for each field; null if there is none. */
export interface ColumnMapping {
  /** False if the first row is an entry. */
  readonly hasHeadings: boolean
  readonly task: number | null
  readonly note: number | null
  /** Names with commas between them. */
  readonly tags: number | null
  readonly category: number | null
  /** The day; null if `start` contains it. */
  readonly date: number | null
  /** The time, or day and time. */
  readonly start: number | null
  readonly endDate: number | null
  readonly end: number | null
  readonly duration: number | null
  /** The breaks between start and end, in one column or in two. */
  readonly pause: number | null
  readonly secondPause: number | null
  /** The unit of a number without one in the duration column. */
  readonly durationUnit: DurationUnit
}

/**
 * Returns the mapping that the headings suggest, in English and German, those of breaks in all
 * languages; see `isUsable`.
 */
export function guessMapping(firstRow: readonly string[]): ColumnMapping {
  const headings = firstRow.map(plainHeading)
  const find = (names: readonly string[]) => {
    const name = names.find((candidate) => headings.includes(candidate))
    return name === undefined ? null : headings.indexOf(name)
  }
  const duration = find(NAMES.duration)
  const [pause = null, secondPause = null] = headings.flatMap((heading, index) =>
    isBreak(heading) ? index : [],
  )
  return {
    hasHeadings: !firstRow.some((text) => dateAndTime(text) !== null),
    task: find(NAMES.task),
    note: find(NAMES.note),
    tags: find(NAMES.tags),
    category: find(NAMES.category),
    date: find(NAMES.date),
    start: find(NAMES.start),
    endDate: find(NAMES.endDate),
    end: find(NAMES.end),
    duration,
    pause,
    secondPause,
    durationUnit: unitOf(duration === null ? '' : (headings[duration] ?? '')),
  }
}

/** Returns whether the mapping contains when the work was done and how long it took. */
export function isUsable({ date, start, end, duration }: ColumnMapping): boolean {
  return (date !== null && duration !== null) || (start !== null && (end ?? duration) !== null)
}

/** Returns the reader of the breaks of a row. */
export function breakReader(
  headings: readonly string[],
  { hasHeadings, pause, secondPause }: ColumnMapping,
): (fields: readonly string[]) => BreakCell[] {
  const columns = [pause, secondPause].flatMap((column) => {
    if (column === null) return []
    return { column, unit: hasHeadings ? breakUnitOf(headings[column] ?? '') : null }
  })
  return (fields) =>
    columns.map(({ column, unit }) => ({ text: fields[column]?.trim() ?? '', unit }))
}

/** Reads a row with the mapping, without its breaks: see `breakReader`. */
export function mappedRow(
  fields: readonly string[],
  mapping: ColumnMapping,
): Omit<ImportRow, 'breaks'> {
  const value = (column: number | null) => (column === null ? '' : (fields[column]?.trim() ?? ''))
  const start = parted(value(mapping.date), value(mapping.start))
  const end = parted(value(mapping.endDate), value(mapping.end))
  const note = value(mapping.note)
  const task = value(mapping.task)
  return {
    task: task || note,
    note: task === '' ? '' : note,
    tags: namesIn(value(mapping.tags)),
    category: value(mapping.category),
    startDate: start.date,
    startTime: start.time,
    endDate: end.date,
    endTime: end.time,
    duration: value(mapping.duration),
    person: '',
    passedOver: null,
  }
}

/** The headings of a start and of an end, in any file. */
export const START_NAMES = [
  'start',
  'start time',
  'started',
  'started at',
  'from',
  'begin',
  'in',
  'beginn',
  'von',
] as const
export const END_NAMES = [
  'end',
  'end time',
  'stop',
  'stop time',
  'ended',
  'ended at',
  'to',
  'out',
  'ende',
  'bis',
] as const

const NAMES = {
  task: ['task', 'task name', 'aufgabe', 'project', 'project name', 'projekt', 'activity', 'name'],
  note: [
    'note',
    'notes',
    'description',
    'comment',
    'comments',
    'notiz',
    'beschreibung',
    'bemerkung',
  ],
  tags: ['tags', 'labels', 'schlagwörter', 'schlagworte'],
  category: ['category', 'kategorie'],
  date: ['date', 'start date', 'day', 'datum', 'startdatum', 'tag'],
  start: START_NAMES,
  endDate: ['end date', 'stop date', 'enddatum'],
  end: END_NAMES,
  duration: [
    'duration',
    'hours',
    'minutes',
    'seconds',
    'duration (h)',
    'duration (hours)',
    'duration (minutes)',
    'duration (seconds)',
    'time spent',
    'time',
    'effort',
    'dauer',
    'stunden',
    'minuten',
  ],
} as const

/** The headings of breaks, in four languages, without accents: 'Lunch break (min)', 'Pause 2'. */
const BREAK =
  /^(?:(?:(?:unpaid|lunch|meal|temps de|duree de|duree des|tiempo de|duracion de la) )?(?:breaks?|pauses?|pausen|pausas?|descansos?)(?:zeit(?:en)?|dauer| (?:time|duration|dejeuner|repas|midi|de midi|para comer))?|lunch|mittag(?:spause)?|dejeuner|almuerzo|comida)(?: \d)?(?: (?:in |en )?(?:h|hrs?|hours|std|stunden|heures|horas|min[a-z]*))?$/
const HOURS = /\b(?:h|hrs?|hours?|std|stunden|heures|horas)\b/

function isBreak(heading: string): boolean {
  return BREAK.test(folded(heading.replace(/[([].*?[)\]]/g, ' ')).trim())
}

function breakUnitOf(heading: string): DurationUnit | null {
  const text = folded(heading)
  if (HOURS.test(text)) return 'hours'
  return /\bmin/.test(text) ? 'minutes' : null
}

function unitOf(heading: string): DurationUnit {
  if (/second|sekunde/.test(heading)) return 'seconds'
  return /minute/.test(heading) ? 'minutes' : 'hours'
}

/** Returns the day and the time of a moment that is written in one column or in two. */
function parted(date: string, time: string): { readonly date: string; readonly time: string } {
  if (date === '') return dateAndTime(time) ?? { date: '', time }
  return (time === '' ? dateAndTime(date) : null) ?? { date, time }
}

/** Reads '2026-03-09T09:30', '9.3.2026 9:30 AM' or a date alone; returns null for anything else. */
export function dateAndTime(text: string): { readonly date: string; readonly time: string } | null {
  const parts = /^(.*?\d)(?:T|,? )(\d{1,2}[:.]\d{2}(?!\d*[./]\d{4}).*)$/.exec(text.trim())
  const [date = '', time = ''] = parts ? parts.slice(1) : [text.trim()]
  return (readDate(date, 'dmy') ?? readDate(date, 'mdy')) ? { date, time } : null
}
