/** Changes that people make to their entries, tasks and settings, and to the running timer after the fact. */
import { invertChanges } from '#record/entry-change.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { ENTRY } from '#record/time-entry.ts'
import { fieldsOf, TASK } from '#record/task.ts'
import type { Task, TaskChanges } from '#record/task.ts'
import { PREFS } from '#settings.ts'
import type { Prefs } from '#settings.ts'
import type { StoppedTimer } from '#timer/timer.ts'

import type { Draft, EventIds, View } from './draft.ts'
import { change, changeEntry, changePrefs } from './edits.ts'
import { applyToSessions, isEdited, undoEvents, undoneBy } from './entry-events.ts'
import { logOf } from './session-log.ts'
import type { Append } from './session-log.ts'
import { changeTask } from './tasks.ts'
import { pressOn, start } from './timer.ts'
import type { Start } from './timer.ts'

export interface TaskChange {
  readonly taskId: string
  readonly changes: TaskChanges
  /** The values before the change, if they are known. */
  readonly before?: TaskChanges
}

export interface PrefsChange {
  /** Undefined removes a preference. */
  readonly changes: Prefs
  readonly before?: Prefs
}

/** A change to the active timer after the fact. */
export interface TimerChange {
  readonly startedAt?: number | undefined
  readonly taskId?: string | undefined
}

/** Everything that one step changes. */
export interface RecordChanges {
  readonly newTasks?: readonly Task[]
  readonly tasks?: readonly TaskChange[]
  readonly entries?: readonly EntryChange[]
  readonly prefs?: PrefsChange
  /** Events that do not count any more. */
  readonly undo?: readonly EventIds[]
  /** It applies only while this session is the timer. */
  readonly timer?: { readonly sessionId: string; readonly change: TimerChange }
}

/** Applies all changes and returns the inverse ones. Of an entry, only parts that differ in the change change. */
export function applyChanges(
  draft: Draft,
  { newTasks = [], tasks = [], entries = [], undo = [], prefs, timer }: RecordChanges,
): RecordChanges {
  for (const task of newTasks) change(draft, 'task', task.id, task)
  const tasksBefore = tasks.flatMap(({ taskId, changes }) => {
    const here = draft.tasks.get(taskId)
    changeTask(draft, taskId, changes)
    const before = here && fieldsOf(here, Object.keys(changes))
    return before ? [{ taskId, changes: before, before: changes }] : []
  })
  const added = newTasks.map(({ id }) => ({ taskId: id, changes: { isActive: false } }))
  const timed = timer ? changeTimer(draft, timer.sessionId, timer.change) : null
  const undone = undo.map((each) => undoEvents(draft, each))
  const edits = applyToSessions(draft, entries)
  const done = entries.flatMap((each) => applyPlain(draft, each) ?? [])
  const prefsBack = prefs && applyPrefs(draft, prefs.changes)
  return {
    ...(prefsBack ? { prefs: prefsBack } : {}),
    tasks: [...tasksBefore.toReversed(), ...added],
    entries: invertChanges(done, draft.now),
    undo: [...(timed ? [timed] : []), ...undone, ...edits].toReversed(),
  }
}

/** Returns whether an undo would overwrite a later change, from this device or from another one. */
export function isChangedSince(draft: View, undo: RecordChanges): boolean {
  const { tasks = [], entries = [], undo: steps = [] } = undo
  return (
    tasks.some((task) => isTaskChangedSince(draft, task)) ||
    entries.some((entry) => isEntryChangedSince(draft, entry)) ||
    steps.some((step) => isStepChangedSince(draft, step))
  )
}

function isStepChangedSince(draft: View, step: EventIds): boolean {
  return undoneBy(draft, step).some((entry) => isEntryChangedSince(draft, entry))
}

function isTaskChangedSince(draft: View, { taskId, before = {} }: TaskChange): boolean {
  const here = draft.tasks.get(taskId)
  return here !== undefined && TASK.differing(here, { ...here, ...before }).length > 0
}

function isEntryChangedSince(draft: View, { before, after }: EntryChange): boolean {
  const here = draft.entries.get(after.id)
  if (!before || !here) return false
  const touched = new Set(ENTRY.differing(before, after))
  const deletes = touched.has('deletion') && after.deletedAt !== null
  return ENTRY.differing(before, here).some(
    (part) => part !== 'log' && (part === 'deletion' || deletes || touched.has(part)),
  )
}

/** Applies an undo to what has not changed since. Returns how many sessions it left as they are. */
export function undoUnchanged(draft: Draft, undo: RecordChanges): number {
  const { tasks = [], entries = [], undo: steps = [], prefs } = undo
  const same = {
    tasks: tasks.filter((task) => !isTaskChangedSince(draft, task)),
    entries: entries.filter((entry) => !isEntryChangedSince(draft, entry)),
    undo: steps.filter((step) => !isStepChangedSince(draft, step)),
    ...(prefs && { prefs: { changes: unchangedPrefs(draft, prefs) } }),
  }
  applyChanges(draft, { ...undo, ...same })
  return entries.length - same.entries.length + steps.length - same.undo.length
}

/** Returns the preferences that an undo changes back: those that still have the value that it undoes. */
function unchangedPrefs(draft: Draft, { changes, before = {} }: PrefsChange): Prefs {
  const here = prefsOf(draft)
  const since = new Set(PREFS.differing(here, { ...here, ...before }))
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !since.has(name)))
}

function applyPrefs(draft: Draft, changes: Prefs): PrefsChange {
  const here = prefsOf(draft)
  const before = Object.fromEntries(Object.keys(changes).map((name) => [name, here[name]]))
  changePrefs(draft, changes)
  return { changes: before, before: changes }
}

function prefsOf(draft: Draft): Prefs {
  return draft.value('settings')?.prefs ?? {}
}

/** Applies the change of an entry that is not edited by events. Returns what was applied, or null if nothing. */
function applyPlain(draft: Draft, { before, after, cutFrom }: EntryChange): EntryChange | null {
  const here = draft.entries.get(after.id)
  if (isEdited(draft, cutFrom ?? after.id)) return null
  if (!here) {
    // The entry has been removed for good, so there is nothing to delete.
    if (after.deletedAt !== null) return null
    changeEntry(draft, after)
    return { before: null, after }
  }
  const parts = ENTRY.differing(before ?? here, after)
  if (parts.length === 0) return null
  const next = ENTRY.take(here, after, parts)
  changeEntry(draft, next)
  return { before: here, after: next }
}

/** Changes the start or the task of the timer. Returns its events, or null if that timer is not active. */
export function changeTimer(
  draft: Draft,
  sessionId: string,
  { startedAt, taskId }: TimerChange,
): EventIds | null {
  const before = draft.value('timer')?.timer
  if (before?.sessionId !== sessionId) return null
  const events: Append[] = []
  const latest = before.status === 'paused' ? before.pausedAt : draft.now
  const to = Math.min(startedAt ?? before.startedAt, latest)
  if (to !== before.startedAt) events.push({ action: { kind: 'move', to } })
  if (taskId !== undefined && taskId !== before.taskId)
    events.push({ action: { kind: 'set', field: 'task', value: taskId, boundary: 'start' } })
  if (events.length === 0) return null
  return { sessionId, ids: pressOn(draft, sessionId, events) }
}

/** Adds a task and starts timing it. Returns the timer that was stopped. */
export function startNewTask(
  draft: Draft,
  task: Task,
  input: Omit<Start, 'taskId'>,
): StoppedTimer | null {
  change(draft, 'task', task.id, task)
  return start(draft, { ...input, taskId: task.id })
}

/** Undoes `startNewTask`. Returns false and does nothing if the task has another name or other work since. */
export function undoStartNewTask(draft: Draft, task: Task, sessionId: string): boolean {
  const timer = draft.value('timer')?.timer
  const isSame = (timer?.taskId === task.id) === (timer?.sessionId === sessionId)
  const isRenamed = draft.tasks.get(task.id)?.name !== task.name
  const isWorkedOn = draft.entries
    .all()
    .some(({ taskId, deletedAt }) => taskId === task.id && deletedAt === null)
  if (!isSame || isRenamed || isWorkedOn) return false
  const action = draft.value('banner')?.action
  if (action?.kind === 'track-offline' && action.sessionId === sessionId)
    draft.values.remove('banner')
  // A start that failed is asked about, unless it is discarded as well.
  const isKnown = logOf(draft, sessionId).length > 0
  if (isKnown) pressOn(draft, sessionId, [{ action: { kind: 'discard' } }])
  changeTask(draft, task.id, { isActive: false })
  return true
}
