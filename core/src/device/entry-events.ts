/** Edits of saved sessions as events. */
import { entriesOf, isUnreadable, rootOf } from '#log/documents.ts'
import { appended, withEntry } from '#log/edit.ts'
import { idOf } from '#log/event.ts'
import type { Log } from '#log/event.ts'
import { foldState } from '#log/fold.ts'
import { boundaryOf, entryIdOf, projectionOf } from '#log/projection.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { ENTRY } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'

import type { Draft, EventIds, View } from './draft.ts'
import { append, extend, logOf } from './session-log.ts'
import { showTimers } from './shown-timer.ts'

/** Returns whether an entry is edited by events: not if nobody else knows it, nor if its log is unreadable. */
export function isEdited(view: View, id: string): boolean {
  const entry = view.entries.get(id)
  if (!entry || isUnreadable(entry.log)) return false
  const edit = view.edit('entry', id)
  const isNew = edit?.base === null && edit.sent.length === 0
  return entry.log !== null || !isNew
}

/**
 * Appends the events after which entries are as wanted, cuts first. Returns what undoes them, session by session.
 * Changes of entries that are not edited by events are left out.
 */
export function applyToSessions(
  draft: Draft,
  changes: readonly EntryChange[],
): readonly EventIds[] {
  const first = draft.appended.length
  const cutIds = new Map<EntryChange, string>()
  const edited = changes.filter(({ after, cutFrom }) => isEdited(draft, cutFrom ?? after.id))
  for (const each of edited.toSorted((a, b) => a.after.startedAt - b.after.startedAt)) {
    const whole = each.cutFrom === undefined ? undefined : draft.entries.get(each.cutFrom)
    if (!whole) continue
    const sessionId = rootOf(whole)
    const action = { kind: 'cut', to: each.after.startedAt } as const
    const [cut = ''] = append(draft, sessionId, [{ action }])
    cutIds.set(each, entryIdOf(sessionId, cut))
  }
  for (const each of edited) {
    const { before, after } = each
    const here = draft.entries.get(cutIds.get(each) ?? after.id)
    if (!here) continue
    const parts = ENTRY.differing(before ?? here, after).filter((part) => part !== 'log')
    const wanted = ENTRY.take(here, after, parts)
    const by = { device: draft.writer, now: draft.now }
    const id = rootOf(here)
    extend(draft, id, (log) => withEntry(log, boundaryOf(id, here.id, foldState(log)), wanted, by))
  }
  const done = Map.groupBy(draft.appended.slice(first), ({ sessionId }) => sessionId)
  return [...done].map(([sessionId, all]) => ({ sessionId, ids: all.flatMap(({ ids }) => ids) }))
}

/** Makes events not count any more. Returns what undoes that. */
export function undoEvents(draft: Draft, { sessionId, ids }: EventIds): EventIds {
  const undone = append(draft, sessionId, [{ action: { kind: 'undo', of: ids } }])
  showTimers(draft)
  return { sessionId, ids: undone }
}

/**
 * Returns what an undo of these events changes: the entries of their session as the last of the events left them, and
 * as they would be without.
 */
export function undoneBy(view: View, { sessionId, ids }: EventIds): readonly EntryChange[] {
  const log = logOf(view, sessionId)
  const then = log.slice(0, log.findLastIndex((event) => ids.includes(idOf(event))) + 1)
  const by = { device: view.writer, now: 0 }
  const undone = entriesIn(sessionId, appended(then, by, { kind: 'undo', of: ids }))
  return entriesIn(sessionId, then).map((before) => {
    const after = undone.find(({ id }) => id === before.id)
    return { before, after: after ?? { ...before, deletedAt: by.now } }
  })
}

function entriesIn(id: string, log: Log): readonly TimeEntry[] {
  const folded = foldState(log)
  const projection = folded && projectionOf(id, folded)
  return projection ? entriesOf({ id, log, text: '', projection, now: 0 }, () => undefined) : []
}
