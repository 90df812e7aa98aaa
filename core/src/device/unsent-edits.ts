/** The edits that the backend lacks: what is sent next, and what becomes of it. */
import { sending } from '#record/rebase.ts'
import { difference } from '#record/unsent.ts'
import type { ToSend } from '#record/unsent.ts'

import type { Draft, View } from './draft.ts'
import { editKey } from './draft.ts'
import { isEditOf, isHeld, RULES } from './edits.ts'
import type { Edit, Editable, Kind, Refusal } from './stored.ts'
import { takeAnswer } from './take-in.ts'

/** The largest batch of entries: with the longest notes it is under a megabyte, the limit of a call. */
const MAX_TOGETHER = 400

/** An edit together with the local state of its thing. */
export interface UnsentEdit<K extends Kind> {
  readonly edit: Edit<K>
  readonly here: Editable[K]
  /** The parts that differ on the backend, or 'new' when the backend does not have the thing. */
  readonly parts: ToSend
}

/** Returns the oldest new task, which is sent next, as a list of one, or an empty list. */
export function nextNewTask(view: View): readonly Edit[] {
  const added = waiting(view).filter(({ base }) => base === null)
  return oldestTask(view, added)
}

/**
 * Returns the edits to send next, all of one kind: a task, the settings, or a batch of entries. `alone` has the ids
 * of entries that are not sent in a batch.
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

/** Returns the instant since which others may have changed what the edits of a kind change, at most `now`. */
export function oldestBase(view: View, kind: 'task' | 'entry', now: number): number {
  let oldest = now
  // An undone import has more edits than a call has room for arguments.
  for (const edit of view.edits.all()) {
    if (!isEditOf(kind, edit) || !edit.base) continue
    oldest = Math.min(oldest, edit.base.updatedAt, ...Object.values(edit.changedAt))
  }
  return oldest
}

/** Records the edits as sent in their present state. Removes those with nothing to send any more. */
export function claimEdits<K extends Kind>(
  draft: Draft,
  edits: readonly Edit<K>[],
): readonly UnsentEdit<K>[] {
  return edits.flatMap(({ kind, id }) => {
    const rules = RULES[kind]
    const edit = draft.edit(kind, id)
    if (!edit) return []
    const here = rules.get(draft, id)
    const parts = here === undefined ? [] : difference(rules.parts, edit, here)
    if (here === undefined || parts.length === 0) {
      draft.edits.remove(editKey(edit))
      return []
    }
    const { sent } = sending(rules.parts, edit, here)
    draft.edits.put({ ...edit, sent })
    return { edit, here, parts }
  })
}

/** Takes in the answers, in the order in which the edits were sent. */
export function takeAnswers<K extends Kind>(
  draft: Draft,
  unsent: readonly UnsentEdit<K>[],
  answers: readonly Editable[K][],
): void {
  for (const [index, { edit }] of unsent.entries()) {
    const answer = answers[index]
    if (answer) takeAnswer(draft, edit.kind, edit.id, answer)
  }
}

/** Keeps edits that the backend will never accept. */
export function refuseEdits(draft: Draft, edits: readonly Edit[], refused: Refusal): void {
  for (const each of edits) {
    const edit = draft.edit(each.kind, each.id)
    if (edit) draft.edits.put({ ...edit, refused })
  }
}
