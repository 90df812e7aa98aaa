/**
 * A timer session with its log (docs/log.md): how it is read, and how a press on it is stored. A press appends
 * events, and the documents get what the log then means, all in one transaction. Each write is a device of its own
 * that has heard of everything stored.
 */
import type { DocumentOf } from '@stint/core/collections.ts'
import { logOfSession, logOfSessionDocument } from '@stint/core/log/adopt-session.ts'
import { encodeLog } from '@stint/core/log/codec.ts'
import { entriesOf, entryIdsOf, logOfEntryDocument, readLog } from '@stint/core/log/documents.ts'
import { appended } from '@stint/core/log/edit.ts'
import type { Action, Log } from '@stint/core/log/event.ts'
import { foldState } from '@stint/core/log/fold.ts'
import { join } from '@stint/core/log/join.ts'
import { nextEvent } from '@stint/core/log/order.ts'
import { projectionOf } from '@stint/core/log/projection.ts'
import type { Projection } from '@stint/core/log/projection.ts'
import {
  entryAttributes,
  entryFromDocument,
  stoppedFromEntry,
} from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import {
  newSessionAttributes,
  sessionFromDocument,
  stopAttributes,
  timerAttributes,
} from '@stint/core/record/timer-session.ts'
import { withNote } from '@stint/core/timer/timer.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'
import type { OwnDocuments } from '#documents/service.ts'
import { newWriter } from '#id.ts'
import type { Person } from './person.ts'

/** A session as a transaction has read it. */
export interface LoggedSession {
  readonly id: string
  /** Epoch milliseconds. */
  readonly updatedAt: number
  /** Whether its document says that it has ended, and waits to be deleted. */
  readonly isStopped: boolean
  /** Whether none of its documents has a log yet. */
  readonly isPlain: boolean
  /** Everything that is stored of it, with what its fields say beyond it. */
  readonly log: Log
  /** Those of its entries that there are, by id. */
  readonly entries: ReadonlyMap<string, TimeEntry>
  /**
   * Whether its documents keep the logs that they have: a later version wrote one, or it is too long. As where a log
   * has no room for another event, a press then changes the fields alone, which devices take in as an edit, and a
   * device saves what was stopped.
   */
  readonly keepsLogs: boolean
}

/** An action to append, and when it takes effect, in epoch milliseconds. */
export interface Press {
  readonly action: Action
  readonly at: number
}

/** The longest log that a press reads, in events: folding it costs 30 ms at most (call-cost.test.ts). */
export const MAX_EVENTS = 150

/** The largest attributes of a document with a log, in bytes of JSON: a request has 64 KiB. */
const MAX_ATTRIBUTES = 65_000

/** Reads what is stored of a session. */
export async function readSession(
  own: OwnDocuments,
  document: DocumentOf<'timer_sessions'>,
): Promise<LoggedSession> {
  const session = sessionFromDocument(document)
  const { id, updatedAt } = session
  const isStopped = session.state.kind === 'stopped'
  const entries = new Map<string, TimeEntry>()
  const root = await findEntry(id)
  const isRead = canRead(session.log) && (!root || canRead(root.log))
  const log = isRead ? await unitedLog() : []
  // Without its begin, as after a restored backup, a log waits for the device that has it.
  const keepsLogs = log.length > MAX_EVENTS || foldState(log) === null
  const isPlain = session.log === null && root === undefined
  const read = { id, updatedAt, isStopped, isPlain, entries, keepsLogs }
  return { ...read, log: keepsLogs ? logOfSession(session) : log }

  async function unitedLog(): Promise<Log> {
    const known = logOfSessionDocument(session)
    if (!root) return known
    for (const each of entryIdsOf(id, join(known, readLog(root.log) ?? []))) await findEntry(each)
    return join(
      known,
      logOfEntryDocument(root, known, (each) => entries.get(each)),
    )
  }

  async function findEntry(entryId: string): Promise<TimeEntry | undefined> {
    const found = entries.has(entryId) ? undefined : await own.find('time_entries', entryId)
    if (found) entries.set(entryId, entryFromDocument(found))
    return entries.get(entryId)
  }
}

function canRead(text: string | null): boolean {
  return text === null || (readLog(text)?.length ?? Infinity) <= MAX_EVENTS
}

/** Returns the timer of a session; null: it has ended. */
export function timerOf(session: Pick<LoggedSession, 'id' | 'log'>): ActiveTimer | null {
  return meaningOf(session)?.session?.timer ?? null
}

function meaningOf({ id, log }: Pick<LoggedSession, 'id' | 'log'>): Projection | null {
  const state = foldState(log)
  return state && projectionOf(id, state)
}

/** Returns a session with further events, all of one writer. */
export function pressed(
  session: LoggedSession,
  presses: readonly Press[],
  now: number,
): LoggedSession {
  const by = { device: newWriter(), now }
  const log = presses.reduce((so, { action, at }) => appended(so, by, action, at), session.log)
  return { ...session, log }
}

/**
 * Creates the session of a timer that begins. Returns the timer.
 * @param before the log of the session that its start has ended, after which it comes.
 */
export async function createSession(
  own: OwnDocuments,
  { owner, device, now }: Person,
  id: string,
  begin: { readonly task: string; readonly note: string | null; readonly at: number },
  before: Log = [],
): Promise<ActiveTimer> {
  const { task, note, at } = begin
  const action = { kind: 'start', task, note: note || null, deviceName: device } as const
  const log = [nextEvent([], newWriter(), { action, at, now }, before.at(-1)?.stamp)]
  const timer = timerOf({ id, log })
  if (timer === null) throw new Error('A start begins a timer')
  const attributes = newSessionAttributes(timer, encodeLog(log), { userId: owner, device })
  await own.create('timer_sessions', id, attributes)
  return timer
}

/** Writes a session that goes on. Returns its timer. */
export async function writeActive(own: OwnDocuments, session: LoggedSession): Promise<ActiveTimer> {
  const timer = timerOf(session)
  if (timer === null) throw new Error('The session has ended')
  await update(own, session, timerAttributes(timer, encodeLog(session.log)))
  return timer
}

/**
 * Writes a session that has ended: marks it as stopped, saves its entries, and deletes it. Without a second of work
 * a deleted entry stays, from which devices that show the timer hear of its end.
 * @returns the entry of its first part; null: it is deleted.
 */
export async function writeEnded(
  own: OwnDocuments,
  { owner, now }: Pick<Person, 'owner' | 'now'>,
  session: LoggedSession,
): Promise<TimeEntry | null> {
  const { id, log, entries: known } = session
  const projection = meaningOf(session)
  if (projection === null || projection.session !== null) throw new Error('The session goes on')
  const text = encodeLog(log)
  const entries = entriesOf({ id, log, text, projection, now }, (each) => known.get(each))
  const root = entries.find((each) => each.id === id)
  if (!root) throw new Error('The first part has the id of its session')
  if (!session.isStopped) {
    const stopped = withNote(stoppedFromEntry(root), root.note)
    await update(own, session, stopAttributes(stopped, text))
  }
  const isLogged = !session.keepsLogs && hasRoom(entryAttributes(root, owner))
  if (isLogged || session.isPlain) {
    for (const entry of entries) {
      const attributes = entryAttributes(isLogged ? entry : { ...entry, log: null }, owner)
      const before = known.get(entry.id)
      if (before) await own.update('time_entries', entry.id, attributes, before.updatedAt)
      else await own.create('time_entries', entry.id, attributes)
    }
    await own.delete('timer_sessions', id)
  }
  return root.deletedAt === null ? root : null
}

/** Writes attributes of a session, with its log unless it keeps the one that it has. */
async function update(
  own: OwnDocuments,
  { id, updatedAt, keepsLogs }: LoggedSession,
  attributes: { readonly log?: string | null | undefined },
): Promise<void> {
  const { log: _log, ...fields } = attributes
  const isLogged = !keepsLogs && hasRoom(attributes)
  await own.update('timer_sessions', id, isLogged ? attributes : fields, updatedAt)
}

/** Returns whether a document with these attributes is so small that a device can send it as well. */
function hasRoom(attributes: object): boolean {
  return Buffer.byteLength(JSON.stringify(attributes)) <= MAX_ATTRIBUTES
}
