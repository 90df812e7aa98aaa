import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type BadgeTone = 'live' | 'held' | 'plain' | 'danger'

/** Shows a state as a word and a shape: a pulsing disc, two bars, a ring or a cross. */
export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex h-6 items-center gap-1.5 rounded-full px-2.5 text-xs font-semibold whitespace-nowrap',
        TONES[tone],
      )}
    >
      <StateShape tone={tone} />
      {children}
    </span>
  )
}

/** The shape alone, for use beside a word. */
export function StateShape({ tone }: { tone: BadgeTone }) {
  return (
    <svg viewBox="0 0 8 8" aria-hidden="true" className="size-2 shrink-0" fill="currentColor">
      {tone === 'live' && <circle cx="4" cy="4" r="4" className="animate-breathe" />}
      {tone === 'held' && <path d="M1 0h2v8H1zM5 0h2v8H5z" />}
      {tone === 'plain' && (
        <circle cx="4" cy="4" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      )}
      {tone === 'danger' && (
        <path d="m1 1 6 6M7 1 1 7" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      )}
    </svg>
  )
}

const TONES: Record<BadgeTone, string> = {
  live: 'bg-accent-soft text-accent',
  held: 'bg-paused-soft text-paused',
  plain: 'bg-wash text-quiet',
  danger: 'bg-danger-soft text-danger',
}
