/** What a line may mean when several tasks fit it: the tasks that the server found, or a new one. */
import { startChoices } from '@stint/core/record/start-line.ts'

import type { NamedTask, Start } from '#api.ts'

/** One thing to start. */
export interface Choice {
  readonly name: string
  readonly isNew: boolean
  readonly start: Start
}

/**
 * Returns the choices of a line, the best first, read as the app reads it: its tags and its time stay with each.
 * @param found the tasks that fit.
 */
export function choicesOf(line: string, found: readonly NamedTask[]): Choice[] {
  if (found.length === 0) return []
  const context = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, now: Date.now() }
  return startChoices(line, found, context)
    .choices.filter(({ endedAt }) => endedAt === null)
    .map(({ taskId, name, category, note, startedAt }) => {
      const rest = {
        ...(note === null ? {} : { note }),
        ...(startedAt === null ? {} : { at: new Date(startedAt).toISOString() }),
      }
      const isNew = taskId === null
      const added = category === null ? {} : { category }
      const start = isNew ? { newTask: name, ...added, ...rest } : { taskId, ...rest }
      return { name, isNew, start }
    })
}
