import { sealedQuestion } from '#hooks/ask-sealed.ts'
import type { SealedQuestion as Question } from '#hooks/ask-sealed.ts'
import { t } from '@stint/core/text.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'

/** Asks before sessions are changed that are on a sealed timesheet. */
export function SealedQuestion({ question }: { question: Question }) {
  const answer = (mayChange: boolean) => {
    sealedQuestion.close()
    question.answer(mayChange)
  }
  return (
    <Dialog
      open
      title={t('Change what was sealed?')}
      onClose={() => answer(false)}
      actions={
        <>
          <Button variant="primary" onClick={() => answer(true)}>
            {t('Change anyway')}
          </Button>
          <Button variant="quiet" onClick={() => answer(false)}>
            {t('Cancel')}
          </Button>
        </>
      }
    >
      <p>
        {t(
          '{count, plural, one {This session is on a sealed timesheet, which then lists the change as a difference.} other {# of these sessions are on a sealed timesheet, which then lists the changes as differences.}}',
          { count: question.count },
        )}
      </p>
    </Dialog>
  )
}
