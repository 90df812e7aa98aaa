/**
 * Pomodoro on top of the normal timer: stretches of work and breaks in turn. They follow from the start and
 * the pauses of the session (docs/decisions/0004-breaks-goals-reminders.md).
 */
import type { Interval } from '#time/instant.ts'
import type { PomodoroSettings } from '#settings.ts'
import type { ActiveTimer } from '#timer/timer.ts'

/** The lengths of stretches and breaks. */
type PomodoroLengths = Omit<PomodoroSettings, 'sound'>

/** The phase of a timer. Instants are epoch milliseconds. `stretch` counts from 1. */
export type PomodoroPhase = { readonly stretch: number } & (
  | { readonly kind: 'focus'; readonly endsAt: number }
  /** The stretch ended at `since`, and the timer still runs. */
  | { readonly kind: 'due'; readonly since: number; readonly breakMinutes: number }
  /** The timer is paused within a stretch. `leftMilliseconds` of the stretch are left. */
  | { readonly kind: 'held'; readonly leftMilliseconds: number }
  /** The break after the stretch. */
  | { readonly kind: 'break'; readonly endsAt: number }
  /** The break ended at `since`, and the timer is still paused. */
  | { readonly kind: 'over'; readonly since: number }
)

/**
 * Returns the phase of the timer at `now`. A pause that begins when the stretch is complete is its break. Any
 * other pause that lasts as long as a break is a rest, and the stretch begins anew. A shorter pause only holds
 * the stretch. `skips` are the instants of skipped breaks.
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

  const isLong = stretch % lengths.longBreakAfter === 0
  const breakMinutes = isLong ? lengths.longBreakMinutes : lengths.breakMinutes
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

/** Returns when the phase changes by itself, or null when the user has to act. */
export function nextBoundary(phase: PomodoroPhase): number | null {
  return phase.kind === 'focus' || phase.kind === 'break' ? phase.endsAt : null
}

/** What to do about a phase: pause or resume at a past instant, or ask the user. */
export type PomodoroStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'pause'; readonly at: number }
  | { readonly kind: 'resume'; readonly at: number }
  | { readonly kind: 'offer-break'; readonly since: number; readonly breakMinutes: number }
  | { readonly kind: 'offer-work'; readonly since: number }

/**
 * Returns what to do now. With `autoBreak` a break begins and ends when it was due, however late the browser
 * wakes, and the user is asked about time that nobody expected. `foreseen` is the boundary waited for.
 */
export function pomodoroStep(
  phase: PomodoroPhase,
  { autoBreak, foreseen, now }: { autoBreak: boolean; foreseen: number | null; now: number },
): PomodoroStep {
  if (phase.kind !== 'due' && phase.kind !== 'over') return { kind: 'nothing' }
  const { since } = phase
  const isExpected = now - since <= LATE_MILLISECONDS
  if (phase.kind === 'over') {
    return autoBreak && isExpected ? { kind: 'resume', at: since } : { kind: 'offer-work', since }
  }
  return autoBreak && (isExpected || since === foreseen)
    ? { kind: 'pause', at: since }
    : { kind: 'offer-break', since, breakMinutes: phase.breakMinutes }
}

const MINUTE = 60_000
/** A tab in the background may wake a minute late. A longer delay means that the user was away. */
const LATE_MILLISECONDS = 2 * MINUTE

/** Returns the finished pauses and the skipped breaks, in order. A skipped break has no length. */
function breathers({ startedAt, pauses }: ActiveTimer, skips: readonly number[]): Interval[] {
  const skipped = skips.filter((at) => at >= startedAt).map((at) => ({ start: at, end: at }))
  return [...pauses.intervals, ...skipped].sort((a, b) => a.start - b.start)
}
