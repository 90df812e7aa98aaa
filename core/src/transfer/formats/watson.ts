import { t } from '#text.ts'
import type { ImportTable, TableFormat, TextFormat } from '#transfer/import-table.ts'
import { joinedNames, tableOf } from '#transfer/import-table.ts'
import { jsonOf, textOf } from '#transfer/import-json.ts'

const COLUMNS = { task: ['project'], tags: ['tags'], start: ['start'], end: ['stop'] } as const

/** What `watson log` prints with --csv or --json. */
export const WATSON: TableFormat<'watson'> = {
  name: 'watson',
  label: t('Watson, log as CSV or JSON'),
  fits: (has) => has('id') && has('start') && has('stop') && has('project') && has('tags'),
  needs: [['start'], ['stop'], ['project']],
  columns: COLUMNS,
}

/** The file in which Watson keeps its frames. */
export const WATSON_FRAMES: TextFormat<'watson-frames'> = {
  name: 'watson-frames',
  label: t('Watson, frames'),
  isText: (text) => /^\s*\[\s*\[\s*\d{9,10},\s*\d{9,10},\s*"/.test(text.slice(0, 1000)),
  needs: [],
  columns: COLUMNS,
  read,
}

function read(text: string): ImportTable {
  const { values, problems } = jsonOf(text)
  const rows = values.map((value, index) => {
    const [start, stop, project, , tags] = Array.isArray(value) ? value : []
    const names = (Array.isArray(tags) ? tags : []).map(textOf)
    return {
      line: index + 1,
      fields: [textOf(project), joinedNames(names), textOf(start), textOf(stop)],
    }
  })
  return tableOf(['project', 'tags', 'start', 'stop'], rows, problems)
}
