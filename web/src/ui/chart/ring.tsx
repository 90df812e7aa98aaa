import { classNames } from '#ui/class-names.ts'

const RADIUS = 15

/**
 * A ring that closes with a share of 0 … 1; at 1 a tick is in it. Passed is what should not be passed: the ring is
 * red, with a bar in it. It is hidden from assistive technology, as a text always says the same.
 */
export function Ring({
  share,
  mark,
  isDone,
  isPassed,
  className,
}: {
  share: number
  /** A notch at this share; null: none. */
  mark: number | null
  isDone: boolean
  isPassed: boolean
  className?: string
}) {
  const closed = Math.min(1, Math.max(0, share)) * 100
  return (
    <svg
      viewBox="0 0 36 36"
      aria-hidden="true"
      className={classNames('shrink-0', isPassed ? 'text-danger' : 'text-accent', className)}
      fill="none"
      strokeWidth="4"
    >
      <circle cx="18" cy="18" r={RADIUS} className="stroke-empty" />
      {closed > 0 && (
        <circle
          cx="18"
          cy="18"
          r={RADIUS}
          pathLength="100"
          stroke="currentColor"
          strokeDasharray={`${closed} 100`}
          transform="rotate(-90 18 18)"
        />
      )}
      {mark !== null && mark > 0 && mark < 1 && (
        <path
          d="M18 0.5v5"
          className="stroke-ink"
          strokeWidth="1.5"
          transform={`rotate(${mark * 360} 18 18)`}
        />
      )}
      {isDone && <path d="m12.5 18.5 4 4 7.5-8.5" stroke="currentColor" strokeWidth="2.5" />}
      {isPassed && <path d="M18 11.5v8M18 22v2.5" stroke="currentColor" strokeWidth="2.5" />}
    </svg>
  )
}
