/**
 * A press in a notification. It may arrive long after it was made, and more than once. It is appended to the log of its
 * session as a device would have done at its instant that had heard of everything before it, with the id of the press as
 * its name in the log. So the log tells whether a press is there already.
 */
import { readLog } from '@stint/core/log/documents.ts'
import { appended, stopActions } from '@stint/core/log/edit.ts'
import { isOf } from '@stint/core/log/event.ts'
import type { Log } from '@stint/core/log/event.ts'
import { join } from '@stint/core/log/join.ts'
import { notBefore } from '@stint/core/timer/timer.ts'
import { readSession, timerOf, writeActive, writeEnded } from '#api/logged-session.ts'
import type { Press } from '#api/logged-session.ts'
import type { OwnDocuments } from '#documents/service.ts'

export interface NotificationPress {
  readonly id: string
  /** The session of the timer that the notification showed. */
  readonly session: string
  readonly press: 'pause' | 'resume' | 'stop'
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * Carries out a press once, however often it is sent. What the timer did at that instant already changes nothing.
 * @returns 'ended' when the session had ended by another press, and nothing has changed.
 */
export async function takePress(
  own: OwnDocuments,
  owner: string,
  press: NotificationPress,
  now: number,
): Promise<'done' | 'ended'> {
  const { id, session: sessionId } = press
  const document = await own.find('timer_sessions', sessionId)
  if (document === undefined) {
    const entry = await own.find('time_entries', sessionId)
    return entry && hasPress(readLog(entry.log) ?? [], id) ? 'done' : 'ended'
  }
  const session = await readSession(own, document)
  if (hasPress(session.log, id)) return 'done'
  if (timerOf(session) === null) return 'ended'
  const log = withPress(sessionId, session.log, press)
  if (log === session.log) return 'done'
  const after = { ...session, log }
  if (timerOf(after) === null) await writeEnded(own, { owner, now }, after)
  else await writeActive(own, after)
  return 'done'
}

function hasPress(log: Log, id: string): boolean {
  return log.some(({ device }) => device === id)
}

/** Returns the log with the press; the same log when it changes nothing. */
function withPress(sessionId: string, log: Log, { id, press, at }: NotificationPress): Log {
  const heard = heardAt(sessionId, log, at)
  const timer = timerOf({ id: sessionId, log: heard })
  if (timer === null) return log
  const pressedAt = notBefore(timer, at)
  if (press === (timer.status === 'paused' ? 'pause' : 'resume')) return log
  const presses: readonly Press[] =
    press === 'stop'
      ? stopActions(timer, pressedAt, pressedAt)
      : [{ action: { kind: press }, at: pressedAt }]
  const by = { device: id, now: pressedAt }
  return join(
    log,
    presses.reduce((so, { action, at: from }) => appended(so, by, action, from), heard),
  )
}

/**
 * Returns what had been pressed by an instant: all, where that is no timer, or where another client has changed the fields
 * since, which counts only what had heard of it.
 */
function heardAt(id: string, log: Log, at: number): Log {
  const heard = log.filter(({ stamp }) => stamp.milliseconds <= at)
  const isOverBase = log.some((event) => isOf(event, 'base') && !heard.includes(event))
  return isOverBase || timerOf({ id, log: heard }) === null ? log : heard
}
