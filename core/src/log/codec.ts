/**
 * The text of the attribute `log`: JSON of short lists, the same text for the same events.
 *
 *     [version, first stamp, [device, …], [event, …]]
 *     event: [device, number, stamp since the one before, count, `at` since the stamp, heard, kind, …]
 *     heard: 0 for exactly the events before it, or [device, number, …, id after a gap, …]
 */
import { isListOf, isText } from '#guards.ts'

import { actionFrom, fieldsOf, isInstant } from './actions.ts'
import { idOf } from './event.ts'
import type { Knowledge, Log, LogEvent } from './event.ts'
import { compareEvents, isSameKnowledge, NO_KNOWLEDGE, withHeard } from './order.ts'

/** What a text of the attribute `log` is. All but 'log' is put aside and never written over. */
export type Decoded =
  | { readonly kind: 'log'; readonly log: Log }
  /** It was cut off, is no list of events, or is of a later version, perhaps with a new kind of event. */
  | { readonly kind: 'unreadable' }
  /** An event with an instant that nobody can have pressed at. */
  | { readonly kind: 'impossible'; readonly id: string }

const VERSION = 1
const DEVICE = /^[\w-]{1,36}$/
const isNames = isListOf((name: unknown): name is string => isText(name) && DEVICE.test(name))
const UNREADABLE = { kind: 'unreadable' } as const
/** Stamps count from 0, and a count beyond this comes from no device. */
const MAX_NUMBER = 1_000_000

/** Returns the text of a log. */
export function encodeLog(log: Log): string {
  const names = new Set(log.flatMap(({ device, seen }) => [device, ...Object.keys(seen)]))
  const devices = [...names].sort()
  const first = log[0]?.stamp.milliseconds ?? 0
  const values = new Map<string, string>()
  let knowledge = NO_KNOWLEDGE
  const events = log.map((event, index) => {
    const { device, seq, stamp, at, action } = event
    const before = log[index - 1]?.stamp.milliseconds ?? first
    const isPlain = isSameKnowledge(event, knowledge)
    knowledge = withHeard(knowledge, event)
    return [
      devices.indexOf(device),
      seq,
      stamp.milliseconds - before,
      stamp.count,
      at - stamp.milliseconds,
      isPlain ? 0 : heardOf(event, devices),
      ...fieldsOf(action, { stamp: stamp.milliseconds, values }),
    ]
  })
  return JSON.stringify([VERSION, first, devices, events])
}

/** Returns what a text says. It never throws, whatever the text is. */
export function decodeLog(text: string): Decoded {
  const parsed = parse(text)
  if (!Array.isArray(parsed)) return UNREADABLE
  const [version, first, devices, events]: unknown[] = parsed
  if (version !== VERSION || parsed.length !== 4 || !isWhole(first)) return UNREADABLE
  if (!isNames(devices) || hasTwice(devices) || !Array.isArray(events)) return UNREADABLE
  const log: LogEvent[] = []
  const values = new Map<string, string>()
  let before = first
  let knowledge = NO_KNOWLEDGE
  for (const fields of events) {
    const event = eventFrom(fields, devices, { before, knowledge, values })
    if (event === null) return UNREADABLE
    if ('kind' in event) return event
    knowledge = withHeard(knowledge, event)
    log.push(event)
    before = event.stamp.milliseconds
  }
  const isInOrder = log.every((event, index) => {
    return index === 0 || compareEvents(log[index - 1] ?? event, event) < 0
  })
  return isInOrder && !hasTwice(log.map(idOf)) ? { kind: 'log', log } : UNREADABLE
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What the text of an event leaves out: the stamp before it, what was heard of, and fields. */
interface Before {
  readonly before: number
  readonly knowledge: Knowledge
  readonly values: Map<string, string>
}

function eventFrom(
  fields: unknown,
  devices: readonly string[],
  { before, knowledge: heardBefore, values }: Before,
): LogEvent | Extract<Decoded, { kind: 'impossible' }> | null {
  if (!Array.isArray(fields)) return null
  const [index, seq, since, count, offset, heard, ...rest]: unknown[] = fields
  const device = isNumber(index) ? devices[index] : undefined
  const isNumbered = isNumber(seq) && seq > 0 && isNumber(count)
  if (device === undefined || !isNumbered || !isWhole(since) || !isWhole(offset)) return null
  const knowledge = heard === 0 ? heardBefore : knowledgeFrom(heard, devices)
  if (knowledge === null) return null
  const milliseconds = before + since
  const at = milliseconds + offset
  const action = actionFrom(rest, { stamp: milliseconds, values })
  if (action === null) return null
  const isPossible = action !== 'impossible' && isInstant(milliseconds) && isInstant(at)
  if (!isPossible) return { kind: 'impossible', id: idOf({ device, seq }) }
  return { device, seq, stamp: { milliseconds, count }, ...knowledge, at, action }
}

/** Returns pairs of device and number, and the ids of events after a gap. */
function heardOf({ seen, also }: Knowledge, devices: readonly string[]): readonly unknown[] {
  const known = Object.keys(seen).sort()
  return [...known.flatMap((device) => [devices.indexOf(device), seen[device]]), ...also]
}

function knowledgeFrom(heard: unknown, devices: readonly string[]): Knowledge | null {
  if (!Array.isArray(heard)) return null
  const seen: Record<string, number> = {}
  const rest: unknown[] = [...heard]
  while (isNumber(rest[0])) {
    const [place, seq] = rest.splice(0, 2)
    const device = isNumber(place) ? devices[place] : undefined
    if (device === undefined || !isNumber(seq) || seq === 0) return null
    seen[device] = seq
  }
  return isListOf(isText)(rest) ? { seen, also: rest } : null
}

function hasTwice(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isNumber(value: unknown): value is number {
  return isWhole(value) && value >= 0 && value <= MAX_NUMBER
}
