/** The formats of other programs that are recognised by name. A format is one module and one line here. */
import type { TableFormat, TextFormat } from '#transfer/import-table.ts'
import { ACTIVITY_WATCH } from './activity-watch.ts'
import { CALENDAR } from './calendar.ts'
import { CLOCKIFY } from './clockify.ts'
import { DRYTRIX } from './drytrix.ts'
import { HAMSTER } from './hamster.ts'
import { HARVEST } from './harvest.ts'
import { KIMAI } from './kimai.ts'
import { KLOG } from './klog.ts'
import { ORG } from './org.ts'
import { ORG_CLOCK_CSV } from './org-clock-csv.ts'
import { SIMPLE_TIME_TRACKER } from './simple-time-tracker.ts'
import { SOLIDTIME } from './solidtime.ts'
import { STINT_COMMAND } from './stint-command.ts'
import { TEMPO } from './tempo.ts'
import { TIMESCRIBE } from './timescribe.ts'
import { TIMEWARRIOR } from './timewarrior.ts'
import { TOGGL } from './toggl.ts'
import { WATSON, WATSON_FRAMES } from './watson.ts'

/** Tables, those with the rarest headings first. */
export const TABLE_FORMATS = [
  STINT_COMMAND,
  TIMESCRIBE,
  DRYTRIX,
  SIMPLE_TIME_TRACKER,
  HAMSTER,
  ORG_CLOCK_CSV,
  WATSON,
  TEMPO,
  CLOCKIFY,
  TOGGL,
  SOLIDTIME,
  KIMAI,
  HARVEST,
] as const

/** Files that are no tables of text. */
export const TEXT_FORMATS = [
  TIMEWARRIOR,
  WATSON_FRAMES,
  ACTIVITY_WATCH,
  CALENDAR,
  KLOG,
  ORG,
] as const

export type FormatName = (typeof TABLE_FORMATS | typeof TEXT_FORMATS)[number]['name']

const BY_NAME = new Map<string, TableFormat | TextFormat | typeof CALENDAR>(
  [...TABLE_FORMATS, ...TEXT_FORMATS].map((format) => [format.name, format]),
)

/** Returns a format by its name; undefined for a table of no known program. */
export function formatNamed(name: string): TableFormat | TextFormat | typeof CALENDAR | undefined {
  return BY_NAME.get(name)
}
