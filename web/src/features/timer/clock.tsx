import { formatTimer } from '@stint/core/time/duration.ts'
import { useElapsed } from './api/use-now.ts'

/**
 * The elapsed time. A timer for assistive technology, without a live region: it is read when asked
 * for. The seconds are a lighter ink; the text stays one: '01:05:09'.
 */
export function Clock({ className }: { className?: string }) {
  const text = formatTimer(useElapsed())
  const cut = text.lastIndexOf(':')
  return (
    <span role="timer" aria-label="Elapsed time" className={className}>
      {text.slice(0, cut)}
      <span className="text-quiet">{text.slice(cut)}</span>
    </span>
  )
}
