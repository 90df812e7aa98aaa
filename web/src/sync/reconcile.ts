/**
 * Reconciles the local timer with the sessions on the backend. This happens at load, after a
 * sign-in, when the network or the tab returns, and when another device changed something.
 */
import { browserTimeZone, clockTime } from '@stint/core/time/calendar.ts'
import { settingsFromPrefs } from '@stint/core/settings.ts'
import { t } from '@stint/core/text.ts'
import { planRestore } from '@stint/core/record/timer-session.ts'
import type { TimerSession } from '@stint/core/record/timer-session.ts'
import { continuationId, entryFromDocument } from '@stint/core/record/time-entry.ts'

import { isHeld, sessionOf } from '@stint/core/device/edits.ts'
import type { LocalRecord } from '#record/record.ts'
import type { TimerValue } from '@stint/core/device/stored.ts'
import { showBanner } from '@stint/core/device/timer.ts'
import { finishSession } from '@stint/core/device/questions.ts'
import { continuationOf } from '@stint/core/device/continuation.ts'
import { endOfStopped, knownEnd } from '@stint/core/device/late-presses.ts'
import { isBefore, lacksTurns } from '@stint/core/device/restored-backend.ts'
import { deletesForGood, missingAttributes } from '@stint/core/device/schema.ts'
import { endElsewhere } from '@stint/core/device/end-elsewhere.ts'
import {
  adopt,
  endForNewerSession,
  endVanished,
  putAside,
  recreateSession,
  requeuePresses,
  setUnfinished,
  showSession,
} from '@stint/core/device/timer-answers.ts'
import { find } from '#backend/find-document.ts'

import { confirmClock } from './confirm-clock.ts'
import type { SyncContext } from './context.ts'
import { fetchChanges } from './pull.ts'
import { requireSamePerson } from './same-person.ts'
import { endAgain } from './end-session.ts'
import { askForDeletions, listSessions } from './session-documents.ts'

type ReconcileContext = Pick<SyncContext, 'record' | 'backend' | 'userId'>

/**
 * Reconciles once. Must run under the sync lock with no unsent operation, because an unsent
 * operation is newer than the backend's state. Returns whether operations were added. Rejects with
 * BackendError.
 */
export async function reconcile(context: ReconcileContext): Promise<boolean> {
  const { record } = context
  const listed = await listSessions(context)
  // A press on a session never lies before the session, even if the clock was set back.
  for (const { updatedAt } of listed) record.clock.setAtLeast?.(updatedAt + 1)
  // The queue and the timer must be read at the same moment, in every tab. A timer that was started
  // just after a look at the queue is not on the list of sessions and would look vanished.
  await record.refresh()
  const running = record.value('timer')
  // A press arrived during the request. The next round handles it.
  if (hasUnsent(record)) return true
  // A timer or a recovery card that is missing on the list would be ended or removed below.
  const offeredBefore = record.value('unfinished')?.sessions ?? []
  const shownHere = [running?.timer.sessionId, ...offeredBefore.map(({ id }) => id)]
  const isMissing = (id: string | undefined) =>
    id !== undefined && !listed.some((session) => session.id === id)
  if (shownHere.some(isMissing)) await requireSamePerson(context)
  // A refused operation waits for its owner to press Retry.
  const refused = new Set(record.view.operations.all().filter(isHeld).map(sessionOf))
  const sessions: TimerSession[] = []
  for (const session of listed.filter(({ id }) => !refused.has(id))) {
    const end = knownEnd(record.view, session)
    if (end) await endAgain(context, end)
    else sessions.push(session)
  }
  if (hasUnsent(record)) return true

  const plan = planRestore(sessions, record.clock.now())
  const ended = plan.finish.filter(({ id }) => id !== running?.timer.sessionId)
  await record.takeIn((draft) => {
    for (const session of ended) finishSession(draft, session, record.clock.now())
    for (const { session, endedAt } of plan.superseded) finishSession(draft, session, endedAt)
  })
  const isRefused = running && refused.has(running.timer.sessionId)
  const offered = isRefused ? [] : await settleTimer(context, running, sessions, plan.restore)
  await record.takeIn((draft) => {
    const shown = draft.value('timer')?.timer.sessionId
    const unfinished = [...plan.unfinished, ...offered].filter((session) => session.id !== shown)
    setUnfinished(draft, unfinished)
  })
  return hasUnsent(record)
}

function hasUnsent(record: LocalRecord): boolean {
  return record.view.operations.all().some((each) => !isHeld(each))
}

/** Decides between the local timer and the remote one. Returns sessions to offer instead. */
async function settleTimer(
  context: ReconcileContext,
  running: TimerValue | undefined,
  sessions: readonly TimerSession[],
  restore: TimerSession | null,
): Promise<TimerSession[]> {
  const { record } = context
  if (running) await settleOwn(context, running, sessions, restore)
  if (record.value('timer')) return []
  if (restore?.state.kind !== 'active') return []
  if (await isActiveTask(context, restore.state.timer.taskId)) {
    await record.takeIn((draft) => showSession(draft, restore))
    return []
  }
  // The task is gone. The session is not restored, but it is never dropped either.
  return [restore]
}

/**
 * Handles a timer that runs here. It continues as its session says, unless a newer timer runs on
 * another device.
 */
async function settleOwn(
  context: ReconcileContext,
  running: TimerValue,
  sessions: readonly TimerSession[],
  restore: TimerSession | null,
): Promise<void> {
  const { record } = context
  const { sessionId } = running.timer
  const own = sessions.find((session) => session.id === sessionId)
  if (!own) return settleVanished(context, running, restore)
  const { state } = own
  const newer =
    restore && restore.id !== own.id && restore.createdAt > own.createdAt ? restore : null
  const active = restore?.state.kind === 'active' ? restore.state.timer : null
  if (state.kind === 'stopped')
    return endAgain(context, endOfStopped(state.stopped, record.clock.now()), active)
  await record.takeIn((draft, now) => {
    if (state.kind === 'unclear') {
      // Another device considered the session forgotten and put it aside. Only this device knows
      // whether that is true.
      const gaps = draft.value('gaps')?.gaps ?? []
      if (gaps.some((gap) => gap.sessionId === sessionId)) return putAside(draft, sessionId)
    }
    if (newer) return endForNewerSession(draft, sessionId, newer, now)
    if (state.kind === 'unclear') return recreateSession(draft, sessionId)
    const { base, timer } = running
    // Another device that had heard of less may have created the session again.
    const isAnother = base !== null && base.createdAt !== own.createdAt
    // Without the times of pauses, a pause that another device has taken out looks lost.
    const hasPauses = !missingAttributes(draft, 'timer_sessions').includes('pauses')
    const lacks = hasPauses && lacksTurns(state.timer, timer)
    const isForgotten = isAnother || isBefore(own, base) || lacks
    return isForgotten ? requeuePresses(draft, own) : adopt(draft, own)
  })
}

/** Handles a session that is missing: it was stopped on another device, or deleted by hand. */
async function settleVanished(
  context: ReconcileContext,
  { timer }: TimerValue,
  restore: TimerSession | null,
): Promise<void> {
  const { record, backend } = context
  const document = await find(backend, 'time_entries', timer.sessionId)
  if (!document) await askForDeletions(context)
  await confirmClock(context)
  // The session may have been split, and ended with its last part. An event may have brought a part of
  // another session alone.
  if (document) await fetchChanges(context, 'time_entries', Date.parse(document.$createdAt))
  const active = restore?.state.kind === 'active' ? restore.state.timer : null
  await record.takeIn((draft, now) => {
    if (!document && deletesForGood(draft)) return endVanished(draft, timer.sessionId, active, now)
    if (!document) return recreateSession(draft, timer.sessionId)
    const entry = entryFromDocument(document)
    endElsewhere(draft, {
      entry,
      isCreated: false,
      stopped: null,
      isDiscarded: false,
      continuation: continuationOf(draft, entry, active),
      sequences: [],
      now,
    })
    // If a timer runs elsewhere now, the panel names its device and no banner is needed. A banner
    // with an action, such as Track offline, stays.
    if (restore || draft.value('banner')?.action) return
    const { timeZone, hourCycle } = settingsFromPrefs(draft.value('settings')?.prefs)
    const discardedAt = continuationId(entry) === null ? entry.deletedAt : null
    const zone = timeZone ?? browserTimeZone()
    const at = clockTime(discardedAt ?? entry.endedAt, zone, hourCycle)
    const text =
      discardedAt === null
        ? t('Already stopped on another device at {at}', { at })
        : t('Already discarded on another device at {at}', { at })
    showBanner(draft, { text, action: null }, now)
  })
}

async function isActiveTask(
  { record, backend }: ReconcileContext,
  taskId: string,
): Promise<boolean> {
  const task = record.view.tasks.get(taskId) ?? (await find(backend, 'tasks', taskId))
  return task?.isActive ?? false
}
