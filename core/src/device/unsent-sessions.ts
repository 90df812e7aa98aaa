/** The sessions of which the backend lacks something: what is sent next, and what becomes of it. */
import { encodeLog } from '#log/codec.ts'
import { isUnreadable, readLog, rootOf } from '#log/documents.ts'
import { nextEvent } from '#log/order.ts'
import { projectionOf } from '#log/projection.ts'
import type { Projection } from '#log/projection.ts'
import { idFrom } from '#record/split-id.ts'
import { stoppedFromEntry } from '#record/time-entry.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { withNote } from '#timer/timer.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import { awakeUntil } from './awake.ts'
import type { Draft, View } from './draft.ts'
import { isEditOf, isHeld } from './edits.ts'
import { missingAttributes } from './missing-attributes.ts'
import { foldOf, logOf } from './session-log.ts'
import { showTimers } from './shown-timer.ts'
import type { Edit, LocalSession, Refusal } from './stored.ts'
import { takeInSession, uniteLogs } from './take-in.ts'
import { PAUSE_FAILED, RESUME_FAILED, SAVE_FAILED } from './timer-texts.ts'
import { clearBanner, pressOn, showBanner, stopActive } from './timer.ts'
import { isShown, isUnsent } from './unsaved.ts'
import { refuseEdits } from './unsent-edits.ts'

/** A session as it is to be written. */
export interface UnsentSession {
  readonly session: LocalSession
  /** The text of its log as it is written: one that this version cannot read stays as it is. */
  readonly log: string
  /** The active timer, or null when it has ended and its entries hold it. */
  readonly active: Projection['session']
  /** Whether it is written as neither running nor paused, because the backend has one active session at most. */
  readonly isPutAside: boolean
}

/**
 * Returns the session to send next, or null. The backend refuses a second active one: those that have ended come
 * first, the timer on the screen last. One that has ended waits for entries that were refused.
 */
export function nextSession(view: View): UnsentSession | null {
  const waiting = view.sessions.all().flatMap((session) => {
    if (isHeld(session) || !isUnsent(view, session)) return []
    const unsent = unsentOf(view, session)
    if (!unsent || unsent.active) return unsent ?? []
    const isMarked = session.base === null || session.base.state.kind === 'stopped'
    return isMarked && entryEditsOf(view, session.id).some(isHeld) ? [] : unsent
  })
  const placeOf = (each: UnsentSession) => (each.active ? 2 - Number(each.isPutAside) : 0)
  return waiting.toSorted((a, b) => placeOf(a) - placeOf(b))[0] ?? null
}

function unsentOf(view: View, session: LocalSession): UnsentSession | null {
  const folded = foldOf(session)
  if (!folded) return null
  const there = session.base?.log ?? null
  const log = there !== null && isUnreadable(there) ? there : session.log
  const { session: active } = projectionOf(session.id, folded)
  // Where nothing else is timed, a timer of which the task is gone stays as it is.
  const isOtherTimed =
    view.value('timer') !== undefined ||
    view.sessions.all().some(({ id, base }) => id !== session.id && base?.state.kind === 'active')
  const isAside = active?.kind === 'unclear' || isOtherTimed
  return { session, log, active, isPutAside: isAside && !isShown(view, session) }
}

/** Records that a session is sent: its events never change any more. Returns it, or null when it is gone. */
export function claimSession(draft: Draft, id: string): UnsentSession | null {
  const session = draft.sessions.get(id)
  if (!session) return null
  const own = logOf(draft, id).filter(({ device }) => device in session.tried)
  const last = Object.fromEntries(own.map(({ device, seq }) => [device, seq]))
  const claimed = { ...session, isTried: true, tried: { ...session.tried, ...last } }
  draft.sessions.put(claimed)
  return unsentOf(draft, claimed)
}

/** Returns whether a request with events of the session was made and no answer has shown them since. */
export function isUnanswered({ isTried, tried, base }: LocalSession): boolean {
  const there = readLog(base?.log ?? null) ?? []
  const isThere = Object.entries(tried).every(
    ([name, last]) => last === 0 || there.some(({ device, seq }) => device === name && seq >= last),
  )
  return isTried && !isThere
}

/** Takes in the session with which the backend has answered. `sent` is the log that it was sent. */
export function acknowledgeSession(draft: Draft, answer: TimerSession, sent: string): void {
  // A project without the attribute has what was sent.
  const isKept = missingAttributes(draft, 'timer_sessions').includes('log')
  takeInSession(draft, isKept ? { ...answer, log: sent } : answer)
}

/** Forgets a session whose document is deleted. One that goes on since gets a document again. */
export function forgetSession(draft: Draft, id: string): void {
  const session = draft.sessions.get(id)
  if (session && foldOf(session)?.timer) noteMissing(draft, id)
  else draft.sessions.remove(id)
}

/** Records that the backend, which was restored from a backup, has no document of a session any more. */
export function noteMissing(draft: Draft, id: string): void {
  const session = draft.sessions.get(id)
  if (!session) return
  draft.sessions.put({ ...session, base: null })
  showTimers(draft)
}

/**
 * Fails every start, pause or resume that its owner waits for, and does not retry it: the timer stops with a text,
 * for a start `startFailed`, and the banner offers to continue.
 */
export function failAwaited(draft: Draft, startFailed: string): void {
  for (const { id, awaited } of draft.sessions.all()) {
    const session = draft.sessions.get(id)
    if (awaited === null || !session) continue
    draft.sessions.put({ ...session, awaited: null })
    const timer = draft.value('timer')?.timer
    // It was stopped meanwhile, and the stop saves it.
    if (timer?.sessionId !== id) continue
    if (awaited === 'start') {
      pressOn(draft, id, [{ action: { kind: 'fail' }, at: awakeUntil(draft, timer) }])
      showBanner(draft, { text: startFailed, action: { kind: 'track-offline', sessionId: id } })
      continue
    }
    const isPaused = timer.status === 'paused'
    const stopped = stopActive(draft, isPaused ? timer.pausedAt : draft.now)
    if (!stopped) continue
    clearBanner(draft)
    const text = awaited === 'pause' ? PAUSE_FAILED : RESUME_FAILED
    const gap = isPaused ? 'pause' : 'work'
    showBanner(draft, { text, action: { kind: 'resume', stopped, gap } })
  }
}

/** Notes that a session could not be sent now. */
export function noteAttempt(draft: Draft, id: string): void {
  const session = draft.sessions.get(id)
  if (session && foldOf(session)?.timer === null) showSaveFailed(draft)
}

/** Keeps a session that the backend will never accept, with the entries of one that has ended. */
export function refuseSession(draft: Draft, id: string, refused: Refusal): void {
  const session = draft.sessions.get(id)
  if (!session) return
  draft.sessions.put({ ...session, refused })
  if (foldOf(session)?.timer !== null) return
  refuseEdits(draft, entryEditsOf(draft, id), refused)
  showSaveFailed(draft)
}

/** Shows that a stop could not be saved yet, unless the banner has an action (Track offline, Resume). */
function showSaveFailed(draft: Draft): void {
  if (!draft.value('banner')?.action) showBanner(draft, { text: SAVE_FAILED, action: null })
}

/** Marks every refused session and edit for another try, after the user has pressed Retry. */
export function retryRefused(draft: Draft): void {
  for (const session of draft.sessions.all().filter(({ refused }) => refused))
    draft.sessions.put(retried(session))
  for (const edit of draft.edits.all().filter(({ refused }) => refused))
    draft.edits.put(retried(edit))
}

function retried<T extends { readonly refused: Refusal | null }>(each: T): T {
  return each.refused ? { ...each, refused: { ...each.refused, isRetried: true } } : each
}

/** Returns the unsent edits of the entries of a session. */
export function entryEditsOf(view: View, sessionId: string): readonly Edit<'entry'>[] {
  return view.edits.all().filter((edit): edit is Edit<'entry'> => {
    const entry = isEditOf('entry', edit) ? view.entries.get(edit.id) : undefined
    return entry !== undefined && rootOf(entry) === sessionId
  })
}

/** Returns an ended session as its stop is written, or null when nothing of it was kept. */
export function stoppedOf(view: View, id: string): StoppedTimer | null {
  const entry = view.entries.get(id)
  if (!entry || entry.deletedAt !== null) return null
  return withNote(stoppedFromEntry(entry), entry.note)
}

/** Ends an active session that is gone without an entry, where deleted ones are not kept: it was discarded. */
export function noteGone(draft: Draft, id: string): void {
  const session = draft.sessions.get(id)
  if (!session) return
  const there = readLog(session.base?.log ?? null) ?? []
  draft.sessions.put({ ...session, base: null })
  const gone = `gone-${idFrom(encodeLog(there))}`
  // Nobody knows when: it was there when it was read last.
  const at = session.base?.updatedAt ?? draft.now
  const discard = nextEvent(there, gone, { action: { kind: 'discard' }, at, now: at })
  uniteLogs(draft, id, [...there, discard])
}
