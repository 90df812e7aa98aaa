/**
 * Changes that people make to their record. They add, edit, split, merge, delete and import
 * entries, and rename, recolour and merge tasks. One step can also change the running timer.
 */
import { invertChanges } from '#record/entry-change.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { ENTRY } from '#record/time-entry.ts'
import { fieldsOf, TASK } from '#record/task.ts'
import type { Task, TaskChanges } from '#record/task.ts'
import { PREFS } from '#settings.ts'
import type { Prefs } from '#settings.ts'

import type { Draft } from './draft.ts'
import { change, changeEntry, changePrefs } from './edits.ts'
import { applyToSessions, isEdited, isUndoOutdated, undoEvents } from './entry-events.ts'
import type { UndoneEvents } from './entry-events.ts'
import type { Append } from './session-log.ts'
import { changeTask } from './tasks.ts'
import { pressOn } from './timer.ts'

export interface TaskChange {
  readonly taskId: string
  readonly changes: TaskChanges
  /** The values of the changed fields before the change, where they are known. */
  readonly before?: TaskChanges
}

export interface PrefsChange {
  /** Undefined removes a preference. */
  readonly changes: Prefs
  /** The values of the changed preferences before the change, where they are known. */
  readonly before?: Prefs
}

/** A change to the active timer after the fact, or the undo of one by the ids of its events. */
export interface TimerChange {
  readonly startedAt?: number | undefined
  readonly taskId?: string | undefined
  readonly undo?: readonly string[]
}

/** Everything that one step changes. */
export interface RecordChanges {
  readonly newTasks?: readonly Task[]
  readonly tasks?: readonly TaskChange[]
  readonly entries?: readonly EntryChange[]
  readonly prefs?: PrefsChange
  /** Events of sessions that do not count any more: the undo of a step. */
  readonly undo?: readonly UndoneEvents[]
  /** The change to the running timer. It applies only while this session is the running one. */
  readonly timer?: { readonly sessionId: string; readonly change: TimerChange }
}

/**
 * Applies all changes and returns the inverse changes. Only the parts of an entry that differ
 * between `before` and `after` change, so that other parts keep what another device has written
 * meanwhile.
 */
export function applyChanges(
  draft: Draft,
  { newTasks = [], tasks = [], entries = [], undo = [], prefs, timer }: RecordChanges,
  now: number,
): RecordChanges {
  for (const task of newTasks) change(draft, 'task', task.id, task, now)
  const tasksBefore: TaskChange[] = []
  for (const { taskId, changes } of tasks) {
    const here = draft.tasks.get(taskId)
    if (!here) continue
    const before = fieldsOf(here, Object.keys(changes))
    tasksBefore.unshift({ taskId, changes: before, before: changes })
    changeTask(draft, taskId, changes, now)
  }
  const added = newTasks.map(({ id }) => ({ taskId: id, changes: { isActive: false } }))
  const timerBack = timer && changeTimer(draft, timer.sessionId, timer.change, now)
  const undone = undo.map((each) => undoEvents(draft, each, now))
  const edits = applyToSessions(draft, entries, now)
  const done = entries.flatMap((each) => applyPlain(draft, each, now) ?? [])
  const prefsBack = prefs && applyPrefs(draft, prefs.changes, now)
  return {
    ...(prefsBack ? { prefs: prefsBack } : {}),
    ...(timerBack ? { timer: { ...timer, change: timerBack } } : {}),
    tasks: [...tasksBefore, ...added],
    entries: invertChanges(done, now),
    undo: [...undone, ...edits].toReversed(),
  }
}

/** What an undo is compared with. */
type View = Pick<Draft, 'tasks' | 'entries' | 'sessions' | 'edit'>

/**
 * Returns whether an undo would overwrite a later change. The later change may come from this
 * device or from another one, and its owner would not see the loss.
 */
export function isChangedSince(draft: View, undo: RecordChanges): boolean {
  const same = unchangedOf(draft, undo)
  const { tasks = [], entries = [], undo: steps = [] } = undo
  const all = tasks.length + entries.length + steps.length
  return same.tasks.length + same.entries.length + same.undo.length < all
}

/** Returns what of an undo overwrites no later change. */
function unchangedOf(draft: View, { tasks = [], entries = [], undo = [] }: RecordChanges) {
  return {
    tasks: tasks.filter((task) => !isTaskChangedSince(draft, task)),
    entries: entries.filter((entry) => !isEntryChangedSince(draft, entry)),
    undo: undo.filter((each) => !isUndoOutdated(draft, each)),
  }
}

/** Returns whether undoing the change of a task would overwrite a later change. */
function isTaskChangedSince(draft: View, { taskId, before = {} }: TaskChange): boolean {
  const here = draft.tasks.get(taskId)
  return here !== undefined && TASK.differing(here, { ...here, ...before }).length > 0
}

/** Returns whether undoing an added entry would overwrite a later change of it. */
function isEntryChangedSince(draft: View, { before, after }: EntryChange): boolean {
  const here = draft.entries.get(after.id)
  if (!before || !here) return false
  const touched = new Set(ENTRY.differing(before, after))
  const deletes = touched.has('deletion') && after.deletedAt !== null
  return ENTRY.differing(before, here).some(
    (part) => part !== 'log' && (part === 'deletion' || deletes || touched.has(part)),
  )
}

/**
 * Applies an undo to what has not changed since. Returns how many sessions it left as they are.
 */
export function undoUnchanged(draft: Draft, undo: RecordChanges, now: number): number {
  const { prefs, entries = [], undo: steps = [] } = undo
  const same = unchangedOf(draft, undo)
  const samePrefs = prefs && { prefs: { changes: unchangedPrefs(draft, prefs) } }
  applyChanges(draft, { ...undo, ...same, ...samePrefs }, now)
  return entries.length - same.entries.length + steps.length - same.undo.length
}

/** Returns the preferences that an undo changes back: those that still have the value that it undoes. */
function unchangedPrefs(draft: Draft, { changes, before = {} }: PrefsChange): Prefs {
  const here = prefsOf(draft)
  const since = new Set(PREFS.differing(here, { ...here, ...before }))
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !since.has(name)))
}

/** Changes preferences and returns the inverse change. */
function applyPrefs(draft: Draft, changes: Prefs, now: number): PrefsChange {
  const here = prefsOf(draft)
  const before = Object.fromEntries(Object.keys(changes).map((name) => [name, here[name]]))
  changePrefs(draft, changes, now)
  return { changes: before, before: changes }
}

function prefsOf(draft: Draft): Prefs {
  return draft.value('settings')?.prefs ?? {}
}

/**
 * Applies the change of an entry that has no log: one that is added, or that nobody else has heard of.
 * Returns the change that was applied, or null when nothing changed or the session's log has it.
 */
function applyPlain(draft: Draft, wanted: EntryChange, now: number): EntryChange | null {
  const { before, after, cutFrom } = wanted
  const here = draft.entries.get(after.id)
  if (cutFrom !== undefined && isEdited(draft, cutFrom)) return null
  if (!here) {
    // The entry has been removed for good, so there is nothing to delete.
    if (after.deletedAt !== null) return null
    changeEntry(draft, after, now)
    return { before: null, after }
  }
  if (isEdited(draft, after.id)) return null
  const parts = ENTRY.differing(before ?? here, after)
  if (parts.length === 0) return null
  const next = ENTRY.take(here, after, parts)
  changeEntry(draft, next, now)
  return { before: here, after: next }
}

/**
 * Changes the start or the task of the active timer and returns the inverse change. A start that moves
 * later cuts off what was counted before it. Does nothing and returns null when that timer is not
 * active.
 */
export function changeTimer(
  draft: Draft,
  sessionId: string,
  { startedAt, taskId, undo }: TimerChange,
  now: number,
): TimerChange | null {
  const before = draft.value('timer')?.timer
  if (before?.sessionId !== sessionId) return null
  const events: Append[] = []
  const latest = before.status === 'paused' ? before.pausedAt : now
  const to = Math.min(startedAt ?? before.startedAt, latest)
  if (to !== before.startedAt) events.push({ action: { kind: 'move', to } })
  if (taskId !== undefined && taskId !== before.taskId)
    events.push({ action: { kind: 'set', field: 'task', value: taskId, boundary: 'start' } })
  if (undo) events.push({ action: { kind: 'undo', of: undo } })
  if (events.length === 0) return null
  return { undo: pressOn(draft, sessionId, events, now) }
}
