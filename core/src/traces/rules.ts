/** Rules: which traces belong to which task, and which are ignored. The first one that fits decides. */
import { folded } from '#folded.ts'
import {
  isBoolean,
  isId,
  isNullOr,
  isNumber,
  isObject,
  isOneOf,
  isText,
  isUndefinedOr,
} from '#guards.ts'
import type { Guard } from '#guards.ts'
import { TRACE_KINDS } from './trace.ts'
import type { Trace, TraceKind } from './trace.ts'

export interface TraceRule {
  readonly id: string
  /** Null: every kind. */
  readonly kind: TraceKind | null
  readonly field: 'title' | 'where'
  /** Compared without case and accents. '' fits every trace of the kind. */
  readonly contains: string
  /** The id of the task; null: such traces are ignored. */
  readonly task: string | null
  /** Whether the title of the trace is the note. */
  readonly isNoted: boolean
  /** Its place among the rules, the lowest first. Undefined: where it is put, or an earlier version wrote it. */
  readonly order?: number | undefined
}

export const MAX_TRACE_RULES = 200
export const MAX_CONTAINS = 100

/** Checks a rule that was stored. */
export const isTraceRule: Guard<TraceRule> = isObject({
  id: isId,
  kind: isNullOr(isOneOf(...TRACE_KINDS)),
  field: isOneOf('title', 'where'),
  contains: isText,
  task: isNullOr(isId),
  isNoted: isBoolean,
  order: isUndefinedOr(isNumber),
})

/**
 * Returns a function that finds the first rule for a trace; null without one. A rule of a task that
 * `isTask` does not know is left out.
 */
export function ruleFinder(
  rules: readonly TraceRule[],
  isTask: (id: string) => boolean,
): (trace: Pick<Trace, 'kind' | 'title' | 'where'>) => TraceRule | null {
  const usable = rules
    .filter(({ task }) => task === null || isTask(task))
    .map((rule) => ({ rule, part: folded(rule.contains).trim() }))
  return (trace) => {
    const texts = { title: folded(trace.title), where: folded(trace.where) }
    const first = usable.find(
      ({ rule: { kind, field }, part }) =>
        (kind === null || kind === trace.kind) && texts[field].includes(part),
    )
    return first?.rule ?? null
  }
}
