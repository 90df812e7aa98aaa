/**
 * Edits: what the backend does not have as it is here, as the difference to a base
 * (docs/decisions/0111-edits-are-differences-to-a-base.md). Tasks, entries and settings go the same way.
 */
import { changedParts, ENTRY_PARTS, withParts } from '@stint/core/record/entry-parts.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { Task } from '@stint/core/record/task.ts'
import type { Prefs } from '@stint/core/settings.ts'

import { editKey } from './draft.ts'
import type { Draft } from './draft.ts'
import type { Edit, Editable, Kind, QueuedOperation, SettingsValue } from './stored.ts'

/** The one thing of its kind. */
export const SETTINGS_ID = 'settings'
export const NO_SETTINGS: SettingsValue = { key: 'settings', prefs: {}, saves: 0 }

/** What the rules must know of a kind of thing. */
export interface KindRules<T> {
  readonly get: (draft: Draft, id: string) => T | undefined
  readonly put: (draft: Draft, id: string, thing: T) => void
  /** All parts that it may have, where they are known. */
  readonly parts: readonly string[]
  /** The parts in which they differ. */
  readonly changed: (a: T, b: T) => readonly string[]
  /** The first with these parts of the second. */
  readonly withParts: (thing: T, from: T, parts: readonly string[]) => T
  /** When the backend changed it last, and made it; null where nobody says. */
  readonly times: (thing: T) => { readonly updatedAt: number; readonly createdAt: number } | null
}

const TASK_FIELDS = ['name', 'isActive', 'category', 'goalHours', 'color'] as const

export const RULES: { readonly [K in Kind]: KindRules<Editable[K]> } = {
  task: {
    get: (draft, id) => draft.tasks.get(id),
    put: (draft, _id, task) => draft.tasks.put(task),
    parts: TASK_FIELDS,
    changed: (a, b) => TASK_FIELDS.filter((field) => a[field] !== b[field]),
    withParts: pickFields<Task>,
    times: (task) => task,
  },
  entry: {
    get: (draft, id) => draft.entries.get(id),
    put: (draft, _id, entry) => draft.entries.put(entry),
    parts: ENTRY_PARTS,
    changed: changedParts,
    withParts: (entry, from, parts) =>
      withParts(
        entry,
        from,
        ENTRY_PARTS.filter((part) => parts.includes(part)),
      ),
    times: (entry) => entry,
  },
  settings: {
    get: (draft) => draft.value('settings')?.prefs,
    put: (draft, _id, prefs) => {
      draft.putValue({ ...(draft.value('settings') ?? NO_SETTINGS), prefs })
    },
    parts: [],
    changed: changedNames,
    withParts: pickFields<Prefs>,
    times: () => null,
  },
}

function changedNames(a: Prefs, b: Prefs): string[] {
  const names = Object.keys({ ...a, ...b })
  return names.filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]))
}

function pickFields<T extends object>(thing: T, from: T, names: readonly string[]): T {
  const others = Object.entries(thing).filter(([name]) => !names.includes(name))
  const picked = Object.entries(from).filter(([name]) => names.includes(name))
  // It has the fields that both of them have.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries([...others, ...picked]) as T
}

/** The parts of a thing that the backend does not have as they are here; 'new' when it has none of it. */
export function unsentParts<K extends Kind>(
  { kind, base }: Edit<K>,
  here: Editable[K],
): 'new' | readonly string[] {
  return base === null ? 'new' : RULES[kind].changed(base, here)
}

/**
 * Puts a thing as its owner has it from now on. What the backend lacks of it becomes its edit; what is
 * again as the backend has it leaves none. A refused edit that is changed gets another chance.
 */
export function change<K extends Kind>(
  draft: Draft,
  kind: K,
  id: string,
  next: Editable[K],
  now: number,
  { isHidden = false }: { isHidden?: boolean } = {},
): void {
  const rules: KindRules<Editable[K]> = RULES[kind]
  const before = rules.get(draft, id) ?? null
  const edit = draft.edit(kind, id)
  const base = edit ? edit.base : before
  const touched = before ? rules.changed(before, next) : rules.parts
  if (touched.length === 0) return
  const isBack = base !== null && rules.changed(base, next).length === 0
  // What may have been sent must be taken back there as well.
  if (isBack && !edit?.sent) {
    rules.put(draft, id, base)
    draft.edits.remove(editKey({ kind, id }))
    return
  }
  const changedAt = {
    ...edit?.changedAt,
    ...Object.fromEntries(touched.map((part) => [part, now])),
  }
  rules.put(draft, id, next)
  draft.edits.put({ kind, id, base, sent: edit?.sent ?? null, changedAt, refused: null, isHidden })
}

/** Deletes an entry: it is kept, and counts nowhere. */
export function deleteEntry(draft: Draft, entry: TimeEntry, now: number): void {
  changeEntry(draft, { ...entry, deletedAt: now, updatedAt: now }, now)
}

/** Puts an entry as it is from now on; one that is deleted before the backend has seen it is gone. */
export function changeEntry(draft: Draft, next: TimeEntry, now: number): void {
  const edit = draft.edit('entry', next.id)
  if (edit?.base === null && !edit.sent && next.deletedAt !== null) {
    draft.entries.remove(next.id)
    draft.edits.remove(editKey(edit))
  } else change(draft, 'entry', next.id, next, now)
}

/** The session that an operation is about. */
export function sessionOf({ operation }: Pick<QueuedOperation, 'operation'>): string {
  switch (operation.kind) {
    case 'start':
    case 'pause':
    case 'resume':
      return operation.timer.sessionId
    case 'stop':
      return operation.stopped.sessionId
    case 'restate':
    case 'discard':
      return operation.sessionId
  }
}

/**
 * How many things of the user's are unsaved: a start and a stop of one session are one entry to them. A
 * session that is only to be thrown away counts when there is nothing else.
 */
export function countUnsaved(
  operations: readonly QueuedOperation[],
  edits: readonly Pick<Edit, 'id'>[],
): number {
  const kept = operations.filter(({ operation }) => operation.kind !== 'discard')
  const things = new Set([...kept.map(sessionOf), ...edits.map(({ id }) => id)])
  return things.size > 0 ? things.size : operations.length
}
