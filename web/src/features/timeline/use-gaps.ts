/** Untracked time, and what its owner decided about it: with the account, on every device. */
import {
  decidedGap,
  decidedGapsFromPrefs,
  prefsFromDecidedGaps,
} from '@stint/core/record/decided-gaps.ts'
import type { DecidedGap, GapDecision } from '@stint/core/record/decided-gaps.ts'
import type { Prefs } from '@stint/core/settings.ts'
import type { Interval } from '@stint/core/time/instant.ts'
import { useMemo } from 'react'

import { changePrefs } from '#record/edits.ts'
import { useRecord, useValue } from '#session/signed-in.ts'
import { offerUndo } from '#ui/undo.ts'

export interface DecidedGaps {
  readonly decided: readonly DecidedGap[]
  /** Decides, and offers to take it back. */
  readonly decide: (gap: Interval, decision: GapDecision) => Promise<void>
  /** Takes a decision back. */
  readonly takeBack: (decided: DecidedGap) => Promise<void>
}

/** The decisions, live. */
export function useDecidedGaps(): DecidedGaps {
  const record = useRecord()
  const prefs = useValue('settings')?.prefs
  const decided = useMemo(() => decidedGapsFromPrefs(prefs ?? {}), [prefs])

  // What was decided meanwhile, here or on another device, stays.
  function change(next: (known: readonly DecidedGap[]) => readonly DecidedGap[]): Promise<void> {
    const decideIn = (known: Prefs) => prefsFromDecidedGaps(next(decidedGapsFromPrefs(known)))
    return record.write((draft, now) => changePrefs(draft, decideIn, now))
  }

  function takeBack({ start, end }: Interval): Promise<void> {
    return change((known) => known.filter((each) => each.start !== start || each.end !== end))
  }

  return {
    decided,
    takeBack,
    async decide(gap, decision) {
      const made = decidedGap(gap, decision)
      await change((known) => [...known, made])
      offerUndo(SAID[decision], () => takeBack(made))
    },
  }
}

const SAID = { break: 'Marked as break', ignored: 'Gap ignored' } as const
