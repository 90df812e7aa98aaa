import { createContext, use, useState } from 'react'
import type { ReactNode } from 'react'
import type { DateRange } from '@stint/core/time/calendar.ts'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { Dialog } from '#ui/dialog.tsx'
import { ExplanationView } from './explanation-view.tsx'

/** A figure that somebody wants explained. */
export interface Question {
  /** The figure's name: 'This Week', 'Write report'. */
  readonly title: string
  /** What it covers, where the name does not say: '15–21 Nov 2026'. */
  readonly about: string | null
  /** The days it counts; null for the whole history. */
  readonly dates: DateRange | null
  /** The tasks it counts; all when left out. */
  readonly taskIds?: readonly string[]
  /** The running timer is not in it: a session counts once it is saved. */
  readonly savedOnly?: boolean
  /** How the figure comes from its sessions: as their sum unless said otherwise. */
  readonly reading?: 'sum' | 'count' | 'average'
  /** The figure in words, where it is none of these: '12 days'. */
  readonly figure?: string
}

const ExplainContext = createContext<(question: Question) => void>(() => undefined)

/** Opens the dialog that explains a figure; always the same function. */
export function useExplain(): (question: Question) => void {
  return use(ExplainContext)
}

/** Explain this total: every figure within can be opened to see what it is made of. */
export function Explaining({ input, children }: { input: ReportInput; children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null)
  return (
    <ExplainContext value={setQuestion}>
      {children}
      <Dialog
        open={question !== null}
        title={question?.title ?? ''}
        onClose={() => setQuestion(null)}
      >
        {question && <ExplanationView question={question} input={input} />}
      </Dialog>
    </ExplainContext>
  )
}
