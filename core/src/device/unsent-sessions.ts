/** The sessions that the backend lacks something of: what is sent next, and what becomes of it. */
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
import { missingAttributes } from './schema.ts'
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
  /** Whether it is the timer on the screen. The backend has one active session at most. */
  readonly isShown: boolean
}

/** Returns the session to send next, or null. */
export function nextSession(view: View): UnsentSession | null {
  const waiting = view.sessions.all().flatMap((session) => {
    const unsent = isHeld(session) || !isUnsent(view, session) ? null : unsentOf(view, session)
    return unsent && isSendable(view, unsent) ? unsent : []
  })
  return waiting.toSorted((a, b) => placeOf(a) - placeOf(b))[0] ?? null
}

function unsentOf(view: Pick<View, 'value'>, session: LocalSession): UnsentSession | null {
  const folded = foldOf(session)
  const there = session.base?.log ?? null
  return (
    folded && {
      session,
      log: there !== null && isUnreadable(there) ? there : session.log,
      active: projectionOf(session.id, folded).session,
      isShown: isShown(view, session),
    }
  )
}

/** The backend refuses a second active session, so one that has ended is sent before one that begins. */
function placeOf({ active, isShown: isTimer }: UnsentSession): number {
  if (!active) return 0
  return isTimer ? 2 : 1
}

/** Returns whether a session can be sent: one that has ended waits for its entries. */
function isSendable(view: View, { session, active }: UnsentSession): boolean {
  const isMarked = session.base === null || session.base.state.kind === 'stopped'
  return active !== null || !isMarked || !entryEditsOf(view, session.id).some(isHeld)
}

/**
 * Records that a session is sent, because the answer may be lost: its events never change from here on.
 * Returns it as it is then, or null when it is gone.
 */
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

/** Takes in the session with which the backend has answered. `sent` is the text of the log that it was sent. */
export function acknowledgeSession(
  draft: Draft,
  answer: TimerSession,
  sent: string,
  now: number,
): void {
  // A project without the attribute has what was sent, not what was pressed since.
  const isKept = missingAttributes(draft, 'timer_sessions').includes('log')
  takeInSession(draft, isKept ? { ...answer, log: sent } : answer, now)
}

/**
 * Records that the document of a session is gone. One that has ended is forgotten: its entries have its
 * log. One that goes on since gets a document again.
 */
export function forgetSession(draft: Draft, id: string, now: number): void {
  const session = draft.sessions.get(id)
  if (!session) return
  if (foldOf(session)?.timer) noteMissing(draft, id, now)
  else draft.sessions.remove(id)
}

/**
 * Records that the backend has no document of an active session any more: it was restored from a
 * backup, and gets the session again.
 */
export function noteMissing(draft: Draft, id: string, now: number): void {
  const session = draft.sessions.get(id)
  if (!session) return
  draft.sessions.put({ ...session, base: null })
  showTimers(draft, now)
}

/**
 * Fails every start, pause or resume that its owner waits for. Such a press is not retried later: the
 * timer stops with an error text, and the banner offers to continue. `startFailed` is the text for a
 * start.
 */
export function failAwaited(draft: Draft, startFailed: string, now: number): void {
  for (const { id, awaited } of draft.sessions.all()) {
    if (awaited === null) continue
    const session = draft.sessions.get(id)
    if (session) draft.sessions.put({ ...session, awaited: null })
    const timer = draft.value('timer')?.timer
    // It was stopped meanwhile, and the stop saves it.
    if (timer?.sessionId !== id) continue
    if (awaited === 'start') {
      pressOn(draft, id, [{ action: { kind: 'fail' }, at: awakeUntil(draft, timer, now) }], now)
      showBanner(draft, { text: startFailed, action: { kind: 'track-offline', sessionId: id } })
      continue
    }
    const stopped = stopActive(draft, timer.status === 'paused' ? timer.pausedAt : now, now)
    const text = awaited === 'pause' ? PAUSE_FAILED : RESUME_FAILED
    const gap = timer.status === 'paused' ? 'pause' : 'work'
    if (stopped) clearBanner(draft, now, now)
    if (stopped) showBanner(draft, { text, action: { kind: 'resume', stopped, gap } })
  }
}

/** Notes that a session could not be sent now: a stop could not be saved. */
export function noteAttempt(draft: Draft, id: string): void {
  const session = draft.sessions.get(id)
  if (session && foldOf(session)?.timer === null) showSaveFailed(draft)
}

/**
 * Keeps a session that the backend will never accept, with the entries of one that has ended. It is
 * counted and shown.
 */
export function refuseSession(draft: Draft, id: string, refused: Refusal): void {
  const session = draft.sessions.get(id)
  if (!session) return
  draft.sessions.put({ ...session, refused })
  if (foldOf(session)?.timer !== null) return
  refuseEdits(draft, entryEditsOf(draft, id), refused)
  showSaveFailed(draft)
}

/**
 * Shows that a stop could not be saved yet. A banner with an action (Track offline, Resume) stays
 * instead. The chip counts unsaved changes in any case.
 */
function showSaveFailed(draft: Draft): void {
  if (!draft.value('banner')?.action) showBanner(draft, { text: SAVE_FAILED, action: null })
}

/** Marks every refused session and edit for another try, after the user has pressed Retry. */
export function retryRefused(draft: Draft): void {
  for (const session of draft.sessions.all()) {
    const { refused } = session
    if (refused) draft.sessions.put({ ...session, refused: { ...refused, isRetried: true } })
  }
  for (const edit of draft.edits.all()) {
    const { refused } = edit
    if (refused) draft.edits.put({ ...edit, refused: { ...refused, isRetried: true } })
  }
}

/** Returns the unsent edits of the entries of a session that may be sent. */
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

/**
 * Ends an active session that is gone and left no entry, at a backend that keeps no deleted entries:
 * another device has discarded it. What was shown here is asked about.
 */
export function noteGone(draft: Draft, id: string, now: number): void {
  const session = draft.sessions.get(id)
  if (!session) return
  const there = readLog(session.base?.log ?? null) ?? []
  draft.sessions.put({ ...session, base: null })
  const gone = `gone-${idFrom(encodeLog(there))}`
  // When it was discarded is not known: it was there when it was read last.
  const at = session.base?.updatedAt ?? now
  const discard = nextEvent(there, gone, { action: { kind: 'discard' }, at, now: at })
  uniteLogs(draft, id, [...there, discard], now)
}
