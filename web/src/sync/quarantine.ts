/**
 * Records of the local database that cannot be read: written by an older or newer version, or
 * half, or by hand (reliability B2). They are put aside, never thrown away, and the rest is used.
 */
import { ENTRY_PARTS } from '@stint/core/record/entry-parts.ts'

import type { LocalDb, LocalEntry } from './local-db.ts'

/**
 * Puts unreadable timers, work and tasks aside. Run once, before anything else reads the database.
 * Entries are too many to look at each time: whoever reads them does (see quarantineEntries).
 */
export async function quarantineUnreadable(db: LocalDb, now: number): Promise<void> {
  await db.transaction('rw', db.tables, async () => {
    for (const record of await db.state.toArray()) {
      if (record.key !== 'timer' || isActiveTimer(fieldOf(record, 'timer'))) continue
      await putAside(db, 'state', record, now)
      await db.state.delete(record.key)
    }
    for (const item of await db.outbox.toArray()) {
      if (isOutboxWork(fieldOf(item, 'work'))) continue
      await putAside(db, 'outbox', item, now)
      await db.outbox.delete(item.sequence)
    }
    for (const task of await db.tasks.toArray()) {
      if (isTask(task)) continue
      await putAside(db, 'tasks', task, now)
      await db.tasks.delete(task.id)
      await db.state.delete('pull:tasks')
    }
  })
}

/** Puts unreadable entries aside; the backend has them, so everything is pulled again. */
export async function quarantineEntries(
  db: LocalDb,
  entries: readonly LocalEntry[],
  now: number,
): Promise<void> {
  await db.transaction('rw', db.entries, db.state, db.quarantine, async () => {
    for (const entry of entries) {
      await putAside(db, 'entries', entry, now)
      await db.entries.delete(entry.id)
    }
    await db.state.delete('pull:time_entries')
  })
}

/** Whether a stored entry has what the figures need. */
export function isReadableEntry(entry: unknown): boolean {
  return (
    isText(fieldOf(entry, 'taskId')) &&
    isNumber(fieldOf(entry, 'startedAt')) &&
    isNumber(fieldOf(entry, 'endedAt')) &&
    isNumber(fieldOf(entry, 'durationSeconds')) &&
    isPauses(fieldOf(entry, 'pauses'))
  )
}

async function putAside(db: LocalDb, from: string, record: unknown, now: number): Promise<void> {
  await db.quarantine.add({ from, record, quarantinedAt: now })
}

function isOutboxWork(work: unknown): boolean {
  switch (fieldOf(work, 'kind')) {
    case 'start':
    case 'update':
      return isActiveTimer(fieldOf(work, 'timer'))
    case 'stop':
      return isStoppedTimer(fieldOf(work, 'stopped'))
    case 'discard':
    case 'restate':
      return isText(fieldOf(work, 'sessionId'))
    case 'delete-entry':
      return isText(fieldOf(work, 'entryId')) && isNumber(fieldOf(work, 'deletedAt'))
    case 'save-entries':
      return isListOf(fieldOf(work, 'entries'), isUnsavedEntry)
    case 'update-task':
      return isText(fieldOf(work, 'taskId')) && typeof fieldOf(work, 'changes') === 'object'
    case 'create-task':
      return isText(fieldOf(work, 'taskId')) && isText(fieldOf(work, 'name'))
    case 'set-task-active':
      return isText(fieldOf(work, 'taskId')) && typeof fieldOf(work, 'isActive') === 'boolean'
    case 'save-prefs':
      return typeof fieldOf(work, 'changes') === 'object'
    default:
      return false
  }
}

function isUnsavedEntry(entry: unknown): boolean {
  const parts = fieldOf(entry, 'parts')
  return isText(fieldOf(entry, 'id')) && (parts === 'new' || isListOf(parts, isEntryPart))
}

function isEntryPart(part: unknown): boolean {
  return ENTRY_PARTS.some((known) => known === part)
}

function isListOf(list: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(list) && list.every(isItem)
}

/** Whether a stored timer has what the panel needs. */
export function isActiveTimer(timer: unknown): boolean {
  const status = fieldOf(timer, 'status')
  const isKnown =
    status === 'running' || (status === 'paused' && isNumber(fieldOf(timer, 'pausedAt')))
  return isKnown && isTimerFields(timer)
}

function isStoppedTimer(stopped: unknown): boolean {
  return (
    isTimerFields(stopped) &&
    isNumber(fieldOf(stopped, 'endedAt')) &&
    isNumber(fieldOf(stopped, 'durationSeconds'))
  )
}

function isTimerFields(timer: unknown): boolean {
  return (
    isText(fieldOf(timer, 'sessionId')) &&
    isText(fieldOf(timer, 'taskId')) &&
    isNumber(fieldOf(timer, 'startedAt')) &&
    isPauses(fieldOf(timer, 'pauses'))
  )
}

/** Whether a stored task has what the lists need. */
export function isTask(task: unknown): boolean {
  return isText(fieldOf(task, 'name')) && isNumber(fieldOf(task, 'createdAt'))
}

function isPauses(pauses: unknown): boolean {
  const intervals = fieldOf(pauses, 'intervals')
  return (
    Array.isArray(intervals) &&
    intervals.every((each) => isNumber(fieldOf(each, 'start')) && isNumber(fieldOf(each, 'end'))) &&
    isNumber(fieldOf(pauses, 'unplacedSeconds'))
  )
}

function fieldOf(record: unknown, name: string): unknown {
  if (typeof record !== 'object' || record === null) return undefined
  return Object.getOwnPropertyDescriptor(record, name)?.value
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
