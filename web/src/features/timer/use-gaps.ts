/** The gaps that their owner is asked about. */
import { keepGap, takeOutGap } from '#record/questions.ts'
import { useRecord, useValue } from '#session/signed-in.ts'

export interface GapView {
  readonly start: number
  readonly end: number
  /** The time counts: what is also true while nobody decides. */
  readonly keep: () => Promise<void>
  /** The time from `from` to the gap's end is taken out, as a pause. */
  readonly takeOut: (from: number) => Promise<void>
}

/** Stretches in which the timer ran while this device was closed or asleep. */
export function useGaps(): readonly GapView[] {
  const record = useRecord()
  const sessionId = useValue('timer')?.timer.sessionId
  const gaps = useValue('gaps')?.gaps ?? []
  return gaps
    .filter((gap) => gap.sessionId === sessionId)
    .map((gap) => ({
      start: gap.start,
      end: gap.end,
      keep: () => record.write((draft) => keepGap(draft, gap)),
      takeOut: (from) => record.write((draft) => takeOutGap(draft, gap, from)),
    }))
}
