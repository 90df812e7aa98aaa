/** What is on the server after a seeded walk, as stretches of time, and which presses it has. */
import type { APIRequestContext } from '@playwright/test'

import { eventsIn } from '../web/src/test/simulation/heard.ts'
import type { Heard } from '../web/src/test/simulation/heard.ts'
import { length, without } from '../web/src/test/simulation/spans.ts'
import type { Span } from '../web/src/test/simulation/spans.ts'
import { listDocuments } from './backend.ts'
import type { StoredDocument } from './backend.ts'
import type { RunningServer } from './server.ts'

/** An entry that is not deleted, or a session that has not become one. */
export interface Row extends Span {
  readonly id: string
  readonly task: string
  readonly note: string
  /** Without the pauses. */
  readonly spans: readonly Span[]
  /** Of an entry what it says itself. */
  readonly seconds: number
  /** Of a session that has not ended. */
  readonly isRunning: boolean | null
}

/** A press in the log of a session, also of one that is deleted. */
export interface StoredPress extends Heard {
  readonly task: string
}

export interface Stored {
  readonly rows: readonly Row[]
  readonly presses: readonly StoredPress[]
}

const MAX_ROWS = 5000

/** Reads all rows with the presses in their logs; `names` are the tasks' by their ids. */
export async function readStored(
  request: APIRequestContext,
  server: RunningServer,
  names: ReadonlyMap<string, string>,
): Promise<Stored> {
  // Sessions first: one that becomes an entry in between is there twice rather than not at all.
  const sessions = await listDocuments(request, server.url, 'timer_sessions', MAX_ROWS)
  const entries = await listDocuments(request, server.url, 'time_entries', MAX_ROWS)
  // A timer whose stop was undone goes on, beside the deleted entry of that stop.
  const kept = entries.filter((entry) => entry['deletedAt'] === null)
  const saved = new Set(kept.map(({ $id }) => $id))
  const rows = [
    ...kept.map((entry) => rowOf(entry)),
    ...sessions.filter(({ $id }) => !saved.has($id)).map((session) => rowOf(session)),
  ]
  return { rows, presses: [...sessions, ...entries].flatMap(pressesOf) }

  function pressesOf({ $id, taskId, log }: StoredDocument): StoredPress[] {
    const events = eventsIn($id, typeof log === 'string' ? log : null)
    return events.map((event) => ({ ...event, task: nameOf(taskId) }))
  }

  function nameOf(taskId: unknown): string {
    return names.get(String(taskId)) ?? String(taskId)
  }

  function rowOf(document: StoredDocument): Row {
    const { $id: id, taskId, note, durationSeconds, startTime, endTime } = document
    const start = instant(startTime)
    const end = endTime === null ? Date.now() : instant(endTime)
    const spans = without([{ start, end }], pausesOf(document))
    return {
      id,
      task: nameOf(taskId),
      note: typeof note === 'string' ? note : '',
      start,
      end,
      spans,
      seconds: endTime === null ? length(spans) / 1000 : Number(durationSeconds),
      isRunning: endTime === null ? document['isRunning'] === true : null,
    }
  }
}

function pausesOf({ pauses, currentPauseStart }: StoredDocument): Span[] {
  const stored: unknown = typeof pauses === 'string' && pauses !== '' ? JSON.parse(pauses) : []
  const closed = (Array.isArray(stored) ? stored : []).map((pair: unknown) => {
    const [start, end] = Array.isArray(pair) ? pair : []
    return { start: instant(start), end: instant(end) }
  })
  const open = typeof currentPauseStart === 'string' ? [instant(currentPauseStart)] : []
  return [...closed, ...open.map((start) => ({ start, end: Infinity }))]
}

function instant(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}
