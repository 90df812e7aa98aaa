/**
 * The form of each field of an entry in Stint's own files: its columns in CSV, and how these and
 * the attributes of the JSON file are read. A field without a description does not compile.
 */
import { t } from '#text.ts'
import { tagsOf } from '#record/tags.ts'
import { ENTRY_FIELDS } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { instantFromWire } from '#time/instant.ts'
import { mergeIntervals } from '#timer/pauses.ts'
import type { Pauses } from '#timer/pauses.ts'

/** What was read, or a sentence on why it could not be. */
export type Reading<T> = { readonly read: T } | { readonly why: string }

/** How a file writes instants and seconds of work. */
export interface ColumnForm {
  readonly moment: (instant: number) => string
  readonly duration: (seconds: number) => string
}
/** Returns null for a text that is no time, and a sentence for a time that does not exist. */
export type ReadMoment = (text: string) => number | string | null

interface Column {
  readonly heading: string
  readonly write: (entry: TimeEntry, form: ColumnForm) => string
}

/** How a field is written and read. Undefined: the file does not contain the field. */
interface FileField<V> {
  /** The last one is read; the others are derived from it. */
  readonly columns: readonly Column[]
  readonly fromCsv: (text: string, moment: ReadMoment) => Reading<V | undefined>
  readonly fromJson: (value: unknown) => Reading<V | undefined>
}

const YES_OR_NO = new Map<boolean | null, string>([
  [true, 'yes'],
  [false, 'no'],
])
const FLAGS = new Map([
  ['yes', true],
  ['no', false],
])

/**
 * Null: not part of the file. An imported entry gets an id of its own, or finds its task by name.
 */
const FILE_FIELDS = {
  id: null,
  taskId: null,
  startedAt: {
    // not translated: a heading of a file
    columns: [{ heading: 'Start', write: ({ startedAt }, { moment }) => moment(startedAt) }],
    fromCsv: (text, moment) => required(text, moment(text), t('Has no start.')),
    fromJson: (value) => required('', instantOf(value), t('Has no start.')),
  },
  endedAt: {
    // not translated: a heading of a file
    columns: [{ heading: 'End', write: ({ endedAt }, { moment }) => moment(endedAt) }],
    fromCsv: (text, moment) => required(text, moment(text), t('Has no end.')),
    fromJson: (value) => required('', instantOf(value), t('Has no end.')),
  },
  durationSeconds: {
    columns: [
      {
        heading: 'Duration', // not translated: a heading of a file
        write: ({ durationSeconds }, { duration }) => duration(durationSeconds),
      },
      // not translated: a heading of a file
      { heading: 'Seconds', write: ({ durationSeconds }) => String(durationSeconds) },
    ],
    fromCsv: (text) => ({ read: text.trim() === '' ? undefined : Number(text) }),
    fromJson: (value) => ({ read: value === undefined ? undefined : Number(value) }),
  },
  pauses: {
    columns: [
      {
        // not translated: a heading of a file
        heading: 'Pauses',
        write: ({ pauses: { intervals } }, { moment }) =>
          intervals.map(({ start, end }) => `${moment(start)}/${moment(end)}`).join('; '),
      },
    ],
    fromCsv: (text, moment) => {
      const pairs = text.split(';').filter((pair) => pair.trim() !== '')
      return pausesOf(pairs.map((pair) => pair.split('/').map(moment)))
    },
    fromJson: (value) => {
      const pairs: readonly unknown[] = Array.isArray(value) ? value : []
      return pausesOf(pairs.map((pair) => (Array.isArray(pair) ? pair.map(instantOf) : [])))
    },
  },
  sessionId: null,
  note: textField('Note', ({ note }) => note, [
    // not translated: a heading of a file
    { heading: 'Tags', write: ({ note }) => tagsOf(note).join(', ') },
  ]),
  entryType: textField('Type', ({ entryType }) => entryType),
  deletedAt: null,
  log: null,
  billable: {
    columns: [{ heading: 'Billable', write: ({ billable }) => YES_OR_NO.get(billable) ?? '' }], // not translated: a heading of a file
    fromCsv: (text) => ({ read: FLAGS.get(text.trim().toLowerCase()) }),
    fromJson: (value) => ({ read: typeof value === 'boolean' ? value : undefined }),
  },
  // The marks of timesheets are no reading for people: only a backup has them.
  invoiced: {
    columns: [],
    fromCsv: () => ({ read: undefined }),
    fromJson: (value) => ({ read: typeof value === 'string' ? value : undefined }),
  },
  createdAt: null,
  updatedAt: null,
} as const satisfies { readonly [K in keyof TimeEntry]-?: FileField<TimeEntry[K]> | null }

type FileFields = typeof FILE_FIELDS
type FileKey = { [K in keyof FileFields]: FileFields[K] extends null ? never : K }[keyof FileFields]

/** What a file contains of an entry. Missing fields are left out. */
export type EntryInFile = Pick<TimeEntry, 'startedAt' | 'endedAt' | 'pauses'> &
  Partial<Pick<TimeEntry, FileKey>>

const FIELDS = Object.entries(ENTRY_FIELDS).flatMap(([key, { attribute, part }]) => {
  const field = Object.entries<FileField<unknown> | null>(FILE_FIELDS).find(
    ([name]) => name === key,
  )?.[1]
  return field ? [{ key, attribute, part, ...field }] : []
})

/** All columns of an entry; those of its part on a day; those that are the same for each part. */
export const ENTRY_COLUMNS = FIELDS.flatMap(({ columns }) => columns)
export const PART_COLUMNS = FIELDS.flatMap(({ key, part, columns }) => {
  return part === 'times' && key !== 'pauses' ? columns : []
})
export const WHOLE_COLUMNS = FIELDS.flatMap(({ part, columns }) =>
  part === 'times' ? [] : columns,
)

/** In which a file of a period says where a session was cut. */
export const CUT_COLUMN = 'Cut' // not translated: a heading of a file

/** Returns the fields of a line from the texts of its columns. */
export function entryFromColumns(
  column: (heading: string) => string,
  moment: ReadMoment,
): Reading<EntryInFile> {
  return readFields(({ columns, fromCsv }) =>
    fromCsv(column(columns.at(-1)?.heading ?? ''), moment),
  )
}

/** Returns the fields of an entry of the JSON file. */
export function entryFromJson(attributes: Readonly<Record<string, unknown>>): Reading<EntryInFile> {
  return readFields(({ attribute, fromJson }) => fromJson(attributes[attribute]))
}

function readFields(
  read: (field: (typeof FIELDS)[number]) => Reading<unknown>,
): Reading<EntryInFile> {
  const entry: Record<string, unknown> = {}
  for (const field of FIELDS) {
    const reading = read(field)
    if ('why' in reading) return reading
    if (reading.read !== undefined) entry[field.key] = reading.read
  }
  // The three required fields return a reason if they are missing.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field reads values of its own type
  return { read: entry as EntryInFile }
}

function required(text: string, instant: number | string | null, missing: string): Reading<number> {
  if (typeof instant === 'number') return { read: instant }
  if (instant !== null) return { why: instant }
  return { why: text === '' ? missing : t('“{text}” isn’t a time.', { text }) }
}

/** A text that may be missing. */
function textField(
  heading: string,
  textOf: (entry: TimeEntry) => string | null,
  derived: readonly Column[] = [],
): FileField<string> {
  return {
    columns: [...derived, { heading, write: (entry) => textOf(entry) ?? '' }],
    fromCsv: (text) => ({ read: text || undefined }),
    fromJson: (value) => ({ read: typeof value === 'string' && value !== '' ? value : undefined }),
  }
}

function pausesOf(pairs: readonly (readonly (number | string | null)[])[]): Reading<Pauses> {
  const why = pairs.flat().find((moment) => typeof moment === 'string')
  if (why !== undefined) return { why }
  const intervals = pairs.map(([start, end]) => {
    return typeof start === 'number' && typeof end === 'number' ? [{ start, end }] : []
  })
  return intervals.every((interval) => interval.length > 0)
    ? { read: { intervals: mergeIntervals(intervals.flat()), unplacedSeconds: 0 } }
    : { why: t('Its pauses cannot be read.') }
}

function instantOf(value: unknown): number | null {
  return typeof value === 'string' ? instantFromWire(value) : null
}
