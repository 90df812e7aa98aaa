/**
 * Pomodoro on the timer as it is: a stretch of work, a break, a stretch, … Breaks are pauses of the
 * same session, so everything follows from its start and its pauses and nothing is counted
 * (docs/decisions/0062-breaks-are-pauses.md).
 */
import type { Interval } from '#time/instant.ts'
import type { PomodoroSettings } from '#settings.ts'
import type { ActiveTimer } from './timer.ts'

/** The lengths of stretches and breaks. */
export type PomodoroLengths = Omit<PomodoroSettings, 'sound'>

/** Where a timer stands. Instants are epoch milliseconds; `stretch` counts from 1. */
export type PomodoroPhase =
  /** At work; the stretch is over at `endsAt`. */
  | { readonly kind: 'focus'; readonly stretch: number; readonly endsAt: number }
  /** The stretch was over at `since`, and the timer runs on. */
  | {
      readonly kind: 'due'
      readonly stretch: number
      readonly since: number
      readonly breakMinutes: number
    }
  /** Paused within a stretch, of which so much is left. */
  | { readonly kind: 'held'; readonly stretch: number; readonly leftMilliseconds: number }
  /** The break after the stretch; it is over at `endsAt`. */
  | { readonly kind: 'break'; readonly stretch: number; readonly endsAt: number }
  /** The break was over at `since`, and the timer is still paused. */
  | { readonly kind: 'over'; readonly stretch: number; readonly since: number }

/**
 * Where the timer stands at `now`. A pause that begins when the stretch is complete is its break; any
 * other that lasts as long as a break is a rest as well, and the stretch begins anew; a shorter one
 * only holds it. `skips` are the instants at which a break was not taken.
 */
export function pomodoroPhase(
  timer: ActiveTimer,
  lengths: PomodoroLengths,
  now: number,
  skips: readonly number[] = [],
): PomodoroPhase {
  const work = lengths.workMinutes * MINUTE
  const rest = lengths.breakMinutes * MINUTE
  let stretch = 1
  let worked = 0
  let from = timer.startedAt
  for (const { start, end } of breathers(timer, skips)) {
    worked += Math.max(0, start - from)
    if (worked >= work) {
      stretch += 1
      worked = 0
    } else if (end - start >= rest) {
      worked = 0
    }
    from = Math.max(from, end)
  }

  const breakMinutes = breakMinutesAfter(stretch, lengths)
  if (timer.status === 'running') {
    const endsAt = from + work - worked
    return now < endsAt
      ? { kind: 'focus', stretch, endsAt }
      : { kind: 'due', stretch, since: endsAt, breakMinutes }
  }
  const { pausedAt } = timer
  worked += Math.max(0, pausedAt - from)
  if (worked < work) {
    const isRested = now - pausedAt >= rest
    return { kind: 'held', stretch, leftMilliseconds: isRested ? work : work - worked }
  }
  const endsAt = pausedAt + breakMinutes * MINUTE
  return now < endsAt
    ? { kind: 'break', stretch, endsAt }
    : { kind: 'over', stretch, since: endsAt }
}

/** When the phase changes by itself, epoch milliseconds; null when somebody has to do something. */
export function nextBoundary(phase: PomodoroPhase): number | null {
  return phase.kind === 'focus' || phase.kind === 'break' ? phase.endsAt : null
}

/** What is to be done about a phase: at an instant that has passed, or by whom it is asked of. */
export type PomodoroStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'pause'; readonly at: number }
  | { readonly kind: 'resume'; readonly at: number }
  | { readonly kind: 'offer-break'; readonly since: number; readonly breakMinutes: number }
  | { readonly kind: 'offer-work'; readonly since: number }

/**
 * What is to be done now. With `autoBreak` a break begins, and ends, at the very instant it should
 * have, however late the browser woke; but time that nobody saw coming is never taken out, and never
 * added, behind its owner's back: then it is asked. `foreseen` is the boundary that was waited for.
 */
export function pomodoroStep(
  phase: PomodoroPhase,
  { autoBreak, foreseen, now }: { autoBreak: boolean; foreseen: number | null; now: number },
): PomodoroStep {
  switch (phase.kind) {
    case 'focus':
    case 'held':
    case 'break':
      return { kind: 'nothing' }
    case 'due': {
      const { since, breakMinutes } = phase
      return autoBreak && (since === foreseen || now - since <= LATE_MILLISECONDS)
        ? { kind: 'pause', at: since }
        : { kind: 'offer-break', since, breakMinutes }
    }
    case 'over':
      return autoBreak && now - phase.since <= LATE_MILLISECONDS
        ? { kind: 'resume', at: phase.since }
        : { kind: 'offer-work', since: phase.since }
  }
}

const MINUTE = 60_000
/** A tab in the background may wake a minute late; later than this, somebody was away. */
const LATE_MILLISECONDS = 2 * MINUTE

/** The finished pauses and the skipped breaks, in order: a skipped one is a break of no length. */
function breathers(timer: ActiveTimer, skips: readonly number[]): Interval[] {
  return [
    ...timer.pauses.intervals,
    ...skips.filter((at) => at >= timer.startedAt).map((at) => ({ start: at, end: at })),
  ].toSorted((a, b) => a.start - b.start)
}

function breakMinutesAfter(stretch: number, lengths: PomodoroLengths): number {
  const isLong = stretch % lengths.longBreakAfter === 0
  return isLong ? lengths.longBreakMinutes : lengths.breakMinutes
}
