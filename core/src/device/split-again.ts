/** Splits that met a whole session again after the backend was restored from a backup. */
import { editEntry } from '#record/entry-edit.ts'
import type { TimeEntry } from '#record/time-entry.ts'

import type { Draft } from './draft.ts'
import { changeEntry } from './edits.ts'

/**
 * Splits sessions again of which these second halves are sent again. Another device that had not
 * heard of the split may have saved or changed the whole session since. `wholes` are the entries
 * that may be such sessions. Only timed sessions are split again: entries that were typed or
 * imported may overlap as their owner wants.
 */
export function splitAgain(
  draft: Draft,
  halfIds: readonly string[],
  wholes: readonly TimeEntry[],
  now: number,
): void {
  const halves = halfIds
    .flatMap((id) => draft.entries.get(id) ?? [])
    .filter((each) => each.sessionId === null && each.deletedAt === null && isTimed(each))
    // The last half comes first, because the one before it ends where it begins.
    .toSorted((a, b) => b.startedAt - a.startedAt)
  for (const { taskId, startedAt, endedAt } of halves) {
    const whole = wholes
      .flatMap(({ id }) => draft.entries.get(id) ?? [])
      .find(
        (each) =>
          each.endedAt === endedAt &&
          each.startedAt < startedAt &&
          each.taskId === taskId &&
          each.sessionId !== null &&
          each.deletedAt === null &&
          isTimed(each),
      )
    if (whole) changeEntry(draft, editEntry(whole, { endedAt: startedAt }, now).after, now)
  }
}

function isTimed({ entryType }: TimeEntry): boolean {
  return entryType === 'timer'
}
