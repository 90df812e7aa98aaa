import { useValue } from '#session/signed-in.ts'

/** Returns whether the timer has questions. The code that asks them is loaded only then. */
export function useHasQuestions(): boolean {
  const sessionId = useValue('timer')?.timer.sessionId
  const gaps = useValue('gaps')?.gaps ?? []
  const unfinished = useValue('unfinished')
  const asked = useValue('asked')
  return Boolean(unfinished ?? asked) || gaps.some((gap) => gap.sessionId === sessionId)
}
