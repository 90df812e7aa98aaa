import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ReportInput } from '@stint/core/reports/report-input.ts'
import { ExplainContext } from '#hooks/use-explain.ts'
import type { Question } from '#hooks/use-explain.ts'
import { Dialog } from '#ui/dialog.tsx'
import { ExplanationView } from './explanation-view.tsx'

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
