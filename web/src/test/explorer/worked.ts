/**
 * Computes the time that must be counted after presses on several devices, by the rules of
 * docs/log.md. The input is what was pressed, when, and what the screens showed. The product's code is
 * not used.
 */
import type { Interval } from '@stint/core/time/instant.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import type { Ending, Pressed } from './scenario.ts'
import { union, without } from '../simulation/spans.ts'

/** What must come of a timer. */
export interface Worked {
  readonly sessionId: string
  /** Every instant is counted or asked about. */
  readonly must: readonly Interval[]
  /** Nothing outside is counted. */
  readonly may: readonly Interval[]
  /** Whether nobody stopped it, and no other timer was begun later: it is running. */
  readonly isOpen: boolean
}

/** A press on one timer. */
interface Step {
  readonly client: number
  readonly at: number
  readonly kind: 'start' | 'pause' | 'resume' | 'stop' | 'undo' | 'discard' | 'move'
}

/** A timer from its start on. */
interface Life {
  readonly sessionId: string
  /** Its start, and where it was moved to. */
  readonly starts: number[]
  /** The pauses before the first press. */
  readonly paused: readonly Interval[]
  readonly steps: Step[]
  /** The work that screens showed. */
  readonly shown: Interval[]
  /** The work on the card of a session that was discarded. */
  readonly discarded: Interval[]
}

/** Returns what must come of each timer after these presses. */
export function workedBy(running: ActiveTimer | null, ending: Ending): readonly Worked[] {
  const lives = livesOf(running, ending)
  const last = lives.toSorted((a, b) => begunAt(a) - begunAt(b)).at(-1)
  return lives.map((life) => ({
    sessionId: life.sessionId,
    must: without(life.shown, life.discarded),
    may: mayOf(life, ending.now),
    isOpen: life === last && !isStopped(life),
  }))
}

function livesOf(running: ActiveTimer | null, { pressed, shown, now }: Ending): readonly Life[] {
  const lives: Life[] = running ? [lifeOf(running)] : []
  const find = (id: string | undefined) => lives.find(({ sessionId }) => sessionId === id)
  for (const each of pressed) {
    const { timer, after, press } = each
    const { client, at } = press
    find(timer?.sessionId)?.shown.push(...workOn(timer, at))
    find(after?.sessionId)?.shown.push(...workOn(after, at))
    if (press.action === 'start' && timer?.taskId !== press.taskId) {
      const { sessionId } = press
      const steps: Step[] = [{ client, at, kind: 'start' }]
      lives.push({ sessionId, starts: [at], paused: [], steps, shown: [], discarded: [] })
    }
    const life = find(subjectOf(each))
    const kind = kindOf(each)
    if (!life || !kind) continue
    life.steps.push({ client, at, kind })
    if (press.action === 'move') life.starts.push(press.startedAt)
    if (press.action === 'discard') life.discarded.push(...discardedBy(each))
  }
  for (const timer of shown) find(timer?.sessionId)?.shown.push(...workOn(timer, now))
  return lives
}

/** Returns the session on which something is pressed. */
function subjectOf({ press, timer, after, cards }: Pressed): string | undefined {
  if (press.action === 'discard') return cards[0]?.id
  return press.action === 'undo' ? after?.sessionId : timer?.sessionId
}

/** Returns what a press does to that session, or null when it changes nothing. */
function kindOf({ press, timer }: Pressed): Step['kind'] | null {
  switch (press.action) {
    case 'start':
      // The task is already timed: a double click.
      return timer?.taskId === press.taskId ? null : 'stop'
    case 'pause':
      return timer?.status === 'running' ? 'pause' : null
    case 'resume':
      return timer?.status === 'paused' ? 'resume' : null
    case 'delete task':
      return timer?.taskId === press.taskId ? 'stop' : null
    case 'stop':
    case 'move':
    case 'discard':
    case 'undo':
      return press.action
    case 'banner':
    case 'edit':
    case 'split':
      return null
  }
}

function lifeOf(timer: ActiveTimer): Life {
  const { sessionId, startedAt, pauses, status } = timer
  const open = status === 'paused' ? [{ start: timer.pausedAt, end: Infinity }] : []
  const paused = [...pauses.intervals, ...open]
  return { sessionId, starts: [startedAt], paused, steps: [], shown: [], discarded: [] }
}

/** Returns the work that a screen showed of a timer at an instant. */
export function workOn(timer: ActiveTimer | null, at: number): readonly Interval[] {
  if (!timer) return []
  const end = timer.status === 'paused' ? timer.pausedAt : at
  return without([{ start: timer.startedAt, end }], timer.pauses.intervals)
}

/** Returns the work on the card of the session that a press discards. */
export function discardedBy({ press, cards }: Pressed): readonly Interval[] {
  const state = cards[0]?.state
  return state && state.kind !== 'stopped' ? workOn(state.timer, press.at) : []
}

/** When the timer was started, or continued by the undo of a stop. */
function begunAt({ steps }: Life): number {
  return steps.findLast(({ kind }) => kind === 'start' || kind === 'undo')?.at ?? -Infinity
}

function isStopped({ steps }: Life): boolean {
  return steps.some(
    (step, index) =>
      step.kind === 'discard' ||
      (step.kind === 'stop' &&
        !steps.slice(index).some(({ kind, client }) => kind === 'undo' && client === step.client)),
  )
}

/**
 * Returns the time that may count: until the earliest stop that nobody undid. Nothing of a discarded
 * session counts.
 */
function mayOf(life: Life, now: number): readonly Interval[] {
  const { starts, steps } = life
  if (steps.some(({ kind }) => kind === 'discard')) return []
  const stops = steps.filter(
    (step, index) =>
      step.kind === 'stop' && !steps.slice(index).some(({ kind }) => kind === 'undo'),
  )
  const end = Math.min(now, ...stops.map(({ at }) => at))
  return without([{ start: Math.min(...starts), end }], pausesOf(life))
}

/** Returns the pauses by the presses in order of time, on any device. */
function pausesOf({ paused, steps }: Life): readonly Interval[] {
  const pauses = [...paused]
  for (const { kind, at } of steps) {
    const open = pauses.findIndex(({ end }) => end === Infinity)
    const known = pauses[open]
    if (kind === 'pause' && !known) pauses.push({ start: at, end: Infinity })
    if (kind === 'resume' && known) pauses[open] = { start: known.start, end: at }
  }
  return union(pauses)
}
