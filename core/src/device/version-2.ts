/**
 * The work in the outbox of version 2 of the database, as timer operations and edits. Remove this file
 * when nobody can have version 2 any more.
 */
import {
  isBoolean,
  isFields,
  isId,
  isListOf,
  isNullOr,
  isNumber,
  isObject,
  isOneOf,
  isTagged,
  isText,
} from '#guards.ts'
import type { Guarded } from '#guards.ts'
import { isTask, newTask, TASK_FIELDS } from '#record/task.ts'
import { entryFromStopped, isEntry } from '#record/time-entry.ts'
import type { EntryPart, TimeEntry } from '#record/time-entry.ts'

import type { Draft } from './draft.ts'
import { NO_SETTINGS, RULES, SETTINGS_ID } from './edits.ts'
import { isActiveTimer, isPrefs } from './stored.ts'
import type { Editable, Kind, Refusal } from './stored.ts'
import { isOldOperation, pressesFrom } from './version-30.ts'

const isItem = isObject({
  work: isFields,
  addedAt: isNumber,
  attempts: isNumber,
  refused: isNullOr(isText),
})
type Item = Guarded<typeof isItem>

/** The parts that version 2 knew. A newer part has no place here. */
const ENTRY_PARTS = ['times', 'task', 'note', 'type', 'deletion'] as const
const isPartList = isListOf(isOneOf(...ENTRY_PARTS))
const isUnsavedEntry = isObject({
  id: isId,
  parts: (value): value is 'new' | readonly EntryPart[] => value === 'new' || isPartList(value),
})

/** Work other than the timer operations that kept their form. */
const isWork = isTagged('kind', {
  update: { action: isOneOf('pause', 'resume'), timer: isActiveTimer },
  'save-entries': { entries: isListOf(isUnsavedEntry) },
  'delete-entry': { entryId: isId, deletedAt: isNumber },
  'create-task': { taskId: isId, name: isId },
  'update-task': { taskId: isId, changes: isFields },
  'set-task-active': { taskId: isId, isActive: isBoolean },
  'save-prefs': { changes: isPrefs },
})

/** Turns an item of the outbox into operations or edits. Returns false when it cannot be read. */
export function takeOver(draft: Draft, item: unknown): boolean {
  return isItem(item) && takeOverItem(draft, item)
}

function takeOverItem(draft: Draft, item: Item): boolean {
  const work = isWork(item.work) ? item.work : null
  const operation = work?.kind === 'update' ? { kind: work.action, timer: work.timer } : item.work
  if (isOldOperation(operation)) {
    for (const each of pressesFrom(operation, draft.value('timer')?.timer, item.addedAt)) {
      draft.addOperation(each)
      const queued = draft.operations.all().at(-1)
      if (queued)
        draft.operations.put({ ...queued, attempts: item.attempts, refused: refusalOf(item) })
    }
    return true
  }
  switch (work?.kind) {
    case 'save-entries':
      for (const unsaved of work.entries) {
        const before = beforeOf(unsaved)
        const parts = unsaved.parts === 'new' ? ENTRY_PARTS : unsaved.parts
        // Work of an even earlier version has no base, so for each part the later change counts.
        saveEntry(draft, item, unsaved.id, isEntry(before) ? before : null, parts)
      }
      return true
    case 'delete-entry': {
      const { entryId, deletedAt } = work
      const entry = draft.entries.get(entryId) ?? stoppedEntry(draft, entryId)
      // The entry was never saved and is not here, so there is nothing to undo.
      if (!entry) return true
      draft.entries.put({ ...entry, deletedAt: entry.deletedAt ?? deletedAt })
      saveEntry(draft, item, entryId, { ...entry, deletedAt: null }, ['deletion'])
      return true
    }
    case 'create-task': {
      const isHidden = !draft.tasks.get(work.taskId)
      if (isHidden) draft.tasks.put(newTask(work.taskId, work.name, item.addedAt))
      addEdit(draft, item, 'task', work.taskId, null, Object.keys(TASK_FIELDS), isHidden)
      return true
    }
    case 'update-task':
      updateTask(draft, item, work.taskId, Object.keys(work.changes), beforeOf(work))
      return true
    case 'set-task-active':
      updateTask(draft, item, work.taskId, ['isActive'], null)
      return true
    case 'save-prefs': {
      const known = draft.value('settings') ?? NO_SETTINGS
      draft.values.put({ ...known, prefs: { ...known.prefs, ...work.changes } })
      // The backend's values under these names are unknown. The base omits them, so that each one
      // is sent.
      const base = Object.entries(draft.edit('settings', SETTINGS_ID)?.base ?? known.prefs).filter(
        ([name]) => !(name in work.changes),
      )
      const names = Object.keys(work.changes)
      addEdit(draft, item, 'settings', SETTINGS_ID, Object.fromEntries(base), names)
      return true
    }
    case 'update':
    case undefined:
      return false
  }
}

/** Extends the edit of an entry. The base comes from the first piece of work on that entry. */
function saveEntry(
  draft: Draft,
  item: Item,
  id: string,
  before: TimeEntry | null,
  parts: readonly EntryPart[],
): void {
  const { base } = draft.edit('entry', id) ?? { base: before }
  addEdit(draft, item, 'entry', id, base, parts)
}

/** Returns the entry that a queued stop would save. */
function stoppedEntry(draft: Draft, id: string): TimeEntry | undefined {
  for (const { operation } of draft.operations.all()) {
    if (operation.kind === 'stop' && operation.stopped.sessionId === id) {
      return entryFromStopped(operation.stopped)
    }
  }
  return undefined
}

/**
 * Extends the edit of a task. The base of a field comes from the first piece of work on that field.
 */
function updateTask(
  draft: Draft,
  item: Item,
  id: string,
  fields: readonly string[],
  before: unknown,
): void {
  const edit = draft.edit('task', id)
  const was = isFields(before)
    ? Object.entries(before).filter(([field]) => edit?.changedAt[field] === undefined)
    : null
  const base = was && { ...draft.tasks.get(id), ...edit?.base, ...Object.fromEntries(was) }
  const isNew = edit?.base === null
  addEdit(draft, item, 'task', id, isTask(base) && !isNew ? base : null, fields)
}

/** Adds the parts of a piece of work to the edit of its thing, if the thing is here. */
function addEdit<K extends Kind>(
  draft: Draft,
  item: Item,
  kind: K,
  id: string,
  base: Editable[K] | null,
  parts: readonly string[],
  isHidden = false,
): void {
  const here = RULES[kind].get(draft, id)
  if (here === undefined) return
  const known = draft.edit(kind, id)
  const changed = Object.fromEntries(parts.map((part) => [part, item.addedAt]))
  draft.edits.put({
    kind,
    id,
    base,
    // An attempt may have reached the backend although its answer was lost.
    sent: known?.sent ?? (item.attempts > 0 ? [here] : []),
    changedAt: { ...known?.changedAt, ...changed },
    refused: refusalOf(item) ?? known?.refused ?? null,
    isHidden: isHidden || known?.isHidden === true,
  })
}

/** Returns the thing before this work, if the work recorded it. */
function beforeOf(work: object): unknown {
  return 'before' in work ? work.before : null
}

function refusalOf(item: Item): Refusal | null {
  const isOverQuota = 'isOverQuota' in item && item.isOverQuota === true
  return item.refused === null ? null : { message: item.refused, isOverQuota, isRetried: false }
}
