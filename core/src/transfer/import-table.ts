/** What the files of other time trackers have in common: a table with headings, a row an entry. */
import type { DurationUnit } from './import-times.ts'

/** A row as the file has it; what it lacks is ''. */
export interface ImportRow {
  readonly task: string
  readonly note: string
  readonly category: string
  readonly startDate: string
  readonly startTime: string
  readonly endDate: string
  readonly endTime: string
  readonly duration: string
  /** Whose work it is, to tell files of several people. */
  readonly person: string
  /** Why it is no work, or null. */
  readonly passedOver: string | null
}

/** The text of a column, trimmed, by the first of its names that the table has; else ''. */
export type FieldReader = (...names: readonly string[]) => string

export interface TableFormat {
  /** Columns that a file of this kind must have, each under one of its names, in lower case. */
  readonly columns: readonly (readonly string[])[]
  /** What a bare number in the duration column counts. */
  readonly durationUnit: DurationUnit
  readonly readRow: (field: FieldReader) => ImportRow
}

/** The name of a task for work that the file has no name for. */
export const UNNAMED_TASK = 'Imported'

/** A heading as columns are looked up by it. */
export function plainHeading(heading: string): string {
  return heading.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The required columns that the headings lack, by their first name. */
export function missingColumns(format: TableFormat, headings: readonly string[]): string[] {
  const present = new Set(headings.map(plainHeading))
  return format.columns
    .filter((names) => !names.some((name) => present.has(name)))
    .flatMap((names) => names[0] ?? [])
}

/**
 * Name and note of an entry: the project names the task, and what was done in it is the note; an
 * entry without a project is named after what was done.
 */
export function namedAfterProject(
  project: string,
  task: string,
  description: string,
): { readonly task: string; readonly note: string } {
  const [name = '', ...details] = [project, task, description].filter((text) => text !== '')
  return { task: name, note: details.filter((text) => text !== name).join(' – ') }
}
