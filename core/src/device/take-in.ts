/**
 * Takes in what the backend has, also after it was restored from a backup. Tasks and settings are rebased part by
 * part (docs/decisions/0014-edits-to-a-base.md). Logs are united with what is known here, and what the backend then
 * lacks is sent (docs/log.md).
 */
import { logOfSessionDocument, withFoundSession } from '#log/adopt-session.ts'
import { withFound } from '#log/adopt.ts'
import { encodeLog } from '#log/codec.ts'
import { isKept, isSurelyKept } from '#log/compact.ts'
import {
  entriesOf,
  entryIdsOf,
  isUnreadable,
  logOfEntryDocument,
  readLog,
  rootOf,
} from '#log/documents.ts'
import { eventsOf, idOf, isOf } from '#log/event.ts'
import type { Log } from '#log/event.ts'
import { foldSession, MIN_SHOWED_MILLISECONDS } from '#log/asked.ts'
import { foldState, mayAsk } from '#log/fold.ts'
import { join, missingIn } from '#log/join.ts'
import {
  compareEvents,
  compareStamps,
  hadHeardOf,
  nextEvent,
  stampAfter,
  withHeard,
} from '#log/order.ts'
import { projectionOf } from '#log/projection.ts'
import { isSeal, isSealBroken } from '#log/seal.ts'
import { without } from '#log/spans.ts'
import { answered, isOlder, rebase } from '#record/rebase.ts'
import type { Parts } from '#record/unsent.ts'
import { ENTRY } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { wentBack } from '#record/went-back.ts'
import { clipIntervals, totalMilliseconds } from '#time/instant.ts'

import { awakeUntil } from './awake.ts'
import type { Draft } from './draft.ts'
import { keep, RULES } from './edits.ts'
import { isNews, noteOverlaps } from './overlap-pairs.ts'
import { compareAgain, isCreatedAgain } from './restored-backend.ts'
import { noteAsked } from './note-asked.ts'
import { isUntried, logOf, newSession, settle } from './session-log.ts'
import { showTimers } from './shown-timer.ts'
import type { Editable, Kind } from './stored.ts'

/** Takes in a task, an entry or the settings from a pull or an event, which may arrive late. */
export function takeIn<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  remote: Editable[K],
): void {
  const { parts, get, put } = RULES[kind]
  const edit = draft.edit(kind, id)
  const here = get(draft, id)
  const known = edit ? edit.base : (here ?? null)
  if (known !== null && isOlder(parts, remote, known)) return
  if (known !== null && isCreatedAgain(parts, remote, known)) compareAgain(draft, kind)
  const isNew = !edit && here === undefined
  if (isEntry(remote) && isNew && isPlain(draft, remote)) return put(draft, id, remote)
  if (isEntry(remote) && isLogged(draft, remote)) return takeInLogged(draft, remote)
  if (edit && here !== undefined) return keep(draft, edit, rebase(parts, edit, here, remote))
  if (here === undefined || isChanged(parts, here, remote)) put(draft, id, remote)
}

/** Returns whether the backend has another state of a thing. Putting the same one again would cost time. */
function isChanged<T>(parts: Parts<T>, here: T, remote: T): boolean {
  const [one, other] = [parts.stamps(here), parts.stamps(remote)]
  const isStamped = one?.createdAt === other?.createdAt && one?.updatedAt === other?.updatedAt
  return !isStamped || parts.differing(here, remote).length > 0
}

/** Takes in the backend's answer to a sent thing. Later local changes stay. */
export function takeAnswer<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  answer: Editable[K],
): void {
  const { parts, get } = RULES[kind]
  const edit = draft.edit(kind, id)
  const here = get(draft, id)
  const hasLog = [answer, here].some((each) => each && isEntry(each) && each.log !== null)
  const isFirst = kind === 'entry' && isNews(draft, id)
  // A new thing that already existed came from another device or from an earlier try.
  if (edit?.base && here !== undefined && !hasLog)
    return keep(draft, edit, answered(parts, edit, here, answer))
  takeIn(draft, kind, id, answer)
  const entry = isFirst && draft.entries.get(id)
  if (entry) noteOverlaps(draft, [entry], draft.entries.all())
}

/** Takes in an earlier state of a confirmed thing, or its absence (null). What is here stays and is sent again. */
export function takeInEarlier<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  remote: Editable[K] | null,
): void {
  const { parts, get } = RULES[kind]
  const edit = draft.edit(kind, id)
  const here = get(draft, id)
  if (here === undefined) return
  keep(draft, edit ?? { kind, id }, wentBack(parts, edit ?? null, here, remote))
  if (remote && isEntry(remote) && isLogged(draft, remote)) unite(draft, remote)
}

/** Takes in an entry with a log. If nothing of it is unsent here, the backend's entry replaces the local one. */
function takeInLogged(draft: Draft, remote: TimeEntry): void {
  const { id } = remote
  if (draft.sessions.get(rootOf(remote)) || draft.edit('entry', id)) return unite(draft, remote)
  const known = readLog(draft.entries.get(id)?.log ?? null) ?? []
  const log = remote.log === null ? [] : readLog(remote.log)
  // The backend may have lost events that this device has heard of.
  if (log === null || missingIn(known, log).length === 0) {
    replace(draft, remote, log)
    return settleParts(draft, rootOf(remote))
  }
  compareAgain(draft, 'entry')
  unite(draft, remote)
}

/** Puts an entry as the backend has it. A log that is not needed any more is not kept here. */
function replace(draft: Draft, remote: TimeEntry, log: Log | null): void {
  const { id } = remote
  const isNeeded = log === null || isKept(log, remote.log?.length ?? 0, draft.now)
  const kept = isNeeded ? remote : { ...remote, log: null }
  const here = draft.entries.get(id)
  if (here && !isChanged(ENTRY, here, kept)) return
  draft.entries.put(kept)
  noteAsked(draft, id, log && isNeeded && mayAsk(log) ? foldSession(logOf(draft, id)) : null)
}

/** Settles a saved session if one of its parts here differs from its log, which was not known here before. */
function settleParts(draft: Draft, id: string): void {
  const text = draft.entries.get(id)?.log ?? null
  if (entryIdsOf(id, readLog(text) ?? []).length === 1) return
  const log = logOf(draft, id)
  const folded = foldState(log)
  if (!folded || folded.timer) return
  const find = (each: string) => draft.entries.get(each)
  const projection = projectionOf(id, folded)
  const wanted = entriesOf({ id, log, text: '', projection, now: draft.now }, find)
  const isStale = wanted.some((each) => {
    const here = each.id === id ? undefined : find(each.id)
    return here && !isSealBroken(here) && here.log !== each.log
  })
  if (isStale) settle(draft, id, log)
}

/** Returns whether nothing is known here of the session of an entry, which has nothing to ask. */
function isPlain(draft: Draft, { id, log, updatedAt }: TimeEntry): boolean {
  return log !== null && !draft.sessions.get(id) && isSurelyKept(log, updatedAt, draft.now)
}

/**
 * Returns whether the session of an entry has a log, here or there, that this version can read. A part has none as
 * long as its session is not known here.
 */
function isLogged(draft: Draft, remote: TimeEntry): boolean {
  if (isSeal(remote.log) && logOf(draft, rootOf(remote)).length === 0) return false
  const logs = [remote.log, draft.entries.get(remote.id)?.log ?? null]
  const isReadable = logs.some((log) => log !== null && !isUnreadable(log))
  return isReadable || draft.sessions.get(rootOf(remote)) !== undefined
}

/** Unites an entry of the backend with what is known here of its session. */
function unite(draft: Draft, remote: TimeEntry): void {
  const id = rootOf(remote)
  const known = logOf(draft, id)
  const isPart = isSeal(remote.log)
  const base = draft.edit('entry', id)?.base
  const there = base ?? draft.sessions.get(id)?.base
  let news: Log = []
  if (!isPart && !(base && ENTRY.differing(base, remote).length === 0))
    news = logOfEntryDocument(remote, logThere(there, known), (each) => draft.entries.get(each))
  // A part is what its session says, unless another client has changed it.
  else if (isSealBroken(remote)) news = withFound(known, id, remote)
  setBase(draft, remote)
  uniteLogs(draft, id, news, known)
}

/** Returns the log that the backend had last, or what the session began with, if it cannot be read. */
function logThere(base: { readonly log: string | null } | null | undefined, known: Log): Log {
  const bases = eventsOf(known, 'base')
  return readLog(base?.log ?? null) ?? (bases.length > 0 ? bases : known)
}

/** Records what the backend has of an entry. What differs here is sent. */
function setBase(draft: Draft, remote: TimeEntry): void {
  const { id } = remote
  const edit = draft.edit('entry', id)
  const here = draft.entries.get(id)
  const isSame = !here || isGone(draft, here, remote)
  const unsent = edit ? { ...edit, sent: [] } : null
  const merged = isSame ? { value: remote, unsent: null } : wentBack(ENTRY, unsent, here, remote)
  keep(draft, { ...edit, kind: 'entry', id }, merged)
}

/** Returns whether both say that an entry is deleted whose stop or cut does not count any more. */
function isGone(draft: Draft, here: TimeEntry, remote: TimeEntry): boolean {
  if (here.deletedAt === null || remote.deletedAt === null) return false
  const id = rootOf(here)
  const folded = foldState(logOf(draft, id))
  return folded !== null && projectionOf(id, folded).entries.every((each) => each.id !== here.id)
}

/** Takes in a session of the backend. */
export function takeInSession(draft: Draft, remote: TimerSession): void {
  const { id } = remote
  const session = draft.sessions.get(id) ?? newSession(id)
  const news = newsOf(session.base, remote, logOf(draft, id))
  // What its fields mean is what the backend has, where it has no log.
  draft.sessions.put({ ...session, base: { ...remote, log: remote.log ?? encodeLog(news) } })
  uniteLogs(draft, id, news)
  const united = draft.sessions.get(id)
  // The backend shows the press that its owner waits for. A press after a start is sent next.
  if (united?.awaited && (united.awaited === 'start' || united.base?.log === united.log))
    draft.sessions.put({ ...united, awaited: null })
}

/** Returns the log of a session document, with what its fields say beyond it. */
function newsOf(base: TimerSession | null, remote: TimerSession, known: Log): Log {
  if (known.length === 0 || readLog(remote.log)) return logOfSessionDocument(remote)
  const isChanged = base === null || JSON.stringify(base.state) !== JSON.stringify(remote.state)
  const before = logThere(base, known)
  return isChanged ? withFoundSession(before, remote) : before
}

/** Unites a log with what is known here, and appends what the screen showed, if the news takes it away. */
export function uniteLogs(draft: Draft, id: string, news: Log, known = logOf(draft, id)): void {
  const united = overLastBase(draft, id, join(known, news))
  const showed = united.length > known.length ? showedBefore(draft, id, { known, united }) : []
  if (showed.length > 0) draft.appended.push({ sessionId: id, ids: showed.map(idOf) })
  settle(draft, id, join(united, showed))
  showTimers(draft)
}

/**
 * Returns the events of a session, with the untried ones placed over its last base: the last document without a log.
 * They were made over an earlier base, and would not count.
 */
function overLastBase(draft: Draft, id: string, log: Log): Log {
  const base = eventsOf(log, 'base').at(-1)
  if (!base) return log
  let last = base.stamp
  return log
    .map((event) => {
      const isOver = isOf(event, 'base') || hadHeardOf(event, base)
      if (isOver || !isUntried(draft, id, event)) return event
      const isLater = compareStamps(event.stamp, last) > 0
      last = isLater ? event.stamp : stampAfter([last], event.stamp.milliseconds)
      return { ...event, ...withHeard(event, base), stamp: last }
    })
    .sort(compareEvents)
}

/** Returns an event for the time that the screen showed as running until now, if the united log does not count it. */
function showedBefore(
  draft: Draft,
  id: string,
  { known, united }: { readonly known: Log; readonly united: Log },
): Log {
  const timer = draft.value('timer')?.timer
  if (timer?.sessionId !== id || timer.status !== 'running') return []
  const folded = foldState(united)
  if (folded?.timer && folded.timer.pausedAt === null) return []
  const until = awakeUntil(draft, timer)
  const counted = folded?.timer?.worked ?? folded?.parts.flatMap((part) => part.worked) ?? []
  // With an unconfirmed clock the event is moved later, when it is known whether the device slept.
  const latest = draft.isSure ? until : draft.now
  const shown = clipIntervals(foldState(known)?.timer?.worked ?? [], timer.startedAt, latest)
  // A pause or stop that had heard of all that is known here claims what was shown here as well.
  const isClaimed = missingIn(united, known).some(
    (event) => isOf(event, 'pause', 'stop') && known.every((other) => hadHeardOf(event, other)),
  )
  const open = isClaimed ? without(shown, counted) : shown
  if (totalMilliseconds(open) < MIN_SHOWED_MILLISECONDS) return []
  return [nextEvent(known, draft.writer, { action: { kind: 'showed' }, at: until, now: draft.now })]
}

function isEntry(thing: Editable[Kind]): thing is TimeEntry {
  return 'endedAt' in thing
}
