/** Reconciles the sessions here with those of the backend. */
import { takeIn } from '@stint/core/device/take-in.ts'
import { deletesForGood } from '@stint/core/device/schema.ts'
import { nextSession, noteGone, noteMissing } from '@stint/core/device/unsent-sessions.ts'
import { instantToWire } from '@stint/core/time/instant.ts'

import { find } from '#backend/find-document.ts'

import type { FetchContext, SyncContext } from './context.ts'
import { fetchChanges, requireSamePerson, storeDocuments } from './pull.ts'
import { sayEnded } from './say-ended.ts'
import { sendAll, stuck } from './send.ts'
import type { SendResult } from './send.ts'
import { listSessions, readEntry, takeInSessions } from './send-session.ts'

/** How often a round sends and reconciles. Whatever has no end waits for a later round. */
const MAX_TURNS = 10

/**
 * Sends what the backend lacks and reconciles, until neither adds work. Must run under the sync lock.
 * Rejects with BackendError when reconciling fails.
 */
export async function sendAndReconcile(context: SyncContext): Promise<SendResult> {
  // The clock is requested first, so that times are right from the first Start on.
  await context.backend.serverInfo().catch(() => null)
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const result = await sendAll(context)
    if (result.status !== 'empty' || !(await reconcile(context))) return result
  }
  return stuck()
}

/** Reconciles once. Returns whether something must be sent now. */
async function reconcile(context: FetchContext): Promise<boolean> {
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
async function knowTask({ record, backend }: FetchContext, taskId: string): Promise<void> {
  if (record.view.tasks.get(taskId)) return
  const document = await find(backend, 'tasks', taskId)
  if (document) await storeDocuments(record, 'tasks', [document])
}

/** Handles a session that is missing: it has ended on another device, or the backend has lost it. */
async function settleMissing(context: FetchContext, id: string): Promise<void> {
  const { record } = context
  const entry = await readEntry(context, id)
  if (!entry) await askForDeletions(context)
  // The session may have been cut, and its other parts are entries of their own.
  else await fetchChanges(context, 'time_entries', entry.createdAt)
  await record.takeIn((draft) => {
    if (entry) takeIn(draft, 'entry', id, entry)
    if (!entry && deletesForGood(draft)) noteGone(draft, id)
    else noteMissing(draft, id)
  })
}

/**
 * Asks whether the backend can mark an entry as deleted. A project without that attribute refuses the
 * question, and the record knows it then.
 */
async function askForDeletions({ record, backend, userId }: FetchContext): Promise<void> {
  if (backend.ownServer || deletesForGood(record.view)) return
  const equal = { userId, deletedAt: instantToWire(0) }
  await backend.list('time_entries', { equal, limit: 1 }).catch((error: unknown) => {
    if (!deletesForGood(record.view)) throw error
  })
}
