/** Untracked time and the user's decisions about it, which are stored with the account. */
import {
  decidedGap,
  decidedGapsFromPrefs,
  prefsFromDecidedGaps,
} from '@stint/core/record/decided-gaps.ts'
import type { DecidedGap, GapDecision } from '@stint/core/record/decided-gaps.ts'
import type { Prefs } from '@stint/core/settings.ts'
import { t } from '@stint/core/text.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import { useMemo } from 'react'

import { changePrefs } from '@stint/core/device/edits.ts'
import { useRecord, useValue } from '#session/signed-in.ts'
import { offerUndo } from '#ui/undo.ts'

export interface DecidedGaps {
  readonly decided: readonly DecidedGap[]
  /** Records a decision and offers to undo it. */
  readonly decide: (gap: Interval, decision: GapDecision) => Promise<void>
  /** Removes a decision. */
  readonly remove: (decided: DecidedGap) => Promise<void>
}

/** Returns the decisions and re-renders when they change. */
export function useDecidedGaps(): DecidedGaps {
  const record = useRecord()
  const prefs = useValue('settings')?.prefs
  const decided = useMemo(() => decidedGapsFromPrefs(prefs ?? {}), [prefs])

  // Applied to the current preferences, so that decisions made in the meantime are kept.
  function change(next: (known: readonly DecidedGap[]) => readonly DecidedGap[]): Promise<void> {
    const decideIn = (known: Prefs) => prefsFromDecidedGaps(next(decidedGapsFromPrefs(known)))
    return record.write((draft) => changePrefs(draft, decideIn))
  }

  function remove({ start, end }: Interval): Promise<void> {
    return change((known) => known.filter((each) => each.start !== start || each.end !== end))
  }

  return {
    decided,
    remove,
    async decide(gap, decision) {
      const made = decidedGap(gap, decision)
      await change((known) => [...known, made])
      offerUndo(TOASTS[decision], () => remove(made))
    },
  }
}

const TOASTS = { break: t('Marked as break'), ignored: t('Gap ignored') } as const
