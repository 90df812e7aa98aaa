/**
 * Judges the presses of two devices at the same time: nothing is lost, doubled, invented or unsent,
 * and all devices show and ask the same. A question to the owner is accepted in place of lost time.
 */
import type { Interval } from '@stint/core/time/instant.ts'
import { sessionFromDocument } from '@stint/core/record/timer-session.ts'
import { entryFromDocument, NEW_ENTRY } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { TimeEntryDocument, TimerSessionDocument } from '@stint/core/collections.ts'
import type { Value } from '@stint/core/device/stored.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import { disagreement, keptEntries, unrest } from './judge.ts'
import type { Ending, Pressed } from './scenario.ts'
import { length, union, without } from '../simulation/spans.ts'
import { askedBy, unfinishedIn } from './storage.ts'
import { workedBy, workOn } from './worked.ts'

/** Two devices hear of each other within this time. Only a longer overlap is worth a question. */
const MAX_OVERLAP_MILLISECONDS = 5000
/** Shorter differences are ignored, because seconds are whole. */
const MIN_MILLISECONDS = 1000

interface Counted {
  readonly id: string
  readonly sessionId: string
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
    wrongParts(ending, saved)
}

function wrongTime(ending: Ending, running: ActiveTimer | null, saved: TimeEntry): string | null {
  const counted = countedIn(ending)
  const all = counted.flatMap(({ spans }) => spans)
  const expected = [...workedBy(running, ending), editedSpan(ending, saved)]
  for (const { sessionId, must, may } of expected) {
    const spans = counted
      .filter((each) => each.sessionId === sessionId)
      .flatMap((each) => each.spans)
    const asked = questionsIn(ending, sessionId)
    const offered = cardsIn(ending, sessionId)
    // Nobody works on two tasks at once: time that a screen showed may count for another timer.
    if (length(without(must, [...all, ...asked, ...offered])) >= MIN_MILLISECONDS) return 'lost'
    if (length(without(spans, may)) >= MIN_MILLISECONDS) return 'invented'
    // A card offers a session that goes on. On the device that runs it, it is the timer.
    if (length(asked) - length(without(asked, spans)) >= MIN_MILLISECONDS) return 'asked twice'
  }
  // The question about a running timer comes when it is saved.
  const { afterStop } = ending
  const isOver = afterStop ? isDoubled(afterStop, countedIn(afterStop)) : isDoubled(ending, counted)
  if (isOver) return 'doubled'
  const known = new Set(expected.map(({ sessionId }) => sessionId))
  return counted.every(({ sessionId }) => known.has(sessionId)) ? null : 'invented'
}

/** Returns the span of the saved entry after its edits, of which the last one counts. */
function editedSpan({ pressed }: Ending, { sessionId, startedAt, endedAt }: TimeEntry) {
  const start = lastEdit(pressed)?.startedAt ?? startedAt
  const span = [{ start, end: endedAt }]
  return { sessionId: sessionId ?? '', must: span, may: span }
}

function lastEdit(pressed: readonly Pressed[]) {
  const edits = pressed.flatMap(({ press, hasEntry }) =>
    press.action === 'edit' && hasEntry ? press : [],
  )
  return edits.at(-1)
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
    ...entries.map((entry) => ({
      id: entry.id,
      sessionId: entry.sessionId ?? entry.id,
      spans: without([{ start: entry.startedAt, end: entry.endedAt }], entry.pauses.intervals),
    })),
    ...sessions.flatMap(({ id, state }) =>
      state.kind === 'active'
        ? [{ id, sessionId: id, spans: workOn(state.timer, ending.now) }]
        : [],
    ),
  ]
}

/** Returns the intervals about which the devices ask the owner of a session. All of them ask alike. */
function questionsIn({ clients }: Ending, sessionId: string): readonly Interval[] {
  const questions = clients.flatMap(askedBy).filter((each) => each.sessionId === sessionId)
  return union(questions.flatMap(({ spans }) => spans))
}

/** Returns the intervals of a session that devices offer on cards. */
function cardsIn({ clients, now }: Ending, sessionId: string): readonly Interval[] {
  const cards = clients.flatMap(unfinishedIn).filter(({ id }) => id === sessionId)
  return union(
    cards.flatMap(({ state }) => (state.kind === 'stopped' ? [] : workOn(state.timer, now))),
  )
}

function isDoubled({ clients }: Ending, counted: readonly Counted[]): boolean {
  const asked = clients.flatMap(({ values }) =>
    values.flatMap((value) => (value.key === 'overlaps' ? value.pairs : [])),
  )
  return counted.some((one, index) =>
    counted.slice(index + 1).some((other) => {
      const both = [...one.spans, ...other.spans]
      const shared = length(both) - length(union(both))
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
  const values = ending.clients.flatMap((client) => client.values)
  const isThere = workedBy(running, ending)
    .filter(({ isOpen }) => isOpen)
    .every(
      ({ sessionId }) =>
        ending.sessions.some(({ $id }) => $id === sessionId) ||
        values.some((value) => isSaid(value, sessionId)),
    )
  return isThere ? null : 'vanished'
}

/** Returns whether a banner offers to continue a session, or its owner is asked about it. */
function isSaid(value: Value, id: string): boolean {
  if (value.key === 'banner') return value.action !== null
  if (value.key === 'unfinished') return value.sessions.some((session) => session.id === id)
  return value.key === 'asked' && value.questions.some(({ sessionId }) => sessionId === id)
}

/**
 * Returns a violation unless the entry has its last note, each split has made a part of it, and a
 * deleted task is deleted.
 */
function wrongParts(ending: Ending, saved: TimeEntry): string | null {
  const { pressed, tasks } = ending
  for (const { press } of pressed) {
    if (press.action === 'delete task') {
      const task = tasks.find(({ $id }) => $id === press.taskId)
      if (task?.['isActive'] !== false) return 'task not deleted'
    }
  }
  const parts = keptEntries(ending).filter((entry) => entry['sessionId'] === saved.sessionId)
  const splits = pressed.filter(({ press, hasEntry }) => press.action === 'split' && hasEntry)
  if (parts.length !== splits.length + 1) return 'part lost'
  const note = lastEdit(pressed)?.note ?? NEW_ENTRY.note
  return parts.find(({ $id }) => $id === saved.id)?.['note'] === note ? null : 'note lost'
}
