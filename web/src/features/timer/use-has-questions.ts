import { useValue } from '#session/signed-in.ts'

/** Whether the timer has something to ask; what it is, is loaded with what asks it. */
export function useHasQuestions(): boolean {
  const sessionId = useValue('timer')?.timer.sessionId
  const gaps = useValue('gaps')?.gaps ?? []
  const unfinished = useValue('unfinished')
  const offers = useValue('offers')
  return Boolean(unfinished ?? offers) || gaps.some((gap) => gap.sessionId === sessionId)
}
