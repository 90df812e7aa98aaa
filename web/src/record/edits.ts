/**
 * Edits: what the backend does not have as it is here, as the difference to a base
 * (docs/decisions/0111-edits-are-differences-to-a-base.md). Tasks, entries and settings go the same way.
 */
import { difference, edited } from '@stint/core/record/unsent.ts'
import type { Parts, ToSend, Unsent } from '@stint/core/record/unsent.ts'
import { TASK } from '@stint/core/record/task.ts'
import { ENTRY } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import { PREFS } from '@stint/core/settings.ts'
import type { Prefs } from '@stint/core/settings.ts'

import { editKey } from './draft.ts'
import type { Draft } from './draft.ts'
import type { Edit, Editable, Kind, QueuedOperation, SettingsValue } from './stored.ts'

/** The one thing of its kind. */
export const SETTINGS_ID = 'settings'
export const NO_SETTINGS: SettingsValue = { key: 'settings', prefs: {}, saves: 0 }

/** How a kind of thing is compared, and where it is kept. */
interface KindRules<T> {
  readonly parts: Parts<T>
  readonly get: (draft: Draft, id: string) => T | undefined
  readonly put: (draft: Draft, id: string, thing: T) => void
  /** The part that marks it as deleted, where it is; null: it is not deleted. */
  readonly deletion: (thing: T) => string | null
}

export const RULES: { readonly [K in Kind]: KindRules<Editable[K]> } = {
  task: {
    parts: TASK,
    get: (draft, id) => draft.tasks.get(id),
    put: (draft, _id, task) => draft.tasks.put(task),
    deletion: ({ isActive }) => (isActive ? null : 'isActive'),
  },
  entry: {
    parts: ENTRY,
    get: (draft, id) => draft.entries.get(id),
    put: (draft, _id, entry) => draft.entries.put(entry),
    // One of no length was deleted by nobody: there was nothing to save.
    deletion: ({ deletedAt, durationSeconds }) =>
      deletedAt === null || durationSeconds === 0 ? null : 'deletion',
  },
  settings: {
    parts: PREFS,
    get: (draft) => draft.value('settings')?.prefs,
    put: (draft, _id, prefs) => {
      draft.putValue({ ...(draft.value('settings') ?? NO_SETTINGS), prefs })
    },
    deletion: () => null,
  },
}

/** Whether an edit is of that kind. */
export function isEditOf<K extends Kind>(kind: K, edit: Edit): edit is Edit<K> {
  return edit.kind === kind
}

/** What an edit keeps beside its thing, as the rules of core have it. */
export function unsentOf<K extends Kind>({ base, sent, changedAt }: Edit<K>): Unsent<Editable[K]> {
  return { base, changedAt, sent }
}

/** The parts of a thing that the backend does not have as they are here; 'new' when it has none of it. */
export function unsentParts<K extends Kind>(edit: Edit<K>, here: Editable[K]): ToSend {
  const rules: KindRules<Editable[K]> = RULES[edit.kind]
  return difference(rules.parts, unsentOf(edit), here)
}

/** Keeps what is unsent of a thing; null: nothing is any more. */
export function keepUnsent<K extends Kind>(
  draft: Draft,
  edit: Pick<Edit<K>, 'kind' | 'id' | 'refused' | 'isHidden'>,
  unsent: Unsent<Editable[K]> | null,
): void {
  if (unsent === null) draft.edits.remove(editKey(edit))
  else draft.edits.put({ ...edit, ...unsent })
}

/**
 * Puts a thing as its owner has it from now on. What the backend lacks of it becomes its edit; what is
 * again as the backend has it leaves none. A refused edit that is changed gets another chance.
 */
export function change<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  after: Editable[K],
  now: number,
  { isHidden = false }: { isHidden?: boolean } = {},
): void {
  const { parts, get, put }: KindRules<Editable[K]> = RULES[kind]
  const before = get(draft, id) ?? null
  if (before !== null && parts.differing(before, after).length === 0) return
  const edit = draft.edit(kind, id)
  const { value, unsent } = edited(parts, edit ? unsentOf(edit) : null, { before, after, now })
  put(draft, id, value)
  keepUnsent(draft, { kind, id, refused: null, isHidden }, unsent)
}

/**
 * Changes preferences. What follows from those that are there is asked for as they are written: a list
 * that two presses add to keeps both.
 */
export function changePrefs(
  draft: Draft,
  changes: Prefs | ((known: Prefs) => Prefs),
  now: number,
): void {
  const settings = draft.value('settings') ?? NO_SETTINGS
  const { prefs } = settings
  const next = typeof changes === 'function' ? changes(prefs) : changes
  // Before the first pull there are none, and what is not changed is as the account has it.
  if (!draft.value('settings')) draft.putValue(settings)
  change(draft, 'settings', SETTINGS_ID, { ...prefs, ...next }, now)
}

/** Deletes an entry: it is kept, and counts nowhere. */
export function deleteEntry(draft: Draft, entry: TimeEntry, now: number): void {
  changeEntry(draft, { ...entry, deletedAt: now, updatedAt: now }, now)
}

/** Puts an entry as it is from now on; one that is deleted before the backend has seen it is gone. */
export function changeEntry(draft: Draft, next: TimeEntry, now: number): void {
  const edit = draft.edit('entry', next.id)
  if (edit?.base === null && edit.sent.length === 0 && next.deletedAt !== null) {
    draft.entries.remove(next.id)
    draft.edits.remove(editKey(edit))
  } else change(draft, 'entry', next.id, next, now)
}

/** Whether it was refused and waits for its owner: it is not sent by itself. */
export function isHeld({ refused }: Pick<Edit, 'refused'>): boolean {
  return refused !== null && !refused.isRetried
}

/** The session that an operation is about. */
export function sessionOf({ operation }: Pick<QueuedOperation, 'operation'>): string {
  switch (operation.kind) {
    case 'start':
      return operation.timer.sessionId
    case 'stop':
      return operation.stopped.sessionId
    case 'press':
    case 'discard':
      return operation.sessionId
  }
}

/**
 * How many things of the user's are unsaved: a start and a stop of one session are one entry to them. A
 * session that is only to be thrown away counts when there is nothing else, and so do settings: Track
 * offline changes one by itself.
 */
export function countUnsaved(
  operations: readonly QueuedOperation[],
  edits: readonly Pick<Edit, 'kind' | 'id'>[],
): number {
  const kept = operations.filter(({ operation }) => operation.kind !== 'discard')
  const things = edits.filter(({ kind }) => kind !== 'settings').map(({ id }) => id)
  const unsaved = new Set([...kept.map(sessionOf), ...things]).size
  return unsaved > 0 ? unsaved : Math.max(operations.length, edits.length)
}
