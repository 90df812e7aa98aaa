/** Notes what the owner of a session is asked about, after its log has changed. */
import { foldSession } from '#log/asked.ts'
import type { FoldedSession } from '#log/asked.ts'

import type { Draft } from './draft.ts'
import { logOf } from './session-log.ts'

/** Notes the questions of every session whose log this change has put. */
export function noteQuestions(draft: Draft): void {
  for (const id of draft.settled) noteAsked(draft, id, foldSession(logOf(draft, id)))
}

/** Notes the questions of every session here: at some presses nobody may have noted them. */
export function noteAllQuestions(draft: Draft): void {
  for (const { id } of draft.sessions.all()) draft.settled.add(id)
}

/** Notes what the owner of a session is asked about, if anything. */
export function noteAsked(draft: Draft, sessionId: string, folded: FoldedSession | null): void {
  const known = draft.value('asked')?.questions ?? []
  const others = known.filter((each) => each.sessionId !== sessionId)
  const spans = folded?.asked ?? []
  if (spans.length === 0 && others.length === known.length) return
  const taskId = folded ? (folded.timer?.values.task ?? folded.parts[0]?.values.task ?? '') : ''
  const questions = spans.length === 0 ? others : [...others, { sessionId, taskId, spans }]
  if (questions.length === 0) draft.values.remove('asked')
  else draft.putValue({ key: 'asked', questions })
}
