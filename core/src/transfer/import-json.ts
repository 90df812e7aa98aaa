/** Reads lists of entries in JSON as tables: a row for each entry, a column for each of its names. */
import { t } from '#text.ts'
import type { CsvProblem } from '#csv.ts'
import { isFields } from '#guards.ts'
import type { ImportTable } from './import-table.ts'
import { joinedNames, tableOf } from './import-table.ts'

/** Returns the list in the text, or why there is none. */
export function jsonOf(text: string): {
  readonly values: readonly unknown[]
  readonly problems: readonly CsvProblem[]
} {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return { values: Array.isArray(value) ? value : [value], problems: [] }
  } catch {
    const why = t('This JSON file is cut off or damaged.')
    return { values: [], problems: [{ line: 1, text: text.slice(0, 80), why }] }
  }
}

/** Returns whether the text is a list of entries in JSON. */
export function isJsonList(text: string): boolean {
  return /^\uFEFF?\s*\[\s*\{/.test(text)
}

/** How many names of entries are columns. */
const MAX_COLUMNS = 500

/** Returns a list of entries as a table. */
export function jsonTable(text: string): ImportTable {
  const { values, problems } = jsonOf(text)
  const names = new Set<string>()
  for (const value of values) {
    if (isFields(value)) for (const name of Object.keys(value)) names.add(name)
  }
  const headings = [...names].slice(0, MAX_COLUMNS)
  const rows = values.map((value, index) => ({
    line: index + 1,
    fields: headings.map((name) => (isFields(value) ? textOf(value[name]) : '')),
  }))
  return tableOf(headings, rows, problems)
}

/** Returns a value of JSON as text: a list as names, and of an object its name. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return joinedNames(value.map(textOf).filter((text) => text !== ''))
  return isFields(value) ? textOf(value['name'] ?? value['title'] ?? '') : ''
}
