import { useValue } from '#session/signed-in.ts'

/** Returns whether the timer has questions. The code that asks them is loaded only then. */
export function useHasQuestions(): boolean {
  const sessionId = useValue('timer')?.timer.sessionId
  const gaps = useValue('gaps')?.gaps ?? []
  const unfinished = useValue('unfinished')
  const offers = useValue('offers')
  return Boolean(unfinished ?? offers) || gaps.some((gap) => gap.sessionId === sessionId)
}
