import { classNames } from './class-names.ts'

/** A meter with a bar of steps and a word for the score. */
export function StrengthMeter({
  label,
  score,
  max,
  minEnough,
  word,
}: {
  label: string
  /** From 0 to `max`. */
  score: number
  max: number
  /** The lowest score that is enough. */
  minEnough: number
  word: string | null
}) {
  return (
    <div className="flex items-center gap-3">
      <meter
        className="sr-only"
        aria-label={label}
        aria-valuetext={word ?? undefined}
        min={0}
        max={max}
        low={minEnough}
        value={score}
      />
      <div aria-hidden="true" className="flex h-1 flex-1 gap-1">
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
      <output className="w-20 text-end text-xs text-quiet">{word}</output>
    </div>
  )
}

/** Returns the colour of a score: too low, just enough, or good. */
function colorOf(score: number, minEnough: number, max: number): string {
  if (score < minEnough) return 'bg-danger'
  return score > (minEnough + max) / 2 ? 'bg-accent' : 'bg-paused'
}
