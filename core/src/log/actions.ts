/**
 * What an event does, kind by kind, and its form in the text of a log: the kind, then its fields in the order
 * of the table. Spans are a list of the milliseconds from the stamp of the event to the first start, and from
 * each bound to the next one. The value of a `set` may be [kept at its start, kept at its end, text between] of
 * the last value that an earlier event gives the same field, since a note is typed on.
 */
import {
  isBoolean,
  isFields,
  isId,
  isListOf,
  isMapOf,
  isNullOr,
  isNumber,
  isObject,
  isOneOf,
  isTagged,
  isText,
  isUndefinedOr,
} from '#guards.ts'
import type { Guard, Guarded } from '#guards.ts'
import { EARLIEST, LATEST } from '#time/instant.ts'
import type { Interval } from '#time/instant.ts'

import { SET_NAMES } from './set-values.ts'

const SPAN = isObject({ start: isNumber, end: isNumber })
/** 'start', 'end' (of a document without a stop of its own), or the id of the stop or the cut that made it. */
const BOUNDARY = isId

/** What a document said before it had a log. Instants are epoch milliseconds of server time. */
const BASE = isObject({
  /** 'unclear' is neither running nor paused, and without an end. */
  status: isOneOf('running', 'paused', 'unclear', 'stopped'),
  task: isText,
  note: isNullOr(isText),
  /** Null of a session. */
  type: isNullOr(isText),
  /** The attribute `sessionId` of an entry. */
  session: isNullOr(isText),
  /** The name of the device in a session. */
  deviceName: isNullOr(isText),
  startedAt: isNumber,
  /** The end, or the begin of the open pause, or null while the timer runs. */
  endedAt: isNullOr(isNumber),
  /** Pauses of known time, sorted, not overlapping. */
  pauses: isListOf(SPAN),
  /** Whole seconds that were paused at an unknown time. */
  unplacedSeconds: isNumber,
  /** Whole seconds of work as the entry says, or null of a session that is not stopped. */
  seconds: isNullOr(isNumber),
  deletedAt: isNullOr(isNumber),
  /** What else is not the default of what a `set` can give, by name. */
  set: isUndefinedOr(isMapOf(isText)),
})
export type Base = Guarded<typeof BASE>

const FIELDS = {
  /** A document that had no log. Only events that have heard of the last base count. */
  base: { base: BASE },
  /** A new timer. `at` of the event is its start, which may lie before the press. */
  start: { task: isText, note: isNullOr(isText), deviceName: isNullOr(isText) },
  pause: {},
  resume: {},
  /** A device that stops before its press also leaves out the time since, with 'count'. */
  stop: {},
  /** What a screen showed until `at`, when news took a running timer from it. It ends nothing. */
  showed: {},
  /** The start did not reach the backend. The session does not count, and its time is asked about. */
  fail: {},
  /** The owner discards the whole session. */
  discard: {},
  /** Moves the start of the timer. */
  move: { to: isNumber },
  /** Sets a field of the part that begins at a boundary. An empty text is none. */
  set: { field: isOneOf(...SET_NAMES), value: isText, boundary: BOUNDARY },
  /** Cuts the session at `to`. The event names the boundary and the part that begins there. */
  cut: { to: isNumber },
  /**
   * Moves the end of the part before a boundary, or the start of the part after it. It adds no work. `span` is
   * the time between both places, as far as its owner has seen it: a part that gets shorter loses it.
   */
  bound: { boundary: BOUNDARY, side: isOneOf('before', 'after'), to: isNumber, span: SPAN },
  /** Deletes the part that begins at a boundary. `span` is the part as its owner has seen it. */
  delete: { boundary: BOUNDARY, span: SPAN },
  /** The part that begins at a boundary is not deleted any more, by none of the deletions before. */
  restore: { boundary: BOUNDARY },
  /** These spans count as work, or as none. An edit of a saved part names its boundary, others have null. */
  count: { isWork: isBoolean, spans: isListOf(SPAN), boundary: isNullOr(BOUNDARY) },
  /** The events with these ids do not count. An undo can be undone. */
  undo: { of: isListOf(isId) },
}
const isAction = isTagged('kind', FIELDS)
export type Action = Guarded<typeof isAction>
export type Kind = Action['kind']
const isKind = isOneOf(...(Object.keys(FIELDS) as Kind[])) // oxlint-disable-line typescript/no-unsafe-type-assertion -- the table has every kind

/** What the form of an action depends on. */
export interface Place {
  /** The stamp of its event. */
  readonly stamp: number
  /** The last value of each field that a `set` has given, which is noted here by both functions. */
  readonly values: Map<string, string>
}

/** Returns the kind and the fields of an action, without the nulls at their end. */
export function fieldsOf(action: Action, place: Place): readonly unknown[] {
  const values = new Map<string, unknown>(Object.entries(action))
  if (action.kind === 'set') values.set('value', typedOn(action.field, action.value, place))
  const fields = Object.keys(FIELDS[action.kind]).map((name) =>
    reformed(name, values.get(name), (spans) => boundsOf(spans, place.stamp)),
  )
  const all = [action.kind, ...fields]
  return all.slice(0, all.findLastIndex((field) => field !== null) + 1)
}

/** Returns the value of a field with its spans in another form. */
function reformed(name: string, value: unknown, form: (spans: unknown) => unknown): unknown {
  if (name === 'span' || name === 'spans') return form(value)
  if (name !== 'base' || !isFields(value)) return value
  return { ...value, pauses: form(value['pauses']) }
}

function boundsOf(spans: unknown, stamp: number): readonly number[] {
  let last = stamp
  return [spans].flat().flatMap((span) => {
    if (!SPAN(span)) return []
    const bounds = [span.start - last, span.end - span.start]
    last = span.end
    return bounds
  })
}

function spansFrom(bounds: unknown, stamp: number): readonly Interval[] {
  let start = stamp
  let end = stamp
  const offsets = checked(isListOf(isNumber), bounds)
  if (offsets.length % 2 === 1) throw new Error('A span has no end')
  return offsets.flatMap((offset, index) => {
    start = end
    end += offset
    return index % 2 === 1 ? { start, end } : []
  })
}

/** Returns a text, or what it keeps of the last value of its field, whichever is shorter. */
function typedOn(field: string, text: string, { values }: Place): unknown {
  const last = values.get(field) ?? ''
  values.set(field, text)
  const most = Math.min(last.length, text.length)
  let start = 0
  while (start < most && last[start] === text[start]) start += 1
  let end = 0
  while (end < most - start && last.at(-1 - end) === text.at(-1 - end)) end += 1
  const kept = [start, end, text.slice(start, text.length - end)]
  return JSON.stringify(kept).length < JSON.stringify(text).length ? kept : text
}

function textFrom(field: unknown, value: unknown, { values }: Place): string {
  const last = values.get(String(field)) ?? ''
  const text = isList(value) ? joined(last, value) : checked(isText, value)
  values.set(String(field), text)
  return text
}

function joined(last: string, [start, end, between]: readonly unknown[]): string {
  const to = last.length - checked(isCount, end)
  const from = checked(isCount, start)
  if (from > to) throw new Error('It keeps more than there is')
  return last.slice(0, from) + checked(isText, between) + last.slice(to)
}

/**
 * Returns an action from its form in a text.
 *
 * @throws Error when it is unknown here
 */
export function actionFrom([kind, ...values]: readonly unknown[], place: Place): Action {
  const names = Object.keys(FIELDS[checked(isKind, kind)])
  if (values.length > names.length) throw new Error('It has a field too much')
  const fields = names.map((name, index) => {
    const value = reformed(name, values[index] ?? null, (bounds) => {
      const spans = spansFrom(bounds, place.stamp)
      return name === 'span' ? spans[0] : spans
    })
    return [name, kind === 'set' && name === 'value' ? textFrom(values[0], value, place) : value]
  })
  return checked(isAction, { kind, ...Object.fromEntries(fields) })
}

/** The names of fields that are instants. */
const INSTANTS = ['at', 'to', 'start', 'end', 'startedAt', 'endedAt', 'deletedAt', 'milliseconds']

/** Returns whether every instant in a value can be one, and no span ends before it starts. */
export function isPossible(value: unknown): boolean {
  if (isList(value)) return value.every(isPossible)
  if (!isFields(value)) return true
  const isField = ([name, field]: readonly [string, unknown]) =>
    INSTANTS.includes(name) && isNumber(field) ? isInstant(field) : isPossible(field)
  return (!SPAN(value) || value.start <= value.end) && Object.entries(value).every(isField)
}

/** Returns whether a number is a whole millisecond of the years that the product reads. */
function isInstant(value: number): boolean {
  return Number.isSafeInteger(value) && value >= EARLIEST && value < LATEST
}

export const isList: Guard<readonly unknown[]> = (value) => Array.isArray(value)

/** No device counts to more than a million. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 1_000_000
}

/**
 * Returns a value of which the guard holds.
 *
 * @throws Error when it does not
 */
export function checked<T>(guard: Guard<T>, value: unknown): T {
  if (guard(value)) return value
  throw new Error('A value is not what it should be')
}
