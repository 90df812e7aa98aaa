/**
 * Taking in what the backend has: what was changed here meanwhile is moved onto it
 * (docs/decisions/0111-edits-are-differences-to-a-base.md).
 */
import { editKey } from './draft.ts'
import type { Draft } from './draft.ts'
import { RULES } from './edits.ts'
import type { KindRules } from './edits.ts'
import type { Edit, Editable, Kind } from './stored.ts'

/**
 * Takes in a thing as the backend has it: asked for, or heard of. What was changed here and not there
 * stays; of what was changed in both places the later stays. News may come late: older ones change
 * nothing.
 */
export function takeIn<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  remote: Editable[K],
): void {
  const rules: KindRules<Editable[K]> = RULES[kind]
  const edit = draft.edit(kind, id)
  const here = rules.get(draft, id)
  const known = edit ? edit.base : (here ?? null)
  if (known !== null && !isNewer(rules, remote, known)) return
  if (!edit || here === undefined) rules.put(draft, id, remote)
  else rebaseEdit(draft, edit, here, remote, knownBase(rules, edit, remote))
}

/** Takes in the backend's answer to what was sent: that much it has now; null: nobody knows. */
export function takeAnswer<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  sent: Editable[K] | null,
  remote: Editable[K],
): void {
  const edit = draft.edit(kind, id)
  const rules: KindRules<Editable[K]> = RULES[kind]
  const here = rules.get(draft, id)
  if (edit && here !== undefined) rebaseEdit(draft, edit, here, remote, sent)
  else rules.put(draft, id, remote)
}

function rebaseEdit<K extends Kind>(
  draft: Draft,
  edit: Edit<K>,
  here: Editable[K],
  remote: Editable[K],
  base: Editable[K] | null,
): void {
  const { kind, id, changedAt } = edit
  const rules: KindRules<Editable[K]> = RULES[kind]
  const next = rebase(rules, { base, here, remote, changedAt })
  const left = rules.changed(remote, next)
  if (left.length === 0) {
    rules.put(draft, id, remote)
    draft.edits.remove(editKey(edit))
    return
  }
  rules.put(draft, id, next)
  const times = Object.entries(changedAt).filter(([part]) => left.includes(part))
  draft.edits.put({ ...edit, base: remote, sent: null, changedAt: Object.fromEntries(times) })
}

/**
 * The thing here, moved onto what the backend has: a part that was changed in one place is as it is
 * there, a part that was changed in both goes to the later change.
 */
function rebase<T>(
  rules: KindRules<T>,
  {
    base,
    here,
    remote,
    changedAt,
  }: {
    readonly base: T | null
    readonly here: T
    readonly remote: T
    readonly changedAt: Readonly<Record<string, number>>
  },
): T {
  const changedHere = base === null ? rules.changed(remote, here) : rules.changed(base, here)
  const changedThere = base === null ? changedHere : rules.changed(base, remote)
  const remoteAt = rules.times(remote)?.updatedAt ?? -Infinity
  const stays = changedHere.filter(
    (part) => !changedThere.includes(part) || (changedAt[part] ?? -Infinity) > remoteAt,
  )
  return rules.withParts(remote, here, stays)
}

/** The base, with what the backend shows to have come through of what was sent. */
function knownBase<K extends Kind>(
  rules: KindRules<Editable[K]>,
  { base, sent }: Edit<K>,
  remote: Editable[K],
): Editable[K] | null {
  if (sent === null || base === null) return sent ?? base
  const lacking = rules.changed(remote, sent)
  return rules.withParts(
    base,
    sent,
    rules.changed(base, sent).filter((part) => !lacking.includes(part)),
  )
}

function isNewer<T>(rules: KindRules<T>, remote: T, known: T): boolean {
  const [there, here] = [rules.times(remote), rules.times(known)]
  // What was saved from here carries this device's times until the backend's come back.
  return !there || !here || there.updatedAt > here.updatedAt || there.createdAt !== here.createdAt
}
