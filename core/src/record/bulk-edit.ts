/** One edit of many entries. */
import { EARLIEST } from '#time/instant.ts'
import { deleteEntry } from './entry-change.ts'
import type { EntryChange } from './entry-change.ts'
import { editEntry, moveEntry, NOTE_MAX_LENGTH, shiftEntry } from './entry-edit.ts'
import { hasTag, withoutTag, withTag } from './tags.ts'
import type { TimeEntry } from './time-entry.ts'

export type BulkEdit =
  | { readonly kind: 'move'; readonly taskId: string }
  | { readonly kind: 'tag' | 'untag'; readonly tag: string }
  /** Negative milliseconds shift to an earlier time. */
  | { readonly kind: 'shift'; readonly milliseconds: number }
  | { readonly kind: 'delete' }

export interface BulkChanges {
  readonly changes: readonly EntryChange[]
  /**
   * The entries that the edit does not fit: a note without room for the tag, an end that would be in
   * the future, or a start before any that can be saved.
   */
  readonly unfit: readonly TimeEntry[]
}

/** Returns the changes of the entries that the edit changes. Others are as it wants them already. */
export function bulkChanges(
  entries: readonly TimeEntry[],
  edit: BulkEdit,
  now: number,
): BulkChanges {
  const unfit = entries.filter((entry) => !fits(entry, edit, now))
  const left = new Set(unfit)
  const changes = entries.filter((entry) => !left.has(entry) && needs(entry, edit))
  return { changes: changes.map((entry) => changed(entry, edit, now)), unfit }
}

function fits({ note, startedAt, endedAt }: TimeEntry, edit: BulkEdit, now: number): boolean {
  switch (edit.kind) {
    case 'tag': {
      const tagged = withTag(note, edit.tag)
      return tagged.length <= NOTE_MAX_LENGTH && hasTag(tagged, edit.tag)
    }
    case 'shift':
      return edit.milliseconds > 0
        ? endedAt + edit.milliseconds <= now
        : startedAt + edit.milliseconds >= EARLIEST
    case 'move':
    case 'untag':
    case 'delete':
      return true
  }
}

function needs({ taskId, note }: TimeEntry, edit: BulkEdit): boolean {
  switch (edit.kind) {
    case 'move':
      return taskId !== edit.taskId
    case 'tag':
      return withTag(note, edit.tag) !== note
    case 'untag':
      return withoutTag(note, edit.tag) !== note
    case 'shift':
      return edit.milliseconds !== 0
    case 'delete':
      return true
  }
}

function changed(entry: TimeEntry, edit: BulkEdit, now: number): EntryChange {
  switch (edit.kind) {
    case 'move':
      return moveEntry(entry, edit.taskId, now)
    case 'tag':
      return editEntry(entry, { note: withTag(entry.note, edit.tag) }, now)
    case 'untag':
      return editEntry(entry, { note: withoutTag(entry.note, edit.tag) }, now)
    case 'shift':
      return shiftEntry(entry, edit.milliseconds, now)
    case 'delete':
      return deleteEntry(entry, now)
  }
}
