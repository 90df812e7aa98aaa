import { t } from '#text.ts'
import type { CsvProblem } from '#csv.ts'
import { tagsOf } from '#record/tags.ts'
import type { ImportTable, TextFormat } from '#transfer/import-table.ts'
import { tableOf } from '#transfer/import-table.ts'

/**
 * A file of klog: records of a day with ranges and durations. The first tag of an entry, or of its
 * record, is the task; without one its summary is. A duration below zero is a break of the range
 * before it.
 */
export const KLOG: TextFormat<'klog'> = {
  name: 'klog',
  label: t('klog'),
  isText: (text) =>
    /^\uFEFF?\s*\d{4}[-/]\d\d[-/]\d\d(?: \([^)]*!\))?[ \t]*(?:\r?\n[^\n]*)*?\r?\n[ \t]+(?:<?\d{1,2}:\d{2}|-?\d+[hm])/.test(
      text.slice(0, 5000),
    ),
  needs: [],
  columns: {
    task: ['task'],
    note: ['note'],
    date: ['date'],
    start: ['start'],
    endDate: ['end date'],
    end: ['end'],
    duration: ['duration'],
  },
  read,
}

const HEADINGS = ['task', 'note', 'date', 'start', 'end date', 'end', 'duration', 'break']
const RECORD = /^(\d{4})[-/](\d\d)[-/](\d\d)(?:\s+\(.*\))?\s*$/
const TIME = String.raw`[<]?\d{1,2}:\d{2}(?:am|pm)?[>]?`
const RANGE = new RegExp(String.raw`^\s+(${TIME})\s*-\s*(${TIME}|\?+)(?:\s+(.*))?$`)
const DURATION = /^\s+([+-]?(?:\d+h\d+m|\d+h|\d+m))(?:\s+(.*))?$/

interface Entry {
  readonly line: number
  readonly indent: string
  readonly fields: string[]
  readonly isRange: boolean
}

function read(text: string): ImportTable {
  const problems: CsvProblem[] = []
  const entries: Entry[] = []
  let day = ''
  let summary = ''
  let last: Entry | undefined
  let isAfterBlank = true
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  for (const [index, line] of lines.entries()) {
    const isFirst = isAfterBlank
    isAfterBlank = line.trim() === ''
    if (isAfterBlank) continue
    const record = RECORD.exec(line)
    const isIndented = /^\s/.test(line)
    if (record || (isFirst && !isIndented)) {
      // The first line of a record is its day, even if that cannot be read.
      day = record?.slice(1, 4).join('-') ?? line.trim()
      summary = ''
      last = undefined
      continue
    }
    if (!isIndented) {
      summary = `${summary} ${line.trim()}`.trim()
      continue
    }
    if (last && goesOn(line, last)) {
      last.fields[1] = `${last.fields[1]} ${line.trim()}`.trim()
      continue
    }
    const entry = entryOf(line, index + 1, day, summary)
    const duration = entry?.fields[6] ?? ''
    if (duration.startsWith('-') && last?.isRange) {
      last.fields[7] = `${last.fields[7]} ${duration.slice(1)}`.trim()
    } else if (entry) {
      entries.push(entry)
      last = entry
    } else {
      problems.push({ line: index + 1, text: line.trim(), why: t('No line of klog.') })
    }
  }
  return tableOf(HEADINGS, entries, problems)
}

/** Returns the range or the duration of a line; null if it has neither. */
function entryOf(line: string, number: number, day: string, summary: string): Entry | null {
  const [indent = ''] = /^\s+/.exec(line) ?? []
  const range = RANGE.exec(line)
  if (range) {
    const [, from = '', to = '', what = ''] = range
    const start = timeOf(from, day)
    const end = to.startsWith('?') ? { date: '', time: '' } : timeOf(to, day)
    const fields = ['', what, start.date, start.time, end.date, end.time, '', '']
    return { line: number, indent, fields: named(fields, summary), isRange: true }
  }
  const [, duration = '', what = ''] = DURATION.exec(line) ?? []
  if (duration === '') return null
  const fields = ['', what, day, '', '', '', duration.replace('+', ''), '']
  return { line: number, indent, fields: named(fields, summary), isRange: false }
}

/** Returns whether the summary of an entry goes on in a line, which is indented further. */
function goesOn(line: string, { indent }: Entry): boolean {
  return line.startsWith(indent) && /^\s/.test(line.slice(indent.length))
}

/** Returns the fields with their task. */
function named(fields: string[], summary: string): string[] {
  const [, note = ''] = fields
  const task = tagsOf(note)[0] ?? tagsOf(summary)[0] ?? (note || summary)
  return [task, note === task ? '' : note, ...fields.slice(2)]
}

/** Returns the day and the time of '<23:30', '9:00am' or '0:30>'. */
function timeOf(text: string, day: string): { readonly date: string; readonly time: string } {
  const shift = text.startsWith('<') ? -1 : text.endsWith('>') ? 1 : 0
  const at = Date.parse(`${day}T00:00:00Z`) + shift * 86_400_000
  const date = Number.isNaN(at) ? day : new Date(at).toISOString().slice(0, 10)
  return { date, time: text.replace(/[<>]/g, '') }
}
