import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A meter with a bar of steps, and below it a hint and a word for the score. */
export function StrengthMeter({
  label,
  score,
  max,
  minEnough,
  word,
  hint,
}: {
  label: string
  /** From 0 to `max`. */
  score: number
  max: number
  /** The lowest score that is enough. */
  minEnough: number
  word: string | null
  hint: ReactNode
}) {
  return (
    <div className="flex flex-col gap-1.5 pt-1">
      <meter
        className="sr-only"
        aria-label={label}
        aria-valuetext={word ?? undefined}
        min={0}
        max={max}
        low={minEnough}
        value={score}
      />
      <div aria-hidden="true" className="flex h-1 gap-1">
        {Array.from({ length: max }, (_, step) => (
          <span
            key={step}
            className={classNames(
              'flex-1 rounded-full transition-colors duration-160',
              step < score ? colorOf(score, minEnough, max) : 'bg-line',
            )}
          />
        ))}
      </div>
      <div className="flex justify-between gap-3">
        {hint}
        <output className="text-end">{word}</output>
      </div>
    </div>
  )
}

/** Returns the colour of a score: too low, just enough, or good. */
function colorOf(score: number, minEnough: number, max: number): string {
  if (score < minEnough) return 'bg-danger'
  return score > (minEnough + max) / 2 ? 'bg-accent' : 'bg-paused'
}
