/** Guesses the columns of a table whose headings say nothing, by what they have. */
import { readImportedDuration } from './import-durations.ts'
import { dateAndTime, readTime } from './import-moments.ts'

/** What a column has in most of its rows. */
type Content = 'moment' | 'date' | 'clock' | 'number' | 'text' | 'nothing'

export interface GuessedColumns {
  readonly date: number | null
  readonly start: number | null
  readonly end: number | null
  readonly duration: number | null
  readonly task: number | null
  readonly note: number | null
}

/** Answers, which name no work. */
const ANSWERS = /^(?:y|n|yes|no|true|false|ja|nein|oui|non|si|sí|x)$/i

/** Returns the first columns of texts that are not `taken`, for the task and the note. */
export function namesByContent(
  rows: readonly (readonly string[])[],
  taken: ReadonlySet<number>,
): Pick<GuessedColumns, 'task' | 'note'> {
  const free = rows.map((row) => row.map((text, index) => (taken.has(index) ? '' : text)))
  const { task, note } = columnsByContent(free)
  return { task, note }
}

/**
 * Returns the columns that the rows suggest. Of moments, or of times beside a day, the first is the
 * start and the second the end; a time alone is a duration. The first two texts are task and note.
 */
export function columnsByContent(rows: readonly (readonly string[])[]): GuessedColumns {
  const width = Math.max(0, ...rows.map((row) => row.length))
  const contents = Array.from({ length: width }, (_, column) =>
    contentOf(rows.flatMap((row) => row[column]?.trim() || [])),
  )
  const of = (kind: Content) =>
    contents.flatMap((content, index) => (content === kind ? index : []))
  const [firstMoment = null, secondMoment = null] = of('moment')
  const [date = null] = of('date')
  const clocks = of('clock')
  const [number = null] = of('number')
  const [task = null, note = null] = of('text')
  if (firstMoment !== null) {
    const duration = clocks[0] ?? number
    return { date: null, start: firstMoment, end: secondMoment, duration, task, note }
  }
  const [start = null, end = null, third = null] = clocks
  if (end === null) return { date, start: null, end: null, duration: start ?? number, task, note }
  return { date, start, end, duration: third ?? number, task, note }
}

function contentOf(texts: readonly string[]): Content {
  if (texts.length === 0) return 'nothing'
  const most = (is: (text: string) => boolean) => texts.filter(is).length * 2 > texts.length
  if (most((text) => (dateAndTime(text)?.time ?? '') !== '')) return 'moment'
  if (most((text) => dateAndTime(text) !== null)) return 'date'
  if (most((text) => /[:h]/i.test(text) && readTime(text, '') !== null)) return 'clock'
  if (most((text) => /^\d+:\d\d/.test(text) && readImportedDuration(text, 'hours') !== null)) {
    return 'clock'
  }
  if (most((text) => ANSWERS.test(text))) return 'nothing'
  return most((text) => /^[\d.,]+$/.test(text)) ? 'number' : 'text'
}
