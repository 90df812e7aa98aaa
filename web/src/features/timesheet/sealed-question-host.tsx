import { sealedQuestion } from '#hooks/ask-sealed.ts'
import { useRequested } from '#ui/use-requested.ts'

/** Asks before sealed sessions are changed. Every signed-in page has one. */
export function SealedQuestionHost() {
  const { wanted, part } = useRequested(sealedQuestion, () => import('./sealed-question.tsx'))
  return part && <part.SealedQuestion question={wanted} />
}
