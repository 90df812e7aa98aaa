import type { Interval } from '@stint/core/time/instant.ts'

import { later } from '#ui/later.tsx'
import { hasTraces } from './has-traces.ts'

const EvidenceLines = later(async () => (await import('./evidence-lines.tsx')).EvidenceLines)

/** What calendars, git and computers say of a session, as far as this device has read them. */
export function Evidence(span: Interval) {
  return hasTraces() ? <EvidenceLines {...span} /> : null
}
