/** What devices of tests show. Instants are minutes after nine. */
import type { Interval } from '#time/instant.ts'

import { MINUTE, NINE } from './devices.ts'
import type { TestDevice } from './devices.ts'

/** Returns what a device shows, what it still has to send, and what the backend has. */
export function stateOf({ view, questions, timer, backend }: TestDevice) {
  return {
    timer: timer ?? null,
    unfinished:
      view
        .value('unfinished')
        ?.sessions.map(({ id }) => id)
        .toSorted() ?? [],
    entries: view.entries.all().toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    questions: questions.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1)),
    unsent: [
      ...view.sessions.all().filter(({ base, log }) => base?.log !== log),
      ...view.edits.all(),
    ],
    there: [...backend.entries.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  }
}

/** Returns the minutes after nine of an instant. */
export const minutesOf = (instant: number): number => (instant - NINE) / MINUTE

const spansOf = (pauses: readonly Interval[]) =>
  pauses.map(({ start, end }) => [minutesOf(start), minutesOf(end)])

/** Returns what counts: of each entry, and of the timer, the task, the minutes, and those of its pauses. */
export function counted({ view, timer }: TestDevice): readonly (readonly unknown[])[] {
  const entries = view.entries
    .all()
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(({ taskId, startedAt, endedAt, pauses }) => [
      taskId,
      minutesOf(startedAt),
      minutesOf(endedAt),
      spansOf(pauses.intervals),
    ])
  if (!timer) return entries
  const { taskId, startedAt, pauses } = timer
  const end = timer.status === 'paused' ? `paused ${minutesOf(timer.pausedAt)}` : 'running'
  return [...entries, [taskId, minutesOf(startedAt), end, spansOf(pauses.intervals)]]
}

/** Returns what the owner is asked: the minutes of each span. */
export function askedOf({ questions }: TestDevice): readonly (readonly number[])[] {
  return questions
    .flatMap(({ spans }) => spansOf(spans))
    .toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
}
