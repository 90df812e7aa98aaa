/** Edits of saved sessions as events. */
import { isUnreadable, rootOf } from '#log/documents.ts'
import { withEntry } from '#log/edit.ts'
import { idOf, isOf } from '#log/event.ts'
import type { Log, LogEvent } from '#log/event.ts'
import { foldState } from '#log/fold.ts'
import { countingEvents } from '#log/order.ts'
import { entryIdOf } from '#log/projection.ts'
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
    const withWanted = (log: Log) => withEntry(log, boundaryOf(log, here), wanted, by)
    extend(draft, rootOf(here), withWanted)
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

/** Returns whether an undo of these events would undo a later change as well. */
export function isUndoOutdated(view: View, { sessionId, ids }: EventIds): boolean {
  const log = logOf(view, sessionId)
  const last = log.findLastIndex((event) => ids.includes(idOf(event)))
  const then = new Set(countingEvents(log.slice(0, last + 1)))
  const now = new Set(countingEvents(log))
  const since = log.filter((event) => then.has(event) !== now.has(event))
  const done = log.filter((event) => ids.includes(idOf(event)))
  return done.some((event) => since.some((later) => isLost(log, event, later)))
}

/** Returns whether the undo of an event changes what a later one has changed. */
function isLost(log: Log, event: LogEvent, later: LogEvent, isRedo = false): boolean {
  if (isOf(event, 'undo')) {
    const again = log.filter((each) => event.action.of.includes(idOf(each)))
    return event === later || again.some((each) => isLost(log, each, later, !isRedo))
  }
  const [here, there] = [subjectOf(event), subjectOf(later)]
  const boundaries = new Set([here.boundary, there.boundary])
  if (boundaries.size === 2 && !boundaries.has(null)) return false
  // With a part goes everything that was changed of it.
  const deletes = isRedo ? isOf(event, 'delete', 'discard') : isOf(event, 'cut', 'restore')
  const isSame = here.what === there.what || there.what === 'deletion'
  return there.what !== 'nothing' && (deletes || isSame)
}

/** What an event changes, and of which part: null for all parts. */
interface Subject {
  readonly what: 'times' | 'task' | 'note' | 'deletion' | 'nothing'
  readonly boundary: string | null
}

function subjectOf(event: LogEvent): Subject {
  const { action } = event
  switch (action.kind) {
    case 'set':
      return { what: action.field, boundary: action.boundary }
    case 'delete':
    case 'restore':
      return { what: 'deletion', boundary: action.boundary }
    case 'discard':
    case 'fail':
      return { what: 'deletion', boundary: null }
    case 'cut':
      return { what: 'times', boundary: idOf(event) }
    case 'undo':
    case 'showed':
      return { what: 'nothing', boundary: null }
    default:
      return { what: 'times', boundary: null }
  }
}

function boundaryOf(log: Log, entry: TimeEntry): string {
  const sessionId = rootOf(entry)
  const parts = foldState(log)?.parts ?? []
  return parts.find(({ boundary }) => entryIdOf(sessionId, boundary) === entry.id)?.boundary ?? ''
}
