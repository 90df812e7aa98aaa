/** Edits of saved sessions as events: what the editor, a bulk edit or a proposal wants of an entry. */
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

import type { Draft } from './draft.ts'
import { append, extend, logOf } from './session-log.ts'
import { showTimers } from './shown-timer.ts'

/** Events of one session that an undo makes not count. */
export interface UndoneEvents {
  readonly sessionId: string
  readonly ids: readonly string[]
}

type View = Pick<Draft, 'sessions' | 'entries'>

/**
 * Returns whether an entry is edited by events. One that was made here and never sent is nobody else's,
 * and a log that this version cannot read is left alone.
 */
export function isEdited(draft: View & Pick<Draft, 'edit'>, id: string): boolean {
  const entry = draft.entries.get(id)
  if (!entry || isUnreadable(entry.log)) return false
  const edit = draft.edit('entry', id)
  const isNew = edit?.base === null && edit.sent.length === 0
  return entry.log !== null || !isNew
}

/**
 * Appends the events after which entries are as wanted, cuts first. Returns what undoes them, session by
 * session. Changes of entries that are not edited by events are left out.
 */
export function applyToSessions(
  draft: Draft,
  changes: readonly EntryChange[],
  now: number,
): readonly UndoneEvents[] {
  const first = draft.appended.length
  const cutIds = new Map<EntryChange, string>()
  const edited = changes.filter(({ after, cutFrom }) => isEdited(draft, cutFrom ?? after.id))
  for (const each of edited.toSorted((a, b) => a.after.startedAt - b.after.startedAt)) {
    const { after, cutFrom } = each
    const whole = draft.entries.get(cutFrom ?? after.id)
    if (!whole || cutFrom === undefined) continue
    const sessionId = rootOf(whole)
    const [cut = ''] = append(
      draft,
      sessionId,
      [{ action: { kind: 'cut', to: after.startedAt } }],
      now,
    )
    cutIds.set(each, entryIdOf(sessionId, cut))
  }
  for (const each of edited) {
    const { before, after } = each
    const here = draft.entries.get(cutIds.get(each) ?? after.id)
    if (!here) continue
    const parts = ENTRY.differing(before ?? here, after).filter((part) => part !== 'log')
    const wanted = ENTRY.take(here, after, parts)
    const by = { device: draft.writer, now }
    const withWanted = (log: Log) => withEntry(log, boundaryOf(log, here), wanted, by)
    extend(draft, rootOf(here), withWanted, now)
  }
  const done = draft.appended.slice(first)
  return [...new Set(done.map(({ sessionId }) => sessionId))].map((sessionId) => ({
    sessionId,
    ids: done.flatMap((each) => (each.sessionId === sessionId ? each.ids : [])),
  }))
}

/** Makes events not count any more. Returns what undoes that. */
export function undoEvents(
  draft: Draft,
  { sessionId, ids }: UndoneEvents,
  now: number,
): UndoneEvents {
  const undone = append(draft, sessionId, [{ action: { kind: 'undo', of: ids } }], now)
  showTimers(draft, now)
  return { sessionId, ids: undone }
}

/**
 * Returns whether an undo of these events would take a later change with it, or undo what is not as they left
 * it: something else counts now of what they changed.
 */
export function isUndoOutdated(draft: View, { sessionId, ids }: UndoneEvents): boolean {
  const log = logOf(draft, sessionId)
  const last = log.findLastIndex((event) => ids.includes(idOf(event)))
  const [then, now] = [
    new Set(countingEvents(log.slice(0, last + 1))),
    new Set(countingEvents(log)),
  ]
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
  if (here.boundary !== null && there.boundary !== null && here.boundary !== there.boundary)
    return false
  // A part that goes takes everything along, and nothing of a part that went is changed any more.
  const deletes = isRedo ? isOf(event, 'delete', 'discard') : isOf(event, 'cut', 'restore')
  const isSame = here.what === there.what || there.what === 'deletion'
  return there.what !== 'nothing' && (deletes || isSame)
}

/** What an event changes, and of which part. Times are those of all parts. */
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
