/** Asks before sessions are changed that are on a sealed timesheet. */
import type { EntryChange } from '@stint/core/record/entry-change.ts'
import { ENTRY } from '@stint/core/record/time-entry.ts'
import { createRequest } from '#ui/request.ts'

export interface SealedQuestion {
  /** How many of the sessions are sealed. */
  readonly count: number
  readonly answer: (mayChange: boolean) => void
}

/** The open question. features/timesheet asks it. */
export const sealedQuestion = createRequest<SealedQuestion>()

/** What may change without a question: the marks, and what no sheet shows. */
const NOT_SHOWN: readonly string[] = ['invoiced', 'log', 'type']

/** Resolves with whether the changes may be made: true unless sealed sessions change and their owner says no. */
export function maySealedChange(changes: readonly EntryChange[]): boolean | Promise<boolean> {
  const count = changes.filter(changesSealed).length
  if (count === 0) return true
  return new Promise((answer) => {
    sealedQuestion.open({ count, answer })
    // A question that is closed without an answer, as by a sign-out, is a no.
    const unsubscribe = sealedQuestion.subscribe(() => {
      unsubscribe()
      queueMicrotask(() => answer(false))
    })
  })
}

function changesSealed({ before, after }: EntryChange): boolean {
  if (before === null || before.invoiced === null || before.invoiced !== after.invoiced)
    return false
  return ENTRY.differing(before, after).some((part) => !NOT_SHOWN.includes(part))
}
