/** The gaps that the user is asked about. */
import { keepGap, takeOutGap } from '@stint/core/device/questions.ts'
import { isAskedAbout } from '@stint/core/focus/still-working.ts'
import { useAsked } from '#hooks/use-asked.ts'
import { useRecord, useValue } from '#session/signed-in.ts'

export interface GapView {
  readonly start: number
  readonly end: number
  /** Keeps the time, which is also the default. */
  readonly keep: () => Promise<void>
  /** Removes the time from `from` to the gap's end by adding a pause. */
  readonly remove: (from: number) => Promise<void>
}

/**
 * Returns the periods in which the timer ran while this device was off or asleep, but for those that 'Still working?'
 * asks about.
 */
export function useSleepGaps(): readonly GapView[] {
  const record = useRecord()
  const sessionId = useValue('timer')?.timer.sessionId
  const gaps = useValue('gaps')?.gaps ?? []
  const asked = useAsked()
  return gaps
    .filter((gap) => gap.sessionId === sessionId && !isAskedAbout(asked, gap.sessionId, gap))
    .map((gap) => ({
      start: gap.start,
      end: gap.end,
      keep: () => record.write((draft) => keepGap(draft, gap)),
      remove: (from) => record.write((draft) => takeOutGap(draft, gap, from)),
    }))
}
