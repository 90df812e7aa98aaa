/** Reads a file of traces, of whatever source it is. */
import { CALENDAR } from '#transfer/formats/calendar.ts'
import { isActivityWatch, readActivityWatch } from './activity-watch.ts'
import { isAgentLog, readAgentLog } from './agents.ts'
import { isGitLog, isReflog, readGitLog, readReflog } from './git.ts'
import { isShellHistory, readShellHistory } from './shell.ts'
import { keptTraces } from './trace.ts'
import type { TraceKind, TraceOptions, TraceReading } from './trace.ts'

/** Reads a calendar: `readCalendarTraces` of `calendar.ts`, whose library is large. */
export type CalendarReader = (text: string, options: TraceOptions) => TraceReading

interface Format {
  readonly kind: TraceKind
  readonly isText: (text: string) => boolean
  readonly read: (text: string, options: TraceOptions) => TraceReading
}

const FORMATS: readonly Format[] = [
  { kind: 'git', isText: isGitLog, read: readGitLog },
  { kind: 'git', isText: isReflog, read: (text, { name }) => readReflog(text, name) },
  { kind: 'activity', isText: isActivityWatch, read: readActivityWatch },
  { kind: 'agent', isText: isAgentLog, read: readAgentLog },
  { kind: 'shell', isText: isShellHistory, read: readShellHistory },
]

/** Returns whether the text is a calendar, for which `readTraces` needs its reader. */
export function isCalendar(text: string): boolean {
  return CALENDAR.isText(text)
}

/**
 * Returns the traces in a text, recognised by its content, in order and each once; null if nothing
 * that is known wrote it. Those of more than a year ago, and of more than four weeks ahead, are left
 * out.
 *
 * @param readCalendar for a text that `isCalendar`
 */
export function readTraces(
  text: string,
  options: TraceOptions,
  readCalendar?: CalendarReader,
): ({ readonly kind: TraceKind } & TraceReading) | null {
  const calendar = isCalendar(text) && readCalendar
  const format = calendar
    ? { kind: 'calendar' as const, read: calendar }
    : FORMATS.find(({ isText }) => isText(text))
  if (!format) return null
  const reading = format.read(text, options)
  const name = reading.name || options.name
  return { ...reading, name, kind: format.kind, traces: keptTraces(reading.traces, options.now) }
}
