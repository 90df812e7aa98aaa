/**
 * Reconciles the sessions here with those of the backend. This happens at load, after a sign-in, when the
 * network or the tab returns, and when another device changed something.
 */
import { takeIn } from '@stint/core/device/take-in.ts'
import { deletesForGood } from '@stint/core/device/schema.ts'
import { showBanner } from '@stint/core/device/timer.ts'
import type { Draft } from '@stint/core/device/draft.ts'
import { nextSession, noteGone, noteMissing } from '@stint/core/device/unsent-sessions.ts'
import { settingsFromPrefs } from '@stint/core/settings.ts'
import { t } from '@stint/core/text.ts'
import { browserTimeZone, clockTime } from '@stint/core/time/calendar.ts'

import { find } from '#backend/find-document.ts'

import type { SyncContext } from './context.ts'
import { fetchChanges, storeTasks } from './pull.ts'
import { requireSamePerson } from './same-person.ts'
import { takeInSessions } from './send-session.ts'
import { askForDeletions, listSessions, readEntry } from './session-documents.ts'

type ReconcileContext = Pick<SyncContext, 'record' | 'backend' | 'userId'>

/**
 * Reconciles once. Must run under the sync lock. Returns whether something must be sent now. Rejects
 * with BackendError.
 */
export async function reconcile(context: ReconcileContext): Promise<boolean> {
  const { record } = context
  const before = record.view.sessions.all().filter(({ base }) => base !== null)
  const listed = await listSessions(context)
  await record.refresh()
  const shown = record.value('timer')?.timer.sessionId
  for (const { state } of listed) {
    if (state.kind !== 'stopped') await knowTask(context, state.timer.taskId)
  }
  const missing = before.filter(({ id }) => !listed.some((session) => session.id === id))
  if (missing.length > 0) await requireSamePerson(context)
  await takeInSessions(context, listed)
  for (const { id, base } of missing) {
    const known = record.view.sessions.get(id)
    // It was sent from here during the request.
    if (known?.base?.updatedAt === base?.updatedAt && known?.base) await settleMissing(context, id)
  }
  if (shown !== undefined) await record.takeIn((draft) => sayEnded(draft, shown))
  return nextSession(record.view) !== null
}

/** The screen shows a timer only if its task is there. */
async function knowTask({ record, backend }: ReconcileContext, taskId: string): Promise<void> {
  if (record.view.tasks.get(taskId)) return
  const document = await find(backend, 'tasks', taskId)
  if (document) await storeTasks(record, [document])
}

/** Handles a session that is missing: it has ended on another device, or the backend has lost it. */
async function settleMissing(context: ReconcileContext, id: string): Promise<void> {
  const { record, backend } = context
  const entry = await readEntry(backend, id)
  if (!entry) await askForDeletions(context)
  // The session may have been cut, and its other parts are entries of their own.
  else await fetchChanges(context, 'time_entries', entry.createdAt)
  await record.takeIn((draft, now) => {
    if (entry) takeIn(draft, 'entry', id, entry, now)
    if (!entry && deletesForGood(draft)) noteGone(draft, id, now)
    else noteMissing(draft, id, now)
  })
}

/**
 * Says that another device has ended the timer on the screen. If a timer runs elsewhere now, the panel
 * names its device and no banner is needed. A banner with an action, such as Track offline, stays.
 */
function sayEnded(draft: Draft, sessionId: string): void {
  const entry = draft.entries.get(sessionId)
  if (draft.value('timer') || draft.value('banner')?.action || !entry) return
  const { timeZone, hourCycle } = settingsFromPrefs(draft.value('settings')?.prefs)
  const isDiscarded = entry.deletedAt !== null && entry.durationSeconds > 0
  const zone = timeZone ?? browserTimeZone()
  const at = clockTime((isDiscarded ? entry.deletedAt : null) ?? entry.endedAt, zone, hourCycle)
  const text = isDiscarded
    ? t('Already discarded on another device at {at}', { at })
    : t('Already stopped on another device at {at}', { at })
  showBanner(draft, { text, action: null })
}
