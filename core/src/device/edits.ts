/**
 * Edits: local changes of tasks, entries and settings that the backend does not have yet, as differences to a base
 * (docs/decisions/0014-edits-to-a-base.md).
 */
import { edited } from '#record/unsent.ts'
import type { Parts, Rebased } from '#record/unsent.ts'
import { TASK } from '#record/task.ts'
import { ENTRY } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { PREFS } from '#settings.ts'
import type { Prefs } from '#settings.ts'

import { editKey } from './draft.ts'
import type { Draft } from './draft.ts'
import type { Edit, Editable, Kind, ValueOf } from './stored.ts'

/** The id of the settings, which exist once per record. */
export const SETTINGS_ID = 'settings'
export const NO_SETTINGS: ValueOf<'settings'> = { key: 'settings', prefs: {}, saves: 0 }

/** How a kind of thing is compared, and where it is kept. */
interface KindRules<T> {
  readonly parts: Parts<T>
  readonly get: (draft: Draft, id: string) => T | undefined
  readonly put: (draft: Draft, id: string, thing: T) => void
}

export const RULES: { readonly [K in Kind]: KindRules<Editable[K]> } = {
  task: {
    parts: TASK,
    get: (draft, id) => draft.tasks.get(id),
    put: (draft, _id, task) => draft.tasks.put(task),
  },
  entry: {
    parts: ENTRY,
    get: (draft, id) => draft.entries.get(id),
    put: (draft, _id, entry) => draft.entries.put(entry),
  },
  settings: {
    parts: PREFS,
    get: (draft) => draft.value('settings')?.prefs,
    put: (draft, _id, prefs) => {
      draft.putValue({ ...(draft.value('settings') ?? NO_SETTINGS), prefs })
    },
  },
}

/** Returns whether an edit is of the given kind. */
export function isEditOf<K extends Kind>(kind: K, edit: Edit): edit is Edit<K> {
  return edit.kind === kind
}

/** Puts a merged or changed thing, with its edit if anything is unsent. A kind and an id alone are a new edit. */
export function keep<K extends Kind>(
  draft: Draft,
  edit: Pick<Edit<K>, 'kind' | 'id'> & Partial<Edit<K>>,
  { value, unsent }: Pick<Rebased<Editable[K]>, 'value' | 'unsent'>,
): void {
  const rules: KindRules<Editable[K]> = RULES[edit.kind]
  rules.put(draft, edit.id, value)
  if (unsent === null) return draft.edits.remove(editKey(edit))
  const { base, changedAt, sent } = unsent
  draft.edits.put({ refused: null, isHidden: false, ...edit, base, changedAt, sent })
}

/** Puts a thing as changed here, with its edit if it differs from the base. A refused edit is sent again. */
export function change<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  after: Editable[K],
  isHidden = false,
): void {
  const { parts, get }: KindRules<Editable[K]> = RULES[kind]
  const before = get(draft, id) ?? null
  if (before !== null && parts.differing(before, after).length === 0) return
  const edit = draft.edit(kind, id) ?? null
  keep(draft, { kind, id, isHidden }, edited(parts, edit, { before, after, now: draft.now }))
}

/** Changes preferences. A function receives them as they are at the write. Undefined removes a preference. */
export function changePrefs(draft: Draft, changes: Prefs | ((known: Prefs) => Prefs)): void {
  const settings = draft.value('settings') ?? NO_SETTINGS
  const { prefs } = settings
  const next = typeof changes === 'function' ? changes(prefs) : changes
  // Before the first pull nothing is here, and what is not changed stays as the account has it.
  draft.putValue(settings)
  const all = Object.entries({ ...prefs, ...next }).filter(([, value]) => value !== undefined)
  change(draft, 'settings', SETTINGS_ID, Object.fromEntries(all))
}

/** Puts a changed entry. A new one that was never sent, nor lost by the backend, is removed when deleted. */
export function changeEntry(draft: Draft, next: TimeEntry): void {
  const edit = draft.edit('entry', next.id)
  const isNew = edit?.base === null && edit.changedAt['times'] !== undefined
  if (isNew && edit.sent.length === 0 && next.deletedAt !== null) {
    draft.entries.remove(next.id)
    draft.edits.remove(editKey(edit))
  } else change(draft, 'entry', next.id, next)
}

/** Returns whether an item was refused and is not sent before its owner presses Retry. */
export function isHeld({ refused }: Pick<Edit, 'refused'>): boolean {
  return refused !== null && !refused.isRetried
}
