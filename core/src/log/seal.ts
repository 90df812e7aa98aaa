/** What a part that was cut off has in the place of a log: it tells whether its fields were changed since. */
import { idFrom } from '#record/split-id.ts'
import type { TimeEntry } from '#record/time-entry.ts'

import { furtherValues, valuesOf } from './set-values.ts'

const BEGIN = 'part '

/** Returns whether the text of an attribute `log` is a seal. */
export function isSeal(log: string | null): log is string {
  return log?.startsWith(BEGIN) === true
}

/** Returns the entry with the seal of its fields. */
export function sealed(entry: TimeEntry): TimeEntry {
  return { ...entry, log: sealOf(entry) }
}

/** Returns whether a sealed entry has other fields than when it was sealed. */
export function isSealBroken(entry: TimeEntry): boolean {
  return isSeal(entry.log) && entry.log !== sealOf(entry)
}

function sealOf(entry: TimeEntry): string {
  const { startedAt, endedAt, durationSeconds, pauses, taskId, note, deletedAt } = entry
  const further = furtherValues(valuesOf(entry))
  const fields = [startedAt, endedAt, durationSeconds, pauses, taskId, note, deletedAt]
  return `${BEGIN}${idFrom(JSON.stringify(further ? [...fields, further] : fields))}`
}
