import { t } from '@stint/core/text.ts'
import { sessionDay } from '@stint/core/time/calendar.ts'
import { useId } from 'react'

import { useDayRule } from '#hooks/use-settings.ts'
import { useFormats } from '#hooks/use-formats.ts'
import { useLocalTasks } from '#session/signed-in.ts'
import { Button } from '#ui/button.tsx'
import { Name } from '#ui/name.tsx'

import { useNow } from '#hooks/use-now.ts'
import { useQuestions } from './use-questions.ts'
import type { QuestionView } from './use-questions.ts'

/** Cards that ask about time that a device showed as worked and that does not count. */
export function QuestionCards() {
  return useQuestions().map((question) => (
    <QuestionCard key={question.sessionId} question={question} />
  ))
}

function QuestionCard({ question }: { question: QuestionView }) {
  const tasks = useLocalTasks()
  const now = useNow()
  const dayRule = useDayRule()
  const id = useId()
  const { clockTime, duration: durationOf } = useFormats()
  const { taskId, spans, seconds, answer } = question
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last) return null
  const start = clockTime(first.start, dayRule.timeZone)
  const end = clockTime(last.end, dayRule.timeZone)
  const duration = seconds < 60 ? t('{seconds} s', { seconds }) : durationOf(seconds)
  const day = sessionDay(first.start, now, dayRule)

  return (
    <section
      // Two may ask about as much time.
      aria-labelledby={`${id} ${id}-task ${id}-when`}
      className="flex animate-appear flex-col gap-3 rounded-panel border border-paused/50 bg-surface p-5"
    >
      <div className="flex min-w-0 flex-col gap-1">
        <h2 id={id} className="text-sm font-semibold text-paused">
          {t('Did you work for {duration}?', { duration })}
        </h2>
        <div id={`${id}-task`}>
          <Name
            text={tasks.find((task) => task.id === taskId)?.name ?? t('Unknown task')}
            className="text-base font-semibold"
          />
        </div>
        <p className="figures text-sm text-quiet">
          <span id={`${id}-when`}>{t('{day} {start} – {end}.', { day, start, end })}</span>{' '}
          {t('A timer ran on one of your devices, but this time isn’t counted yet.')}
        </p>
      </div>
      <div className="flex flex-col gap-2 md:flex-row">
        <Button variant="secondary" onClick={() => void answer(true)}>
          {t('Count {duration}', { duration })}
        </Button>
        <Button variant="quiet" onClick={() => void answer(false)}>
          {t('Leave out')}
        </Button>
      </div>
    </section>
  )
}
