/** Which findings of data health their owner has found right: with the account, on every device. */
import {
  acceptance,
  acceptedFromPrefs,
  prefsFromAccepted,
} from '@stint/core/record/accepted-findings.ts'
import type { Finding } from '@stint/core/record/data-health.ts'
import type { Prefs } from '@stint/core/settings.ts'
import { useMemo } from 'react'

import { changePrefs } from '#record/edits.ts'
import { useRecord, useValue } from '#session/signed-in.ts'
import { offerUndo } from '#ui/undo.ts'

export interface AcceptedFindings {
  readonly isAccepted: (finding: Finding) => boolean
  /** Lists it no more, and offers to take that back. */
  readonly accept: (finding: Finding) => Promise<void>
  /** Lists these again. */
  readonly takeBack: (findings: readonly Finding[]) => Promise<void>
}

/** What was accepted, live. */
export function useAcceptedFindings(): AcceptedFindings {
  const record = useRecord()
  const prefs = useValue('settings')?.prefs
  const accepted = useMemo(() => new Set(acceptedFromPrefs(prefs ?? {})), [prefs])

  // What was accepted meanwhile, here or on another device, stays.
  function change(next: (known: readonly string[]) => readonly string[]): Promise<void> {
    const accept = (known: Prefs) => prefsFromAccepted(next(acceptedFromPrefs(known)))
    return record.write((draft, now) => changePrefs(draft, accept, now))
  }

  function takeBack(findings: readonly Finding[]): Promise<void> {
    const gone = new Set(findings.map(acceptance))
    return change((known) => known.filter((each) => !gone.has(each)))
  }

  return {
    isAccepted: (finding) => accepted.has(acceptance(finding)),
    takeBack,
    async accept(finding) {
      await change((known) => [...known, acceptance(finding)])
      offerUndo('Kept as it is', () => takeBack([finding]))
    },
  }
}
