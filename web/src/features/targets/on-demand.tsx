import { useHasTargets } from '#hooks/use-has-targets.ts'
import { useSettings } from '#hooks/use-settings.ts'
import { later } from '#ui/later.tsx'

/** Watches the targets of those who have any and want to know when one is reached. */
export function TargetNotices() {
  const { goalReached } = useSettings()
  const hasTargets = useHasTargets()
  return goalReached && hasTargets && <TargetWatch />
}

const TargetWatch = later(async () => (await import('./target-watch.tsx')).TargetWatch)
