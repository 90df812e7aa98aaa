import { t } from '#text.ts'
import { isFields } from '#guards.ts'
import type { ImportTable, TextFormat } from '#transfer/import-table.ts'
import { joinedNames, tableOf } from '#transfer/import-table.ts'
import { jsonOf, textOf } from '#transfer/import-json.ts'

/** What `timew export` prints. The first tag is the task. */
export const TIMEWARRIOR: TextFormat<'timewarrior'> = {
  name: 'timewarrior',
  label: t('Timewarrior, JSON'),
  isText: (text) => /^\s*\[\s*\{[^{}]*"start"\s*:\s*"\d{8}T\d{6}Z"/.test(text.slice(0, 10_000)),
  needs: [],
  columns: {
    task: ['task'],
    tags: ['tags'],
    note: ['annotation'],
    start: ['start'],
    end: ['end'],
  },
  read,
}

function read(text: string): ImportTable {
  const { values, problems } = jsonOf(text)
  const rows = values.map((value, index) => {
    const entry = isFields(value) ? value : {}
    const { tags, annotation, start, end } = entry
    const [task = '', ...others] = (Array.isArray(tags) ? tags : []).map(textOf)
    const fields = [task, joinedNames(others), textOf(annotation), textOf(start), textOf(end)]
    return { line: index + 1, fields }
  })
  return tableOf(['task', 'tags', 'annotation', 'start', 'end'], rows, problems)
}
