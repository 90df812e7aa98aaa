/**
 * CSV (RFC 4180). Reading accepts the dialects of the programs that write CSV. Writing keeps
 * spreadsheets from running a field as a formula. Reading takes time in proportion to the text.
 */
import { t } from '#text.ts'

export interface CsvTable {
  readonly delimiter: Delimiter
  /** Fields are not trimmed; empty lines are left out. */
  readonly rows: readonly (readonly string[])[]
  /** The line that each row begins on, counted from 1. */
  readonly lines: readonly number[]
  readonly problems: readonly CsvProblem[]
}

export interface CsvProblem {
  /** Counted from 1. */
  readonly line: number
  /** The beginning of the text that could not be read. */
  readonly text: string
  /** The reason, as a sentence. */
  readonly why: string
}

const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]
const SAMPLE_LENGTH = 65_536
const SAMPLE_ROWS = 20
const CHUNK_LENGTH = 1_000_000
const EXCERPT_LENGTH = 80

const QUOTE = 34
const LF = 10
const CR = 13

/** Returns the table of the text. Runs `readCsvChunked` to its end. */
export function readCsv(text: string): CsvTable {
  const reading = readCsvChunked(text)
  for (;;) {
    const step = reading.next()
    if (step.done) return step.value
  }
}

/**
 * Reads a table in pieces of about a megabyte, so that a screen can show progress: yields the
 * fraction that is read, 0 to 1. Accepts a byte order mark, CRLF, LF or CR, quoted fields with line
 * breaks, and the delimiter that the file uses or names in a first line 'sep=;'. A quote that is
 * never closed is reported and read as a plain character, so that the rows after it are not lost.
 */
export function* readCsvChunked(text: string): Generator<number, CsvTable> {
  const named = /^\uFEFF?sep=([,;\t|])(?:\r\n|\r|\n|$)/.exec(text)
  const start = named ? named[0].length : text.startsWith('\uFEFF') ? 1 : 0
  const delimiter =
    DELIMITERS.find((each) => each === named?.[1]) ??
    delimiterOf(text.slice(start, start + SAMPLE_LENGTH))
  const rows: string[][] = []
  const lines: number[] = []
  const problems: CsvProblem[] = []
  let cursor: Cursor = { at: start, line: named ? 2 : 1 }
  let nextPause = CHUNK_LENGTH
  while (cursor.at < text.length) {
    const row = readRow(text, delimiter, cursor, problems)
    if (row.fields.length > 0) {
      rows.push(row.fields)
      lines.push(cursor.line)
    }
    cursor = row.next
    if (cursor.at < nextPause) continue
    nextPause = cursor.at + CHUNK_LENGTH
    yield Math.min(1, cursor.at / text.length)
  }
  return { delimiter, rows, lines, problems }
}

/** Returns the rows as CSV, with the delimiter between fields and CRLF after each row. */
export function writeCsv(rows: readonly (readonly string[])[], delimiter: Delimiter = ','): string {
  const guards = guardsOf(delimiter)
  return rows.map((row) => `${csvRow(row, delimiter, guards)}\r\n`).join('')
}

function csvRow(row: readonly string[], delimiter: Delimiter, guards: Guards): string {
  // Without quotes, a row of one empty field would be read as an empty line.
  if (row.length === 1 && row[0] === '') return '""'
  return row.map((field) => csvField(field, delimiter, guards)).join(delimiter)
}

function csvField(text: string, delimiter: Delimiter, guards: Guards): string {
  const safe = withApostrophes(text, guards)
  const isQuoted = safe.includes(delimiter) || /["\r\n]/.test(safe)
  return isQuoted ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * The signs that begin a formula: ASCII, and the full-width and small forms that some programs
 * accept.
 */
const SIGN = String.raw`[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]`
/**
 * Characters that programs skip before they look for such a sign: blanks, invisible characters,
 * quotes.
 */
const SKIPPED = String.raw`(?:(?![\t\r\n])[\p{Z}\p{Cc}\p{Cf}"'])*`
const FORMULA_AT_START = new RegExp(`^${SKIPPED}(?:${SIGN}|[\\t\\r\\n])`, 'u')
const GUARDED_AT_START = new RegExp(`^'${SKIPPED}(?:${SIGN}|[\\t\\r\\n])`, 'u')

/** Where a formula may begin within a field, and where an apostrophe keeps it from running. */
interface Guards {
  readonly formula: RegExp
  readonly guarded: RegExp
}

/**
 * Returns the guards of a file with this delimiter. A program that divides at another delimiter or at
 * line ends begins a new cell there; a field with the file's own one is in quotes.
 */
function guardsOf(delimiter: Delimiter): Guards {
  const others = DELIMITERS.filter((each) => each !== delimiter).join('')
  const cut = `([${others}\\t\\r\\n])`
  return {
    formula: new RegExp(`${cut}(?=${SKIPPED}${SIGN})`, 'gu'),
    guarded: new RegExp(`${cut}'(?=${SKIPPED}${SIGN})`, 'gu'),
  }
}

/**
 * Keeps a spreadsheet from running any part of a field as a formula. An apostrophe turns a cell
 * into text. One is put before the field and after each character at which a program may divide it,
 * wherever a sign follows that begins a formula, and before leading tabs and line ends.
 * `apostropheRemover` removes exactly these.
 */
function withApostrophes(text: string, { formula }: Guards): string {
  const inner = text.replace(formula, "$1'")
  return FORMULA_AT_START.test(inner) ? `'${inner}` : inner
}

/** Returns a function that removes from a field the apostrophes that `writeCsv` added. */
export function apostropheRemover(delimiter: Delimiter = ','): (field: string) => string {
  const { guarded } = guardsOf(delimiter)
  return (field) => {
    const inner = GUARDED_AT_START.test(field) ? field.slice(1) : field
    return inner.replace(guarded, '$1')
  }
}

interface Cursor {
  readonly at: number
  readonly line: number
}

/**
 * Returns the delimiter that gives most of the first rows the same number of columns, at least two.
 * A title above the table has one column.
 */
function delimiterOf(sample: string): Delimiter {
  const scores = DELIMITERS.map((delimiter) => {
    const widths: number[] = []
    let cursor: Cursor = { at: 0, line: 1 }
    while (cursor.at < sample.length && widths.length < SAMPLE_ROWS) {
      const row = readRow(sample, delimiter, cursor, [])
      if (row.fields.length > 0) widths.push(row.fields.length)
      cursor = row.next
    }
    const counts = new Map<number, number>()
    for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1)
    const [most, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [1, 0])
    return { delimiter, score: count === 0 ? 0 : (1000 * count) / widths.length + most }
  })
  return scores.reduce((best, one) => (one.score > best.score ? one : best)).delimiter
}

/** Reads the row at the cursor. An empty line has no fields. */
function readRow(
  text: string,
  delimiter: string,
  from: Cursor,
  problems: CsvProblem[],
): { readonly fields: string[]; readonly next: Cursor } {
  const delimiterCode = delimiter.charCodeAt(0)
  const fields: string[] = []
  let { at, line } = from
  for (;;) {
    let field = ''
    const quoted = text.charCodeAt(at) === QUOTE ? readQuoted(text, at) : null
    if (quoted) {
      field = quoted.field
      at = quoted.end
      line += lineBreaks(field)
    } else if (text.charCodeAt(at) === QUOTE) {
      problems.push({
        line,
        text: text.slice(at, at + EXCERPT_LENGTH).replace(/[\r\n].*/s, ''),
        why: t('A quotation mark is opened here and never closed.'),
      })
    }
    const end = endOfField(text, at, delimiterCode)
    // Text between a closing quote and the delimiter is kept: it is part of the field.
    field += text.slice(at, end)
    const code = text.charCodeAt(end)
    if (code === delimiterCode) {
      fields.push(field)
      at = end + 1
      continue
    }
    if (field !== '' || quoted || fields.length > 0) fields.push(field)
    const isPair = code === CR && text.charCodeAt(end + 1) === LF
    return { fields, next: { at: end + (isPair ? 2 : 1), line: line + 1 } }
  }
}

/** Returns the text of a quoted field and where it ends; null if the quote is never closed. */
function readQuoted(text: string, at: number): { field: string; end: number } | null {
  let field = ''
  let from = at + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return null
    field += text.slice(from, quote)
    if (text.charCodeAt(quote + 1) !== QUOTE) return { field, end: quote + 1 }
    field += '"'
    from = quote + 2
  }
}

function endOfField(text: string, from: number, delimiterCode: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === delimiterCode || code === LF || code === CR) return at
  }
  return text.length
}

function lineBreaks(field: string): number {
  let count = 0
  for (let at = 0; at < field.length; at++) {
    const code = field.charCodeAt(at)
    if (code === LF || (code === CR && field.charCodeAt(at + 1) !== LF)) count++
  }
  return count
}
