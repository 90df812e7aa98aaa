/**
 * A press in a notification. It may arrive long after it was made, and more than once. It is appended to the log of its
 * session as a device would have done at its instant that had heard of everything before it, with the id of the press as
 * its name in the log. So the log tells whether a press is there already. An answer to 'Still working?' counts while the
 * question is open: whoever answers first, on whatever device, decides.
 */
import { askedFromPrefs, openQuestion, prefsFromAsked } from '@stint/core/focus/still-working.ts'
import type { Asked } from '@stint/core/focus/still-working.ts'
import { readLog } from '@stint/core/log/documents.ts'
import { appended, stopActions } from '@stint/core/log/edit.ts'
import { isOf } from '@stint/core/log/event.ts'
import type { Log } from '@stint/core/log/event.ts'
import { join } from '@stint/core/log/join.ts'
import type { Prefs } from '@stint/core/settings.ts'
import { notBefore } from '@stint/core/timer/timer.ts'
import { changePrefs } from '#accounts/service.ts'
import * as users from '#accounts/users.ts'
import { wirePrefs } from '#accounts/wire.ts'
import { readSession, timerOf, writeActive, writeEnded } from '#api/logged-session.ts'
import type { Press } from '#api/logged-session.ts'
import type { OwnDocuments } from '#documents/service.ts'
import type { Services } from '#services.ts'

export interface NotificationPress {
  readonly id: string
  /** The session of the timer that the notification showed. */
  readonly session: string
  readonly press: 'pause' | 'resume' | 'stop' | Answer
  /** Epoch milliseconds. */
  readonly at: number
  /** Of an answer: since when nothing was seen, as the question said. Epoch milliseconds. */
  readonly from: number | null
}

type TimerPress = NotificationPress & {
  readonly press: Exclude<NotificationPress['press'], 'keep'>
}

/** 'keep': the time counts. 'stop-at': the timer was to stop when nothing was seen any more. */
type Answer = 'keep' | 'stop-at'

/**
 * Carries out a press once, however often it is sent. What the timer did at that instant already changes nothing.
 * @returns 'ended' when the session had ended by another press, 'answered' when the question was open no more; nothing has
 * changed then.
 */
export async function takePress(
  own: OwnDocuments,
  owner: string,
  press: NotificationPress,
  services: Pick<Services, 'hub' | 'now'>,
): Promise<'done' | 'ended' | 'answered'> {
  const { id, session: sessionId } = press
  const now = services.now()
  const document = await own.find('timer_sessions', sessionId)
  if (document === undefined) {
    const entry = await own.find('time_entries', sessionId)
    return entry && hasPress(readLog(entry.log) ?? [], id) ? 'done' : 'ended'
  }
  const session = await readSession(own, document)
  if (hasPress(session.log, id)) return 'done'
  if (timerOf(session) === null) return 'ended'
  const question = press.from === null ? null : await openQuestionAt(own, owner, session.log, press)
  if (press.press === 'keep') {
    if (question)
      await keep(own, owner, { ...question, until: Math.max(question.at, press.at) }, services)
    return 'done'
  }
  if (press.press === 'stop-at' && !question) return 'answered'
  const log = withPress(sessionId, session.log, { ...press, press: press.press })
  if (log === session.log) return 'done'
  const after = { ...session, log }
  if (timerOf(after) === null) await writeEnded(own, { owner, now }, after)
  else await writeActive(own, after)
  return 'done'
}

function hasPress(log: Log, id: string): boolean {
  return log.some(({ device }) => device === id)
}

/** Returns the question that a press answers; null: it was open no more when it was pressed, or has an answer. */
async function openQuestionAt(
  own: OwnDocuments,
  owner: string,
  log: Log,
  { session: id, at, from }: NotificationPress,
): Promise<Asked | null> {
  const user = await users.lock(own.tx, owner)
  const timer = timerOf({ id, log: heardAt(id, log, at) })
  if (!user || timer?.status !== 'running') return null
  const open = openQuestion(askedFromPrefs(wirePrefs(user)), timer)
  return open?.from === from ? open : null
}

async function keep(
  own: OwnDocuments,
  owner: string,
  answered: Asked,
  services: Pick<Services, 'hub' | 'now'>,
): Promise<void> {
  const answers = (prefs: Prefs) => ({ ...prefs, ...prefsFromAsked(answered) })
  own.afterCommit(await changePrefs(services, own.tx, owner, answers))
}

/** Returns the log with the press; the same log when it changes nothing. */
function withPress(sessionId: string, log: Log, { id, press, at, from }: TimerPress): Log {
  const heard = heardAt(sessionId, log, at)
  const timer = timerOf({ id: sessionId, log: heard })
  if (timer === null) return log
  const pressedAt = notBefore(timer, at)
  if (press === (timer.status === 'paused' ? 'pause' : 'resume')) return log
  const presses: readonly Press[] =
    press === 'pause' || press === 'resume'
      ? [{ action: { kind: press }, at: pressedAt }]
      : stopActions(timer, from ?? pressedAt, pressedAt)
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
