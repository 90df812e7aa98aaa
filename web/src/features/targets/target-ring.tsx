import type { TargetProgress } from '@stint/core/targets/progress.ts'
import { Ring } from '#ui/chart/ring.tsx'

/** The ring of a target: what was worked of it, with a notch at the even share. */
export function TargetRing({
  progress: { target, workedSeconds, shareSeconds, state },
  pending = false,
  className,
}: {
  progress: TargetProgress
  /** The figures are not known yet. */
  pending?: boolean
  className?: string
}) {
  return (
    <Ring
      share={pending ? 0 : workedSeconds / target.seconds}
      mark={pending || target.span === 'day' ? null : shareSeconds / target.seconds}
      isDone={!pending && state === 'reached'}
      isPassed={!pending && state === 'over'}
      {...(className !== undefined && { className })}
    />
  )
}
