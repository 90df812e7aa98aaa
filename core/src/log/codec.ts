/**
 * The text of the attribute `log`: JSON of short lists, the same text for the same events.
 *
 *     [version, first stamp, [device, …], [event, …]]
 *     event: [device, number, stamp since the one before, count, `at` since the stamp, heard, kind, …]
 *     heard: 0 for exactly the events before it, or [device, number, …, id after a gap, …]
 */
import { isListOf, isText } from '#guards.ts'

import { actionFrom, checked, fieldsOf, isCount, isList, isPossible } from './actions.ts'
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
  try {
    return { kind: 'log', log: logFrom(JSON.parse(text)) }
  } catch (error) {
    if (error instanceof ImpossibleEvent) return { kind: 'impossible', id: error.message }
    return { kind: 'unreadable' }
  }
}

/** The message is the id of the event. */
class ImpossibleEvent extends Error {}

/** @throws ImpossibleEvent, or another error when it is no log. */
function logFrom(parsed: unknown): Log {
  const [version, first, names, events, ...others] = checked(isList, parsed)
  if (version !== VERSION || others.length > 0) throw new Error('Another version')
  const devices = checked(isNames, names)
  const values = new Map<string, string>()
  let milliseconds = checked(isWhole, first)
  let knowledge = NO_KNOWLEDGE
  const log = checked(isList, events).map((event): LogEvent => {
    const [device, number, since, count, offset, heard, ...action] = checked(isList, event)
    milliseconds += checked(isWhole, since)
    const read = {
      device: checked(isText, devices[checked(isCount, device)]),
      seq: checked(isSeq, number),
      stamp: { milliseconds, count: checked(isCount, count) },
      ...(heard === 0 ? knowledge : knowledgeFrom(checked(isList, heard), devices)),
      at: milliseconds + checked(isWhole, offset),
      action: actionFrom(action, { stamp: milliseconds, values }),
    }
    if (!isPossible(read)) throw new ImpossibleEvent(idOf(read))
    knowledge = withHeard(knowledge, read)
    return read
  })
  const isSorted = log.every((event, index) => {
    const before = log[index - 1]
    return !before || compareEvents(before, event) < 0
  })
  if (!isSorted || hasTwice(devices) || hasTwice(log.map(idOf))) throw new Error('Not in order')
  return log
}

/** Returns pairs of device and number, and the ids of events after a gap. */
function heardOf({ seen, also }: Knowledge, devices: readonly string[]): readonly unknown[] {
  const known = Object.keys(seen).sort()
  return [...known.flatMap((device) => [devices.indexOf(device), seen[device]]), ...also]
}

function knowledgeFrom(heard: readonly unknown[], devices: readonly string[]): Knowledge {
  const seen: Record<string, number> = {}
  const rest = [...heard]
  while (isCount(rest[0])) {
    const [device, seq] = rest.splice(0, 2)
    seen[checked(isText, devices[checked(isCount, device)])] = checked(isSeq, seq)
  }
  return { seen, also: checked(isListOf(isText), rest) }
}

function hasTwice(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isSeq(value: unknown): value is number {
  return isCount(value) && value > 0
}
