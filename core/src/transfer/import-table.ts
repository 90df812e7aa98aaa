/**
 * The common form of the files of other time trackers: a table with headings and one row per entry.
 */
import type { DurationUnit } from './import-times.ts'

/** A row as the file has it. Missing fields are ''. */
export interface ImportRow {
  readonly task: string
  readonly note: string
  readonly category: string
  readonly startDate: string
  readonly startTime: string
  readonly endDate: string
  readonly endTime: string
  readonly duration: string
  /** Whose work it is, to detect files of several people. */
  readonly person: string
  /** Why the row is no work, or null. */
  readonly passedOver: string | null
}

/**
 * Returns the trimmed text of the column with the first of the names that the table has; else ''.
 */
export type FieldReader = (...names: readonly string[]) => string

export interface TableFormat {
  /** The columns that a file of this kind must have, each with its possible names in lower case. */
  readonly columns: readonly (readonly string[])[]
  /** The unit of a number without one in the duration column. */
  readonly durationUnit: DurationUnit
  readonly readRow: (field: FieldReader) => ImportRow
}

/** The task name for work without a name in the file. */
export const UNNAMED_TASK = 'Imported'

/** Returns a heading in the form by which columns are looked up. */
export function plainHeading(heading: string): string {
  return heading.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Returns the required columns that the headings lack, by their first name. */
export function missingColumns(format: TableFormat, headings: readonly string[]): string[] {
  const present = new Set(headings.map(plainHeading))
  return format.columns
    .filter((names) => !names.some((name) => present.has(name)))
    .flatMap((names) => names[0] ?? [])
}

/**
 * Returns the name and the note of an entry. The project is the task and the description its note.
 * Without a project, the description is the task.
 */
export function namedAfterProject(
  project: string,
  task: string,
  description: string,
): { readonly task: string; readonly note: string } {
  const [name = '', ...details] = [project, task, description].filter((text) => text !== '')
  return { task: name, note: details.filter((text) => text !== name).join(' – ') }
}
