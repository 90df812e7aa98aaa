import type { DateRange } from '@stint/core/time/calendar.ts'
import { createContext, use } from 'react'

/** A figure to explain. */
export interface Question {
  /** The name of the figure: 'This Week', 'Write report'. */
  readonly title: string
  /** What the figure covers, where the name does not say it: '15–21 Nov 2026'. */
  readonly about: string | null
  /** The days that the figure counts; null for the whole history. */
  readonly dates: DateRange | null
  /** The tasks that the figure counts; all when missing. */
  readonly taskIds?: readonly string[]
  /** The sessions that the figure counts, by id, the running one included; all when missing. */
  readonly only?: ReadonlySet<string>
  /** The keys of the tags that the figure counts, '' for sessions without one; all when missing. */
  readonly tags?: readonly string[]
  /** True: the figure excludes the running timer. */
  readonly savedOnly?: boolean
  /** How the figure follows from its sessions. Default: as their sum. */
  readonly reading?: 'sum' | 'count' | 'average'
  /** The figure as a text, where it is none of these: '12 days'. */
  readonly figure?: string
}

/** Opens the explanation of a figure; without a provider, nothing. */
export const ExplainContext = createContext<(question: Question) => void>(() => undefined)

/** Returns a stable function that opens the explanation of a figure. */
export function useExplain(): (question: Question) => void {
  return use(ExplainContext)
}
