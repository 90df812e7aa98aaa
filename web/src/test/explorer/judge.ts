/**
 * The rules that hold for every ending, and the seconds that a scenario expects of each session.
 */
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { elapsedSeconds } from '@stint/core/timer/timer.ts'
import { RESTORE_WINDOW_MILLISECONDS } from '@stint/core/record/timer-session.ts'

import type { StandInDocument } from '../stand-in-server.ts'
import type { Ending } from './scenario.ts'
import { askedBy, cardsOf, timerOf, unsentIn } from './storage.ts'

/** The expectations of a scenario with known sessions. */
export interface Promised {
  /** The seconds that each session's entry may have, by session id. */
  readonly seconds: Readonly<Record<string, readonly number[]>>
  /** A further condition of the ending. Returns the violation, or null. */
  readonly check?: (ending: Ending) => string | null
}

/** Returns a judge of scenarios with few sessions, whose seconds can be listed. */
export function promising({ seconds, check }: Promised): (ending: Ending) => string | null {
  return (ending) =>
    unrest(ending) ??
    wrongStop(ending) ??
    wrongSeconds(ending, seconds) ??
    disagreement(ending) ??
    check?.(ending) ??
    null
}

/** Returns the entries that were not deleted. */
export function keptEntries({ entries }: Ending): readonly StandInDocument[] {
  return entries.filter((entry) => entry['deletedAt'] === null)
}

/** Returns a violation when something is unsent or never settles. */
export function unrest({ clients, isSettled }: Ending): string | null {
  if (clients.some((client) => unsentIn(client).length > 0)) return 'unsent'
  return isSettled ? null : 'unsettled'
}

/** Returns a violation unless every stopped session is saved and removed. */
function wrongStop(ending: Ending): string | null {
  const kept = keptEntries(ending)
  for (const [sessionId, shown] of Object.entries(stoppedSeconds(ending))) {
    const isWorth = shown.every((seconds) => seconds > 0)
    const isSaved = kept.some((entry) => entry['sessionId'] === sessionId)
    if (isWorth && !isSaved && !isAsked(ending, sessionId)) return 'lost'
    if (ending.sessions.some((session) => session.$id === sessionId)) return 'orphan'
  }
  return null
}

/** Returns whether the owner is asked about a session, as after a start that failed. */
function isAsked({ clients }: Ending, sessionId: string): boolean {
  return clients.some((client) => askedBy(client).some((each) => each.sessionId === sessionId))
}

/** Returns the seconds on each timer when Stop was pressed, by session id. */
function stoppedSeconds({ pressed }: Ending): Record<string, number[]> {
  const stopped: Record<string, number[]> = {}
  for (const { press, timer } of pressed) {
    if (press.action !== 'stop' || !timer) continue
    const { sessionId } = timer
    stopped[sessionId] = [...(stopped[sessionId] ?? []), elapsedSeconds(timer, press.at)]
  }
  return stopped
}

function wrongSeconds(ending: Ending, promised: Promised['seconds']): string | null {
  const kept = keptEntries(ending)
  for (const entry of kept) {
    const sessionId = String(entry['sessionId'])
    if (kept.filter((each) => each['sessionId'] === sessionId).length > 1) return 'duplicate'
    const seconds = promised[sessionId] ?? []
    if (!seconds.includes(Number(entry['durationSeconds']))) return 'wrong seconds'
  }
  return null
}

/** Returns a violation unless every client shows exactly what the server has. */
export function disagreement(ending: Ending): string | null {
  return sessionsDisagree(ending) ?? recordsDisagree(ending) ?? questionsDisagree(ending)
}

function questionsDisagree({ clients }: Ending): string | null {
  const asked = clients.map((client) =>
    JSON.stringify(askedBy(client).toSorted((a, b) => byText(a.sessionId, b.sessionId))),
  )
  return new Set(asked).size > 1 ? 'asked differently' : null
}

function sessionsDisagree(ending: Ending): string | null {
  const { sessions, clients } = ending
  for (const session of sessions) {
    if (session['endTime'] !== null) return 'orphan'
    const isActive = session['isRunning'] === true || session['isPaused'] === true
    const isShown = clients.map((client) => timerOf(client)?.sessionId === session.$id)
    const isOffered = clients.map((client) => cardsOf(client).includes(session.$id))
    if (!isShown.every((shown, client) => shown || isOffered[client])) return 'lost from sight'
    // The client on which the timer runs continues it. On the others a timer of a deleted task is a
    // card. One of some hours is a card on the others in any case, also when one of them has put it aside.
    const isAlike = isShown.every((shown) => shown === isShown[0])
    const isSame = isActive ? isAlike || !isTaskActive(session, ending) : !isShown.some(Boolean)
    if (!isSame && isRecent(session, ending)) return 'disagreement'
  }
  const shown = clients.flatMap((client) => timerOf(client)?.sessionId ?? [])
  const ids = sessions.map(({ $id }) => $id)
  return shown.every((id) => ids.includes(id)) ? null : 'ghost'
}

function isTaskActive(session: StandInDocument, { tasks }: Ending): boolean {
  return tasks.some(({ $id, isActive }) => $id === session['taskId'] && isActive === true)
}

function recordsDisagree({ clients, entries, tasks }: Ending): string | null {
  const entriesThere = JSON.stringify(entries.map(entryThere))
  const deletedThere = tasks.flatMap((task) => (task['isActive'] === true ? [] : [task.$id]))
  const isSame = clients.every((client) => {
    const deletedHere = client.tasks.flatMap(({ id, isActive }) => (isActive ? [] : [id]))
    return (
      JSON.stringify(client.entries.map(entryHere)) === entriesThere &&
      deletedHere.toSorted(byText).join(' ') === deletedThere.toSorted(byText).join(' ')
    )
  })
  return isSame ? null : 'disagreement'
}

/** Returns whether the session was created within the 4 hours in which every client restores it. */
function isRecent(session: StandInDocument, { now }: Ending): boolean {
  return now - Date.parse(session.$createdAt) <= RESTORE_WINDOW_MILLISECONDS
}

function instant(text: unknown): number | null {
  return typeof text === 'string' ? Date.parse(text) : null
}

function entryThere(entry: StandInDocument): readonly unknown[] {
  const { $id, taskId, startTime, endTime, durationSeconds, note, deletedAt } = entry
  return [
    $id,
    taskId,
    instant(startTime),
    instant(endTime),
    durationSeconds,
    note,
    instant(deletedAt),
  ]
}

function entryHere(entry: TimeEntry): readonly unknown[] {
  const { id, taskId, startedAt, endedAt, durationSeconds, note, deletedAt } = entry
  return [id, taskId, startedAt, endedAt, durationSeconds, note, deletedAt]
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1
}
