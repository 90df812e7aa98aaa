/**
 * Ends sessions: creates the entry that a session becomes, deletes the session, and says what presses mean
 * that come after that. Each call can be repeated any number of times.
 */
import {
  continuationId,
  ENTRY,
  entryFromDocument,
  entryFromStopped,
  partAttributes,
} from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { Press } from '@stint/core/timer/presses.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import type { ActiveTimer, StoppedTimer } from '@stint/core/timer/timer.ts'

import { isStarting } from '@stint/core/device/edits.ts'
import { addOffer } from '@stint/core/device/offers.ts'
import { carriedPresses, lateChange } from '@stint/core/device/late-presses.ts'
import type { KnownEnd } from '@stint/core/device/late-presses.ts'
import { withLostBefore } from '@stint/core/device/restored-backend.ts'
import { claimEdits } from '@stint/core/device/unsent-edits.ts'
import type { Operation } from '@stint/core/device/stored.ts'
import { carryOverStopped, continuationOf } from '@stint/core/device/continuation.ts'
import { continuingStart } from '@stint/core/device/correct-continuation.ts'
import { supersede } from '@stint/core/device/superseded.ts'
import { SAVE_FAILED } from '@stint/core/device/timer-texts.ts'
import { stoppedAt } from '@stint/core/device/questions.ts'
import { dismissBanner } from '@stint/core/device/timer.ts'
import { endElsewhere } from '@stint/core/device/end-elsewhere.ts'
import { acknowledge } from '@stint/core/device/timer-answers.ts'
import { isConflict, isNotFound } from '#backend/errors.ts'

import { confirmClock } from './confirm-clock.ts'
import type { SyncContext } from './context.ts'
import { fetchChanges } from './pull.ts'
import {
  deleteSession,
  readEntry,
  readSession,
  sendEntry,
  sendTombstone,
} from './session-documents.ts'
import type { Saved } from './session-documents.ts'

/** How often a write is tried when others write at the same time. */
export const MAX_TRIES = 5

export type Of<K extends Operation['kind']> = Extract<Operation, { kind: K }>

/**
 * The operations of one session that are sent together: those that follow each other in the queue.
 */
export interface Batch {
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

/** Ends the session: creates its entry and deletes the session. */
export async function finish(
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
export async function endedElsewhere(
  batch: Batch,
  saved: TimeEntry,
  isCreated = false,
): Promise<void> {
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
  const before = isOvertaken ? known : saved
  const entry = await foldIntoEntry(batch, before)
  const continued = await continuedElsewhere(batch, isContinued ? before : entry)
  await record.takeIn((draft, now) => {
    const stopped = stop?.stopped ?? null
    // A device that has not heard of the presses may send the entry without them to a restored backend.
    if (entry.updatedAt > saved.updatedAt) supersede(draft, 'entry', id, saved)
    if (continued) {
      const { endedAt, deletedAt } = entry
      carryOverStopped(draft, continued.id, continued.presses, endedAt, deletedAt ?? endedAt)
    }
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
  // A restored backend may have lost an undo by another device.
  const isLost = continuationId(entry) === null
  const undone = isLost ? record.view.entries.get(entry.id) : entry
  const id = continuationId(undone)
  if (!undone || id === null) return null
  if (isDecidedHere && (!isLost || isStarting(record.view, id))) return null
  const session = await readSession(backend, id)
  if (!session) await fetchChanges(context, 'time_entries', entry.createdAt)
  const continuation = session ? stoppedAt(session, Infinity) : continuationOf(record.view, undone)
  return { id, presses: carriedPresses(entry, presses), continuation }
}

/**
 * Sends an entry as it is here. If the answer is lost, the backend has an entry with the changes of its owner
 * that were not sent, and it must be known as one from here.
 */
export async function sendKnownEntry(
  context: Pick<SyncContext, 'record' | 'userId' | 'backend'>,
  entry: TimeEntry,
): Promise<Saved> {
  await context.record.takeIn((draft) => {
    const edit = draft.edit('entry', entry.id)
    if (edit) claimEdits(draft, [edit])
  })
  return sendEntry(context, entry)
}

/** Returns whether the owner has discarded the session here and not changed that since. */
export function isDiscarded({ context: { record }, id, stop }: Batch): boolean {
  return stop?.isDiscarded === true && !record.view.edit('entry', id)
}
