/** Recognises what a file is by what only it has. */
import { t } from '#text.ts'
import { readCsv } from '#csv.ts'
import { formatNamed, TABLE_FORMATS, TEXT_FORMATS } from './formats/list.ts'
import type { FormatName } from './formats/list.ts'
import type { ColumnMapping } from './import-headings.ts'
import { guessMapping, headingRow } from './import-columns.ts'
import { HEADINGS, headingWords, withoutUnit } from './import-headings.ts'
import { isJsonList, jsonTable } from './import-json.ts'
import { dateAndTime } from './import-moments.ts'
import { beginsAsStintJson, hasStintColumns, hasStintDayColumns } from './import-stint.ts'
import { headingsOf } from './import-table.ts'

export type ImportFormat =
  | FormatName
  | 'stint-csv'
  | 'stint-json'
  /** Any other table; it needs a mapping of its columns. */
  | 'columns'
  | 'unknown'

export interface RecognisedImport {
  readonly format: ImportFormat
  /** What people read as the type of the file. */
  readonly label: string
  /** The first rows of a table, from the headings on, to show beside a mapping. */
  readonly firstRows: readonly (readonly string[])[]
  /** For a table: a guess at its columns. */
  readonly mapping: ColumnMapping | null
  /** For 'unknown': a sentence on what the file is instead. */
  readonly why: string | null
}

const SAMPLE_LENGTH = 65_536
const SAMPLE_ROWS = 6

/** Returns what people read as the type of a file. */
export function formatLabel(format: ImportFormat): string {
  switch (format) {
    case 'stint-csv':
      return t('Stint, CSV')
    case 'stint-json':
      return t('Stint, JSON')
    case 'columns':
      return t('Other table')
    default:
      return formatNamed(format)?.label ?? t('Unknown')
  }
}

/** Returns the format that the beginning of the file suggests. */
export function recogniseImport(text: string): RecognisedImport {
  const foreign = foreignContent(text)
  if (foreign) return unknown(foreign)
  if (beginsAsStintJson(text)) return known('stint-json')
  const other = TEXT_FORMATS.find((format) => format.isText(text))
  if (other) return known(other.name)
  if (/^\uFEFF?\s*[{[]/.test(text) && !isJsonList(text)) {
    return unknown(t('This JSON isn’t a list of sessions. Export CSV instead.'))
  }
  const rows = isJsonList(text) ? jsonTable(text).rows : sampleRows(text)
  const table = rows.slice(headingRow(rows))
  const [headings] = table
  if (!headings || headings.length === 0) return unknown(t('The file has no rows.'))
  if (headings.length < 2) return unknown(t('The file isn’t a table: it has one column.'))
  if (hasStintDayColumns(headings)) {
    return unknown(
      t('The file has sessions divided by day. Import the CSV or JSON export instead.'),
    )
  }
  const summary = summaryOf(table)
  if (summary) return unknown(summary)
  const format = formatOf(headings)
  return {
    format,
    label: formatLabel(format),
    firstRows: table.slice(0, SAMPLE_ROWS),
    mapping: guessMapping(headings, table.slice(1)),
    why: null,
  }
}

function known(format: ImportFormat): RecognisedImport {
  return { format, label: formatLabel(format), firstRows: [], mapping: null, why: null }
}

function unknown(why: string): RecognisedImport {
  return { format: 'unknown', label: formatLabel('unknown'), firstRows: [], mapping: null, why }
}

function sampleRows(text: string): readonly (readonly string[])[] {
  const sample = text.slice(0, SAMPLE_LENGTH)
  return readCsv(text.length > SAMPLE_LENGTH ? sample.slice(0, lastLineBreak(sample)) : sample).rows
}

/** Returns what the file is if it is no text at all, or null. */
function foreignContent(text: string): string | null {
  if (text.trim() === '' || text.trim() === '\uFEFF') return t('The file is empty.')
  if (text.startsWith('PK\u0003\u0004')) {
    return t('The file is a spreadsheet or an archive. Save it as CSV first.')
  }
  if (text.startsWith('%PDF')) return t('The file is a PDF. Export it as CSV instead.')
  // UTF-16 has zeros beside each other or at every second place. One alone is a damaged character.
  if (/^\uFFFD|\0[^]?\0/.test(text.slice(0, 1000))) {
    return t('This file isn’t UTF-8 text. Save it as CSV in UTF-8 first.')
  }
  if (/^\uFEFF?\s*<(?:!doctype|html|\?xml)/i.test(text.slice(0, 1000))) {
    return t('The file is a web page or XML. Export CSV or tab-separated text instead.')
  }
  return null
}

function lastLineBreak(sample: string): number {
  const at = Math.max(sample.lastIndexOf('\n'), sample.lastIndexOf('\r'))
  return at < 0 ? sample.length : at + 1
}

/** Returns what to export instead of a summary, which has durations and no day anywhere; else null. */
function summaryOf([headings = [], ...rows]: readonly (readonly string[])[]): string | null {
  const names = headings.map(headingWords)
  const has = (field: keyof typeof HEADINGS) =>
    names.some((name) =>
      HEADINGS[field].some((each) => each === name || each === withoutUnit(name)),
    )
  if (!has('duration') || has('date') || rows.length === 0) return null
  if (!has('project') && !has('task') && !has('note') && !has('client')) return null
  const hasDay = rows.some((row) => row.some((cell) => dateAndTime(cell) !== null))
  return hasDay
    ? null
    : t('The file is a summary without days. Export the detailed report as CSV instead.')
}

function formatOf(headings: readonly string[]): ImportFormat {
  if (hasStintColumns(headings)) return 'stint-csv'
  const has = headingsOf(headings)
  return TABLE_FORMATS.find((format) => format.fits(has))?.name ?? 'columns'
}
