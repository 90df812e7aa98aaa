import type { ReactNode } from 'react'

export type Drawing = 'list' | 'search' | 'clock'

/** The state of an empty list: a small drawing, a sentence and an action. */
export function EmptyState({
  drawing,
  children,
  action,
}: {
  drawing: Drawing
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex animate-appear flex-col items-center gap-4 px-4 py-12 text-center">
      <LineDrawing drawing={drawing} />
      <p className="max-w-xs text-quiet text-balance">{children}</p>
      {action}
    </div>
  )
}

/** A line drawing with one part in the accent colour. */
function LineDrawing({ drawing }: { drawing: Drawing }) {
  return (
    <svg
      viewBox="0 0 64 48"
      aria-hidden="true"
      className="h-16 text-edge"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {DRAWINGS[drawing]}
    </svg>
  )
}

const DRAWINGS: Record<Drawing, ReactNode> = {
  list: (
    <>
      <path d="M22 12h30M22 24h22M22 36h26" />
      <circle cx="12" cy="24" r="3" />
      <circle cx="12" cy="36" r="3" />
      <g className="stroke-accent">
        <circle cx="12" cy="12" r="4.5" />
        <path d="M12 9.5V12l1.8 1.2" />
      </g>
    </>
  ),
  search: (
    <>
      <path d="M10 14h18M10 24h12M10 34h16" />
      <g className="stroke-accent">
        <circle cx="40" cy="22" r="10" />
        <path d="m47.5 29.5 8 8" />
      </g>
    </>
  ),
  clock: (
    <>
      <circle cx="32" cy="24" r="18" />
      <path d="M32 10v2M46 24h-2M32 38v-2M18 24h2" />
      <path d="M32 24V14M32 24l6 4" className="stroke-accent" />
    </>
  ),
}
