/** Signs that the backend was restored from an older backup. */
import type { SystemFields } from '#collections.ts'
import { stampsOf } from '#record/fields.ts'
import type { Stamped } from '#record/fields.ts'
import type { Parts } from '#record/unsent.ts'

import type { Draft, View } from './draft.ts'
import { isEditOf } from './edits.ts'
import { deletesForGood } from './missing-attributes.ts'
import type { Kind } from './stored.ts'

/** Returns by id what the backend had confirmed, and must still have, of what changed since an instant. */
export function confirmedSince(
  view: View,
  kind: 'task' | 'entry',
  instant: number,
): Map<string, Stamped> {
  const { tasks, entries, edits } = view
  const keepsDeleted = !deletesForGood(view)
  const isThere = (thing: Stamped) =>
    keepsDeleted || !('deletedAt' in thing) || thing.deletedAt === null
  const ofKind = edits.all().filter((edit) => isEditOf(kind, edit))
  const bases = new Map<string, Stamped | null>(ofKind.map(({ id, base }) => [id, base]))
  const confirmed = new Map<string, Stamped>()
  for (const thing of kind === 'task' ? tasks.all() : entries.all()) {
    const base = bases.get(thing.id)
    const known = base === undefined ? thing : base
    if (known && known.updatedAt >= instant && isThere(known)) confirmed.set(thing.id, known)
  }
  return confirmed
}

/** Lets the next pull ask for everything: the backend may have lost more than what it shows. */
export function compareAgain(draft: Draft, kind: Kind): void {
  if (kind === 'settings') return
  const pulled = draft.value(kind === 'task' ? 'pull:tasks' : 'pull:time_entries')
  if (pulled?.complete) draft.putValue({ ...pulled, since: new Date(0).toISOString() })
}

/** Returns whether the backend had lost a known thing, and `remote` was created under its id. */
export function isCreatedAgain<T>(parts: Parts<T>, remote: T, known: T): boolean {
  const [news, stamps] = [parts.stamps(remote), parts.stamps(known)]
  return news !== null && stamps !== null && news.createdAt > stamps.createdAt
}

/** Returns whether a document is an earlier state of what the backend had confirmed. */
export function isEarlier(document: SystemFields, known: Stamped): boolean {
  const { createdAt, updatedAt } = stampsOf(document)
  return createdAt === known.createdAt && updatedAt < known.updatedAt
}

/** Returns whether a document is the confirmed one or a later state of it, and was not created anew. */
export function isKept(document: SystemFields, known: Stamped): boolean {
  return stampsOf(document).createdAt === known.createdAt && !isEarlier(document, known)
}
