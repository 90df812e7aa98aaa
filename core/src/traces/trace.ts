/**
 * Traces: what a calendar, a computer or git knows about the time of its owner. They are read and kept on one device.
 * `ghosts.ts` makes suggestions of them.
 */
import type { CsvProblem } from '#csv.ts'
import type { Interval } from '#time/instant.ts'

/** What kinds of sources there are. */
export const TRACE_KINDS = ['calendar', 'activity', 'git', 'shell', 'agent', 'presence'] as const
export type TraceKind = (typeof TRACE_KINDS)[number]

/** Why an event of a calendar is no work of its owner. */
export type TraceAside = 'all-day' | 'declined' | 'free' | 'cancelled'

export interface Trace {
  /** The same for the same content, however often it is read. */
  readonly id: string
  readonly kind: TraceKind
  /** Epoch milliseconds. */
  readonly from: number
  /** Not before `from`. A point in time, such as a commit, has `to` = `from`. */
  readonly to: number
  readonly title: string
  /** The calendar, the repository, the app or the site. */
  readonly where: string
  readonly detail?: string
  /** Such an event is kept and never suggested. */
  readonly aside?: TraceAside
}

/** What a reader makes of a text. */
export interface TraceReading {
  /** How its source calls itself; '' if it does not. */
  readonly name: string
  readonly traces: readonly Trace[]
  /** A sentence for each part that was not read, at most `MAX_PROBLEMS`. */
  readonly problems: readonly CsvProblem[]
}

/** What a reader has to know. */
export interface TraceOptions {
  /** The name of the file. */
  readonly name: string
  /** The zone of times that have none. */
  readonly timeZone: string
  /** Epoch milliseconds. Traces are read from a year before until four weeks after it. */
  readonly now: number
  /** The mail addresses of the owner, by which declined invitations are known. */
  readonly addresses: readonly string[]
}

export const MAX_PROBLEMS = 50
/** The most traces that are kept of one file: the latest ones. */
export const MAX_TRACES = 200_000
/** A longer event is one of several days. */
export const MAX_TRACE_MILLISECONDS = 24 * 3_600_000
/** Times of one source without a longer break are one stretch. */
export const MAX_BREAK_MILLISECONDS = 10 * 60_000

const MAX_TITLE = 200
const MAX_WHERE = 100
const MAX_DETAIL = 300
const DAY_MILLISECONDS = 24 * 3_600_000

/** Returns the time from which traces are kept: one year back to four weeks ahead. */
export function keptRange(now: number): Interval {
  return { start: now - 366 * DAY_MILLISECONDS, end: now + 28 * DAY_MILLISECONDS }
}

/** Returns the trace with texts of bounded lengths on one line, and its id. */
export function traceOf(content: Omit<Trace, 'id'>): Trace {
  const title = oneLine(content.title, MAX_TITLE)
  const where = oneLine(content.where, MAX_WHERE)
  const detail = oneLine(content.detail ?? '', MAX_DETAIL)
  const { kind, from, to, aside } = content
  return {
    id: traceId([kind, from, to, title, where]),
    kind,
    from,
    to,
    title,
    where,
    ...(detail !== '' && { detail }),
    ...(aside && { aside }),
  }
}

/** Returns the trace of a clock that is so many minutes behind the right one. */
export function moved(trace: Trace, minutes: number): Trace {
  if (minutes === 0) return trace
  const by = minutes * 60_000
  return { ...trace, from: trace.from + by, to: trace.to + by }
}

/**
 * Returns the latest traces of the time that is kept, in order and each once. What lasted longer than
 * a day, and is no event, ends after one.
 */
export function keptTraces(traces: readonly Trace[], now: number): readonly Trace[] {
  const { start, end } = keptRange(now)
  const kept = new Map<string, Trace>()
  for (const trace of traces) {
    if (trace.to < start || trace.from >= end) continue
    const to = Math.min(trace.to, trace.from + MAX_TRACE_MILLISECONDS)
    kept.set(trace.id, trace.kind === 'calendar' || to === trace.to ? trace : { ...trace, to })
  }
  const sorted = [...kept.values()].sort(inOrder)
  return sorted.slice(-MAX_TRACES)
}

/** Compares traces by time, then by their id: an order that does not depend on that of the files. */
export function inOrder(one: Trace, other: Trace): number {
  return one.from - other.from || one.to - other.to || (one.id < other.id ? -1 : 1)
}

/** Returns a hash of 64 bits of the values. */
export function traceId(values: readonly (string | number)[]): string {
  // Two FNV-1a hashes of 32 bits, the second one over other letters.
  let one = 0x811c9dc5
  let other = 0x9747b28c
  for (const letter of values.join('\n')) {
    const code = letter.codePointAt(0) ?? 0
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ (code + 0x9e37), 0x01000193) ^ (other >>> 15)
  }
  return hex(one) + hex(other)
}

function hex(hash: number): string {
  return (hash >>> 0).toString(16).padStart(8, '0')
}

function oneLine(text: string, length: number): string {
  const line = text
    .slice(0, 4 * length)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`
}
