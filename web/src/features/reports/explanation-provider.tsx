import { createContext, use, useState } from 'react'
import type { ReactNode } from 'react'
import type { DateRange } from '@stint/core/time/calendar.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { Dialog } from '#ui/dialog.tsx'
import { ExplanationView } from './explanation-view.tsx'

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

const ExplainContext = createContext<(question: Question) => void>(() => undefined)

/** Returns a stable function that opens the explanation of a figure. */
export function useExplain(): (question: Question) => void {
  return use(ExplainContext)
}

/** Provides the dialog that explains the figures in `children`. */
export function ExplanationProvider({
  input,
  children,
}: {
  input: ReportInput
  children: ReactNode
}) {
  const [question, setQuestion] = useState<Question | null>(null)
  return (
    <ExplainContext value={setQuestion}>
      {children}
      <Dialog
        open={question !== null}
        title={question?.title ?? ''}
        onClose={() => setQuestion(null)}
      >
        {question && (
          <ExplanationView question={question} input={input} onLeave={() => setQuestion(null)} />
        )}
      </Dialog>
    </ExplainContext>
  )
}
