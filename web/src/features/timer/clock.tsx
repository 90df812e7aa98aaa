import { t } from '@stint/core/text.ts'
import { formatTimer } from '@stint/core/time/duration.ts'
import { useElapsed } from '#hooks/use-now.ts'

/**
 * The elapsed time. It has the role timer without a live region, so that it is not announced every
 * second. The seconds are lighter, but the text is one: '01:05:09'.
 */
export function Clock({ className }: { className?: string }) {
  const text = formatTimer(useElapsed())
  const cut = text.lastIndexOf(':')
  return (
    <span role="timer" aria-label={t('Elapsed time')} className={className}>
      {text.slice(0, cut)}
      <span className="text-quiet">{text.slice(cut)}</span>
    </span>
  )
}
