/**
 * The findings of data health that the user has dismissed as correct. They are stored with the account.
 */
import {
  acceptance,
  acceptedFromPrefs,
  prefsFromAccepted,
} from '@stint/core/record/accepted-findings.ts'
import type { Finding } from '@stint/core/record/data-health.ts'
import type { Prefs } from '@stint/core/settings.ts'
import { t } from '@stint/core/text.ts'
import { useCallback, useMemo } from 'react'

import { changePrefs } from '@stint/core/device/edits.ts'
import { useRecord, useValue } from '#session/signed-in.ts'
import { offerUndo } from '#ui/undo.ts'

export interface AcceptedFindings {
  readonly isAccepted: (finding: Finding) => boolean
  /** Dismisses the findings and offers to undo it. */
  readonly accept: (...findings: readonly Finding[]) => Promise<void>
  /** Dismisses findings by their acceptances, as part of a step with an Undo of its own. */
  readonly acceptQuietly: (acceptances: readonly string[]) => Promise<void>
  /** Shows these findings again. */
  readonly restore: (findings: readonly Finding[]) => Promise<void>
}

/** Returns the dismissed findings and re-renders when they change. */
export function useAcceptedFindings(): AcceptedFindings {
  const record = useRecord()
  const prefs = useValue('settings')?.prefs
  const accepted = useMemo(() => new Set(acceptedFromPrefs(prefs ?? {})), [prefs])

  // Applied to the current preferences, so that findings dismissed in the meantime stay dismissed.
  function change(next: (known: readonly string[]) => readonly string[]): Promise<void> {
    const accept = (known: Prefs) => prefsFromAccepted(next(acceptedFromPrefs(known)))
    return record.write((draft) => changePrefs(draft, accept))
  }

  function restore(findings: readonly Finding[]): Promise<void> {
    const gone = new Set(findings.map(acceptance))
    return change((known) => known.filter((each) => !gone.has(each)))
  }

  return {
    isAccepted: useCallback((finding) => accepted.has(acceptance(finding)), [accepted]),
    restore,
    acceptQuietly: (acceptances) => change((known) => [...known, ...acceptances]),
    async accept(...findings) {
      await change((known) => [...known, ...findings.map(acceptance)])
      offerUndo(t('Kept as is'), () => restore(findings))
    },
  }
}
