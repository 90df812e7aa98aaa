import type { TargetProgress } from '@stint/core/targets/progress.ts'
import { identityOf, scopeName } from '@stint/core/targets/targets.ts'
import { t } from '@stint/core/text.ts'

import { useFormats } from '#hooks/use-formats.ts'
import { useMinuteInput, useReport } from '#hooks/use-report.ts'
import { Name } from '#ui/name.tsx'
import { Link } from '#ui/navigation.tsx'
import { useLocalTasks } from '#session/signed-in.ts'
import { TargetRing } from './target-ring.tsx'
import { usePaceText, useTargets, useTargetsProgress } from './use-targets.ts'

/** How many targets the dashboard shows, the first ones of the overview. */
const MAX_RINGS = 3

/** The first targets as rings, which lead to all of them. */
export function TargetRings() {
  const { status, input: given } = useReport()
  const input = useMinuteInput(given)
  const targets = useTargets()
  const all = useTargetsProgress(input, targets)
  // A newer version may keep targets that this one cannot read.
  if (all.length === 0) return null
  return (
    <ul
      aria-label={t('Targets')}
      className="grid auto-cols-fr grid-flow-col gap-px overflow-hidden rounded-panel border border-line bg-line"
    >
      {all.slice(0, MAX_RINGS).map((progress) => (
        <li key={identityOf(progress.target)} className="flex min-w-0 bg-surface">
          <RingLink progress={progress} pending={status !== 'ready'} />
        </li>
      ))}
    </ul>
  )
}

function RingLink({ progress, pending }: { progress: TargetProgress; pending: boolean }) {
  const { target, workedSeconds } = progress
  const { duration } = useFormats()
  const tasks = useLocalTasks()
  const pace = usePaceText()(progress)
  const wanted = duration(target.seconds)
  return (
    <Link
      to="/targets"
      className="flex min-w-0 flex-1 items-center gap-2 px-2.5 py-2.5 hover:bg-wash max-[23rem]:flex-col wide:gap-3 wide:px-5"
    >
      <TargetRing progress={progress} pending={pending} className="size-6 wide:size-9" />
      <span className="flex min-w-0 flex-1 flex-col text-xs text-quiet">
        <span className="flex flex-col gap-x-3 wide:flex-row wide:justify-between wide:text-sm">
          <Name text={scopeName(target.scope, tasks)} className="wide:text-ink" />
          <span className="figures whitespace-nowrap text-ink max-wide:order-first">
            {pending ? '–' : duration(workedSeconds)}
            <span className="text-quiet max-wide:sr-only">
              {' '}
              {t('target|of {wanted}', { wanted })}
            </span>
          </span>
        </span>
        <span className="figures truncate max-wide:sr-only">{!pending && pace}</span>
      </span>
    </Link>
  )
}
