/**
 * Computes the time that must be counted after presses on several devices, by the rules of
 * docs/sync.md. The input is what was pressed, when, and what the screen showed then. The product's
 * code is not used.
 */
import type { Interval } from '@stint/core/time/instant.ts'
import type { ActiveTimer } from '@stint/core/timer/timer.ts'

import type { Value } from '@stint/core/device/stored.ts'

import type { Ending, Pressed } from './scenario.ts'
import { union, without } from './spans.ts'

/**
 * The worked time. Every instant of `must` is counted or asked about, and nothing outside of `may`
 * is counted.
 */
export interface Worked {
  readonly must: readonly Interval[]
  readonly may: readonly Interval[]
  /**
   * The sessions of timers that nobody stopped. One session of each timer is running, unless a
   * device explains why not.
   */
  readonly open: readonly (readonly string[])[]
  /** The sessions of each timer, in order. After Undo the timer continues in another session. */
  readonly lives: readonly (readonly string[])[]
}

/** A press on one timer. */
interface Step {
  readonly client: number
  readonly at: number
  readonly kind: 'start' | 'pause' | 'resume' | 'stop' | 'undo' | 'discard' | 'move'
  /** The start of the timer as it was shown (`from`), and after a move (`to`). */
  readonly from: number
  readonly to: number
  /** Whether the timer was shown as paused. */
  readonly isPaused: boolean
}

/** A timer from its start to its stop. Undo continues it in another session. */
interface Life {
  readonly sessions: string[]
  readonly startedAt: number
  /** The pauses before the first press. */
  readonly paused: readonly Interval[]
  readonly steps: Step[]
}

/**
 * Returns the time worked by these presses. A timer that nobody stopped is known to run until the
 * last of them.
 */
export function workedBy(running: ActiveTimer | null, { pressed, now, clients }: Ending): Worked {
  const lives = livesOf(running, pressed)
  const isFailed = ({ kind, client, at }: Step) =>
    kind === 'pause' && (clients[client]?.values.some((value) => isFailedPause(value, at)) ?? false)
  const last = pressed.at(-1)?.press.at ?? now
  return {
    must: union(lives.flatMap((life) => mustOf(life, last))),
    may: union(lives.flatMap((life) => mayOf(life, now, isFailed))),
    lives: lives.map(({ sessions }) => sessions),
    // Of two timers, the one that was started or continued last keeps running.
    open: lives
      .toSorted((a, b) => begunAt(a) - begunAt(b))
      .slice(-1)
      .filter((life) => stopsOf(life).length === 0)
      .map(({ sessions }) => sessions),
  }
}

/**
 * Returns whether a pause failed. The failed pause was a stop, as the banner says, and Undo of a
 * later stop on another device also undoes the failed pause.
 */
function isFailedPause(value: Value, at: number): boolean {
  if (value.key !== 'banner' || value.action?.kind !== 'resume') return false
  return value.action.gap === 'pause' && value.action.stopped.endedAt === at
}

function livesOf(running: ActiveTimer | null, pressed: readonly Pressed[]): readonly Life[] {
  const lives: Life[] = running ? [lifeOf(running)] : []
  const find = (id: string | undefined) => lives.find(({ sessions }) => sessions.includes(id ?? ''))
  for (const each of pressed) {
    const { press, timer, cards, undo } = each
    const { client, at } = press
    const shown = find(timer?.sessionId)
    const from = timer?.startedAt ?? at
    const isPaused = timer?.status === 'paused'
    const step = (kind: Step['kind'], to = from) => ({ client, at, kind, from, to, isPaused })
    switch (press.action) {
      case 'start':
        // The task is already timed: a double click.
        if (timer?.taskId === press.taskId) break
        shown?.steps.push(step('stop'))
        lives.push({
          sessions: [press.sessionId],
          startedAt: at,
          paused: [],
          steps: [step('start')],
        })
        break
      case 'pause':
        if (timer?.status === 'running') shown?.steps.push(step('pause'))
        break
      case 'resume':
        if (timer?.status === 'paused') shown?.steps.push(step('resume'))
        break
      case 'stop':
        shown?.steps.push(step('stop'))
        break
      case 'delete task':
        if (timer?.taskId === press.taskId) shown?.steps.push(step('stop'))
        break
      case 'move':
        shown?.steps.push(step('move', press.startedAt))
        break
      case 'discard':
        find(cards[0])?.steps.push(step('discard'))
        break
      case 'undo': {
        const undone = lives.find(({ sessions }) => undo !== null && isStopOf(undo, sessions))
        undone?.steps.push(step('undo'))
        undone?.sessions.push(press.sessionId)
        break
      }
      case 'banner':
      case 'edit':
      case 'split':
        break
    }
  }
  return lives
}

function begunAt({ steps }: Life): number {
  return steps.findLast(({ kind }) => kind === 'start' || kind === 'undo')?.at ?? -Infinity
}

function lifeOf(timer: ActiveTimer): Life {
  const { sessionId, startedAt, pauses, status } = timer
  const open = status === 'paused' ? [{ start: timer.pausedAt, end: Infinity }] : []
  return {
    sessions: [sessionId],
    startedAt,
    paused: [...pauses.intervals, ...open],
    steps: [],
  }
}

function isStopOf(undo: string, sessions: readonly string[]): boolean {
  return sessions.some((id) => undo.includes(`"kind":"stop","stopped":{"sessionId":"${id}"`))
}

/** Returns the stops of the timer without those that the same device undid. */
function stopsOf({ steps }: Life): readonly Step[] {
  return steps.filter(
    (step, index) =>
      step.kind === 'discard' ||
      (step.kind === 'stop' &&
        !steps.slice(index).some(({ kind, client }) => kind === 'undo' && client === step.client)),
  )
}

/** Returns the time that must count. After a stop, later presses by any device count as well. */
function mustOf(life: Life, last: number): readonly Interval[] {
  if (isThrownAway(life)) return []
  const end = stopsOf(life).length > 0 ? latestOf(life) : last
  return without([{ start: Math.max(...startsOf(life)), end }], pausesOf(life, 'undo'))
}

/**
 * Returns whether the timer was discarded and no other device pressed anything on it after that.
 */
function isThrownAway({ steps }: Life): boolean {
  return steps.some(
    ({ kind, client, at }) =>
      kind === 'discard' &&
      !steps.some((step) => step.client !== client && step.at > at && step.kind !== 'discard'),
  )
}

/**
 * Returns the time that may count. After an undone stop it is open which session is ended by
 * another device's stop.
 */
function mayOf(life: Life, now: number, isFailed: (step: Step) => boolean): readonly Interval[] {
  const isUndone = life.steps.some(({ kind }) => kind === 'undo')
  const isOpen = stopsOf(life).length === 0 || isUndone
  const start = Math.min(...startsOf(life), life.startedAt)
  const steps = isUndone ? life.steps.filter((step) => !isFailed(step)) : life.steps
  const pauses = pausesOf({ ...life, steps }, 'stop')
  return without([{ start, end: isOpen ? now : latestOf(life) }], pauses)
}

/**
 * Returns the last instant of the timer. Undo restores nothing of a discarded timer: the question
 * to its owner ends at the stop.
 */
function latestOf({ steps }: Life): number {
  const isDiscarded = steps.some(({ kind }) => kind === 'discard')
  const counting = steps.filter(({ kind }) => !isDiscarded || kind !== 'undo')
  return Math.max(...counting.map(({ at }) => at))
}

/**
 * Returns the possible starts. Of two changes of the start the later one counts. Of two changes
 * that were on their way at the same time either may count, because a session says when it was last
 * changed, but not when that change was pressed.
 */
function startsOf({ steps, startedAt }: Life): readonly number[] {
  const moves = steps.filter(({ kind }) => kind === 'move')
  const last = moves.at(-1)
  if (!last) return [startedAt]
  const unheard = moves.filter(({ client, to }) => client !== last.client && last.from !== to)
  return [last.to, ...unheard.map(({ to }) => to)]
}

/**
 * Returns the pauses by the presses in order of time, on any device. A pause during a pause changes
 * nothing. A timer that ran when it was stopped runs after Undo, as the screen says. A pause that its
 * device did not know of then lasts until the undo, or until the stop if the device had still not heard
 * of it when the undo was pressed. `lastsUntil` says which of the two ends it here.
 */
function pausesOf({ paused, steps }: Life, lastsUntil: 'stop' | 'undo'): readonly Interval[] {
  const pauses = [...paused]
  for (const { kind, at, client } of steps) {
    const open = pauses.findIndex(({ end }) => end === Infinity)
    const known = pauses[open]
    if (kind === 'pause' && !known) pauses.push({ start: at, end: Infinity })
    if (kind === 'resume' && known) pauses[open] = { start: known.start, end: at }
    if (kind === 'undo' && known) {
      const undone = steps.findLast((each) => each.kind === 'stop' && each.client === client)
      const end = lastsUntil === 'stop' ? undone?.at : at
      if (undone && end !== undefined && !undone.isPaused)
        pauses[open] = { start: known.start, end }
    }
  }
  return pauses
}
