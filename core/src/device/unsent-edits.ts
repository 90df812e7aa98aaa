/** The edits that the backend lacks: what is sent next, and what becomes of it with the answer. */
import { sending } from '#record/rebase.ts'
import { continuationId, stoppedFromEntry } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import type { ToSend } from '#record/unsent.ts'

import type { Draft, View } from './draft.ts'
import { editKey } from './draft.ts'
import { change, isEditOf, isHeld, RULES, unsentOf, unsentParts } from './edits.ts'
import { isFromHere } from './entry-news.ts'
import { offerEnds } from './offers.ts'
import { compareAgain } from './restored-backend.ts'
import { giveWay, splitAgain } from './split-again.ts'
import type { Edit, Editable, Kind, Refusal } from './stored.ts'
import { takeAnswer, takeIn } from './take-in.ts'

/**
 * The largest batch of entries. With the longest notes it still stays under the limit of one
 * megabyte per call.
 */
const MAX_TOGETHER = 400

/** An edit together with the local state of its thing. */
export interface UnsentEdit<K extends Kind> {
  readonly edit: Edit<K>
  readonly here: Editable[K]
  readonly parts: ToSend
}

/** Returns the new task to send next, the oldest one, as a list of one, or an empty list. */
export function nextNewTask(view: View): readonly Edit[] {
  return oldestTask(
    view,
    waiting(view).filter(({ base }) => base === null),
  )
}

/**
 * Returns the edits to send next, all of one kind: a task, the settings, or as many entries as fit
 * into one batch. `alone` has the ids of entries that are not sent in a batch.
 */
export function nextEdits(view: View, alone: ReadonlySet<string>): readonly Edit[] {
  const edits = waiting(view)
  const tasks = oldestTask(view, edits)
  if (tasks.length > 0) return tasks
  const settings = edits.filter(({ kind }) => kind === 'settings')
  if (settings.length > 0) return settings
  const together = edits.filter(({ id }) => !alone.has(id))
  return (together.length > 0 ? together : edits).slice(0, MAX_TOGETHER)
}

/**
 * Returns the edit that must be sent before a session that continues an undone stop: the deletion of
 * the stop's entry, which names the session. Of two devices that undo one stop, the one counts whose
 * deletion the backend has first.
 */
export function editsBefore(view: View, sessionId: string): readonly Edit[] {
  return waiting(view).filter(
    ({ kind, id }) => kind === 'entry' && continuationId(view.entries.get(id)) === sessionId,
  )
}

function waiting(view: View): readonly Edit[] {
  return view.edits.all().filter((edit) => !isHeld(edit))
}

function oldestTask(view: View, edits: readonly Edit[]): readonly Edit[] {
  const createdAt = ({ id }: Edit) => view.tasks.get(id)?.createdAt ?? 0
  return edits
    .filter(({ kind }) => kind === 'task')
    .toSorted((a, b) => createdAt(a) - createdAt(b))
    .slice(0, 1)
}

/**
 * Returns the oldest instant (epoch milliseconds) since which others may have changed what the edits
 * of a kind change. It is at most `now`.
 */
export function oldestBase(view: View, kind: 'task' | 'entry', now: number): number {
  const times = view.edits
    .all()
    .filter((edit) => isEditOf(kind, edit))
    .flatMap(({ base, changedAt }) => (base ? [base.updatedAt, ...Object.values(changedAt)] : []))
  return Math.min(now, ...times)
}

/**
 * Records the edits as sent, in their current state. Removes an edit that has nothing to send any
 * more. A lost part whose time counts elsewhere is deleted.
 */
export function claimEdits<K extends Kind>(
  draft: Draft,
  edits: readonly Edit<K>[],
): readonly UnsentEdit<K>[] {
  return edits.flatMap(({ kind, id }) => {
    const known = draft.edit(kind, id)
    if (known) giveWay(draft, known)
    const edit = draft.edit(kind, id)
    const here = RULES[kind].get(draft, id)
    if (!edit) return []
    const parts = here === undefined ? [] : unsentParts(edit, here)
    if (here === undefined || parts.length === 0) {
      draft.edits.remove(editKey(edit))
      return []
    }
    const { sent } = sending(RULES[kind].parts, unsentOf(edit), here)
    draft.edits.put({ ...edit, sent })
    return { edit, here, parts }
  })
}

/**
 * Restores the sent versions from before a batch that was refused as a whole, because the backend has
 * none of it.
 */
export function forgetTry(draft: Draft, unsent: readonly UnsentEdit<'entry'>[]): void {
  for (const { edit } of unsent) {
    const known = draft.edit('entry', edit.id)
    if (known) draft.edits.put({ ...known, sent: edit.sent })
  }
}

/** Takes in the answers, in the order in which the edits were sent. */
export function takeAnswers<K extends Kind>(
  draft: Draft,
  unsent: readonly UnsentEdit<K>[],
  answers: readonly Editable[K][],
  now: number,
): void {
  for (const [index, { edit, here, parts }] of unsent.entries()) {
    const { kind, id } = edit
    const answer = answers[index]
    if (!answer) continue
    // An event may have brought a later change from another device before this answer.
    const isNew = edit.base === null
    if (!isNew || draft.edit(kind, id)?.base) takeAnswer(draft, kind, id, answer)
    if (kind === 'entry' && edit.base !== null && parts !== 'new') {
      // It was written only over its base, so the backend has an earlier state of other parts: it
      // was restored from a backup.
      const lost = RULES[kind].parts
        .differing(edit.base, answer)
        .filter((part) => !parts.some((each) => each === part))
      if (lost.length > 0) compareAgain(draft, kind)
      putAgain(draft, kind, id, { here, answer, again: lost, now })
    }
    if (isNew) {
      // A new thing that already existed came from another device or from an earlier try.
      takeIn(draft, kind, id, answer)
      const step = unsent.filter((other) => isOfOneStep({ edit, here }, other))
      if (step.length > 0 && !isFromHere(edit, answer)) {
        putAgain(draft, kind, id, { here, answer, again: ['times'], now })
        offerLater(draft, id, answer, [here, ...step.map((other) => other.here)])
      }
    }
  }
  // After a restored backup another device may have saved the whole of a split anew.
  const made = unsent.filter(({ edit }) => edit.base === null).map(({ edit }) => edit.id)
  const wholes = unsent.flatMap(({ edit }) => draft.entries.get(edit.id) ?? [])
  splitAgain(draft, made, wholes, now)
}

/**
 * Returns whether an entry was made in the step that changed the times of the other one, as by a
 * split. Both are new if the backend has lost the session. The second half of a split may have been
 * changed since.
 */
function isOfOneStep<K extends Kind>(
  { edit: made, here }: Pick<UnsentEdit<K>, 'edit' | 'here'>,
  { edit, here: other }: Pick<UnsentEdit<K>, 'edit' | 'here'>,
): boolean {
  const madeAt = made.changedAt['times']
  if (madeAt === undefined || made.id === edit.id) return false
  const isSecondHalf =
    isEntry(here) && isEntry(other) && other.startedAt === here.endedAt && edit.base === null
  return isSecondHalf || edit.changedAt['times'] === madeAt
}

/**
 * Offers the work with which another device has saved a session again after all parts of its split
 * from here.
 */
function offerLater(
  draft: Draft,
  id: string,
  answer: Editable[Kind],
  step: readonly Editable[Kind][],
): void {
  const here = draft.entries.get(id)
  if (!here || !isEntry(answer) || answer.sessionId === null) return
  if (here.endedAt >= answer.endedAt) return
  const endedAt = Math.max(...step.filter(isEntry).map((part) => part.endedAt))
  offerEnds(draft, { ...stoppedFromEntry(here), endedAt }, answer)
}

function isEntry(thing: Editable[Kind]): thing is TimeEntry {
  return 'endedAt' in thing
}

interface Again<K extends Kind> {
  /** The thing as it was sent. */
  readonly here: Editable[K]
  readonly answer: Editable[K]
  /** The names of the parts to put again. */
  readonly again: readonly string[]
  readonly now: number
}

/**
 * Puts parts of a thing again as they were sent, unless they were changed since the answer. Of the
 * second half of a session that two devices split, the times that were sent later win. The first half
 * was sent in the same batch, and there they win as well.
 */
function putAgain<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  { here, answer, again, now }: Again<K>,
): void {
  const { parts, get } = RULES[kind]
  const shown = get(draft, id)
  const others = parts.differing(answer, here).filter((part) => again.includes(part))
  const isChanged = shown && parts.differing(shown, answer).some((part) => again.includes(part))
  if (!shown || others.length === 0 || isChanged) return
  change(draft, kind, id, parts.take(shown, here, others), now)
}

/** Keeps edits that the backend will never accept. They are counted and shown. */
export function refuseEdits(draft: Draft, edits: readonly Edit[], refused: Refusal): void {
  for (const each of edits) {
    const edit = draft.edit(each.kind, each.id)
    if (edit) draft.edits.put({ ...edit, refused })
  }
}
