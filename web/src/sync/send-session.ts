/**
 * Sends the presses on the timer. The presses of one session are folded into the session as the
 * backend has it. The result is written only over the state that was read (docs/sync.md). The
 * functions create, change and end the session, and turn its time into an entry. Each call can be
 * repeated any number of times.
 */
import {
  continuationId,
  ENTRY,
  entryFromDocument,
  entryFromStopped,
  hadNothingToSave,
  partAttributes,
} from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { fold, turnsOf } from '@stint/core/timer/presses.ts'
import type { Press } from '@stint/core/timer/presses.ts'
import {
  isRestorable,
  newSessionAttributes,
  pressedAt as whenPressed,
  timerAttributes,
  sessionFromDocument,
  stopAttributes,
} from '@stint/core/record/timer-session.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

import { isBeingTyped, isStarting, isStopping, sessionOf } from '@stint/core/device/edits.ts'
import { addOffer } from '@stint/core/device/offers.ts'
import {
  carriedPresses,
  knownEnd,
  lateChange,
  endedBy,
  unsentContinuation,
} from '@stint/core/device/late-presses.ts'
import type { KnownEnd, UnsentContinuation } from '@stint/core/device/late-presses.ts'
import { isAwaitedByUser } from '@stint/core/device/press.ts'
import { isBefore, withLost, withLostBefore } from '@stint/core/device/restored-backend.ts'
import { claimEdits } from '@stint/core/device/unsent-edits.ts'
import { claimOperations } from '@stint/core/device/unsent-operations.ts'
import type { Operation, QueuedOperation } from '@stint/core/device/stored.ts'
import { carryOver, continuationOf } from '@stint/core/device/continuation.ts'
import { continuingStart } from '@stint/core/device/correct-continuation.ts'
import { SAVE_FAILED } from '@stint/core/device/timer-texts.ts'
import { stoppedAt } from '@stint/core/device/questions.ts'
import { dismissBanner } from '@stint/core/device/timer.ts'
import { endElsewhere } from '@stint/core/device/end-elsewhere.ts'
import {
  acknowledge,
  endUnsentForNewerSession,
  recreateSession,
} from '@stint/core/device/timer-answers.ts'
import { asBackendError, isConflict, isNotFound, isTemporary } from '#backend/errors.ts'
import { createOrFind } from '#backend/find-document.ts'

import { confirmClock } from './confirm-clock.ts'
import type { SyncContext } from './context.ts'
import { fetchChanges } from './pull.ts'
import { sendDiscard } from './send-discard.ts'
import {
  deleteSession,
  readEntry,
  readSession,
  sendEntry,
  sendTombstone,
} from './session-documents.ts'
import type { Saved } from './session-documents.ts'

/**
 * The waits before the retries of a pause or resume, in milliseconds. Together with the requests
 * they take about 3 s.
 */
const RETRY_WAITS = [800, 1800]
/** How often a write is tried when others write at the same time. */
const MAX_TRIES = 5

type Of<K extends Operation['kind']> = Extract<Operation, { kind: K }>

/**
 * The operations of one session that are sent together: those that follow each other in the queue.
 */
interface Batch {
  readonly context: SyncContext
  readonly id: string
  readonly sequences: readonly number[]
  readonly start: Of<'start'> | undefined
  readonly stop: Of<'stop'> | undefined
  /** All presses except the start, with the pauses of the timer that it starts. */
  readonly presses: readonly Press[]
  /** The session as the backend last had it, or null when none is known. */
  readonly base: TimerSession | null
  /** Whether the user waits for the result of a pause or resume. */
  readonly isAwaited: boolean
  /** Whether the batch was sent before and its answer is unknown. */
  readonly isAgain: boolean
}

/**
 * Sends operations of one session. Rejects with BackendError, and then no operation is
 * acknowledged.
 */
export async function sendSession(
  context: SyncContext,
  queued: readonly QueuedOperation[],
): Promise<void> {
  const [first] = queued
  if (!first) return
  const discard = queued.map(({ operation }) => operation).find((each) => each.kind === 'discard')
  if (discard) return sendDiscard(context, discard, first)
  const isAgain = queued.some(({ attempts }) => attempts > 0)
  const isTried = isAgain && !queued.some((each) => each.attempts === 0 && isBeingTyped(each))
  const operations = isTried
    ? queued.map(({ operation }) => operation)
    : await context.record.takeIn((draft) => claimOperations(draft, queued))
  const start = operations.find((each) => each.kind === 'start')
  const stop = operations.find((each) => each.kind === 'stop')
  const pressed = operations.flatMap((each) => (each.kind === 'press' ? each.press : []))
  // A device that had heard of less may have created the session, as it does on a restored backend.
  const turns = start ? turnsOf(start.timer) : []
  const stops: readonly Press[] = stop ? [{ kind: 'stop', at: stop.stopped.endedAt }] : []
  const id = sessionOf(first)
  const shown = context.record.value('timer')
  const known = stop ? stop.base : shown?.timer.sessionId === id ? shown.base : null
  const batch: Batch = {
    context,
    id,
    sequences: queued.map(({ sequence }) => sequence),
    start,
    stop,
    presses: [...turns, ...pressed, ...stops],
    isAwaited: operations.some((each) => each.kind === 'press' && isAwaitedByUser(each)),
    isAgain,
    base: known,
  }
  if (start && !stop) return createSession(batch, start)
  if (known && !batch.isAgain) return sendPresses(batch, known)
  // An earlier try may have arrived. Then the base is older than the backend's state.
  const read = await readSession(context.backend, batch.id)
  return sendPresses(batch, known && isBefore(read, known) ? known : read)
}

/**
 * Creates the session under its own id. If the session exists already, an earlier try succeeded. If
 * another session is active, the one with the later press continues, and the other ends at that
 * moment.
 */
async function createSession(batch: Batch, { timer, pressedAt }: Of<'start'>): Promise<void> {
  const { context, id, sequences, presses, isAgain } = batch
  const { record, backend, userId } = context
  const folded = fold(timer, presses, -Infinity)
  if (record.value('timer')?.timer.sessionId !== id || folded.kind === 'stopped') {
    // The timer was stopped since. The stop is in the queue and is sent together with these
    // operations.
    return record.takeIn((draft) => {
      if (!isStopping(draft, id)) acknowledge(draft, sequences, null)
    })
  }
  if (isAgain || timer.startedAt < pressedAt) {
    // An earlier try may have arrived, and the session may have ended. So may one that goes on here,
    // and then it ends no other timer.
    const entry = await readEntry(backend, id)
    if (entry) return endedElsewhere(batch, entry)
  }
  const attributes = newSessionAttributes(folded.timer, userId, record.device)
  for (let tries = 1; ; tries += 1) {
    try {
      const document = await backend.create('timer_sessions', id, attributes)
      const session = sessionFromDocument(document)
      // The session may have ended and been deleted since the request. Then this call has created
      // it a second time.
      const ended = isAgain ? await readEntry(backend, id) : null
      if (!ended) return await record.takeIn((draft) => acknowledge(draft, sequences, session))
      await deleteSession(backend, id)
      return await endedElsewhere(batch, ended)
    } catch (error) {
      if (!isConflict(error)) throw error
      const own = await readSession(backend, id)
      const isThere = own && own.state.kind !== 'unclear'
      if (isThere && (await isAnswered(sendPresses(batch, own)))) return
      if (tries > MAX_TRIES) throw error
      const newer = await endOlderSessions(context, id, pressedAt)
      if (newer)
        return record.takeIn((draft, now) => endUnsentForNewerSession(draft, id, newer, now))
      // A timer that was started at the same moment is in the way. The next try gives way to it.
      if (own && (await isAnswered(sendPresses(batch, own)))) return
    }
  }
}

/** Returns whether the call succeeded, or false after a conflict on the backend. */
async function isAnswered(sending: Promise<void>): Promise<boolean> {
  try {
    await sending
    return true
  } catch (error) {
    if (!isConflict(error)) throw error
    return false
  }
}

/**
 * Folds the presses into the session as it was read, and writes the result only over that state.
 * `read` is null when the session does not exist.
 */
async function sendPresses(batch: Batch, read: TimerSession | null): Promise<void> {
  const { context, id, sequences, presses, stop } = batch
  const { record, backend } = context
  const isNoted = presses.some(({ kind }) => kind === 'note')
  let session = read
  for (let tries = 1; session; tries += 1) {
    const { state } = session
    if (state.kind === 'stopped') return finish(batch, state.stopped, session)
    const folded = fold(state.timer, withLost(presses, batch.base, session), session.updatedAt)
    try {
      if (folded.kind === 'stopped') {
        // A session to discard is not marked as stopped, so that no other device finds it stopped
        // and saves it. Its deleted entry is created first.
        if (!isDiscarded(batch))
          await write(batch, session, stopAttributes(folded.stopped, isNoted))
        return await finish(batch, folded.stopped, session)
      }
      const written = await write(batch, session, timerAttributes(folded.timer, isNoted))
      return await record.takeIn((draft) => acknowledge(draft, sequences, written))
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error
      if (tries >= MAX_TRIES) throw error
      session = await readSession(backend, id)
      // A restored backend may have the session beside the entry that another device has sent again.
      const ended = session && (await readEntry(backend, id))
      if (ended && !hadNothingToSave(ended)) return endedElsewhere(batch, ended)
    }
  }
  if (stop) return finish(batch, stop.stopped, null)
  const entry = (await readEntry(backend, id)) ?? (await sendLostEntry(batch))
  if (entry) return endedElsewhere(batch, entry)
  const continued = unsentContinuation(record.view, id)
  if (continued) return sendContinuation(batch, continued)
  return record.takeIn((draft) => {
    recreateSession(draft, id)
    acknowledge(draft, sequences, null)
  })
}

/** Sends the saved entry of a session again that the backend has lost. Returns null when there is none. */
async function sendLostEntry({ context, id }: Batch): Promise<TimeEntry | null> {
  const { view } = context.record
  const entry = isStopping(view, id) ? undefined : view.entries.get(id)
  return entry ? (await sendKnownEntry(context, entry)).entry : null
}

/**
 * Sends an entry as it is here. If the answer is lost, the backend has an entry with the changes of its owner
 * that were not sent, and it must be known as one from here.
 */
async function sendKnownEntry(
  context: Pick<SyncContext, 'record' | 'userId' | 'backend'>,
  entry: TimeEntry,
): Promise<Saved> {
  await context.record.takeIn((draft) => {
    const edit = draft.edit('entry', entry.id)
    if (edit) claimEdits(draft, [edit])
  })
  return sendEntry(context, entry)
}

/**
 * Sends presses on the session with which another device continues an undone stop. That device may
 * not have sent it yet. A timer that was started since has ended it.
 */
async function sendContinuation(
  batch: Batch,
  { timer, pressedAt }: UnsentContinuation,
): Promise<void> {
  const { context, id, presses } = batch
  const newer = await endOlderSessions(context, id, pressedAt)
  if (newer) return finish(batch, endedBy(timer, presses, newer), null)
  const attributes = newSessionAttributes(timer, context.userId, context.record.device)
  const { document } = await createOrFind(context.backend, 'timer_sessions', id, attributes)
  return sendPresses(batch, sessionFromDocument(document))
}

/** Writes over the session as it was read. An awaited pause or resume is retried a few times. */
async function write(
  { context, isAwaited }: Batch,
  session: TimerSession,
  attributes: Parameters<typeof context.backend.update<'timer_sessions'>>[2],
): Promise<TimerSession> {
  const send = async () =>
    sessionFromDocument(
      await context.backend.update('timer_sessions', session.id, attributes, session.updatedAt),
    )
  for (const wait of isAwaited ? RETRY_WAITS : []) {
    try {
      return await send()
    } catch (error) {
      if (!isTemporary(asBackendError(error))) throw error
      await context.wait(wait)
    }
  }
  return send()
}

/** Ends the session: creates its entry and deletes the session. */
async function finish(
  batch: Batch,
  stopped: StoppedTimer,
  session: TimerSession | null,
): Promise<void> {
  const { context, id, sequences, stop } = batch
  const { record, backend } = context
  const isWorth = stopped.durationSeconds > 0
  // Other devices may show a session that a restored backend has lost.
  const isUnknownThere = !session && batch.start && !batch.isAgain
  if (isWorth || !isUnknownThere) {
    const send = isWorth && !isDiscarded(batch) ? sendEntry : sendTombstone
    // With nothing to save, the undo had no entry to delete. The tombstone names what continues the stop.
    const isEmpty = !isWorth && stop?.stopped.durationSeconds === 0
    const continued = isEmpty ? continuingStart(record.view, stop.stopped) : null
    const named = continued && {
      sessionId: continued.operation.timer.sessionId,
      deletedAt: continued.operation.pressedAt,
    }
    const { entry, isCreated } = await send(context, { ...entryFromStopped(stopped), ...named })
    if (session) await deleteSession(backend, id)
    return endedElsewhere(batch, entry, isCreated)
  }
  await record.takeIn((draft) => {
    acknowledge(draft, sequences, null)
    dismissBanner(draft, SAVE_FAILED)
  })
}

/**
 * Ends a session as it is known to have ended. Sends its entry if the backend lacks it, and deletes
 * the session. `active` is the timer that another device shows now, or null.
 */
export async function endAgain(
  context: Pick<SyncContext, 'record' | 'userId' | 'backend'>,
  { entry, offers }: KnownEnd,
  active: ActiveTimer | null = null,
): Promise<void> {
  const saved = await sendKnownEntry(context, entry)
  await deleteSession(context.backend, entry.id)
  await context.record.takeIn((draft, now) => {
    endElsewhere(draft, {
      ...saved,
      stopped: null,
      isDiscarded: false,
      continuation: continuationOf(draft, saved.entry, active),
      sequences: [],
      now,
    })
    for (const offer of offers) addOffer(draft, offer)
  })
}

/** Handles a session that has become an entry, through this stop or another one. */
async function endedElsewhere(batch: Batch, saved: TimeEntry, isCreated = false): Promise<void> {
  const { record } = batch.context
  const { sequences, stop } = batch
  const { id, createdAt, updatedAt } = saved
  // The clock may have been set during the request.
  await confirmClock(batch.context)
  // It may have been split, and a timer that continues it begins after the last part. A split that
  // was sent again to a restored backend leaves no other sign on the entry than its parts.
  const isContinued = continuationId(record.view.entries.get(id)) !== null
  const isDecided = !isCreated && 'times' in (record.view.edit('entry', id)?.changedAt ?? {})
  const isPressed = batch.presses.length > 0
  if (isContinued || (updatedAt === createdAt ? isDecided : isPressed))
    await fetchChanges(batch.context, 'time_entries', createdAt)
  // News of the entry, such as the undo of its stop, may have overtaken the answer.
  const known = record.view.edit('entry', id) ? undefined : record.view.entries.get(id)
  const isOvertaken = known?.createdAt === createdAt && known.updatedAt > updatedAt
  const entry = await foldIntoEntry(batch, isOvertaken ? known : saved)
  const continued = await continuedElsewhere(batch, entry)
  await record.takeIn((draft, now) => {
    const stopped = stop?.stopped ?? null
    if (continued) carryOver(draft, continued.id, continued.presses)
    endElsewhere(draft, {
      entry,
      isCreated,
      stopped,
      isDiscarded: isDiscarded(batch),
      continuation: continued?.continuation ?? null,
      sequences,
      now,
    })
    dismissBanner(draft, SAVE_FAILED)
  })
}

/**
 * Folds the presses into an entry that a stop on another device has saved without them. The result
 * is written only over the state that was read. The offer to the owner is stored before the write,
 * so that a crash cannot lose it.
 */
async function foldIntoEntry(
  { context: { record, backend }, id, base, presses: pressed }: Batch,
  saved: TimeEntry,
): Promise<TimeEntry> {
  const presses = withLostBefore(pressed, base, saved)
  let entry: TimeEntry | null = saved
  for (let tries = 1; entry && tries <= MAX_TRIES; tries += 1) {
    const { offers, next, isWritten } = lateChange(record.view, entry, presses, record.clock.now())
    if (offers.length > 0)
      await record.takeIn((draft) => {
        for (const offer of offers) addOffer(draft, offer)
      })
    if (!isWritten) return next
    const changes = partAttributes(next, ENTRY.differing(entry, next))
    try {
      return entryFromDocument(await backend.update('time_entries', id, changes, entry.updatedAt))
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error
      entry = await readEntry(backend, id)
    }
  }
  return entry ?? saved
}

/** What continues after another device undid a stop. */
interface Continued {
  readonly id: string
  /** The presses from here that it still needs. */
  readonly presses: readonly Press[]
  /** The continuing session, or null when it is not known here. */
  readonly continuation: StoppedTimer | null
}

/**
 * Returns what continues a deleted entry whose stop another device undid, or null. Rejects with
 * BackendError.
 */
async function continuedElsewhere(
  { context, presses }: Batch,
  entry: TimeEntry,
): Promise<Continued | null> {
  const { record, backend } = context
  const isDecidedHere = 'deletion' in (record.view.edit('entry', entry.id)?.changedAt ?? {})
  const id = continuationId(entry)
  if (id === null || isDecidedHere) return null
  const session = await readSession(backend, id)
  if (!session) await fetchChanges(context, 'time_entries', entry.createdAt)
  const continuation = session ? stoppedAt(session, Infinity) : continuationOf(record.view, entry)
  return { id, presses: carriedPresses(entry, presses), continuation }
}

/**
 * Ends and saves the user's other active sessions as of the press on this one. If one of them was
 * started still later, or resumed here, returns it and leaves it unchanged. A session that is too old
 * to be restored is set aside but stays unfinished, because its owner decides until when it counts.
 */
async function endOlderSessions(
  context: SyncContext,
  sessionId: string,
  pressedAt: number,
): Promise<TimerSession | null> {
  const { documents } = await context.backend.list('timer_sessions', {
    equal: { userId: context.userId },
    limit: 100,
  })
  const sessions = documents.map(sessionFromDocument)
  // The start of another session may end the timer from here. That is no time in the future, even if
  // the clock was set back.
  for (const { updatedAt } of sessions) context.record.clock.setAtLeast?.(updatedAt + 1)
  for (const session of sessions) {
    if (session.id === sessionId || session.state.kind !== 'active') continue
    // It was resumed here since, on a recovery card.
    if (isStarting(context.record.view, session.id)) return session
    const end = knownEnd(context.record.view, session)
    if (end) {
      await endAgain(context, end)
      continue
    }
    const otherAt = whenPressed(session)
    if (otherAt > pressedAt || (otherAt === pressedAt && session.id > sessionId)) return session
    if (!isRestorable(session, context.record.clock.now())) await setAside(context, session.id)
    else {
      const presses: Press[] = [{ kind: 'stop', at: pressedAt }]
      const none = {
        start: undefined,
        stop: undefined,
        base: null,
        isAwaited: false,
        isAgain: false,
        sequences: [],
      }
      await sendPresses({ context, id: session.id, presses, ...none }, session)
    }
  }
  return null
}

async function setAside({ backend }: SyncContext, sessionId: string): Promise<void> {
  try {
    await backend.update('timer_sessions', sessionId, { isRunning: false, isPaused: false })
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
}

/** Returns whether the owner has discarded the session here and not changed that since. */
function isDiscarded({ context: { record }, id, stop }: Batch): boolean {
  return stop?.isDiscarded === true && !record.view.edit('entry', id)
}
