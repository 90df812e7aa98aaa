/** The end of a session that another device has stopped, and the work from here after that end. */
import { continuationId, hadNothingToSave, stoppedFromEntry } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { isPressedAfter, turnsOf } from '#timer/presses.ts'
import type { Press } from '#timer/presses.ts'
import { foldLateNote } from '#timer/late-presses.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { endTimer, workedAfter } from '#timer/timer.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import { awakeUntil } from './awake.ts'
import { carryOverStopped, uncountedBy, workedUntil } from './continuation.ts'
import { correctContinuation, cutOf } from './correct-continuation.ts'
import type { Draft } from './draft.ts'
import { change, RULES } from './edits.ts'
import { foldForgotten } from './forgotten.ts'
import { withPresses } from './late-presses.ts'
import { lostMoves, noteMoves } from './moved-starts.ts'
import { addOffer, MAX_NEWS_MILLISECONDS, offerEnds, offersOf, offerWork } from './offers.ts'
import { unsentPresses } from './press.ts'
import { forgetUnfinished } from './questions.ts'
import { turnsSavedWithout } from './restored-backend.ts'
import { latestEnd, pressesOf } from './sent-again.ts'
import { endWithoutGap, keepPauses, partsAfter, takeBackStep } from './steps.ts'
import type { Edit, QueuedOperation, TimerValue } from './stored.ts'
import { takeAnswer, takeIn } from './take-in.ts'

/** The end of a session on another device, and the local state of that session. */
export interface EndElsewhere {
  /** The saved entry of the session. */
  readonly entry: TimeEntry
  /**
   * Whether this device has just created the entry. Otherwise the entry existed and may have been
   * changed on another device.
   */
  readonly isCreated: boolean
  /** The timer as this device stopped it, or null when this device did not stop it. */
  readonly stopped: StoppedTimer | null
  /**
   * Whether the owner discarded the session on this device. Then none of its work is offered here.
   */
  readonly isDiscarded: boolean
  /**
   * The session that continues after the stop was undone on another device, or null when none is
   * known.
   */
  readonly continuation: StoppedTimer | null
  /** The sequence numbers of the operations that come too late. */
  readonly sequences: readonly number[]
  readonly now: number
}

/** What this device had of a session that was ended on another device. */
interface HadHere {
  /** The unsent operations that come too late. */
  readonly late: readonly QueuedOperation[]
  /** The presses among them. */
  readonly presses: readonly Press[]
  /** The timer that was shown, if it was this one. */
  readonly own: TimerValue | null
  /** The change of the session's entry, as it was before the answer. */
  readonly edit: Edit<'entry'> | undefined
  /** When the entry ended since its owner had split or trimmed it here, or Infinity. */
  readonly cutAt: number
  /** The session with which this device continued its stop, or null. */
  readonly continuedBy: string | null
}

/**
 * Handles a session that was ended on another device and whose entry is saved. Work from here after
 * that end is offered and not lost.
 */
export function endElsewhere(draft: Draft, end: EndElsewhere): void {
  const here = leaveTimer(draft, end)
  dropOutdatedTimes(draft, end, here.edit)
  takeInEntry(draft, end, here.edit)
  if (end.isDiscarded) return
  keepNote(draft, end, here)
  if (end.stopped) followStop(draft, end.stopped, end.entry, here)
  const counted = countedHere(draft, end, here)
  foldLost(draft, end, here)
  if (counted) offerLaterWork(draft, end, here, counted)
}

/** Ends the timer here and removes the operations that come too late. Returns what there was. */
function leaveTimer(draft: Draft, { entry, sequences }: EndElsewhere): HadHere {
  const late = sequences.flatMap((sequence) => draft.operations.get(sequence) ?? [])
  noteMoves(draft, sequences, stoppedFromEntry(entry))
  for (const sequence of sequences) draft.operations.remove(sequence)
  forgetUnfinished(draft, entry.id)
  const shown = draft.value('timer')
  const own = shown?.timer.sessionId === entry.id ? shown : null
  if (own) draft.values.remove('timer')
  const edit = draft.edit('entry', entry.id)
  const cutAt = cutOf(draft, entry.id)
  const continuedBy = continuationId(draft.entries.get(entry.id))
  return { late, presses: late.flatMap(pressOf), own, edit, cutAt, continuedBy }
}

/**
 * Drops a local change of the times if the entry was changed elsewhere after the save, perhaps by a
 * split. The local change refers to an outdated entry.
 */
function dropOutdatedTimes(draft: Draft, end: EndElsewhere, edit: HadHere['edit']): void {
  const { entry } = end
  if (edit?.changedAt['times'] === undefined || !isChangedElsewhere(draft, edit, end)) return
  const { times: _, ...changedAt } = edit.changedAt
  draft.edits.put({ ...edit, changedAt })
  // A pull may have made the saved entry the base already.
  const changed = draft.entries.get(entry.id)
  if (changed) draft.entries.put(RULES.entry.parts.take(changed, entry, ['times']))
  // What continues a session that was split first does so without the second half. If less was saved
  // elsewhere, no other entry has the time of that half.
  const hasHalf = entry.durationSeconds > 0 && entry.endedAt > Number(changed?.endedAt)
  const isKept = continuationId(changed) !== null && !hasHalf
  if (!isKept) takeBackStep(draft, edit)
}

/** Takes in the saved entry, in place of the one that this device's own stop has made. */
function takeInEntry(
  draft: Draft,
  { entry, isCreated, stopped, isDiscarded }: EndElsewhere,
  edit: HadHere['edit'],
): void {
  if (isDiscarded && isWorkedOn(draft, entry)) draft.entries.remove(entry.id)
  // The backend never had the state from here.
  if (stopped && !edit && (isCreated || !isDiscarded)) draft.entries.remove(entry.id)
  // The backend had no entry, so no change of it has arrived.
  const unsent = isCreated && draft.edit('entry', entry.id)
  if (unsent) draft.edits.put({ ...unsent, sent: [] })
  if (isCreated) takeAnswer(draft, 'entry', entry.id, entry)
  else takeIn(draft, 'entry', entry.id, entry)
}

/** Follows a stop from here that came too late: what continues it, and what it counted. */
function followStop(
  draft: Draft,
  stopped: StoppedTimer,
  entry: TimeEntry,
  { edit, cutAt }: HadHere,
): void {
  const isDecided = edit?.changedAt['times'] !== undefined
  correctContinuation(draft, stopped, entry, { cutAt })
  if (isDecided) keepPauses(draft, stopped, withPresses(entry, pressesOf(stopped)))
  offerEnds(draft, stopped, entry)
}

/**
 * Returns the entry that counts the work until the end, or null when this device's owner undid the stop,
 * or deleted or split the entry. Then the work continues under another id, or counts as decided. Lost
 * pauses that are folded in are no decision, so this is asked before.
 */
function countedHere(
  draft: Draft,
  { entry, isCreated, stopped }: EndElsewhere,
  { edit, continuedBy }: HadHere,
): TimeEntry | null {
  if (stopped && isDecidedHere(draft, stopped, edit)) return null
  // What continued the stop here goes on as what continues it elsewhere, with every press from here.
  const named = continuationId(entry)
  if (continuedBy !== null && named !== null && named !== continuedBy) return null
  // A restored backend may have lost the saved entry of which the change was made.
  const isDecidedNow = 'times' in (draft.edit('entry', entry.id)?.changedAt ?? {})
  return (isDecidedNow && isCreated && edit?.base) || entry
}

/** Folds in presses that the backend had confirmed, and that the saved entry lacks. */
function foldLost(draft: Draft, { entry, stopped }: EndElsewhere, { own, late, presses }: HadHere) {
  const base = own?.base ?? late.map(baseOf).find((known) => known !== null)
  const known = base?.state.kind === 'active' ? base.state.timer : null
  const pressed = presses.filter(({ kind }) => kind === 'pause' || kind === 'resume')
  const stops: readonly Press[] = stopped ? [{ kind: 'stop', at: stopped.endedAt }] : []
  const turns = known && turnsSavedWithout(entry, known)
  const moves = lostMoves(draft, stoppedFromEntry(entry), entry.updatedAt)
  if (turns || moves.length > 0)
    foldForgotten(draft, [...moves, ...(turns ?? []), ...pressed, ...stops], entry)
  // A lost session that was created again has no base. Another device paused it all the time.
  else if (stopped && hadNothingToSave(entry))
    foldForgotten(draft, [...turnsOf({ ...stopped, status: 'running' }), ...stops], entry)
}

/** What this device did until its own stop, or until now. */
interface WorkHere {
  readonly until: StoppedTimer
  /** The presses that were not sent, without notes. */
  readonly unsent: readonly Press[]
  /** When something was last pressed, or -Infinity. */
  readonly pressedAt: number
}

/**
 * Offers the work from here after the end elsewhere. What continues the session after an undone stop gets
 * the presses as well. `counted` is the entry that counts the work until the end.
 */
function offerLaterWork(draft: Draft, end: EndElsewhere, had: HadHere, counted: TimeEntry): void {
  const { entry, stopped } = end
  const here = workHere(draft, end, had)
  if (!here) return
  const since = turnsSince(draft, end, had, here)
  const continuedBy = continuationId(entry)
  if (continuedBy !== null) {
    // What was resumed and stopped here after the undo of another stop ends with the stop from here.
    const isAfterUndo = stopped !== null && stopped.endedAt > Number(entry.deletedAt)
    const carried = isAfterUndo ? workedUntil(since, stopped.endedAt) : since
    carryOverStopped(draft, continuedBy, carried, here.until.endedAt)
  }
  offerUncounted(draft, { end, had, here, since, counted })
}

/** Returns what this device did on the session, or null when it had nothing to do with it. */
function workHere(
  draft: Draft,
  { entry, stopped, now }: EndElsewhere,
  { own, late, presses }: HadHere,
): WorkHere | null {
  const unsent = [...presses, ...unsentPresses(draft, entry.id)].filter(
    ({ kind }) => kind !== 'note',
  )
  // Track offline, and Resume on a recovery card, say that the timer ran until then.
  const started = late.flatMap(({ operation }) =>
    operation.kind === 'start' ? operation.pressedAt : [],
  )
  const pressedAt = Math.max(...started, ...unsent.map(({ at }) => at))
  const until =
    stopped ?? (own && endTimer(own.timer, awakeUntil(draft, own.timer, now, pressedAt)))
  return until && { until, unsent, pressedAt }
}

/** Returns the pauses and resumes from here that what continues the session, or an offer, still needs. */
function turnsSince(
  draft: Draft,
  { entry, stopped }: EndElsewhere,
  { own }: HadHere,
  { until, unsent }: WorkHere,
): readonly Press[] {
  // What continues a failed start has all turns that the backend had. Only unsent ones are new to it.
  // What continues a stop lacks the turns after it. The stop may lie at the end of a part.
  const isFailedStart = entry.endedAt === entry.startedAt
  const stoppedAt = latestEnd([entry, ...partsAfter(draft, entry, until.endedAt)])
  const turns = turnsOf(own?.timer ?? { ...until, status: 'running' })
  const later: readonly Press[] = isFailedStart
    ? [
        // A pause that could not be sent has become a stop.
        ...unsent.filter(({ at }) => at !== stopped?.endedAt),
        ...turns.filter(({ at }) => at === stopped?.endedAt),
      ]
    : turns.filter(({ at }) => at > stoppedAt)
  // The stop ended a pause from before that end. It is no resume.
  const isResumed = later[0]?.kind !== 'resume' || later[0].at !== stopped?.endedAt
  return isResumed ? later : []
}

/** Offers the work that neither the saved session nor what continues it counts. */
function offerUncounted(
  draft: Draft,
  {
    end: { entry, stopped, continuation },
    had: { own },
    here: { until, pressedAt },
    since,
    counted,
  }: {
    readonly end: EndElsewhere
    readonly had: HadHere
    readonly here: WorkHere
    readonly since: readonly Press[]
    readonly counted: TimeEntry
  },
): void {
  // What continues it may not have arrived yet. An offer leaves out what counts there as soon as it has.
  const isContinued = continuation !== null || isUnseen(draft, continuationId(entry))
  const isDiscarded = entry.deletedAt !== null && !hadNothingToSave(entry) && !isContinued
  // The other device may have split the session. Its parts count.
  const parts = partsAfter(draft, counted, until.endedAt)
  const worked = workedAfter(until, isDiscarded ? -Infinity : endWithoutGap(counted, parts))
  // A note is no sign that the work went on, and neither is a start whose answer was lost.
  const isPressed =
    stopped !== null ||
    pressedAt > entry.endedAt ||
    (own && isPressedSince(draft, own, entry.endedAt))
  const least = isPressed ? 1000 : MAX_NEWS_MILLISECONDS
  const uncounted = continuation ? uncountedBy(continuation, worked) : worked
  const isTrifle = uncounted.durationSeconds * 1000 < least
  // An offer of no time keeps the presses for what continues.
  if (isTrifle && since.length === 0) return
  if (continuation && uncounted.durationSeconds === 0) return
  if (isDiscarded) {
    if (isPressed) addOffer(draft, { why: 'discarded', worked })
    return
  }
  const offered = offersOf(draft).find((each) => each.worked.sessionId === entry.id)
  const stop: readonly Press[] = stopped ? [{ kind: 'stop', at: stopped.endedAt }] : []
  addOffer(draft, { why: 'went-on', worked, presses: [...since, ...stop] })
  // The time since that stop, which nobody could date.
  if (stopped && offered?.worked.startedAt === stopped.endedAt)
    offerWork(draft, 'went-on', offered.worked)
}

/** Returns whether nothing is known here yet of the session that a deleted entry names. */
function isUnseen(draft: Draft, named: string | null): boolean {
  return named !== null && !draft.entries.get(named)
}

function pressOf({ operation }: QueuedOperation): readonly Press[] {
  return operation.kind === 'press' ? [operation.press] : []
}

function baseOf({ operation }: QueuedOperation): TimerSession | null {
  return operation.kind === 'stop' ? operation.base : null
}

/**
 * Keeps the unsent note of a session in its entry. One that ended with nothing to save has none, and
 * what continues an undone stop has its own.
 */
function keepNote(
  draft: Draft,
  { entry: saved, stopped, now }: EndElsewhere,
  { presses, edit }: HadHere,
): void {
  const isNotedHere = stopped !== null && 'note' in (edit?.changedAt ?? {})
  if (isNotedHere || continuationId(saved) !== null) return
  const entry = draft.entries.get(saved.id)
  if (!entry || entry.durationSeconds === 0) return
  change(draft, 'entry', entry.id, { ...entry, note: foldLateNote(entry.note, presses) }, now)
}

/** Returns whether something was pressed on the shown timer after it ended on another device. */
function isPressedSince(draft: Draft, { timer, base }: TimerValue, endedAt: number): boolean {
  const isChanged = (base?.updatedAt ?? -Infinity) > endedAt
  // Presses during the request are not sent yet.
  const isUnsent = unsentPresses(draft, timer.sessionId).some(({ kind }) => kind !== 'note')
  return isChanged || isUnsent || isPressedAfter(timer, endedAt)
}

/**
 * Returns whether someone else has ended the session with nothing to save, or has changed the times
 * of its entry since it was saved. Such times differ from all versions that this device knew or sent.
 * A session that was split and then sent again to a restored backend shows it only by its parts.
 */
function isChangedElsewhere(
  draft: Draft,
  { base, sent }: Edit<'entry'>,
  { entry, isCreated, stopped }: EndElsewhere,
): boolean {
  // Another device had stopped the session, and this one has created its entry.
  if (isCreated) return hadNothingToSave(entry)
  // A pull may have made the deleted entry the base already, and may have put lost work again.
  const isPutAgain =
    typeof base?.deletedAt === 'number' && draft.entries.get(entry.id)?.deletedAt === null
  if (entry.deletedAt !== null && entry.durationSeconds === 0) return !isPutAgain
  if (entry.updatedAt === entry.createdAt)
    return stopped !== null && partsAfter(draft, entry, stopped.endedAt).length > 0
  return [base, ...sent].every(
    (known) => known === null || RULES.entry.parts.differing(known, entry).includes('times'),
  )
}

/**
 * Returns whether this device has deleted the entry of a stop, or changed its times, and the backend
 * does not know it yet. A note on an entry that was deleted elsewhere is no such change, and neither
 * are times that were changed in an entry that another device had saved with another end. `known` is
 * the edit before the answer.
 */
function isDecidedHere(
  draft: Draft,
  { sessionId, endedAt }: StoppedTimer,
  known: Edit<'entry'> | undefined,
): boolean {
  const changedAt = draft.edit('entry', sessionId)?.changedAt ?? {}
  const isDeleted = typeof draft.entries.get(sessionId)?.deletedAt === 'number'
  const isOfStop = !known?.base || known.base.endedAt === endedAt
  return (isOfStop && 'times' in changedAt) || (isDeleted && 'deletion' in changedAt)
}

/**
 * Returns whether a session that was discarded here was worked on elsewhere afterwards. Such an
 * entry stays.
 */
function isWorkedOn(draft: Draft, { id, endedAt, deletedAt }: TimeEntry): boolean {
  const discardedAt = draft.entries.get(id)?.deletedAt ?? null
  return discardedAt !== null && deletedAt === null && endedAt > discardedAt
}
