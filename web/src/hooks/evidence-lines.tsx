import { t } from '@stint/core/text.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import type { Proof } from '@stint/core/traces/ghosts.ts'
import { useEffect, useState } from 'react'

import { proofText } from './proof-words.ts'
import { useFormats } from './use-formats.ts'
import { useDayRule } from './use-settings.ts'
import { useTraces } from './use-traces.ts'

/** What traces say of a stretch of time, a line each; nothing without any. */
export function EvidenceLines({ start, end }: Interval) {
  const { traces } = useTraces()
  const { duration, timeInRange } = useFormats()
  const { timeZone } = useDayRule()
  const [proofs, setProofs] = useState<readonly Proof[]>([])
  useEffect(() => {
    let isCurrent = true
    void traces.ask('evidence', { start, end }).then((found) => isCurrent && setProofs(found))
    return () => {
      isCurrent = false
    }
  }, [traces, start, end])
  if (proofs.length === 0) return null
  const formats = { duration, time: (at: number) => timeInRange(at, timeZone) }
  return (
    <ul aria-label={t('Known on this device')} className="text-xs text-quiet">
      {proofs.map((proof) => (
        <li
          key={`${proof.kind} ${proof.where} ${proof.title} ${proof.from}`}
          className="wrap-anywhere"
        >
          {proofText(proof, formats)}
        </li>
      ))}
    </ul>
  )
}
