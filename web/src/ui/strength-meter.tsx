import { classNames } from './class-names.ts'

/** How strong something is: steps that fill, and the word for it. */
export function StrengthMeter({
  label,
  score,
  most,
  word,
}: {
  label: string
  /** 0 … most */
  score: number
  most: number
  word: string | null
}) {
  return (
    <div className="flex items-center gap-3">
      <meter className="sr-only" aria-label={label} min={0} max={most} value={score}>
        {word}
      </meter>
      <div aria-hidden="true" className="flex h-1 flex-1 gap-1">
        {Array.from({ length: most }, (_, step) => (
          <span
            key={step}
            className={classNames(
              'flex-1 rounded-full transition-colors duration-160',
              step < score ? colorOf(score / most) : 'bg-line',
            )}
          />
        ))}
      </div>
      <output className="w-20 text-right text-xs text-quiet">{word}</output>
    </div>
  )
}

function colorOf(share: number): string {
  if (share <= 0.2) return 'bg-danger'
  return share <= 0.5 ? 'bg-paused' : 'bg-accent'
}
