/**
 * The logs of sessions on this device. A press or an edit appends events to one; what the screen shows and what is
 * sent is what its fold says (docs/log.md).
 */
import { encodeLog } from '#log/codec.ts'
import { entriesOf, isUnreadable, logOfEntryDocument, readLog } from '#log/documents.ts'
import { eventsOf, idOf } from '#log/event.ts'
import type { Action, Log, LogEvent, Stamp } from '#log/event.ts'
import { foldState, mayAsk } from '#log/fold.ts'
import type { SessionState } from '#log/fold.ts'
import { join, missingIn } from '#log/join.ts'
import { compareStamps, nextEvent } from '#log/order.ts'
import { projectionOf } from '#log/projection.ts'
import { isSeal } from '#log/seal.ts'
import type { TimeEntry } from '#record/time-entry.ts'

import type { Draft, View } from './draft.ts'
import { change, changeEntry } from './edits.ts'
import type { LocalSession } from './stored.ts'

/** An action to append. `at` is when it takes effect; without it, now. */
export interface Append {
  readonly action: Action
  readonly at?: number | undefined
}

/** Returns everything that is known here of a session, also what other clients have changed in its fields. */
export function logOf(view: View, id: string): Log {
  const ofSession = readLog(view.sessions.get(id)?.log ?? null) ?? []
  const entry = view.entries.get(id)
  if (!entry) return ofSession
  const ofEntry = logOfEntryDocument(entry, ofSession, (each) => view.entries.get(each))
  return ofSession.length === 0 ? ofEntry : join(ofSession, ofEntry)
}

/** Appends events to the log of a session, and puts what they mean. Returns their ids, for the undo of the step. */
export function append(draft: Draft, id: string, appends: readonly Append[]): readonly string[] {
  const heard = latestStamp(draft)
  const next = (log: Log, { action, at = draft.now }: Append) =>
    join(log, [nextEvent(log, draft.writer, { action, at, now: draft.now }, heard)])
  return extend(draft, id, (log) => appends.reduce(next, log))
}

/** Returns the latest stamp of the sessions here. A press comes after it, so the later of two timers is known. */
function latestStamp({ sessions }: Pick<Draft, 'sessions'>): Stamp | undefined {
  const stamps = sessions.all().flatMap(({ log }) => readLog(log)?.at(-1)?.stamp ?? [])
  return stamps.toSorted(compareStamps).at(-1)
}

/** Appends the events that a function makes of the log of a session. Returns their ids. */
export function extend(draft: Draft, id: string, extended: (log: Log) => Log): readonly string[] {
  const before = logOf(draft, id)
  const after = extended(before)
  const ids = missingIn(after, before).map(idOf)
  if (ids.length === 0) return ids
  draft.appended.push({ sessionId: id, ids })
  settle(draft, id, after)
  return ids
}

/**
 * Puts the log of a session and what it means: the session while it is active, its entries when it has ended. What
 * differs from the backend is sent. note-asked.ts notes what its owner is asked.
 */
export function settle(draft: Draft, id: string, log: Log): void {
  const text = encodeLog(log)
  const known = draft.sessions.get(id)
  const folded = foldState(log)
  const projection = folded && projectionOf(id, folded)
  draft.settled.add(id)
  // Without an event that begins it, a session waits for the device that has that event.
  const isActive = projection === null || projection.session !== null
  const session = { ...(known ?? newSession(id)), log: text }
  const isPressedHere = log.some(({ device }) => device === draft.writer)
  const tried = isPressedHere ? { [draft.writer]: 0, ...session.tried } : session.tried
  // A start that has failed may still be tracked offline.
  const isNeeded = session.base ?? (session.isTried || eventsOf(log, 'fail').length > 0)
  if (isActive) draft.sessions.put({ ...session, tried })
  else if (known && isNeeded) draft.sessions.put({ ...session, tried, awaited: null })
  else draft.sessions.remove(id)
  if (projection)
    putEntries(draft, { id, log, text: keptLog(draft, id) ?? text, projection, now: draft.now })
}

/** Returns the log that the backend has of a session, if this version cannot read it: it stays as it is. */
function keptLog(draft: Draft, id: string): string | undefined {
  const documents = [
    draft.edit('entry', id)?.base,
    draft.entries.get(id),
    draft.sessions.get(id)?.base,
  ]
  return documents.flatMap((each) => each?.log ?? []).find(isUnreadable)
}

function putEntries(draft: Draft, settled: Parameters<typeof entriesOf>[0]): void {
  const { id, log } = settled
  for (const entry of entriesOf(settled, (each) => draft.entries.get(each))) {
    const isShared =
      draft.entries.get(entry.id) !== undefined || draft.sessions.get(id) !== undefined
    // A session without work that only this device knows leaves no entry. Exceptions: what left nothing of it may be
    // undone, or a confirmed clock may give it work.
    const isWanted = !draft.isSure || mayAsk(log) || eventsOf(log, 'delete', 'bound').length > 0
    if (entry.deletedAt === null || isShared || isWanted) put(draft, entry)
  }
  // An entry that was deleted before stays deleted, but is sent with the whole log.
  const first = draft.entries.get(id)
  if (first && first.log !== settled.text && draft.edit('entry', id))
    put(draft, { ...first, log: settled.text })
}

/** Puts an entry. A part that only this device knows is removed when its cut is undone. */
function put(draft: Draft, entry: TimeEntry): void {
  if (isSeal(entry.log)) changeEntry(draft, entry)
  else change(draft, 'entry', entry.id, entry)
}

/** Returns whether an event may still change: a page of this browser has made it, and no request has had it. */
export function isUntried(view: View, id: string, event: LogEvent): boolean {
  const { device, seq } = event
  const session = view.sessions.get(id)
  const edit = view.edit('entry', id)
  const tried = session ? session.tried[device] : edit && device === view.writer ? 0 : undefined
  if (tried === undefined || seq <= tried) return false
  const documents = [session?.base, edit?.base, ...(edit?.sent ?? [])]
  const requested = documents.flatMap((each) => readLog(each?.log ?? null) ?? [])
  return !requested.some((each) => idOf(each) === idOf(event))
}

/** Returns a session of which the backend has nothing yet. */
export function newSession(id: string): LocalSession {
  return { id, log: '', base: null, isTried: false, tried: {}, awaited: null, refused: null }
}

/** Returns the state of a session here without its questions, or null when nothing says how it began. */
export function foldOf(session: LocalSession): SessionState | null {
  return foldState(readLog(session.log) ?? [])
}
