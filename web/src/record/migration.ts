/**
 * Takes over what version 2 of the database kept: its stores of tasks, entries and state, and the outbox,
 * whose work becomes operations of the timer and edits. Runs within the upgrade, so all of it is done or
 * none. To be removed when nobody can have that version any more.
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
  isText,
} from '@stint/core/guards.ts'
import type { Guard, Guarded } from '@stint/core/guards.ts'
import { isTask, newTask } from '@stint/core/record/task.ts'
import type { Task } from '@stint/core/record/task.ts'
import { entryFromStopped, isEntry } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'
import type { Prefs } from '@stint/core/settings.ts'
import type { IDBPDatabase, IDBPTransaction } from 'idb'

import { editKey } from './draft.ts'
import { NO_SETTINGS, SETTINGS_ID } from './edits.ts'
import { EntryPages } from './entry-pages.ts'
import { isActiveTimer, isOperation, isPrefs, isValue } from './stored.ts'
import type { Edit, Kind, Operation, QueuedOperation, Refusal, SettingsValue } from './stored.ts'

const OLD_STORES = ['tasks', 'entries', 'state', 'outbox', 'packs', 'quarantine'] as const
/** What was known of these is not needed any more. */
const OLD_KEYS: readonly unknown[] = ['revision', 'packs']

type Names = Readonly<
  Record<'tasks' | 'values' | 'edits' | 'operations' | 'pages' | 'unreadable', string>
>

/** Moves everything into the stores called `names`, and removes the old ones. */
export async function moveFromVersion2(
  database: IDBPDatabase,
  transaction: IDBPTransaction<unknown, string[], 'versionchange'>,
  names: Names,
): Promise<void> {
  const old = OLD_STORES.filter((name) => database.objectStoreNames.contains(name))
  const read = async (name: (typeof OLD_STORES)[number]): Promise<unknown[]> =>
    old.includes(name) ? transaction.objectStore(name).getAll() : []
  const moved = new Moved()
  for (const task of await read('tasks')) moved.task(task)
  for (const entry of await read('entries')) moved.entry(entry)
  for (const state of await read('state')) moved.state(state)
  for (const item of await read('outbox')) moved.work(item)
  for (const record of await read('quarantine')) moved.unreadable.push(record)

  const put = async (name: keyof Names, key: IDBValidKey | undefined, value: unknown) => {
    await transaction.objectStore(names[name]).put(value, key)
  }
  const { pages } = new EntryPages().change(moved.entries)
  await Promise.all([
    ...[...pages].map(([page, stored]) => put('pages', page, stored)),
    ...[...moved.tasks.values()].map((task) => put('tasks', task.id, task)),
    ...[...moved.values].map(([key, value]) => put('values', key, value)),
    ...[...moved.edits].map(([key, edit]) => put('edits', key, edit)),
    ...moved.operations.map((queued) => put('operations', queued.sequence, queued)),
    ...moved.unreadable.map((record) => put('unreadable', undefined, record)),
  ])
  const sequence = moved.operations.at(-1)?.sequence ?? 0
  await put('values', 'progress', { key: 'progress', revision: 1, sequence })
  for (const name of old) database.deleteObjectStore(name)
}

const isItem = isObject({
  work: isFields,
  addedAt: isNumber,
  attempts: isNumber,
  refused: isNullOr(isText),
})
type Item = Guarded<typeof isItem>

const ENTRY_PARTS = ['times', 'task', 'note', 'type', 'deletion'] as const
const isPart = isOneOf(...ENTRY_PARTS)
const isParts: Guard<'new' | readonly (typeof ENTRY_PARTS)[number][]> = (value) =>
  value === 'new' || isListOf(isPart)(value)
const isUnsavedEntry = isObject({ id: isId, parts: isParts })
const isUpdate = isObject({
  kind: isOneOf('update'),
  action: isOneOf('pause', 'resume'),
  timer: isActiveTimer,
})
const isSaveEntries = isObject({
  kind: isOneOf('save-entries'),
  entries: isListOf(isUnsavedEntry),
})
const isDeleteEntry = isObject({
  kind: isOneOf('delete-entry'),
  entryId: isId,
  deletedAt: isNumber,
})
const isCreateTask = isObject({ kind: isOneOf('create-task'), taskId: isId, name: isId })
const isUpdateTask = isObject({ kind: isOneOf('update-task'), taskId: isId, changes: isFields })
const isSetActive = isObject({
  kind: isOneOf('set-task-active'),
  taskId: isId,
  isActive: isBoolean,
})
const isSavePrefs = isObject({ kind: isOneOf('save-prefs'), changes: isPrefs })

/** What has been moved so far. */
class Moved {
  readonly tasks = new Map<string, Task>()
  readonly entries = new Map<string, TimeEntry>()
  readonly values = new Map<string, unknown>()
  readonly edits = new Map<string, Edit>()
  readonly operations: QueuedOperation[] = []
  readonly unreadable: unknown[] = []
  readonly #mustPull = new Set<string>()

  task(task: unknown): void {
    if (isTask(task)) this.tasks.set(task.id, task)
    else this.putAside('tasks', task, 'pull:tasks')
  }

  entry(stored: unknown): void {
    const entry = isFields(stored) ? withoutRevision(stored) : stored
    if (isEntry(entry)) this.entries.set(entry.id, entry)
    else this.putAside('entries', stored, 'pull:time_entries')
  }

  state(state: unknown): void {
    if (isValue(state)) {
      if (!this.#mustPull.has(state.key)) this.values.set(state.key, state)
    } else if (!isFields(state) || !OLD_KEYS.includes(state['key'])) this.putAside('state', state)
  }

  work(item: unknown): void {
    if (!isItem(item) || !this.#take(item)) this.putAside('outbox', item)
  }

  /** What cannot be read; of what the backend has, all is pulled again. */
  putAside(from: string, record: unknown, pull?: string): void {
    this.unreadable.push({ from, record, putAsideAt: Date.now() })
    if (pull !== undefined) this.#mustPull.add(pull)
  }

  /** False when it cannot be read. */
  #take(item: Item): boolean {
    const { work } = item
    const operation: unknown = isUpdate(work) ? { kind: work.action, timer: work.timer } : work
    if (isOperation(operation)) this.#queue(item, operation)
    else if (isSaveEntries(work)) for (const unsaved of work.entries) this.#saveEntry(item, unsaved)
    else if (isDeleteEntry(work)) this.#deleteEntry(item, work.entryId, work.deletedAt)
    else if (isCreateTask(work)) this.#createTask(item, work.taskId, work.name)
    else if (isUpdateTask(work)) this.#updateTask(item, work.taskId, work.changes, before(work))
    else if (isSetActive(work)) this.#updateTask(item, work.taskId, { isActive: work.isActive })
    else if (isSavePrefs(work)) this.#savePrefs(item, work.changes)
    else return false
    return true
  }

  #queue(item: Item, operation: Operation): void {
    const { attempts } = item
    const sequence = this.operations.length + 1
    this.operations.push({ sequence, operation, attempts, refused: refusalOf(item) })
  }

  #saveEntry(item: Item, unsaved: Readonly<Record<string, unknown>> & { readonly id: string }) {
    const entry = this.entries.get(unsaved.id)
    if (!entry) return
    const known = before(unsaved)
    const edit = this.edits.get(editKey({ kind: 'entry', id: unsaved.id }))
    // What an even earlier version wrote down has no base: the later change of each part counts.
    const base = edit ? edit.base : known
    const parts = isListOf(isPart)(unsaved['parts']) ? unsaved['parts'] : ENTRY_PARTS
    this.#edit(
      item,
      'entry',
      unsaved.id,
      isEntry(base) ? withoutRevision(base) : null,
      entry,
      parts,
    )
  }

  #deleteEntry(item: Item, id: string, deletedAt: number): void {
    const stop = this.operations.find(
      ({ operation }) => operation.kind === 'stop' && operation.stopped.sessionId === id,
    )?.operation
    const entry =
      this.entries.get(id) ?? (stop?.kind === 'stop' ? entryFromStopped(stop.stopped) : null)
    // Never saved, and not here: there is nothing to take back.
    if (!entry) return
    const deleted = { ...entry, deletedAt: entry.deletedAt ?? deletedAt }
    this.entries.set(id, deleted)
    const edit = this.edits.get(editKey({ kind: 'entry', id }))
    const base = edit ? edit.base : { ...entry, deletedAt: null }
    this.#edit(item, 'entry', id, isEntry(base) ? base : null, deleted, ['deletion'])
  }

  #createTask(item: Item, id: string, name: string): void {
    const known = this.tasks.get(id)
    const task = known ?? newTask(id, name, item.addedAt)
    this.tasks.set(id, task)
    this.#edit(item, 'task', id, null, task, TASK_PARTS, known === undefined)
  }

  #updateTask(item: Item, id: string, changes: object, known?: unknown): void {
    const task = this.tasks.get(id)
    if (!task) return
    const fields = Object.keys(changes)
    const edit = this.edits.get(editKey({ kind: 'task', id }))
    // The first work about a field says how it was.
    const isFirst = (field: string) => edit?.changedAt[field] === undefined
    const was = isFields(known) ? Object.entries(known).filter(([field]) => isFirst(field)) : null
    const base = was && { ...task, ...edit?.base, ...Object.fromEntries(was) }
    const isNew = edit?.base === null
    this.#edit(item, 'task', id, isTask(base) && !isNew ? base : null, task, fields)
  }

  #savePrefs(item: Item, changes: Prefs): void {
    const settings = this.values.get('settings')
    const known = isSettings(settings) ? settings : NO_SETTINGS
    const prefs = { ...known.prefs, ...changes }
    this.values.set('settings', { ...known, prefs })
    const names = Object.keys(changes)
    const edit = this.edits.get(editKey({ kind: 'settings', id: SETTINGS_ID }))
    // What the backend had under these names is not known: the base has none of them, so each is sent.
    const others = Object.entries(edit?.base ?? known.prefs).filter(
      ([name]) => !names.includes(name),
    )
    this.#edit(item, 'settings', SETTINGS_ID, Object.fromEntries(others), prefs, names)
  }

  /** Adds what a piece of work says to the edit of its thing; the first says what the backend had. */
  #edit<K extends Kind>(
    item: Item,
    kind: K,
    id: string,
    base: Edit<K>['base'],
    here: NonNullable<Edit<K>['base']>,
    parts: readonly string[],
    isHidden = false,
  ): void {
    const key = editKey({ kind, id })
    const known = this.edits.get(key)
    const changed = Object.fromEntries(parts.map((part) => [part, item.addedAt]))
    this.edits.set(key, {
      kind,
      id,
      base,
      // It may have come through.
      sent: known?.sent ?? (item.attempts > 0 ? [here] : []),
      changedAt: { ...known?.changedAt, ...changed },
      refused: refusalOf(item) ?? known?.refused ?? null,
      isHidden: isHidden || known?.isHidden === true,
    })
  }
}

const TASK_PARTS = ['name', 'isActive', 'category', 'goalHours', 'color']

const isSettings: Guard<SettingsValue> = isObject({
  key: isOneOf('settings'),
  prefs: isPrefs,
  saves: isNumber,
})

function before(work: Readonly<Record<string, unknown>>): unknown {
  return work['before']
}

function refusalOf(item: Item): Refusal | null {
  const isOverQuota = 'isOverQuota' in item && item.isOverQuota === true
  return item.refused === null ? null : { message: item.refused, isOverQuota, isRetried: false }
}

function withoutRevision<T extends object>(entry: T) {
  const { revision: _, ...rest } = { revision: 0, ...entry }
  return rest
}
