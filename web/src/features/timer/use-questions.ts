/** What the user is asked about sessions: time that a device showed as worked and that does not count. */
import { answerQuestion, openQuestions, secondsAsked } from '@stint/core/device/questions.ts'
import type { Question } from '@stint/core/device/stored.ts'
import { useRecord, useValue } from '#session/signed-in.ts'

export interface QuestionView extends Question {
  readonly seconds: number
  /** Answers that the time counts, or that it does not. Every device then has the answer. */
  readonly answer: (isWork: boolean) => Promise<void>
}

/** Returns the open questions, oldest first. */
export function useQuestions(): readonly QuestionView[] {
  const record = useRecord()
  useValue('asked')
  useValue('banner')
  return openQuestions(record.view).map((question) => ({
    ...question,
    seconds: secondsAsked(question),
    answer: (isWork) => record.write((draft) => answerQuestion(draft, question, isWork)),
  }))
}
