/** The owner's answers about sessions: questions, unfinished ones, and gaps. */
import { stopActions } from '#log/edit.ts'
import { eventsOf } from '#log/event.ts'
import type { Action } from '#log/event.ts'
import { totalMilliseconds } from '#time/instant.ts'
import type { TimerSession } from '#record/timer-session.ts'

import { gapsOf } from './awake.ts'
import type { Draft, View } from './draft.ts'
import { logOf } from './session-log.ts'
import { pressOn, stopActive } from './timer.ts'
import type { Gap, Question } from './stored.ts'

/** Returns what the owner is asked, oldest first, except about a failed start that the banner offers. */
export function openQuestions(record: Pick<View, 'value'>): readonly Question[] {
  const action = record.value('banner')?.action
  const offered = action?.kind === 'track-offline' ? action.sessionId : null
  const questions = record.value('asked')?.questions ?? []
  return questions
    .filter(({ sessionId }) => sessionId !== offered)
    .toSorted((a, b) => (a.spans[0]?.start ?? 0) - (b.spans[0]?.start ?? 0))
}

/** Returns how long the time is that a question is about, in whole seconds. */
export function secondsAsked({ spans }: Question): number {
  return Math.floor(totalMilliseconds(spans) / 1000)
}

/** Answers a question: its time counts as work, or as none. */
export function answerQuestion(
  draft: Draft,
  { sessionId, spans }: Pick<Question, 'sessionId' | 'spans'>,
  isWork: boolean,
): void {
  pressOn(draft, sessionId, [{ action: { kind: 'count', boundary: null, spans, isWork } }])
}

/** Saves an unfinished session as stopped at `endedAt`. */
export function finishSession(draft: Draft, { id, state }: TimerSession, endedAt: number): void {
  if (state.kind === 'stopped') return
  pressOn(draft, id, stopActions(state.timer, endedAt, draft.now))
}

/** Discards a session. Its entry is kept as deleted. */
export function discardSession(draft: Draft, { id }: TimerSession): void {
  pressOn(draft, id, [{ action: { kind: 'discard' } }])
}

/** Continues an unfinished session in its current state. An active timer is stopped first. */
export function resumeSession(draft: Draft, session: TimerSession): void {
  const { id, state, device } = session
  if (state.kind === 'stopped') return
  stopActive(draft)
  draft.putValue({ key: 'timer', timer: state.timer, phase: 'offline', device })
  const base = eventsOf(logOf(draft, id), 'base').at(-1)
  // A session that is neither running nor paused runs from now on. Otherwise it is pressed again what was pressed
  // last: that changes nothing, and says that the session goes on here.
  const action: Action =
    state.kind === 'unclear' && base
      ? { kind: 'base', base: { ...base.action.base, status: 'running' } }
      : { kind: state.timer.status === 'paused' ? 'pause' : 'resume' }
  pressOn(draft, id, [{ action }])
}

/** Decides that the gap is work, which it counts as: it is not asked about again. */
export function keepGap(draft: Draft, { sessionId, start }: Gap): void {
  const isSame = (gap: Gap) => gap.sessionId === sessionId && gap.start === start
  draft.putValue({ key: 'gaps', gaps: gapsOf(draft).filter((gap) => !isSame(gap)) })
}

/** Decides that the gap is no work from `from` on. */
export function takeOutGap(draft: Draft, gap: Gap, from: number): void {
  keepGap(draft, gap)
  const { sessionId, start, end } = gap
  answerQuestion(draft, { sessionId, spans: [{ start: Math.max(from, start), end }] }, false)
}
