import { classNames } from './class-names.ts'

/**
 * The logo: a clock face with a closing arc and a hand at twelve. It is drawn in the text colour and
 * hidden from assistive technology, as a text always names it.
 */
export function Mark({
  closed = 0.75,
  open = false,
  className,
}: {
  /** How far the arc is closed, 0 to 1. */
  closed?: number
  /** Breaks the arc at its foot to show a pause. */
  open?: boolean
  className?: string
}) {
  const arc = Math.min(1, Math.max(0, closed)) * 100
  const gap = 14
  const dashes =
    open && arc > 50 + gap / 2
      ? `${50 - gap / 2} ${gap} ${arc - 50 - gap / 2} 100`
      : `${arc} ${100 - arc + 1}`
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={classNames('shrink-0', className)}>
      <g fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round">
        <circle
          cx="8"
          cy="8"
          r="6"
          pathLength="100"
          strokeDasharray={dashes}
          transform="rotate(-90 8 8)"
        />
        <path d="M8 8V2" />
      </g>
    </svg>
  )
}

/** The logo and the name on one line. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <span
      className={classNames('inline-flex items-center gap-2 font-wordmark text-lg', className)}
      translate="no"
    >
      <Mark className="size-[1.1em] text-accent" />
      <span className="tracking-tight">Stint</span>
    </span>
  )
}
