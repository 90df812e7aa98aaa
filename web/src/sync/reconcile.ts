/**
 * Brings the timer here and the sessions on the backend together: at load, after a sign-in, when
 * the network or the tab comes back, and when another device changed something.
 */
import { browserTimeZone, clockTime } from '@stint/core/time/calendar.ts'
import { settingsFromPrefs } from '@stint/core/settings.ts'
import { planRestore, sessionFromDocument } from '@stint/core/timer/timer-session.ts'
import type { TimerSession } from '@stint/core/timer/timer-session.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'

import type { Backend } from '#backend/backend.ts'
import { BackendError } from '#backend/errors.ts'

import { readState, sessionOfWork, unsentWork } from './local-records.ts'
import type { LocalDb, TimerRecord } from './local-db.ts'
import { requireSamePerson } from './same-person.ts'
import {
  adopt,
  adoptStop,
  endAsElsewhere,
  finishSession,
  giveWay,
  putAside,
  recreateSession,
  setUnfinished,
} from './timer-store.ts'

const PAGE = 100

export interface ReconcileContext {
  readonly db: LocalDb
  readonly backend: Backend
  readonly now: () => number
}

/**
 * Must run under the lock `sync:<userId>` with an empty outbox: what waits there is newer than what
 * the backend says. Answers whether work was added to the outbox. Rejects with BackendError.
 */
export async function reconcile(context: ReconcileContext): Promise<boolean> {
  const { db, now } = context
  const listed = await listSessions(context)
  const { unsent, record, unfinished } = await readTogether(db)
  // Something was pressed while the answer was on its way: the next round sees it.
  if (unsent.length > 0) return true
  // A timer or a recovery card that is not on the list would be ended or removed here.
  const shownHere = [record?.timer.sessionId, ...(unfinished?.sessions.map(({ id }) => id) ?? [])]
  const isMissing = (id: string | undefined) =>
    id !== undefined && !listed.some((session) => session.id === id)
  if (shownHere.some(isMissing)) await requireSamePerson(context)
  const refused = await refusedSessions(db)
  const sessions = listed.filter((session) => !refused.has(session.id))

  const plan = planRestore(sessions, now())
  for (const session of plan.finish) await finishSession(db, session, now(), now())
  for (const { session, endedAt } of plan.superseded) {
    await finishSession(db, session, endedAt, now())
  }
  const isRefused = record && refused.has(record.timer.sessionId)
  const offered = isRefused ? [] : await settleTimer(context, record, sessions, plan.restore)
  const shown = (await readState(db, 'timer'))?.timer.sessionId
  await setUnfinished(
    db,
    [...plan.unfinished, ...offered].filter((session) => session.id !== shown),
  )
  return (await unsentWork(db)).length > 0
}

/**
 * What is unsent and what runs, of one moment: a timer started just after the look at the outbox is
 * not on the list of sessions, and would pass for one that has vanished.
 */
async function readTogether(db: LocalDb) {
  return db.transaction('r', db.outbox, db.state, async () => ({
    unsent: await unsentWork(db),
    record: await readState(db, 'timer'),
    unfinished: await readState(db, 'unfinished'),
  }))
}

/** Sessions with work that the backend refused: what is here waits for its owner (Retry). */
async function refusedSessions(db: LocalDb): Promise<Set<string>> {
  const items = await db.outbox.toArray()
  return new Set(
    items.flatMap(({ work, refused }) => (refused === null ? [] : (sessionOfWork(work) ?? []))),
  )
}

/** Decides between the timer here and the one there. Answers sessions to offer instead. */
async function settleTimer(
  context: ReconcileContext,
  record: TimerRecord | undefined,
  sessions: readonly TimerSession[],
  restore: TimerSession | null,
): Promise<TimerSession[]> {
  if (record) await settleOwn(context, record, sessions, restore)
  if (await readState(context.db, 'timer')) return []
  if (restore?.state.kind !== 'active') return []
  if (await isActiveTask(context, restore.state.timer.taskId)) {
    await adopt(context.db, restore)
    return []
  }
  // Its task is gone: not restored, but never dropped either.
  return [restore]
}

/** The timer runs here: it goes on as its session says, unless a newer one runs elsewhere. */
async function settleOwn(
  context: ReconcileContext,
  record: TimerRecord,
  sessions: readonly TimerSession[],
  restore: TimerSession | null,
): Promise<void> {
  const { db, now } = context
  const { sessionId } = record.timer
  const own = sessions.find((session) => session.id === sessionId)
  if (!own) return settleVanished(context, record, restore === null)
  const isNewer = restore !== null && restore.id !== own.id && restore.createdAt > own.createdAt
  switch (own.state.kind) {
    case 'stopped':
      return endAsElsewhere(db, own.state.stopped, now())
    case 'active':
      return isNewer ? giveWay(db, sessionId, restore, now()) : adopt(db, own)
    case 'unclear':
      // Put aside by a device that thought it forgotten. This one knows whether it was.
      if (await hasGap(db, sessionId)) return putAside(db, sessionId)
      return isNewer
        ? giveWay(db, sessionId, restore, now())
        : recreateSession(db, sessionId, now())
  }
}

async function hasGap(db: LocalDb, sessionId: string): Promise<boolean> {
  const gaps = (await readState(db, 'gaps'))?.gaps ?? []
  return gaps.some((gap) => gap.sessionId === sessionId)
}

/** The session of this timer is no longer there: stopped on another device, or deleted by hand. */
async function settleVanished(
  { db, backend, now }: ReconcileContext,
  { timer }: TimerRecord,
  isIdleNow: boolean,
): Promise<void> {
  const entry = await backend
    .get('time_entries', timer.sessionId)
    .then(entryFromDocument, (error: unknown) => {
      if (error instanceof BackendError && error.kind === 'not-found') return null
      throw error
    })
  if (!entry) return recreateSession(db, timer.sessionId, now())
  // A timer that now runs elsewhere says it all: the panel names its device.
  if (!isIdleNow) return adoptStop(db, entry, null)
  const { timeZone, hourCycle } = settingsFromPrefs((await readState(db, 'settings'))?.prefs)
  const verb = entry.deletedAt === null ? 'stopped' : 'discarded'
  const at = clockTime(entry.deletedAt ?? entry.endedAt, timeZone ?? browserTimeZone(), hourCycle)
  await adoptStop(db, entry, `Already ${verb} on another device at ${at}`)
}

async function isActiveTask({ db, backend }: ReconcileContext, taskId: string): Promise<boolean> {
  const local = await db.tasks.get(taskId)
  if (local) return local.isActive
  try {
    return (await backend.get('tasks', taskId)).isActive
  } catch (error) {
    if (error instanceof BackendError && error.kind === 'not-found') return false
    throw error
  }
}

/** All of the user's sessions, newest first. There are rarely more than one. */
async function listSessions({ db, backend }: ReconcileContext): Promise<TimerSession[]> {
  const sessions: TimerSession[] = []
  let cursorAfter: string | undefined
  do {
    const { documents } = await backend.list('timer_sessions', {
      equal: { userId: db.userId },
      order: 'newest-created',
      limit: PAGE,
      ...(cursorAfter === undefined ? {} : { cursorAfter }),
    })
    sessions.push(...documents.map(sessionFromDocument))
    cursorAfter = documents.length < PAGE ? undefined : documents.at(-1)?.$id
  } while (cursorAfter !== undefined)
  return sessions
}
