import { t } from '#text.ts'
import type { ImportTable, TextFormat } from '#transfer/import-table.ts'
import { joinedNames, tableOf } from '#transfer/import-table.ts'

/** An Org file with clocks: the headline above a clock is its task, the one above that is its project. */
export const ORG: TextFormat<'org'> = {
  name: 'org',
  label: t('Org mode, clocks'),
  isText: (text) =>
    /^[ \t]*CLOCK: \[\d{4}-\d\d-\d\d/m.test(text.slice(0, 65_536)) ||
    CLOCK_TABLE.test(text.slice(0, 2000)),
  needs: [],
  columns: {
    project: ['project'],
    task: ['task'],
    tags: ['tags'],
    start: ['start'],
    end: ['end'],
    duration: ['duration'],
  },
  isProjectTask: true,
  read,
}

const HEADLINE =
  /^(\*+)\s+(?:(?:TODO|NEXT|DONE|WAITING|HOLD|CANCELLED|CANCELED)\s+)?(?:\[#[A-Z]\]\s+)?(.*?)(?:\s+(:[\p{L}\p{N}_@#%:]+:))?\s*$/u
const CLOCK =
  /^\s*CLOCK: \[(\d{4}-\d\d-\d\d)(?: [^\]\d]+)? (\d{1,2}:\d\d)\](?:--\[(\d{4}-\d\d-\d\d)(?: [^\]\d]+)? (\d{1,2}:\d\d)\](?:\s*=>\s*(\d+:\d\d))?)?/
/** Any clock, also one that cannot be read. */
const ANY_CLOCK = /^\s*CLOCK:\s*(.*)$/
/** A clock table has sums without days. */
const CLOCK_TABLE = /^#\+BEGIN: clocktable/im

function read(text: string): ImportTable {
  const rows: { line: number; fields: string[] }[] = []
  const path: { name: string; tags: readonly string[] }[] = []
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const headline = HEADLINE.exec(line)
    if (headline) {
      const [, stars = '', name = '', tags = ''] = headline
      path.length = Math.min(path.length, stars.length - 1)
      path[stars.length - 1] = { name, tags: tags.split(':').filter((tag) => tag !== '') }
      continue
    }
    const [, written] = ANY_CLOCK.exec(line) ?? []
    if (written === undefined) continue
    const clock = CLOCK.exec(line)
    const [, startDate = '', start = written, endDate = '', end = '', duration = ''] = clock ?? []
    const [task, project] = path.filter((each) => each !== undefined).toReversed()
    const tags = [...new Set(path.flatMap((each) => each?.tags ?? []))]
    const fields = [
      project?.name ?? '',
      task?.name ?? '',
      joinedNames(tags),
      `${startDate} ${start}`.trim(),
      `${endDate} ${end}`.trim(),
      duration,
    ]
    rows.push({ line: index + 1, fields })
  }
  const why = t(
    'The file has sums of Org mode without days. Import the Org file with its clocks instead.',
  )
  const problems = rows.length === 0 ? [{ line: 1, text: text.slice(0, 80), why }] : []
  return tableOf(['project', 'task', 'tags', 'start', 'end', 'duration'], rows, problems)
}
