/**
 * Judges the presses of two devices at the same time: nothing is lost, doubled, invented or unsent,
 * and all devices show the same. A question to the owner (docs/sync.md) is accepted in place of
 * lost or doubled time.
 */
import type { Interval } from '@stint/core/time/instant.ts'
import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { TimeEntryDocument, TimerSessionDocument } from '@stint/core/collections.ts'
import type { Pauses } from '@stint/core/timer/pauses.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import { openOffers } from '@stint/core/device/questions.ts'
import type { Offer, Value, ValueKey, ValueOf } from '@stint/core/device/stored.ts'

import { disagreement, keptEntries, unrest } from './judge.ts'
import type { Ending, Press, Pressed } from './scenario.ts'
import { lengthOf, union, without } from './spans.ts'
import type { Storage } from './storage.ts'
import { workedBy } from './worked.ts'

/** Two devices hear of each other within this time. Only a longer overlap is worth a question. */
const MAX_OVERLAP_MILLISECONDS = 5000
/** The number of sessions after an undone stop: the stopped one, and the one that continues it. */
const MAX_TAKEN_BACK = 2
/** Shorter differences are ignored, because seconds are whole. */
const MIN_MILLISECONDS = 1000

interface Counted {
  readonly id: string
  readonly spans: readonly Interval[]
}

/** Returns a judge of a pair of operations, in a world with this timer and this saved entry. */
export function judgeOfPair(running: ActiveTimer | null, saved: TimeEntry) {
  return (ending: Ending): string | null =>
    unrest(ending) ??
    disagreement(ending) ??
    (ending.afterStop && (unrest(ending.afterStop) ?? disagreement(ending.afterStop))) ??
    wrongTime(ending, running, saved) ??
    vanished(ending, running) ??
    wrongParts(ending)
}

function wrongTime(ending: Ending, running: ActiveTimer | null, saved: TimeEntry): string | null {
  const { must, may } = workedBy(running, ending)
  const edits = editedSpans(ending, saved)
  const counted = countedIn(ending)
  const all = counted.flatMap(({ spans }) => spans)
  const lost = without([...must, ...edits.must], [...all, ...askedIn(ending)])
  if (lengthOf(lost) >= MIN_MILLISECONDS) return 'lost'
  const invented = without(all, [...may, ...edits.may, ...tooMuchIn(ending)])
  if (lengthOf(invented) >= MIN_MILLISECONDS) return 'invented'
  if (isAskedTwice(ending, running)) return 'asked twice'
  // The question about a running timer comes when it is saved.
  const { afterStop } = ending
  const isOver = afterStop ? isDoubled(afterStop, countedIn(afterStop)) : isDoubled(ending, counted)
  return isOver ? 'doubled' : null
}

/** Returns the spans of the saved entry after its edits. The last change counts. */
function editedSpans({ pressed }: Ending, { startedAt, endedAt }: TimeEntry) {
  const starts = lastChanges(pressed).map(startAfter)
  const edited = pressed.flatMap(({ press, entry }) =>
    press.action === 'edit' && entry ? press.startedAt : [],
  )
  return {
    must: [{ start: starts.length > 0 ? Math.max(...starts) : startedAt, end: endedAt }],
    may: [{ start: Math.min(startedAt, ...edited), end: endedAt }],
  }
}

/**
 * Returns the last change of the saved entry, and the changes that were on their way when it was
 * made. The server knows when a change arrived, but not when it was made, so that one of these may
 * replace the last change.
 */
function lastChanges(pressed: readonly Pressed[]): readonly Change[] {
  const changes = pressed.filter(isChange)
  const last = changes.at(-1)
  return changes.filter((each) => each === last || (last && !isIn(each, last)))
}

interface Change extends Pressed {
  readonly press: Extract<Press, { readonly action: 'edit' | 'split' }>
  readonly entry: TimeEntry
}

function isChange(pressed: Pressed): pressed is Change {
  const { action } = pressed.press
  return (action === 'edit' || action === 'split') && pressed.entry !== null
}

/**
 * Returns whether the server had a change when another one was made. An edit is known by its own
 * note, and a split by an earlier end. A split wins over an edit whose device did not know of it,
 * because both halves would otherwise overlap.
 */
function isIn({ press, entry }: Change, last: Change): boolean {
  if (press.action === 'edit') return last.there?.note === press.note
  if (last.press.action === 'edit') return last.entry.endedAt < entry.endedAt
  return Date.parse(String(last.there?.endTime)) < entry.endedAt
}

/** Returns when the entry begins after a change. A split divides the entry as it was shown. */
function startAfter({ press, entry }: Change): number {
  return press.action === 'edit' ? press.startedAt : entry.startedAt
}

/** Returns what counts in the end: entries, and the time of the running session. */
function countedIn(ending: Ending): readonly Counted[] {
  /* oxlint-disable typescript/no-unsafe-type-assertion -- the documents are of that collection */
  const entries = keptEntries(ending).map((each) =>
    entryFromDocument(each as unknown as TimeEntryDocument),
  )
  const sessions = ending.sessions.map((each) =>
    sessionFromDocument(each as unknown as TimerSessionDocument),
  )
  /* oxlint-enable typescript/no-unsafe-type-assertion */
  return [
    ...entries.map((entry) => ({ id: entry.id, spans: workOf(entry) })),
    ...sessions.flatMap(({ id, state }) =>
      state.kind === 'active' ? [{ id, spans: workOf(untilNow(state.timer, ending)) }] : [],
    ),
  ]
}

interface Stretch {
  readonly startedAt: number
  readonly endedAt: number
  readonly pauses: Pauses
}

function workOf({ startedAt, endedAt, pauses }: Stretch): Interval[] {
  return without([{ start: startedAt, end: endedAt }], pauses.intervals)
}

function untilNow(timer: ActiveTimer, { now }: Pick<Ending, 'now'>): Stretch {
  return { ...timer, endedAt: timer.status === 'paused' ? timer.pausedAt : now }
}

/** Returns the intervals about which the devices with presses ask their owner. */
function askedIn(ending: Ending): readonly Interval[] {
  return valuesOf(ending).flatMap((value) => askedBy(value, ending.now))
}

/**
 * Returns the values of the devices with presses. A device that only looks has no question about
 * the presses of others.
 */
function valuesOf({ clients, pressed }: Ending): readonly Value[] {
  const presser = new Set(pressed.map(({ press }) => press.client))
  return clients.filter((_, client) => presser.has(client)).flatMap(shownBy)
}

/** Returns the stored values of a device, with the offers that it shows. */
function shownBy({ values, entries }: Storage): readonly Value[] {
  const known = new Map(entries.map((entry) => [entry.id, entry]))
  const view = {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key tells its type
    value: <K extends ValueKey>(key: K) => values.find((each) => each.key === key) as ValueOf<K>,
    entries: { get: (id: string) => known.get(id), all: () => [...entries] },
    // In the end nothing is unsent.
    edit: () => undefined,
  }
  return values.map((value) =>
    value.key === 'offers' ? { ...value, offers: openOffers(view) } : value,
  )
}

/**
 * Returns whether a question asks about time of which nothing is missing: the stop of a session was
 * undone, and a session that continues has all of its time. A part of a session that was changed
 * before stays an entry, and the continuation is another timer. A stop that two devices undo leads
 * to two continuations, each with a part of the time.
 */
function isAskedTwice(ending: Ending, running: ActiveTimer | null): boolean {
  const counted = countedIn(ending)
  const { lives } = workedBy(running, ending)
  const offers = ending.clients
    .flatMap(shownBy)
    .flatMap((value) => (value.key === 'offers' ? value.offers : []))
  return offers.some(({ worked, instead }) => {
    const { sessionId } = worked
    if (instead || counted.some(({ id }) => id === sessionId)) return false
    const life = lives.find((sessions) => sessions.includes(sessionId)) ?? []
    if (life.length > MAX_TAKEN_BACK) return false
    return counted
      .filter(({ id }) => life.includes(id))
      .some(({ spans }) => lengthOf(without(workOf(worked), spans)) < MIN_MILLISECONDS)
  })
}

/**
 * Returns the time that the owner can remove from a saved session: a press that came too late ended
 * or paused the session earlier.
 */
function tooMuchIn(ending: Ending): readonly Interval[] {
  return valuesOf(ending).flatMap((value) =>
    value.key === 'offers' ? value.offers.flatMap(tooMuchOf) : [],
  )
}

function tooMuchOf({ why, worked, instead }: Offer): readonly Interval[] {
  const isChange = why === 'not-counted' || why === 'not-stopped'
  return isChange && instead ? without(workOf(instead), workOf(worked)) : []
}

function askedBy(value: Value, now: number): readonly Interval[] {
  if (value.key === 'offers') return value.offers.flatMap(({ worked }) => workOf(worked))
  if (value.key === 'unfinished') {
    return value.sessions.flatMap(({ state }) =>
      workOf(state.kind === 'stopped' ? state.stopped : untilNow(state.timer, { now })),
    )
  }
  if (value.key !== 'banner' || !value.action) return []
  if (value.action.kind === 'track-offline') return workOf(untilNow(value.action.timer, { now }))
  const { gap, stopped } = value.action
  return gap === 'work' ? [{ start: stopped.endedAt, end: now }] : []
}

function isDoubled({ clients }: Ending, counted: readonly Counted[]): boolean {
  const asked = clients.flatMap(({ values }) =>
    values.flatMap((value) => (value.key === 'overlaps' ? value.pairs : [])),
  )
  return counted.some((one, index) =>
    counted.slice(index + 1).some((other) => {
      const both = [...one.spans, ...other.spans]
      const shared = lengthOf(both) - lengthOf(union(both))
      const isAsked = asked.some((pair) => pair.includes(one.id) && pair.includes(other.id))
      return shared > MAX_OVERLAP_MILLISECONDS && !isAsked
    }),
  )
}

/**
 * Returns a violation unless a timer that nobody stopped still runs or a device explains why it
 * does not.
 */
function vanished(ending: Ending, running: ActiveTimer | null): string | null {
  const values = valuesOf(ending)
  const isThere = workedBy(running, ending).open.every(
    (ids) =>
      ending.sessions.some(({ $id }) => ids.includes($id)) ||
      values.some((value) => isSaid(value, ids)),
  )
  return isThere ? null : 'vanished'
}

/** Returns whether a banner offers to continue one of these sessions, or a card asks about it. */
function isSaid(value: Value, sessions: readonly string[]): boolean {
  if (value.key === 'banner') return value.action !== null
  if (value.key === 'unfinished') return value.sessions.some(({ id }) => sessions.includes(id))
  return (
    value.key === 'offers' && value.offers.some(({ worked }) => sessions.includes(worked.sessionId))
  )
}

/**
 * Returns a violation unless the entry has its last note with the times of that edit, and a deleted
 * task is deleted.
 */
function wrongParts({ pressed, entries, tasks }: Ending): string | null {
  for (const { press } of pressed) {
    if (press.action === 'delete task') {
      const task = tasks.find(({ $id }) => $id === press.taskId)
      if (task?.['isActive'] !== false) return 'task not deleted'
    }
  }
  const changes = lastChanges(pressed)
  const edits = changes.flatMap(({ press }) => (press.action === 'edit' ? press : []))
  if (edits.length === 0) return null
  const entry = entries.find(({ $id }) => $id === edits[0]?.entryId)
  const noted = edits.find(({ note }) => note === entry?.['note'])
  if (!noted) return 'note lost'
  const isMixed = Date.parse(String(entry?.['startTime'])) !== noted.startedAt
  return isMixed && edits.length === changes.length ? 'mixed' : null
}
