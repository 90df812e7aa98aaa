/** What the backend lacks: whether a session is unsent, and how many things are unsaved. */
import { isUnreadable, readLog, rootOf } from '#log/documents.ts'
import { isOf } from '#log/event.ts'
import type { LogEvent } from '#log/event.ts'
import { missingIn } from '#log/join.ts'
import { projectionOf } from '#log/projection.ts'

import type { View } from './draft.ts'
import { missingAttributes } from './missing-attributes.ts'
import { foldOf, isUntried } from './session-log.ts'
import type { Edit, LocalSession, Refusal } from './stored.ts'

/**
 * Returns the number of unsaved things as the user counts them. A session with its entries is one. Settings count
 * only alone, as Track offline changes one. A note that is being typed does not count.
 */
export function countUnsaved(
  view: View,
  isCounted: (thing: { readonly refused: Refusal | null }) => boolean,
): number {
  const sessions = view.sessions
    .all()
    .filter((each) => isCounted(each) && isUnsent(view, each) && !isTypedOn(view, each))
  const edits = view.edits.all().filter(isCounted)
  const roots = edits.flatMap((edit) => (edit.kind === 'settings' ? [] : rootOfEdit(view, edit)))
  const unsaved = new Set([...sessions.map(({ id }) => id), ...roots]).size
  return unsaved > 0 ? unsaved : edits.length
}

/** The counts after each slice and each batch of an import look at all of its edits. A change of an entry makes another one. */
const ROOTS = new WeakMap<Edit, string>()

function rootOfEdit(view: View, edit: Edit): string {
  const known = ROOTS.get(edit)
  if (known !== undefined) return known
  const entry = edit.kind === 'entry' ? view.entries.get(edit.id) : undefined
  const root = entry ? rootOf(entry) : edit.id
  if (entry) ROOTS.set(edit, root)
  return root
}

/** Returns whether the backend lacks something of a session. */
export function isUnsent(view: View, session: LocalSession): boolean {
  const { base, log } = session
  const folded = foldOf(session)
  if (!folded) return false
  // Its entries are sent, and its document is deleted.
  if (!folded.timer || !base) return true
  if (base.state.kind === 'active' && isInTheWay(view, session)) return true
  const hasLog = !missingAttributes(view, 'timer_sessions').includes('log')
  // A session that another device has put aside stays so until something is pressed on it. Otherwise two devices would
  // overwrite each other for ever.
  const isPutAside = base.state.kind === 'unclear'
  if (!isUnreadable(base.log) && (hasLog || isPutAside)) return base.log !== log
  const there = base.state.kind === 'stopped' ? null : base.state.timer
  const here = projectionOf(session.id, folded).session?.timer
  return JSON.stringify(there) !== JSON.stringify(here)
}

/** Returns whether the backend has an active session that is not on the screen, and lacks the timer that is. */
function isInTheWay(view: View, session: LocalSession): boolean {
  const shown = view.value('timer')
  return shown !== undefined && shown.phase !== 'confirmed' && !isShown(view, session)
}

/** Returns whether a session is the timer on the screen. */
export function isShown(view: View, { id }: LocalSession): boolean {
  return view.value('timer')?.timer.sessionId === id
}

/** Returns whether only a note of a session is unsent, and no request has had it, so that it may still be typed on. */
export function isTypedOn(view: View, { id, log, base }: LocalSession): boolean {
  const unsent = missingIn(readLog(log) ?? [], readLog(base?.log ?? null) ?? [])
  const isNote = (event: LogEvent) =>
    isOf(event, 'set') && event.action.field === 'note' && event.device === view.writer
  const last = unsent.at(-1)
  return base !== null && last !== undefined && unsent.every(isNote) && isUntried(view, id, last)
}
