/**
 * The common form of all files: a table with headings and one row per entry, and what a format says
 * about its columns.
 */
import type { CsvProblem, Delimiter } from '#csv.ts'
import { NOTE_MAX_LENGTH } from '#record/entry-edit.ts'
import { asTag, hasTag, tagsOf, withTag } from '#record/tags.ts'
import { storedText } from '#stored-text.ts'
import type { DateOrder } from './import-dates.ts'
import type { DurationUnit } from './import-durations.ts'
import type { ColumnName } from './import-headings.ts'
import { plainHeading } from './import-headings.ts'

/** A row as the file has it. Missing fields are ''. */
export interface ImportRow {
  readonly line: number
  readonly fields: readonly string[]
  readonly task: string
  readonly note: string
  /** Names that become tags of the note. */
  readonly tags: readonly string[]
  readonly category: string
  /** Whether the task is one of that category alone, and no other of its name. */
  readonly isInCategory: boolean
  readonly startDate: string
  readonly startTime: string
  readonly endDate: string
  readonly endTime: string
  /** The work, without the breaks. */
  readonly duration: string
  /** The breaks between start and end. */
  readonly breaks: readonly BreakCell[]
  /** The times of a break; '' if it has none. */
  readonly pauseStart: string
  readonly pauseEnd: string
  /** The zone of the row's times. */
  readonly zone: string
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

/** A table, as a file has it or as it is made of one. */
export interface ImportTable {
  readonly rows: readonly (readonly string[])[]
  /** The line of each row, counted from 1; in JSON the number of the entry. */
  readonly lines: readonly number[]
  readonly problems: readonly CsvProblem[]
  /** What stands between the fields. Unset: it was made of something else than lines of text. */
  readonly delimiter?: Delimiter
}

/** A file of another program that is a table. */
export interface TableFormat<Name extends string = string> {
  readonly name: Name
  /** What people read as the type of the file. */
  readonly label: string
  /** Returns whether the headings are those that only this program writes. */
  readonly fits: (has: (...headings: readonly string[]) => boolean) => boolean
  /** The columns that a file of this kind must have, each with its possible headings. */
  readonly needs: readonly (readonly string[])[]
  /** The headings of each field, in lower case. */
  readonly columns: Readonly<Partial<Record<ColumnName, readonly string[]>>>
  /** True if a project is no level of its own, so that it is the task even where a task is beside it. */
  readonly isProjectTask?: boolean
  /** The unit of a number without one in the duration column. Unset: hours. */
  readonly durationUnit?: DurationUnit
  /** The order of all its dates. Unset: found from them. */
  readonly dateOrder?: DateOrder
  /** What stands for an empty field. */
  readonly nothing?: string
  /** True if its durations are exact, so that what is missing from the times was a break. */
  readonly hasExactDurations?: boolean
  /** True if its CSV was written by `writeCsv`, whose apostrophes are no part of the text. */
  readonly isGuarded?: boolean
}

/** A file of another program that is no table. */
export interface TextFormat<Name extends string = string> extends Omit<TableFormat<Name>, 'fits'> {
  /** Returns whether the text is of this kind. */
  readonly isText: (text: string) => boolean
  /** Returns the table of the text. */
  readonly read: (text: string) => ImportTable
}

/** The task name for work without a name in the file. */
export const UNNAMED_TASK = 'Imported'

/** Returns a function that says whether one of the headings is there. */
export function headingsOf(row: readonly string[]): (...headings: readonly string[]) => boolean {
  const present = new Set(row.map(plainHeading))
  return (...names) => names.some((name) => present.has(name))
}

/** Returns the required columns that the headings lack, by their first name. */
export function missingColumns(
  { needs }: Pick<TableFormat, 'needs'>,
  headings: readonly string[],
): string[] {
  const has = headingsOf(headings)
  return needs.filter((names) => !has(...names)).flatMap((names) => names[0] ?? [])
}

/** Returns the table of rows that were made of something else than lines of text. */
export function tableOf(
  headings: readonly string[],
  rows: readonly { readonly line: number; readonly fields: readonly string[] }[],
  problems: readonly CsvProblem[] = [],
): ImportTable {
  return {
    rows: [headings, ...rows.map(({ fields }) => fields)],
    lines: [0, ...rows.map(({ line }) => line)],
    problems,
  }
}

/** What other products write about an entry. Missing texts are ''. */
export interface Description {
  readonly client: string
  readonly project: string
  readonly task: string
  readonly details: string
  readonly note: string
  readonly tags: string
}

/** What becomes the category: a project that has tasks in the file, the client, or neither. */
export const CATEGORY_SOURCES = ['project', 'client', 'none'] as const
export type CategorySource = (typeof CATEGORY_SOURCES)[number]

/**
 * Returns the name, the note, the tags and the category of an entry. The project is the task, and the task and the
 * description are its note. Without a project, the task of the file is the task; without either, the
 * description is. The client is a tag, unless the task is called so.
 * @param category whether instead the project is the category of its tasks, or the client the category of its projects.
 */
export function namedAfterProject(
  description: Description,
  category: CategorySource = 'none',
): Pick<ImportRow, 'task' | 'note' | 'tags' | 'category' | 'isInCategory'> {
  const { client, project, task, details, note } = description
  const names = namesIn(description.tags)
  const isProject = category === 'project' && project !== ''
  const isClient = category === 'client' && client !== ''
  const texts = isProject ? [task, project, details, note] : [project, task, details, note]
  const [name = '', ...rest] = texts.filter((text) => text !== '')
  const noted = rest.filter((text) => text !== name && !(isProject && text === project))
  return {
    task: name,
    note: [...new Set(noted)].join(' – '),
    tags: client === '' || client === name || isClient ? names : [...names, client],
    category: isProject ? project : isClient ? client : '',
    isInCategory: isProject || isClient,
  }
}

/** What stands between names that have commas. */
export const NAME_SEPARATOR = '\u001F'

/** Returns the names of a text with commas between them. */
export function namesIn(text: string): string[] {
  const separator = text.includes(NAME_SEPARATOR) ? NAME_SEPARATOR : /[,;]/
  return text.split(separator).filter((name) => name.trim() !== '')
}

/** Returns a text in which `namesIn` finds these names. */
export function joinedNames(names: readonly string[]): string {
  return names.some((name) => /[,;]/.test(name))
    ? `${names.join(NAME_SEPARATOR)}${NAME_SEPARATOR}`
    : names.join(', ')
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
