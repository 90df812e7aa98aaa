/**
 * Edits that waited: one that was made without a network, or whose answer was lost, is not sent over one
 * that another device made later (docs/decisions/0082-the-later-edit-stays.md).
 */
import { changedParts } from '@stint/core/record/entry-parts.ts'
import type { EntryPart } from '@stint/core/record/entry-parts.ts'
import { taskFromDocument } from '@stint/core/record/task.ts'
import type { Task, TaskChanges } from '@stint/core/record/task.ts'
import { entryFromDocument } from '@stint/core/record/time-entry.ts'
import type { TimeEntry } from '@stint/core/record/time-entry.ts'

import type { DocumentOf } from '#backend/backend.ts'

import type { OutboxItem } from './local-db.ts'
import type { OutboxContext, Round } from './outbox-context.ts'
import { pullChanges } from './pull.ts'

/** What is sent so long after it was made may be older than what another device changed. */
const LATE_MILLISECONDS = 10_000

/** What changed at the backend while edits waited, as it was before any of them was sent. */
export interface ChangedMeanwhile {
  readonly entries: ReadonlyMap<string, TimeEntry>
  readonly tasks: ReadonlyMap<string, Task>
}

type SyncedStores = Pick<OutboxContext, 'db' | 'backend'>

/**
 * What to hold an edit against before it is sent; null for one that is sent at once. Asked for once in a
 * round, since afterwards what was sent from here is the last change. Rejects with BackendError.
 */
export async function changedMeanwhile(
  round: Round,
  { addedAt, attempts }: OutboxItem,
): Promise<ChangedMeanwhile | null> {
  if (attempts === 0 && round.now() - addedAt <= LATE_MILLISECONDS) return null
  round.meanwhile ??= await fetchMeanwhile(round)
  return round.meanwhile
}

async function fetchMeanwhile(context: SyncedStores): Promise<ChangedMeanwhile> {
  const oldest = await context.db.outbox.orderBy('sequence').first()
  const since = new Date(oldest?.addedAt ?? 0).toISOString()
  const entries = (await changedSince(context, 'time_entries', since)).map(entryFromDocument)
  const tasks = (await changedSince(context, 'tasks', since)).map(taskFromDocument)
  return {
    entries: new Map(entries.map((entry) => [entry.id, entry])),
    tasks: new Map(tasks.map((task) => [task.id, task])),
  }
}

async function changedSince<C extends 'tasks' | 'time_entries'>(
  context: SyncedStores,
  collection: C,
  since: string,
): Promise<DocumentOf<C>[]> {
  const found: DocumentOf<C>[] = []
  await pullChanges(context, collection, since, async (_db, documents) => {
    found.push(...documents)
  })
  return found
}

/**
 * The parts that are still to be sent of an edit made at `addedAt` that changed `before`, where the entry is
 * now `here` and the backend has `theirs`: not those that another device changed later.
 */
export function standingParts(
  parts: readonly EntryPart[],
  { addedAt, before, here, theirs }: Edit<TimeEntry>,
): EntryPart[] {
  if (theirs.updatedAt < addedAt) return [...parts]
  const otherThanBefore = changedParts(before, theirs)
  const otherThanHere = changedParts(here, theirs)
  return parts.filter((part) => !otherThanBefore.includes(part) || !otherThanHere.includes(part))
}

/** The same of a task's fields. */
export function standingChanges(
  changes: TaskChanges,
  { addedAt, before, here, theirs }: Edit<TaskChanges> & { readonly theirs: Task },
): TaskChanges {
  if (theirs.updatedAt < addedAt) return changes
  const [was, is, there] = [before, here, theirs].map((task) => new Map(Object.entries(task)))
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([field]) => there?.get(field) === was?.get(field) || there?.get(field) === is?.get(field),
    ),
  )
}

interface Edit<Thing> {
  readonly addedAt: number
  readonly before: Thing
  readonly here: Thing
  readonly theirs: Thing
}
