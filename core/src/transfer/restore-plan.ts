/**
 * Restores a record from Stint's own file. Nothing is changed here: the plan lists what would change.
 * Tasks and entries keep their ids, so that restoring twice is the same as once. What is not in the
 * file stays.
 */
import { t } from '#text.ts'
import { isFields, isId } from '#guards.ts'
import { PREFS } from '#settings.ts'
import type { Prefs } from '#settings.ts'
import type { EntryChange } from '#record/entry-change.ts'
import { NOTE_MAX_LENGTH } from '#record/entry-edit.ts'
import { idFrom } from '#record/split-id.ts'
import { storedTask, TASK } from '#record/task.ts'
import type { Task, TaskChanges } from '#record/task.ts'
import { ENTRY, NEW_ENTRY } from '#record/time-entry.ts'
import type { TimeEntry } from '#record/time-entry.ts'
import { COLLECTIONS } from '#collections.ts'
import { storedText } from '#stored-text.ts'
import { instantFromWire } from '#time/instant.ts'
import type { Reading } from './entry-columns.ts'
import { entryKey, nameKey } from './import-history.ts'
import { tasksByName } from './import-tasks.ts'
import type { ImportProblem } from './import-plan.ts'
import { beginsAsStintJson, readStintJson, readTask, UNKNOWN_TASK } from './import-stint.ts'
import type { StintFile } from './import-stint.ts'
import { entryRecord, prefsWithDefaults, taskRecord } from './stint-json.ts'

/** What a file is compared with. */
export interface RestoreContext {
  readonly existing: {
    readonly tasks: readonly Task[]
    /** All entries, deleted ones too. */
    readonly entries: readonly TimeEntry[]
    readonly prefs: Prefs
  }
  /** The id of the account. */
  readonly account: string
  /** The ids of timer sessions that go on. Their entries, and those that they continue, stay. */
  readonly running: ReadonlySet<string>
  /** Epoch milliseconds. */
  readonly now: number
}

export interface RestorePlan {
  /** When the file was made, in epoch milliseconds; null if it does not tell. */
  readonly exportedAt: number | null
  /** False: the file is of another account, so that its tasks and entries get ids of their own. */
  readonly isOwn: boolean
  readonly tasks: {
    readonly missing: readonly Task[]
    /** Tasks that were deleted or changed since, with the fields that change. */
    readonly changed: readonly { readonly task: Task; readonly changes: TaskChanges }[]
    readonly same: number
    /** The number of tasks that are not in the file. */
    readonly newer: number
  }
  readonly entries: {
    /** Entries that are missing, or were deleted since. */
    readonly back: readonly EntryChange[]
    /** Entries that were changed since, and those that were deleted in the file and are no more. */
    readonly changed: readonly EntryChange[]
    readonly same: number
    /** The number of entries that are not in the file. */
    readonly newer: number
    /** How many entries of `back` and `changed` overlap those that are not in the file. */
    readonly overlaps: number
  }
  /** The preferences that differ, as in the file; null without settings in the file. */
  readonly prefs: Prefs | null
  readonly problems: readonly ImportProblem[]
}

/** The rows between two pauses of the planning. */
const ROWS_PER_PAUSE = 250
/** The ids that every backend accepts. */
const VALID_ID = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,35}$/
/** Names that JSON may have and preferences may not. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype'])
/** The maximum size of the preferences on the server, in bytes. */
const MAX_PREFS_BYTES = 65_535
const EXCERPT_LENGTH = 120

/**
 * Plans the restoration. Yields the progress, 0 to 1, and returns the plan, or why the file cannot
 * be read. Throws nothing, whatever the file is.
 *
 * - An entry of the file that is missing or deleted comes back, one that differs is changed back.
 * - An entry that was deleted in the file is deleted again if the record has an older state of it,
 *   as after the server was restored from a backup.
 * - An entry without its id in the record, but with the task name and the times of another one, is
 *   there already.
 * - A file of another account gives ids that follow from this account and the ids of the file. Its
 *   tasks are found by their names too.
 */
export function* planRestore(
  text: string,
  context: RestoreContext,
): Generator<number, Reading<RestorePlan>> {
  if (!beginsAsStintJson(text)) return { why: t('The file isn’t a Stint export.') }
  const reading = readStintJson(text)
  yield 0.3
  if ('why' in reading) return reading
  const file = reading.read
  const { existing, running, now } = context
  const problems: ImportProblem[] = []
  const here = new Map(existing.entries.map((entry) => [entry.id, entry]))
  const isOwn = isFileOfAccount(file, context, here)
  const tasks = planTasks(file, context, isOwn)
  const total = file.entries.length + file.deleted.length

  const wanted = new Map<string, TimeEntry>()
  for (const [index, value] of [...file.entries, ...file.deleted].entries()) {
    if (index % ROWS_PER_PAUSE === 0) yield 0.3 + (0.5 * index) / total
    const read = readKept(value, file)
    if ('why' in read) {
      problems.push({ line: index + 1, text: excerpt(value), why: read.why })
      continue
    }
    const entry = isOwn ? read.read : ofAccount(read.read, tasks, context)
    if (!wanted.has(entry.id)) wanted.set(entry.id, entry)
  }

  const names = new Map([...existing.tasks, ...tasks.known].map(({ id, name }) => [id, name]))
  const keyOf = ({ taskId, startedAt, endedAt }: TimeEntry) =>
    entryKey(names.get(taskId), { start: startedAt, end: endedAt })
  const others = existing.entries.filter(({ id, deletedAt }) => {
    return deletedAt === null && !wanted.has(id) && !running.has(id)
  })
  const unclaimed = new Map<string, number>()
  for (const entry of others) {
    const key = keyOf(entry)
    unclaimed.set(key, (unclaimed.get(key) ?? 0) + 1)
  }

  const back: EntryChange[] = []
  const changed: EntryChange[] = []
  let same = 0
  let claimed = 0
  let done = 0
  for (const entry of wanted.values()) {
    if (done++ % ROWS_PER_PAUSE === 0) yield 0.8 + (0.15 * done) / wanted.size
    const known = here.get(entry.id)
    if (entry.deletedAt !== null) {
      const isOlder = known?.deletedAt === null && known.updatedAt < entry.updatedAt
      if (isOlder && !running.has(entry.id)) changed.push(changeOf(known, entry, now))
      continue
    }
    if (running.has(entry.id) || goesOn(known, here, running)) {
      same += 1
    } else if (known?.deletedAt === null) {
      const change = changeOf(known, entry, now)
      if (ENTRY.differing(change.before ?? entry, change.after).length === 0) same += 1
      else changed.push(change)
    } else {
      const key = keyOf(entry)
      const count = unclaimed.get(key) ?? 0
      if (count > 0) {
        unclaimed.set(key, count - 1)
        claimed += 1
        same += 1
      } else back.push(changeOf(known, entry, now))
    }
  }

  yield 0.95
  const used = [...back, ...changed].map(({ after }) => after)
  const prefs = file.prefs && changedPrefs(file.prefs, existing.prefs, tasks.ids)
  if (prefs === 'too-long') {
    problems.push({ line: 1, text: '', why: t('The settings are too long.') })
  }
  return {
    read: {
      exportedAt: file.exportedAt,
      isOwn,
      tasks: {
        missing: [...tasks.missing, ...unknownTasks(used, names, now)],
        changed: tasks.changed,
        same: tasks.same,
        newer: tasks.newer,
      },
      entries: {
        back: back.toSorted(newestFirst),
        changed: changed.toSorted(newestFirst),
        same,
        newer: others.length - claimed,
        overlaps: overlapCount(used, others),
      },
      prefs: prefs === 'too-long' ? null : prefs,
      problems,
    },
  }
}

/**
 * Returns whether the file is of this account. A file of an earlier version does not tell, so it
 * counts as such if it shares a task or an entry with the record.
 */
function isFileOfAccount(
  { account, tasks, entries }: StintFile,
  { account: own, existing }: RestoreContext,
  here: ReadonlyMap<string, TimeEntry>,
): boolean {
  if (account !== null) return account === own
  const taskIds = new Set(existing.tasks.map(({ id }) => id))
  return (
    tasks.some(({ id }) => taskIds.has(id)) ||
    entries.some((entry) => isFields(entry) && isId(entry['id']) && here.has(entry['id']))
  )
}

interface PlannedTasks {
  /** The ids in the record by those in the file. */
  readonly ids: ReadonlyMap<string, string>
  /** All tasks of the file, under their ids in the record. */
  readonly known: readonly Task[]
  readonly missing: readonly Task[]
  readonly changed: readonly { readonly task: Task; readonly changes: TaskChanges }[]
  readonly same: number
  readonly newer: number
}

function planTasks(
  file: StintFile,
  { existing, account, now }: RestoreContext,
  isOwn: boolean,
): PlannedTasks {
  const here = new Map(existing.tasks.map((task) => [task.id, task]))
  const byName = isOwn ? null : tasksByName(existing.tasks)
  const ids = new Map<string, string>()
  const known: Task[] = []
  const missing: Task[] = []
  const changed: { task: Task; changes: TaskChanges }[] = []
  for (const { id: idInFile, ...content } of file.tasks) {
    if (isOwn && !VALID_ID.test(idInFile)) continue
    const ownId = isOwn ? idInFile : idOf(account, idInFile)
    const found = here.get(ownId) ?? byName?.get(nameKey(content.name))
    const task: Task = {
      ...storedTask(content),
      id: found?.id ?? ownId,
      updatedAt: now,
    }
    ids.set(idInFile, task.id)
    known.push(task)
    if (!found) missing.push(task)
    else {
      // A task that was found by its name stays as it is, but for its deletion.
      const fields = found.id === ownId ? changedFields(found, task) : ['isActive']
      const changes = fieldsOf(task, fields, found)
      if (Object.keys(changes).length > 0) changed.push({ task: found, changes })
    }
  }
  const inFile = new Set(known.map(({ id }) => id))
  return {
    ids,
    known,
    missing,
    changed,
    same: known.length - missing.length - changed.length,
    newer: existing.tasks.filter(({ id, isActive }) => isActive && !inFile.has(id)).length,
  }
}

/** Returns the fields in which a task differs from that of the file. No task is deleted. */
function changedFields(here: Task, inFile: Task): readonly string[] {
  const fields = TASK.differing(here, inFile)
  // The file may be unable to hold a value exactly, which is then no change.
  const again = fields.length > 0 ? readTask(taskRecord(here)) : null
  return again ? TASK.differing({ ...again, updatedAt: 0 }, inFile) : fields
}

function fieldsOf(inFile: Task, fields: readonly string[], here: Task): TaskChanges {
  const changes = Object.entries(inFile).filter(([field]) => fields.includes(field))
  return Object.fromEntries(
    changes.filter(([field, value]) => field !== 'isActive' || (value === true && !here.isActive)),
  )
}

/** Returns tasks for entries whose task is nowhere. */
function unknownTasks(
  entries: readonly TimeEntry[],
  names: ReadonlyMap<string, string>,
  now: number,
): Task[] {
  const ids = new Set(entries.map(({ taskId }) => taskId))
  return [...ids].flatMap((id) => {
    if (names.has(id) || !VALID_ID.test(id)) return []
    const category = COLLECTIONS.tasks.category.default
    return [{ ...UNKNOWN_TASK, id, category, createdAt: now, updatedAt: now }]
  })
}

/** Reads an entry of the file with its id, as the record had it. */
function readKept(value: unknown, file: StintFile): Reading<TimeEntry> {
  const reading = file.readEntry(value)
  if ('why' in reading) return reading
  if (!isFields(value)) return { why: t('Not a session.') }
  const { id, taskId, sessionId } = value
  if (typeof id !== 'string' || !VALID_ID.test(id)) return { why: t('Has no valid id.') }
  const { task: _, note, entryType, ...entry } = reading.read
  const createdAt = instantOf(value['createdAt']) ?? entry.endedAt
  return {
    read: {
      ...NEW_ENTRY,
      ...entry,
      id,
      taskId: isId(taskId) ? taskId : '',
      note: note === null ? null : storedText(note, NOTE_MAX_LENGTH),
      entryType: storedText(entryType, COLLECTIONS.time_entries.entryType.size),
      sessionId: isId(sessionId) ? sessionId : null,
      deletedAt: instantOf(value['deletedAt']),
      createdAt,
      updatedAt: instantOf(value['updatedAt']) ?? createdAt,
    },
  }
}

function instantOf(value: unknown): number | null {
  return typeof value === 'string' ? instantFromWire(value) : null
}

/** Returns an entry of another account under the ids that it has in this one. */
function ofAccount(
  entry: TimeEntry,
  { ids }: PlannedTasks,
  { account }: RestoreContext,
): TimeEntry {
  const id = idOf(account, entry.id)
  return {
    ...entry,
    id,
    taskId: ids.get(entry.taskId) ?? idOf(account, entry.taskId),
    sessionId: entry.sessionId === entry.id ? id : null,
  }
}

function idOf(account: string, id: string): string {
  return idFrom(`restored ${account} ${id}`)
}

/** Returns the change that makes an entry as it is in the file. */
function changeOf(here: TimeEntry | undefined, inFile: TimeEntry, now: number): EntryChange {
  if (!here) return { before: null, after: { ...inFile, updatedAt: now } }
  const differing = ENTRY.differing(here, inFile)
  // The file may be unable to hold a value exactly, which is then no change.
  const again = differing.length > 0 ? readKept(entryRecord(here), NO_TASKS) : null
  const parts =
    again && 'read' in again
      ? ENTRY.differing({ ...again.read, deletedAt: here.deletedAt }, inFile)
      : differing
  return { before: here, after: { ...ENTRY.take(here, inFile, parts), updatedAt: now } }
}

/** Reads entries without their tasks. */
const NO_TASKS = ((): StintFile => {
  const reading = readStintJson('{"format":"stint","version":1,"tasks":[],"entries":[]}')
  if ('why' in reading) throw new Error(reading.why)
  return reading.read
})()

/**
 * Returns whether the work of a deleted entry goes on in another session, which its deletion names:
 * in one that runs, or in an entry that is kept.
 */
function goesOn(
  entry: TimeEntry | undefined,
  here: ReadonlyMap<string, TimeEntry>,
  running: ReadonlySet<string>,
): boolean {
  const seen = new Set<string>()
  for (let each = entry; each && each.deletedAt !== null && !seen.has(each.id);) {
    seen.add(each.id)
    const next = each.sessionId
    if (next === null || next === each.id) return false
    if (running.has(next)) return true
    each = here.get(next)
    if (each?.deletedAt === null) return true
  }
  return false
}

/** Returns the preferences of the file that differ from those of the account. */
function changedPrefs(
  inFile: Prefs,
  existing: Prefs,
  taskIds: ReadonlyMap<string, string>,
): Prefs | 'too-long' {
  const allowed = Object.entries(inFile).filter(([name]) => !FORBIDDEN_NAMES.has(name))
  const wanted: Record<string, unknown> = Object.fromEntries(allowed)
  const { pinnedTasks } = wanted
  if (Array.isArray(pinnedTasks)) {
    wanted['pinnedTasks'] = pinnedTasks.map((id: unknown) => taskIds.get(String(id)) ?? id)
  }
  const here = prefsWithDefaults(existing)
  const names = PREFS.differing(here, { ...here, ...wanted })
  const changes = Object.fromEntries(names.map((name) => [name, wanted[name]]))
  const text = JSON.stringify({ ...existing, ...changes })
  const size = encodeURIComponent(text).replaceAll(/%../g, 'x').length
  return size > MAX_PREFS_BYTES ? 'too-long' : changes
}

/** Returns how many of these entries share time with one of the others. */
function overlapCount(entries: readonly TimeEntry[], others: readonly TimeEntry[]): number {
  const sorted = others.toSorted((a, b) => a.startedAt - b.startedAt)
  // The latest end of each entry and those before it.
  let latest = -Infinity
  const ends = sorted.map(({ endedAt }) => (latest = Math.max(latest, endedAt)))
  return entries.filter(({ startedAt, endedAt, deletedAt }) => {
    if (deletedAt !== null) return false
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle]?.startedAt ?? Infinity) < endedAt) low = middle + 1
      else high = middle
    }
    return low > 0 && (ends[low - 1] ?? -Infinity) > startedAt
  }).length
}

function newestFirst(a: EntryChange, b: EntryChange): number {
  return b.after.startedAt - a.after.startedAt || (a.after.id < b.after.id ? -1 : 1)
}

function excerpt(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, EXCERPT_LENGTH)
}
