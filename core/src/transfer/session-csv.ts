/** The CSV of programs: sessions as the API answers them. The import reads it as `stint-command`. */
import { writeCsv } from '#csv.ts'
import { csvDuration, delimiterOf } from './csv-form.ts'
import type { CsvForm } from './csv-form.ts'

/** A session as the API answers it. */
export interface AnsweredSession {
  readonly id: string
  readonly task: { readonly id: string; readonly name: string }
  /** ISO 8601. */
  readonly start: string
  readonly end: string
  /** Of work. */
  readonly seconds: number
  readonly note: string | null
  readonly tags: readonly string[]
  /** Null: as its category is. */
  readonly billable: boolean | null
  /** The days on which timesheets with it were sealed. */
  readonly invoiced: readonly string[]
}

/** The form for programs: durations are in Seconds alone. */
export const SESSION_CSV_FORM: CsvForm = {
  separator: 'comma',
  decimal: 'point',
  duration: 'seconds',
}

type Column = readonly [heading: string, write: (session: AnsweredSession) => string]

/** The columns by what the API answers. A field that is added does not compile without its column. */
const COLUMNS: Readonly<Record<Exclude<keyof AnsweredSession, 'id'>, Column>> = {
  task: ['Task', ({ task }) => task.name],
  start: ['Start', ({ start }) => start],
  end: ['End', ({ end }) => end],
  seconds: ['Seconds', ({ seconds }) => String(seconds)],
  note: ['Note', ({ note }) => note ?? ''],
  tags: ['Tags', ({ tags }) => tags.join(', ')],
  billable: ['Billable', ({ billable }) => (billable === null ? '' : billable ? 'yes' : 'no')],
  invoiced: ['Invoiced', ({ invoiced }) => invoiced.join(', ')],
}

/**
 * Returns CSV with one line per session, in the given order. Durations other than seconds have a
 * column of their own: Seconds, which an import reads, is always there.
 */
export function sessionCsv(sessions: readonly AnsweredSession[], form: CsvForm): string {
  const all = Object.values(COLUMNS)
  const duration: Column = ['Duration', ({ seconds }) => csvDuration(seconds, form)]
  const columns = form.duration === 'seconds' ? all : all.toSpliced(3, 0, duration)
  const lines = sessions.map((session) => columns.map(([, write]) => write(session)))
  return writeCsv([columns.map(([heading]) => heading), ...lines], delimiterOf(form))
}
