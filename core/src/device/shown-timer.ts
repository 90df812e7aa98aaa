/** Which active session is the timer on the screen, and which ones are unfinished (docs/conflicts.md, rule 8). */
import { compareBegun } from '#log/fold.ts'
import type { SessionState } from '#log/fold.ts'
import { projectionOf } from '#log/projection.ts'
import type { Projection } from '#log/projection.ts'
import { isRestorable } from '#record/timer-session.ts'
import type { TimerSession } from '#record/timer-session.ts'
import { notBefore } from '#timer/timer.ts'

import { awakeUntil } from './awake.ts'
import type { Draft } from './draft.ts'
import { append, foldOf } from './session-log.ts'
import type { LocalSession, TimerPhase } from './stored.ts'

interface Active {
  readonly session: LocalSession
  readonly folded: SessionState
  readonly state: NonNullable<Projection['session']>
}

/**
 * Puts the values 'timer' and 'unfinished'. The timer that was begun last is shown. The one that the screen showed
 * before then ends where the screen leaves it; older timers of the last hours end where the shown one begins. `wanted` is
 * the session that its owner continues.
 */
export function showTimers(draft: Draft, wanted?: string): void {
  const shownId = wanted ?? draft.value('timer')?.timer.sessionId
  const active = draft.sessions.all().flatMap(activeOf)
  const candidates = active.filter(
    (each) => each.session.id === shownId || isRecent(each, draft.now),
  )
  const [first, ...others] = candidates.toSorted((a, b) => compareBegun(a.folded, b.folded))
  const begunAt = first?.folded.begun.at ?? draft.now
  const ended = others.filter((each) => {
    const { kind, timer } = each.state
    // If its device slept, its end is unknown: it is offered instead of ended.
    const isAsleep = timer.status === 'running' && awakeUntil(draft, timer) < begunAt
    return kind === 'active' && (isRecent(each, draft.now) || !isAsleep)
  })
  for (const { session, state } of ended) {
    // A gap counts as work until its owner decides.
    const at = session.id === shownId ? Math.max(begunAt, awakeUntil(draft, state.timer)) : begunAt
    // A later press on it shows that it was still worked on until then.
    const stop = { action: { kind: 'stop' }, at: notBefore(state.timer, at) } as const
    append(draft, session.id, [stop])
  }
  // A timer whose task is gone does not appear by itself: it is offered.
  const hasTimer = candidates.some(({ session }) => session.id === shownId)
  const shown = first && (hasTimer || hasTask(draft, first)) ? first : undefined
  const unfinished = active.filter((each) => each !== shown && !ended.includes(each))
  if (shown) {
    const [phase, device] = [phaseOf(shown.session), deviceOf(shown)]
    draft.putValue({ key: 'timer', timer: shown.state.timer, phase, device })
  } else draft.values.remove('timer')
  if (unfinished.length === 0) draft.values.remove('unfinished')
  else draft.putValue({ key: 'unfinished', sessions: unfinished.map(documentOf) })
}

function activeOf(session: LocalSession): Active[] {
  const folded = foldOf(session)
  const state = folded && projectionOf(session.id, folded).session
  return state ? [{ session, folded, state }] : []
}

/** Returns whether a session may become the timer by itself. */
function isRecent(each: Active, now: number): boolean {
  return each.state.kind === 'active' && isRestorable(documentOf(each), now)
}

function hasTask(draft: Draft, { state }: Active): boolean {
  return draft.tasks.get(state.timer.taskId)?.isActive ?? true
}

function phaseOf({ base, awaited }: LocalSession): TimerPhase {
  if (base) return 'confirmed'
  return awaited === 'start' ? 'creating' : 'offline'
}

function deviceOf({ session, folded }: Active): string | null {
  const { action } = folded.origin
  const { deviceName } = action.kind === 'base' ? action.base : action
  return session.base?.device ?? deviceName
}

/** Returns an active session in the form of its document. */
function documentOf(each: Active): TimerSession {
  const { session, folded, state } = each
  const { id, base, log } = session
  const { at, stamp } = folded.begun
  const { createdAt, updatedAt } = base ?? { createdAt: at, updatedAt: stamp.milliseconds }
  return { id, createdAt, updatedAt, device: deviceOf(each), log, state }
}
