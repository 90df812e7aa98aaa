/** The documents of a session: what they say when they are read, and what is written of a log. */
import { ENTRY, isUnconfirmed } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'

import { logOfEntry, withFound } from './adopt.ts'
import { decodeLog } from './codec.ts'
import { eventsOf, idOf } from './event.ts'
import type { Log } from './event.ts'
import { foldState } from './fold.ts'
import { entryIdOf, projectionOf } from './projection.ts'
import type { ProjectedEntry, Projection } from './projection.ts'
import { isSeal, isSealBroken, sealed } from './seal.ts'

type Find = (id: string) => TimeEntry | undefined

/** The logs that were read last, by their texts, because each press looks at those of all sessions. */
const read = new Map<string, Log | null>()
let readCharacters = 0
const MAX_READ_CHARACTERS = 200_000

/** Returns the events in the text of a log, or null when this version cannot read it. */
export function readLog(text: string | null): Log | null {
  if (text === null) return null
  const known = read.get(text)
  if (known !== undefined) return known
  const decoded = decodeLog(text)
  const log = decoded.kind === 'log' ? decoded.log : null
  readCharacters += text.length
  if (readCharacters > MAX_READ_CHARACTERS) {
    read.clear()
    readCharacters = text.length
  }
  read.set(text, log)
  return log
}

/** Returns whether a document has a log that this version cannot read. It is never written over. */
export function isUnreadable(text: string | null): boolean {
  return text !== null && !isSeal(text) && readLog(text) === null
}

/** Returns the id of the session that an entry is a part of. */
export function rootOf({ id, sessionId, log }: TimeEntry): string {
  return isSeal(log) ? (sessionId ?? id) : id
}

/**
 * Returns the log of the entry with the id of a session, with what its fields and those of the other parts say
 * beyond it. `known` is the log of the session, for an entry that a client without logs has saved.
 */
export function logOfEntryDocument(entry: TimeEntry, known: Log, find: Find): Log {
  const { id } = entry
  const own = readLog(entry.log)
  if (!own && known.length === 0) return logOfEntry(entry)
  // While the session goes on, its entry is marked as deleted.
  const goesOn = isUnreadable(entry.log) && entry.deletedAt !== null && foldState(known)?.timer
  if (!own) return goesOn ? known : withFound(known, id, entry)
  const folded = foldState(own)
  if (!folded) return own
  const { entries } = projectionOf(id, folded)
  const root = entries.find((each) => each.id === id)
  const isFound = root ? differs(root, entry) : entry.deletedAt === null
  const others = entries.filter((each) => each !== root).flatMap((each) => find(each.id) ?? [])
  const found = [...(isFound ? [entry] : []), ...others.filter(isSealBroken)]
  return found.reduce((log, each) => withFound(log, id, each), own)
}

/** Returns whether the fields of an entry are other than those that its log means. */
function differs(projected: ProjectedEntry, entry: TimeEntry): boolean {
  const { createdAt, updatedAt, log } = entry
  return ENTRY.differing({ ...asSaved(projected), createdAt, updatedAt, log }, entry).length > 0
}

/** Returns an entry as it is saved: one with no second of work counts as deleted. */
function asSaved(projected: ProjectedEntry): ProjectedEntry {
  const { durationSeconds, deletedAt, endedAt, entryType } = projected
  const isEmpty = durationSeconds === 0 && entryType === 'timer'
  return isEmpty ? { ...projected, deletedAt: deletedAt ?? endedAt } : projected
}

/**
 * Returns the entries that are to be written for a session, deleted ones included: the first part has the text of
 * the log, the others a seal. What a stop or a cut has left that does not count any more is deleted.
 *
 * @param find returns what is known of an entry: `entryIdsOf` names those that there may be
 */
export function entriesOf(
  { id, log, text, projection, now }: Written,
  find: Find,
): readonly TimeEntry[] {
  const { entries } = projection
  const withLog = (entry: TimeEntry) => (entry.id === id ? { ...entry, log: text } : sealed(entry))
  const wanted = entries.map(asSaved).map((each) => {
    const known = find(each.id)
    // What the backend has not confirmed stays as old as its end, wherever that moves.
    const createdAt = known && !isUnconfirmed(known) ? known.createdAt : each.endedAt
    return withLog({ ...each, createdAt, updatedAt: known ? now : each.endedAt, log: null })
  })
  const living = new Set(entries.map((each) => each.id))
  const deleted = entryIdsOf(id, log).flatMap((each) => {
    const known = living.has(each) ? undefined : find(each)
    return known?.deletedAt === null ? withLog({ ...known, deletedAt: now }) : []
  })
  return [...wanted, ...deleted]
}
interface Written {
  readonly id: string
  readonly log: Log
  readonly text: string
  readonly projection: Projection
  readonly now: number
}

/** Returns the ids of all entries that events of a session may have made. */
export function entryIdsOf(id: string, log: Log): readonly string[] {
  const making = eventsOf(log, 'cut', 'count').filter(({ action }) => {
    return action.kind === 'cut' || (action.isWork && action.boundary === null)
  })
  return [id, ...making.map((event) => entryIdOf(id, idOf(event)))]
}
