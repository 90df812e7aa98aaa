/**
 * The rounding of a timesheet. It is a rule of the sheet: what is recorded stays as it was worked. A
 * rule rounds what it is about (each session, each task of a day, or the total), and everything that is
 * part of it on the sheet gets whole steps of that by largest remainder, so that what is shown adds up.
 */
import { t } from '#text.ts'
import { exactDuration, formatDuration } from '#time/duration.ts'
import type { DurationFormat } from '#time/duration.ts'

/** In minutes; 0 leaves the time as it was worked, to the second. */
export const ROUNDING_STEPS = [0, 1, 5, 6, 15, 30] as const
export const ROUNDING_DIRECTIONS = ['up', 'nearest', 'down'] as const
/** 'line': the time of a task on a day. */
export const ROUNDED_UNITS = ['session', 'line', 'total'] as const

export interface Rounding {
  readonly step: (typeof ROUNDING_STEPS)[number]
  readonly direction: (typeof ROUNDING_DIRECTIONS)[number]
  /** What is rounded. */
  readonly per: (typeof ROUNDED_UNITS)[number]
}

export const NO_ROUNDING: Rounding = { step: 0, direction: 'up', per: 'line' }

type Rule = Pick<Rounding, 'step' | 'direction'>

/** Returns whole seconds rounded by the rule. Half a step is rounded up to the nearest. */
export function roundSeconds(seconds: number, { step, direction }: Rule): number {
  if (step === 0) return seconds
  const size = step * 60
  switch (direction) {
    case 'up':
      return Math.ceil(seconds / size) * size
    case 'down':
      return Math.floor(seconds / size) * size
    case 'nearest':
      return Math.floor((seconds + size / 2) / size) * size
  }
}

/**
 * Rounds the sum of the parts and returns what each part gets of it, in whole steps: each part
 * rounded down, and one step more for those with the largest remainders, the earlier of equal ones
 * first. The result sums to the rounded sum, and no part is off by a step or more.
 * @param parts whole seconds, not negative.
 */
export function shareRounded(parts: readonly number[], rule: Rule): number[] {
  if (rule.step === 0) return [...parts]
  const size = rule.step * 60
  const shares = parts.map((seconds) => seconds - (seconds % size))
  const rest = roundSeconds(sumOf(parts), rule) - sumOf(shares)
  const byRemainder = parts
    .map((seconds, index) => ({ index, remainder: seconds % size }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (const { index } of byRemainder.slice(0, rest / size)) {
    shares[index] = (shares[index] ?? 0) + size
  }
  return shares
}

/** Returns the sum of numbers. */
export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}

/**
 * Returns a time of the sheet as text, such that texts add up as the times do: exact times to the second,
 * and hundredths of hours only of steps that have whole ones.
 */
export function sheetDuration(
  seconds: number,
  { step }: Pick<Rounding, 'step'>,
  format: DurationFormat,
): string {
  if (step === 0) return exactDuration(seconds)
  const hasHundredths = (step * 100) % 60 === 0
  return formatDuration(seconds, format === 'decimal' && !hasHundredths ? 'h:mm' : format)
}

/** Returns the rule in one sentence, as the sheet names it. */
export function roundingSentence({ step, direction, per }: Rounding): string {
  if (step === 0) return t('Times are exact, to the second.')
  const time = t('{count, plural, one {# minute} other {# minutes}}', { count: step })
  return SENTENCES[per][direction](time)
}

const SENTENCES: Readonly<
  Record<Rounding['per'], Readonly<Record<Rounding['direction'], (time: string) => string>>>
> = {
  session: {
    up: (time) => t('Each session is rounded up to {time}.', { time }),
    nearest: (time) => t('Each session is rounded to the nearest {time}.', { time }),
    down: (time) => t('Each session is rounded down to {time}.', { time }),
  },
  line: {
    up: (time) => t('Each task of a day is rounded up to {time}.', { time }),
    nearest: (time) => t('Each task of a day is rounded to the nearest {time}.', { time }),
    down: (time) => t('Each task of a day is rounded down to {time}.', { time }),
  },
  total: {
    up: (time) =>
      t(
        'The total is rounded up to {time}. The lines share it in steps of {time}, by largest remainder.',
        { time },
      ),
    nearest: (time) =>
      t(
        'The total is rounded to the nearest {time}. The lines share it in steps of {time}, by largest remainder.',
        { time },
      ),
    down: (time) =>
      t(
        'The total is rounded down to {time}. The lines share it in steps of {time}, by largest remainder.',
        { time },
      ),
  },
}
