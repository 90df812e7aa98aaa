/** What devices of tests show, as texts like 'write 0-60 (10-20), read 60-now, asks 20-30': minutes after nine. */
import { isFields } from '#guards.ts'
import type { Interval } from '#time/instant.ts'

import { MINUTE, NINE } from './devices.ts'
import type { TestDevice } from './devices.ts'

/** Returns what a device shows, what it still has to send, and what the backend has. */
export function stateOf({ view, questions, timer, backend }: TestDevice) {
  const unfinished = view.value('unfinished')?.sessions ?? []
  const unsent = view.sessions.all().filter(({ base, log }) => base?.log !== log)
  // The backend of tests has no tasks.
  const edits = view.edits.all().filter(({ kind }) => kind === 'entry')
  return {
    timer: timer ?? null,
    unfinished: unfinished.map(({ id }) => id).toSorted(),
    entries: view.entries.all().toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    questions: questions.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1)),
    unsent: [...unsent, ...edits],
    there: [...backend.entries.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  }
}

const minutesOf = (instant: number): number => (instant - NINE) / MINUTE
const spanOf = ({ start, end }: Interval) => `${minutesOf(start)}-${minutesOf(end)}`
const pausesOf = (pauses: readonly Interval[]) =>
  pauses.length > 0 ? ` (${pauses.map(spanOf).join(' ')})` : ''

/**
 * Returns what a device shows: the entries that count with their pauses and notes, in order of their starts,
 * then the timer, then what the owner is asked.
 */
export function shown({ view, timer, questions }: TestDevice): string {
  const entries = view.entries
    .all()
    .filter(({ deletedAt }) => deletedAt === null)
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
    .map(({ taskId, startedAt, endedAt, pauses, note }) => {
      const times = spanOf({ start: startedAt, end: endedAt }) + pausesOf(pauses.intervals)
      return `${taskId} ${times}${note === null ? '' : ` '${note}'`}`
    })
  if (timer) {
    const { taskId, startedAt, pauses, note } = timer
    const end = timer.status === 'paused' ? `${minutesOf(timer.pausedAt)} paused` : 'now'
    const times = `${minutesOf(startedAt)}-${end}${pausesOf(pauses.intervals)}`
    entries.push(`${taskId} ${times}${note === undefined ? '' : ` '${note}'`}`)
  }
  const spans = questions.flatMap((question) => question.spans)
  const asked = spans.toSorted((a, b) => a.start - b.start).map((span) => `asks ${spanOf(span)}`)
  return [...entries, ...asked].join(', ')
}

/** Returns what all of these devices show. Throws where they differ. */
export function agreed(device: TestDevice, ...others: readonly TestDevice[]): string {
  const lines = linesOf(device)
  for (const other of others) {
    const differing = linesOf(other).filter((line, index) => line !== lines[index])
    if (differing.length > 0) throw new Error(`The devices differ: ${differing.join('')}`)
  }
  return shown(device)
}

function linesOf(device: TestDevice): readonly string[] {
  return JSON.stringify(stateOf(device), sorted, 1).split('\n')
}

function sorted(_: string, value: unknown): unknown {
  if (!isFields(value)) return value
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields)
}
