/** What an owner presses at random on a device of the schedules, and what the ledger hears of it. */
import { eventsOf, idOf, isOf } from '#log/event.ts'
import type { Action, LogEvent } from '#log/event.ts'
import { compareEvents, countingEvents } from '#log/order.ts'
import type { Part } from '#log/parts.ts'
import { keyOf } from './device.ts'
import type { Device, Shown } from './device.ts'
import type { Ledger, Span } from './ledger.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

interface Place {
  readonly device: Device
  readonly world: World
  readonly ledger: Ledger
  readonly random: Random
}
interface SavedPart {
  readonly session: string
  readonly part: Part
}

/** The shortest part that is edited, in milliseconds. */
const MIN_PART = 4000
const ALL: Span = { start: -Infinity, end: Infinity }
const UNDOABLE = ['cut', 'bound', 'delete', 'restore', 'discard', 'count', 'move'] as const

/** Presses something that the screen of the device offers. */
export function pressSomething(place: Place): void {
  const { device, random } = place
  const { shown } = device
  const roll = random.next()
  if (shown && roll < 0.55) return pressOnTimer(place, shown)
  if (!shown && roll < 0.4) return start(place, random.chance(0.2) ? random.below(600_000) : 0)
  if (!shown && roll < 0.46) return failedStart(place)
  if (!shown && roll < 0.58) return undoStop(place)
  if (roll < 0.68) return undo(place)
  if (roll < 0.75) return answer(place)
  editPart(place)
}

function pressOnTimer(place: Place, shown: Shown): void {
  const { device, random } = place
  const { session, timer } = shown
  const roll = random.next()
  if (roll < 0.3) device.press(timer.pausedAt === null ? 'pause' : 'resume')
  else if (roll < 0.52) device.press('stop')
  else if (roll < 0.6) device.press('stop', random.below(300_000))
  else if (roll < 0.7) start(place, 0)
  else if (roll < 0.78) moveStart(place, shown)
  else if (roll < 0.84) noteTimer(place, session)
  else if (roll < 0.94) changeTimerWork(place, shown)
  else discard(place, shown)
}

function start({ device, ledger, world }: Place, ago: number): void {
  if (device.shown) device.press('stop')
  device.isPressedSinceOpen = true
  const session = `S${ledger.sessions + 1}`
  const action: Action = { kind: 'start', task: 'task', note: null, deviceName: null }
  const event = device.append(session, action, world.now - ago)
  ledger.start(device.name, keyOf(session, event), session, world.now - ago, world.now)
  device.look()
}

/** The start does not reach the server. Sometimes its owner presses Track offline later. */
function failedStart(place: Place): void {
  const { device, ledger, world, random } = place
  start(place, 0)
  const shown = device.shown
  if (!shown) return
  world.now += 1 + random.below(20_000)
  const said = device.says(shown)
  const event = device.append(shown.session, { kind: 'fail' })
  const id = keyOf(shown.session, event)
  ledger.leavesOut(device.name, shown.session, id, ALL, [])
  ledger.claims(shown.session, id, said)
  device.look()
}

function moveStart({ device, ledger, world, random }: Place, { session, timer }: Shown): void {
  const ends = timer.worked.map(({ end }) => end)
  const latest = Math.min(...ends, timer.pausedAt ?? Infinity, world.now)
  const to = timer.startedAt + Math.round((random.next() - 0.6) * 300_000)
  if (to >= latest) return
  device.decide(session, { kind: 'move', to }, (id) => {
    ledger.move(device.name, session, id, to, world.now)
  })
}

function noteTimer({ device, ledger, random }: Place, session: string): void {
  const value = String(random.below(1e6))
  device.decide(session, { kind: 'set', field: 'note', value, boundary: 'start' }, (id) => {
    ledger.other(device.name, id)
  })
}

/** Takes time away out of a timer, or puts work into its pause. */
function changeTimerWork({ device, ledger, random, world }: Place, shown: Shown): void {
  const { session, timer } = shown
  const span = spanWithin({ start: timer.startedAt, end: world.now }, random)
  if (!span) return
  const isWork = timer.pausedAt !== null
  const [spans, said] = [[span], device.says(shown)]
  device.decide(session, { kind: 'count', boundary: null, spans, isWork }, (id) => {
    if (isWork) ledger.adds(device.name, session, id, spans)
    else ledger.leavesOut(device.name, session, id, span, said)
  })
}

function discard({ device, ledger }: Place, shown: Shown): void {
  const { session } = shown
  const said = device.says(shown)
  device.decide(session, { kind: 'discard' }, (id) => {
    ledger.leavesOut(device.name, session, id, ALL, said)
  })
}

/** Undoes the last stop, if its owner has started nothing since. */
function undoStop({ device, ledger, world }: Place): void {
  const own = ownEvents(device)
  const stop = own.filter(({ event }) => isOf(event, 'stop')).at(-1)
  if (!stop || isUndone(own, stop.event, stop.session)) return
  const isSaved = device.folded(stop.session)?.parts.some(({ deletion }) => deletion === null)
  if (!isSaved || isStartedSince(device, stop.event)) return
  device.isPressedSinceOpen = true
  const { session } = stop
  // Other devices may have stopped it as well: the timer goes on when no stop is left.
  const log = device.logs.get(session) ?? []
  const stops = eventsOf(countingEvents(log), 'stop')
  const undone = [...stops, ...log.filter((each) => stops.some((stop) => isLeftBy(each, stop)))]
  const first = Math.min(...stops.map((each) => each.at))
  device.decide(session, { kind: 'undo', of: undone.map(idOf) }, (id) => {
    const since = { start: first, end: world.now }
    const of = undone.map((each) => keyOf(session, each))
    ledger.undoes(device.name, session, id, of, since)
  })
}

/** Undoes the last edit from here, or presses Track offline after a failed start. */
function undo({ device, ledger, world, random }: Place): void {
  const own = ownEvents(device)
  const kinds = random.chance(0.3) ? (['fail'] as const) : UNDOABLE
  const last = own.findLast(({ event, session }) => {
    const isOfStop = own.some((each) => each.session === session && isLeftBy(event, each.event))
    return isOf(event, ...kinds) && !isOfStop && !isUndone(own, event, session)
  })
  if (!last) return
  const { session, event } = last
  const isEnd = isOf(event, 'discard', 'fail')
  if (isEnd && (device.shown || isStartedSince(device, event))) return
  if (isOf(event, 'move') && device.shown?.session !== session) return
  device.decide(session, { kind: 'undo', of: [idOf(event)] }, (id) => {
    // Two devices that have discarded one timer show it again only when both have undone that.
    const isTwice = eventsOf(device.logs.get(session) ?? [], 'discard').length > 1
    const since = { start: event.at, end: isTwice ? Infinity : world.now }
    ledger.undoes(device.name, session, id, [keyOf(session, event)], isEnd ? since : null)
  })
}

function answer({ device, ledger, random }: Place): void {
  for (const session of device.logs.keys()) {
    const asked = device.folded(session)?.asked ?? []
    if (asked.length === 0) continue
    answerQuestion(device, ledger, session, asked, random.chance(0.5))
    return
  }
}

/** Keeps or leaves what is asked about a session. */
export function answerQuestion(
  device: Device,
  ledger: Ledger,
  session: string,
  asked: readonly Span[],
  isWork: boolean,
): void {
  for (const span of asked) {
    device.decide(session, { kind: 'count', boundary: null, spans: [span], isWork }, (id) => {
      if (isWork) ledger.adds(device.name, session, id, [span])
      else ledger.leavesOut(device.name, session, id, span, [])
    })
  }
}

function editPart(place: Place): void {
  const { device, random } = place
  const saved = random.pick(savedParts(device, (part) => part.deletion === null))
  const gone = random.pick(savedParts(device, (part) => part.deletion?.action.kind === 'delete'))
  const roll = random.next()
  if (roll < 0.08 && gone) return restorePart(place, gone)
  if (!saved) return
  const { startedAt, endedAt } = saved.part
  const middle = startedAt + Math.round((endedAt - startedAt) * (0.2 + 0.6 * random.next()))
  if (roll < 0.35) cutPart(place, saved, middle)
  else if (roll < 0.65) trimPart(place, saved, middle, random.chance(0.5))
  else if (roll < 0.7) lengthenPart(place, saved)
  else if (roll < 0.75) shiftPart(place, saved)
  else if (roll < 0.85) pausePart(place, saved)
  else deletePart(place, saved)
}

function cutPart({ device, ledger }: Place, { session }: SavedPart, to: number): void {
  device.decide(session, { kind: 'cut', to }, (id) => ledger.other(device.name, id))
}

function trimPart(place: Place, saved: SavedPart, to: number, isStart: boolean): void {
  const { boundary, endBoundary, startedAt, endedAt } = saved.part
  const span = isStart ? { start: startedAt, end: to } : { start: to, end: endedAt }
  const side = isStart ? 'after' : 'before'
  leaveOut(place, saved, span, {
    kind: 'bound',
    boundary: isStart ? boundary : endBoundary,
    side,
    to,
    span,
  })
}

/** Types an end that is later than what the presses cover. */
function lengthenPart(place: Place, saved: SavedPart): void {
  const { device, ledger, random, world } = place
  const { session, part } = saved
  const parts = device.folded(session)?.parts ?? []
  const isLast = parts.every(({ endedAt }) => endedAt <= part.endedAt)
  if (!isLast || part.endBoundary === part.boundary) return
  const to = Math.min(part.endedAt + 1 + random.below(120_000), world.now)
  if (to <= part.endedAt) return
  const span = { start: part.endedAt, end: to }
  const bound = { kind: 'bound', boundary: part.endBoundary, side: 'before', to, span } as const
  device.decide(session, bound, (id) => ledger.other(device.name, id))
  addWork(place, saved, [span])
}

function addWork({ device, ledger }: Place, { session, part }: SavedPart, spans: readonly Span[]) {
  if (spans.length === 0) return
  const { boundary } = part
  device.decide(session, { kind: 'count', isWork: true, spans, boundary }, (id) => {
    ledger.adds(device.name, session, id, spans)
  })
}

/** Moves a session in one part without a pause to another time. */
function shiftPart(place: Place, saved: SavedPart): void {
  const { device, random, world } = place
  if (device.folded(saved.session)?.parts.length !== 1) return
  const { session, part } = saved
  const { startedAt: start, endedAt: end, boundary, endBoundary, worked } = part
  const by = Math.round((random.next() - 0.7) * 2 * (random.chance(0.5) ? 1 : 3) * (end - start))
  if (by === 0 || worked.length !== 1 || boundary === endBoundary || end + by > world.now) return
  const first = { kind: 'bound', boundary, side: 'after', to: start + by } as const
  const last = { kind: 'bound', boundary: endBoundary, side: 'before', to: end + by } as const
  const seen = { start: Math.max(start, end + by), end: Math.min(end, start + by) }
  if (by > 0) {
    leaveOut(place, saved, { start, end: seen.end }, { ...first, span: { start, end: seen.end } })
    device.decide(session, { ...last, span: { start: end, end: end + by } }, (id) =>
      place.ledger.other(device.name, id),
    )
    addWork(place, saved, [{ start: Math.max(end, start + by), end: end + by }])
  } else {
    device.decide(session, { ...first, span: { start: start + by, end: start } }, (id) =>
      place.ledger.other(device.name, id),
    )
    leaveOut(
      place,
      saved,
      { start: seen.start, end },
      { ...last, span: { start: seen.start, end } },
    )
    addWork(place, saved, [{ start: start + by, end: Math.min(start, end + by) }])
  }
}

function pausePart(place: Place, saved: SavedPart): void {
  const { part } = saved
  const span = spanWithin({ start: part.startedAt, end: part.endedAt }, place.random)
  if (span)
    leaveOut(place, saved, span, { kind: 'count', boundary: null, spans: [span], isWork: false })
}

function deletePart(place: Place, saved: SavedPart): void {
  const { boundary, startedAt, endedAt } = saved.part
  const span = { start: startedAt, end: endedAt }
  leaveOut(place, saved, span, { kind: 'delete', boundary, span })
}

function restorePart({ device, ledger }: Place, { session, part }: SavedPart): void {
  device.decide(session, { kind: 'restore', boundary: part.boundary }, (id) => {
    ledger.other(device.name, id)
    ledger.allows(session, { start: part.startedAt, end: part.endedAt })
  })
}

function leaveOut(place: Place, { session, part }: SavedPart, span: Span, action: Action): void {
  const { device, ledger } = place
  const parts = device.folded(session)?.parts ?? []
  const living = parts.filter(({ deletion }) => deletion === null || deletion === part.deletion)
  const said = living.flatMap(({ worked }) => worked)
  device.decide(session, action, (id) => {
    ledger.leavesOut(device.name, session, id, span, said)
  })
}

function spanWithin({ start, end }: Span, random: Random): Span | null {
  if (end - start < MIN_PART) return null
  const from = start + random.below(end - start - 2000)
  return { start: from, end: from + 1000 + random.below(end - from - 1000) }
}

function savedParts(device: Device, is: (part: Part) => boolean): SavedPart[] {
  return [...device.logs.keys()].flatMap((session) =>
    (device.folded(session)?.parts ?? [])
      .filter((part) => is(part) && part.endedAt - part.startedAt > MIN_PART)
      .map((part) => ({ session, part })),
  )
}

function ownEvents(device: Device): { session: string; event: LogEvent }[] {
  return [...device.logs]
    .flatMap(([session, log]) => log.map((event) => ({ session, event })))
    .filter(({ event }) => event.device === device.name)
    .sort((a, b) => compareEvents(a.event, b.event))
}

function isUndone(
  own: readonly { session: string; event: LogEvent }[],
  event: LogEvent,
  session: string,
): boolean {
  return own.some(
    (each) =>
      each.session === session &&
      isOf(each.event, 'undo') &&
      each.event.action.of.includes(idOf(event)),
  )
}

/** Returns whether an event leaves out the time since an earlier stop, and is one step with it. */
function isLeftBy(event: LogEvent, stop: LogEvent): boolean {
  const isNext = event.device === stop.device && event.seq === stop.seq + 1
  return (
    isNext && isOf(stop, 'stop') && isOf(event, 'count') && event.action.spans[0]?.start === stop.at
  )
}

function isStartedSince(device: Device, event: LogEvent): boolean {
  return [...device.logs.values()].some((log) =>
    log.some((other) => isOf(other, 'start') && compareEvents(other, event) > 0),
  )
}
