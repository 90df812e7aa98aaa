import { classNames } from './class-names.ts'

/** How strong something is: steps that fill, and the word for it. */
export function StrengthMeter({
  label,
  score,
  most,
  least,
  word,
}: {
  label: string
  /** 0 … most */
  score: number
  most: number
  /** What is enough. */
  least: number
  word: string | null
}) {
  return (
    <div className="flex items-center gap-3">
      <meter
        className="sr-only"
        aria-label={label}
        aria-valuetext={word ?? undefined}
        min={0}
        max={most}
        low={least}
        value={score}
      />
      <div aria-hidden="true" className="flex h-1 flex-1 gap-1">
        {Array.from({ length: most }, (_, step) => (
          <span
            key={step}
            className={classNames(
              'flex-1 rounded-full transition-colors duration-160',
              step < score ? colorOf(score, least, most) : 'bg-line',
            )}
          />
        ))}
      </div>
      <output className="w-20 text-right text-xs text-quiet">{word}</output>
    </div>
  )
}

/** Too little, just enough, good. */
function colorOf(score: number, least: number, most: number): string {
  if (score < least) return 'bg-danger'
  return score > (least + most) / 2 ? 'bg-accent' : 'bg-paused'
}
