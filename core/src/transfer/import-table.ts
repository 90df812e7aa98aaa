/**
 * The common form of the files of other time trackers: a table with headings and one row per entry.
 */
import { NOTE_MAX_LENGTH } from '#record/entry-edit.ts'
import { asTag, hasTag, tagsOf, withTag } from '#record/tags.ts'
import { storedText } from '#stored-text.ts'
import type { DurationUnit } from './import-times.ts'

/** A row as the file has it. Missing fields are ''. */
export interface ImportRow {
  readonly task: string
  readonly note: string
  /** Names that become tags of the note. */
  readonly tags: readonly string[]
  readonly category: string
  readonly startDate: string
  readonly startTime: string
  readonly endDate: string
  readonly endTime: string
  /** The work, without the breaks. */
  readonly duration: string
  /** The breaks between start and end. */
  readonly breaks: readonly BreakCell[]
  /** Whose work it is, to detect files of several people. */
  readonly person: string
  /** Why the row is no work, or null. */
  readonly passedOver: string | null
}

/** A field of a column of breaks. */
export interface BreakCell {
  readonly text: string
  /** The unit of a number without one, as the heading says; null if it does not. */
  readonly unit: DurationUnit | null
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
  readonly readRow: (field: FieldReader) => Omit<ImportRow, 'breaks'>
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

/** What other products write about an entry. Missing texts are ''. */
export interface Description {
  readonly client: string
  readonly project: string
  readonly task: string
  readonly description: string
  /** Names with commas between them. */
  readonly tags: string
}

/**
 * Returns the name, the note and the tags of an entry. The project is the task and the description
 * its note. Without a project, the description is the task. The client is a tag, unless the task is
 * called so.
 */
export function namedAfterProject({
  client,
  project,
  task,
  description,
  tags,
}: Description): Pick<ImportRow, 'task' | 'note' | 'tags'> {
  const [name = '', ...details] = [project, task, description].filter((text) => text !== '')
  return {
    task: name,
    note: details.filter((text) => text !== name).join(' – '),
    tags: client === '' || client === name ? namesIn(tags) : [...namesIn(tags), client],
  }
}

/** Returns the names of a text with commas between them. */
export function namesIn(text: string): string[] {
  return text.split(',').filter((name) => name.trim() !== '')
}

/**
 * Returns the note with the names as tags at its end; null if there is nothing to note. A tag that
 * has no room is left out, and so is a name without a letter: `lacksTags` is then true.
 */
export function noteWithTags({ note, tags }: Pick<ImportRow, 'note' | 'tags'>): {
  readonly note: string | null
  readonly lacksTags: boolean
} {
  let tagged = note === '' ? null : uncutTags(note)
  let lacksTags = false
  for (const name of tags) {
    const tag = asTag(name)
    const longer = tag === null ? null : withTag(tagged, tag)
    const fits = longer !== null && longer.length <= NOTE_MAX_LENGTH && hasTag(longer, tag ?? '')
    if (fits) tagged = longer
    else lacksTags = true
  }
  return { note: tagged, lacksTags }
}

/** Returns as much of the note as is stored, without a tag of which only the beginning is. */
function uncutTags(note: string): string {
  const stored = storedText(note, NOTE_MAX_LENGTH)
  const areWhole = tagsOf(stored).every((tag) => hasTag(note, tag))
  return areWhole ? stored : stored.replace(/\s?#[^\s#]*$/, '')
}
